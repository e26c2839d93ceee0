"""Departures: pocketed (where), off the table, or only hidden - by evidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from table.geometry import NINE_FOOT, Pocket, Point
from tests.vision.played import Filming, Play, path_of, seen, table_of
from vision.contacts import Motion
from vision.departures import Departure, departure_of

FRAME = 0.04


def left(motion: Motion, until_s: float) -> Departure | None:
    """How the ball left by the end of the clip."""
    return departure_of(motion, NINE_FOOT, FRAME, until_s)


def toward(pocket: Pocket, speed_mps: float, from_m: float = 0.6, off_m: float = 0.0) -> Play:
    """A ball that rolls straight at a pocket's mouth, `off_m` beside its axis."""
    shape = NINE_FOOT.pockets[pocket]
    outward = np.array(shape.outward)
    side = np.array((-outward[1], outward[0]))
    start = np.array(shape.mouth_center) - from_m * outward + off_m * side
    play = table_of({"1": (float(start[0]), float(start[1]))})
    return play.hits(0.613, "1", tuple(speed_mps * outward), 12.0)


@pytest.mark.parametrize("pocket", list(Pocket))
@pytest.mark.parametrize("speed_mps", [0.6, 2.0, 6.0])
def test_a_ball_that_rolls_into_a_pocket_is_pocketed_there(
    pocket: Pocket, speed_mps: float
) -> None:
    """At every pocket and speed: pocketed there, within a tenth of a second, surely."""
    play = toward(pocket, speed_mps)
    (fall,) = play.of("pocket")
    until = fall.t_s + 1.5
    gone = left(seen(play, Filming(until_s=until))["1"], until)
    assert gone is not None
    assert (gone.kind, gone.pocket) == ("pocketed", pocket)
    assert gone.t_s == pytest.approx(fall.t_s, abs=0.1)
    assert gone.probability > 0.98


@pytest.mark.parametrize("off_m", [-0.02, 0.02])
def test_a_ball_need_not_enter_in_the_middle(off_m: float) -> None:
    """A ball that falls beside the pocket's axis is pocketed all the same."""
    play = toward(Pocket.FL, 1.5, off_m=off_m)
    (fall,) = play.of("pocket")
    until = fall.t_s + 1.5
    gone = left(seen(play, Filming(until_s=until))["1"], until)
    assert gone is not None
    assert gone.pocket is Pocket.FL


@pytest.mark.parametrize("pocket", [Pocket.FL, Pocket.SR])
def test_a_ball_that_stays_visible_in_the_pocket_is_pocketed(pocket: Pocket) -> None:
    """A ball that is seen lying in the throat to the end of the clip has left the table."""
    play = toward(pocket, 1.2)
    (fall,) = play.of("pocket")
    shape = NINE_FOOT.pockets[pocket]
    rest = np.array(shape.mouth_center) + (shape.shelf_m + 0.035) * np.array(shape.outward)
    rows = _rows(play, fall.t_s)
    rows += [(fall.t_s + k * FRAME, *rest) for k in range(1, 60)]
    motion = path_of("1", [r[0] for r in rows], [(r[1], r[2]) for r in rows])
    gone = left(motion, rows[-1][0])
    assert gone is not None
    assert (gone.kind, gone.pocket) == ("pocketed", pocket)
    assert gone.t_s == pytest.approx(fall.t_s, abs=0.06)


def _rows(play: Play, until_s: float) -> list[tuple[float, float, float]]:
    rows = []
    for t_s in np.arange(0, until_s, FRAME):
        place = play.place("1", float(t_s))
        assert place is not None
        rows.append((float(t_s), float(place[0]), float(place[1])))
    return rows


