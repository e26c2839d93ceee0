"""Every kind of shot keeps its promise, is exact, and repeats byte for byte."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("pooltool", reason="the truth generator's extra is not installed")

from synthetic.filming import declarations, expectations
from synthetic.physics.conditions import unusual_conditions, usual_conditions
from synthetic.physics.play import REST_SPEED_MPS
from synthetic.physics.pool import PoolSimulation
from synthetic.physics.racks import ten_ball_rack
from synthetic.shots.catalog import HARD_MIX, KINDS, ORDINARY_MIX
from synthetic.shots.draft import Draft
from synthetic.truth import draft_log, told
from table.balls import CUE
from table.events import BallContact, CushionContact, OtherEvent, ShotEnded, ShotStarted
from table.geometry import NINE_FOOT
from table.log import ShotLog, parse_log, write_log

SLOW = {"scratch_break", "ten_early", "spotted", "push_out", "carom"}


def draft(kind: str, seed: int) -> Draft:
    rng = np.random.default_rng(seed)
    sim = PoolSimulation(NINE_FOOT, usual_conditions(rng))
    return KINDS[kind](rng, sim)


def log_of(made: Draft) -> ShotLog:
    return draft_log(
        made,
        file="clip.mp4",
        fps=30.0,
        frames=1,
        head="right",
        ball_set="tv",
        size=(1280, 720),
        conditions="usual",
    )


@pytest.fixture(scope="module")
def drafts() -> dict[str, Draft]:
    return {kind: draft(kind, 5) for kind in KINDS}


def test_mixes_name_known_kinds() -> None:
    assert set(ORDINARY_MIX) <= set(KINDS)
    assert set(HARD_MIX) <= set(KINDS)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_truth_is_a_readable_log(kind: str, drafts: dict[str, Draft]) -> None:
    log = log_of(drafts[kind])
    again = parse_log(write_log(log).splitlines())
    assert write_log(again) == write_log(log)
    for events in log.shots().values():
        played = [event for event in events if not isinstance(event, OtherEvent)]
        assert isinstance(played[0], ShotStarted) and isinstance(played[-1], ShotEnded)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_balls_never_overlap(kind: str, drafts: dict[str, Draft]) -> None:
    """Sampled every 2 ms, no two balls on or over the bed come closer than their diameter."""
    play = drafts[kind].play
    times = np.arange(0.0, play.end_s, 0.002)
    places = {name: path.sample(times).r_m for name, path in play.paths.items()}
    names = list(places)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            over = (places[a][:, 2] > 0.0) & (places[b][:, 2] > 0.0)
            away = np.linalg.norm(places[a] - places[b], axis=1)[over]
            if len(away):
                assert away.min() > NINE_FOOT.ball_diameter_m - 1e-4, (a, b)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_contacts_happen_at_a_diameter_and_cushions_at_a_radius(
    kind: str, drafts: dict[str, Draft]
) -> None:
    play = drafts[kind].play
    for event in told(play).events:
        if event.t_s is None:
            continue
        if isinstance(event, BallContact):
            a, b = (play.paths[x].sample([event.t_s]).r_m[0] for x in (event.a, event.b))
            assert np.linalg.norm(a - b) == pytest.approx(NINE_FOOT.ball_diameter_m, abs=1e-4)
        if isinstance(event, CushionContact) and not event.jaw:
            x, y, _ = play.paths[event.ball].sample([event.t_s]).r_m[0]
            gap = NINE_FOOT.cushions[event.cushion].distance_m((x, y))
            assert gap == pytest.approx(NINE_FOOT.ball_radius_m, abs=1e-4)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_balls_rest_from_the_end_on_and_not_before(kind: str, drafts: dict[str, Draft]) -> None:
    play = drafts[kind].play
    after = np.arange(play.end_s + 1e-6, play.end_s + 0.5, 0.05)
    bed = [n for n, p in play.paths.items() if p.sample([play.end_s]).r_m[0, 2] > 0.0]
    ten_comes = {carry.ball for carry in drafts[kind].carries}
    for name in bed:
        if name not in ten_comes:
            assert play.paths[name].speeds_mps(after).max() <= REST_SPEED_MPS + 1e-9
    speeds = [float(p.speeds_mps([play.end_s - 0.01])[0]) for p in play.paths.values()]
    assert max(speeds) > REST_SPEED_MPS


@pytest.mark.parametrize("kind", sorted(set(KINDS) - SLOW))
def test_same_seed_gives_the_same_bytes(kind: str, drafts: dict[str, Draft]) -> None:
    assert write_log(log_of(draft(kind, 5))) == write_log(log_of(drafts[kind]))


def test_racks_are_tight_with_one_at_the_apex_and_ten_in_the_middle() -> None:
    rack = ten_ball_rack(NINE_FOOT, np.random.default_rng(2))
    assert math.dist(rack["1"], NINE_FOOT.foot_spot) < 0.0005
    center = np.mean([rack[name] for name in rack], axis=0)
    nearest = min(rack, key=lambda name: math.dist(rack[name], (center[0], center[1])))
    assert nearest == "10"
    touching = [
        sum(
            math.dist(rack[a], rack[b]) < NINE_FOOT.ball_diameter_m + 0.0006 for b in rack if b != a
        )
        for a in rack
    ]
    assert sorted(touching) == [2, 2, 2, 4, 4, 4, 4, 4, 4, 6]
    for a in rack:
        for b in rack:
            assert a == b or math.dist(rack[a], rack[b]) >= NINE_FOOT.ball_diameter_m


def test_full_breaks_are_fast_and_spread() -> None:
    for seed in range(4):
        play = draft("break", seed).play
        speed = float(play.paths[CUE].speeds_mps([play.strokes[0].t_s + 0.001])[0])
        assert 7.9 < speed < 12.1
        driven = {e.ball for e in told(play).cushions()}
        assert len(driven) >= 4


def test_near_ties_are_near() -> None:
    for seed in range(6):
        contacts = told(draft("near_tie", seed).play).cue_contacts
        apart = (contacts[1].t_s or 0.0) - (contacts[0].t_s or 0.0)
        assert 0.001 <= apart <= 0.020 and contacts[0].b != contacts[1].b


@pytest.mark.parametrize(
    ("kind", "fouls"),
    [
        ("scratch", {"6.1"}),
        ("wrong_ball", {"6.2"}),
        ("no_rail", {"6.3"}),
        ("no_contact", {"6.3"}),
        ("off_table", {"6.5"}),
        ("moving_start", {"6.9"}),
        ("weak_break", {"9.3b"}),
        ("pot", set()),
        ("safety", set()),
        ("push_out", set()),
        ("win", set()),
    ],
)
def test_kinds_break_the_article_they_are_made_for(
    kind: str, fouls: set[str], drafts: dict[str, Draft]
) -> None:
    rows = expectations(drafts[kind], log_of(drafts[kind]))
    found = rows[-1]["fouls"]
    assert isinstance(found, list)
    assert fouls <= set(found) if fouls else not found


def test_calls_are_declared_before_the_stroke(drafts: dict[str, Draft]) -> None:
    for made in drafts.values():
        for row in declarations(made):
            stroke = made.play.strokes[int(str(row["shot"])) - made.first_shot]
            assert float(str(row["t_s"])) <= stroke.t_s


def test_unusual_tables_differ_from_every_default() -> None:
    usual = usual_conditions(np.random.default_rng(0))
    for seed in range(50):
        other = unusual_conditions(np.random.default_rng(seed))
        assert other.ball_model != usual.ball_model
        assert other.cushion_model != usual.cushion_model
        assert not 0.15 < other.slide < 0.28
        assert not 0.007 < other.roll < 0.013
