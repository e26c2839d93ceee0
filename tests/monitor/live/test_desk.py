"""The desk: what people do at the console, and what becomes of it."""

from __future__ import annotations

import json
from collections.abc import ItemsView, Iterator
from pathlib import Path
from typing import Any

import pytest

from monitor.declaration_file import assign, parse_declarations
from monitor.live.actions import ActionError
from monitor.live.desk import Desk, DeskSettings
from monitor.live.exporting import export, rejudged
from monitor.live.match_book import book_of
from monitor.live.table_now import TableNow
from monitor.replaying import replay
from monitor.store import Journal, read_only
from table.json_fields import FieldError
from table.log import parse_log
from tests.monitor.live.scorer import BREAK, Scorer


@pytest.fixture
def scorer(tmp_path: Path) -> Iterator[Scorer]:
    """A match that begins with a break by A."""
    made = Scorer(tmp_path)
    yield made
    made.journal.close()


def clear(scorer: Scorer, *balls: str) -> None:
    """The player at the table pockets these balls as called."""
    for ball in balls:
        scorer.act("call", ball=ball, pocket="FL")
        scorer.hit(ball, ball)


def test_a_rack_scored_by_hand_is_won_with_the_called_ten(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    assert (scorer.rack["at_table"], scorer.rack["push_out_available"]) == ("B", True)
    clear(scorer, *(str(n) for n in range(1, 11)))
    assert scorer.rack["over"] and scorer.rack["winner"] == "B"
    assert (scorer.state["score"]["A"], scorer.state["score"]["B"]) == (0, 1)
    scorer.act("next_rack")
    assert scorer.rack["phase"] == "break" and scorer.rack["breaker"] == "B"
    assert len(scorer.rack["balls"]) == 10


def test_a_call_is_announced_and_judged_with_its_stroke(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    scorer.act("call", ball="1", pocket="FL")
    assert scorer.state["next_shot"]["call"] == {"ball": "1", "pocket": "FL"}
    scorer.hit("1", "1", "FR")
    assert scorer.last["article"] == "9.7"
    assert scorer.state["next_shot"]["call"] is None
    assert [option["value"] for option in scorer.state["decision"]["options"]] == [
        "accept",
        "hand_back",
    ]


def test_where_the_cue_ball_lay_belongs_to_the_facts_of_every_break(scorer: Scorer) -> None:
    """Of the first of a match too; a cue ball that was in front costs the break (6.10)."""
    scorer.shot(**BREAK, placement="in_front")
    facts = {fact["fact"]: fact["value"] for fact in scorer.last["facts"]}
    assert facts["placement"] == "in_front" and scorer.last["fouls"] == ["6.10"]
    scorer.act("correct_fact", shot=1, fact="placement", value="behind")
    assert scorer.last["fouls"] == []
    scorer.hit("1")
    assert "placement" not in {fact["fact"] for fact in scorer.last["facts"]}


def test_undo_and_redo_append_and_fold_again(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    before = scorer.state
    scorer.act("foul", rule="6.6", by="B")
    assert scorer.rack["at_table"] == "A" and scorer.rack["fouls"]["B"] == 1
    records = scorer.journal.count(1)
    scorer.act("undo", record=scorer.state["undo"]["record"])
    assert scorer.rack == before["rack"]
    assert scorer.journal.count(1) > records
    scorer.act("redo", record=scorer.state["redo"]["record"])
    assert scorer.rack["fouls"]["B"] == 1


def test_a_shot_by_hand_can_be_undone(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    scorer.hit("2")
    assert scorer.last["fouls"] == ["6.2"]
    scorer.act("undo", record=scorer.state["undo"]["record"])
    assert scorer.rack["fouls"] == {"A": 0, "B": 0} and len(scorer.state["rulings"]) == 1


def test_two_referees_undo_once(scorer: Scorer) -> None:
    """Both tap the same undo: the second one is told that it is undone."""
    scorer.shot(**BREAK)
    scorer.act("push_out")
    record = scorer.state["undo"]["record"]
    scorer.act("undo", record=record)
    with pytest.raises(ActionError) as error:
        scorer.act("undo", record=record)
    assert error.value.code == "gone"


def test_a_corrected_fact_rules_again_on_all_that_follows(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    scorer.hit("2")
    assert scorer.rack["at_table"] == "A" and scorer.rack["cue_ball"] == "in_hand_anywhere"
    scorer.act("correct_fact", shot=2, fact="first_contact", value="1")
    assert scorer.last["fouls"] == [] and scorer.rack["cue_ball"] == "in_place"
    scorer.hit("1")
    with pytest.raises(ActionError) as error:
        scorer.act("correct_fact", shot=2, fact="first_contact", value="3")
    assert error.value.code == "locked"
    scorer.act("correct_fact", shot=2, fact="first_contact", value="3", late=True)
    assert scorer.rack["fouls"] == {"A": 0, "B": 1}


def test_the_obvious_shot_is_asked_and_answered(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    scorer.hit("1", "1")
    assert scorer.card("9.5")["kind"] == "question"
    scorer.answer("9.5", "obvious-1")
    assert scorer.state["cards"] == [] and scorer.rack["at_table"] == "B"
    scorer.hit("2", "2")
    scorer.answer("9.5", "dismiss")
    assert scorer.state["cards"] == [] and scorer.state["decision"]["by"] == "A"


def test_nothing_ends_a_rack_by_loss_without_the_tap(scorer: Scorer) -> None:
    """The third foul of a warned player waits for the referee, and goes on without him."""
    scorer.shot(**BREAK)
    for _ in range(2):
        scorer.hit("2")
        scorer.hit("1")
    assert scorer.rack["fouls"]["B"] == 2
    (prompt,) = scorer.state["prompts"]
    scorer.act(**{"type_": prompt["action"]["type"], "by": prompt["action"]["by"]})
    assert scorer.state["prompts"] == []
    scorer.hit("2")
    assert not scorer.rack["over"] and scorer.rack["fouls"]["B"] == 2
    assert scorer.card("6.14")["kind"] == "loss"
    scorer.answer("6.14", "confirm")
    assert scorer.rack["over"] and scorer.rack["winner"] == "A"
    scorer.act("undo", record=scorer.state["undo"]["record"])
    scorer.answer("6.14", "dismiss")
    assert not scorer.rack["over"] and scorer.state["cards"] == []


def test_a_push_out_is_refused_when_it_is_not_open(scorer: Scorer) -> None:
    with pytest.raises(ActionError):
        scorer.act("push_out")
    scorer.shot(**BREAK)
    scorer.act("push_out")
    scorer.shot(first_contact=None)
    assert scorer.last["fouls"] == []
    scorer.act("choice", by="A", value="hand_back")
    assert scorer.rack["at_table"] == "B"
    with pytest.raises(ActionError):
        scorer.act("push_out")


def test_what_the_rules_refuse_is_on_record_and_said(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    scorer.act("clock_on")
    assert scorer.act("extension", by="B")["refused"] is None
    left_s = scorer.state["clock"]["left_s"]
    assert scorer.act("extension", by="B")["refused"] == "extension"
    assert scorer.state["clock"]["left_s"] == pytest.approx(left_s, abs=1.0)


def test_the_same_action_again_changes_nothing(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    action = {"id": "same", "type": "foul", "rule": "6.6", "by": "B"}
    first = scorer.desk.act(action)
    again = scorer.desk.act(action)
    assert again == first | {"repeated": True} and scorer.rack["fouls"]["B"] == 1


def test_state_set_by_hand_goes_into_the_fold(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    scorer.act("set_state", balls_on_table=["3", "10"], at_table="A", fouls={"A": 1, "B": 0})
    assert (scorer.rack["balls"], scorer.rack["at_table"]) == (["3", "10"], "A")
    scorer.hit("10")
    assert scorer.rack["fouls"]["A"] == 2


def test_a_race_ends_the_match(scorer: Scorer) -> None:
    scorer.desk.open_match({"id": "m", "players": ["Cyr", "Dan"], "race_to": 1, "breaker": "B"})
    assert scorer.rack["at_table"] == "B" and scorer.state["match"]["players"]["A"] == "Cyr"
    scorer.act("concede", by="A", scope="rack")
    assert scorer.rack["match_over"] and scorer.rack["match_winner"] == "B"
    with pytest.raises(ActionError) as error:
        scorer.act("next_rack")
    assert error.value.code == "match_over"


def test_the_ten_is_spotted_at_its_exact_point(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    scorer.act("call", ball="10", pocket="FL")
    scorer.hit("1", "10")
    spotting = scorer.state["spotting"]
    assert spotting["ball"] == "10" and spotting["position"] == "foot_spot"
    scorer.act("spotted")
    assert scorer.state["spotting"] is None


def test_a_restart_finds_the_same_state(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    scorer.act("call", ball="1", pocket="FL")
    scorer.hit("1", "1")
    scorer.act("call", ball="2", pocket="SL")
    before = scorer.state
    scorer.again()
    after = scorer.state
    assert after == before


def test_the_export_replays_to_the_same_rulings(scorer: Scorer) -> None:
    scorer.shot(**BREAK)
    clear(scorer, "1", "2")
    scorer.hit("4")
    scorer.act("foul", rule="6.4", by="B")
    scorer.act("undo", record=scorer.state["undo"]["record"])
    scorer.act("note", text="a word")
    book = scorer.desk.book
    log = parse_log(export(book, "shots.jsonl").split("\n"))
    said = parse_declarations(export(book, "declarations.jsonl").split("\n"))
    rulings = [json.loads(line) for line in export(book, "rulings.jsonl").splitlines()]
    assert json.loads(json.dumps(replay(log, said))) == rulings
    assert len(export(book, "journal.jsonl").splitlines()) == scorer.journal.count(1)


def test_an_old_match_is_judged_by_todays_rules(scorer: Scorer, tmp_path: Path) -> None:
    scorer.shot(**BREAK)
    scorer.hit("2")
    book = book_of(read_only(tmp_path), 1, DeskSettings())
    assert book is not None and rejudged(book) == []
    ruling = next(r for r in reversed(book.records) if r.kind == "ruling")
    row = ruling.body["row"]
    assert isinstance(row, dict)
    row["fouls"], row["legal"] = [], True
    (change,) = rejudged(book)
    assert change.was is not None and change.now is not None
    assert (change.was["fouls"], change.now["fouls"]) == ([], ["6.2"])


def test_nothing_is_shown_before_it_is_on_disk(scorer: Scorer, tmp_path: Path) -> None:
    """When a state is shown, another connection reads its rulings from the file."""
    shown: list[int] = []

    def look(state: dict[str, Any]) -> None:
        connection = read_only(tmp_path)
        for ruling in state["rulings"]:
            rows = connection.execute(
                "SELECT body FROM records WHERE id = ?", (ruling["record"],)
            ).fetchall()
            assert json.loads(rows[0][0])["row"] == json.loads(json.dumps(ruling["row"]))
            shown.append(ruling["record"])
        connection.close()

    scorer.desk.listener = look  # type: ignore[assignment]
    scorer.shot(**BREAK)
    scorer.hit("2")
    scorer.act("correct_fact", shot=2, fact="first_contact", value="1")
    assert len(set(shown)) == 3


def test_a_failure_in_between_leaves_nothing(
    scorer: Scorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer.shot(**BREAK)
    before, records = scorer.state, scorer.journal.count(1)

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Journal, "keep_answer", fail)
    with pytest.raises(OSError, match="disk full"):
        scorer.hit("2")
    monkeypatch.undo()
    assert scorer.state == before and scorer.journal.count(1) == records
    scorer.hit("1")
    assert scorer.last["fouls"] == []


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "nonsense"}, "type"),
        ({"type": "call", "ball": "11", "pocket": "FL"}, "ball"),
        ({"type": "call", "ball": "1", "pocket": "XX"}, "pocket"),
        ({"type": "foul", "by": "A"}, "rule"),
        ({"type": "correct_fact", "shot": 1, "fact": "mood", "value": 1}, "fact"),
        ({"type": "undo"}, "record"),
        ({"type": "note", "text": "x" * 501}, "text"),
        ({"type": "set_state"}, "balls_on_table"),
        ({"type": "clock_on", "limit_s": 0}, "limit_s"),
        ({"type": "call", "ball": "1", "pocket": "FL", "id": "no spaces"}, "id"),
    ],
)
def test_a_wrong_field_is_named(scorer: Scorer, action: dict[str, object], field: str) -> None:
    scorer.shot(**BREAK)
    records = scorer.journal.count(1)
    with pytest.raises(FieldError, match=f'"{field}"'):
        scorer.desk.act({"id": "wrong"} | action)
    assert scorer.journal.count(1) == records


def test_before_the_first_stroke_the_balls_that_are_seen_are_in_play(tmp_path: Path) -> None:
    """A rack under way: the page shows it at once, the first stroke's picture decides."""
    journal = Journal(tmp_path)
    desk = Desk(journal, DeskSettings(camera=True, source="x.mp4"))
    seen = {"cue": (0.0, 0.0), "4": (0.3, 0.1), "9": (0.5, 0.2)}
    desk.see(TableNow(t_s=1.0, balls=seen), show=False)
    rack = desk.state()["rack"]
    assert isinstance(rack, dict)
    assert (rack["balls"], rack["phase"], rack["ball_on"]) == (["4", "9"], "normal", "4")
    assert journal.count(1) == 0
    journal.close()


def test_the_work_for_a_state_grows_no_faster_than_the_match(scorer: Scorer) -> None:
    """Each word finds its shot without looking at all the others: an evening has hundreds."""
    scorer.shot(**BREAK)
    for ball in range(1, 8):
        for _ in range(6):
            scorer.hit(str(ball))
        scorer.act("call", ball=str(ball), pocket="FL")
        scorer.hit(str(ball), str(ball))
    starts = CountedLooks({number: float(number) for number in scorer.desk.book.shots})
    said = [declaration for _, declaration in scorer.desk.book.declarations]
    assert len(said) > 100 and len(starts) == 50
    assign(said, starts)
    assert starts.looks <= 4


class CountedLooks(dict[int, float]):
    """Counts how often it is gone through from end to end."""

    looks = 0

    def __iter__(self) -> Iterator[int]:
        self.looks += 1
        return super().__iter__()

    def items(self) -> ItemsView[int, float]:
        """All, once more."""
        self.looks += 1
        return super().items()
