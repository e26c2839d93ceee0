"""A case's review against what was approved: the differences, event by event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from monitor.cases.case_folder import CaseFolder
from monitor.evaluation.clip_times import read_clip_times
from monitor.evaluation.in_memory import score_log
from monitor.evaluation.score_rulings import RULING_KEYS
from monitor.evaluation.scores import Miss
from monitor.evaluation.truth_files import expected_rows
from table.log import read_log

Row = Mapping[str, object]


def differences(case: CaseFolder, results: Path) -> list[str]:
    """What a review of the case's clip, written into `results`, says otherwise; one a line.

    Raises:
        TruthError: when the case's rulings cannot be read.
        LogError: when a shot log cannot be read.
    """
    ours = read_log(results / "shots.jsonl")
    score = score_log(
        case.name,
        read_log(case.log),
        ours,
        read_clip_times(case.clip, ours.source.fps).times_s,
    )
    found = [_line(miss) for miss in score.misses if miss.kind != "ruling"]
    if case.rulings is not None:
        found += _other_rulings(
            expected_rows(case.rulings, case.name),
            expected_rows(results / "rulings.jsonl", case.name),
        )
    return found


def _line(miss: Miss) -> str:
    at = "" if miss.t_s is None else f" at {miss.t_s:.3f} s"
    instead = f" ({miss.instead})" if miss.instead else ""
    return f"{miss.kind} {miss.fault}{at}: {miss.text}{instead}"


def _other_rulings(approved: Sequence[Row], ours: Sequence[Row]) -> list[str]:
    by_place = {_place(row): row for row in ours}
    found = []
    for row in approved:
        mine = by_place.get(_place(row))
        if mine is None:
            found.append(f"ruling missed: {_place(row)}")
            continue
        found += [
            f"ruling on {_place(row)}: {key} was {row[key]!r}, is {mine.get(key)!r}"
            for key in RULING_KEYS
            if key in row and row[key] != mine.get(key)
        ]
    known = {_place(row) for row in approved}
    return found + [f"ruling extra: {place}" for place in by_place if place not in known]


def _place(row: Row) -> str:
    if row.get("shot") is not None:
        return f"shot {row['shot']}"
    return f"a declaration after shot {row.get('after_shot')}"
