"""Finished segments of a long video on disk, so that a run that was killed can go on.

    .segments/plan.json      what is reviewed with what; another plan begins anew
    .segments/00000.csv      the states of a segment, as in tracks.csv
    .segments/00000.jsonl    its events, as in shots.jsonl, shots numbered from 1
    .segments/00000.json     where it ends and the next one begins; written last
    .segments/00001.png      the picture that a camera sees which was found again there

What is read back is all that is used, also by a run that was not disturbed: both give the same.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.camera import Camera
from monitor.segments import Segment, Start
from monitor.staging import write_whole
from monitor.state_file import StateFile
from table.events import ShotEvent, Source
from table.log import ShotLog, read_log, write_log
from table.track_file import COLUMNS, write_tracks

PLAN: Final = "plan.json"
Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Stored:
    """A segment on disk, without its states."""

    number: int
    next: Start | None
    frames: int
    events: tuple[ShotEvent, ...]
    ball_set: str | None
    notes: tuple[str, ...]
    ended_early: str | None
    states: int
    span_s: tuple[float, float] | None


@dataclass(frozen=True)
class SegmentStore:
    """The segments of one video in one folder."""

    folder: Path

    def plan(self, wanted: Json) -> Json | None:
        """The plan of the run that was interrupted, if it was the same as `wanted`.

        `wanted` are the keys that must agree; the plan may hold more.
        """
        try:
            known = json.loads((self.folder / PLAN).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        agrees = isinstance(known, dict) and all(known.get(k) == v for k, v in wanted.items())
        return known if agrees else None

    def begin(self, plan: Json) -> None:
        """Begin anew with a plan; what was there is removed.

        Raises:
            OSError: when the folder cannot be written.
        """
        self.remove()
        self.folder.mkdir(parents=True)
        write_whole(self.folder / PLAN, json.dumps(plan))

    def remove(self) -> None:
        """Remove everything."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, number: int, segment: Segment) -> None:
        """Write a finished segment; a killed run leaves it whole or not at all.

        Raises:
            OSError: when the disk refuses.
        """
        write_tracks(segment.states, self._file(number, "csv"))
        log = write_log(ShotLog(Source(), segment.events))
        self._file(number, "jsonl").write_text(log, encoding="utf-8")
        following = segment.next
        if following is not None and following.reference_bgr is not None:
            cv2.imwrite(str(self._file(number + 1, "png")), following.reference_bgr)
        times_s = [state.t_s for state in segment.states]
        row: Json = {
            "next": None if following is None else _start_to_json(following),
            "frames": segment.frames,
            "ball_set": segment.ball_set,
            "notes": list(segment.notes),
            "ended_early": segment.ended_early,
            "states": len(times_s),
            "span_s": [times_s[0], times_s[-1]] if times_s else None,
        }
        write_whole(self._file(number, "json"), json.dumps(row))

    def __iter__(self) -> Iterator[Stored]:
        """The finished segments in order."""
        number = 0
        while self._file(number, "json").is_file():
            yield self._read(number)
            number += 1

    def tracks(self, path: Path) -> StateFile:
        """Join the states of all segments into one tracks.csv.

        Raises:
            OSError: when it cannot be written.
        """
        stored = list(self)
        with path.open("wb") as out:
            out.write((",".join(COLUMNS) + "\n").encode())
            for segment in stored:
                with self._file(segment.number, "csv").open("rb") as rows:
                    rows.readline()
                    shutil.copyfileobj(rows, out)
        spans = [segment.span_s for segment in stored if segment.span_s is not None]
        span = (spans[0][0], spans[-1][1]) if spans else (0.0, 0.0)
        return StateFile(path, sum(segment.states for segment in stored), span)

    def _read(self, number: int) -> Stored:
        row = json.loads(self._file(number, "json").read_text(encoding="utf-8"))
        span = row["span_s"]
        return Stored(
            number,
            None if row["next"] is None else self._start(row["next"], number + 1),
            row["frames"],
            read_log(self._file(number, "jsonl")).events,
            row["ball_set"],
            tuple(row["notes"]),
            row["ended_early"],
            row["states"],
            None if span is None else (span[0], span[1]),
        )

    def _start(self, row: Json, number: int) -> Start:
        place, picture = self._file(number, "png"), None
        if place.is_file():
            picture = np.asarray(cv2.imread(str(place), cv2.IMREAD_COLOR), np.uint8)
        camera = camera_again(row["camera"])
        return Start(row["index"], row["t_s"], camera, row["stretch_s"], picture)

    def _file(self, number: int, kind: str) -> Path:
        return self.folder / f"{number:05d}.{kind}"


def camera_again(row: Json) -> Camera:
    """A camera as it was when it was written, to the last bit.

    Reading a camera file makes its rotation a rotation again, which moves the last digits.
    """
    rotation = np.array(row["R_camera_from_table"], np.float64)
    return replace(Camera.from_json(row), r_camera_from_table=rotation)


def _start_to_json(start: Start) -> Json:
    return {
        "index": start.index,
        "t_s": start.t_s,
        "stretch_s": start.stretch_s,
        "camera": start.camera.to_json(),
    }
