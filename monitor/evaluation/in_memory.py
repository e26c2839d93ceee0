"""Scoring logs in memory: shots judged from simulated detections, by the thousand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.clip_times import ClipTimes
from monitor.evaluation.results import Results, our_shots
from monitor.evaluation.score_clip import score_clip
from monitor.evaluation.track_rows import rows_of_states
from monitor.evaluation.truth_files import truth_of
from table.json_fields import Fields
from table.log import ShotLog, event_to_json, source_to_json
from table.state import TableState

Row = Mapping[str, object]


def score_log(
    name: str,
    truth: ShotLog,
    ours: ShotLog,
    times_s: Iterable[float],
    *,
    expected: Iterable[Row] | None = None,
    rulings: Iterable[Row] = (),
    true_states: Iterable[TableState] = (),
    our_states: Iterable[TableState] = (),
) -> ClipScore:
    """Score one log against the log that is true.

    Args:
        name: What the case is called in the list of misses.
        truth: Exact events; all its lists are complete.
        ours: What was made of the detections.
        times_s: The presentation time of every frame, in order.
        expected: Right rulings, as lines of expected.jsonl.
        rulings: Our rulings, as lines of rulings.jsonl.
        true_states: Where the balls are in every frame; `seen` False where none could see.
        our_states: The tracker's states.
    """
    times = tuple(times_s)
    steps = sorted(b - a for a, b in pairwise(times))
    frame_s = steps[len(steps) // 2] if steps else 1.0 / (truth.source.fps or 25.0)
    lines = [source_to_json(truth.source), *(event_to_json(event) for event in truth.events)]
    rows = [Fields(line, f"{name} line {i}") for i, line in enumerate(lines, start=1)]
    true = replace(
        truth_of(rows, Path(name), ClipTimes(times, frame_s)),
        expected=None if expected is None else tuple(expected),
        tracks=rows_of_states(true_states),
    )
    results = Results(
        shots=our_shots(ours),
        head=ours.source.head,
        head_from=ours.source.head_from,
        rulings=tuple(rulings),
        tracks=rows_of_states(our_states),
    )
    return score_clip(true, results)
