"""Hands of round cones: bridges with the stick on them, a fist, a hand that holds a ball."""

from __future__ import annotations

from typing import Final

from synthetic.physics.motion import Array
from synthetic.scene.frames import Frame3, cone
from synthetic.scene.solids import Cone, Skin

CONES_A_HAND: Final = 14

Joints = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

# Fingers as knuckle, middle joint and tip (ahead, left, up), the thumb last. Bridges: the
# origin lies on the bed below the stick's axis; `up` of parts with a mark counts from the axis.
_REST_FINGERS: Final[tuple[Joints, ...]] = (
    ((-0.026, 0.040, 0.000), (0.014, 0.052, 0.024), (0.044, 0.056, 0.0075)),
    ((-0.036, 0.060, -0.006), (0.000, 0.079, 0.022), (0.027, 0.086, 0.0075)),
    ((-0.052, 0.077, -0.014), (-0.024, 0.098, 0.019), (-0.004, 0.108, 0.0075)),
)
_OPEN_INDEX: Final[Joints] = (
    (-0.020, 0.0200, -0.004), (0.022, 0.0250, 0.025), (0.055, 0.0240, 0.0075),
)  # fmt: skip
_OPEN_THUMB: Final[Joints] = (
    (-0.066, 0.004, -0.016), (-0.034, -0.0135, -0.003), (-0.008, -0.0135, 0.010),
)  # fmt: skip
_LOOP_INDEX: Final[Joints] = (
    (-0.030, 0.0200, -0.006), (-0.004, 0.0060, 0.018), (-0.002, -0.0150, 0.003),
)  # fmt: skip
_LOOP_THUMB: Final[Joints] = (
    (-0.070, 0.004, -0.018), (-0.038, -0.0140, -0.010), (-0.010, -0.0175, -0.009),
)  # fmt: skip
BRIDGE_WRIST: Final = (-0.112, 0.046, 0.034)

# From the wrist. A hand that holds a ball from above.
_HOLD: Final[tuple[Joints, ...]] = (
    ((0.070, 0.028, 0.050), (0.098, 0.030, 0.034), (0.096, 0.020, 0.012)),
    ((0.078, 0.010, 0.052), (0.108, 0.010, 0.034), (0.104, 0.006, 0.012)),
    ((0.074, -0.010, 0.050), (0.102, -0.012, 0.034), (0.098, -0.010, 0.012)),
    ((0.064, -0.028, 0.046), (0.088, -0.034, 0.032), (0.088, -0.024, 0.014)),
    ((0.030, -0.036, 0.040), (0.048, -0.050, 0.026), (0.056, -0.036, 0.010)),
)
# A fist around the stick's butt, the knuckles up.
_FIST: Final[tuple[Joints, ...]] = (
    ((0.035, 0.030, 0.020), (0.045, 0.032, -0.014), (0.018, 0.028, -0.026)),
    ((0.040, 0.010, 0.024), (0.050, 0.010, -0.014), (0.020, 0.010, -0.028)),
    ((0.038, -0.010, 0.024), (0.048, -0.010, -0.014), (0.020, -0.010, -0.028)),
    ((0.032, -0.028, 0.020), (0.042, -0.028, -0.010), (0.016, -0.026, -0.024)),
    ((0.010, 0.034, 0.000), (0.040, 0.030, -0.020), (0.048, 0.010, -0.026)),
)
# A hand laid flat on a rail or on the cloth.
_FLAT: Final[tuple[Joints, ...]] = (
    ((0.082, 0.028, 0.018), (0.122, 0.036, 0.014), (0.150, 0.040, 0.008)),
    ((0.088, 0.009, 0.020), (0.134, 0.011, 0.015), (0.166, 0.011, 0.008)),
    ((0.084, -0.011, 0.019), (0.126, -0.014, 0.014), (0.156, -0.016, 0.008)),
    ((0.074, -0.029, 0.016), (0.106, -0.037, 0.012), (0.128, -0.043, 0.008)),
    ((0.034, 0.032, 0.014), (0.062, 0.056, 0.012), (0.088, 0.066, 0.008)),
)
_POSES: Final = {"hold": _HOLD, "fist": _FIST, "flat": _FLAT}


def hand(frame: Frame3, pose: str, skin: Skin) -> list[Cone]:
    """A hand with the wrist at the frame's origin: palm of four cones, five fingers of two."""
    roots = [frame.at(0.012, 0.35 * root[1], 0.4 * root[2] + 0.006) for root, _, _ in _POSES[pose]]
    cones: list[Cone] = []
    for index, joints in enumerate(_POSES[pose]):
        points = [frame.at(*joint) for joint in joints]
        cones += _finger(points, skin, thumb=index == 4)
        if index < 4:
            cones.append(cone(roots[index], 0.0185, points[0], 0.0125, skin, "hand"))
    return cones


def bridge_hand(
    frame: Frame3, rise_m: float, skin: Skin, glove: Skin | None, *, closed: bool
) -> list[Cone]:
    """A bridge under the stick, whose axis runs `rise_m` above the frame's origin.

    Open: the stick lies in the V of thumb and index finger. Closed: the index finger's loop
    is around it. The other fingers stand on the cloth.
    """
    index, thumb = (_LOOP_INDEX, _LOOP_THUMB) if closed else (_OPEN_INDEX, _OPEN_THUMB)
    heel = frame.at(BRIDGE_WRIST[0] + 0.014, BRIDGE_WRIST[1] + 0.004, 0.026)
    cones: list[Cone] = []
    for number, joints in enumerate((index, *_REST_FINGERS, thumb)):
        lifted = _lifted(frame, joints, rise_m, number, closed=closed)
        covered = glove if glove is not None and number in (0, 1, 4) else skin
        cones += _finger(lifted, covered, thumb=number == 4)
        if number < 4:
            start = heel + 0.12 * (lifted[0] - heel)
            cones.append(cone(start, 0.0185, lifted[0], 0.0128, glove or skin, "hand"))
    return cones


def _lifted(
    frame: Frame3, joints: Joints, rise_m: float, number: int, *, closed: bool
) -> list[Array]:
    """Knuckles count from the stick's axis; joints of fingers that touch it too."""
    points: list[Array] = []
    for place, (ahead, left, up) in enumerate(joints):
        at_stick = place == 0 or number == 4 or (closed and number == 0)
        height = max(rise_m + up, 0.012) if at_stick else up + 0.25 * max(rise_m - 0.045, 0.0)
        points.append(frame.at(ahead, left, 0.0075 if place == 2 and not at_stick else height))
    return points


def _finger(points: list[Array], skin: Skin, *, thumb: bool) -> list[Cone]:
    a, b, c = points
    thick = 0.0105 if thumb else 0.0092
    return [
        cone(a, thick + 0.0006, b, thick - 0.0012, skin, "hand"),
        cone(b, thick - 0.0012, c, thick - 0.0026, skin, "hand"),
    ]
