"""The table drawn on a frame through a found camera: whether it fits is seen at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.uncertainty import TOP_MM, draw_sigma
from monitor.failures import CannotBeDoneError
from monitor.lettering import Colour, Picture, panel, write
from table.geometry import Point, TableSpec

if TYPE_CHECKING:
    from calibration.camera import Camera
    from calibration.uncertainty import PositionSigma

NOSE: Final[Colour] = (80, 255, 80)
STRING: Final[Colour] = (255, 220, 90)
POCKET: Final[Colour] = (60, 160, 255)
RING: Final[Colour] = (235, 235, 235)
SIGHT: Final[Colour] = (255, 120, 255)
STEP_M: Final = 0.02
SIGHT_OUT_M: Final = 0.09
"""Sights lie about this far behind the noses; rails differ, so they are drawn as a hint."""


def draw_camera(picture: Picture, camera: Camera, sigma: PositionSigma | None = None) -> Picture:
    """A copy of `picture` with noses, strings, spots, pockets, sights and ball-sized rings.

    With `sigma` the bed is tinted by the predicted error of ball positions.
    """
    drawn = picture.copy() if sigma is None else draw_sigma(picture, camera, sigma)
    table = camera.table
    for cushion in table.cushions.values():
        # Where a ball touches, the nose is about as high as its centre.
        _draw_line(drawn, camera, _straight(cushion.start, cushion.end), NOSE, table.ball_radius_m)
    x, y = table.head_string_x_m, table.width_m / 2
    for line in ((x, -y), (x, y)), ((-x, -y), (-x, y)), ((-2 * x, 0.0), (2 * x, 0.0)):
        _draw_line(drawn, camera, _straight(*line), STRING, 0.0)
    for shape in table.pockets.values():
        _draw_line(drawn, camera, _circle(shape.drop_point, shape.mouth_m / 2), POCKET, 0.0)
    for spot in (table.foot_spot, table.head_spot, (0.0, 0.0)):
        _draw_line(drawn, camera, _circle(spot, 0.008), STRING, 0.0)
    for sight in _sights(table):
        _draw_line(drawn, camera, _circle(sight, 0.007), SIGHT, table.ball_radius_m)
    for place in _grid(table):
        _draw_line(drawn, camera, _circle(place, table.ball_radius_m), RING, table.ball_radius_m)
    _draw_legend(drawn, camera, sigma)
    return drawn


def write_preview(
    picture: Picture, camera: Camera, path: Path, sigma: PositionSigma | None = None
) -> None:
    """Write the drawing as .png or .jpg.

    Raises:
        CannotBeDoneError: when the file's ending is none that OpenCV writes.
        OSError: when the file cannot be written.
    """
    try:
        drawn = draw_camera(picture, camera, sigma)
        done, coded = cv2.imencode(path.suffix.lower() or ".png", drawn)
    except cv2.error:
        done = False
    if not done:
        raise CannotBeDoneError(f"{path.name}: previews are written as .png or .jpg.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(coded.tobytes())


def _draw_legend(drawn: Picture, camera: Camera, sigma: PositionSigma | None) -> None:
    size_px = max(12, drawn.shape[0] // 45)
    error = camera.error_mm.get("rms")
    lines = [
        "noses green, strings blue, pockets orange, sights violet, rings a ball wide",
        f"head end {camera.head} ({camera.head_from})"
        + ("" if error is None else f", error {error:.1f} mm rms"),
    ]
    if sigma is not None:
        values = sigma.sigma_mm
        lines.append(
            f"tint: predicted error, blue 0, green {TOP_MM / 2:.0f}, red {TOP_MM:.0f} mm; "
            f"here {values.min():.1f} to {values.max():.1f} mm"
        )
    panel(drawn, 0, 0, drawn.shape[1], round(size_px * (0.5 + 1.4 * len(lines))))
    for row, line in enumerate(lines):
        write(drawn, line, (size_px, round(size_px * (1.3 + 1.4 * row))), size_px)


def _draw_line(
    drawn: Picture, camera: Camera, points: Sequence[Point], colour: Colour, z_m: float
) -> None:
    pixels = camera.project_on_plane(points, z_m)
    pixels = pixels[np.isfinite(pixels).all(axis=1)]
    pixels = pixels[(np.abs(pixels) < 1e5).all(axis=1)]
    line = np.rint(pixels * 16).astype(np.int32).reshape(-1, 1, 2)
    width = max(1, drawn.shape[0] // 700)
    cv2.polylines(drawn, [line], False, colour, width, cv2.LINE_AA, 4)


def _straight(a: Point, b: Point) -> list[Point]:
    """Points along a segment, close enough that a lens' bend shows."""
    count = max(2, round(np.hypot(b[0] - a[0], b[1] - a[1]) / STEP_M) + 1)
    return [(a[0] + (b[0] - a[0]) * k, a[1] + (b[1] - a[1]) * k) for k in np.linspace(0, 1, count)]


def _circle(center: Point, radius_m: float) -> list[Point]:
    turns = np.linspace(0.0, 2 * np.pi, 33)
    return [(center[0] + radius_m * np.cos(a), center[1] + radius_m * np.sin(a)) for a in turns]


def _sights(table: TableSpec) -> Iterator[Point]:
    a, b = table.length_m / 2, table.width_m / 2
    for side in (-1, 1):
        for k in (-3, -2, -1, 1, 2, 3):
            yield (k * table.length_m / 8, side * (b + SIGHT_OUT_M))
        for k in (-1, 0, 1):
            yield (side * (a + SIGHT_OUT_M), k * table.width_m / 4)


def _grid(table: TableSpec) -> Iterable[Point]:
    """Ball centres over the table, the outer ones touching the noses."""
    a, b = table.length_m / 2 - table.ball_radius_m, table.width_m / 2 - table.ball_radius_m
    return [(float(x), float(y)) for x in np.linspace(-a, a, 9) for y in np.linspace(-b, b, 5)]
