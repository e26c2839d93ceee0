"""declarations.jsonl: what is read, to which shot it belongs, and what is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from monitor.declaration_file import (
    Declaration,
    assign,
    before_stroke,
    parse_declaration,
    parse_declarations,
    read_declarations,
    shot_of,
    unused,
)
from monitor.failures import CannotBeDoneError
from rules.declarations import Before, Call, Declarer, Frozen, Kind, WarnTwoFouls
from rules.players import Player
from table.balls import Ball
from table.geometry import Cushion, Pocket

STARTS_S = {1: 10.0, 2: 20.0, 4: 40.0}


def said(**row: object) -> Declaration:
    return parse_declaration(row)


def call(t_s: float, ball: str = "3", pocket: str = "FL") -> Declaration:
    return said(t_s=t_s, type="call", ball=ball, pocket=pocket)


@pytest.mark.parametrize(
    ("t_s", "shot"), [(-5.0, 1), (10.0, 1), (10.001, 2), (19.9, 2), (20.5, 4), (41.0, None)]
)
@pytest.mark.parametrize(
    "words",
    [
        {"type": "call", "ball": "3", "pocket": "FL"},
        {"type": "safety"},
        {"type": "push_out"},
        {"type": "withdraw", "what": "push_out"},
        {"type": "frozen", "a": "cue", "b": "3", "by": "referee"},
    ],
)
def test_words_before_a_stroke_belong_to_the_first_that_starts_at_or_after_them(
    words: dict[str, object], t_s: float, shot: int | None
) -> None:
    assert shot_of(parse_declaration({"t_s": t_s} | words), STARTS_S) == shot


@pytest.mark.parametrize(
    ("t_s", "shot"), [(-5.0, 0), (10.0, 0), (10.001, 1), (20.0, 1), (25.0, 2), (99.0, 4)]
)
def test_all_others_belong_to_the_last_stroke_that_started_before(t_s: float, shot: int) -> None:
    assert shot_of(said(t_s=t_s, type="confirm", rule="6.2"), STARTS_S) == shot


@pytest.mark.parametrize(("t_s", "after"), [(-5.0, 0), (10.0, 0), (10.5, 1), (20.5, 2), (99.0, 4)])
def test_a_warning_is_given_before_the_stroke_that_follows(t_s: float, after: int) -> None:
    assert shot_of(said(t_s=t_s, type="warn_two_fouls", by="A"), STARTS_S) == after


def test_a_named_shot_overrides_the_time() -> None:
    assert shot_of(said(t_s=99, shot=1, type="safety"), STARTS_S) == 1
    assert shot_of(said(t_s=0, shot=4, type="confirm", rule="6.2"), STARTS_S) == 4
    assert shot_of(said(shot=2, type="warn_two_fouls", by="A"), STARTS_S) == 1
    assert shot_of(said(shot=3, type="safety"), STARTS_S) is None
    assert shot_of(said(shot=0, type="lag_won", by="A"), STARTS_S) == 0
    assert shot_of(said(shot=0, type="safety"), STARTS_S) is None


def test_a_stroke_before_the_clip_is_earlier_than_every_word() -> None:
    starts_s = {1: -math.inf, 2: 20.0}
    assert shot_of(call(-100.0), starts_s) == 2
    assert shot_of(said(t_s=-100, type="confirm", rule="6.2"), starts_s) == 1


def test_what_belongs_to_no_shot_is_named() -> None:
    late = call(50.0)
    assert unused([call(1.0), late], STARTS_S) == (late,)


def test_declarations_are_assigned_in_order_of_time() -> None:
    first, second = call(12.0, pocket="FR"), call(11.0)
    assert assign([first, second], STARTS_S)[2].before == (second, first)


def test_a_line_without_time_keeps_its_place_in_the_file() -> None:
    rows = [
        said(t_s=30, type="confirm", rule="6.2"),
        said(shot=2, type="dismiss", rule="6.2"),
        said(t_s=25, type="confirm", rule="6.3"),
    ]
    assert [d.type for d in assign(rows, STARTS_S)[2].after] == ["confirm", "confirm", "dismiss"]


def test_an_undo_takes_back_the_newest_word_before_or_after_the_stroke() -> None:
    confirm = said(t_s=25, type="confirm", rule="6.2")
    undo = said(t_s=27, type="undo")
    given = assign([confirm, call(26.0), undo], STARTS_S)
    assert (given[2].after, given[4].before) == ((confirm,), ())
    given = assign([call(24.0), confirm, undo], STARTS_S)
    assert (given[2].after, len(given[4].before)) == ((confirm, undo), 1)


def test_the_last_word_before_the_stroke_counts() -> None:
    assert before_stroke([call(1, pocket="FR"), call(2)]) == Before(Call(Ball.THREE, Pocket.FL))
    words = [said(t_s=1, type="safety"), said(t_s=2, type="push_out")]
    assert before_stroke(words) == Before(kind=Kind.PUSH_OUT)


def test_only_what_was_announced_can_be_withdrawn() -> None:
    push_out = said(t_s=1, type="push_out")
    withdraw = said(t_s=2, type="withdraw", what="push_out")
    assert before_stroke([push_out, withdraw]) == Before(withdrawn=Kind.PUSH_OUT)
    assert before_stroke([push_out, withdraw, push_out]) == Before(kind=Kind.PUSH_OUT)
    assert before_stroke([said(t_s=1, type="safety"), withdraw]) == Before(kind=Kind.SAFETY)
    assert before_stroke([call(1), said(t_s=2, type="withdraw", what="call")]) == Before()


def test_frozen_balls_are_read_with_who_declared_them() -> None:
    words = [
        said(t_s=1, type="frozen", a="3", b="cue", by="opponent"),
        said(t_s=1, type="frozen", a="3", b="LEFT_FOOT"),
    ]
    assert before_stroke(words).frozen == (
        Frozen(Ball.CUE, Ball.THREE, Declarer.OPPONENT),
        Frozen(Ball.THREE, Cushion.LEFT_FOOT, Declarer.REFEREE),
    )


def test_extra_keys_and_blank_lines_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "declarations.jsonl"
    row = {"v": 1, "t_s": 12.0, "type": "warn_two_fouls", "by": "A", "operator": "desk 2"}
    path.write_text(f"\n{json.dumps(row)}\r\n\n", encoding="utf-8")
    (declaration,) = read_declarations(path)
    assert declaration.said == WarnTwoFouls(Player.A)
    assert declaration.row == row


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "line 2 is not a JSON object"),
        ("[1]", "line 2 is not a JSON object"),
        ('{"t_s": 1}', 'line 2, field "type"'),
        ('{"t_s": 1, "type": "cal"}', 'line 2, field "type"'),
        ('{"type": "safety"}', 'line 2, field "t_s"'),
        ('{"t_s": "soon", "type": "safety"}', 'line 2, field "t_s"'),
        ('{"t_s": NaN, "type": "safety"}', 'line 2, field "t_s"'),
        ('{"t_s": 1, "shot": 1.5, "type": "safety"}', 'line 2, field "shot"'),
        ('{"t_s": 1, "shot": -1, "type": "safety"}', 'line 2, field "shot"'),
        ('{"v": 2, "t_s": 1, "type": "safety"}', 'line 2, field "v"'),
        ('{"t_s": 1, "type": "call", "ball": "3"}', 'line 2, field "pocket"'),
        ('{"t_s": 1, "type": "call", "ball": "cue", "pocket": "FL"}', 'line 2, field "ball"'),
        ('{"t_s": 1, "type": "call", "ball": "11", "pocket": "FL"}', 'line 2, field "ball"'),
        ('{"t_s": 1, "type": "withdraw", "what": "money"}', 'line 2, field "what"'),
        ('{"t_s": 1, "type": "frozen", "a": "3", "b": "3"}', 'line 2, field "b"'),
        ('{"t_s": 1, "type": "frozen", "a": "3", "b": "NET"}', 'line 2, field "b"'),
        ('{"t_s": 1, "type": "foul", "rule": "6.6", "by": "C"}', 'line 2, field "by"'),
        ('{"t_s": 1, "type": "correct_fact", "fact": "weather"}', 'line 2, field "fact"'),
        (
            '{"t_s": 1, "type": "correct_fact", "fact": "first_contact", "value": "cue"}',
            'line 2, field "value", field "first_contact"',
        ),
    ],
)
def test_a_bad_line_is_named_by_file_line_and_field(tmp_path: Path, line: str, named: str) -> None:
    path = tmp_path / "said.jsonl"
    path.write_text('{"t_s": 0, "type": "safety"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(CannotBeDoneError) as raised:
        read_declarations(path)
    assert str(raised.value).startswith("said.jsonl ")
    assert named in str(raised.value)
    assert str(raised.value).endswith(".")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotBeDoneError, match=r"nothing\.jsonl"):
        read_declarations(tmp_path / "nothing.jsonl")
    path = tmp_path / "picture.jsonl"
    path.write_bytes(b"\xff\xd8\xff\x00")
    with pytest.raises(CannotBeDoneError, match="not a text file"):
        read_declarations(path)


def test_lines_are_parsed_without_a_file() -> None:
    assert parse_declarations(['{"t_s": 0, "type": "safety"}', ""])[0].said is Kind.SAFETY
