"""One room: table, light, balls, camera and its electronics, drawn at random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from synthetic.physics.motion import Array
from synthetic.render.frame import Shutter
from synthetic.render.sensor import Sensor
from synthetic.scene.balls import BallLook, ball_look, linear
from synthetic.scene.dressing import dressed
from synthetic.scene.electronics import electronics
from synthetic.scene.furniture import Furniture, Rgb
from synthetic.scene.graphics import NO_GRAPHICS, Graphics, random_graphics
from synthetic.scene.lamps import (
    Lighting,
    balanced,
    ceiling_spots,
    mirror_radiance,
    panel_frame,
    panel_row,
    relit,
)
from synthetic.scene.stick import carbon_bands, maple_bands
from synthetic.scene.viewpoint import Viewpoint, framed, random_viewpoint
from synthetic.streams import side_stream
from table.geometry import TableSpec

_LOOKS: Final = 1
"""Key of the side stream of a room's looks."""
_GRAPHICS: Final = 3
"""Key of the side stream of a broadcaster's graphics."""

CLOTHS: Final[Mapping[str, tuple[int, int, int]]] = {
    "electric blue": (10, 130, 215),
    "tournament blue": (45, 125, 175),
    "green": (20, 125, 70),
    "dark green": (15, 85, 60),
    "red": (165, 30, 40),
    "grey": (120, 125, 128),
    "camel": (175, 135, 85),
    "black": (42, 44, 48),
    "turquoise": (20, 135, 140),
}
RAILS: Final[Mapping[str, tuple[int, int, int]]] = {
    "black": (38, 36, 35),
    "dark wood": (75, 45, 30),
    "mahogany": (110, 45, 30),
    "oak": (150, 105, 60),
    "grey wood": (95, 92, 90),
    "white": (215, 213, 208),
}


@dataclass(frozen=True, eq=False)
class Studio:
    """Everything about the picture that is not the play."""

    furniture: Furniture
    lighting: Lighting
    look: BallLook
    view: Viewpoint
    sensor: Sensor
    shutter: Shutter
    bands: Array
    fps: float
    variable_rate: bool
    size: tuple[int, int]
    crf: int
    graphics: Graphics
    lying: float
    """Chance that a ball pocketed before the clip lies visible in a pocket."""
    busy: float
    """How crowded the room is with people and things, 1 is usual."""


@dataclass(frozen=True)
class Wishes:
    """What is fixed beforehand; None leaves it to chance."""

    cloth: str | None = None
    rail: str | None = None
    ball_set: str | None = None
    fps: float | None = 30.0
    size: tuple[int, int] = (1280, 720)
    wild: bool = False
    dark: bool = False
    carbon: bool | None = None
    crf: int | None = None
    head: str | None = None
    graphics: bool | None = None
    busy: float = 1.0
    framed: bool = False
    """The table fills the picture and the camera hangs nearly above it, as in most clips."""


def make_studio(rng: np.random.Generator, table: TableSpec, wishes: Wishes) -> Studio:
    """Draw a room that fulfils the wishes."""
    lighting, daylight = _lighting(rng, table)
    view = random_viewpoint(rng, wild=wishes.wild)
    if wishes.head:
        view = replace(view, head=wishes.head)
    fps = wishes.fps or float(rng.choice([25.0, 30.0, 30.0, 50.0, 60.0, 60.0, 120.0]))
    kinds = ("standard", "tv", "worn", "other")
    ball_set = wishes.ball_set or kinds[int(rng.choice(4, p=[0.4, 0.35, 0.1, 0.15]))]
    carbon = wishes.carbon if wishes.carbon is not None else rng.random() < 0.4
    exposure_s = min(float(np.exp(rng.uniform(np.log(0.002), np.log(0.016)))), 0.9 / fps)
    rolling = float(rng.uniform(0.004, 0.014)) if rng.random() < 0.5 else 0.0
    shows = wishes.graphics if wishes.graphics is not None else rng.random() < 0.35
    furniture = random_furniture(rng, wishes)
    drawn = Studio(
        furniture=furniture,
        lighting=lighting,
        look=ball_look(rng, ball_set),
        view=view,
        sensor=_sensor(rng, daylight, lighting.ambient, dark=wishes.dark),
        shutter=Shutter(exposure_s, rolling),
        bands=carbon_bands(rng) if carbon else maple_bands(rng),
        fps=fps,
        variable_rate=wishes.fps is None and rng.random() < 0.15,
        size=wishes.size,
        crf=wishes.crf or int(rng.integers(19, 28)),
        graphics=_graphics(rng, wishes.size) if shows else NO_GRAPHICS,
        lying=float(rng.choice([0.0, 0.5, 0.9])),
        busy=wishes.busy,
    )
    return _finished(side_stream(rng, _LOOKS), drawn, table, wishes)


