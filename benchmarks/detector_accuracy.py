"""What the network sees and what it does not, beside the localizer alone.

    python benchmarks/detector_accuracy.py [--stills 48] [--models DIR] [--faults]

Rendered stills of a seed of their own (unseen cameras, lights, halls and, for half of them,
cloths), and with TABLE_MONITOR_SHARED=<folder> the real clips' first and last frames and the
labelled stills. A find is right within half a ball's diameter of a ball's centre; finds on
the bed where no ball is are false, those around the rest of the table are not asked about.
"""

from __future__ import annotations

import argparse
import itertools
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from detector_scenes import Floats, Scene, clips, is_cue_ball, photographs, rendered

from vision.finds import Finds, Kind
from vision.network import load_network
from vision.second_eye import SURE, in_play
from vision.topview import TopView
from vision.weights import MODELS

NEAR_M = 0.0286
LEAST_QUALITY = 0.7


@dataclass
class Tally:
    """Counts and errors of one group of scenes."""

    counts: Counter[str] = field(default_factory=Counter)
    rest_mm: list[float] = field(default_factory=list)
    moving_mm: list[float] = field(default_factory=list)
    tip_mm: list[float] = field(default_factory=list)
    confidence: list[tuple[float, bool]] = field(default_factory=list)
    """Of each find on the bed: how sure, and whether a ball was there."""


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stills", type=int, default=48)
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--cameras", type=Path, help="folder in which found cameras are kept")
    parser.add_argument("--faults", action="store_true", help="list missed and false balls")
    asked = parser.parse_args()
    tallies: dict[str, Tally] = {}
    alone: dict[str, Tally] = {}
    for scene in _scenes(asked):
        network = load_network(scene.top, asked.models, device="cpu")
        if network is None:
            raise SystemExit("There is no network to measure.")
        finds = network.look(scene.view)
        faults = _score(scene, finds, tallies.setdefault(scene.group, Tally()))
        if asked.faults and faults:
            print(f"{scene.group}: {scene.name}: {'; '.join(faults)}")
        if scene.localizer is not None:
            _score_localizer(scene, alone.setdefault(scene.group, Tally()))
    _print("network", tallies)
    _print("localizer alone", alone)
    _print_thresholds(tallies)


def _scenes(asked: argparse.Namespace) -> Iterator[Scene]:
    shared = os.environ.get("TABLE_MONITOR_SHARED")
    real: Iterator[Scene] = iter(())
    if shared:
        real = itertools.chain(
            clips(Path(shared) / "clips", asked.cameras), photographs(Path(shared) / "images")
        )
    return itertools.chain(real, rendered(asked.stills))


def _score(scene: Scene, finds: Finds, tally: Tally) -> list[str]:
    balls = finds.of(Kind.BALL, Kind.CUE_BALL, Kind.AWAY)
    places = scene.top.to_table(balls.centers_px)
    on_bed = in_play(balls, scene.view, scene.top)
    balls, places = balls.where(on_bed), places[on_bed]
    owner = _owners(places, scene)
    tally.confidence += [
        (float(c), row >= 0)
        for c, row in zip(balls.confidence, owner, strict=True)
        if row != _IGNORED
    ]
    sure = balls.confidence >= SURE
    looks = [Kind(k).name for k in balls.kinds[sure]]
    faults = _count_balls(scene, tally, places[sure], owner[sure], looks)
    wrong = [
        places[i]
        for i in np.flatnonzero(sure & (owner >= 0))
        if balls.kinds[i] != Kind.AWAY
        and is_cue_ball(scene.names[owner[i]]) != (balls.kinds[i] == Kind.CUE_BALL)
    ]
    tally.counts["cue ball mixed up"] += len(wrong)
    tips = scene.top.to_table(finds.of(Kind.TIP, least=0.3).centers_px)
    for tip in scene.tips_m:
        if not _on_bed(scene.top, tip):
            continue
        away = np.hypot(*(tips - tip).T) if len(tips) else np.zeros(0)
        tally.counts["tips"] += 1
        if len(away) and away.min() < NEAR_M:
            tally.counts["tips found"] += 1
            tally.tip_mm.append(1000 * float(away.min()))
    return faults


_NOBODY, _IGNORED = -1, -2


