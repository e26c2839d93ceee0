"""What was seen and ruled, drawn on the picture: balls, numbers, paths, events, captions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from monitor.ball_looks import look_of
from monitor.diagram import Shot, place_of
from monitor.lettering import Picture, panel, text_width_px, wrapped, write, write_outlined
from monitor.settings import OverlaySettings
from monitor.tracks import Tracks, moved
from monitor.wording import event_words
from table.balls import CUE, BallName
from table.events import BallContact, ShotEnded, ShotEvent
from table.geometry import Point

if TYPE_CHECKING:
    from calibration.camera import Camera

EVENT_BGR: Final = (60, 230, 255)
FIRST_BGR: Final = (90, 255, 120)


@dataclass(frozen=True, slots=True)
class Caption:
    """A sentence that stands on the picture from one time to another."""

    start_s: float
    end_s: float
    text: str


@dataclass
class Overlay:
    """Draws on frames of one video; `captions` are ruling sentences in order of time."""

    camera: Camera
    tracks: Tracks
    shots: Sequence[Shot]
    captions: Sequence[Caption]
    settings: OverlaySettings = field(default_factory=OverlaySettings)
    later_cameras: Sequence[tuple[float, Camera]] = ()
    """The camera after each move, and from when on it holds."""
    _events: list[tuple[float, ShotEvent, Shot]] = field(init=False, repr=False)
    _firsts: set[int] = field(init=False, repr=False)
    _now: Camera = field(init=False, repr=False)
    """The camera of the frame that is drawn on."""

    def __post_init__(self) -> None:
        self._now = self.camera
        rows = [
            (event.t_s, event, shot)
            for shot in self.shots
            for event in shot.events
            if event.t_s is not None
        ]
        self._events = sorted(rows, key=lambda row: row[0])
        self._firsts = {id(first) for shot in self.shots if (first := _first_contact(shot))}

    def draw(self, picture: Picture, t_s: float) -> None:
        """Draw on `picture` (h, w, 3 uint8 BGR), the frame shown at `t_s`, in place."""
        later = [camera for from_s, camera in self.later_cameras if from_s <= t_s]
        self._now = later[-1] if later else self.camera
        size_px = max(13, picture.shape[0] // 42)
        there = [ball for ball in self.tracks.of if not self._is_gone(ball, t_s)]
        for ball in there:
            self._draw_trail(picture, ball, t_s)
        for ball in there:
            self._draw_ball(picture, ball, t_s, size_px)
        self._draw_events(picture, t_s, size_px)
        self._draw_caption(picture, t_s, size_px)

    def _is_gone(self, ball: BallName, t_s: float) -> bool:
        """True from the moment a ball falls or leaves until a shot starts with it on the table."""
        gone = False
        for shot in self.shots:
            start_s = shot.started.t_s if shot.started else None
            if start_s is not None and start_s > t_s:
                break
            if shot.started and ball in shot.started.balls:
                gone = False
            left_s = shot.departures.get(ball)
            gone = gone or (left_s is not None and left_s <= t_s)
        return gone

    def _draw_trail(self, picture: Picture, ball: BallName, t_s: float) -> None:
        points = self.tracks.of[ball].between(t_s - self.settings.trail_s, t_s)
        if not moved(points, self.camera.table.ball_radius_m):
            return
        pixels = self._now.project_on_plane(points)
        pixels = pixels[np.isfinite(pixels).all(axis=1)]
        line = np.rint(pixels * 16).astype(np.int32).reshape(-1, 1, 2)
        colour = look_of(ball, self._ball_set).bgr
        cv2.polylines(picture, [line], False, (25, 25, 25), 4, cv2.LINE_AA, 4)
        cv2.polylines(picture, [line], False, colour, 2, cv2.LINE_AA, 4)

    def _draw_ball(self, picture: Picture, ball: BallName, t_s: float, size_px: int) -> None:
        point = self.tracks.of[ball].at(t_s, reach_s=0.06)
        if point is None:
            return
        center, radius_px = self._disc_px(point)
        if center is None:
            return
        where = (round(center[0] * 16), round(center[1] * 16))
        reach = round((radius_px + 2) * 16)
        cv2.circle(picture, where, reach, (20, 20, 20), 4, cv2.LINE_AA, 4)
        cv2.circle(picture, where, reach, look_of(ball, self._ball_set).bgr, 2, cv2.LINE_AA, 4)
        label = (center[0] + radius_px * 1.15, center[1] - radius_px * 1.25)
        write_outlined(picture, "cue" if ball == CUE else ball, label, size_px, (255, 255, 255))

    def _draw_events(self, picture: Picture, t_s: float, size_px: int) -> None:
        last = bisect_right(self._events, t_s, key=lambda row: row[0])
        shown = [
            row
            for row in self._events[max(0, last - 60) : last]
            if t_s - row[0] <= self.settings.event_s
        ]
        for when_s, event, shot in shown:
            place = place_of(event, shot)
            if place is not None:
                self._draw_mark(picture, place, event, (t_s - when_s) / self.settings.event_s)
        lines = [event_words(event) for _, event, _ in shown][-5:]
        if not lines:
            return
        step, pad = round(size_px * 1.35), round(size_px * 0.6)
        wide = max(text_width_px(line, size_px) for line in lines)
        panel(picture, pad, pad, wide + 3 * pad, pad * 2 + step * len(lines))
        for row, line in enumerate(lines):
            write(picture, line, (2 * pad, pad + step * (row + 1) - pad // 4), size_px)

    def _draw_mark(self, picture: Picture, place: Point, event: ShotEvent, age: float) -> None:
        center, radius_px = self._disc_px(place)
        if center is None:
            return
        colour = FIRST_BGR if id(event) in self._firsts else EVENT_BGR
        reach = radius_px * (1.5 + 0.8 * age)
        where = (round(center[0] * 16), round(center[1] * 16))
        cv2.circle(picture, where, round(reach * 16), colour, 2, cv2.LINE_AA, 4)

    def _draw_caption(self, picture: Picture, t_s: float, size_px: int) -> None:
        texts = [c.text for c in self.captions if c.start_s <= t_s < c.end_s]
        if not texts:
            return
        height, width = picture.shape[:2]
        lines = wrapped(texts[-1], size_px, round(width * 0.92))
        step, pad = round(size_px * 1.4), round(size_px * 0.6)
        top = height - pad * 2 - step * len(lines)
        panel(picture, 0, top, width, height)
        for row, line in enumerate(lines):
            x = (width - text_width_px(line, size_px)) // 2
            write(picture, line, (x, top + step * (row + 1)), size_px)

    def _disc_px(self, point: Point) -> tuple[tuple[float, float] | None, float]:
        """Centre and radius in pixels of a ball at `point`; None outside the lens' reach."""
        pixel = self._now.project_on_plane([point])[0]
        if not np.isfinite(pixel).all():
            return None, 0.0
        radius_px = float(self._now.px_per_m([point])[0]) * self.camera.table.ball_radius_m
        return (float(pixel[0]), float(pixel[1])), radius_px

    @property
    def _ball_set(self) -> str | None:
        return self.shots[0].ball_set if self.shots else None


def captions_for(shots: Sequence[Shot], sentences: dict[int, str]) -> list[Caption]:
    """Each ruling's sentence from the end of its shot until the next shot is under way."""
    starts = [shot.started.t_s for shot in shots if shot.started]
    captions = []
    for shot in shots:
        end = next((e.t_s for e in shot.events if isinstance(e, ShotEnded)), None)
        text = sentences.get(shot.number)
        if text is None:
            continue
        since = _last_time(shot) if end is None else end
        later = [t for t in starts if t is not None and t > since]
        captions.append(Caption(since, min(later, default=float("inf")), text))
    return captions


def _last_time(shot: Shot) -> float:
    return max((e.t_s for e in shot.events if e.t_s is not None), default=0.0)


def _first_contact(shot: Shot) -> BallContact | None:
    return next((e for e in shot.events if isinstance(e, BallContact) and e.a == CUE), None)
