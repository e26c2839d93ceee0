"""Tracks -> names: each number once at any time, a ball that comes back keeps its name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from table.balls import CUE, BallName
from table.geometry import NINE_FOOT, TableSpec
from vision.appearance import Appearance, merge_appearances
from vision.ballset import BUILT_IN, STANDARD, BallSet
from vision.identity import assign_names
from vision.light import Light
from vision.rack_order import rack_priors
from vision.tracker import Track

_LEAST_SIGHTINGS: Final = 6
_SURPRISE: Final = 0.5
"""Log odds for the standard set where the table itself says nothing."""
_LOOK_EVERY: Final = 4
_LOOKS_A_PLACE: Final = 20
_MOST_LOOKS: Final = 150
_LIKE_A_CUE_BALL: Final = 0.4
_SURE_LOOKS: Final = 5
_MOST_SIDES: Final = 6
_NEW_SIDE_M: Final = 0.02
"""Way after which a ball has rolled far enough to show another side."""
_PIECE_LOOKS: Final = 3
_RAREST: Final = 1e-3
"""A look misleads as often as this."""
_LASTING_SIGHTINGS: Final = 20
"""An unnamed track of fewer sightings is taken for a passing false one."""


@dataclass(eq=False)
class Looks:
    """The measured colours of one track, from every side that the ball showed."""

    seen: list[Appearance] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    apart: list[bool] = field(default_factory=list)
    side: list[int] = field(default_factory=list)
    """The number of the side that each look shows: it turns over as the ball rolls."""
    _last_frame: int = field(default=-1_000_000, init=False)
    _place_m: tuple[float, float] = field(default=(math.inf, math.inf), init=False)
    _looks_here: int = field(default=0, init=False)

    def wanted(self, frame: int, place_m: tuple[float, float]) -> bool:
        """True when one more look says something new: a ball that lies still shows one side."""
        if math.dist(place_m, self._place_m) > _NEW_SIDE_M:
            return len(self.seen) < _MOST_LOOKS
        due = frame - self._last_frame >= _LOOK_EVERY or self._looks_here < 3
        return due and self._looks_here < _LOOKS_A_PLACE and len(self.seen) < _MOST_LOOKS

    def add(self, frame: int, place_m: tuple[float, float], look: Appearance, alone: bool) -> None:
        """Keep one measurement; `alone`: nothing reached over the table beside the ball."""
        here = math.dist(place_m, self._place_m) <= _NEW_SIDE_M
        self._looks_here = self._looks_here + 1 if here else 1
        self.side.append((self.side[-1] if self.side else 0) + (not here))
        self._place_m, self._last_frame = place_m, frame
        self.seen.append(look)
        self.frames.append(frame)
        self.apart.append(alone)

    @property
    def alone(self) -> int:
        """How many looks were taken with nothing reaching over the table beside the ball."""
        return sum(self.apart)

    def between(self, first: int, last: int) -> Looks:
        """The looks of the frames first .. last, both included."""
        kept = [i for i, frame in enumerate(self.frames) if first <= frame <= last]
        return Looks(
            [self.seen[i] for i in kept],
            [self.frames[i] for i in kept],
            [self.apart[i] for i in kept],
            [self.side[i] for i in kept],
        )

    def followed_by(self, later: Looks) -> Looks:
        """These looks and then `later` ones, of other sides."""
        offset = 1 + (self.side[-1] if self.side else -1) - min(later.side, default=0)
        return Looks(
            self.seen + later.seen,
            self.frames + later.frames,
            self.apart + later.apart,
            self.side + [side + offset for side in later.side],
        )

    @property
    def merged(self) -> Appearance | None:
        """The mean look, None when the ball was never seen clearly."""
        usable = [look for look in self.seen if not look.empty]
        return merge_appearances(usable) if usable else None

    @property
    def sides(self) -> list[Appearance]:
        """The looks of each side that the ball turned up, merged; the longest seen first."""
        groups: dict[int, list[Appearance]] = {}
        for look, side in zip(self.seen, self.side, strict=True):
            if not look.empty:
                groups.setdefault(side, []).append(look)
        longest = sorted(groups.values(), key=len, reverse=True)[:_MOST_SIDES]
        return [merge_appearances(group) for group in longest]


def name_tracks(
    tracks: Sequence[Track],
    looks: Mapping[int, Looks],
    ball_set: BallSet | None,
    table: TableSpec = NINE_FOOT,
    present: Set[BallName] = frozenset(),
) -> tuple[dict[int, BallName], str]:
    """Names by track number, and the name of the ball set used.

    The tracks that were there together are named jointly; later ones take a name that is
    free at their time. A track that cannot be named is "u1", "u2"... if it lasted. `present`:
    balls that the game has on the table as long as it lasts, where the game is known.
    """
    lasting = [t for t in tracks if t.confirmed and len(t.sightings) >= _LEAST_SIGHTINGS]
    like = [t for t in lasting if _is_ball_like(t, looks)]
    first, later = first_and_later([t for t in like if not _is_fragment(t)])
    later += [t for t in like if _is_fragment(t)]
    later += [t for t in lasting if not _is_ball_like(t, looks) and _is_whole(t)]
    known = {t.number: looks[t.number].merged for t in lasting if t.number in looks}
    chosen, names, light = _name_together(first, known, looks, ball_set, table, present)
    if CUE not in names.values():
        names |= _cue_by_play(first, known, names, chosen, light, present)
    for track in later:
        name = _name_alone(track, known, chosen, light, lasting, names)
        if name is not None:
            names[track.number] = name
    unknown = 0
    for track in lasting:
        if track.number not in names and _is_surely_a_ball(track, looks.get(track.number)):
            unknown += 1
            names[track.number] = f"u{unknown}"
    return names, chosen.name


def piece_looks(
    tracks: Sequence[Track],
    looks: Mapping[int, Looks],
    ball_set: BallSet | None,
    table: TableSpec = NINE_FOOT,
) -> Callable[[int, int, int], Mapping[str, float] | None]:
    """How well the ball that a track (number, first frame, last frame) followed fits each name.

    Set and light are those that explain the fullest moment best. None where it was looked at
    too little.
    """

    @cache
    def ground() -> tuple[BallSet, Light | None]:
        """Worked out only when two balls met."""
        lasting = [t for t in tracks if t.confirmed and len(t.sightings) >= _LEAST_SIGHTINGS]
        like = [t for t in lasting if _is_ball_like(t, looks) and not _is_fragment(t)]
        first, _ = first_and_later(like)
        known = {t.number: looks[t.number].merged for t in first if t.number in looks}
        chosen, _, light = _name_together(first, known, looks, ball_set, table, frozenset())
        return chosen, light

    def logs(number: int, first_frame: int, last_frame: int) -> Mapping[str, float] | None:
        piece = looks.get(number, Looks()).between(first_frame, last_frame)
        merged = piece.merged
        if merged is None or len(piece.seen) < _PIECE_LOOKS:
            return None
        chosen, light = ground()
        named = assign_names([merged], chosen, light=light, sides=[piece.sides]).balls[0]
        return {n: math.log(max(p, _RAREST)) for n, p in named.probabilities.items()}

    return logs


def _is_ball_like(track: Track, looks: Mapping[int, Looks]) -> bool:
    """True when a track was mostly seen as a whole ball apart from hands."""
    own = looks.get(track.number)
    if own is None or not own.seen or own.alone < 0.5 * len(own.seen):
        return False
    return _quality(track) > 0.6


def _is_fragment(track: Track) -> bool:
    """True for a piece of some ball's way: it may take no name from a track that lasted."""
    return len(track.sightings) < _LASTING_SIGHTINGS