def _finished(side: np.random.Generator, drawn: Studio, table: TableSpec, wishes: Wishes) -> Studio:
    """The room's looks that are no part of the truth: lamps, finish, floor, electronics."""
    view = drawn.view
    if wishes.framed and not wishes.wild:
        view = framed(side_stream(side, 1), view)
    bright = bool(side.random() < 0.42) and not wishes.dark
    lighting = relit(side, drawn.lighting, table)
    if bright:
        lighting = replace(lighting, ambient=max(lighting.ambient, float(side.uniform(0.6, 1.5))))
    furniture = dressed(side, drawn.furniture, bright=bright)
    if wishes.cloth is None and side.random() < 0.6:
        furniture = _usual_cloth(side, drawn.furniture, furniture)
    return replace(
        drawn,
        view=view,
        lighting=lighting,
        furniture=furniture,
        sensor=electronics(side, drawn.sensor, dark=wishes.dark),
    )


def _graphics(rng: np.random.Generator, size: tuple[int, int]) -> Graphics:
    return random_graphics(rng, side_stream(rng, _GRAPHICS), size)


def _usual_cloth(side: np.random.Generator, drawn: Furniture, furniture: Furniture) -> Furniture:
    """Charcoal cloth is rare: most such rooms get blue or green instead."""
    if max(drawn.cloth) > 0.05:
        return furniture
    name = str(side.choice(["electric blue", "tournament blue", "green"]))
    return replace(furniture, cloth=_rgb(np.array(CLOTHS[name]) * side.uniform(0.88, 1.12)))


def random_furniture(rng: np.random.Generator, wishes: Wishes) -> Furniture:
    """A table's looks."""
    cloth_name = wishes.cloth or str(rng.choice(list(CLOTHS)))
    rail_name = wishes.rail or str(rng.choice(list(RAILS)))
    cloth = np.array(CLOTHS[cloth_name]) * rng.uniform(0.88, 1.12) + rng.normal(0, 3, 3)
    rail = np.array(RAILS[rail_name]) * rng.uniform(0.85, 1.15)
    wooden = rail_name not in ("black", "white")
    caps = rng.random() < 0.55
    chrome = caps and rng.random() < 0.5
    cap = np.array((150, 150, 155)) if chrome else rail * rng.uniform(0.5, 1.1)
    white_line = rng.random() < 0.75
    tint = rng.normal(0.0, 7.0 if rng.random() < 0.75 else 25.0, 3)
    floor = float(rng.uniform(35, 235)) + tint
    return Furniture(
        cloth=_rgb(cloth),
        rail=_rgb(rail),
        rail_grain=float(rng.uniform(0.4, 0.9)) if wooden else float(rng.uniform(0.0, 0.3)),
        rail_gloss=float(rng.uniform(0.1, 1.0)),
        sight=_rgb(np.array((225, 222, 210)) if rail_name != "white" else np.array((40, 40, 40))),
        sight_shape=int(rng.integers(2)),
        casting=_rgb(cap),
        casting_m=float(rng.uniform(0.05, 0.11)) if caps else 0.0,
        casting_metal=float(rng.uniform(0.2, 0.5)) if chrome else float(rng.uniform(0.0, 0.06)),
        liner=_rgb(np.array((30, 29, 28)) * rng.uniform(0.6, 3.5)),
        rim=_rgb(np.array((30, 30, 30)) * rng.choice([0.7, 1.0, 4.5], p=[0.4, 0.35, 0.25])),
        hole_floor=_rgb(np.array((22, 21, 20)) * rng.choice([0.6, 1.5, 4.0], p=[0.5, 0.35, 0.15])),
        throat_m=float(rng.choice([0.035, 0.07, 0.2], p=[0.4, 0.4, 0.2])),
        trim=float(rng.choice([0.0, 0.25], p=[0.75, 0.25])),
        floor=_rgb(floor),
        floor_second=_rgb(floor * rng.uniform(0.7, 1.15) + rng.normal(0.0, 6.0, 3)),
        floor_kind=int(rng.choice(4, p=[0.4, 0.25, 0.2, 0.15])),
        rail_m=float(rng.uniform(0.115, 0.16)),
        outer_radius_m=float(rng.uniform(0.015, 0.09)),
        rim_m=float(rng.uniform(0.005, 0.016)),
        wear=float(rng.uniform(0.05, 1.0)),
        weave=float(rng.uniform(0.2, 1.2)),
        marks=int(rng.integers(0, 140)),
        lines=int(rng.choice([0, 1, 1, 3, 3, 7, 11, 27])),
        line=_rgb(np.array((205, 205, 200)) if white_line else np.array((25, 25, 25))),
        line_strength=float(rng.uniform(0.15, 0.8)),
        seed=int(rng.integers(1, 1 << 20)),
    )


