"""A broadcaster's graphics over the picture: score bar, clock, logo, rack of small balls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from synthetic.scene.balls import TV

Image = NDArray[np.uint8]

_NAMES: Final = (
    "NORTH", "SOUTH", "EAST", "WEST", "HOME", "GUEST", "RED TEAM", "BLUE TEAM", "PLAYER ONE",
    "PLAYER TWO", "CITY CLUB", "HARBOUR",
)  # fmt: skip
_FONT: Final = cv2.FONT_HERSHEY_DUPLEX


@dataclass(frozen=True, eq=False)
class Patch:
    """One graphic: (H, W, 3) colour and (H, W, 1) opacity 0..1 at a place in the picture."""

    left: int
    top: int
    colour: Image
    opacity: NDArray[np.float32]

    def draw(self, image: Image) -> None:
        """Blend into the picture, in place."""
        height, width = self.opacity.shape[:2]
        part = image[self.top : self.top + height, self.left : self.left + width]
        h, w = part.shape[:2]
        if h <= 0 or w <= 0:
            return
        a = self.opacity[:h, :w]
        part[:] = (part * (1.0 - a) + self.colour[:h, :w] * a + 0.5).astype(np.uint8)


@dataclass(frozen=True, eq=False)
class Graphics:
    """Still graphics and a clock that counts down."""

    patches: tuple[Patch, ...]
    clock: tuple[Patch, ...] = ()
    """One patch a second."""

    def draw(self, image: Image, t_s: float) -> None:
        """Draw everything over a picture, in place."""
        for patch in self.patches:
            patch.draw(image)
        if self.clock:
            self.clock[int(t_s) % len(self.clock)].draw(image)


NO_GRAPHICS: Final = Graphics(())


def random_graphics(
    rng: np.random.Generator, side: np.random.Generator, size: tuple[int, int]
) -> Graphics:
    """Graphics of one of a few styles: what is shown from `rng`, its finish from `side`."""
    width, height = size
    scale = height / 720.0
    patches = []
    if rng.random() < 0.8:
        patches.append(_score_bar(rng, width, height, scale))
    if rng.random() < 0.6:
        patches.append(_logo(rng, width, scale))
    if rng.random() < 0.4:
        patches.append(_small_balls(side, width, height, scale))
        patches[0] = _above(patches[0], patches[-1])
    clock = _clock(rng, width, height, scale) if rng.random() < 0.4 else ()
    patches = [_rounded(side, patch) for patch in patches]
    low = any(patch.top > height / 2 for patch in patches)
    if clock and low:
        # Beside the names at the top rather than over the bar.
        clock = tuple(_at(patch, int(0.04 * width), int(14 * scale)) for patch in clock)
        patches = [p for p in patches if p.top > height / 2 or p.left > 0.3 * width]
    return Graphics(tuple(patches), clock)


def _above(patch: Patch, below: Patch) -> Patch:
    """The patch moved up where it would lie over the one below."""
    bottom = patch.top + patch.opacity.shape[0]
    if patch is below or patch.top < below.top // 2 or bottom <= below.top:
        return patch
    return _at(patch, patch.left, below.top - patch.opacity.shape[0])


def _rounded(side: np.random.Generator, patch: Patch) -> Patch:
    """Most panels have round corners, some are pills."""
    height, width = patch.opacity.shape[:2]
    share = float(side.choice([0.0, 0.16, 0.3, 0.5], p=[0.2, 0.35, 0.2, 0.25]))
    radius = int(share * height)
    if radius < 2:
        return patch
    big = np.zeros((4 * height, 4 * width), dtype=np.uint8)
    r = 4 * radius
    cv2.rectangle(big, (r, 0), (4 * width - 1 - r, 4 * height - 1), 255, -1)
    cv2.rectangle(big, (0, r), (4 * width - 1, 4 * height - 1 - r), 255, -1)
    for x in (r, 4 * width - 1 - r):
        for y in (r, 4 * height - 1 - r):
            cv2.circle(big, (x, y), r, 255, -1)
    mask = cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA)
    opacity = patch.opacity * (mask[..., None].astype(np.float32) / 255.0)
    return Patch(patch.left, patch.top, patch.colour, opacity)


def _panel(width: int, height: int, colour: tuple[int, int, int], alpha: float) -> Patch:
    colours = np.empty((height, width, 3), dtype=np.uint8)
    shade = np.linspace(1.15, 0.8, height, dtype=np.float32)[:, None, None]
    colours[:] = np.clip(np.array(colour, dtype=np.float32) * shade, 0, 255)
    opacity = np.full((height, width, 1), alpha, dtype=np.float32)
    return Patch(0, 0, colours, opacity)


def _text(
    patch: Patch, text: str, at: tuple[int, int], scale: float, colour: tuple[int, int, int]
) -> None:
    thick = max(1, round(1.5 * scale))
    canvas = patch.colour
    cv2.putText(canvas, text, at, _FONT, scale, colour, thick, cv2.LINE_AA)


def _at(patch: Patch, left: int, top: int) -> Patch:
    return Patch(max(left, 0), max(top, 0), patch.colour, patch.opacity)


def _colour(rng: np.random.Generator) -> tuple[int, int, int]:
    choices = ((20, 15, 120), (15, 15, 18), (120, 15, 25), (10, 70, 90), (235, 235, 235))
    return choices[int(rng.integers(len(choices)))]


def _score_bar(rng: np.random.Generator, width: int, height: int, scale: float) -> Patch:
    wide = rng.random() < 0.6
    w = int(width * (rng.uniform(0.5, 0.85) if wide else rng.uniform(0.14, 0.22)))
    h = int((34 if wide else 64) * scale)
    back = _colour(rng)
    patch = _panel(w, h, back, float(rng.uniform(0.8, 1.0)))
    ink = (20, 20, 20) if sum(back) > 500 else (245, 245, 245)
    one, two = (str(x) for x in rng.choice(_NAMES, 2, replace=False))
    size = 0.62 * scale
    base = int(h * 0.68) if wide else int(h * 0.42)
    _text(patch, one, (int(0.06 * w), base), size, ink)
    _text(patch, str(rng.integers(0, 9)), (int((0.40 if wide else 0.85) * w), base), size, ink)
    second = (int((0.68 if wide else 0.06) * w), base if wide else int(h * 0.88))
    _text(patch, two, second, size, ink)
    _text(patch, str(rng.integers(0, 9)), (int((0.60 if wide else 0.85) * w), second[1]), size, ink)
    if wide:
        _text(patch, f"RACE TO {rng.integers(5, 12)}", (int(0.44 * w), base), 0.7 * size, ink)
    left = (width - w) // 2 if wide else int(rng.uniform(0.01, 0.05) * width)
    return _at(patch, left, height - h - int(rng.uniform(4, 50) * scale))


def _logo(rng: np.random.Generator, width: int, scale: float) -> Patch:
    w, h = int(rng.uniform(70, 150) * scale), int(rng.uniform(24, 48) * scale)
    patch = _panel(w, h, _colour(rng), 0.0)
    mask = np.zeros((h, w), dtype=np.uint8)
    cv2.putText(
        mask, ("LIVE", "TV 5", "POOL+", "STREAM")[rng.integers(4)], (4, int(0.75 * h)), _FONT,
        0.021 * h, 255, max(1, round(2 * scale)), cv2.LINE_AA,
    )  # fmt: skip
    cv2.circle(mask, (w - h // 2, h // 2), h // 3, 230, -1, cv2.LINE_AA)
    patch.colour[:] = (250, 250, 250) if rng.random() < 0.6 else (250, 150, 30)
    patch.opacity[:] = mask[..., None] / 255.0 * float(rng.uniform(0.5, 1.0))
    right = rng.random() < 0.7
    left = width - w - int(rng.uniform(8, 90) * scale) if right else int(20 * scale)
    return _at(patch, left, int(rng.uniform(6, 40) * scale))


def _small_balls(side: np.random.Generator, width: int, height: int, scale: float) -> Patch:
    """The balls that are still on the table, with their numbers."""
    r = int(9.5 * scale)
    first = int(side.integers(0, 10))
    left = [n for n in range(1, 11) if n > first or side.random() < 0.15] or [10]
    w, h = int((2.3 * len(left) + 1.6) * r), int(2.9 * r)
    light = side.random() < 0.6
    patch = _panel(w, h, (226, 226, 228) if light else (30, 31, 36), 0.96)
    for i, number in enumerate(left):
        at = (int((1.95 + 2.3 * i) * r), h // 2)
        _small_ball(patch.colour, at, r, number)
    middle = side.random() < 0.7
    x = (width - w) // 2 if middle else int(side.uniform(0.02, 0.2) * width)
    return _at(patch, x, height - h - int(side.uniform(2, 16) * scale))


def _small_ball(canvas: Image, at: tuple[int, int], r: int, number: int) -> None:
    colour = TV[str(number)]
    white, ink = (245, 245, 245), (20, 20, 20)
    if number > 8:
        cv2.circle(canvas, at, r, white, -1, cv2.LINE_AA)
        cv2.ellipse(canvas, at, (r, int(0.62 * r)), 0.0, 0.0, 360.0, colour, -1, cv2.LINE_AA)
    else:
        cv2.circle(canvas, at, r, colour, -1, cv2.LINE_AA)
    cv2.circle(canvas, at, int(0.56 * r), white, -1, cv2.LINE_AA)
    size = 0.042 * r * (0.62 if number > 9 else 0.85)
    (w, h), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    place = (at[0] - w // 2, at[1] + h // 2)
    cv2.putText(canvas, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)


def _clock(rng: np.random.Generator, width: int, height: int, scale: float) -> tuple[Patch, ...]:
    first = int(rng.integers(20, 36))
    left = int(rng.uniform(0.3, 0.8) * width)
    patches = []
    for second in range(16):
        patch = _panel(int(120 * scale), int(22 * scale), (40, 40, 44), 0.95)
        share = (first - second) / 36.0
        low, high = (34, 4), (34 + 80 * share, 18)
        ends = [(int(x * scale), int(y * scale)) for x, y in (low, high)]
        cv2.rectangle(patch.colour, ends[0], ends[1], (200, 40, 40), -1)
        at = (int(4 * scale), int(16 * scale))
        _text(patch, str(first - second), at, 0.5 * scale, (250, 250, 250))
        patches.append(_at(patch, left, height - int(30 * scale)))
    return tuple(patches)
