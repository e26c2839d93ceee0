"""Camera families: broadcast cameras, webcams, phones, and what their electronics do."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from synthetic.physics.motion import Array
from synthetic.render.sensor import Sensor

BROADCAST, WEBCAM, PHONE = "broadcast", "webcam", "phone"
_SHARES: Final = {BROADCAST: 0.58, WEBCAM: 0.27, PHONE: 0.15}
_CASTS: Final = (
    (1.10, 0.90, 1.16),
    (1.16, 1.0, 0.80),
    (1.06, 1.0, 0.90),
    (0.90, 1.0, 1.12),
    (0.95, 1.05, 0.94),
)
"""Strong errors of the white balance: purple, warm, warmish, cold, greenish."""


def electronics(side: np.random.Generator, sensor: Sensor, *, dark: bool) -> Sensor:
    """A camera of some family: its noise, sharpening, metering and white balance.

    `sensor` carries what was drawn for the room (contrast, balance, vignetting).
    """
    family = str(side.choice(list(_SHARES), p=list(_SHARES.values())))
    level = float(np.clip(side.normal(120.0, 15.0), 86.0, 148.0))
    if dark:
        level = float(side.uniform(32.0, 68.0))
    limit = float(side.uniform(0.9, 1.5) if side.random() < 0.6 else side.uniform(1.5, 2.6))
    common = replace(
        sensor,
        balance=_balance(side, sensor.balance),
        cloth_level=level,
        white_limit=limit if not dark else min(limit, 0.8),
        bloom=float(side.uniform(0.02, 0.12)) if side.random() < 0.6 else 0.0,
    )
    gain = 1.7 if dark else 1.0
    if family == BROADCAST:
        return replace(
            common,
            noise=gain * float(side.uniform(0.2, 1.6)),
            chroma_noise=gain * float(side.uniform(0.0, 0.7)),
            noise_px=float(side.uniform(0.3, 0.7)),
            sharpen=float(side.uniform(0.3, 1.1)),
            sharpen_px=float(side.uniform(0.9, 1.6)),
        )
    if family == WEBCAM:
        return replace(
            common,
            noise=gain * float(side.uniform(1.5, 4.0)),
            chroma_noise=gain * float(side.uniform(1.8, 4.8)),
            noise_px=float(side.uniform(0.7, 1.1)),
            chroma_px=float(side.uniform(1.4, 3.2)),
            sharpen=float(side.uniform(0.2, 1.3)),
            sharpen_px=float(side.uniform(1.0, 2.0)),
            blur_px=float(side.uniform(0.6, 1.2)),
            vignette=float(side.uniform(0.05, 0.4)),
            saturation=float(side.uniform(0.8, 1.3)),
        )
    return replace(
        common,
        noise=gain * float(side.uniform(1.2, 3.2)),
        chroma_noise=gain * float(side.uniform(0.8, 3.2)),
        noise_px=float(side.uniform(0.4, 0.9)),
        chroma_px=float(side.uniform(1.2, 2.6)),
        sharpen=float(side.uniform(0.5, 1.5)),
        sharpen_px=float(side.uniform(0.8, 1.5)),
    )


def _balance(
    side: np.random.Generator, balance: tuple[float, float, float]
) -> tuple[float, float, float]:
    """Now and then a camera leaves a strong cast."""
    if side.random() > 0.2:
        return balance
    cast: Array = np.array(_CASTS[int(side.integers(len(_CASTS)))])
    part = float(side.uniform(0.4, 1.2))
    r, g, b = (float(x * c**part) for x, c in zip(balance, cast, strict=True))
    return (r, g, b)
