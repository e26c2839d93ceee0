"""The table in metres: noses, cushions, pockets, strings and spots.

The table frame, seen from above::

        y ^  LEFT_HEAD            LEFT_FOOT
          |  HL-------------SL-------------FL
          |  |        :             :       |
     HEAD |  |   head :      +      * foot  | FOOT     --> x (long string)
          |  | string :   origin    : spot  |
          |  HR-------------SR-------------FR
             RIGHT_HEAD           RIGHT_FOOT

Origin: the center spot on the cloth. x along the long string toward the foot end, y to
the left as seen from the head end looking to the foot, z up; metres, right-handed.
L, W are measured nose to nose. Ball centres travel on the plane z = R.

Sources: WPA equipment specifications 3 (bed), 8 and 9 (pocket openings and shelf),
12 (balls); WPA rules 8.1 (strings and spots a quarter of the length from the ends).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

Point = tuple[float, float]
"""A point (x_m, y_m) in the table frame."""


class Pocket(StrEnum):
    """The six pockets: head/side/foot, left/right seen from the head end."""

    HL = "HL"
    HR = "HR"
    SL = "SL"
    SR = "SR"
    FL = "FL"
    FR = "FR"

    @property
    def is_side(self) -> bool:
        """True for the two side (middle) pockets."""
        return self in (Pocket.SL, Pocket.SR)


class Cushion(StrEnum):
    """The six cushions; the side pockets part each long rail in two."""

    HEAD = "HEAD"
    FOOT = "FOOT"
    LEFT_HEAD = "LEFT_HEAD"
    LEFT_FOOT = "LEFT_FOOT"
    RIGHT_HEAD = "RIGHT_HEAD"
    RIGHT_FOOT = "RIGHT_FOOT"


@dataclass(frozen=True, slots=True)
class PocketShape:
    """One pocket opening on the cloth plane, metres, table frame."""

    pocket: Pocket
    jaw_a: Point
    """First tip of the cushion noses at the mouth."""
    jaw_b: Point
    """Second tip of the cushion noses at the mouth."""
    outward: Point
    """Unit vector from the mouth into the pocket."""
    shelf_m: float
    """Depth of the bed behind the mouth line, to the edge where a ball falls."""

    @property
    def mouth_center(self) -> Point:
        """The middle of the mouth line."""
        return ((self.jaw_a[0] + self.jaw_b[0]) / 2, (self.jaw_a[1] + self.jaw_b[1]) / 2)

    @property
    def mouth_m(self) -> float:
        """Distance between the two jaw tips."""
        return math.dist(self.jaw_a, self.jaw_b)

    @property
    def drop_point(self) -> Point:
        """The point of no return on the pocket's axis: a ball centre past it falls."""
        mx, my = self.mouth_center
        return (mx + self.outward[0] * self.shelf_m, my + self.outward[1] * self.shelf_m)

    def depth_m(self, point: Point) -> float:
        """How far `point` lies behind the mouth line (negative: still in front of it)."""
        mx, my = self.mouth_center
        return (point[0] - mx) * self.outward[0] + (point[1] - my) * self.outward[1]

    def offset_m(self, point: Point) -> float:
        """Sideways distance of `point` from the pocket's axis (signed)."""
        mx, my = self.mouth_center
        return -(point[0] - mx) * self.outward[1] + (point[1] - my) * self.outward[0]

    def is_past_return(self, point: Point) -> bool:
        """True when a ball centre at `point` is past the point of no return."""
        return self.depth_m(point) > self.shelf_m and abs(self.offset_m(point)) < self.mouth_m


@dataclass(frozen=True, slots=True)
class CushionShape:
    """One cushion's nose as a segment between two jaw tips, with the inward normal."""

    cushion: Cushion
    start: Point
    end: Point
    inward: Point
    """Unit normal pointing from the nose to the playing surface."""

    def distance_m(self, point: Point) -> float:
        """Distance of `point` from the nose line, positive over the playing surface."""
        return (point[0] - self.start[0]) * self.inward[0] + (
            point[1] - self.start[1]
        ) * self.inward[1]

    def along_m(self, point: Point) -> float:
        """Position of the foot of `point` along the nose, 0 at start .. length_m at end."""
        length = self.length_m
        ux, uy = (self.end[0] - self.start[0]) / length, (self.end[1] - self.start[1]) / length
        return (point[0] - self.start[0]) * ux + (point[1] - self.start[1]) * uy

    @property
    def length_m(self) -> float:
        """Length of the nose from jaw tip to jaw tip."""
        return math.dist(self.start, self.end)


