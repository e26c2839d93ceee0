"""Shots played by hand physics, exact to rounding, and what a camera would see of them.

Balls roll straight with constant deceleration, rebound from noses with a fixed restitution
and collide without friction; every impact's time is a root, not a time step. So each
happening's truth is known to nanoseconds, whatever the frame rate.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from table.geometry import NINE_FOOT, Point, TableSpec
from vision.contacts import Motion
from vision.legs import legs_of
from vision.paths import Path
from vision.spans import Clock

ROLLING_MPS2 = 0.15
BALL_RESTITUTION = 0.95
NOSE_RESTITUTION = 0.75


@dataclass(frozen=True)
class Happening:
    """One truth: "ball", "cushion", "jaw" or "pocket" of ball `a`; `b` is the other thing."""

    t_s: float
    kind: str
    a: str
    b: str = ""


@dataclass(frozen=True)
class Stretch:
    """Smooth motion of one ball from t0 on: p + v dt - u rolling dt^2 / 2, until it stops."""

    t0_s: float
    p: np.ndarray
    v: np.ndarray

    @property
    def speed(self) -> float:
        return float(np.hypot(*self.v))

    @property
    def stop_s(self) -> float:
        return self.t0_s + self.speed / ROLLING_MPS2

    @property
    def a(self) -> np.ndarray:
        return -ROLLING_MPS2 * self.v / self.speed if self.speed > 0 else np.zeros(2)

    def place(self, t_s: float) -> np.ndarray:
        dt = min(t_s, self.stop_s) - self.t0_s
        return self.p + self.v * dt + 0.5 * self.a * dt * dt

    def velocity(self, t_s: float) -> np.ndarray:
        return np.zeros(2) if t_s >= self.stop_s else self.v + self.a * (t_s - self.t0_s)


@dataclass
class Play:
    """A played shot: where every ball is at any time, and what happened when."""

    table: TableSpec
    stretches: dict[str, list[Stretch]]
    happenings: list[Happening] = field(default_factory=list)
    gone_s: dict[str, float] = field(default_factory=dict)

    def place(self, ball: str, t_s: float) -> np.ndarray | None:
        """The ball's centre, None when it has fallen."""
        if t_s >= self.gone_s.get(ball, math.inf):
            return None
        running = [s for s in self.stretches[ball] if s.t0_s <= t_s]
        return (running[-1] if running else self.stretches[ball][0]).place(t_s)

    def of(self, kind: str, ball: str | None = None) -> list[Happening]:
        """The happenings of one kind, of one ball when given."""
        return [h for h in self.happenings if h.kind == kind and ball in (None, h.a, h.b)]

    @property
    def rest_s(self) -> float:
        """When the last ball stopped or fell."""
        ends = [rows[-1].stop_s for name, rows in self.stretches.items() if name not in self.gone_s]
        return max([*ends, *self.gone_s.values()])

    def hits(self, t_s: float, ball: str, velocity: Point, until_s: float = 60.0) -> Play:
        """Strike a ball at t, then let everything run on."""
        self._set(ball, t_s, self.place(ball, t_s), np.array(velocity, float))
        self._run(t_s, until_s)
        return self

    def _set(self, ball: str, t_s: float, p: np.ndarray | None, v: np.ndarray) -> None:
        assert p is not None
        self.stretches[ball].append(Stretch(t_s, np.asarray(p, float), v))

    def _run(self, t_s: float, until_s: float) -> None:
        for _ in range(500):
            found = self._next(t_s)
            if found is None or found.t_s > until_s:
                return
            t_s = found.t_s
            self.happenings.append(found)
            if found.kind == "ball":
                self._collide(found)
            elif found.kind == "cushion":
                self._rebound(found, np.array(self.table.cushions[found.b].inward))
            elif found.kind == "jaw":
                off = self._live()[found.a].place(t_s) - self._tips()[found.b]
                self._rebound(found, off / np.hypot(*off))
            else:
                self.gone_s[found.a] = t_s

    def _tips(self) -> dict[str, np.ndarray]:
        """The ends of the noses: what a ball meets beside a nose's end."""
        shapes = self.table.pockets.values()
        rows = [(f"{s.pocket}{i}", tip) for s in shapes for i, tip in enumerate((s.jaw_a, s.jaw_b))]
        return {name: np.array(tip) for name, tip in rows}

    def _live(self) -> dict[str, Stretch]:
        return {n: rows[-1] for n, rows in self.stretches.items() if n not in self.gone_s}

    def _next(self, t_s: float) -> Happening | None:
        live = self._live()
        options: list[Happening] = []
        for name, stretch in live.items():
            options += self._edges(name, stretch, t_s)
        for (a, one), (b, two) in itertools.combinations(live.items(), 2):
            at = _collision(one, two, t_s, self.table.ball_diameter_m)
            if at is not None:
                options.append(Happening(at, "ball", a, b))
        return min(options, key=lambda h: h.t_s, default=None)

    def _edges(self, name: str, stretch: Stretch, t_s: float) -> list[Happening]:
        found = []
        for cushion in self.table.cushions.values():
            inward = np.array(cushion.inward)
            gap = cushion.distance_m(tuple(stretch.p)) - self.table.ball_radius_m
            at = _crossing(stretch, gap, inward, t_s)
            if at is None or stretch.velocity(at) @ inward >= -1e-9:
                continue
            along = cushion.along_m(tuple(stretch.place(at)))
            if 0 <= along <= cushion.length_m:
                found.append(Happening(at, "cushion", name, cushion.cushion))
        for tip, place in self._tips().items():
            still = Stretch(t_s, place, np.zeros(2))
            at = _collision(stretch, still, t_s, self.table.ball_radius_m)
            if at is not None:
                found.append(Happening(at, "jaw", name, tip))
        for pocket in self.table.pockets.values():
            outward = np.array(pocket.outward)
            gap = pocket.shelf_m - pocket.depth_m(tuple(stretch.p))
            at = _crossing(stretch, gap, -outward, t_s)
            if at is not None and abs(pocket.offset_m(tuple(stretch.place(at)))) < (
                pocket.mouth_m / 2
            ):
                found.append(Happening(at, "pocket", name, pocket.pocket))
        return found

    def _collide(self, hit: Happening) -> None:
        one, two = self.stretches[hit.a][-1], self.stretches[hit.b][-1]
        p, q = one.place(hit.t_s), two.place(hit.t_s)
        v, w = one.velocity(hit.t_s), two.velocity(hit.t_s)
        line = (q - p) / np.hypot(*(q - p))
        push = 0.5 * (1 + BALL_RESTITUTION) * float((v - w) @ line) * line
        self._set(hit.a, hit.t_s, p, v - push)
        self._set(hit.b, hit.t_s, q, w + push)

    def _rebound(self, hit: Happening, inward: np.ndarray) -> None:
        stretch = self.stretches[hit.a][-1]
        v = stretch.velocity(hit.t_s)
        back = v - (1 + NOSE_RESTITUTION) * float(v @ inward) * inward
        self._set(hit.a, hit.t_s, stretch.place(hit.t_s), back)


