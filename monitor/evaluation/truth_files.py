"""Reading a case folder: clip.mp4 and truth.jsonl."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from monitor.evaluation.clip_times import ClipTimes, read_clip_times
from monitor.evaluation.track_rows import read_tracks
from monitor.evaluation.truth import Truth, TruthError
from monitor.evaluation.truth_shots import ShotReader
from table.json_fields import FieldError, Fields


def read_truth(folder: Path) -> Truth:
    """Read the truth of the case in `folder`.

    Raises:
        TruthError: when there is no truth.jsonl, or naming what in it cannot be read.
    """
    rows = read_rows(folder / "truth.jsonl", folder.name)
    source = source_of(rows)
    fps = source.get("fps")
    times = read_clip_times(
        folder / "clip.mp4", float(fps) if isinstance(fps, (int, float)) else None
    )
    expected = folder / "expected.jsonl"
    try:
        tracks = read_tracks(folder / "truth_tracks.csv")
    except ValueError as error:
        raise TruthError(f"{folder.name}: {error}") from None
    return replace(
        truth_of(rows, folder, times),
        expected=expected_rows(expected, folder.name) if expected.is_file() else None,
        tracks=tracks,
    )


def truth_of(rows: list[Fields], folder: Path, times: ClipTimes) -> Truth:
    """The truth that stands in the lines of a truth file.

    Raises:
        TruthError: naming what cannot be read.
    """
    source = source_of(rows)
    by_hand = "frame_tolerance" in source
    try:
        shots = ShotReader(times, source, by_hand).shots(rows)
    except FieldError as error:
        raise TruthError(str(error)) from None
    return Truth(
        name=folder.name,
        folder=folder,
        clip=folder / "clip.mp4",
        times=times,
        shots=shots,
        head=_text(source.get("head")),
        ball_set=_text(source.get("ball_set")),
        table_text=_table_option(source.get("table")),
        by_hand=by_hand,
        source=source,
    )


def source_of(rows: list[Fields]) -> Mapping[str, object]:
    """The source line of a truth file, empty when it has none."""
    return next((row.values for row in rows if row.values.get("kind") == "source"), {})


def expected_rows(path: Path, case: str) -> tuple[Mapping[str, object], ...]:
    """The lines of expected.jsonl.

    Raises:
        TruthError: when one of them cannot be read.
    """
    return tuple(row.values for row in read_rows(path, case))


def read_rows(path: Path, case: str) -> list[Fields]:
    """The objects of a JSON Lines file, each with its place for error texts.

    Raises:
        TruthError: when the file cannot be read or a line is not a JSON object.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise TruthError(f"{case} has no readable {path.name}") from None
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{case}/{path.name} line {number}"
        try:
            value = json.loads(line)
        except json.JSONDecodeError:
            raise TruthError(f"{place} is not a JSON object") from None
        if not isinstance(value, dict):
            raise TruthError(f"{place} is not a JSON object")
        rows.append(Fields(value, place))
    return rows


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _table_option(value: object) -> str:
    if isinstance(value, dict) and {"length_m", "width_m"} <= set(value):
        length_m, width_m = value["length_m"], value["width_m"]
        return "9ft" if (length_m, width_m) == (2.54, 1.27) else f"{length_m},{width_m}"
    known = {"pocketless": "2.84,1.42", "snooker 12ft": "3.569,1.778", "8ft": "8ft", "7ft": "7ft"}
    return known.get(str(value), "9ft")
