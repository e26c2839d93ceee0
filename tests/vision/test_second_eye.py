"""Two eyes: what the network alone sees is a doubt until it has shown itself a ball at rest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from tests.vision.painted_tables import straight_above, table_view
from vision.detections import Detections
from vision.finds import Finds, Kind
from vision.frames import Image
from vision.localizer import Sight
from vision.network import Network, input_size
from vision.second_eye import SecondEye, resting_balls

TOP = straight_above()
VIEW = table_view(TOP, [])
RADIUS = TOP.ball_radius_px
FRAME_S = 0.04
Thing = tuple[Kind, float, float, float]
"""Kind, place (x, y) in metres and confidence."""


def finds_of(things: list[Thing], stretched: float = 1.0) -> Finds:
    """Boxes of a ball's size (hands: four times that) around things."""
    places = TOP.from_table(np.array([(x, y) for _, x, y, _ in things]).reshape(-1, 2))
    half = np.array(
        [(4 * RADIUS,) * 2 if k is Kind.HAND else (stretched * RADIUS, RADIUS) for k, *_ in things]
    ).reshape(-1, 2)
    boxes = np.concatenate((places - half, places + half), axis=1)
    kinds = np.array([k for k, *_ in things], np.int64)
    return Finds(kinds, boxes, np.array([c for *_, c in things], np.float64))


@dataclass(eq=False)
class Script:
    """A network that sees what it is told to see."""

    things: list[Thing] = field(default_factory=list)
    looks: int = 0

    def look(self, _view: Image) -> Finds:
        """What the script says."""
        self.looks += 1
        return finds_of(self.things)


def eye_of(script: Script) -> SecondEye:
    """A second eye behind which the script looks."""

    class Told(Network):
        def look(self, view: Image) -> Finds:
            return script.look(view)

    size, filled = input_size(TOP)
    return SecondEye(TOP, Told(None, size, filled))  # type: ignore[arg-type]


def seen_at(*places: tuple[float, float]) -> Detections:
    """What the localizer sees."""
    n = len(places)
    return Detections(
        np.array(places, np.float64).reshape(-1, 2),
        np.zeros((n, 2)),
        np.ones(n),
        np.zeros((n, 3)),
        np.full(n, 0.0003),
        np.ones(n, bool),
    )


def sight_of(seen: Detections, *people: tuple[float, float]) -> Sight:
    """What the localizer saw, with arms that reach in to places from the table's edge."""
    mask = np.zeros(VIEW.shape[:2], np.uint8)
    for u, v in TOP.from_table(np.array(people).reshape(-1, 2)):
        cv2.line(mask, (round(float(u)), round(float(v))), (round(float(u)), 0), 255, 60)
    return Sight(seen, mask)


def watch(eye: SecondEye, first: int, count: int, seen: Detections) -> list[int]:
    """Detections in each of `count` frames."""
    frames = range(first, first + count)
    return [len(eye.see(VIEW, FRAME_S * i, sight_of(seen))) for i in frames]


def test_a_ball_that_only_the_network_sees_becomes_one() -> None:
    """A ball of the cloth's colour: a doubt in the first looks, then a ball in every frame."""
    eye = eye_of(Script([(Kind.BALL, 0.4, 0.2, 0.9)]))
    counts = watch(eye, 0, 60, seen_at())
    assert counts[:3] == [0, 0, 0]
    assert set(counts[8:]) == {1}
    seen = eye.see(VIEW, 3.0, sight_of(seen_at()))
    assert seen.centers_m[0] == pytest.approx([0.4, 0.2], abs=1e-6)
    assert seen.alone[0]
    assert seen.quality[0] >= 0.7


def test_what_the_localizer_sees_is_left_alone() -> None:
    """Where both see a ball the localizer's detection stays as it is."""
    eye = eye_of(Script([(Kind.BALL, 0.4, 0.2, 0.9)]))
    seen = seen_at((0.401, 0.2))
    assert watch(eye, 0, 30, seen) == [1] * 30
    last = eye.see(VIEW, 2.0, sight_of(seen))
    assert np.array_equal(last.centers_m, seen.centers_m)
    assert last.alone.all()


