"""Touches too slight to be seen moving, and touches out of sight."""

from __future__ import annotations

import numpy as np
import pytest

from table.geometry import NINE_FOOT
from tests.vision.played import Filming, path_of, seen, table_of
from vision.contacts import Motion, breaks_of
from vision.nudges import nudge_meetings
from vision.unseen import lacks_a_cause, unseen_meetings

D = NINE_FOOT.ball_diameter_m
FPS = 30.0


def along(name: str, way: np.ndarray, seed: int = 0) -> Motion:
    """A ball seen at every frame at the places `way` (N, 2)."""
    noise = np.random.default_rng(seed).normal(0.0, 1e-4, way.shape)
    t_s = np.arange(len(way)) / FPS
    return path_of(name, list(t_s), [(float(x), float(y)) for x, y in way + noise])


def rolls_against(stop_m: float) -> dict[str, Motion]:
    """The cue ball rolls slowly toward the resting 2 and stops `stop_m` before touching it."""
    t_s = np.arange(90) / FPS
    left = np.maximum(0.0, 2.0 - t_s)
    cue = np.column_stack((0.5 - D - stop_m - 0.05 * left**2, 0 * t_s))
    two = np.column_stack((np.where(t_s < 2.0, 0.5, 0.503), 0 * t_s))
    return {"cue": along("cue", cue), "2": along("2", two, seed=1)}


def test_a_slow_ball_that_nudges_another_one_touched_it() -> None:
    """The 2 lies 3 mm farther once the cue ball has rolled against it."""
    motions = rolls_against(0.0)
    (found,) = nudge_meetings(breaks_of(motions), motions, NINE_FOOT)
    assert {found.a, found.b} == {"cue", "2"}
    assert found.t_s == pytest.approx(2.0, abs=0.2)


def test_a_ball_that_shifts_with_nothing_beside_it_was_touched_by_no_ball() -> None:
    """A change of place is not explained by a ball that stays 3 cm away."""
    motions = rolls_against(0.03)
    assert nudge_meetings(breaks_of(motions), motions, NINE_FOOT) == []


def hidden_hit() -> tuple[dict[str, Motion], float]:
    """The cue ball hits the 1, which an arm hides until 0.15 s after."""
    play = table_of({"cue": (-0.5, 0.0), "1": (0.1, 0.02)}).hits(0.4, "cue", (2.0, 0.0), 1.5)
    (hit,) = play.of("ball")[:1]
    filming = Filming(until_s=1.2, hidden={"1": [(0.0, hit.t_s + 0.15)]})
    return seen(play, filming), hit.t_s


def test_a_ball_that_rolls_out_from_under_an_arm_was_struck_there() -> None:
    """Its way leads back to the cue ball's unexplained turn."""
    motions, hit_s = hidden_hit()
    breaks = breaks_of(motions)
    (found,) = unseen_meetings(breaks, [], motions, NINE_FOOT, 0.0)
    assert (found.a, found.b) == ("cue", "1")
    assert found.t_s == pytest.approx(hit_s, abs=0.03)


def test_a_turn_of_the_cue_ball_without_a_cause_is_told() -> None:
    """Until a cause is found, something unseen may have been struck."""
    motions, hit_s = hidden_hit()
    breaks = breaks_of(motions)
    assert lacks_a_cause(breaks, [], [], 0.4, hit_s + 0.3)
    found = unseen_meetings(breaks, [], motions, NINE_FOOT, 0.0)
    assert not lacks_a_cause(breaks, found, [], 0.4, hit_s + 0.3)


def test_a_ball_that_comes_into_view_elsewhere_explains_nothing() -> None:
    """A ball that rolls in from another direction was not struck there."""
    motions, _ = hidden_hit()
    away = along("3", np.column_stack((-0.9 + 0.02 * np.arange(20), 0.5 + 0 * np.arange(20))))
    later = away.path.t_s + 0.75
    motions = {
        "cue": motions["cue"],
        "3": path_of("3", list(later), [tuple(p) for p in away.path.xy_m]),
    }
    assert unseen_meetings(breaks_of(motions), [], motions, NINE_FOOT, 0.0) == []
