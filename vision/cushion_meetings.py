"""Breaks of motion that a cushion explains: a nose, a nose's rounded tip, or a jaw.

A cushion turns the part of the velocity that points into it, and gives back 0.3 to 1 of it;
along the nose it changes little. The centre is R from the nose when they touch (Marlow, The
Physics of Pocket Billiards, ch. 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.geometry import CushionShape, Point, TableSpec
from vision.contacts import Break, NoseMeeting, speed_error_mps

Floats = NDArray[np.float64]

_JAW_REGION_M: Final = 0.05
"""How far from its end a nose may be cut back."""
_JAW_M: Final = 0.006
_TIP_M: Final = 0.008
"""What the place and the rounding of a nose's tip may differ by from table to table."""
_NOSE_M: Final = 0.0045
"""What a nose's place may be off by: the map there, and the rubber giving way (2-6 mm)."""
_JAW_TIP_M: Final = 0.018
"""A ball centre farther than this beyond the nose's end meets the jaw, not the nose: the tip is
rounded, and mouths of tournament tables are up to 8 mm tighter than the usual one."""
_GRID: Final = 81
_ACCEPT: Final = 14.0
_FAR_M: Final = 0.3
_LEAST_TURN_MPS: Final = 0.012
_NOISE_MPS: Final = 0.02


@dataclass(frozen=True, slots=True)
class _Face:
    """What a ball may touch: a nose's line, or the tip that ends it."""

    shape: CushionShape
    tip: Point | None = None

    def gaps(self, places: Floats, radius_m: float) -> Floats:
        """Distances (N,) that balls at places (N, 2) are away from touching it."""
        if self.tip is not None:
            return np.asarray(np.hypot(*(places - self.tip).T) - radius_m)
        return np.asarray((places - self.shape.start) @ np.array(self.shape.inward)) - radius_m

    def normal(self, place: Floats) -> Floats:
        """Unit vector from the face to a ball at `place`."""
        if self.tip is None:
            return np.array(self.shape.inward)
        away = place - np.array(self.tip)
        return np.asarray(away / max(1e-9, float(np.hypot(*away))))


def _faces(table: TableSpec) -> Iterator[_Face]:
    for shape in table.cushions.values():
        yield _Face(shape)
        if table.has_pockets:
            yield _Face(shape, shape.start)
            yield _Face(shape, shape.end)


def nose_meetings(breaks: Sequence[Break], table: TableSpec) -> list[NoseMeeting]:
    """Every break that a cushion explains."""
    found = []
    faces = list(_faces(table))
    for index, kink in enumerate(breaks):
        options = [m for face in faces if (m := _meet(index, kink, face, table)) is not None]
        if options:
            found.append(min(options, key=lambda m: m.cost))
    return found


def _meet(index: int, kink: Break, face: _Face, table: TableSpec) -> NoseMeeting | None:
    spare = 0.5 * (kink.to_s - kink.from_s) + 1e-3
    ends = np.array([kink.from_s, kink.to_s])
    radius = table.ball_radius_m
    if face.gaps(kink.before.positions(ends), radius).min() > _FAR_M:
        return None
    times = np.linspace(kink.from_s - spare, kink.to_s + spare, _GRID)
    ahead, behind = kink.before.positions(times), kink.after.positions(times)
    before, after = face.gaps(ahead, radius), face.gaps(behind, radius)
    sigma_b, sigma_a = kink.before.sigmas_m(times), kink.after.sigmas_m(times)
    known = _known_m(kink, face)
    # Best single moment: both legs at the nose, as far as each is known there.
    cost = before**2 / (sigma_b**2 + known**2) + after**2 / (sigma_a**2 + known**2)
    best = int(cost.argmin())
    t_s, place = float(times[best]), 0.5 * (ahead[best] + behind[best])
    along_m = face.shape.along_m((float(ahead[best][0]), float(ahead[best][1])))
    outside = max(-along_m, along_m - face.shape.length_m)
    if not _reaches(face, outside, table):
        return None
    turned = _turn_cost(kink, face.normal(place), t_s)
    if turned is None or float(cost[best]) + turned > _ACCEPT:
        return None
    normal = face.normal(place)
    change = float(kink.kick(t_s) @ normal)
    spread = float(np.sqrt(0.5 * (sigma_b[best] ** 2 + sigma_a[best] ** 2) + known**2))
    width = max(1e-3, spread / max(0.1, change))
    return NoseMeeting(
        kink.ball,
        face.shape.cushion,
        bool(face.tip is not None or outside > _JAW_TIP_M),
        t_s,
        min(width, 0.5 * (kink.to_s - kink.from_s) + 1e-3),
        float(cost[best]) + turned,
        (index,),
    )


def _known_m(kink: Break, face: _Face) -> float:
    """How well the place of this part of the cushion is known."""
    if face.tip is not None:
        return _TIP_M
    middle = kink.before.position(0.5 * (kink.from_s + kink.to_s))
    place = face.shape.along_m((float(middle[0]), float(middle[1])))
    # The nose is cut back and rounded toward a pocket.
    near_end = min(place, face.shape.length_m - place) < _JAW_REGION_M
    return _JAW_M if near_end else _NOSE_M


def _reaches(face: _Face, outside_m: float, table: TableSpec) -> bool:
    """True when a ball that far beyond the nose's end can touch this face."""
    if face.tip is not None:
        return 0.5 * _JAW_TIP_M < outside_m < table.ball_radius_m
    return outside_m < 0.5 * table.corner_mouth_m


def _turn_cost(kink: Break, normal: Floats, t_s: float) -> float | None:
    """How badly a change of velocity fits a rebound along `normal`; None: it is none."""
    into = float(kink.before.velocity(t_s) @ normal)
    out = float(kink.after.velocity(t_s) @ normal)
    noise = float(np.hypot(speed_error_mps(kink.before), speed_error_mps(kink.after)))
    if (
        into > -0.01
        or out < into * 0.2
        or out - into < _LEAST_TURN_MPS + min(_NOISE_MPS, 3.0 * noise)
    ):
        return None
    # Rebound: 0.3 to 1 of the speed into the cushion comes back, unless the ball dies there.
    gain = -out / into
    known = 0.15 + speed_error_mps(kink.after) / max(0.05, -into)
    total = (max(0.0, gain - 1.0) / known) ** 2 + (max(0.0, 0.25 - gain) / known) ** 2
    along = float(kink.kick(t_s) @ np.array((-normal[1], normal[0])))
    total += (max(0.0, abs(along) - 0.5 * (out - into)) / (0.1 + known * (out - into))) ** 2
    return total
