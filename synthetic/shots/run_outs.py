"""A whole rack by one player: the break, then every ball in order, the ten last."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from synthetic.physics.aim import (
    cut_angle,
    direction,
    ghost_ball,
    is_clear,
    pocket_target,
)
from synthetic.physics.flight import NotPlayableError
from synthetic.physics.motion import Motion
from synthetic.physics.play import Course, Play, Stroke, resting
from synthetic.physics.pool import PoolSimulation
from synthetic.physics.pool_models import hole
from synthetic.shots.breaks import BREAK, played_break
from synthetic.shots.draft import Draft, Layout, lowest, shoot
from synthetic.shots.ordinary import entry_angle
from synthetic.truth import told
from synthetic.verdicts import Intent
from table.balls import CUE, BallName
from table.geometry import Pocket, Point, TableSpec

_BREAKS: Final = 120
_BREAKS_TRIED: Final = 5
_A_SECOND: Final = 0.3
"""What a second more costs, against the ease of the next pot."""
_STROKES: Final = 90
_GOOD_ENOUGH: Final = 1.1
"""A stroke so good ends the search for a better one."""
_STEEPEST_RAD: Final = 0.75
_BREAK_S: Final = 6.5
_STROKE_S: Final = 4.5
_APART_S: Final = 0.06
"""The cue ball's first two contacts are at least this far apart: no doubt who was first."""
_FROM_HOLE_M: Final = 0.075
"""No ball comes to rest nearer to a pocket's hole: none on the lip."""
_GAP_M: Final = 0.02
"""No two balls come to rest nearer to each other."""
_LEAD_S: Final = 1.2
_PAUSE_S: Final = 2.2
"""From rest to the next stroke: a ruling and a call fit in."""


@dataclass(frozen=True)
class _Pot:
    """One way to pocket the ball on."""

    pocket: Pocket
    ghost: Point
    cut_rad: float
    way_m: float

    @property
    def ease(self) -> float:
        """Smaller is easier: the cut and the ways of both balls."""
        return self.cut_rad + 0.25 * self.way_m


@dataclass(frozen=True, eq=False)
class _Played:
    stroke: Stroke
    pot: _Pot
    layout: Layout
    end_s: float


def run_out(rng: np.random.Generator, sim: PoolSimulation) -> Draft:
    """Break with a ball down, then every ball called and pocketed in order, the ten last.

    Raises:
        NotPlayableError: when no break was found after which every ball could be pocketed.
    """
    for broken in _breaks(rng, sim)[:_BREAKS_TRIED]:
        try:
            return _run_out_after(rng, sim, broken)
        except NotPlayableError:
            continue
    raise NotPlayableError("no break was followed by a whole rack")


def _run_out_after(rng: np.random.Generator, sim: PoolSimulation, broken: Play) -> Draft:
    first = broken.strokes[0]
    layout, rest_s = _resting(broken), _LEAD_S + broken.end_s - first.t_s
    strokes = [replace(first, t_s=_LEAD_S)]
    intents = [BREAK]
    while any(name != CUE for name in layout):
        ball = lowest(layout)
        played = _best_stroke(rng, sim, layout, ball)
        strike_s = rest_s + _PAUSE_S
        strokes.append(replace(played.stroke, t_s=strike_s))
        intents.append(Intent((ball, played.pot.pocket)))
        layout, rest_s = played.layout, strike_s + played.end_s
    course = Course(sim)
    course.place(resting(sim.table, _start(broken)))
    for stroke in strokes:
        course.strike(stroke)
    play = course.finish()
    if set(_resting(play)) != {CUE} or abs(play.end_s - rest_s) > 0.2:
        raise NotPlayableError("the strokes one after another did not give the same rack")
    return Draft("rack", play, tuple(intents), racked=True, tail_s=1.5)


def _breaks(rng: np.random.Generator, sim: PoolSimulation) -> list[Play]:
    """Legal breaks with balls down that leave a pot, those with most balls down first."""
    found: list[tuple[float, Play]] = []
    for _ in range(_BREAKS):
        try:
            play = played_break(rng, sim, (8.5, 12.5))
        except NotPlayableError:
            continue
        story = told(play)
        down = set(story.pocketed)
        if not down or down & {CUE, "10"} or story.first != "1":
            continue
        layout = _resting(play)
        if play.end_s - play.strokes[0].t_s > _BREAK_S or not _clean(sim.table, layout):
            continue
        pots = _pots(sim.table, layout, lowest(layout))
        if pots:
            length_s = play.end_s - play.strokes[0].t_s
            found.append((pots[0].ease + _A_SECOND * length_s - len(down), play))
    return [play for _, play in sorted(found, key=lambda pair: pair[0])]


