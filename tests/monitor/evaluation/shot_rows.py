"""One shot as truth, and small changes to it."""

from __future__ import annotations

import copy
from collections.abc import Callable

from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.scores import Counts
from tests.monitor.evaluation.cases import Row

Scorer = Callable[[list[Row], list[Row]], ClipScore]

SOURCE: Row = {"kind": "source", "file": "clip.mp4", "fps": 25.0, "head": "right"}
START: Row = {
    "kind": "shot_started",
    "shot": 1,
    "t_s": 1.0,
    "moving": [],
    "balls": {"cue": [-0.6, 0.0], "1": [0.3, 0.1], "2": [0.6, -0.2]},
}
CONTACT: Row = {"kind": "ball_contact", "shot": 1, "t_s": 1.2, "a": "cue", "b": "1"}
SECOND: Row = {"kind": "ball_contact", "shot": 1, "t_s": 1.3, "a": "1", "b": "2"}
CUSHION: Row = {"kind": "cushion_contact", "shot": 1, "t_s": 1.5, "ball": "1", "cushion": "FOOT"}
LONG: Row = {"kind": "cushion_contact", "shot": 1, "t_s": 1.8, "ball": "1", "cushion": "LEFT_FOOT"}
POT: Row = {"kind": "ball_pocketed", "shot": 1, "t_s": 2.0, "ball": "1", "pocket": "FL"}
OFF: Row = {"kind": "ball_off_table", "shot": 1, "t_s": 2.2, "ball": "2"}
END: Row = {"kind": "shot_ended", "shot": 1, "t_s": 4.0, "balls": {"cue": [0.1, 0.2]}}
TRUTH = [SOURCE, START, CONTACT, SECOND, CUSHION, LONG, POT, OFF, END]

EVERY = ("1 frame", "0.1 s", "0.2 s")
PERFECT = {
    "shot_started": Counts(1),
    "ball_contact": Counts(2),
    "cushion_contact": Counts(2),
    "ball_pocketed": Counts(1),
    "ball_off_table": Counts(1),
    "shot_ended": Counts(1),
}


def changed(rows: list[Row], which: Row, **changes: object) -> list[Row]:
    """The rows with some fields of one of them changed."""
    found = copy.deepcopy(rows)
    found[rows.index(which)].update(changes)
    return found


def without(rows: list[Row], which: Row) -> list[Row]:
    """The rows without one of them."""
    return [row for row in rows if row is not which]


def counts(score: ClipScore, kind: str, tolerance: str = "0.1 s") -> Counts:
    """Counts of one kind at one tolerance."""
    return score.events[kind].complete[tolerance]


def assert_only_differs(score: ClipScore, **expected: Counts) -> None:
    """All kinds are perfect at every tolerance but those named."""
    for kind, right in PERFECT.items():
        for tolerance in EVERY:
            assert counts(score, kind, tolerance) == expected.get(kind, right), (kind, tolerance)