@pytest.mark.parametrize("pocket", list(Pocket))
def test_a_ball_that_hangs_in_the_jaws_stays(pocket: Pocket) -> None:
    """A ball that stops on the shelf, short of the edge, and is seen there has not left."""
    shape = NINE_FOOT.pockets[pocket]
    depth = 0.6 * shape.shelf_m - (0.01 if pocket.is_side else 0.0)
    place = np.array(shape.mouth_center) + depth * np.array(shape.outward)
    t_s = np.arange(75) * FRAME
    way = np.maximum(0.0, 0.5 * (1.0 - t_s)) ** 2
    xy = place - way[:, None] * np.array(shape.outward)
    assert left(path_of("1", list(t_s), [tuple(p) for p in xy]), float(t_s[-1])) is None


def test_a_ball_that_rattles_and_stays_out_has_not_left() -> None:
    """A ball that meets both jaws and comes back onto the bed is in play."""
    shape = NINE_FOOT.pockets[Pocket.FL]
    mouth, outward = np.array(shape.mouth_center), np.array(shape.outward)
    side = np.array((-outward[1], outward[0]))
    corners = [
        (0.0, mouth - 0.5 * outward),
        (0.5, mouth + 0.005 * outward + 0.02 * side),
        (0.58, mouth + 0.02 * outward - 0.02 * side),
        (0.66, mouth + 0.005 * outward + 0.01 * side),
        (1.2, mouth - 0.15 * outward),
    ]
    motion = _along(corners, 3.0)
    assert left(motion, 3.0) is None


def _along(corners: Sequence[tuple[float, np.ndarray]], until_s: float) -> Motion:
    """A ball that passes given places at given times, straight between, and then lies."""
    t_s = np.arange(0, until_s + 1e-9, FRAME)
    times = [c[0] for c in corners]
    xy = np.column_stack([np.interp(t_s, times, [c[1][i] for c in corners]) for i in (0, 1)])
    noise = np.random.default_rng(0).normal(0, 3e-4, xy.shape)
    return path_of("1", list(t_s), [tuple(p) for p in xy + noise])


@pytest.mark.parametrize(
    ("start", "velocity"),
    [
        ((0.9, 0.1), (4.0, 0.5)),
        ((-0.9, 0.1), (-3.0, 0.0)),
        ((0.5, 0.2), (0.5, 3.0)),
        ((-0.6, -0.2), (0.3, -3.0)),
    ],
)
@pytest.mark.parametrize("beyond_m", [0.07, 0.12])
def test_a_ball_that_flies_over_a_rail_is_off_the_table(
    start: Point, velocity: Point, beyond_m: float
) -> None:
    """A ball that is seen over a rail, outside every pocket, and never again has left there."""
    rows: list[tuple[float, Point]] = []
    t_s = 0.0
    while True:
        fly = max(0.0, t_s - 0.6)
        place = (start[0] + velocity[0] * fly, start[1] + velocity[1] * fly)
        if not NINE_FOOT.contains(place, beyond_m):
            break
        rows.append((t_s, place))
        t_s += FRAME
    motion = path_of("1", [r[0] for r in rows], [r[1] for r in rows])
    gone = left(motion, t_s + 1.5)
    assert gone is not None
    assert gone.kind == "off_table"
    assert gone.pocket is None
    assert gone.t_s == pytest.approx(t_s - FRAME, abs=0.1)


def test_a_ball_that_flies_over_a_pocket_is_off_the_table() -> None:
    """A fast ball that is seen on, straight and fast, behind a corner pocket's back flew off."""
    shape = NINE_FOOT.pockets[Pocket.FL]
    outward, mouth = np.array(shape.outward), np.array(shape.mouth_center)
    rows = [(k * 0.02, tuple(mouth - 0.9 * outward)) for k in range(20)]
    rows += [
        (0.38 + k * 0.02, tuple(mouth + (-0.9 + 3.0 * k * 0.02) * outward)) for k in range(1, 20)
    ]
    motion = path_of("1", [r[0] for r in rows], [r[1] for r in rows])
    gone = departure_of(motion, NINE_FOOT, 0.02, 2.5)
    assert gone is not None
    assert gone.kind == "off_table"


