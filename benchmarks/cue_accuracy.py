"""The cue in reviews against rendered truth: seen or not, direction of aim, the line at the tip.

    python benchmarks/cue_accuracy.py RESULTS FOLDER...

RESULTS/<name>/shots.jsonl are reviews of the case folders (`table-monitor review`), whose
truth.jsonl says where the tip met the cue ball and which way. Only strokes that the review
found are compared. The strike's time is the product's `shot_started`.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np

from table.events import CueSeen, ShotStarted
from table.log import ShotLog, read_log

_SAME_STROKE_S = 0.3


def main() -> None:
    """Print one line a stroke and the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    asked = parser.parse_args()
    rows: list[tuple[float, float]] = []
    frames_off: list[float] = []
    strokes = 0
    for folder in asked.folders:
        ours = asked.results / folder.name / "shots.jsonl"
        if not ours.is_file():
            continue
        truth, seen = read_log(folder / "truth.jsonl"), read_log(ours)
        fps = truth.source.fps or 30.0
        for stroke in _cues(truth):
            start = _near(seen, stroke.t_s or 0.0)
            if start is None:
                continue
            strokes += 1
            frames_off.append(abs((start.t_s or 0.0) - (stroke.t_s or 0.0)) * fps)
            cue = next((c for c in _cues(seen) if c.shot == start.shot), None)
            if cue is None:
                print(f"{folder.name}: cue not seen")
                continue
            turn = abs(math.remainder(cue.direction_deg - stroke.direction_deg, 360.0))
            off_mm = 1000 * _beside(cue, stroke)
            rows.append((turn, off_mm))
            print(
                f"{folder.name}: {turn:.2f} deg (sigma {cue.sigma_deg:.2f}), "
                f"line {off_mm:.1f} mm from the tip's place"
            )
    if rows:
        turns, offs = np.array(rows).T
        print(
            f"{len(rows)} of {strokes} cues seen; direction median {np.median(turns):.2f}, "
            f"p95 {np.percentile(turns, 95):.2f} deg; line median {np.median(offs):.1f} mm; "
            f"strike within a frame {sum(f <= 1.0 for f in frames_off)} of {strokes}"
        )


def _cues(log: ShotLog) -> list[CueSeen]:
    return [event for event in log.events if isinstance(event, CueSeen)]


def _near(log: ShotLog, t_s: float) -> ShotStarted | None:
    starts = [e for e in log.events if isinstance(e, ShotStarted) and e.t_s is not None]
    near = [e for e in starts if abs((e.t_s or 0.0) - t_s) < _SAME_STROKE_S]
    return near[0] if near else None


def _beside(cue: CueSeen, truth: CueSeen) -> float:
    """How far our line of aim passes beside the place where the tip met the ball."""
    angle = math.radians(cue.direction_deg)
    dx, dy = truth.tip_m[0] - cue.tip_m[0], truth.tip_m[1] - cue.tip_m[1]
    return abs(dx * math.sin(angle) - dy * math.cos(angle))


if __name__ == "__main__":
    main()
