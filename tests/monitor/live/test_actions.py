"""Every action of docs/live-api.md has its effect at the desk, or says that it has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from monitor.live.actions import ACTION_TYPES
from tests.monitor.live.scorer import BREAK, Scorer


@pytest.fixture
def scorer(tmp_path: Path) -> Scorer:
    """Anna's break was legal, nothing fell: Bob may push out."""
    made = Scorer(tmp_path)
    made.shot(**BREAK)
    return made


AFTER: list[tuple[dict[str, Any], str, dict[str, Any]]] = [
    ({"type": "unsporting", "by": "A", "penalty": "warning", "item": "c"}, "", {"at_table": "B"}),
    (
        {"type": "unsporting", "by": "A", "penalty": "standard_foul"},
        "Foul on Anna, 6.17",
        {"cue_ball": "in_hand_anywhere", "at_table": "B", "over": False},
    ),
    (
        {"type": "unsporting", "by": "B", "penalty": "serious_foul"},
        "Anna wins the rack",
        {"over": True, "winner": "A"},
    ),
    (
        {"type": "unsporting", "by": "A", "penalty": "loss_of_match"},
        "Bob wins the match",
        {"match_over": True, "match_winner": "B"},
    ),
    (
        {"type": "foul", "rule": "6.6", "by": "A", "ball": "3"},
        "Foul on Anna, 6.6: the 3 was touched",
        {"cue_ball": "in_hand_anywhere", "fouls": {"A": 1, "B": 0}},
    ),
    (
        {"type": "foul", "rule": "6.6", "by": "A", "intentional": True},
        "Bob wins the rack",
        {"over": True, "winner": "B"},
    ),
    ({"type": "interference", "by": "B", "ball": "3"}, "Back in place: the 3", {"at_table": "B"}),
    ({"type": "restore", "balls": ["3", "4"]}, "Back in place: the 3 and the 4", {}),
    ({"type": "ball_fell_by_itself", "ball": "3", "pocket": "SL"}, "Back in place: the 3", {}),
    ({"type": "cannot_restore"}, "Re-rack, nobody scores", {"phase": "break", "at_table": "A"}),
    ({"type": "replay"}, "The shot is annulled", {"phase": "break", "at_table": "A"}),
    ({"type": "rerack"}, "Re-rack, nobody scores", {"phase": "break", "breaker": "A"}),
    ({"type": "spot", "ball": "10"}, "The ten is spotted", {"phase": "second_shot"}),
    (
        {"type": "stalemate_announce"},
        "three more turns each",
        {"stalemate_turns_left": {"A": 3, "B": 3}},
    ),
    ({"type": "stalemate_agree", "by": "A"}, "Anna agrees", {"stalemate_agreed": ["A"]}),
    ({"type": "stalemate_declare"}, "Re-rack, nobody scores", {"phase": "break"}),
    ({"type": "concede", "by": "A", "scope": "rack"}, "Bob wins the rack", {"winner": "B"}),
]


@pytest.mark.parametrize(
    ("action", "sentence", "rack"),
    AFTER,
    ids=[f"{a['type']}-{i}" for i, (a, *_) in enumerate(AFTER)],
)
def test_what_is_said_after_a_stroke_is_ruled_on(
    scorer: Scorer, action: dict[str, Any], sentence: str, rack: dict[str, Any]
) -> None:
    fields = dict(action)
    answer = scorer.act(fields.pop("type"), **fields)
    assert answer["refused"] is None
    assert sentence in scorer.last["sentence"]
    assert {key: scorer.rack[key] for key in rack} == rack


@pytest.mark.parametrize(
    "action",
    [
        {"type": "late_foul_call", "rule": "6.6", "by": "A"},
        {"type": "late_declaration", "kind": "safety"},
        {"type": "lag_won", "by": "B"},
        {"type": "lag", "A": {"good": False, "why": "long"}, "B": {"good": True}},
        {"type": "time_expired", "by": "A"},
        {"type": "warn_two_fouls", "by": "A"},
    ],
    ids=lambda action: action["type"],
)
def test_what_the_rules_give_no_effect_is_on_record_all_the_same(
    scorer: Scorer, action: dict[str, Any]
) -> None:
    """A late claim, a lag in the middle of a rack, a warning on no fouls."""
    before = scorer.rack
    fields = dict(action)
    answer = scorer.act(fields.pop("type"), **fields)
    assert answer["refused"] == action["type"]
    assert scorer.rack == before
    assert scorer.desk.book.records[-1].body["type"] == action["type"]


@pytest.mark.parametrize("name", ["call_requested", "protest", "time_out", "speed_up_request"])
def test_words_for_the_record_change_nothing(scorer: Scorer, name: str) -> None:
    before = scorer.rack
    assert scorer.act(name, by="A")["refused"] is None
    assert scorer.rack == before
    assert scorer.state["undo"]["text"].endswith("Anna")