def _crossing(stretch: Stretch, gap: float, inward: np.ndarray, t_s: float) -> float | None:
    """First time after t at which gap + (motion . inward) reaches zero from above."""
    if stretch.speed == 0.0:
        return None
    curve = [0.5 * stretch.a @ inward, stretch.v @ inward, gap]
    # A curvature of nothing but rounding would send a root to infinity.
    roots = np.roots(curve if abs(curve[0]) > 1e-9 else curve[1:])
    times = stretch.t0_s + roots[np.abs(roots.imag) < 1e-9].real
    good = [t for t in times if t_s - 1e-12 < t < stretch.stop_s]
    falling = [t for t in good if stretch.velocity(t) @ inward < 0 and t > stretch.t0_s + 1e-9]
    return float(min(falling)) if falling else None


def _collision(one: Stretch, two: Stretch, t_s: float, distance_m: float) -> float | None:
    """First time after t at which two centres come within a distance, approaching."""
    if one.velocity(t_s) @ one.velocity(t_s) + two.velocity(t_s) @ two.velocity(t_s) == 0:
        return None
    ends = sorted({min(max(s.stop_s, t_s), t_s + 30.0) for s in (one, two) if s.speed})
    start = t_s
    for end in ends:
        dp = two.place(start) - one.place(start)
        dv = two.velocity(start) - one.velocity(start)
        da = (two.a if start < two.stop_s else 0 * two.a) - (
            one.a if start < one.stop_s else 0 * one.a
        )
        square = np.polyadd(
            np.polyadd(
                np.polymul([da[0] / 2, dv[0], dp[0]], [da[0] / 2, dv[0], dp[0]]),
                np.polymul([da[1] / 2, dv[1], dp[1]], [da[1] / 2, dv[1], dp[1]]),
            ),
            [-(distance_m**2)],
        )
        # Leading terms of nothing but rounding would send roots to infinity.
        square = np.trim_zeros(np.where(np.abs(square) > 1e-12, square, 0.0), "f")
        roots = np.roots(square)
        slope = np.polyder(square)
        real = roots[np.abs(roots.imag) < 1e-7].real
        times = [r for r in real if -1e-9 < r <= end - start and np.polyval(slope, r) < -1e-9]
        if times:
            return float(start + max(0.0, min(times)))
        start = end
    return None


