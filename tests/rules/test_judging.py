"""`judge`: the case format in, the answers out, and one sentence when it cannot be read."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.judging import CaseError, judge, judge_file

STATE: dict[str, Any] = {
    "balls_on_table": ["3", "10"],
    "at_table": "A",
    "breaker": "A",
    "fouls": {"A": 0, "B": 0},
    "phase": "normal",
    "cue_ball_in_hand": None,
    "warned": {"A": False, "B": False},
}
SHOT: dict[str, Any] = {
    "first_contact": "3",
    "rails_before_contact": [],
    "rails_after_contact": ["cue"],
    "pocketed": [],
    "off_table": [],
    "moving_at_start": [],
    "other_facts": {},
}
CASE: dict[str, Any] = {
    "id": "one",
    "state_before": STATE,
    "declaration": {"called": {"ball": "3", "pocket": "FL"}, "kind": "normal"},
    "shot": SHOT,
    "manual": [],
}


def changed(path: str, value: object) -> dict[str, Any]:
    """The case with another value at a dotted path."""
    case = copy.deepcopy(CASE)
    *parents, name = path.split(".")
    inner: Any = case
    for parent in parents:
        inner = inner[parent]
    inner[name] = value
    return case


def test_a_case_is_answered_with_the_keys_of_expected() -> None:
    (answer,) = judge({"cases": [CASE]})
    assert answer == {
        "id": "one",
        "legal": True,
        "fouls": [],
        "penalised": None,
        "next_player": "B",
        "cue_ball": "in_place",
        "spot": [],
        "options": [],
        "fouls_after": {"A": 0, "B": 0},
        "game_over": False,
        "winner": None,
        "next_phase": "normal",
        "push_out_available": False,
        "balls_after": ["3", "10"],
        "warned_after": {"A": False, "B": False},
        "stalemate_turns_left": None,
        "provisional": False,
    }


def test_answers_come_in_input_order_and_racks_after_cases() -> None:
    rack = {"id": "rack", "events": [{key: CASE[key] for key in CASE if key != "id"}]}
    answers = judge({"racks": [rack], "cases": [changed("id", "two"), CASE], "meta": {}})
    assert [answer["id"] for answer in answers] == ["two", "one", "rack"]


def test_a_rack_is_judged_from_its_own_states_and_from_the_carried_one() -> None:
    miss = {key: CASE[key] for key in ("state_before", "declaration", "shot")}
    answers = judge({"racks": [{"id": "rack", "events": [miss, miss]}]})
    own, carried = answers[0]["events"], answers[0]["carried"]
    assert isinstance(own, list)
    assert isinstance(carried, list)
    assert [row["next_player"] for row in own] == ["B", "B"]
    assert [row["next_player"] for row in carried] == ["B", "A"]


def test_the_options_of_a_rack_hold_for_its_events_unless_an_event_has_its_own() -> None:
    over = {
        "state_before": STATE | {"phase": "rack_over", "balls_on_table": []},
        "shot": None,
        "manual": [{"type": "next_rack"}],
    }
    config = {"break_order": "winner"}
    (answer,) = judge({"racks": [{"id": "r", "config": config, "events": [over]}]})
    assert answer["events"][0]["next_player"] == "A"  # type: ignore[index]
    own = over | {"config": {"break_order": "loser"}}
    (answer,) = judge({"racks": [{"id": "r", "config": config, "events": [own]}]})
    assert answer["events"][0]["next_player"] == "B"  # type: ignore[index]


def test_what_may_be_left_out_may_be_left_out() -> None:
    bare = {
        "id": "bare",
        "state_before": {"balls_on_table": ["10"], "at_table": "B", "phase": "normal"},
        "shot": {"first_contact": ["10"], "rails_after_contact": ["10"]},
    }
    (answer,) = judge({"cases": [bare]})
    assert answer["legal"] is True
    assert answer["next_player"] == "A"


def test_nulls_stand_for_what_is_left_out() -> None:
    facts = dict.fromkeys(
        ("rail_detail", "late_drop", "advisory", "pocket_order", "settling", "blocking"), None
    )
    case = changed("shot.other_facts", facts | {"hit_outside_object": []})
    del case["shot"]["other_facts"]["blocking"]
    case |= {"manual": None, "config": None, "declaration": None}
    (answer,) = judge({"cases": [case]})
    assert answer["legal"] is True
    assert judge({"cases": [changed("shot.other_facts", None)]})[0]["legal"] is True


def test_counters_may_be_told_as_flags() -> None:
    case = changed("state_before.extensions_used", {"A": True, "B": False})
    case |= {"shot": None, "manual": [{"type": "extension", "by": "A"}]}
    assert judge({"cases": [case]})[0]["refused"] == "extension"


MALFORMED: list[tuple[str, object, str]] = [
    ("state_before", None, 'case one, field "state_before": expected an object, found None'),
    (
        "state_before.at_table",
        "C",
        'case one, field "state_before", field "at_table": expected one of A B, found \'C\'',
    ),
    ("state_before.phase", "over", "phase"),
    ("state_before.balls_on_table", ["11"], "balls_on_table"),
    ("state_before.balls_on_table", ["cue"], "balls_on_table"),
    ("state_before.balls_on_table", "10", "balls_on_table"),
    ("state_before.fouls", {"A": 3, "B": 0}, "a whole number from 0 to 2"),
    ("state_before.fouls", {"A": 1}, 'field "B"'),
    ("state_before.fouls", [0, 0], "an object with A and B"),
    ("state_before.warned", {"A": 1, "B": False}, "true or false"),
    ("state_before.cue_ball_in_hand", "left", "cue_ball_in_hand"),
    ("state_before.cue_ball_in_hand", ["anywhere"], "cue_ball_in_hand"),
    ("state_before.pending_options", ["take"], "pending_options"),
    ("state_before.pending_options", "accept", "pending_options"),
    ("state_before.pending_options", [["accept"]], "pending_options"),
    ("declaration.called", {"ball": "3", "pocket": "XX"}, "pocket"),
    ("declaration.called", {"ball": "cue", "pocket": "FL"}, "an object ball"),
    ("declaration.called", "3", "an object"),
    ("declaration.kind", "bank", "kind"),
    ("declaration.frozen", [{"a": "cue", "b": "SIDE", "by": "referee"}], "a ball or a cushion"),
    ("declaration.frozen", [{"a": "3", "b": "3"}], "another ball or a cushion"),
    ("declaration", [], "declaration"),
    ("shot", "none", 'field "shot"'),
    ("shot.first_contact", "cue", "first_contact"),
    ("shot.first_contact", ["3", 5], "first_contact"),
    ("shot.rails_after_contact", "cue", "rails_after_contact"),
    ("shot.pocketed", ["3"], "pocketed"),
    ("shot.pocketed", [{"ball": "12", "pocket": "FL"}], "ball"),
    ("shot.other_facts", [], "other_facts"),
    ("shot.other_facts.rail_detail", {"cue": "wobble"}, "rail_detail"),
    ("shot.other_facts.rail_detail", ["cue"], "rail_detail"),
    ("shot.other_facts.late_drop", {"ball": "3", "pocket": "FL", "seconds": -1}, "seconds"),
    ("shot.other_facts.advisory", "6.4", "advisory"),
    ("shot.other_facts.blocking", [{"ball": "7", "at": 3}], "at"),
    ("shot.other_facts.time_used_s", "long", "time_used_s"),
    ("shot.other_facts.clock_active", "yes", None),
    ("manual", [{"type": "shout"}], "one of foul, confirm"),
    ("manual", [{"rule": "6.4"}], "type"),
    ("manual", [{"type": "foul", "rule": "6.4"}], "by"),
    ("manual", [{"type": "restore", "balls": ["u1"]}], "a list of named balls"),
    ("manual", [{"type": "lag", "A": {"good": True}}], "B"),
    ("manual", "foul", "manual"),
    ("config", {"break_order": "none"}, "break_order"),
    ("config", "alternate", "config"),
]  # type: ignore[list-item]


@pytest.mark.parametrize(("path", "value", "said"), MALFORMED)
def test_a_malformed_case_is_named_by_id_and_field(path: str, value: object, said: str) -> None:
    case = changed(path, value)
    if path.endswith("clock_active"):
        case["shot"]["other_facts"] |= {"time_used_s": 1, "time_limit_s": 2}
    with pytest.raises(CaseError) as caught:
        judge({"cases": [case]})
    text = str(caught.value)
    assert text.startswith("case one, ")
    assert said is None or said in text
    assert "\n" not in text


def test_a_case_without_an_id_is_named_by_its_number() -> None:
    with pytest.raises(CaseError, match='case number 2, field "id"'):
        judge({"cases": [CASE, {key: CASE[key] for key in CASE if key != "id"}]})


def test_an_event_of_a_rack_is_named_by_its_number() -> None:
    event = changed("state_before.at_table", "C")
    with pytest.raises(CaseError, match='rack r, event 1, field "state_before"'):
        judge({"racks": [{"id": "r", "events": [event]}]})


@pytest.mark.parametrize("cases", [[], {}, {"meta": 1}, None, "cases", 3])
def test_something_else_than_cases_is_refused(cases: object) -> None:
    with pytest.raises(CaseError, match='an object with "cases" or "racks"'):
        judge(cases)


def test_a_list_that_is_none_is_refused() -> None:
    with pytest.raises(CaseError, match='the file, field "cases"'):
        judge({"cases": {}})


def test_a_file_of_cases(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": [CASE]}), encoding="utf-8")
    assert judge_file(path) == judge({"cases": [CASE]})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "is not JSON \\(line 1\\)"),
        (b"\xff\xfe", "is not a text file"),
        (b"[" * 99999, "is not JSON"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "cases.json"
    path.write_bytes(content)
    with pytest.raises(CaseError, match=said):
        judge_file(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="cannot be read"):
        judge_file(tmp_path / "none.json")


FULL = changed("state_before.pending_options", ["accept", "hand_back"])
FULL["state_before"] |= {"hand_back_to": "B", "clock": {"A": True, "B": True}}
FULL["state_before"] |= {"stalemate_turns_left": {"A": 3, "B": 3}, "extensions_used": {}}
FULL["declaration"]["frozen"] = [{"a": "cue", "b": "FOOT", "by": "referee"}]
FULL["config"] = {"break_order": "winner", "three_point_break": True}
FULL["manual"] = [
    {"type": "foul", "rule": "6.4", "by": "A", "penalty": "warning", "ball": "3", "pocketed": "FL"},
    {"type": "correct_call", "from": {"ball": "3", "pocket": "FL"}, "to": {"ball": "3"}},
    {"type": "lag", "A": {"good": True, "why": "x"}, "B": {"good": False}},
    {"type": "restore", "balls": ["3", "cue"]},
]
FULL["shot"]["pocketed"] = [{"ball": "3", "pocket": "FL"}]
FULL["shot"]["other_facts"] = {
    "rail_detail": {"cue": "jaw_only"},
    "late_drop": {"ball": "10", "pocket": "FL", "seconds": 3},
    "blocking": [{"ball": "3", "at": "foot_spot"}],
    "settled_during_shot": {"ball": "3", "pocket": "FL", "affected": False},
    "pocket_order": ["3"],
    "advisory": ["6.4"],
    "time_used_s": 3,
    "time_limit_s": 35,
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 99) | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["A", "B", "ball", "cue", "3", "type"]), inner, max_size=3
        )
    ),
    max_leaves=5,
)


def places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """The paths of all values inside a JSON value."""
    items: list[tuple[object, object]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    inner = [place for key, item in items for place in places(item, (*path, key))]
    return [path, *inner] if path else inner


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(places(FULL)), JSON)
def test_whatever_stands_in_a_field_the_answer_is_a_ruling_or_one_sentence(
    place: tuple[object, ...], value: object
) -> None:
    case = copy.deepcopy(FULL)
    inner: Any = case
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    try:
        (answer,) = judge({"cases": [case]})
    except CaseError as error:
        assert "case " in str(error)
        assert "\n" not in str(error)
    else:
        assert "legal" in answer
