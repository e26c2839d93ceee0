"""The drawing of where the ten is spotted (docs/spotting.svg), made by `spot` itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rules.spotting import Spot, spot
from table.balls import Ball
from table.geometry import NINE_FOOT, Point

_X, _ = NINE_FOOT.foot_spot
_D = NINE_FOOT.ball_diameter_m
_R = NINE_FOOT.ball_radius_m
_END = NINE_FOOT.length_m / 2

PANELS: Final[tuple[tuple[str, Mapping[Ball, Point]], ...]] = (
    ("The foot spot is free", {Ball.SEVEN: (_X + 0.02, 0.075)}),
    ("An object ball is in the way: touching it", {Ball.SEVEN: (_X + 0.01, 0.02)}),
    ("The cue ball is in the way: 1 mm from it", {Ball.CUE: (_X + 0.01, -0.015)}),
    ("Both: behind the last one", {Ball.SEVEN: (_X, 0.01), Ball.CUE: (_X + 1.3 * _D, -0.02)}),
    (
        "Blocked to the rail: in front of the spot",
        {Ball(n): (_X - 0.01 + (n - 1) * 1.35 * _D, 0.01) for n in range(1, 10)},
    ),
)
_SCALE: Final = 900.0
"""Pixels a metre."""
_WIDTH, _HEIGHT, _MARGIN = 800, 150, 20
_LEFT: Final = _X - 0.15


def drawing() -> str:
    """The SVG text: one strip of the long string a case, foot rail on the right."""
    height = _HEIGHT * len(PANELS)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="13">'
    )
    lines = [head, f'<rect width="{_WIDTH}" height="{height}" fill="#f4f4f4"/>']
    for index, (title, balls) in enumerate(PANELS):
        lines.append(f'<g transform="translate(0,{index * _HEIGHT})">')
        lines += _panel(title, balls, spot(NINE_FOOT, balls))
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(title: str, balls: Mapping[Ball, Point], found: Spot) -> Iterator[str]:
    middle = _HEIGHT / 2 + 10
    rail = _px(_END)
    yield f'<text x="{_MARGIN}" y="20">{title}</text>'
    yield (
        f'<line x1="{_MARGIN}" y1="{middle}" x2="{rail}" y2="{middle}" stroke="#888" '
        'stroke-dasharray="4 4"/>'
    )
    yield f'<rect x="{rail:.1f}" y="30" width="8" height="{_HEIGHT - 40}" fill="#1e5b33"/>'
    yield f'<circle cx="{_px(_X):.1f}" cy="{middle}" r="3" fill="#000"/>'
    for ball, point in balls.items():
        yield from _ball(ball.text, point, middle, "#fff" if ball is Ball.CUE else "#e8c88a")
    yield from _ball("10", found.point, middle, "#9cc3e6")
    distance_mm = (found.point[0] - _X) * 1000
    note = f"{distance_mm:+.1f} mm from the foot spot"
    yield f'<text x="{_MARGIN}" y="{_HEIGHT - 8}" fill="#555">{note}</text>'


def _ball(text: str, point: Point, middle: float, fill: str) -> Iterator[str]:
    x, y = _px(point[0]), middle - point[1] * _SCALE
    yield (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_R * _SCALE:.1f}" fill="{fill}" '
        'stroke="#333" fill-opacity="0.85"/>'
    )
    yield f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{text}</text>'


def _px(x_m: float) -> float:
    return _MARGIN + (x_m - _LEFT) * _SCALE
