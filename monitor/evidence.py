"""Pictures of the deciding moments: just before, at and just after, cut out and marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from monitor.diagram import Shot, place_of
from monitor.lettering import BLACK, WHITE, Picture, panel, write
from monitor.settings import EvidenceSettings
from monitor.wording import event_words
from table.balls import CUE
from table.events import BallContact, BallOffTable, BallPocketed, LateDrop, ShotEvent
from table.geometry import Point

if TYPE_CHECKING:
    from calibration.camera import Camera
    from vision.frames import Frame

GAP_PX: Final = 6


@dataclass(frozen=True, slots=True)
class Moment:
    """One deciding moment: an event of a shot, where and when it happened."""

    name: str
    shot: int
    t_s: float
    place: Point
    title: str

    @property
    def file_name(self) -> str:
        """Name of its picture in evidence/."""
        return f"shot{self.shot:03d}_{self.name}.jpg"


def deciding_moments(shot: Shot) -> list[Moment]:
    """The moments that a referee would want to see again: first contact, balls that left."""
    chosen: list[tuple[str, ShotEvent]] = []
    for event in shot.events:
        match event:
            case BallContact(a="cue") if not any(name == "first_contact" for name, _ in chosen):
                chosen.append(("first_contact", event))
            case BallPocketed() | LateDrop():
                chosen.append((f"pocketed_{event.ball}", event))
            case BallOffTable():
                chosen.append((f"off_table_{event.ball}", event))
    moments = []
    for name, event in chosen:
        place = place_of(event, shot)
        if event.t_s is not None and place is not None:
            title = event_words(event)
            moments.append(Moment(name, shot.number, event.t_s, place, title))
    return moments


@dataclass
class EvidencePictures:
    """Gathers the frames around each moment as they pass and writes each picture when it is whole.

    Three squares of table side by side: `step_s` before the moment, at it, `step_s` after.
    """

    folder: Path
    moments: Sequence[Moment]
    shot: Callable[[int], Shot]
    """The shot of a number."""
    camera_at: Callable[[float], Camera]
    """The camera that a time was seen through."""
    settings: EvidenceSettings = field(default_factory=EvidenceSettings)
    _before: Frame | None = field(default=None, init=False, repr=False)
    _wanted: list[tuple[float, int, int]] = field(init=False, repr=False)
    _squares: dict[tuple[int, int], Picture] = field(init=False, repr=False)
    _written: dict[int, Path] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        step_s = self.settings.step_s
        self._wanted = sorted(
            (moment.t_s + (column - 1) * step_s, index, column)
            for index, moment in enumerate(self.moments)
            for column in range(3)
        )
        self._squares = {}

    @property
    def next_s(self) -> float | None:
        """The time of the next frame that is wanted; None when none is."""
        return self._wanted[0][0] if self._wanted else None

    @property
    def complete(self) -> bool:
        """True when no further frame is wanted."""
        return not self._wanted

    def update(self, frame: Frame) -> None:
        """Take from the passing frames the one nearest to each wanted time."""
        before = self._before or frame
        while self._wanted and frame.t_s >= self._wanted[0][0] - 1e-6:
            wanted_s, index, column = self._wanted.pop(0)
            nearer = min((before, frame), key=lambda f: abs(f.t_s - wanted_s))
            moment = self.moments[index]
            self._squares[index, column] = self._square(nearer, moment)
            if column == 2:
                self._write(index)
        self._before = frame

    def close(self) -> list[Path]:
        """Write what is not whole yet as it is, and return all paths in the moments' order.

        Raises:
            OSError: when a file cannot be written.
        """
        for index in sorted({index for index, _ in self._squares}):
            self._write(index)
        return [path for _, path in sorted(self._written.items())]

    def _write(self, index: int) -> None:
        """One JPEG of the squares gathered for a moment; they are let go."""
        columns = [self._squares.pop((index, c)) for c in range(3) if (index, c) in self._squares]
        quality = [cv2.IMWRITE_JPEG_QUALITY, self.settings.quality]
        done, coded = cv2.imencode(".jpg", self._strip(columns), quality)
        if not done:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / self.moments[index].file_name
        path.write_bytes(coded.tobytes())
        self._written[index] = path

    def _square(self, frame: Frame, moment: Moment) -> Picture:
        side_px, camera = self.settings.side_px, self.camera_at(frame.t_s)
        center = camera.project_on_plane([moment.place])[0]
        px_per_m = float(camera.px_per_m([moment.place])[0])
        scale = side_px / (self.settings.span_m * px_per_m)
        shift = np.array(
            [
                [scale, 0.0, side_px / 2 - scale * center[0]],
                [0.0, scale, side_px / 2 - scale * center[1]],
            ]
        )
        square = cv2.warpAffine(frame.image, shift, (side_px, side_px), flags=cv2.INTER_CUBIC)
        picture: Picture = np.asarray(square, np.uint8)
        self._mark_balls(
            picture, frame.t_s, self.shot(moment.shot), camera, shift, px_per_m * scale
        )
        panel(picture, 0, side_px - 24, side_px, side_px)
        offset_ms = (frame.t_s - moment.t_s) * 1000
        write(picture, f"{frame.t_s:.3f} s  ({offset_ms:+.0f} ms)", (8, side_px - 7), 15)
        return picture

    def _mark_balls(
        self,
        picture: Picture,
        t_s: float,
        shot: Shot,
        camera: Camera,
        shift: np.ndarray,
        px_per_m: float,
    ) -> None:
        radius_px = px_per_m * shot.table.ball_radius_m
        for ball, track in shot.tracks.of.items():
            point = track.at(t_s, reach_s=0.06)
            if point is None:
                continue
            pixel = camera.project_on_plane([point])[0]
            x, y = shift @ np.array([pixel[0], pixel[1], 1.0])
            if not (np.isfinite((x, y)).all() and abs(x) < 1e4 and abs(y) < 1e4):
                continue
            where = (round(float(x) * 16), round(float(y) * 16))
            cv2.circle(picture, where, round(radius_px * 16), BLACK, 3, cv2.LINE_AA, 4)
            cv2.circle(picture, where, round(radius_px * 16), WHITE, 1, cv2.LINE_AA, 4)
            label = "cue" if ball == CUE else ball
            write(picture, label, (round(x + radius_px), round(y - radius_px * 0.7)), 14)

    def _strip(self, squares: Sequence[Picture]) -> Picture:
        side_px = self.settings.side_px
        gap = np.full((side_px, GAP_PX, 3), 255, np.uint8)
        parts: list[Picture] = []
        for square in squares:
            parts += [square, gap]
        return np.hstack(parts[:-1])