def _rgb(value: Array) -> Rgb:
    r, g, b = linear(np.clip(value, 2, 250))
    return (float(r), float(g), float(b))


def _lighting(rng: np.random.Generator, table: TableSpec) -> tuple[Lighting, Array]:
    """Lamps and the colour of their light (r, g, b about 1)."""
    warm = float(rng.normal(0.0, 0.10))
    tint = np.array([1.0 + warm, 1.0, 1.0 - 1.3 * warm])
    kind = int(rng.choice(3, p=[0.35, 0.35, 0.3]))
    if kind == 0:
        height = float(rng.uniform(0.8, 1.3))
        panels = panel_row(rng, table, int(rng.integers(2, 5)), height, tint)
    elif kind == 1:
        panels = panel_frame(rng, table, float(rng.uniform(1.0, 2.2)), tint)
    else:
        panels = ceiling_spots(rng, table, float(rng.uniform(1.9, 3.2)), tint)
    panels = balanced(panels, table)
    panels[:, 8] = mirror_radiance(panels)
    ambient = float(rng.uniform(0.12, 0.7))
    flickers = rng.random() < 0.3
    return (
        Lighting(
            panels,
            ambient,
            (1.0, 1.0, 1.0),
            float(rng.uniform(0.02, 0.15)),
            float(rng.uniform(0.01, 0.06)) if flickers else 0.0,
            float(rng.choice([100.0, 120.0])),
        ),
        tint,
    )


def _sensor(rng: np.random.Generator, daylight: Array, ambient: float, *, dark: bool) -> Sensor:
    """Electronics that correct most, but not all, of the light's colour."""
    share = float(rng.uniform(0.5, 1.0))
    balance = tuple(float(x) for x in (1.0 / daylight) ** share * (1 + rng.normal(0, 0.012, 3)))
    level = float(rng.uniform(0.22, 0.4)) if dark else float(rng.uniform(0.72, 1.12))
    return Sensor(
        exposure=level / (1.0 + ambient),
        balance=(balance[0], balance[1], balance[2]),
        contrast=float(rng.uniform(0.95, 1.15)),
        saturation=float(rng.uniform(0.85, 1.2)),
        noise=float(rng.uniform(2.5, 5.0)) if dark else float(rng.uniform(0.5, 2.6)),
        blur_px=float(rng.uniform(0.4, 1.0)),
        vignette=float(rng.uniform(0.0, 0.25)),
        sharpen=float(rng.uniform(0.0, 0.8)),
    )