def test_a_ball_in_a_hand_stays_a_doubt() -> None:
    """Inside a hand's box nothing becomes a ball, however often it is seen."""
    eye = eye_of(Script([(Kind.BALL, 0.4, 0.2, 0.9), (Kind.HAND, 0.42, 0.2, 0.8)]))
    assert set(watch(eye, 0, 60, seen_at())) == {0}


@pytest.mark.parametrize(
    "thing",
    [
        (Kind.AWAY, 0.4, 0.2, 0.9),
        (Kind.BALL, 1.31, 0.2, 0.9),
        (Kind.BALL, 0.4, 0.2, 0.35),
        (Kind.TIP, 0.4, 0.2, 0.9),
    ],
    ids=["pocketed", "beyond the noses", "unsure", "tip"],
)
def test_what_is_no_ball_in_play_stays_out(thing: Thing) -> None:
    """Pocketed balls, things on the rails, faint finds and tips never become balls."""
    assert set(watch(eye_of(Script([thing])), 0, 60, seen_at())) == {0}


def test_what_moves_stays_a_doubt() -> None:
    """A knuckle that passes is never twice at one place."""
    script = Script()
    eye = eye_of(script)
    counts = []
    for i in range(40):
        script.things = [(Kind.BALL, 0.01 * i, 0.2, 0.9)]
        counts.append(len(eye.see(VIEW, FRAME_S * i, sight_of(seen_at()))))
    assert set(counts) == {0}


def test_a_ball_that_is_gone_is_gone_after_two_looks() -> None:
    """The stand-in ends when the network no longer sees the ball."""
    script = Script([(Kind.BALL, 0.4, 0.2, 0.9)])
    eye = eye_of(script)
    assert watch(eye, 0, 30, seen_at())[-1] == 1
    script.things = []
    counts = watch(eye, 30, 30, seen_at())
    assert counts[-1] == 0
    assert counts.index(0) <= 2 * eye.every_frames


def test_it_looks_now_and_then_and_when_called() -> None:
    """A few looks at the start, then every n-th frame, and at once when it is called."""
    script = Script()
    eye = eye_of(script)
    watch(eye, 0, 5, seen_at())
    assert script.looks == 5
    watch(eye, 5, 60, seen_at())
    assert script.looks == 5 + 60 // eye.every_frames
    eye.call()
    watch(eye, 65, 1, seen_at())
    assert script.looks == 6 + 60 // eye.every_frames


def test_the_pictures_shift_is_taken_out() -> None:
    """A ball in a picture that shakes by 3 mm rests where it is."""
    script = Script()
    eye = eye_of(script)
    for i in range(40):
        moved = (0.003 * np.sin(i), 0.0)
        script.things = [(Kind.BALL, 0.4 + moved[0], 0.2, 0.9)]
        seen = eye.see(VIEW, FRAME_S * i, sight_of(seen_at()), moved)
    assert seen.centers_m[0] == pytest.approx([0.4, 0.2], abs=1e-6)


def test_believed_doubts_are_marked_as_no_cloth() -> None:
    """The mask of all that is not cloth then holds the ball, and nothing else."""
    eye = eye_of(Script([(Kind.BALL, 0.4, 0.2, 0.9)]))
    first = sight_of(seen_at())
    eye.see(VIEW, 0.0, first)
    assert not first.foreground.any()
    watch(eye, 1, 20, seen_at())
    sight = sight_of(seen_at())
    eye.see(VIEW, 1.0, sight)
    assert (sight.foreground > 0).sum() == pytest.approx(np.pi * RADIUS**2, rel=0.1)
    u, v = np.rint(TOP.from_table(np.array([(0.4, 0.2)]))[0]).astype(int)
    assert sight.foreground[v, u] == 255


def test_within_an_arm_one_eye_is_not_enough() -> None:
    """A blob on a sleeve that the network takes for a ball stays a doubt."""
    eye = eye_of(Script([(Kind.BALL, 0.4, 0.2, 0.9)]))
    sights = [sight_of(seen_at(), (0.4, 0.15)) for _ in range(40)]
    assert {len(eye.see(VIEW, FRAME_S * i, s)) for i, s in enumerate(sights)} == {0}
    apart = [sight_of(seen_at(), (0.7, 0.15)) for _ in range(40)]
    eye = eye_of(Script([(Kind.BALL, 0.4, 0.2, 0.9)]))
    assert len([eye.see(VIEW, FRAME_S * i, s) for i, s in enumerate(apart)][-1]) == 1


