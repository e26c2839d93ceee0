"""Shots that the eyes bring: questions, corrections, better readings, words said meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from monitor.live.actions import ActionError
from monitor.live.desk import Desk, DeskSettings
from monitor.live.match_clock import MatchClock
from monitor.live.table_now import TableNow
from monitor.store import Journal
from rules.notation import parse_shots
from tests.monitor.live.scorer import Scorer

BALLS = "CUE=-0.5,0.1 3=0.2,-0.35 5=0.7,-0.2 10=0.8,0.05"
FEWER = BALLS.replace(" 3=0.2,-0.35", "")


class Seen(Scorer):
    """A desk with a camera; its clock is set by hand."""

    def __post_init__(self) -> None:
        self.journal = Journal(self.folder)
        self.desk = Desk(self.journal, DeskSettings(camera=True, source="x.mp4"))
        self.now_s = 0.0
        self.desk.clock = MatchClock(0.0, lambda: self.now_s)

    def see(self, text: str, number: int = 1) -> None:
        """The eyes bring a shot in shot notation; match time goes on to its end."""
        events = tuple(replace(event, shot=number) for event in parse_shots(text))
        self.now_s = max(self.now_s, max(e.t_s for e in events if e.t_s is not None) + 0.6)
        self.desk.take_shot(events, {})

    def strike(self, t_s: float) -> None:
        """The eyes notice a stroke at match time `t_s`."""
        self.now_s = max(self.now_s, t_s)
        self.desk.see(TableNow(t_s=self.now_s, moving_since_s=t_s), show=True)


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Seen]:
    made = Seen(tmp_path)
    yield made
    made.journal.close()


def unsure(t_s: float = 1.0) -> str:
    """The 5 may have been hit before the 3."""
    return (
        f"START {BALLS} @{t_s}; CUE>5 @{t_s + 0.4} %0.6; 5>FOOT @{t_s + 1}; END {BALLS} @{t_s + 5}"
    )


@pytest.mark.parametrize(("answer", "fouls"), [("confirm", ["6.2"]), ("dismiss", [])])
def test_what_the_camera_could_not_decide_is_answered_on_its_card(
    seen: Seen, answer: str, fouls: list[str]
) -> None:
    seen.see(unsure())
    card = seen.card("6.2")
    assert card["kind"] == "question" and card["clip"] == [0.4, 2.4] and card["margin"] == "p 0.60"
    assert card["text_cs"] != card["text"] and seen.last["provisional"]
    seen.answer("6.2", answer)
    assert seen.state["cards"] == [] and not seen.last["provisional"]
    assert seen.last["fouls"] == fouls
    seen.act("undo", record=seen.state["undo"]["record"])
    assert seen.card("6.2") == card


def test_a_corrected_first_contact_answers_it_too(seen: Seen) -> None:
    seen.see(unsure())
    seen.act("correct_fact", shot=1, fact="first_contact", value="3")
    assert seen.state["cards"] == [] and seen.last["fouls"] == []


def test_a_better_reading_replaces_the_ruling_and_says_so(seen: Seen) -> None:
    """A ball falls from its lip: the same shot again, with one ball more."""
    text = f"START {BALLS} @1; CUE>3 @1.4; 3>FOOT @2; END {BALLS} @6"
    seen.see(text)
    assert not seen.last["changed"]
    better = f"START {BALLS} @1; CUE>3 @1.4; 3>FOOT @2; 3>FL @8; END {FEWER} @9"
    seen.see(better)
    assert len(seen.state["rulings"]) == 1 and seen.last["changed"]
    assert "3" not in seen.rack["balls"]
    records = seen.journal.count(1)
    seen.see(better)
    assert seen.journal.count(1) == records


def test_a_ball_on_the_lip_keeps_the_ruling_provisional(seen: Seen) -> None:
    """Until its five seconds are over, or the next stroke begins (8.3)."""
    seen.see(f"START {BALLS} @1; CUE>3 @1.4; 3>FOOT @2; END {BALLS} @6")
    assert not seen.last["provisional"]
    lip = TableNow(t_s=6.5, on_lip=("3",), provisional_until_s=11.0)
    seen.desk.see(lip, show=True)
    assert seen.last["provisional"] and seen.state["shot"]["phase"] == "settling"
    assert seen.state["shot"]["provisional_until_s"] == 11.0
    seen.desk.see(replace(lip, moving_since_s=8.0), show=True)
    assert not seen.last["provisional"]
    seen.desk.see(lip, show=True)
    assert seen.last["provisional"]
    seen.now_s = 11.5
    assert not seen.last["provisional"] and seen.state["shot"]["phase"] == "ruled", "no frame came"
    seen.desk.see(TableNow(t_s=11.6), show=True)
    assert not seen.last["provisional"] and seen.state["shot"]["phase"] == "ruled"


def test_what_was_no_stroke_is_taken_out_and_can_come_back(seen: Seen) -> None:
    seen.see(f"START {BALLS} @1; CUE>5 @1.4; 5>FOOT @2; END {BALLS} @6")
    assert seen.rack["fouls"]["A"] == 1
    seen.act("void_shot", shot=1)
    assert seen.state["rulings"] == [] and seen.rack["fouls"]["A"] == 0
    seen.act("undo", record=seen.state["undo"]["record"])
    assert seen.rack["fouls"]["A"] == 1


def test_a_call_after_the_stroke_has_begun_comes_too_late(seen: Seen) -> None:
    resting = {"cue": (-0.5, 0.1), "3": (0.2, -0.35), "5": (0.7, -0.2)}
    seen.desk.see(TableNow(t_s=0.2, balls=resting), show=False)
    seen.now_s = 0.5
    seen.act("call", ball="3", pocket="FL")
    seen.strike(1.0)
    assert seen.state["shot"]["phase"] == "moving" and seen.state["shot"]["locked"]
    with pytest.raises(ActionError) as error:
        seen.act("call", ball="5", pocket="FL")
    assert error.value.code == "stroke_begun"
    seen.see(f"START {BALLS} @1; CUE>3 @1.4; 3>FL @2; END {FEWER} @6")
    assert seen.last["article"] == "9.8" and seen.rack["at_table"] == "A"


def test_a_call_is_taken_while_the_cue_ball_in_hand_is_carried(seen: Seen) -> None:
    seen.see(f"START {BALLS} @1; CUE>5 @1.4; 5>FOOT @2; END {BALLS} @6")
    assert seen.rack["cue_ball"] == "in_hand_anywhere"
    seen.strike(10.0)
    seen.act("call", ball="3", pocket="FL")
    assert seen.state["next_shot"]["call"] == {"ball": "3", "pocket": "FL"}


def test_a_foul_called_while_the_balls_run_belongs_to_that_shot(seen: Seen) -> None:
    seen.see(f"START {BALLS} @1; CUE>3 @1.4; 3>FOOT @2; END {BALLS} @6")
    assert seen.rack["at_table"] == "B"
    seen.strike(20.0)
    seen.now_s = 21.0
    seen.act("foul", rule="6.4", by="B")
    assert seen.rack["fouls"] == {"A": 0, "B": 0}
    seen.see(f"START {BALLS} @20; CUE>3 @20.4; 3>FOOT @22; END {BALLS} @26", 2)
    assert seen.rack["fouls"] == {"A": 0, "B": 1} and seen.last["fouls"] == ["6.4"]


def test_a_ball_that_is_not_seen_any_more_is_asked_about_and_set_right(seen: Seen) -> None:
    seen.see(f"START {BALLS} @1; CUE>3 @1.4; 3>FOOT @2; END {BALLS} @6")
    seen.see(f"START {FEWER} @20; CUE>5 @20.4; 5>FOOT @22; END {FEWER} @26", 2)
    assert seen.last["fouls"] == ["6.2"]
    assert seen.card("8.3")["kind"] == "state"
    seen.answer("8.3", "confirm")
    assert seen.last["fouls"] == [] and seen.rack["balls"] == ["5", "10"]
    assert [card["article"] for card in seen.state["cards"]] == []


def test_ghosts_show_where_balls_lay_before_a_shot_that_is_played_again(seen: Seen) -> None:
    seen.see(f"START {BALLS} @1; CUE>3 @1.4; 3>FOOT @2; END CUE=0.1,0.1 3=0.5,0.3 @6")
    seen.act("replay")
    restore = seen.state["restore"]
    ghosts = {ball["ball"]: ball["last"] for ball in restore["balls"]}
    assert (
        restore["why"] == "replay" and ghosts["cue"] == [-0.5, 0.1] and ghosts["3"] == [0.2, -0.35]
    )
    moved = {"cue": (-0.5, 0.1), "3": (0.2, 0.0)}
    seen.desk.see(TableNow(t_s=seen.now_s, balls=moved), show=True)
    now = {ball["ball"]: ball["distance_m"] for ball in seen.state["restore"]["balls"]}
    assert now["cue"] == 0.0 and now["3"] == pytest.approx(0.35)
    seen.act("restored")
    assert seen.state["restore"] is None


def test_evidence_is_wanted_for_each_deciding_moment(seen: Seen) -> None:
    seen.see(f"START {BALLS} @1; CUE>3 @1.4; 3>FL @2; END {FEWER} @6")
    rows = seen.desk.wanted_evidence()
    assert [row.what for row in rows] == ["first_contact", "pocketed_3"]
    assert seen.desk.wanted_evidence() == []
    seen.desk.evidence_is(rows[0].id, "ready", 1000)
    told = {e["what"]: e["ready"] for e in seen.last["evidence"]}
    assert told == {"first_contact": True, "pocketed_3": False}
