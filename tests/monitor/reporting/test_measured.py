"""Speed, way and rest of the cue ball, on paths whose numbers are known."""

import math
from dataclasses import replace

import pytest

from monitor.diagram import Shot, ghost_of, shot_svg
from monitor.reporting.heat import COLUMNS, ROWS, density, pocket_svg
from monitor.reporting.measured import motion_of
from monitor.tracks import Track, Tracks
from table.events import BallContact, BallPocketed, ShotEnded, ShotStarted
from table.geometry import NINE_FOOT, Pocket, Point

R_M = NINE_FOOT.ball_radius_m
FRAME_S = 0.04


def straight(speed_mps: float = 2.0, contact: float = 0.25, dt_s: float = 0.002) -> Shot:
    """The cue ball rolls along y = 0 at an even speed, meets the 3 fully and stops there."""
    meets = -0.8 + speed_mps * contact
    times = tuple(index * FRAME_S for index in range(26))
    cue = tuple((-0.8 + speed_mps * min(max(0.0, t - 0.1), contact), 0.0) for t in times)
    three = (meets + 2 * R_M, 0.0)
    tracks = Tracks({"cue": Track(times, cue), "3": Track(times, (three,) * len(times))})
    start, end = 0.1, 0.1 + contact
    events = (
        ShotStarted(shot=1, t_s=start, dt_s=dt_s, balls={"cue": (-0.8, 0.0), "3": three}),
        BallContact(shot=1, t_s=end, dt_s=dt_s, a="cue", b="3"),
        BallPocketed(shot=1, t_s=end + 0.3, ball="3", pocket=Pocket.FR),
        ShotEnded(shot=1, t_s=1.0, balls={"cue": (meets, 0.0)}),
    )
    return Shot(1, events, tracks, NINE_FOOT)


def test_the_ghost_ball_touches_the_other_where_frames_show_neither() -> None:
    shot = straight(speed_mps=3.0, contact=0.23)
    contact = next(e for e in shot.events if isinstance(e, BallContact))
    ghost = ghost_of(contact, shot)
    assert ghost is not None
    assert math.dist(ghost, shot.tracks.of["3"].points[0]) == pytest.approx(2 * R_M)
    assert ghost[0] == pytest.approx(-0.8 + 3.0 * 0.23, abs=1e-6)
    assert 'class="ghost"' in shot_svg(shot)


def test_speed_is_the_way_to_the_contact_over_its_time() -> None:
    assert motion_of(straight(2.0, 0.25)).speed_mps == pytest.approx(2.0, rel=1e-6)


def test_a_long_way_to_the_contact_is_measured_over_its_first_third_of_a_second() -> None:
    slow = straight(1.0, 0.7)
    assert motion_of(slow).speed_mps == pytest.approx(1.0, rel=1e-6)


def test_a_speed_that_is_not_known_well_is_not_told() -> None:
    assert motion_of(straight(2.0, 0.05, dt_s=0.02)).speed_mps is None


def test_way_rest_and_drops() -> None:
    motion = motion_of(straight(2.0, 0.25))
    assert motion.travel_m == pytest.approx(0.5, abs=0.005)
    assert motion.cue_rest == pytest.approx((-0.3, 0.0))
    assert motion.dropped == (("3", Pocket.FR),)
    assert (motion.start_s, motion.end_s) == (0.1, 1.0)


def test_a_shot_that_goes_on_after_the_clip_has_no_rest() -> None:
    shot = straight()
    end = replace(shot.events[-1], ended_after_clip=True, t_s=None)  # type: ignore[call-arg]
    assert motion_of(replace(shot, events=(*shot.events[:-1], end))).cue_rest is None


def test_density_is_highest_where_the_cue_ball_rested_most() -> None:
    rests: list[Point] = [(0.6, 0.3), (0.61, 0.31), (-0.9, -0.4)]
    cells = density(rests, NINE_FOOT)
    assert (len(cells), len(cells[0])) == (ROWS, COLUMNS)
    row, column = max(
        ((r, c) for r in range(ROWS) for c in range(COLUMNS)), key=lambda rc: cells[rc[0]][rc[1]]
    )
    assert cells[row][column] == 1.0
    assert (column + 0.5) * 2.54 / COLUMNS - 1.27 == pytest.approx(0.6, abs=0.06)
    assert (row + 0.5) * 1.27 / ROWS - 0.635 == pytest.approx(0.3, abs=0.06)
    assert max(map(max, density([], NINE_FOOT))) == 0.0


def test_each_pocket_shows_its_number() -> None:
    drawn = pocket_svg({**dict.fromkeys(Pocket, 0), Pocket.SL: 7}, NINE_FOOT, "x")
    assert drawn.count('class="pots"') == 6
    assert ">7</text>" in drawn
