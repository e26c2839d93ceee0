"""A camera and a detector without pixels: what they make of an exact play.

A ball off the plane of ball centres (jumping, falling, carried) is seen where its ray meets
that plane, as by a camera.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from synthetic.filming import declarations, expectations
from synthetic.noise import ErrorField, NoiseModel, random_field, random_noise
from synthetic.occlusion import Shapes, hidden_by_bed, hidden_share, shapes_at
from synthetic.physics.in_play import state_in_play
from synthetic.physics.motion import ON_THE_BED, Array, BallPath, Motion, Samples
from synthetic.physics.spin import integrate, random_quaternion
from synthetic.scene.balls import STANDARD, TV, Rgb8
from synthetic.scene.cast import sticks
from synthetic.scene.stick import StickScript
from synthetic.shots.draft import Draft
from synthetic.simulated_shot import Reading, SimulatedShot
from synthetic.truth import draft_log
from table.balls import BallName
from table.state import BallState, TableState
from vision.detections import Detections

_FPS: Final = (25.0, 30.0, 30.0, 50.0, 60.0, 60.0)
_TWIN: Final[Mapping[BallName, BallName]] = {
    "9": "1", "1": "9", "10": "2", "2": "10", "cue": "9", "4": "7", "7": "4", "3": "5", "5": "3",
    "6": "8", "8": "6",
}  # fmt: skip


class Eyes:
    """A camera, its errors, and the shot before it."""

    def __init__(self, rng: np.random.Generator, draft: Draft, name: str) -> None:
        self.rng, self.draft, self.name = rng, draft, name
        self.table = draft.table
        self.fps = float(rng.choice(_FPS))
        self.exposure_s = min(float(rng.uniform(0.002, 0.012)), 0.8 / self.fps)
        height = float(rng.uniform(1.8, 3.5))
        self.camera_m = np.array([*(rng.normal(0.0, 0.15, 2)), height])
        self.scale = float(rng.uniform(380.0, 700.0))
        """Pixels a metre on the table."""
        self.noise: NoiseModel = random_noise(rng)
        self.field: ErrorField = random_field(rng, self.noise.field_m)
        self.balls = list(draft.play.paths)
        self.ball_set = "tv" if rng.random() < 0.5 else "standard"
        self.alike = str(rng.choice(self.balls)) if rng.random() < 0.12 else ""
        self.pockets_show = bool(rng.random() < 0.4)
        self.scripts: list[StickScript] = sticks(rng, draft)
        self.light = np.array([rng.normal(0, 8), *rng.normal(0, 4, 2)])

    def shot(self) -> SimulatedShot:
        """See the whole play."""
        draft = self.draft
        times = np.arange(int(draft.duration_s * self.fps) + 1) / self.fps
        sampled = {name: path.sample(times) for name, path in draft.play.paths.items()}
        whites = {name: self._white_share(path, times) for name, path in draft.play.paths.items()}
        errors = {name: self._place_error(sampled[name]) for name in self.balls}
        frames = [self._frame(i, float(t), sampled, whites, errors) for i, t in enumerate(times)]
        log = draft_log(
            draft,
            file=f"{self.name}",
            fps=self.fps,
            frames=len(times),
            head="right",
            ball_set=self.ball_set,
            size=(1280, 720),
            conditions=draft.play.conditions.label,
        )
        return SimulatedShot(
            self.name,
            log,
            tuple(float(t) for t in times),
            tuple(frame[0] for frame in frames),
            tuple(declarations(draft)),
            tuple(expectations(draft, log)),
            tuple(frame[1] for frame in frames),
            tuple(frame[2] for frame in frames),
            tuple(frame[3] for frame in frames),
            self.table,
        )

    def _white_share(self, path: BallPath, times: Array) -> Array:
        """Share (N,) of white in the disc seen from above, by the ball's orientation."""
        turn = integrate(path, random_quaternion(self.rng), 0.0, float(times[-1]) + 0.01)
        axis: Array = np.abs(turn.matrices(times)[:, 2, 2])
        return axis

    def _place_error(self, samples: Samples) -> Array:
        """(N, 2) errors in metres that stay while a ball lies still and change as it rolls."""
        way = np.linalg.norm(
            np.diff(samples.r_m[:, :2], axis=0, prepend=samples.r_m[:1, :2]), axis=1
        )
        keep = np.exp(-way / 0.05)
        size = self.noise.place_px / self.scale
        error = np.empty((len(way), 2))
        error[0] = self.rng.normal(0.0, size, 2)
        fresh = self.rng.normal(0.0, size, (len(way), 2))
        for i in range(1, len(way)):
            error[i] = keep[i] * error[i - 1] + np.sqrt(1.0 - keep[i] ** 2) * fresh[i]
        return error

    def _frame(
        self,
        i: int,
        t_s: float,
        sampled: Mapping[BallName, Samples],
        whites: Mapping[BallName, Array],
        errors: Mapping[BallName, Array],
    ) -> tuple[TableState, Detections, tuple[Reading, ...], Array]:
        carries = [(carry, sampled[carry.ball].r_m[i, :2]) for carry in self.draft.carries]
        shapes = shapes_at(self.scripts, carries, t_s)
        rows: list[_Row] = []
        states: dict[BallName, BallState] = {}
        places = np.array([self._apparent(sampled[name].r_m[i]) for name in self.balls])
        radius = self.table.ball_radius_m
        by_people = hidden_share(places, shapes.people, radius)
        by_sticks = hidden_share(places, shapes.stick, radius)
        for n, name in enumerate(self.balls):
            r, v = sampled[name].r_m[i], sampled[name].v_mps[i]
            motion = sampled[name].motion[i]
            apparent, hidden = places[n], float(by_people[n])
            state = state_in_play(name, r, v, motion, self.table, hidden < 0.6)
            if state is not None:
                states[name] = state
            if not self._shows(motion, r):
                continue
            covered = max(hidden, float(by_sticks[n]), hidden_by_bed(r, self.camera_m, self.table))
            row = self._see(name, apparent, v, covered, errors[name][i])
            if row is not None:
                rows.append(row)
        rows = self._merge(rows)
        rows += self._strays(shapes)
        cover = self._cover(sampled, i, shapes)
        readings = tuple(self._reading(row, whites, i) for row in rows)
        return TableState(t_s, states), self._columns(rows, whites, i, shapes), readings, cover

    def _apparent(self, r: Array) -> Array:
        """Where the ray to a ball's centre meets the plane z = R."""
        c, radius = self.camera_m, self.table.ball_radius_m
        reach = (c[2] - radius) / max(c[2] - r[2], 0.2)
        place: Array = c[:2] + (r[:2] - c[:2]) * reach
        return place

    def _shows(self, motion: Motion, r: Array) -> bool:
        """Can this ball be seen at all: on the bed, in the air, in a hand, deep in a pocket?"""
        if motion is Motion.DROPPED:
            return bool(r[2] > -0.3) and self.pockets_show and bool(self.rng.random() < 0.6)
        if r[2] < 0.0:
            return bool(r[2] > -0.06)
        if motion in ON_THE_BED:
            return True
        return self.table.contains((float(r[0]), float(r[1])), 0.14)

    def _see(
        self, name: BallName, place: Array, v: Array, hidden: float, error: Array
    ) -> _Row | None:
        noise, px = self.noise, 1.0 / self.scale
        speed = float(np.hypot(v[0], v[1]))
        streak = speed * self.exposure_s
        smear = min(streak / (2.0 * self.table.ball_diameter_m), 1.0)
        lost = noise.lost_still if speed < 0.02 else noise.lost_moving
        lost += noise.lost_fast * smear
        if name == self.alike:
            lost += noise.lost_alike
        if hidden > 0.65 or self.rng.random() < lost + max(hidden - 0.3, 0.0) * 2.0:
            return None
        ahead = v[:2] / speed if speed > 1e-9 else np.array([1.0, 0.0])
        across = np.array([-ahead[1], ahead[0]])
        sigma_along = np.hypot(noise.jitter_px * px, noise.along * streak)
        sigma_across = (noise.jitter_px if speed < 0.02 else noise.across_px) * px
        worse = 1.0 + 6.0 * hidden
        seen = place + error + self.field.at(place[None], self.table.length_m / 2)[0]
        seen = seen + worse * sigma_along * float(self.rng.normal()) * ahead
        seen = seen + worse * sigma_across * float(self.rng.normal()) * across
        if hidden > 0.05:
            seen = seen + self.rng.normal(0.0, 0.3 * hidden * self.table.ball_radius_m, 2)
        half = 0.5 * streak * (1.0 + noise.streak * float(self.rng.normal())) * ahead
        if streak < noise.least_streak_px * px:
            half = np.zeros(2)
        elif self.rng.random() < 0.5:
            half = -half
        quality = float(np.clip(0.96 - 0.4 * smear - hidden + self.rng.normal(0, 0.02), 0.05, 1.0))
        sigma = float(worse * np.hypot(sigma_along, noise.place_px * px))
        return _Row(name, seen, half, quality, sigma)

    def _merge(self, rows: list[_Row]) -> list[_Row]:
        """Balls that touch pull at each other's centres, or are seen as one."""
        kept = list(rows)
        for a in range(len(rows)):
            for b in range(a + 1, len(rows)):
                one, two = rows[a], rows[b]
                away = float(np.linalg.norm(one.place - two.place))
                if away > 1.03 * self.table.ball_diameter_m or one not in kept or two not in kept:
                    continue
                if self.rng.random() < self.noise.merged:
                    kept.remove(two)
                    continue
                pull = 0.25 / self.scale * (two.place - one.place) / max(away, 1e-6)
                one.place, two.place = one.place + pull, two.place - pull
        return kept

    def _strays(self, shapes: Shapes) -> list[_Row]:
        rows = []
        a, b = self.table.length_m / 2, self.table.width_m / 2
        if self.rng.random() < self.noise.stray:
            place = self.rng.uniform((-a, -b), (a, b))
            rows.append(_Row("", place, np.zeros(2), float(self.rng.uniform(0.2, 0.6)), 0.004))
        for capsule in shapes.people[:2]:
            if self.rng.random() < self.noise.stray_hand:
                place = capsule[:2] + self.rng.normal(0.0, 0.04, 2)
                if self.table.contains((float(place[0]), float(place[1]))):
                    quality = float(self.rng.uniform(0.2, 0.7))
                    rows.append(_Row("", place, np.zeros(2), quality, 0.005))
        return rows

    def _reading(self, row: _Row, whites: Mapping[BallName, Array], i: int) -> Reading:
        if not row.name:
            return None if self.rng.random() < 0.7 else str(self.rng.choice(self.balls))
        moving = bool(np.any(row.half))
        right = self.noise.named_moving if moving else self.noise.named_still
        if self.rng.random() < self.noise.unnamed * (4.0 if moving else 1.0):
            return None
        if row.name in ("9", "10") and whites[row.name][i] > 0.9:
            return "cue" if self.rng.random() < 0.5 else None
        if self.rng.random() < right:
            return row.name
        return _TWIN.get(row.name, row.name)

    def _columns(
        self, rows: Sequence[_Row], whites: Mapping[BallName, Array], i: int, shapes: Shapes
    ) -> Detections:
        if not rows:
            return Detections.empty()
        places = np.array([row.place for row in rows])
        near = hidden_share(places, shapes.people, 0.10) > 0.02
        return Detections(
            places,
            np.array([row.half for row in rows]),
            np.array([row.quality for row in rows]),
            np.array([self._colour(row, whites, i) for row in rows]),
            np.array([row.sigma for row in rows]),
            ~near,
        )

    def _colour(self, row: _Row, whites: Mapping[BallName, Array], i: int) -> Array:
        """Mean colour of the disc, L*a*b* on the 8-bit scale."""
        palette = TV if self.ball_set == "tv" else STANDARD
        if not row.name:
            return np.array([150.0, 140.0, 145.0]) + self.rng.normal(0.0, 12.0, 3)
        colour = np.array(palette[row.name], dtype=np.float64)
        if row.name in ("9", "10"):
            share = 0.25 + 0.7 * float(whites[row.name][i]) ** 2
            colour = (1.0 - share) * colour + share * np.array([240.0, 238.0, 228.0])
        lab = lab_of((int(colour[0]), int(colour[1]), int(colour[2])))
        seen: Array = np.clip(lab + self.light + self.rng.normal(0.0, 2.5, 3), 0.0, 255.0)
        return seen

    def _cover(self, sampled: Mapping[BallName, Samples], i: int, shapes: Shapes) -> Array:
        """Discs (N, 3) that hide the cloth: balls, and people as rows of discs."""
        radius = self.table.ball_radius_m
        discs = [
            [*self._apparent(sampled[name].r_m[i]), radius]
            for name in self.balls
            if self._shows_cover(sampled[name], i)
        ]
        own = np.array(discs, dtype=np.float64).reshape(-1, 3)
        people = shapes.people
        part = np.linspace(0.0, 1.0, 6)[:, None, None]
        places = people[None, :, :2] + part * (people[None, :, 2:4] - people[None, :, :2])
        widths = np.broadcast_to(people[None, :, 4:5], (6, len(people), 1))
        rows = np.concatenate([places, widths], axis=2).reshape(-1, 3)
        return np.concatenate([own, rows])

    def _shows_cover(self, samples: Samples, i: int) -> bool:
        motion, r = samples.motion[i], samples.r_m[i]
        return motion in ON_THE_BED or bool(motion is Motion.FLY and r[2] > -0.05)


@dataclass(eq=False)
class _Row:
    name: BallName
    """Empty for something that is no ball."""
    place: Array
    half: Array
    quality: float
    sigma: float


@lru_cache(maxsize=4096)
def lab_of(rgb: Rgb8) -> Array:
    """L*a*b* on OpenCV's 8-bit scale."""
    pixel = np.array([[rgb]], dtype=np.uint8)
    lab: Array = cv2.cvtColor(pixel, cv2.COLOR_RGB2LAB)[0, 0].astype(np.float64)
    return lab
