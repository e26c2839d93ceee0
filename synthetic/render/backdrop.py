"""The room without balls and people, rendered once a camera."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from calibration.camera import Camera
from synthetic.jit import compiled
from synthetic.physics.motion import Array, Floats, IntArray
from synthetic.render.light import mirrored_light, nose_shadow, panel_light
from synthetic.render.noise import smoothstep
from synthetic.render.surfaces import surface_colour
from synthetic.render.tracing import (
    BED,
    CUSHION_FACE,
    FACING,
    HALF_L,
    HALF_W,
    HOLE_FLOOR,
    LINER,
    NOTHING,
    RAIL,
    RAIL_M,
    table_hit,
)
from synthetic.scene.cloth_map import cloth_map
from synthetic.scene.furniture import (
    CAST_METAL,
    OVERHANG,
    OVERHANG_M,
    RAIL_GLOSS,
    THROAT,
    TRIM,
    Furniture,
    clutter_array,
    colour_array,
    hole_array,
    setting_array,
    shape_array,
)
from synthetic.scene.lamps import Lighting


@dataclass(frozen=True, eq=False)
class Optics:
    """A camera as arrays for the kernels."""

    origin_m: Array
    """(3,) optical centre, table frame."""
    table_from_camera: Array
    """(3, 3) rotation."""
    corners: Floats
    """(H + 1, W + 1, 2) ideal normalised coordinates of the pixels' corners."""


@dataclass(frozen=True, eq=False)
class Backdrop:
    """What the camera sees of the empty room."""

    light: Floats
    """(H, W, 3) linear colour, r g b."""
    place_m: Floats
    """(H, W, 3) point seen in the middle of each pixel, table frame."""
    level: Floats
    """(H, W) share of the point's light that panels give (the rest is ambient), 0..1."""


def optics_of(camera: Camera) -> Optics:
    """The camera's rays at all pixel corners."""
    width, height = camera.image_size
    x, y = np.meshgrid(np.arange(width + 1) - 0.5, np.arange(height + 1) - 0.5)
    rays = camera.rays(np.stack([x.ravel(), y.ravel()], axis=1))
    in_camera = rays @ camera.r_camera_from_table.T
    ideal = in_camera[:, :2] / in_camera[:, 2:3]
    return Optics(
        camera.position_m.copy(),
        camera.r_camera_from_table.T.copy(),
        ideal.reshape(height + 1, width + 1, 2).astype(np.float32),
    )


def render_backdrop(
    camera: Camera,
    optics: Optics,
    furniture: Furniture,
    lighting: Lighting,
    rays: tuple[int, int] = (2, 4),
) -> Backdrop:
    """Render the empty room.

    `rays` are the rays along a pixel's side on plain surfaces and where two surfaces meet.
    """
    width, height = camera.image_size
    light = np.zeros((height, width, 3), dtype=np.float32)
    place = np.zeros((height, width, 3), dtype=np.float32)
    level = np.zeros((height, width), dtype=np.float32)
    _backdrop(
        optics.origin_m,
        optics.table_from_camera,
        optics.corners,
        np.array(rays),
        shape_array(camera.table, furniture),
        hole_array(camera.table),
        colour_array(furniture),
        setting_array(furniture),
        cloth_map(camera.table, furniture),
        clutter_array(furniture),
        lighting.panels,
        np.array([*lighting.ambient_rgb, lighting.ambient, lighting.ceiling]),
        light,
        place,
        level,
    )
    return Backdrop(light, place, level)


