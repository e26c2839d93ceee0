"""One shot as an SVG drawing of the table to scale: paths, contacts, pockets.

Drawing units are millimetres; the head end lies on the left, the picture's y grows
downwards (table y negated). Numbers in circles refer to the event list beside it; below them
stand the seconds since the stroke.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Final

from monitor.ball_looks import IVORY, look_of
from monitor.table_drawing import RAIL_M, circle, mm, table_svg
from monitor.tracks import Tracks, moved, simplified
from table.balls import BallName, ball_order
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    LateDrop,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.geometry import Point, TableSpec

MARK_M: Final = 0.033
PATH_TOLERANCE_M: Final = 0.002
LEAST_TRAVEL_M: Final = 0.01
"""A ball that moved less than this has no path."""
MOST_MARKS: Final = 40
"""A break has more contacts than can be told apart; beyond this only the telling ones show."""
MOST_GHOSTS: Final = 8
NEAR_M: Final = 0.6
"""A ball of 15 m/s goes so far between two frames of 25 a second."""
MOST_TIMES: Final = 16
"""Beyond so many marks their times stand in the event list only."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One shot as the drawing needs it: its events in order and everybody's tracks."""

    number: int
    events: tuple[ShotEvent, ...]
    tracks: Tracks
    table: TableSpec
    ball_set: str | None = None

    @property
    def started(self) -> ShotStarted | None:
        """The event that opens the shot."""
        return next((e for e in self.events if isinstance(e, ShotStarted)), None)

    @property
    def ended(self) -> ShotEnded | None:
        """The event that closes the shot."""
        return next((e for e in self.events if isinstance(e, ShotEnded)), None)

    @property
    def span_s(self) -> tuple[float, float]:
        """Times between which the balls moved; as far as the tracks reach where unknown."""
        start = self.started.t_s if self.started else None
        end = self.ended.t_s if self.ended else None
        return (-math.inf if start is None else start, math.inf if end is None else end)

    def path_of(self, ball: BallName) -> tuple[Point, ...]:
        """Where `ball` went during this shot, until it fell or left the table.

        From where it stood to where it came to rest: frames begin after the stroke.
        """
        track = self.tracks.of.get(ball)
        if track is None:
            return ()
        start_s, end_s = self.span_s
        points = track.between(start_s, min(end_s, self.departures.get(ball, math.inf)))
        points = self._from_place_to_place(ball, points)
        fell = next(
            (e for e in self.events if isinstance(e, BallPocketed) and e.ball == ball), None
        )
        shape = self.table.pockets.get(fell.pocket) if fell and points else None
        if shape is None:
            return points
        above = takewhile(lambda point: not shape.is_past_return(point), points)
        return (*above, shape.drop_point)

    def _from_place_to_place(self, ball: BallName, points: tuple[Point, ...]) -> tuple[Point, ...]:
        """The points with the places of rest before and after, where these are near."""
        before = self.started.balls.get(ball) if self.started else None
        after = self.ended.balls.get(ball) if self.ended else None
        if points and before is not None and math.dist(before, points[0]) < NEAR_M:
            points = (before, *points)
        if points and after is not None and math.dist(after, points[-1]) < NEAR_M:
            points = (*points, after)
        return points

    @property
    def departures(self) -> dict[BallName, float]:
        """When balls fell or left the table."""
        gone = (BallPocketed, BallOffTable, LateDrop)
        return {e.ball: e.t_s for e in self.events if isinstance(e, gone) and e.t_s is not None}


def place_of(event: ShotEvent, shot: Shot) -> Point | None:
    """Where an event happened, table frame; None when it has no place."""
    match event:
        case BallContact():
            a, b = shot.tracks.at(event.a, event.t_s), shot.tracks.at(event.b, event.t_s)
            if a and b:
                return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
            return a or b
        case CushionContact():
            return shot.tracks.at(event.ball, event.t_s)
        case BallPocketed() | LateDrop():
            shape = shot.table.pockets.get(event.pocket)
            return shape.drop_point if shape else None
        case BallOffTable():
            return shot.tracks.at(event.ball, event.t_s) or _last_point(event.ball, shot)
    return None


def numbered(events: Sequence[ShotEvent]) -> list[tuple[int, ShotEvent]]:
    """The events that a reader may want to find in the drawing, numbered from 1."""
    wanted = (BallContact, CushionContact, BallPocketed, BallOffTable, LateDrop)
    return list(enumerate((e for e in events if isinstance(e, wanted)), start=1))


def shot_svg(shot: Shot) -> str:
    """The drawing of one shot as a complete <svg> element."""
    label = f"Shot {shot.number}: the table from above, head end on the left"
    return table_svg(
        shot.table, label, chain(_paths(shot), _balls(shot), _ghosts(shot), _marks(shot))
    )


def _paths(shot: Shot) -> Iterator[str]:
    for ball in sorted(shot.tracks.of, key=ball_order):
        points = simplified(shot.path_of(ball), PATH_TOLERANCE_M)
        if not moved(points, LEAST_TRAVEL_M):
            continue
        text = " ".join(f"{mm(x)},{mm(-y)}" for x, y in points)
        look = look_of(ball, shot.ball_set)
        yield f'<polyline class="casing" points="{text}"/>'
        dash = ' stroke-dasharray="26 14"' if look.striped else ""
        yield (
            f'<polyline class="path" data-ball="{ball}" stroke="{look.colour}"{dash} '
            f'points="{text}"/>'
        )