def _best_stroke(
    rng: np.random.Generator, sim: PoolSimulation, layout: Layout, ball: BallName
) -> _Played:
    """The stroke that pockets the ball and leaves the easiest next one."""
    pots = _pots(sim.table, layout, ball)[:3]
    best: tuple[float, _Played] | None = None
    for turn in range(_STROKES if pots else 0):
        pot = pots[turn % len(pots)]
        played = _tried(rng, sim, layout, ball, pot)
        if played is None:
            continue
        merit = _A_SECOND * played.end_s + _next_ease(sim.table, played.layout)
        if best is None or merit < best[0]:
            best = (merit, played)
        if merit < _GOOD_ENOUGH:
            break
    if best is None or not math.isfinite(best[0]):
        raise NotPlayableError(f"the {ball} could not be pocketed with position")
    return best[1]


def _tried(
    rng: np.random.Generator, sim: PoolSimulation, layout: Layout, ball: BallName, pot: _Pot
) -> _Played | None:
    """One stroke at a pot; None when it does not do what it should."""
    stroke = Stroke(
        float(rng.uniform(1.0, 3.2)),
        direction(layout[CUE], pot.ghost) + float(rng.normal(0.0, 0.002)),
        float(rng.uniform(-0.25, 0.25)),
        float(rng.uniform(-0.4, 0.4)),
        t_s=0.5,
    )
    play = shoot(sim, layout, stroke)
    story = told(play)
    down = story.pocketed
    last = len(layout) == 2
    if story.first != ball or down.get(ball) is not pot.pocket or CUE in down:
        return None
    if ("10" in down) != last or play.end_s - 0.5 > _STROKE_S:
        return None
    times = [contact.t_s or 0.0 for contact in story.cue_contacts]
    after = _resting(play)
    if (len(times) > 1 and times[1] - times[0] < _APART_S) or not _clean(sim.table, after):
        return None
    return _Played(stroke, pot, after, play.end_s - 0.5)


def _next_ease(table: TableSpec, layout: Layout) -> float:
    if set(layout) == {CUE}:
        return 0.0
    pots = _pots(table, layout, lowest(layout))
    return pots[0].ease if pots else math.inf


def _pots(table: TableSpec, layout: Layout, ball: BallName) -> list[_Pot]:
    """The open pots of a ball, easiest first."""
    found = []
    for pocket in table.pockets:
        target = pocket_target(table, pocket)
        ghost = ghost_ball(table, layout[ball], target)
        cut = cut_angle(layout[CUE], layout[ball], target)
        entry = entry_angle(table, layout[ball], pocket)
        if cut > _STEEPEST_RAD or entry > (0.7 if pocket.is_side else 1.0):
            continue
        if not is_clear(table, layout[CUE], ghost, layout, (CUE, ball)):
            continue
        if not is_clear(table, layout[ball], target, layout, (CUE, ball)):
            continue
        way_m = math.dist(layout[CUE], ghost) + math.dist(layout[ball], target)
        found.append(_Pot(pocket, ghost, cut, way_m))
    return sorted(found, key=lambda pot: pot.ease)


def _start(play: Play) -> Layout:
    return {
        name: (float(path.start.r_m[0]), float(path.start.r_m[1]))
        for name, path in play.paths.items()
    }


def _resting(play: Play) -> Layout:
    """Where the balls lie that are still on the bed."""
    return {
        name: (float(path.end.r_m[0]), float(path.end.r_m[1]))
        for name, path in play.paths.items()
        if path.end.motion in (Motion.REST, Motion.SPIN)
    }


def _clean(table: TableSpec, layout: Layout) -> bool:
    """No ball on the lip of a pocket, none beside another."""
    places = list(layout.values())
    least = table.ball_diameter_m + _GAP_M
    if any(math.dist(a, b) < least for i, a in enumerate(places) for b in places[i + 1 :]):
        return False
    for pocket in table.pockets:
        center, radius = hole(table, pocket)
        at = (float(center[0]), float(center[1]))
        if any(math.dist(point, at) < radius + _FROM_HOLE_M for point in places):
            return False
    return CUE in layout
