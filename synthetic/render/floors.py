"""The floor around the table, and the things that stand on it."""

from __future__ import annotations

import math

from synthetic.jit import compiled
from synthetic.physics.motion import Array
from synthetic.render.light import Rgb
from synthetic.render.noise import fractal_noise, lattice, smoothstep
from synthetic.scene.furniture import FLOOR_KIND, FLOOR_ONE, FLOOR_TWO, SEED


@compiled
def _on_thing(x: float, y: float, thing: Array) -> float:
    """How far inside a thing on the floor a place lies, metres; negative outside."""
    dx, dy = x - thing[0], y - thing[1]
    cos, sin = math.cos(thing[4]), math.sin(thing[4])
    u, v = abs(cos * dx + sin * dy), abs(cos * dy - sin * dx)
    if thing[5] > 0.5:
        return float(thing[2] * (1.0 - math.sqrt((u / thing[2]) ** 2 + (v / thing[3]) ** 2)))
    return float(min(thing[2] - u, thing[3] - v))


@compiled
def floor_colour(x: float, y: float, colours: Array, settings: Array, clutter: Array) -> Rgb:
    """The floor: carpet, boards, tiles, a studio's graphic or concrete, and things on it."""
    seed, kind = int(settings[SEED]), int(settings[FLOOR_KIND])
    stain = fractal_noise(x * 1.1, y * 1.1, 4, seed + 59)
    mix = 0.5 + fractal_noise(x * 2.0, y * 2.0, 3, seed + 41)
    factor = 1.0 + 0.25 * stain
    if kind == 0:
        factor *= 1.0 + 0.5 * fractal_noise(x * 140.0, y * 140.0, 2, seed + 43)
    elif kind == 1:
        board = math.floor(y / 0.11)
        end = math.floor((x + 0.7 * lattice(int(board), 9, seed)) / 1.2)
        tone = lattice(int(board), int(end), seed)
        mix = tone * 0.75 + 0.25 * mix
        factor *= 1.0 + 0.5 * fractal_noise(x * 3.0 + board * 7.3, y * 80.0, 3, seed + 47)
        if abs(y / 0.11 - board) < 0.02:
            factor *= 0.55
    elif kind == 2:
        fx, fy = x / 0.45 - math.floor(x / 0.45), y / 0.45 - math.floor(y / 0.45)
        joint = min(fx, 1.0 - fx, fy, 1.0 - fy)
        factor *= 0.78 if joint < 0.007 else 1.0
        factor *= 1.0 + 0.1 * fractal_noise(x * 7.0, y * 7.0, 4, seed + 61)
        mix = 0.3 * lattice(math.floor(x / 0.45), math.floor(y / 0.45), seed)
    elif kind == 3:
        wave = math.sin(7.0 * y + 2.5 * math.sin(x * 1.3) + 6.0 * fractal_noise(x, y, 3, seed))
        mix = 0.5 + 0.5 * wave
        factor *= 1.0 + 0.8 * fractal_noise(x * 9.0, y * 30.0, 3, seed + 53)
    else:
        factor *= 1.0 + 0.3 * stain + 0.25 * fractal_noise(x * 9.0, y * 9.0, 4, seed + 67)
        mix = 0.5 + 1.2 * fractal_noise(x * 0.9, y * 0.9, 4, seed + 71)
    one, two = colours[FLOOR_ONE], colours[FLOOR_TWO]
    mix = min(max(mix, 0.0), 1.0)
    red = factor * (one[0] + mix * (two[0] - one[0]))
    green = factor * (one[1] + mix * (two[1] - one[1]))
    blue = factor * (one[2] + mix * (two[2] - one[2]))
    for i in range(clutter.shape[0]):
        inside = _on_thing(x, y, clutter[i])
        if inside > 0.0:
            k = 0.7 + 0.3 * smoothstep(0.0, 0.012, inside)
            k *= 1.0 + 0.5 * fractal_noise(x * 12.0, y * 12.0, 3, seed + 73 + i)
            red, green, blue = clutter[i, 6] * k, clutter[i, 7] * k, clutter[i, 8] * k
        elif inside > -0.07:
            k = 0.7 + 0.3 * smoothstep(0.0, 0.07, -inside)
            red, green, blue = red * k, green * k, blue * k
    return red, green, blue