def _balls(shot: Shot) -> Iterator[str]:
    radius_m = shot.table.ball_radius_m
    ended = shot.ended.balls if shot.ended else {}
    started = shot.started.balls if shot.started else {}
    for ball, point in sorted(ended.items(), key=lambda item: ball_order(item[0])):
        before = started.get(ball)
        if before is None or math.dist(before, point) > LEAST_TRAVEL_M:
            yield from _disc(ball, point, radius_m, shot.ball_set, "end")
    for ball, point in sorted(started.items(), key=lambda item: ball_order(item[0])):
        moved = ball not in ended or math.dist(ended[ball], point) > LEAST_TRAVEL_M
        yield from _disc(ball, point, radius_m, shot.ball_set, "start" if moved else "still")


def _disc(
    ball: BallName, point: Point, radius_m: float, ball_set: str | None, role: str
) -> Iterator[str]:
    """A ball: pale where the shot moved it away, with a ring where it came to rest."""
    look = look_of(ball, ball_set)
    x, y, r = mm(point[0]), mm(-point[1]), mm(radius_m)
    yield f'<g class="ball {role}" data-ball="{ball}">'
    fill = IVORY if look.striped else look.colour
    yield f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>'
    if look.striped:
        half, across = mm(radius_m * 0.55), mm(radius_m * 0.83)
        yield (
            f'<path d="M{_minus(x, across)} {_minus(y, half)} H{_plus(x, across)} '
            f"A{r} {r} 0 0 1 {_plus(x, across)} {_plus(y, half)} H{_minus(x, across)} "
            f'A{r} {r} 0 0 1 {_minus(x, across)} {_minus(y, half)} Z" fill="{look.colour}"/>'
        )
    if ball != "cue":
        yield f'<text x="{x}" y="{y}" dy=".36em" fill="{look.text_colour}">{ball}</text>'
    yield "</g>"


def ghost_of(contact: BallContact, shot: Shot) -> Point | None:
    """The centre of the striking ball at the moment of a ball contact, table frame.

    On its way before the contact, 2R from the other ball's centre: between two frames an
    interpolated position would cut the corner. None where either way is not known.
    """
    striker, struck = (shot.tracks.of.get(ball) for ball in (contact.a, contact.b))
    if striker is None or struck is None or contact.t_s is None:
        return None
    before = striker.last_before(contact.t_s, 2)
    other = struck.last_before(contact.t_s, 1)
    if len(before) < 2 or not other:
        return None
    return _touching(before[0], before[1], other[0], 2 * shot.table.ball_radius_m)


def _touching(start: Point, then: Point, other: Point, apart_m: float) -> Point | None:
    """Where the line start-then first comes within `apart_m` of `other`."""
    way_m = math.dist(start, then)
    if way_m < 1e-6:
        return None
    ux, uy = (then[0] - start[0]) / way_m, (then[1] - start[1]) / way_m
    dx, dy = other[0] - start[0], other[1] - start[1]
    along, across = dx * ux + dy * uy, dx * uy - dy * ux
    if abs(across) > apart_m:
        return None
    reach = along - math.sqrt(apart_m**2 - across**2)
    return (start[0] + reach * ux, start[1] + reach * uy)


def _ghosts(shot: Shot) -> Iterator[str]:
    """Where the striking ball was at each contact; on a break at the first one only."""
    contacts = [e for e in shot.events if isinstance(e, BallContact)]
    for contact in contacts[: 1 if len(contacts) > MOST_GHOSTS else None]:
        place = ghost_of(contact, shot)
        if place is not None:
            yield circle("ghost", place, shot.table.ball_radius_m)


def _marks(shot: Shot) -> Iterator[str]:
    rows = numbered(shot.events)
    if len(rows) > MOST_MARKS:
        first = next((n for n, e in rows if isinstance(e, BallContact)), 0)
        telling = (BallPocketed, BallOffTable, LateDrop)
        rows = [(n, e) for n, e in rows if n == first or isinstance(e, telling)]
    taken: list[Point] = []
    start_s = shot.started.t_s if shot.started and len(rows) <= MOST_TIMES else None
    for number, event in rows:
        place = place_of(event, shot)
        if place is None:
            continue
        spot = _free_place(place, taken, shot.table)
        taken.append(spot)
        kind = event.kind.replace("_", "-")
        yield (
            f'<line class="lead" x1="{mm(place[0])}" y1="{mm(-place[1])}" '
            f'x2="{mm(spot[0])}" y2="{mm(-spot[1])}"/>'
        )
        yield circle("point", place, 0.006)
        yield f'<g class="mark {kind}">{circle("", spot, MARK_M)}'
        yield f'<text x="{mm(spot[0])}" y="{mm(-spot[1])}" dy=".36em">{number}</text>'
        if start_s is not None and event.t_s is not None:
            below = mm(-spot[1] + MARK_M + 0.024)
            yield (
                f'<text class="at" x="{mm(spot[0])}" y="{below}">'
                f"+{max(0.0, event.t_s - start_s):.2f}</text>"
            )
        yield "</g>"


def _free_place(place: Point, taken: Sequence[Point], table: TableSpec) -> Point:
    """A place for a number near `place` that covers no other number."""
    for reach in (0.075, 0.11, 0.15, 0.2):
        for step in range(8):
            angle = math.radians(60 + 45 * step)
            spot = (place[0] + reach * math.cos(angle), place[1] + reach * math.sin(angle))
            if table.contains(spot, RAIL_M - MARK_M) and all(
                math.dist(spot, other) > 2.1 * MARK_M for other in taken
            ):
                return spot
    return place


def _last_point(ball: BallName, shot: Shot) -> Point | None:
    points = shot.path_of(ball)
    return points[-1] if points else None


def _plus(a: str, b: str) -> str:
    return f"{float(a) + float(b):.1f}"


def _minus(a: str, b: str) -> str:
    return f"{float(a) - float(b):.1f}"
