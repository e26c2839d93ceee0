"""Side pockets and rail sights: further points along the rails.

The noses alone say where the table's sides are. The side pockets say where its middle is,
the sights where its eighths are; both tell a wrong nose line from a right one.
Sources: WPA equipment specifications 7 (sights: an eighth of the length apart, 3 11/16 in
from the nose) and 9 (pockets).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.cloth import Image
from calibration.cloth_look import ClothLook
from calibration.filters import smoothed_picture
from calibration.lens import Array
from calibration.lens_pose import LensPose
from calibration.observations import Observations, on_line
from calibration.solve import residuals_m
from calibration.strips import Rail, Strip, cut_strip, nose_height_m, rails_of

POCKET_GROUP: Final = "side pocket"
SIGHT_GROUP: Final = "sight"

_NINE_FOOT_M: Final = 2.54
_SIGHT_SIGMA_M: Final = 0.0012
_SIGHT_SIGMA_PX: Final = 0.25
_POCKET_SIGMA_M: Final = 0.003
_AGREE_M: Final = 0.012
_GAP_M: Final = (0.06, 0.24)
"""Least and most width of a side pocket's gap in the cushion tops."""


@dataclass(frozen=True, eq=False)
class RailPoints:
    """What was found along the rails."""

    observed: tuple[Observations, ...]
    gaps: int
    """How many of the two long rails show a side pocket."""
    closed: int
    """How many of the two long rails go on without a gap: no side pocket."""
    sights: int
    """How many sights were found."""

    def shift_m(self, pose: LensPose) -> float | None:
        """How far the middle of the table lies off toward the foot, as these points see it.

        None when neither both side pockets nor the sights of a long rail tell it, or when
        they disagree.
        """
        votes: list[float] = []
        pockets: list[float] = []
        for part in self.observed:
            if part.axis[0] != 0:
                continue
            off = float(np.median(residuals_m(pose, part)))
            (pockets if part.group[0] == POCKET_GROUP else votes).append(off)
        if len(pockets) == 2 and abs(pockets[0] - pockets[1]) < _AGREE_M:
            votes.append(float(np.mean(pockets)))
        if not votes or np.ptp(votes) > _AGREE_M:
            return None
        return float(np.mean(votes))


def rail_points(frames_bgr: Sequence[Image], camera: Camera, look: ClothLook) -> RailPoints:
    """Find side pockets and sights along the rails seen by a first camera.

    Args:
        camera: the camera as fitted to the noses, over the table as wide as it was found.
        look: how the cloth looks.
    """
    size = camera.table.length_m / _NINE_FOOT_M
    observed: list[Observations] = []
    gaps = closed = sights = 0
    for rail in rails_of(camera.table).values():
        strip = cut_strip(
            frames_bgr,
            camera,
            rail,
            (-0.135 * size, -0.005 * size),
            (0.0025 * size, 0.0015 * size),
        )
        if rail.axis == 1:
            gap = _side_pocket(strip, look, camera, size)
            if gap is not None:
                gaps += 1
                observed.append(gap)
            elif _is_closed(strip, look, camera, size):
                closed += 1
        found = _sights(strip, camera, size)
        if found is not None:
            sights += len(found)
            observed.append(found)
    return RailPoints(tuple(observed), gaps, closed, sights)


def _cushion_cloth(strip: Strip, look: ClothLook, camera: Camera, size: float) -> Array:
    """(U,) share of the cushion top that is cloth."""
    rows = (strip.v_m > -0.040 * size) & (strip.v_m < -0.012 * size)
    lab = strip.lab[rows]
    unit = (strip.pixels[rows] / np.array(camera.image_size) * 2.0 - 1.0).astype(np.float32)
    like = look.likeness(lab.reshape(-1, 3), unit.reshape(-1, 2)).reshape(lab.shape[:2])
    share: Array = np.mean(like, axis=0)
    return share


def _side_pocket(strip: Strip, look: ClothLook, camera: Camera, size: float) -> Observations | None:
    share = _cushion_cloth(strip, look, camera, size)
    near = np.abs(strip.u_m) < 0.16 * size
    if np.mean(share[~near & (np.abs(strip.u_m) < 0.8 * strip.rail.half_length_m)]) < 0.6:
        return None
    low = (share < 0.5) & near
    count, labels = cv2.connectedComponents(low.astype(np.uint8)[None, :])
    best: tuple[float, float] | None = None
    for label in range(1, count):
        at = np.flatnonzero(labels[0] == label)
        left, right = float(strip.u_m[at[0]]), float(strip.u_m[at[-1]])
        inside = _GAP_M[0] * size < right - left < _GAP_M[1] * size and at[0] > 0
        if inside and (best is None or right - left > best[1] - best[0]):
            best = (left, right)
    if best is None:
        return None
    middle = (best[0] + best[1]) / 2
    row = int(np.argmin(np.abs(strip.v_m + 0.02 * size)))
    column = np.interp(middle, strip.u_m, np.arange(len(strip.u_m)))
    pixel = _pixel_at(strip, float(row), float(column))
    z_m = nose_height_m(camera.table)
    return on_line(
        pixel,
        axis=0,
        target_m=0.0,
        z_m=z_m,
        sigma_m=_POCKET_SIGMA_M * size,
        group=POCKET_GROUP,
    )


