"""`record-case`: one shot of a video becomes a case."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from monitor.cases.case_folder import (
    APPROVED_LOG,
    APPROVED_RULINGS,
    BALL_SET,
    CAMERA,
    CLIP,
    DECLARATIONS,
    CaseFolder,
)
from monitor.cases.reviewing_case import reviewed_whole
from monitor.failures import AskedWronglyError, CannotBeDoneError
from monitor.match import is_shot
from monitor.observation import Progress, silent
from monitor.packet_cut import cut_from_file
from monitor.review import ReviewRequest, review_video
from monitor.reviewed import Reviewed, RulingRow, objects
from monitor.staging import staged_folder
from rules.rack import CueBall
from table.events import known_span_s
from table.log import ShotLog

BEFORE_S: Final = 2.0
AFTER_S: Final = 1.5
"""Rest is seen for some time before the stroke and after the last ball stopped."""
_OWNED: Final = (
    CLIP,
    CAMERA,
    DECLARATIONS,
    BALL_SET,
    APPROVED_LOG,
    APPROVED_RULINGS,
    "README.md",
)
Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CaseRequest:
    """What the user asked for."""

    video: Path
    shot: int
    out: Path
    review: ReviewRequest = field(default_factory=ReviewRequest)


def record_case(asked: CaseRequest, on_progress: Progress = silent) -> Reviewed:
    """Review the video, cut out the shot, review the cut, and write both down as approved.

    The packets are copied, so the clip begins at the key frame before the shot. The state of
    the rack before the shot goes into the case's declarations.

    Returns:
        What the review of the cut clip found: the approved log and rulings.

    Raises:
        AskedWronglyError: when the video has no such shot.
        CannotBeDoneError: when video or cut cannot be reviewed.
    """
    with tempfile.TemporaryDirectory(prefix="record-case-") as scratch:
        outcome = review_video(asked.video, Path(scratch) / "whole", asked.review, on_progress)
        if outcome.reviewed is None:
            raise CannotBeDoneError(outcome.problem or f"{asked.video} could not be reviewed.")
        whole = outcome.reviewed
        start_s, end_s = _span(whole.observation.log, asked.shot)
        with staged_folder(asked.out, _OWNED) as stage:
            cut = cut_from_file(asked.video, start_s - BEFORE_S, end_s + AFTER_S, stage / CLIP)
            shutil.copy(Path(scratch) / "whole" / CAMERA, stage / CAMERA)
            said = [
                *_state_before(whole.rulings, asked.shot),
                *_said(whole.rulings, asked.shot, cut.from_s),
            ]
            if said or asked.review.declarations is not None:
                _write_rows(stage / DECLARATIONS, said)
            approved = reviewed_whole(
                stage / CLIP, Path(scratch) / "cut", _of_the_cut(asked, stage)
            )
            approve(Path(scratch) / "cut", stage)
            (stage / "README.md").write_text(_origin(asked, cut.from_s), encoding="utf-8")
    return approved


def _of_the_cut(asked: CaseRequest, stage: Path) -> ReviewRequest:
    """What the review of the cut clip is told: all that stands in the case."""
    case = CaseFolder(stage)
    ball_set = asked.review.ball_set
    if ball_set is not None and Path(ball_set).is_file():
        ball_set = str(shutil.copy(ball_set, stage / BALL_SET))
    return ReviewRequest(camera=case.camera, declarations=case.declarations, ball_set=ball_set)


def approve(results: Path, case: Path) -> None:
    """Make the results of a review what a case expects."""
    shutil.copy(results / "shots.jsonl", case / APPROVED_LOG)
    shutil.copy(results / "rulings.jsonl", case / APPROVED_RULINGS)


def _span(log: ShotLog, shot: int) -> tuple[float, float]:
    shots = {number: events for number, events in log.shots().items() if is_shot(events)}
    if shot not in shots:
        known = ", ".join(str(number) for number in shots) or "none"
        raise AskedWronglyError(f"The video has no shot {shot}; its shots are: {known}.")
    span = known_span_s(shots[shot])
    if span is None:
        raise CannotBeDoneError(f"Nothing of shot {shot} has a known time, so it cannot be cut.")
    return span


def _said(rulings: Sequence[RulingRow], shot: int, shift_s: float) -> list[Row]:
    """What was said for the shot and about it, on the clock of the cut; its shot is the first.

    A call that the review assumed is written down too: in a case nothing is assumed.
    """
    said: list[Row] = []
    for ruling in rulings:
        if shot not in (ruling.get("shot"), ruling.get("after_shot")):
            continue
        for row in objects(ruling, "declared"):
            t_s = row.get("t_s")
            moved = {"t_s": round(max(t_s - shift_s, 0.0), 6)} if isinstance(t_s, float) else {}
            said.append({"v": 1, **row, **moved, "shot": 1})
    return said


def _state_before(rulings: Sequence[RulingRow], shot: int) -> list[Row]:
    """The rack before the shot, as the ruling before it left it; nothing for the first shot."""
    earlier = [row for row in rulings if _number(row) is not None and (_number(row) or 0) < shot]
    if not earlier:
        return []
    last = earlier[-1]
    if last.get("game_over"):
        return []
    phase = last.get("next_phase")
    in_hand = {CueBall.ANYWHERE: "anywhere", CueBall.BEHIND_HEAD_STRING: "behind_head_string"}
    cue_ball = last.get("cue_ball")
    state: dict[str, object] = {
        "v": 1,
        "t_s": 0.0,
        "shot": 0,
        "type": "set_state",
        "balls_on_table": last.get("balls_after"),
        "at_table": last.get("next_player"),
        "fouls": last.get("fouls_after"),
        "cue_ball_in_hand": in_hand.get(CueBall(str(cue_ball))) if cue_ball else None,
    }
    if phase is not None:
        state["phase"] = phase
    return [{key: value for key, value in state.items() if value is not None or "_in_" in key}]


def _number(row: RulingRow) -> int | None:
    value = row.get("shot")
    value = row.get("after_shot") if value is None else value
    return value if isinstance(value, int) else None


def _write_rows(path: Path, rows: Sequence[Row]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def _origin(asked: CaseRequest, from_s: float) -> str:
    return (
        f"# {asked.out.name}\n\n"
        f"Shot {asked.shot} of {asked.video.name}, from {from_s:.2f} s on. What is expected "
        "(approved.jsonl, rulings.jsonl)\nis what the program saw when this was recorded: look "
        "it over before you rely on it.\n"
    )
