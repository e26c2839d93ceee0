"""Where the cue ball came to rest, and which pockets balls fell into, drawn on the table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from monitor.table_drawing import circle, mm, table_svg
from table.geometry import Pocket, Point, TableSpec

COLUMNS: Final = 32
ROWS: Final = 16
SPREAD_M: Final = 0.11
"""Width (standard deviation) of the Gaussian that each rest is spread with."""
_FAINTEST: Final = 0.04
_LARGEST_M: Final = 0.15


def density(rests: Sequence[Point], table: TableSpec) -> list[list[float]]:
    """How often the cue ball rested around each cell, from 0 to 1 (the most frequented).

    ROWS lists of COLUMNS values; the first row lies at y = -W/2, the first column at x = -L/2.
    A Gaussian kernel of `SPREAD_M` (Silverman 1986, ch. 4), scaled to its largest value.
    """
    cells = [
        [_around(rests, _center(column, row, table)) for column in range(COLUMNS)]
        for row in range(ROWS)
    ]
    most = max((value for row in cells for value in row), default=0.0)
    return [[value / most if most else 0.0 for value in row] for row in cells]


def rest_svg(rests: Sequence[Point], table: TableSpec, label: str) -> str:
    """The heat map of cue-ball rest as an <svg> element, each rest a point in it."""
    return table_svg(table, label, _rest_marks(rests, table))


def pocket_svg(counts: Mapping[Pocket, int], table: TableSpec, label: str) -> str:
    """Balls by pocket as an <svg> element: the area of a disc is the number in it."""
    return table_svg(table, label, _pocket_marks(counts, table))


def _rest_marks(rests: Sequence[Point], table: TableSpec) -> Iterator[str]:
    width_m, height_m = table.length_m / COLUMNS, table.width_m / ROWS
    for row, values in enumerate(density(rests, table)):
        for column, value in enumerate(values):
            if value < _FAINTEST:
                continue
            x, y = _center(column, row, table)
            yield (
                f'<rect class="heat" fill-opacity="{0.9 * value**0.7:.2f}" '
                f'x="{mm(x - width_m / 2)}" y="{mm(-y - height_m / 2)}" '
                f'width="{mm(width_m)}" height="{mm(height_m)}"/>'
            )
    for rest in rests:
        yield circle("rest", rest, 0.012)


def _pocket_marks(counts: Mapping[Pocket, int], table: TableSpec) -> Iterator[str]:
    most = max(counts.values(), default=0)
    for pocket, count in counts.items():
        shape = table.pockets.get(pocket)
        if shape is None:
            continue
        x, y = shape.mouth_center
        inward = (x - shape.outward[0] * 0.16, y - shape.outward[1] * 0.16)
        radius_m = _LARGEST_M * math.sqrt(count / most) if most else 0.0
        yield f'<g class="pots" data-pocket="{pocket.value}">'
        yield circle("", inward, max(radius_m, 0.06))
        yield f'<text x="{mm(inward[0])}" y="{mm(-inward[1])}" dy=".36em">{count}</text></g>'


def _center(column: int, row: int, table: TableSpec) -> Point:
    return (
        (column + 0.5) * table.length_m / COLUMNS - table.length_m / 2,
        (row + 0.5) * table.width_m / ROWS - table.width_m / 2,
    )


def _around(rests: Sequence[Point], cell: Point) -> float:
    return sum(math.exp(-0.5 * (math.dist(rest, cell) / SPREAD_M) ** 2) for rest in rests)
