"""A match of two racks, written by hand; every number is worked out beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.reporting.played_shots import Motion, PlayedShot, played_shots
from monitor.reporting.racks import PlayedRack, racks_of
from monitor.reporting.statistics import figures_of, pauses_s, pots_by_pocket
from table.geometry import Pocket


def shot(number: int, by: str, **more: object) -> PlayedShot:
    """A legal shot; it starts at 10 s times its number and lasts 4 s."""
    motion = Motion(start_s=10.0 * number, end_s=10.0 * number + 4.0)
    return replace(PlayedShot(number, by=by, legal=True, motion=motion), **more)  # type: ignore[arg-type]


def pot(
    number: int, by: str, *balls: str, pocket: Pocket = Pocket.FL, **more: object
) -> PlayedShot:
    """The called ball down, and perhaps others with it."""
    known = shot(number, by, made=balls[0], pocketed=balls, continues=True)
    dropped = tuple((ball, pocket) for ball in balls)
    return replace(known, motion=replace(known.motion, dropped=dropped), **more)  # type: ignore[arg-type]


MATCH = (
    # Rack 1: A breaks and makes the 4, pots two, misses; B plays safe, A fouls, B runs out.
    shot(1, "A", is_break=True, pocketed=("4",), continues=True),
    pot(2, "A", "1"),
    pot(3, "A", "2", "9", pocket=Pocket.SR),
    shot(4, "A"),
    shot(5, "B", kind="safety"),
    shot(6, "A", legal=False, fouls=("6.2", "6.3"), provisional=True),
    pot(7, "B", "3"),
    pot(8, "B", "10", continues=False, ends_rack=True, winner="B"),
    # Rack 2: B's break is dry, A pushes out, B scratches while he pots, A's shot is cut off.
    shot(9, "B", is_break=True),
    shot(10, "A", kind="push_out"),
    shot(11, "B", legal=False, fouls=("6.5",), pocketed=("5",)),
    shot(12, "A", legal=None),
)


@pytest.fixture(scope="module")
def racks() -> tuple[PlayedRack, ...]:
    return racks_of(MATCH)


def test_a_rack_ends_with_its_last_ball(racks: tuple[PlayedRack, ...]) -> None:
    assert [len(rack.shots) for rack in racks] == [8, 4]
    assert [rack.breaker for rack in racks] == ["A", "B"]
    assert [rack.winner for rack in racks] == ["B", None]
    assert [rack.score_after for rack in racks] == [(0, 1), (0, 1)]
    assert racks[0].span_s == (10.0, 84.0)


def test_a_new_break_ends_the_rack_before_it_unless_the_balls_were_racked_again() -> None:
    first, second = shot(1, "A", is_break=True), shot(2, "B", is_break=True)
    assert len(racks_of([first, second])) == 2
    assert len(racks_of([replace(first, reracked=True), second])) == 1


def test_a_visit_lasts_until_a_miss_a_foul_or_the_end(racks: tuple[PlayedRack, ...]) -> None:
    visits = [[s.number for s in visit] for rack in racks for visit in rack.visits()]
    assert visits == [[1, 2, 3, 4], [5], [6], [7, 8], [9], [10], [11], [12]]


def test_the_figures_of_a(racks: tuple[PlayedRack, ...]) -> None:
    a = figures_of(racks, "A")
    assert (a.shots, a.unjudged) == (7, 1)
    # Attempts 2, 3, 4 and 6: two pots, one miss, one foul.
    assert (a.attempts, a.pots, a.misses, a.fouls) == (4, 2, 1, 1)
    assert a.pot_share == 0.5
    assert a.fouls_by_article == {"6.2": 1, "6.3": 1}
    assert (a.breaks, a.breaks_made, a.push_outs, a.safeties) == (1, 1, 1, 0)
    # The 4, the 1, the 2 and the 9, all in one visit.
    assert (a.balls_down, a.runs, a.visits) == (4, (4,), 4)
    assert (a.racks_won, a.provisional) == (0, 1)


def test_the_figures_of_b(racks: tuple[PlayedRack, ...]) -> None:
    b = figures_of(racks, "B")
    # Attempts 7, 8 and 11: the ball of a scratch is no pot.
    assert (b.attempts, b.pots, b.misses, b.fouls) == (3, 2, 0, 1)
    assert (b.safeties, b.safeties_answered_by_foul) == (1, 1)
    assert (b.breaks, b.breaks_made, b.break_share) == (1, 0, 0.0)
    assert (b.balls_down, b.runs, b.racks_won, b.break_and_runs) == (2, (2,), 1, 0)


def test_time_a_shot_is_from_rest_to_stroke_within_a_rack(racks: tuple[PlayedRack, ...]) -> None:
    # 6 s between rest and stroke each time; nothing before a break, nothing over racks.
    assert list(pauses_s(racks[0], "A")) == [6.0, 6.0, 6.0, 6.0]
    assert list(pauses_s(racks[1], "B")) == [6.0]
    assert figures_of(racks, "A").seconds_a_shot == 6.0
    assert figures_of(racks, "A").timed_shots == 6


def test_a_shot_that_began_before_the_clip_has_no_time() -> None:
    rack = racks_of([shot(1, "A"), replace(shot(2, "A"), motion=Motion(None, 24.0))])[0]
    assert list(pauses_s(rack, "A")) == []


def test_balls_by_pocket_leave_out_fouls(racks: tuple[PlayedRack, ...]) -> None:
    assert pots_by_pocket(racks, "A") == {
        **dict.fromkeys(Pocket, 0),
        Pocket.FL: 1,
        Pocket.SR: 2,
    }
    assert sum(pots_by_pocket(racks).values()) == 5


def test_break_and_run_is_the_breakers_alone() -> None:
    run = [
        shot(1, "A", is_break=True, pocketed=("3",), continues=True),
        pot(2, "A", "1"),
        pot(3, "A", "10", continues=False, ends_rack=True, winner="A"),
    ]
    assert figures_of(racks_of(run), "A").break_and_runs == 1
    helped = [run[0], shot(2, "A"), shot(3, "B"), replace(run[2], number=4)]
    assert figures_of(racks_of(helped), "A").break_and_runs == 0


def test_speeds_and_ways_leave_breaks_out() -> None:
    def moved(known: PlayedShot, speed_mps: float, travel_m: float) -> PlayedShot:
        motion = replace(known.motion, speed_mps=speed_mps, travel_m=travel_m)
        return replace(known, motion=motion)

    shots = [
        moved(shot(1, "A", is_break=True), 9.0, 4.0),
        moved(pot(2, "A", "1"), 2.0, 1.0),
        moved(pot(3, "A", "2"), 3.0, 2.0),
        moved(pot(4, "A", "3"), 7.0, 3.0),
    ]
    a = figures_of(racks_of(shots), "A")
    assert (a.break_speed_mps, a.speed_mps, a.travel_m) == (9.0, 3.0, 2.0)


def test_nobodys_figures_are_empty() -> None:
    nobody = figures_of((), "A")
    assert (
        nobody.pot_share is nobody.break_share is nobody.seconds_a_shot is nobody.speed_mps is None
    )


def row(number: int | None, after: int | None = None, **more: object) -> dict[str, object]:
    """A row of rulings.jsonl about a stroke of A."""
    played = {"by": "A", "kind": "normal", "break": False, "made": None, "pocketed": []}
    return {"shot": number, "after_shot": after, "played": played, "next_player": "B"} | more


def test_what_stands_is_the_last_ruling_about_the_stroke() -> None:
    rows = [
        row(1, legal=True, fouls=[], provisional=True),
        row(None, 1, legal=False, fouls=["6.2"], provisional=False),
        row(None, 1, played=None, legal=None, fouls=[], next_player="A"),
        row(2, legal=True, fouls=[], next_player="A"),
    ]
    first, second = played_shots(rows, {})
    assert (first.legal, first.fouls, first.provisional) == (False, ("6.2",), False)
    assert (first.continues, second.continues) == (False, True)


def test_a_rack_that_a_later_word_reopened_is_not_over() -> None:
    over = row(1, legal=True, fouls=[], game_over=True, winner="A", next_player=None)
    reopened = row(None, 1, legal=False, fouls=["6.2"], game_over=False)
    assert played_shots([over], {})[0].ends_rack
    assert not played_shots([over, reopened], {})[0].ends_rack
