"""Reviewing the clip of a case with what the case says: camera, declarations, ball set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from monitor.cases.case_folder import CaseFolder
from monitor.failures import CannotBeDoneError
from monitor.review import ReviewRequest, review_video
from monitor.reviewed import Reviewed
from table.geometry import TableSpec
from table.log import read_log
from vision.ballset import BUILT_IN


def review_case(case: CaseFolder, out: Path) -> Reviewed:
    """Review a case's clip into `out`.

    The camera is the case's; without one, table and head end are those of its log. The balls
    are those of its ball set, else those that its log names.

    Raises:
        CannotBeDoneError: one sentence, when the clip cannot be reviewed to its end.
        LogError: when the case's log is needed and cannot be read.
    """
    return reviewed_whole(case.clip, out, _request(case))


def reviewed_whole(video: Path, out: Path, request: ReviewRequest) -> Reviewed:
    """Review a video that can be read to its end.

    Raises:
        CannotBeDoneError: one sentence, when it cannot.
    """
    outcome = review_video(video, out, request)
    if outcome.reviewed is None or outcome.problem is not None:
        raise CannotBeDoneError(outcome.problem or f"{video} could not be reviewed.")
    return outcome.reviewed


def _request(case: CaseFolder) -> ReviewRequest:
    source = read_log(case.log).source
    named = source.ball_set if source.ball_set in BUILT_IN else None
    asked = ReviewRequest(
        declarations=case.declarations,
        ball_set=str(case.ball_set) if case.ball_set else named,
    )
    if case.camera is not None:
        return replace(asked, camera=case.camera)
    table = TableSpec(length_m=source.length_m, width_m=source.width_m)
    return replace(asked, table=table, head=source.head)