def _is_closed(strip: Strip, look: ClothLook, camera: Camera, size: float) -> bool:
    share = _cushion_cloth(strip, look, camera, size)
    return bool(np.mean(share[np.abs(strip.u_m) < 0.1 * size] > 0.5) > 0.85)


def _sights(strip: Strip, camera: Camera, size: float) -> Observations | None:
    """The sights of one rail, when most of them stand out alike."""
    step_u = float(strip.u_m[1] - strip.u_m[0])
    step_v = float(strip.v_m[1] - strip.v_m[0])
    light = strip.lab[..., 0].astype(np.float64)
    small = smoothed_picture(light, 0.003 * size / step_v, 0.003 * size / step_u)
    wide = smoothed_picture(light, 0.009 * size / step_v, 0.009 * size / step_u)
    rows = (strip.v_m > -0.130 * size) & (strip.v_m < -0.066 * size)
    spot = np.where(strip.seen > 0, small - wide, 0.0)[rows]
    spot[[0, 1, -2, -1]] = 0.0
    v_m = strip.v_m[rows]
    places = _sight_places(strip.rail)
    for sign in (1.0, -1.0):
        peaks = [_peak(sign * spot, strip.u_m, v_m, place, 0.028 * size) for place in places]
        good = _alike(np.array(peaks), places, float(np.std(spot)), size)
        if np.count_nonzero(good) > 0.6 * len(places):
            return _sight_observations(strip, camera, places[good], np.array(peaks)[good], size)
    return None


def _sight_places(rail: Rail) -> Array:
    half = rail.half_length_m
    parts = (-0.75, -0.5, -0.25, 0.25, 0.5, 0.75) if rail.axis == 1 else (-0.5, 0.0, 0.5)
    return np.array(parts) * half


def _peak(
    spot: Array, u_m: Array, v_m: Array, place_m: float, reach_m: float
) -> tuple[float, float, float]:
    columns = np.flatnonzero(np.abs(u_m - place_m) < reach_m)
    if len(columns) < 3:
        return (0.0, 0.0, 0.0)
    part = spot[:, columns]
    row, column = np.unravel_index(int(np.argmax(part)), part.shape)
    weight = np.clip(
        part[max(0, row - 3) : row + 4, max(0, column - 3) : column + 4] - 0.3 * part[row, column],
        0.0,
        None,
    )
    total = max(float(weight.sum()), 1e-9)
    u = u_m[columns][max(0, column - 3) : column + 4]
    v = v_m[max(0, row - 3) : row + 4]
    at_u = float(weight.sum(axis=0) @ u) / total
    at_v = float(weight.sum(axis=1) @ v) / total
    return (at_u, at_v, float(part[row, column]))


def _alike(peaks: Array, places_m: Array, noise: float, size: float) -> NDArray[np.bool_]:
    """Which peaks stand out about equally, equally far from the nose and equally spaced."""
    strength = peaks[:, 2]
    good = (strength > max(2.5, 2.0 * noise)) & (strength > 0.45 * float(np.median(strength)))
    good &= np.abs(peaks[:, 1] - np.median(peaks[:, 1])) < 0.007 * size
    if np.count_nonzero(good) < 3:
        return np.zeros(len(peaks), dtype=bool)
    # A home table's sights may stand 1 % off, evenly; chance peaks scatter.
    off = peaks[:, 0] - places_m
    line = np.polyfit(places_m[good], off[good], 1)
    good &= np.abs(off - np.polyval(line, places_m)) < 0.004 * size
    return good if abs(line[0]) < 0.015 else np.zeros(len(peaks), dtype=bool)


def _sight_observations(
    strip: Strip, camera: Camera, places_m: Array, peaks: Array, size: float
) -> Observations:
    rows = np.interp(peaks[:, 1], strip.v_m, np.arange(len(strip.v_m)))
    columns = np.interp(peaks[:, 0], strip.u_m, np.arange(len(strip.u_m)))
    pixels = np.concatenate(
        [_pixel_at(strip, float(r), float(c)) for r, c in zip(rows, columns, strict=True)]
    )
    px_m = 1.0 / float(camera.px_per_m([(0.0, 0.0)], 0.0)[0])
    off = peaks[:, 0] - places_m
    scatter_m = 1.4826 * float(
        np.median(np.abs(off - np.polyval(np.polyfit(places_m, off, 1), places_m)))
    )
    parts = on_line(
        pixels,
        axis=1 - strip.rail.axis,
        target_m=0.0,
        z_m=nose_height_m(camera.table),
        sigma_m=float(np.hypot(np.hypot(_SIGHT_SIGMA_M * size, _SIGHT_SIGMA_PX * px_m), scatter_m)),
        group=SIGHT_GROUP,
        on_rail=True,
    )
    return replace(parts, target_m=places_m.astype(np.float64))


def _pixel_at(strip: Strip, row: float, column: float) -> Array:
    r = min(max(int(row), 0), strip.pixels.shape[0] - 2)
    c = min(max(int(column), 0), strip.pixels.shape[1] - 2)
    y, x = row - r, column - c
    p = strip.pixels
    upper = p[r, c] * (1 - x) + p[r, c + 1] * x
    lower = p[r + 1, c] * (1 - x) + p[r + 1, c + 1] * x
    return np.asarray((upper * (1 - y) + lower * y)[None, :], dtype=np.float64)
