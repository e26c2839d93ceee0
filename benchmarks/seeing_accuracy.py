"""Balls found, named and invented in the first and last rest of clips with truth.

    python benchmarks/seeing_accuracy.py CLIP_FOLDER... [--true-camera]

For each moment at which truth says where the balls lie, a few frames around it go through
calibration, localizer, tracker and names; nothing else of the clip helps. `found`: a followed
ball within one radius of a true one; `false`: a followed ball on the bed where none is.
Printed as a table in Markdown. Recorded clips are calibrated; rendered ones too, unless
--true-camera is given.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.camera_file import load_camera
from calibration.errors import CalibrationError
from calibration.find import find_camera
from monitor.pipeline import first_frames, observer_for
from table.geometry import NINE_FOOT, TableSpec
from vision.frames import Frame, VideoFile
from vision.naming import name_tracks
from vision.observer import Observer

WINDOW: Final = 12
"""Frames around a moment that are looked at."""
AFTER_S: Final = 0.25
"""After truth's end of a shot balls may still creep below its limit of speed."""
FOLLOWED: Final = 6
"""Sightings from which a track counts as a ball that is followed."""


@dataclass(frozen=True)
class Moment:
    """Where the balls lie at one time: `balls` in metres, or in pixels of `frame`."""

    label: str
    t_s: float
    balls: Mapping[str, tuple[float, float]]
    in_pixels: bool
    frame: int | None


@dataclass
class Row:
    """What came out for some moments."""

    balls: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    unnamed: int = 0
    false: int = 0
    errors_mm: list[float] = field(default_factory=list)
    without_shift_mm: list[float] = field(default_factory=list)

    def add(self, other: Row) -> None:
        """Take another row in."""
        for name in ("balls", "found", "right", "wrong", "unnamed", "false"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.errors_mm += other.errors_mm
        self.without_shift_mm += other.without_shift_mm

    def text(self, name: str) -> str:
        """The row in Markdown."""
        cells = [self.balls, self.found, self.right, self.wrong, self.unnamed, self.false]
        if self.errors_mm:
            shares = np.percentile(self.errors_mm, (50, 95, 100))
            steady = np.percentile(self.without_shift_mm, (50, 95))
            figures = [f"{value:.2f}" for value in (*shares, *steady)]
        else:
            figures = ["-"] * 5
        return "| " + " | ".join([name, *map(str, cells), *figures]) + " |"


def moments_of(folder: Path) -> Iterator[Moment]:
    """The moments of rest in a clip's truth."""
    for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["kind"] not in {"shot_started", "shot_ended"}:
            continue
        balls = event.get("balls_px") or event.get("balls")
        unsettled = event.get("started_before_clip") or event.get("ended_after_clip")
        if not balls or unsettled:
            continue
        still = {name: at for name, at in balls.items() if name not in event.get("moving", ())}
        label = f"{event['kind'].removeprefix('shot_')} {event.get('shot', 1)}"
        frame = event.get("balls_frame")
        yield Moment(label, float(event["t_s"]), still, "balls_px" in event, frame)


def score_clip(folder: Path, true_camera: bool) -> list[tuple[str, Row]]:
    """One row a moment."""
    source = VideoFile(folder / "clip.mp4")
    firsts = first_frames(source)
    if true_camera and (folder / "camera.json").exists():
        camera = load_camera(folder / "camera.json")
    else:
        head = json.loads((folder / "truth.jsonl").open(encoding="utf-8").readline()).get("head")
        camera = find_camera(firsts[:: max(1, len(firsts) // 5)], NINE_FOOT, head).camera
    rows = []
    for moment in moments_of(folder):
        observer = observer_for(camera, firsts)
        for frame in _around(source, moment):
            observer.update(frame)
        rows.append((moment.label, _score(moment, observer, camera)))
    return rows


def _around(source: VideoFile, moment: Moment) -> Sequence[Frame]:
    """The frames before the start of a shot, after its end, or around a labelled frame."""
    ring: list[Frame] = []
    for frame in source:
        if moment.frame is not None:
            if frame.index >= max(WINDOW, moment.frame + 1):
                break
        elif moment.label.startswith("started"):
            if frame.t_s >= moment.t_s:
                break
        elif frame.t_s < moment.t_s + AFTER_S:
            ring = [frame]
            continue
        elif len(ring) == WINDOW:
            break
        ring = [*ring[-WINDOW + 1 :], frame]
    return ring


def _score(moment: Moment, observer: Observer, camera: Camera) -> Row:
    names: dict[int, str] = {}
    places: list[tuple[int, float, float]] = []
    for sequence in observer.sequences:
        tracks = [t for t in sequence.tracker.tracks if len(t.sightings) >= FOLLOWED and not t.lost]
        names, _ = name_tracks(tracks, sequence.looks, None, camera.table)
        places = [(t.number, t.last.x_m, t.last.y_m) for t in tracks]
    true = np.array(list(moment.balls.values()), np.float64).reshape(-1, 2)
    if moment.in_pixels:
        true = camera.on_plane(true)
    row = Row(balls=len(true))
    taken: set[int] = set()
    offsets: list[NDArray[np.float64]] = []
    for name, place in zip(moment.balls, true, strict=True):
        near = [(float(np.hypot(x - place[0], y - place[1])), n, x, y) for n, x, y in places]
        best = min((each for each in near if each[1] not in taken), default=None)
        if best is None or best[0] > camera.table.ball_radius_m:
            continue
        taken.add(best[1])
        offsets.append(1000.0 * (np.array(best[2:]) - place))
        given = names.get(best[1], "u")
        row.found += 1
        row.right += given == name
        row.unnamed += given.startswith("u")
        row.wrong += given != name and not given.startswith("u")
    if offsets:
        shift = np.median(np.array(offsets), axis=0)
        row.errors_mm = [float(np.hypot(*o)) for o in offsets]
        row.without_shift_mm = [float(np.hypot(*(o - shift))) for o in offsets]
    row.false = sum(n not in taken and _on_bed(camera.table, x, y) for n, x, y in places)
    return row


def _on_bed(table: TableSpec, x_m: float, y_m: float) -> bool:
    return table.contains((x_m, y_m))


def main() -> None:
    """Measure the clips and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", nargs="+", type=Path)
    parser.add_argument("--true-camera", action="store_true")
    asked = parser.parse_args()
    head = ("clip", "balls", "found", "named right", "wrong", "unnamed", "false")
    figures = ("mm median", "p95", "max", "without shift: median", "p95")
    print("| " + " | ".join((*head, *figures)) + " |")
    print("|" + "---|" * (len(head) + len(figures)))
    total = Row()
    for folder in asked.clips:
        try:
            rows = score_clip(folder, asked.true_camera)
        except CalibrationError as error:
            print(f"| {folder.name} | no camera: {error} |")
            continue
        for label, row in rows:
            total.add(row)
            print(row.text(f"{folder.name}, {label}"), flush=True)
    print(total.text("all"))


if __name__ == "__main__":
    main()
