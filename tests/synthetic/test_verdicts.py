"""The small independent ruling script: by hand, and against the shared cases where given."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from synthetic.verdicts import Intent, ShotReading, expected_ruling, ruling_on
from table.balls import CUE
from table.events import (
    BallContact,
    BallPocketed,
    CushionContact,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.geometry import NINE_FOOT, Cushion, Pocket

BALLS = {CUE: (-0.5, 0.0), "2": (0.0, 0.0), "5": (0.5, 0.2), "10": (0.6, -0.3)}


def shot(*events: ShotEvent) -> list[ShotEvent]:
    start = ShotStarted(shot=1, t_s=1.0, balls=BALLS)
    return [start, *events, ShotEnded(shot=1, t_s=5.0)]


def hit(t_s: float, ball: str) -> BallContact:
    return BallContact(shot=1, t_s=t_s, a=CUE, b=ball)


def rail(t_s: float, ball: str, **more: bool) -> CushionContact:
    return CushionContact(shot=1, t_s=t_s, ball=ball, cushion=Cushion.FOOT, **more)


def down(t_s: float, ball: str, pocket: Pocket = Pocket.FL) -> BallPocketed:
    return BallPocketed(shot=1, t_s=t_s, ball=ball, pocket=pocket)


def ruled(events: Sequence[ShotEvent], intent: Intent) -> dict[str, object]:
    return expected_ruling(events, intent, NINE_FOOT)


def test_called_ball_in_called_pocket_continues() -> None:
    ruling = ruled(shot(hit(1.2, "2"), down(1.8, "2")), Intent(("2", Pocket.FL)))
    assert ruling["fouls"] == [] and ruling["next_player"] == "A"
    assert ruling["balls_after"] == ["5", "10"]


def test_called_ball_in_another_pocket_gives_the_choice() -> None:
    ruling = ruled(shot(hit(1.2, "2"), down(1.8, "2", Pocket.SL)), Intent(("2", Pocket.FL)))
    assert ruling["next_player"] == "B" and ruling["options"] == ["accept", "hand_back"]


def test_rail_before_the_contact_is_not_enough() -> None:
    assert ruled(shot(rail(1.1, CUE), hit(1.2, "2")), Intent())["fouls"] == ["6.3"]


def test_rail_after_the_contact_is_enough() -> None:
    assert ruled(shot(hit(1.2, "2"), rail(1.4, "2")), Intent())["fouls"] == []


def test_declared_frozen_rail_counts_only_after_leaving_it() -> None:
    pressed = shot(hit(1.2, "2"), rail(1.2, "2", from_rest=True))
    frozen = Intent(frozen=(("2", "FOOT"),))
    assert ruled(pressed, frozen)["fouls"] == ["6.3"]
    assert ruled(pressed, Intent())["fouls"] == []


def test_wrong_ball_is_no_foul_on_a_push_out_only() -> None:
    events = shot(hit(1.2, "5"))
    assert ruled(events, Intent())["fouls"] == ["6.2", "6.3"]
    pushed = ruled(events, Intent(kind="push_out", phase="second_shot"))
    assert pushed["fouls"] == [] and pushed["options"] == ["accept", "hand_back"]
    assert ruled(events, Intent(kind="push_out"))["fouls"] == ["6.2", "6.3"]


def test_ten_is_spotted_when_called_early() -> None:
    ruling = ruled(shot(hit(1.2, "2"), down(1.8, "10")), Intent(("10", Pocket.FL)))
    assert ruling["spot"] == ["10"] and ruling["next_player"] == "A"
    assert ruling["balls_after"] == ["2", "5", "10"]


def test_obvious_pot_counts_only_when_it_may_be_assumed() -> None:
    events = shot(hit(1.2, "2"), down(1.8, "2"))
    assert ruled(events, Intent(obvious=True))["next_player"] == "A"
    assert ruled(events, Intent())["next_player"] == "B"
    banked = shot(hit(1.2, "2"), rail(1.4, "2"), down(1.8, "2"))
    assert ruled(banked, Intent(obvious=True))["options"] == ["accept", "hand_back"]


def test_simple_shared_cases_are_ruled_alike() -> None:
    """Every case within this script's reach has the ruling that people wrote for it."""
    shared = os.environ.get("TABLE_MONITOR_SHARED")
    if not shared:
        pytest.skip("TABLE_MONITOR_SHARED is not set")
    cases = json.loads((Path(shared) / "rules" / "cases.json").read_text(encoding="utf-8"))["cases"]
    simple = [case for case in cases if _is_simple(case)]
    assert len(simple) >= 60
    for case in simple:
        state = case["state_before"]
        declared = case["declaration"]
        called = declared["called"]
        intent = Intent(
            (called["ball"], Pocket(called["pocket"])) if called else None,
            _kind(declared, state),
            state["phase"],
        )
        ruling = ruling_on(_reading(case), intent, NINE_FOOT, state["at_table"], state["fouls"])
        wanted = case["expected"]
        for key in (
            "legal",
            "next_player",
            "cue_ball",
            "spot",
            "game_over",
            "winner",
            "next_phase",
        ):
            assert ruling[key] == wanted[key], (case["id"], key)
        for key in ("fouls", "options", "balls_after"):
            assert sorted(map(str, _list(ruling[key]))) == sorted(wanted[key]), (case["id"], key)
        assert ruling["fouls_after"] == wanted["fouls_after"], case["id"]
        assert ruling["push_out_available"] == wanted["push_out_available"], case["id"]


def _list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def _kind(declared: Mapping[str, str], state: Mapping[str, str]) -> str:
    kind = declared["kind"]
    return "normal" if kind == "safety" and state["phase"] == "break" else kind


def _is_simple(case: Mapping[str, dict[str, object]]) -> bool:
    """One stroke, no facts or people beyond what a clip holds, no third foul."""
    state, played, declared = case["state_before"], case["shot"], case["declaration"]
    if not played or played["other_facts"] or case["manual"] or case.get("config"):
        return False
    fouls = state["fouls"]
    assert isinstance(fouls, dict)
    plain = not state.get("pending_options") and max(fouls.values()) < 2
    words = set(declared) <= {"called", "kind"} and not isinstance(played["first_contact"], list)
    return plain and words and case["expected"]["penalised"] != "6.14"


def _reading(case: Mapping[str, dict[str, object]]) -> ShotReading:
    state, played = case["state_before"], case["shot"]
    pocketed = {row["ball"]: Pocket(row["pocket"]) for row in played["pocketed"]}  # type: ignore[index, attr-defined]
    gone = {*pocketed, *_list(played["off_table"])}
    after = {str(ball) for ball in [*_list(played["rails_after_contact"]), *gone]}
    ever = after | {str(ball) for ball in _list(played["rails_before_contact"])}
    first = played["first_contact"]
    return ShotReading(
        on_table=frozenset(str(ball) for ball in _list(state["balls_on_table"])),
        first=None if first is None else str(first),
        rails_after=frozenset(after),
        rails_ever=frozenset(ever),
        pocketed=pocketed,
        off=frozenset(str(ball) for ball in _list(played["off_table"])),
        moving=tuple(str(ball) for ball in _list(played["moving_at_start"])),
        cue_x_m=-1.0,
    )
