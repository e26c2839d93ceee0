"""Ball sets: the built-in ones and their file format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from table.balls import Ball
from vision.ballset import (
    STANDARD,
    TV,
    BallLook,
    BallSet,
    ball_set_fields,
    ball_set_named,
    load_ball_set,
    save_ball_set,
)


def test_the_built_in_sets_have_all_eleven_balls() -> None:
    for each in (STANDARD, TV):
        assert each.names == tuple(ball.text for ball in Ball)
        assert [name for name in each.names if each.looks[name].striped] == ["9", "10"]


def test_only_the_four_and_the_seven_differ() -> None:
    assert [n for n in STANDARD.names if STANDARD.looks[n] != TV.looks[n]] == ["4", "7"]


def test_a_set_survives_its_file(tmp_path: Path) -> None:
    own = BallSet(
        "club", {"cue": BallLook((95.0, 1.0, 4.0)), "9": BallLook((70.25, 5.5, 60.0), True)}
    )
    save_ball_set(own, tmp_path / "club.json")
    assert load_ball_set(tmp_path / "club.json") == own
    assert ball_set_named(str(tmp_path / "club.json")) == own
    assert ball_set_named("tv") is TV


def test_the_file_is_version_one(tmp_path: Path) -> None:
    save_ball_set(TV, tmp_path / "tv.json")
    fields = json.loads((tmp_path / "tv.json").read_text())
    assert fields["v"] == 1
    assert fields == json.loads(json.dumps(ball_set_fields(TV)))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no json", "no JSON"),
        ("[1]", "no JSON object"),
        ("{}", "version 1"),
        ('{"v":1,"kind":"ball_set","name":"","balls":{}}', '"name"'),
        ('{"v":1,"kind":"ball_set","name":"x","balls":{}}', '"balls"'),
        ('{"v":1,"kind":"ball_set","name":"x","balls":{"15":{"base_lab":[1,2,3]}}}', '"15"'),
        ('{"v":1,"kind":"ball_set","name":"x","balls":{"1":7}}', 'ball "1"'),
        ('{"v":1,"kind":"ball_set","name":"x","balls":{"1":{"base_lab":[1,2]}}}', '"base_lab"'),
        ('{"v":1,"kind":"ball_set","name":"x","balls":{"1":{"base_lab":[1,2,"z"]}}}', '"base_lab"'),
        ('{"v":1,"kind":"ball_set","name":"x","balls":{"1":{"base_lab":[1,2,900]}}}', '"base_lab"'),
        (
            '{"v":1,"kind":"ball_set","name":"x","balls":{"1":{"base_lab":[1,2,3],"striped":1}}}',
            '"striped"',
        ),
        (
            '{"v":1,"kind":"ball_set","name":"x",'
            '"balls":{"1":{"base_lab":[1,2,3],"spread":[0,1,1]}}}',
            '"spread"',
        ),
        (
            '{"v":1,"kind":"ball_set","name":"x","balls":{"1":{"base_lab":[1,2,3]}},"others":3}',
            '"others"',
        ),
    ],
)
def test_a_bad_file_is_named_with_its_fault(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "set.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"set\.json") as caught:
        load_ball_set(path)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        ball_set_named(str(tmp_path / "none.json"))
