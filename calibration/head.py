"""Which end of the table is the head: as told, else from the rack or the head string.

The rack stands behind the foot spot, so it marks the foot end; the head string is a line
drawn across the bed a quarter of the length from the head end (WPA 8.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.cloth import Image, median_picture
from calibration.cloth_look import ClothLook
from calibration.errors import CalibrationError
from calibration.lens import Array

_STEP_M: Final = 0.004
_RACK_BALLS: Final = (7.5, 16.5)
"""Least and most ball areas in a rack as seen (nine-ball 9, ten-ball 10, eight-ball 15; a
ball of the cloth's colour may be missing)."""
_RACK_FILL: Final = 0.7
"""Least share of a rack's convex hull that is balls."""


def facing(camera: Camera, head: str) -> Camera:
    """The camera with its head end at image side `head`.

    Raises:
        CalibrationError: when the table's ends do not lie at that side.
    """
    for candidate in (camera, camera.turned()):
        if candidate.side_of_head() == head:
            return candidate
    sides = sorted((camera.side_of_head(), camera.turned().side_of_head()))
    raise CalibrationError(
        f"the head end cannot be at the {head}: the table's ends lie {sides[0]} and {sides[1]} "
        f"in the picture; use --head {sides[0]} or --head {sides[1]}"
    )


def default_side(camera: Camera) -> str:
    """Where the head is assumed: right, or bottom for a table that stands upright."""
    return "right" if camera.side_of_head() in ("left", "right") else "bottom"


def head_side_from_picture(
    frames_bgr: Sequence[Image], camera: Camera, look: ClothLook
) -> tuple[str, str] | None:
    """The head's image side and how it was seen ("rack" or "line"), or None."""
    ends = {1: camera, -1: camera.turned()}
    racked = [end for end, view in ends.items() if _rack_stands(frames_bgr[0], view, look)]
    if len(racked) == 1:
        return ends[racked[0]].side_of_head(), "rack"
    median = median_picture(list(frames_bgr))
    lines = {end: _head_string_strength(median, view) for end, view in ends.items()}
    for end, other in ((1, -1), (-1, 1)):
        if lines[end] > 0.5 and lines[other] < 0.25:
            return ends[end].side_of_head(), "line"
    return None


def _patch(
    picture: Image, camera: Camera, x_m: Array, y_m: Array, z_m: float
) -> tuple[Image, Array]:
    grid = np.stack(np.meshgrid(x_m, y_m), axis=-1)
    pixels = camera.project_on_plane(grid.reshape(-1, 2), z_m).reshape(grid.shape)
    maps = np.nan_to_num(pixels, nan=-10.0).astype(np.float32)
    patch = cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    return np.asarray(patch, dtype=np.uint8), pixels


def _rack_stands(picture: Image, camera: Camera, look: ClothLook) -> bool:
    """True when a rack stands at this camera's foot spot."""
    table = camera.table
    radius, diameter = table.ball_radius_m, table.ball_diameter_m
    spot_x = table.foot_spot[0]
    x = np.arange(spot_x - 4.5 * diameter, table.length_m / 2 - diameter, _STEP_M)
    y = np.arange(-4.5 * diameter, 4.5 * diameter, _STEP_M)
    patch, pixels = _patch(picture, camera, x, y, radius)
    lab = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).astype(np.float32)
    unit = np.nan_to_num(pixels / np.array(camera.image_size) * 2.0 - 1.0).astype(np.float32)
    like = look.likeness(lab.reshape(-1, 3), unit.reshape(-1, 2))
    other = (~like).reshape(patch.shape[:2]).astype(np.uint8)
    other = np.asarray(cv2.morphologyEx(other, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    joined = cv2.morphologyEx(other, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    if count < 2:
        return False
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    rows, columns = np.nonzero(labels == largest)
    hull = cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32))
    balls = len(rows) * _STEP_M**2 / (np.pi * radius**2)
    apex_m = float(x[columns].min()) - (spot_x - radius)
    middle_m = float((y[rows].min() + y[rows].max()) / 2)
    width_m = float(np.ptp(y[rows]))
    # The apex ball on the spot, or two rows before it where the nine stands on the spot.
    return (
        _RACK_BALLS[0] <= balls <= _RACK_BALLS[1]
        and -2.2 * diameter < apex_m < 0.5 * diameter
        and abs(middle_m) < 0.5 * diameter
        and 2.5 * diameter < width_m < 5.8 * diameter
        and len(rows) > _RACK_FILL * cv2.contourArea(hull)
    )


def _head_string_strength(picture: Image, camera: Camera) -> float:
    """Share of the bed's width over which a thin line is seen at this camera's head string."""
    table = camera.table
    half = table.width_m / 2 - 0.08 * table.width_m
    per_px = 1.0 / float(camera.px_per_m([(0.0, 0.0)], 0.0)[0])
    step = max(0.5 * per_px, 0.0007)
    x = table.head_string_x_m + np.arange(-0.03, 0.03 + step / 2, step)
    y = np.linspace(-half, half, 400)
    patch, _ = _patch(picture, camera, x, y, 0.0)
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float64)
    sections = np.array_split(np.arange(len(y)), 20)
    profiles = np.stack([np.mean(grey[rows], axis=0) for rows in sections])
    wide = max(3, round(0.006 / step))
    kernel = np.concatenate(
        [np.full(wide, -0.5 / wide), [0.3, 0.4, 0.3], np.full(wide, -0.5 / wide)]
    )
    answer = np.stack([np.convolve(row, kernel, mode="valid") for row in profiles])
    noise = 1.4826 * np.median(np.abs(answer - np.median(answer))) + 0.15
    position = np.median(answer, axis=0)
    best = int(np.argmax(np.abs(position)))
    sign = np.sign(position[best])
    near = answer[:, max(0, best - 2) : best + 3] * sign
    return (
        float(np.mean(near.max(axis=1) > 5.0 * noise)) if abs(position[best]) > 3.0 * noise else 0.0
    )