def test_before_the_break_the_lag_decides_who_breaks(tmp_path: Path) -> None:
    """Both bad: again. Then Bob wins it and lets Anna break, or breaks himself (9.1)."""
    scorer = Scorer(tmp_path)
    scorer.act("lag", A={"good": False, "why": "long"}, B={"good": False, "why": "long"})
    assert scorer.state["decision"] is None
    scorer.act("lag_won", by="B")
    assert [o["value"] for o in scorer.state["decision"]["options"]] == [
        "self_breaks",
        "opponent_breaks",
    ]
    assert scorer.state["decision"]["options"][0]["title"]
    scorer.act("choice", by="B", value="self_breaks")
    assert scorer.rack["breaker"] == "B"


def test_a_cue_ball_in_front_of_the_line_is_said_before_the_break(tmp_path: Path) -> None:
    """Asked about and told; it is no foul by itself (6.10)."""
    scorer = Scorer(tmp_path)
    assert scorer.act("placement_check", result="in_front")["refused"] is None
    assert scorer.rack["phase"] == "break"


def test_both_players_agree_on_a_stalemate(scorer: Scorer) -> None:
    """The second word makes it one: the same player breaks again (1.12)."""
    scorer.act("stalemate_agree", by="A")
    scorer.act("stalemate_agree", by="B")
    assert scorer.rack["phase"] == "break" and scorer.rack["breaker"] == "A"


def test_announced_turns_are_counted_down(scorer: Scorer) -> None:
    """Three each; then the referee declares it."""
    scorer.act("stalemate_announce")
    for _ in range(6):
        scorer.hit(scorer.rack["lowest"])
    assert scorer.rack["stalemate_turns_left"] == {"A": 0, "B": 0}
    scorer.act("stalemate_declare")
    assert scorer.rack["phase"] == "break"


def test_announcements_for_the_coming_stroke(scorer: Scorer) -> None:
    """A call, frozen balls and a safety stand until the stroke, or are withdrawn."""
    scorer.act("call", ball="1", pocket="FL")
    scorer.act("withdraw", what="call")
    assert scorer.state["next_shot"]["call"] is None
    scorer.act("frozen", a="cue", b="1", by="referee")
    scorer.act("frozen", a="3", b="FOOT", by="shooter")
    assert scorer.state["next_shot"]["frozen"] == [
        {"a": "cue", "b": "1", "by": "referee"},
        {"a": "3", "b": "FOOT", "by": "shooter"},
    ]
    scorer.act("safety")
    scorer.hit("1")
    assert "Safety (9.6)" in scorer.last["sentence"] and scorer.rack["at_table"] == "A"
    assert scorer.state["next_shot"]["frozen"] == []


def test_a_call_heard_wrongly_is_corrected(scorer: Scorer) -> None:
    """The ball fell where it was called in truth: the player continues (9.5)."""
    scorer.act("call", ball="1", pocket="FL")
    scorer.hit("1", "1", "FR")
    assert scorer.state["decision"]["by"] == "A"
    was, is_so = {"ball": "1", "pocket": "FL"}, {"ball": "1", "pocket": "FR"}
    scorer.act("correct_call", shot=2, **{"from": was}, to=is_so)
    assert scorer.state["decision"] is None and scorer.rack["at_table"] == "B"


def test_an_obvious_shot_is_said_without_being_asked(scorer: Scorer) -> None:
    scorer.hit("1", "1", "FR")
    scorer.act("obvious_call", ball="1", pocket="FR")
    assert "down as called" in scorer.last["sentence"] and scorer.state["cards"] == []


def test_a_foul_call_is_withdrawn(scorer: Scorer) -> None:
    scorer.act("foul", rule="6.6", by="A")
    assert scorer.rack["fouls"] == {"A": 1, "B": 0}
    scorer.act("withdraw_foul", rule="6.6")
    assert scorer.rack["fouls"] == {"A": 0, "B": 0}


def test_a_protest_stops_the_clock_and_it_starts_anew(scorer: Scorer) -> None:
    scorer.act("clock_on")
    scorer.act("protest", by="A")
    assert scorer.state["clock"]["paused"] is True
    scorer.act("clock_resume")
    assert scorer.state["clock"]["paused"] is False
    scorer.act("time_out", by="B")
    assert scorer.state["clock"]["paused"] is True
    scorer.act("clock_restart")
    assert scorer.state["clock"]["running"] is True
    scorer.act("clock_off")
    assert scorer.state["clock"]["on"] is False and scorer.state["clock"]["left_s"] is None


def test_there_is_a_test_for_every_action() -> None:
    """What is new in the list has to come here, or to the tests beside this one."""
    here = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py"))
    assert [name for name in ACTION_TYPES if f'"{name}"' not in here] == []
