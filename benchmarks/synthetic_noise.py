"""What the product's localizer makes of rendered frames: the figures of synthetic/noise.py.

    python benchmarks/synthetic_noise.py fixtures/videos/*

For each clip the true camera is used, so that the errors are those of seeing alone. Printed:
error of resting balls (constant part, jitter), error of moving balls along and across their
way, share of balls not found at rest, moving, and fast.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from calibration.camera import Camera
from synthetic.pack import make_draft
from synthetic.presets import REGRESSION
from synthetic.shots.draft import Draft
from table.balls import BallName
from vision.cloth import learn_cloth
from vision.frames import VideoFile
from vision.localizer import Localizer
from vision.topview import TopView


@dataclass
class Errors:
    """Errors of one kind of balls, metres."""

    along: list[float] = field(default_factory=list)
    across: list[float] = field(default_factory=list)
    found: int = 0
    missed: int = 0

    def line(self, name: str) -> str:
        """One row of the table."""
        total = max(self.found + self.missed, 1)
        along, across = np.abs(self.along or [0.0]), np.abs(self.across or [0.0])
        return (
            f"| {name} | {self.found} | {self.missed / total:.4f} | {1e3 * np.median(along):.2f} "
            f"| {1e3 * np.percentile(along, 95):.2f} | {1e3 * np.median(across):.2f} |"
        )


def draft_of(folder: Path, seed: int) -> Draft | None:
    """The draft that the clip was made of: drawn again from the same seed."""
    for number, order in enumerate(REGRESSION):
        if order.name == folder.name:
            return make_draft(np.random.default_rng([seed, number]), order)
    return None


def measure(folder: Path, seed: int, kinds: dict[str, Errors]) -> None:
    """Add one clip's errors."""
    draft = draft_of(folder, seed)
    if draft is None:
        return
    camera = Camera.load(folder / "camera.json")
    top = TopView(camera)
    frames = list(VideoFile(folder / "clip.mp4"))
    views = [top.render(frame.image) for frame in frames[:: max(len(frames) // 12, 1)]]
    localizer = Localizer(top, learn_cloth(views, top))
    for frame in frames:
        seen = localizer.locate(top.render(frame.image)).detections
        for name, path in draft.play.paths.items():
            _one_ball(name, path.sample([frame.t_s]), seen.centers_m, kinds)


def _one_ball(name: BallName, sample: object, seen: np.ndarray, kinds: dict[str, Errors]) -> None:
    del name
    r, v = sample.r_m[0], sample.v_mps[0]  # type: ignore[attr-defined]
    if abs(r[2] - 0.028575) > 1e-3:
        return
    speed = float(np.hypot(v[0], v[1]))
    kind = kinds["rest" if speed < 0.005 else "moving" if speed < 2.0 else "fast"]
    ahead = v[:2] / speed if speed > 0.005 else np.array([1.0, 0.0])
    reach = 0.02 + 0.01 * speed
    away = seen - r[:2]
    nearest = int(np.hypot(*away.T).argmin()) if len(seen) else -1
    if nearest < 0 or np.hypot(*away[nearest]) > reach:
        kind.missed += 1
        return
    kind.found += 1
    kind.along.append(float(away[nearest] @ ahead))
    kind.across.append(float(away[nearest] @ np.array([-ahead[1], ahead[0]])))


def main() -> None:
    """Print the table."""
    kinds = {"rest": Errors(), "moving": Errors(), "fast": Errors()}
    for name in sys.argv[1:]:
        measure(Path(name), 2026, kinds)
    print("| balls | found | missed share | along, median mm | p95 | across, median mm |")
    print("|---|---|---|---|---|---|")
    for name, errors in kinds.items():
        print(errors.line(name))


if __name__ == "__main__":
    main()
