"""The table from above as SVG: rails, cloth, pockets, sights, strings; nothing on it.

Drawing units are millimetres; the head end lies on the left, the picture's y grows
downwards (table y negated).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from table.geometry import Point, TableSpec

RAIL_M: Final = 0.12


def table_svg(table: TableSpec, label: str, content: Iterator[str]) -> str:
    """A complete <svg> element of the table with `content` drawn on it; `label` is escaped."""
    a, b = table.length_m / 2 + RAIL_M, table.width_m / 2 + RAIL_M
    box = f"{mm(-a)} {mm(-b)} {mm(2 * a)} {mm(2 * b)}"
    return "\n".join(
        [
            f'<svg class="table" viewBox="{box}" role="img" aria-label="{label}">',
            *furniture(table),
            *content,
            "</svg>",
        ]
    )


def furniture(table: TableSpec) -> Iterator[str]:
    """The empty table as SVG elements."""
    a, b = table.length_m / 2, table.width_m / 2
    yield _box("rail", a + RAIL_M, b + RAIL_M, 40)
    yield _box("cloth", a + 0.0, b + 0.0, 0)
    for shape in table.pockets.values():
        reach = max(shape.shelf_m, 0.02)
        center = (
            shape.mouth_center[0] + shape.outward[0] * reach,
            shape.mouth_center[1] + shape.outward[1] * reach,
        )
        yield circle("pocket", center, shape.mouth_m / 2)
    for x_m, y_m in _sights(table):
        yield circle("sight", (x_m, y_m), 0.008)
    x = mm(table.head_string_x_m)
    yield f'<line class="string" x1="{x}" x2="{x}" y1="{mm(-b)}" y2="{mm(b)}"/>'
    yield circle("spot", table.foot_spot, 0.008)


def _sights(table: TableSpec) -> Iterator[Point]:
    """The rail sights: eighths of the length, quarters of the width (WPA spec. 6)."""
    a, b, out = table.length_m / 2, table.width_m / 2, RAIL_M * 0.62
    for side in (-1, 1):
        for k in (-3, -2, -1, 1, 2, 3):
            yield (k * table.length_m / 8, side * (b + out))
        for k in (-1, 0, 1):
            yield (side * (a + out), k * table.width_m / 4)


def mm(metres: float) -> str:
    """Metres as a number of millimetres."""
    return f"{metres * 1000:.1f}".removesuffix(".0")


def _box(name: str, half_x_m: float, half_y_m: float, corner: int) -> str:
    return (
        f'<rect class="{name}" x="{mm(-half_x_m)}" y="{mm(-half_y_m)}" '
        f'width="{mm(2 * half_x_m)}" height="{mm(2 * half_y_m)}" rx="{corner}"/>'
    )


def circle(name: str, point: Point, radius_m: float) -> str:
    """A circle of class `name` around a point of the table frame."""
    kind = f' class="{name}"' if name else ""
    return f'<circle{kind} cx="{mm(point[0])}" cy="{mm(-point[1])}" r="{mm(radius_m)}"/>'