def _is_whole(track: Track) -> bool:
    """True when a ball beside a hand or a cue showed its whole outline, as no hand does."""
    return _quality(track) > 0.8


def _quality(track: Track) -> float:
    return sorted(s.quality for s in track.sightings)[len(track.sightings) // 2]


def _is_surely_a_ball(track: Track, looks: Looks | None) -> bool:
    """True when an unnamed track was seen whole on the bed, apart from every hand, for long."""
    if len(track.sightings) < _LASTING_SIGHTINGS or looks is None:
        return False
    return len(looks.seen) >= _SURE_LOOKS and looks.alone > 0.8 * len(looks.seen)


def first_and_later(tracks: Sequence[Track]) -> tuple[list[Track], list[Track]]:
    """The tracks of the moment at which most are there, and the others, longest first."""
    moments = sorted({t.sightings[0].t_s for t in tracks})
    best: list[Track] = []
    for moment in moments:
        there = [t for t in tracks if t.sightings[0].t_s <= moment <= t.sightings[-1].t_s]
        if len(there) > len(best):
            best = there
    numbers = {t.number for t in best}
    others = [t for t in tracks if t.number not in numbers]
    return best, sorted(others, key=lambda t: -len(t.sightings))


def _name_together(
    tracks: Sequence[Track],
    known: Mapping[int, Appearance | None],
    looks: Mapping[int, Looks],
    ball_set: BallSet | None,
    table: TableSpec,
    present: Set[BallName],
) -> tuple[BallSet, dict[int, BallName], Light | None]:
    seen = [(t, look) for t in tracks if (look := known.get(t.number)) is not None]
    options = [ball_set] if ball_set is not None else list(BUILT_IN.values())
    if not seen:
        return options[0], {}, None
    appearances = [look for _, look in seen]
    sides = [looks[t.number].sides for t, _ in seen]
    racked = rack_priors([(t.sightings[0].x_m, t.sightings[0].y_m) for t, _ in seen], table)
    namings = [
        assign_names(appearances, option, priors=racked, sides=sides, present=present)
        for option in options
    ]
    best = max(namings, key=lambda n: n.evidence - _SURPRISE * (n.ball_set.name != STANDARD.name))
    names = {
        track.number: ball.name
        for (track, _), ball in zip(seen, best.balls, strict=True)
        if ball.name is not None
    }
    return best.ball_set, names, best.light


def _cue_by_play(
    tracks: Sequence[Track],
    known: Mapping[int, Appearance | None],
    names: Mapping[int, BallName],
    ball_set: BallSet,
    light: Light | None,
    present: Set[BallName],
) -> dict[int, BallName]:
    """Of several balls that all look like the cue ball, the one that moved first.

    A stripe with its white cap up looks like the cue ball, but only the cue ball is struck by
    the tip. The others are then named once more without that name.
    """
    alike = []
    for track in tracks:
        look = known.get(track.number)
        if track.number in names or look is None:
            continue
        alone = assign_names([look], ball_set, light=light).balls[0]
        if alone.probabilities.get(CUE, 0.0) >= _LIKE_A_CUE_BALL:
            alike.append((track, look))
    left = [(_left_place_s(track), track, look) for track, look in alike]
    left.sort(key=lambda row: row[0])
    if not left or not math.isfinite(left[0][0]):
        return {}
    found: dict[int, BallName] = {left[0][1].number: CUE}
    allowed = set(ball_set.names) - set(names.values()) - {CUE}
    rest = left[1:]
    if rest and allowed:
        named = assign_names(
            [look for _, _, look in rest],
            ball_set,
            allowed=allowed,
            light=light,
            present=present,
        )
        for (_, track, _), ball in zip(rest, named.balls, strict=True):
            if ball.name is not None:
                found[track.number] = ball.name
    return found


def _left_place_s(track: Track) -> float:
    """When a track left its first place; infinite when it never did."""
    first = track.sightings[0]
    for sighting in track.sightings:
        if math.dist((sighting.x_m, sighting.y_m), (first.x_m, first.y_m)) > _NEW_SIDE_M:
            return sighting.t_s
    return math.inf


def _name_alone(
    track: Track,
    known: Mapping[int, Appearance | None],
    ball_set: BallSet,
    light: Light | None,
    tracks: Sequence[Track],
    names: Mapping[int, BallName],
) -> BallName | None:
    """A name for a track that began when others had gone, if only one free name fits."""
    look = known.get(track.number)
    if look is None:
        return None
    taken = {
        names[other.number] for other in tracks if other.number in names and other.overlaps(track)
    }
    allowed = set(ball_set.names) - taken
    if not allowed:
        return None
    naming = assign_names([look], ball_set, allowed=allowed, light=light)
    return naming.balls[0].name