@compiled
def ray(
    row: int, column: int, fx: float, fy: float, corners: Floats, rotation: Array
) -> tuple[float, float, float]:
    """Unit direction in the table frame of a ray through (column + fx, row + fy)."""
    gx = (1.0 - fx) * (1.0 - fy) * corners[row, column, 0] + fx * (1.0 - fy) * corners[
        row, column + 1, 0
    ]
    gx += (1.0 - fx) * fy * corners[row + 1, column, 0] + fx * fy * corners[row + 1, column + 1, 0]
    gy = (1.0 - fx) * (1.0 - fy) * corners[row, column, 1] + fx * (1.0 - fy) * corners[
        row, column + 1, 1
    ]
    gy += (1.0 - fx) * fy * corners[row + 1, column, 1] + fx * fy * corners[row + 1, column + 1, 1]
    dx = rotation[0, 0] * gx + rotation[0, 1] * gy + rotation[0, 2]
    dy = rotation[1, 0] * gx + rotation[1, 1] * gy + rotation[1, 2]
    dz = rotation[2, 0] * gx + rotation[2, 1] * gy + rotation[2, 2]
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    return dx / length, dy / length, dz / length


@compiled
def _sky(surface: int, x: float, y: float, z: float, shape: Array, settings: Array) -> float:
    """Share of the ambient light that reaches a place: corners, holes, under noses."""
    if surface == BED:
        return float(1.0 - 1.3 * settings[OVERHANG] * _under_nose(x, y, shape, settings))
    if surface == CUSHION_FACE:
        return 0.45
    if surface == FACING:
        return 0.7
    if surface in (LINER, HOLE_FLOOR):
        # A disc of sky of the hole's size, seen from the wall or the bottom.
        depth = max(-z, 0.0) / (0.045 + 0.3 * settings[THROAT])
        return float(0.06 + 0.75 / (1.0 + depth * depth))
    return 1.0


@compiled
def _under_nose(x: float, y: float, shape: Array, settings: Array) -> float:
    gap = min(shape[HALF_L] - abs(x), shape[HALF_W] - abs(y))
    return math.exp(-max(gap, 0.0) / settings[OVERHANG_M])


@compiled
def _into_hole(x: float, y: float, z: float, panel: Array, holes: Array) -> float:
    """Share of a panel's light that falls through a pocket's mouth onto its wall or bottom."""
    rise, dz = 0.012 - z, panel[2] - z
    if rise <= 0.0:
        return 1.0
    k = rise / dz
    mx, my = x + (panel[0] - x) * k, y + (panel[1] - y) * k
    soft = 0.5 * (panel[3] + panel[4]) * k + 0.006
    best = 0.0
    for i in range(holes.shape[0]):
        dx, dy = mx - holes[i, 0], my - holes[i, 1]
        along = dx * holes[i, 3] + dy * holes[i, 4]
        away = math.sqrt(dx * dx + dy * dy)
        if along < 0.0:
            # Toward the bed the mouth is open.
            away = abs(dx * holes[i, 4] - dy * holes[i, 3])
        if away < holes[i, 2] + soft and abs(along) < 0.2:
            best = max(best, 1.0 - smoothstep(-soft, soft, away - holes[i, 2]))
    return best


