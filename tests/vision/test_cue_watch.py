"""The cue frame by frame: seen, aimed, held or laid down."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.test_cue import TOP, hand_on, mask_of
from vision.cue_watch import CueWatch
from vision.finds import Finds, Kind
from vision.frames import Image
from vision.seen_cues import SeenCues


def tip_at(x_m: float, y_m: float) -> Finds:
    """The network sees a tip."""
    u, v = TOP.from_table(np.array([(x_m, y_m)]))[0]
    return Finds(
        np.array([int(Kind.TIP)]), np.array([(u - 14, v - 14, u + 14, v + 14)]), np.array([0.8])
    )


TIP = tip_at(0.7, 0.1)


def watch(
    masks: list[Image], moved_m: tuple[float, float] = (0.0, 0.0), finds: Finds = TIP
) -> SeenCues:
    """Watch masks, one every 0.2 s."""
    cues = CueWatch(TOP)
    for index, mask in enumerate(masks):
        cues.update(0.2 * index, mask, finds, moved_m)
    return cues.found


def lying() -> Image:
    """A cue that lies on the cloth from end to end."""
    return mask_of((0.7, 0.1), 4.0, elevation_deg=0.0)


def test_a_cue_let_go_lies() -> None:
    """From its first frame on, once, after a second."""
    assert watch([lying()] * 4).lying_since_s == []
    assert watch([np.zeros_like(lying())] * 3 + [lying()] * 12).lying_since_s == [0.2 * 3]


def test_a_cue_in_a_hand_does_not_lie() -> None:
    """A hand on the shaft, or a butt beyond the table's edge: it is held."""
    assert watch([hand_on(lying(), (0.2, 0.07))] * 12).lying_since_s == []
    reaching = [mask_of((-0.9, 0.1), 4.0)] * 12
    assert watch(reaching, finds=tip_at(-0.9, 0.1)).lying_since_s == []


def test_what_only_the_mask_shows_does_not_lie() -> None:
    """A line where the network sees no tip: the cloth was learned with a cue in the picture."""
    assert watch([lying()] * 12, finds=Finds.none()).lying_since_s == []


def test_balls_near_a_lying_cue_are_no_hand() -> None:
    """Three balls beside it change nothing."""
    mask = lying()
    for x_m in (0.0, 0.2, 0.4):
        u, v = TOP.from_table(np.array([(x_m, 0.3)]))[0]
        cv2.circle(mask, (round(float(u)), round(float(v))), 14, 255, -1)
    assert watch([mask] * 12).lying_since_s == [0.0]


def test_the_pictures_shift_is_taken_out() -> None:
    """The tip is where it is on the table, not in the picture."""
    plain = watch([mask_of((0.1, 0.05), 33.0)]).seen[0][1]
    moved = watch([mask_of((0.1, 0.05), 33.0)], (0.003, -0.002)).seen[0][1]
    assert np.allclose(np.subtract(plain.tip_m, moved.tip_m), (0.003, -0.002))
    assert plain.direction_rad == moved.direction_rad