def test_a_ball_that_jumps_over_the_rail_and_lands_back_is_on_the_table() -> None:
    """A ball that ran along a rail's top and came back onto the bed is in play."""
    corners = [
        (0.0, np.array((0.5, 0.3))),
        (0.3, np.array((0.5, 0.68))),
        (0.5, np.array((0.55, 0.68))),
        (0.9, np.array((0.55, 0.3))),
    ]
    assert left(_along(corners, 2.5), 2.5) is None


def test_a_resting_ball_that_disappears_is_hidden() -> None:
    """A ball at rest on the bed that is no longer seen is hidden, not gone."""
    t_s = np.arange(30) * FRAME
    motion = path_of("1", list(t_s), [(0.2, 0.1)] * 30)
    gone = left(motion, 4.0)
    assert gone is not None
    assert gone.kind == "hidden"


@pytest.mark.parametrize("velocity", [(0.8, 0.1), (-0.4, 0.3)])
def test_a_rolling_ball_that_disappears_in_mid_table_is_hidden(velocity: Point) -> None:
    """A ball that rolls under an arm far from pockets and rails is hidden, not gone."""
    play = table_of({"1": (-0.3, 0.0)}).hits(0.4, "1", velocity, 3.0)
    gone = left(seen(play, Filming(until_s=0.9))["1"], 3.0)
    assert gone is not None
    assert gone.kind == "hidden"


def test_a_ball_that_rolls_away_from_a_pocket_is_not_pocketed() -> None:
    """Last seen near a pocket but moving away from it: not pocketed there."""
    shape = NINE_FOOT.pockets[Pocket.SL]
    start = np.array(shape.mouth_center) - 0.08 * np.array(shape.outward)
    play = table_of({"1": (float(start[0]), float(start[1]))}).hits(0.4, "1", (0.2, -1.0), 3.0)
    gone = left(seen(play, Filming(until_s=0.55))["1"], 3.0)
    assert gone is None or gone.kind != "pocketed"


def test_a_ball_seen_to_the_end_has_not_left() -> None:
    """A ball that is seen in the last frames is on the table."""
    play = toward(Pocket.FL, 1.0)
    (fall,) = play.of("pocket")
    assert left(seen(play, Filming(until_s=fall.t_s - 0.2))["1"], fall.t_s - 0.2) is None


def test_a_ball_unseen_for_the_last_moment_only_may_still_be_there() -> None:
    """Unseen for less than a quarter of a second at the end: no departure is claimed."""
    t_s = np.arange(30) * FRAME
    motion = path_of("1", list(t_s), [(0.2, 0.1)] * 30)
    assert left(motion, float(t_s[-1]) + 0.2) is None


def test_a_pocketless_table_pockets_nothing() -> None:
    """On a carom table a ball that disappears in a corner is not pocketed."""
    table = type(NINE_FOOT)(has_pockets=False)
    t_s = np.arange(20) * FRAME
    xy = [(1.0 + 0.3 * t, 0.4 + 0.25 * t) for t in t_s]
    gone = departure_of(path_of("u1", list(t_s), xy), table, FRAME, 3.0)
    assert gone is None or gone.kind != "pocketed"


def test_a_fast_ball_that_vanishes_toward_a_rail_may_have_left() -> None:
    """Somebody hid it for seconds: that it left is as likely as not, and is asked about."""
    t_s = np.arange(10) * FRAME
    rows = [(0.2 + 2.0 * float(t), 0.1) for t in t_s]
    motion = path_of("1", list(t_s), rows)
    gone = left(motion, float(t_s[-1]) + 3.0)
    assert gone is not None
    assert (gone.kind, gone.probability) == ("off_table", 0.5)


def test_a_fast_ball_that_vanishes_for_a_moment_is_hidden() -> None:
    """Half a second under an arm says nothing."""
    t_s = np.arange(8) * FRAME
    rows = [(-0.4 + 2.0 * float(t), 0.1) for t in t_s]
    motion = path_of("1", list(t_s), rows)
    gone = left(motion, float(t_s[-1]) + 0.6)
    assert gone is not None
    assert gone.kind == "hidden"