def test_what_both_see_is_trusted() -> None:
    """A ball that touches an arm: the localizer alone begins no track, both together do."""
    touching = replace(seen_at((0.402, 0.2)), alone=np.array([False]), quality=np.array([0.6]))
    blind, eye = eye_of(Script()), eye_of(Script([(Kind.BALL, 0.4, 0.2, 0.9)]))
    for i in range(20):
        alone = blind.see(VIEW, FRAME_S * i, sight_of(touching, (0.4, 0.15)))
        both = eye.see(VIEW, FRAME_S * i, sight_of(touching, (0.4, 0.15)))
    assert not alone.alone[0]
    assert len(both) == 1
    assert both.alone[0]
    assert both.quality[0] >= 0.7
    assert both.centers_m[0].tolist() == [0.402, 0.2]


def test_a_fingertip_and_chalk_begin_no_track() -> None:
    """What the localizer alone sees in a hand or on a rail is not trusted; what both see is."""
    hand = (Kind.HAND, 0.42, 0.2, 0.4)
    tip, elsewhere = (0.4, 0.2), (0.9, 0.2)
    eye = eye_of(Script([hand]))
    seen = eye.see(VIEW, 0.0, sight_of(seen_at(tip, elsewhere)))
    assert seen.alone.tolist() == [False, True]
    assert seen.quality.tolist() == [0.6, 1.0]
    assert len(seen) == 2
    chalk = (TOP.camera.table.length_m / 2 + 0.03, 0.3)
    assert eye.see(VIEW, 0.1, sight_of(seen_at(chalk))).alone.tolist() == [False]
    both = eye_of(Script([hand, (Kind.BALL, *tip, 0.3)]))
    assert both.see(VIEW, 0.0, sight_of(seen_at(tip, elsewhere))).alone.tolist() == [True, True]


def test_a_ball_that_fell_is_not_in_play() -> None:
    """Beyond a pocket's drop nothing becomes a ball; on its brink it does."""
    corner = TOP.camera.table.length_m / 2, TOP.camera.table.width_m / 2
    fallen = (Kind.BALL, corner[0] - 0.005, corner[1] - 0.005, 0.9)
    hanging = (Kind.BALL, corner[0] - 0.030, corner[1] - 0.030, 0.9)
    assert set(watch(eye_of(Script([fallen])), 0, 40, seen_at())) == {0}
    assert watch(eye_of(Script([hanging])), 0, 40, seen_at())[-1] == 1


def test_a_ball_on_the_brink_that_looks_pocketed_is_in_play() -> None:
    """Where its whole disc is seen before the drop; behind it, or with cloth before it, not."""
    corner = TOP.camera.table.length_m / 2, TOP.camera.table.width_m / 2
    for inset_m, is_painted, count in ((0.015, True, 1), (0.015, False, 0), (0.0, True, 0)):
        place = (corner[0] - inset_m, corner[1] - inset_m)
        view = table_view(TOP, [("1", *place)]) if is_painted else VIEW
        eye = eye_of(Script([(Kind.AWAY, *place, 0.9)]))
        seen = [eye.see(view, FRAME_S * i, sight_of(seen_at())) for i in range(20)]
        assert len(seen[-1]) == count


def test_a_mark_on_the_cloth_is_no_ball() -> None:
    """On the foot spot the network alone is not believed; together with the localizer it is."""
    x_m, y_m = TOP.camera.table.foot_spot
    eye = eye_of(Script([(Kind.BALL, x_m, y_m, 0.9)]))
    assert set(watch(eye, 0, 40, seen_at())) == {0}
    weak = replace(seen_at((x_m, y_m)), quality=np.array([0.6]))
    assert eye.see(VIEW, 2.0, sight_of(weak)).quality[0] >= 0.7


def test_a_streak_is_not_a_ball_at_rest() -> None:
    """A box twice as long as a ball is left to the localizer."""
    things: list[Thing] = [(Kind.BALL, 0.4, 0.2, 0.9)]
    assert len(resting_balls(finds_of(things), TOP)) == 1
    assert len(resting_balls(finds_of(things, stretched=2.0), TOP)) == 0