def _owners(places: Floats, scene: Scene) -> np.ndarray:
    """For each find the row of the ball it shows, best first; -1: none, -2: not asked about."""
    free = set(range(len(scene.balls_m)))
    rows = []
    for place in places:
        away = np.hypot(*(scene.balls_m - place).T) if len(scene.balls_m) else np.zeros(0)
        near = [i for i in np.argsort(away) if i in free and away[i] < NEAR_M]
        if near:
            free.discard(int(near[0]))
            rows.append(int(near[0]))
        else:
            hidden = np.hypot(*(scene.ignored_m - place).T)
            rows.append(_IGNORED if len(hidden) and hidden.min() < 0.06 else _NOBODY)
    return np.array(rows, int)


def _count_balls(
    scene: Scene, tally: Tally, places: Floats, owner: np.ndarray, looks: list[str]
) -> list[str]:
    faults = []
    found = {int(row): place for row, place in zip(owner, places, strict=True) if row >= 0}
    for row, truth in enumerate(scene.balls_m):
        kind = "resting" if scene.at_rest[row] else "moving"
        if not _on_bed(scene.top, truth) or scene.visible[row] < 0.5:
            kind = "half hidden or in a jaw"
        tally.counts[kind] += 1
        if row in found:
            tally.counts[f"{kind} found"] += 1
            error_mm = 1000 * float(np.hypot(*(found[row] - truth)))
            if kind == "resting":
                tally.rest_mm.append(error_mm)
            elif kind == "moving":
                tally.moving_mm.append(error_mm)
        else:
            faults.append(f"{kind} {scene.names[row]} missed at {_text(truth)}")
    for row in np.flatnonzero(owner == _NOBODY):
        tally.counts["false"] += 1
        faults.append(f"false {looks[row]} at {_text(places[row])}")
    tally.counts["pictures"] += 1
    return faults


def _score_localizer(scene: Scene, tally: Tally) -> None:
    assert scene.localizer is not None
    seen = scene.localizer.locate(scene.view).detections
    kept = (seen.quality >= LEAST_QUALITY) & seen.alone
    places = seen.centers_m[kept]
    places = places[[_on_bed(scene.top, place) for place in places]]
    _count_balls(scene, tally, places, _owners(places, scene), ["disc"] * len(places))


def _on_bed(top: TopView, place: Floats) -> bool:
    return top.camera.table.contains((float(place[0]), float(place[1])))


def _text(place: Floats) -> str:
    return f"({place[0]:.2f}, {place[1]:.2f})"


def _print(title: str, tallies: dict[str, Tally]) -> None:
    print(f"\n{title}, confidence from {SURE} on")
    columns = ("pictures", "resting", "moving", "half hidden or in a jaw", "false")
    print(
        f"{'source':36}{'pictures':>9}{'resting':>12}{'moving':>10}{'hidden/jaw':>12}"
        f"{'false':>7}{'cue mixed up':>14}{'tips':>9}   mm: rest med p95, moving, tip"
    )
    for group, tally in tallies.items():
        n = tally.counts
        cells = [str(n["pictures"])] + [f"{n[c + ' found']}/{n[c]}" for c in columns[1:4]]
        print(
            f"{group:36}{cells[0]:>9}{cells[1]:>12}{cells[2]:>10}{cells[3]:>12}{n['false']:>7}"
            f"{n['cue ball mixed up']:>14}{n['tips found']}/{n['tips']:<5}   "
            f"{_middle(tally.rest_mm)} {_middle(tally.rest_mm, 95)}, "
            f"{_middle(tally.moving_mm)}, {_middle(tally.tip_mm)}"
        )


def _middle(values: list[float], percent: float = 50) -> str:
    return f"{np.percentile(values, percent):.2f}" if values else "-"


def _print_thresholds(tallies: dict[str, Tally]) -> None:
    print("\nballs found and false finds by confidence (rendered stills)")
    rows = [row for g, t in tallies.items() if g.startswith("rendered") for row in t.confidence]
    for least in (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        kept = [right for confidence, right in rows if confidence >= least]
        print(f"  {least:.2f}: {sum(kept)} right, {len(kept) - sum(kept)} false")


if __name__ == "__main__":
    main()
