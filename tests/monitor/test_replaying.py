"""replay: the rows of rulings.jsonl around the ruling itself."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from monitor.declaration_file import parse_declaration
from monitor.replaying import replay
from rules.notation import parse_shots
from table.events import BallContact, ShotEnded, ShotStarted, Source
from table.geometry import Point
from table.log import ShotLog, write_log

START = "START CUE=-0.5,0.1 3=0.2,-0.35 5=0.7,-0.2 10=0.8,0.05 @1"
Row = dict[str, object]


def log(text: str, source: Source | None = None) -> ShotLog:
    return ShotLog(source or Source(), parse_shots(text))


def test_a_foul_is_found_with_its_title_ball_evidence_and_margin() -> None:
    (row,) = replay(log(f"{START}; CUE>5 @1.4; 5>FOOT @2; END @6"))
    assert row["findings"] == [
        {
            "article": "6.2",
            "title": "Wrong ball first",
            "by": "A",
            "ball": "5",
            "evidence": ["ball_contact@1.400"],
            "margin": None,
            "called": False,
        }
    ]
    assert (row["v"], row["t_s"], row["complete"]) == (1, 6.0, True)


def test_a_question_says_what_to_ask_and_where_to_look() -> None:
    (row,) = replay(log(f"{START}; CUE>5 @1.4 %0.6; 5>FOOT @2; END @6"))
    questions = row["questions"]
    assert isinstance(questions, list)
    (question,) = questions
    assert question["article"] == "6.2"
    assert question["ask"].endswith("?")
    assert question["clip"] == [0.4, 2.4]
    assert question["margin"] == "p 0.60"
    assert row["provisional"] is True


def test_a_ball_that_was_covered_at_the_first_rest_is_asked_about() -> None:
    """It lies there as the shot ends. A ball that may have changed its name is no other ball."""
    start = ShotStarted(shot=1, t_s=1.0, balls={"cue": (0.0, 0.0), "3": (0.4, 0.1)})
    contact = BallContact(shot=1, t_s=1.4, a="cue", b="3")
    after: dict[str, Point] = {"cue": (0.3, 0.1), "3": (0.9, 0.2), "2": (0.9, -0.4)}
    end = ShotEnded(shot=1, t_s=6.0, balls=after)
    (row,) = replay(ShotLog(Source(), (start, contact, end)))
    questions = row["questions"]
    assert isinstance(questions, list)
    (question,) = questions
    assert question["article"] == "8.3" and "The 2 is seen only after the shot" in question["ask"]
    assert row["balls_after"] == ["3"]
    renamed = replace(end, balls={"cue": (0.3, 0.1), "2": (0.9, 0.2)})
    (row,) = replay(ShotLog(Source(), (start, contact, renamed)))
    assert row["balls_after"] == ["3"] and row["questions"] == []


def test_the_state_at_the_start_of_a_clip_is_assumed_and_said() -> None:
    (row,) = replay(log(f"{START}; CUE>3 @1.4; 3>FOOT @2; END @6"))
    assert row["assumptions"] == [
        "balls in play: 3 5 10, as identified at the first rest",
        "phase normal: the balls do not stand racked",
        "A is at the table",
        "nobody has fouls",
        "the cue ball is in place",
    ]


def test_an_assumed_call_is_visible() -> None:
    (row,) = replay(log(f"{START}; CUE>3 @1.4; 3>FL @2; END @6"), assume_obvious=True)
    assert row["next_player"] == "A"
    assert row["declared"] == [
        {"type": "obvious_call", "ball": "3", "pocket": "FL", "by": "assumed"}
    ]
    assert "the 3 was obviously meant for FL" in row["assumptions"]  # type: ignore[operator]


def test_what_was_declared_stands_in_the_row_that_rests_on_it() -> None:
    call: Row = {"v": 1, "t_s": 0.5, "type": "call", "ball": "3", "pocket": "FL"}
    confirm: Row = {"v": 1, "t_s": 9.0, "type": "confirm", "rule": "6.4"}
    text = f"{START}; CUE>3 @1.4; 3>FL @2; END @6"
    first, second = replay(log(text), [parse_declaration(call), parse_declaration(confirm)])
    assert (first["declared"], second["declared"]) == ([call], [confirm])
    assert (second["shot"], second["after_shot"], second["t_s"]) == (None, 1, 9.0)


def test_names_change_sentences_only() -> None:
    text = f"{START}; CUE>5 @1.4; 5>FOOT @2; END @6"
    (plain,), (named,) = replay(log(text)), replay(log(text), players=("Ann", "Ben"))
    different = {key for key in plain if plain[key] != named[key]}
    assert different == {"sentence", "sentence_cs"}
    assert "Ann" in str(named["sentence"])
    assert "Ben" in str(named["sentence_cs"])


def test_what_is_sure_enough_can_be_set() -> None:
    text = f"{START}; CUE>5 @1.4 %0.95; 5>FOOT @2; END @6"
    assert replay(log(text))[0]["fouls"] == []
    assert replay(log(text), decide_probability=0.9)[0]["fouls"] == ["6.2"]


def test_the_head_string_is_that_of_the_table_of_the_log() -> None:
    text = "START break CUE=-0.55,0 1=0.495,0 @0; CUE>1 @1; 1>FL @2; END @6"
    assert replay(log(text))[0]["fouls"] == ["6.10"]
    seven = Source(length_m=1.98, width_m=0.99)
    assert replay(log(text, seven))[0]["fouls"] == []


def test_a_log_without_shots_has_no_rulings() -> None:
    assert replay(log("")) == []
    assert replay(log('!health {"state": "dark"} @1')) == []


def test_declarations_alone_before_any_shot_are_ruled_on() -> None:
    rows = replay(log(""), [parse_declaration({"t_s": 0, "type": "lag_won", "by": "B"})])
    assert [(row["after_shot"], row["next_player"]) for row in rows] == [(0, "B")]


def test_a_rack_won_before_the_next_break_starts_the_next_rack_by_itself() -> None:
    text = """
    START CUE=-0.5,0.1 10=0.8,0.05 @0; CUE>10 @0.4; 10>FL @1; END @4
    SHOT 2
    START @20; CUE>1 @20.4; 1>FOOT @21; 6>FL @22; END @25
    """
    call = parse_declaration({"t_s": -1, "type": "call", "ball": "10", "pocket": "FL"})
    first, second = replay(log(text), [call])
    assert first["winner"] == "A"
    assert second["next_player"] == "B"
    assert second["assumptions"] == ["the next rack is racked"]


def test_replay_answers_at_once_and_loads_no_arrays(tmp_path: Path) -> None:
    path = tmp_path / "shots.jsonl"
    path.write_text(write_log(log(f"{START}; CUE>3 @1.4; 3>FOOT @2; END @6")), encoding="utf-8")
    code = (
        "import sys; from monitor.cli import main; code = main(sys.argv[1:]);"
        "sys.exit(code or ('numpy' in sys.modules) or ('cv2' in sys.modules))"
    )
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, "replay", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    took_s = time.perf_counter() - begun
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["shot"] == 1
    assert took_s < 5.0, "a busy machine may be slow, but not by this much"


def test_a_ball_without_a_name_at_the_first_rest_is_asked_about() -> None:
    """What is in play is not known where a ball cannot be named: the ruling asks."""
    text = "START CUE=-0.5,0.1 1=0.2,-0.35 u1=0.7,-0.2 @1; CUE>1 @1.4; 1>FOOT @2; END @6"
    (row,) = replay(log(text))
    questions = row["questions"]
    assert isinstance(questions, list)
    asks = [question["ask"] for question in questions]
    assert asks == ["A ball has no name: are the balls in play just 1?"]
    assert row["provisional"] is True


def test_a_lone_ball_without_a_name_is_asked_about() -> None:
    text = "START CUE=-0.5,0.1 u1=0.7,-0.2 @1; CUE>u1 @1.4; u1>FL @2; END @6"
    (row,) = replay(log(text))
    questions = row["questions"]
    assert isinstance(questions, list)
    asks = [question["ask"] for question in questions]
    assert "A ball has no name and no other is in play: which is it?" in asks
    assert row["provisional"] is True