@compiled
def _backdrop(
    origin: Array,
    rotation: Array,
    corners: Floats,
    samples: IntArray,
    shape: Array,
    holes: Array,
    colours: Array,
    settings: Array,
    texture: Floats,
    clutter: Array,
    panels: Array,
    ambient: Array,
    light: Floats,
    place: Floats,
    level: Floats,
) -> None:
    height, width = level.shape
    ox, oy, oz = origin[0], origin[1], origin[2]
    seen = np.zeros((height, width), dtype=np.int64)
    for row in range(height):
        for column in range(width):
            dx, dy, dz = ray(row, column, 0.5, 0.5, corners, rotation)
            if dz > -1e-3:
                continue
            hit = table_hit(ox, oy, oz, dx, dy, dz, shape, holes)
            seen[row, column] = hit[1]
            place[row, column, 0] = ox + hit[0] * dx
            place[row, column, 1] = oy + hit[0] * dy
            place[row, column, 2] = oz + hit[0] * dz
    for row in range(height):
        for column in range(width):
            n = samples[0]
            for r in range(max(row - 1, 0), min(row + 2, height)):
                for c in range(max(column - 1, 0), min(column + 2, width)):
                    if seen[r, c] != seen[row, column]:
                        n = samples[1]
            total_r = total_g = total_b = share = 0.0
            for s in range(n * n):
                fx, fy = (s % n + 0.5) / n, (s // n + 0.5) / n
                dx, dy, dz = ray(row, column, fx, fy, corners, rotation)
                if dz > -1e-3:
                    continue
                hit = table_hit(ox, oy, oz, dx, dy, dz, shape, holes)
                if hit[1] == NOTHING:
                    continue
                x, y, z = ox + hit[0] * dx, oy + hit[0] * dy, oz + hit[0] * dz
                red, green, blue, direct = _shade(
                    hit[1], x, y, z, hit[2], hit[3], hit[4], hit[5], dx, dy, dz,
                    shape, holes, colours, settings, texture, clutter, panels, ambient,
                )  # fmt: skip
                total_r += red
                total_g += green
                total_b += blue
                share += direct
            light[row, column, 0] = total_r / (n * n)
            light[row, column, 1] = total_g / (n * n)
            light[row, column, 2] = total_b / (n * n)
            level[row, column] = share / (n * n)


@compiled
def _shade(
    surface: int,
    x: float,
    y: float,
    z: float,
    nx: float,
    ny: float,
    nz: float,
    u: float,
    dx: float,
    dy: float,
    dz: float,
    shape: Array,
    holes: Array,
    colours: Array,
    settings: Array,
    texture: Floats,
    clutter: Array,
    panels: Array,
    ambient: Array,
) -> tuple[float, float, float, float]:
    red, green, blue, metal = surface_colour(
        surface, x, y, z, u, shape, colours, settings, texture, clutter
    )
    if surface == RAIL:
        # Rounded outer and inner edges of the rails.
        edge = min(shape[HALF_L] + shape[RAIL_M] - abs(x), shape[HALF_W] + shape[RAIL_M] - abs(y))
        tilt = 0.9 * (1.0 - smoothstep(0.0, 0.02, edge))
        trim = settings[TRIM] * (1.0 - smoothstep(0.003, 0.005, edge))
        red, green, blue = red + trim, green + trim, blue + trim
        if shape[HALF_L] + shape[RAIL_M] - abs(x) < shape[HALF_W] + shape[RAIL_M] - abs(y):
            nx = math.copysign(tilt, x)
        else:
            ny = math.copysign(tilt, y)
        length = math.sqrt(nx * nx + ny * ny + 1.0)
        nx, ny, nz = nx / length, ny / length, 1.0 / length
    er = eg = eb = 0.0
    for j in range(panels.shape[0]):
        strength = panel_light(x, y, z, nx, ny, nz, panels[j])
        if strength <= 0.0:
            continue
        if surface in (LINER, HOLE_FLOOR):
            strength *= _into_hole(x, y, z, panels[j], holes)
        elif z < shape[2]:
            strength *= nose_shadow(x, y, z, panels[j], shape)
        if surface == BED:
            strength *= 1.0 - settings[OVERHANG] * _under_nose(x, y, shape, settings)
        er += strength * panels[j, 5]
        eg += strength * panels[j, 6]
        eb += strength * panels[j, 7]
    sky = ambient[3] * _sky(surface, x, y, z, shape, settings) * (0.6 + 0.4 * nz)
    direct = (er + eg + eb) / (er + eg + eb + 3.0 * sky + 1e-9)
    red *= (1.0 - 0.35 * metal) * (er + sky * ambient[0])
    green *= (1.0 - 0.35 * metal) * (eg + sky * ambient[1])
    blue *= (1.0 - 0.35 * metal) * (eb + sky * ambient[2])
    gloss = 0.0
    if surface == RAIL:
        gloss = settings[CAST_METAL] if metal > 0.5 else 0.05 * settings[RAIL_GLOSS]
    if gloss > 0.0:
        k = 2.0 * (dx * nx + dy * ny + dz * nz)
        mr, mg, mb = mirrored_light(
            x, y, z, dx - k * nx, dy - k * ny, dz - k * nz, panels, 0.35, ambient[4]
        )
        red, green, blue = red + gloss * mr, green + gloss * mg, blue + gloss * mb
    return red, green, blue, direct