def table_of(balls: Mapping[str, Point], table: TableSpec = NINE_FOOT) -> Play:
    """Resting balls at their places, nothing played yet."""
    rows = {n: [Stretch(-1e3, np.array(p, float), np.zeros(2))] for n, p in balls.items()}
    return Play(table, rows)


@dataclass(frozen=True)
class Filming:
    """How a play is seen: frames, their noise, and what is hidden."""

    fps: float = 25.0
    from_s: float = 0.0
    until_s: float = 8.0
    noise_m: float = 0.0004
    seed: int = 0
    hidden: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)

    @property
    def times_s(self) -> np.ndarray:
        """Presentation times of the frames."""
        count = round((self.until_s - self.from_s) * self.fps) + 1
        return self.from_s + np.arange(count) / self.fps

    @property
    def clock(self) -> Clock:
        """First and last frame and the time between frames."""
        times = self.times_s
        return Clock(float(times[0]), float(times[-1]), 1 / self.fps)


def path_of(
    ball: str, t_s: Sequence[float], xy_m: Sequence[Point], sigma_m: float = 0.0005
) -> Motion:
    """A motion from sightings given one by one, in frames numbered from 0."""
    return motion_of(ball, np.array(t_s), np.array(xy_m), np.arange(len(t_s)), sigma_m)


def motion_of(
    ball: str, t_s: np.ndarray, xy_m: np.ndarray, frame: np.ndarray, sigma_m: float = 0.0005
) -> Motion:
    """A motion with its legs cut."""
    path = Path(t_s, xy_m, np.full(len(t_s), sigma_m), frame)
    return Motion(ball, path, legs_of(path))


def seen(play: Play, filming: Filming) -> dict[str, Motion]:
    """The motion of every ball as tracked from frames: sampled, with noise, gaps included."""
    rng = np.random.default_rng(filming.seed)
    motions = {}
    for ball in play.stretches:
        rows = []
        for frame, t_s in enumerate(filming.times_s):
            place = play.place(ball, float(t_s))
            noise = rng.normal(0.0, filming.noise_m, 2)
            covered = any(a <= t_s < b for a, b in filming.hidden.get(ball, ()))
            if place is not None and not covered:
                rows.append((t_s, *(place + noise), frame))
        if rows:
            table = np.array(rows)
            motions[ball] = motion_of(
                ball, table[:, 0], table[:, 1:3], table[:, 3].astype(int), filming_sigma(filming)
            )
    return motions


def filming_sigma(filming: Filming) -> float:
    """What the localizer would say of its own error."""
    return max(filming.noise_m, 2e-4)


def moved(
    motion: Motion, turn: np.ndarray, later_s: float = 0.0, name: str | None = None
) -> Motion:
    """The same motion turned or mirrored by a 2x2 matrix, and later."""
    xy_m = np.ascontiguousarray(motion.path.xy_m @ turn)
    path = replace(motion.path, t_s=motion.path.t_s + later_s, xy_m=xy_m)
    return Motion(name or motion.name, path, legs_of(path))