@dataclass(frozen=True)
class TableSpec:
    """Measures of one table. The defaults are the 9-foot table of the WPA specifications.

    Raises:
        ValueError: when a measure is not a positive, finite number or the length is not
            greater than the width.
    """

    length_m: float = 2.540
    width_m: float = 1.270
    ball_diameter_m: float = 0.05715
    corner_mouth_m: float = 0.1160
    side_mouth_m: float = 0.1290
    corner_shelf_m: float = 0.041
    side_shelf_m: float = 0.005
    has_pockets: bool = True

    def __post_init__(self) -> None:
        for name in ("length_m", "width_m", "ball_diameter_m", "corner_mouth_m", "side_mouth_m"):
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be a positive number, not {value!r}")
        if self.length_m <= self.width_m:
            raise ValueError("the table's length must be greater than its width")

    @property
    def ball_radius_m(self) -> float:
        """R: the height of the plane on which ball centres travel."""
        return self.ball_diameter_m / 2

    @property
    def head_string_x_m(self) -> float:
        """x of the head string; behind it is strictly smaller x (8.1)."""
        return -self.length_m / 4

    @property
    def foot_spot(self) -> Point:
        """Where the apex ball is racked and the ten is spotted (8.1, 1.4)."""
        return (self.length_m / 4, 0.0)

    @property
    def head_spot(self) -> Point:
        """The middle of the head string."""
        return (-self.length_m / 4, 0.0)

    @property
    def nose_corners(self) -> dict[Pocket, Point]:
        """Intersections of the nose lines at the four corner pockets."""
        a, b = self.length_m / 2, self.width_m / 2
        return {Pocket.HL: (-a, b), Pocket.HR: (-a, -b), Pocket.FL: (a, b), Pocket.FR: (a, -b)}

    @cached_property
    def pockets(self) -> dict[Pocket, PocketShape]:
        """The six pocket openings; empty on a pocketless table."""
        if not self.has_pockets:
            return {}
        return {
            **{p: self._corner(p, corner) for p, corner in self.nose_corners.items()},
            Pocket.SL: self._side(Pocket.SL, 1.0),
            Pocket.SR: self._side(Pocket.SR, -1.0),
        }

    @cached_property
    def cushions(self) -> dict[Cushion, CushionShape]:
        """The six cushion noses, each from jaw tip to jaw tip."""
        a, b = self.length_m / 2, self.width_m / 2
        c = self.corner_mouth_m / math.sqrt(2) if self.has_pockets else 0.0
        s = self.side_mouth_m / 2 if self.has_pockets else 0.0
        rows: tuple[tuple[Cushion, Point, Point, Point], ...] = (
            (Cushion.HEAD, (-a, -b + c), (-a, b - c), (1.0, 0.0)),
            (Cushion.FOOT, (a, -b + c), (a, b - c), (-1.0, 0.0)),
            (Cushion.LEFT_HEAD, (-a + c, b), (-s, b), (0.0, -1.0)),
            (Cushion.LEFT_FOOT, (s, b), (a - c, b), (0.0, -1.0)),
            (Cushion.RIGHT_HEAD, (-a + c, -b), (-s, -b), (0.0, 1.0)),
            (Cushion.RIGHT_FOOT, (s, -b), (a - c, -b), (0.0, 1.0)),
        )
        return {row[0]: CushionShape(*row) for row in rows}

    def contains(self, point: Point, margin_m: float = 0.0) -> bool:
        """True when `point` lies over the playing surface, `margin_m` beyond it allowed."""
        return (
            abs(point[0]) <= self.length_m / 2 + margin_m
            and abs(point[1]) <= self.width_m / 2 + margin_m
        )

    def behind_head_string(self, point: Point) -> bool:
        """True when a ball centre at `point` is behind the head string, the line excluded."""
        return point[0] < self.head_string_x_m

    def nearest_pocket(self, point: Point) -> PocketShape | None:
        """The pocket whose drop point is nearest to `point`; None without pockets."""
        return min(
            self.pockets.values(), key=lambda p: math.dist(p.drop_point, point), default=None
        )

    def _corner(self, pocket: Pocket, corner: Point) -> PocketShape:
        sx, sy = math.copysign(1, corner[0]), math.copysign(1, corner[1])
        c = self.corner_mouth_m / math.sqrt(2)
        diagonal = 1 / math.sqrt(2)
        return PocketShape(
            pocket,
            (corner[0] - sx * c, corner[1]),
            (corner[0], corner[1] - sy * c),
            (sx * diagonal, sy * diagonal),
            self.corner_shelf_m,
        )

    def _side(self, pocket: Pocket, sign: float) -> PocketShape:
        y, half = sign * self.width_m / 2, self.side_mouth_m / 2
        return PocketShape(pocket, (-half, y), (half, y), (0.0, sign), self.side_shelf_m)


NINE_FOOT: Final = TableSpec()
EIGHT_FOOT: Final = TableSpec(length_m=2.340, width_m=1.170)
SEVEN_FOOT: Final = TableSpec(length_m=1.980, width_m=0.990)
STANDARD_TABLES: Final = {"9ft": NINE_FOOT, "8ft": EIGHT_FOOT, "7ft": SEVEN_FOOT}


def table_from_text(text: str) -> TableSpec:
    """Parse "9ft", "8ft", "7ft" or "L,W" in metres (nose to nose).

    Raises:
        ValueError: for any other text or impossible measures.
    """
    if text in STANDARD_TABLES:
        return STANDARD_TABLES[text]
    parts = text.split(",")
    if len(parts) == 2:
        try:
            length_m, width_m = (float(part) for part in parts)
        except ValueError:
            pass
        else:
            return TableSpec(length_m=length_m, width_m=width_m)
    raise ValueError(f'"{text}" is not a table: 9ft, 8ft, 7ft or LENGTH,WIDTH in metres')
