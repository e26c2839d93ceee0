"""How well the camera is found without help: random rendered cameras with exact truth.

    python benchmarks/calibration_accuracy.py --seed 2 --cameras 200
        [--cache DIR] [--results DIR] [--page PAGE]

For each camera `find_camera` gets three frames and the table's measures, nothing else. Then
perfect pixels of balls, on a grid over the bed up to one ball from the noses, are mapped
through the found camera; the error is their distance from where the balls are. The head end
cannot always be known, so the better of both ways round counts, and the head is reported
apart. Prints the tables of docs/accuracy-calibration.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from calibration_scenes import Shown, all_shown
from figures_page import write_figures
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.find import find_camera
from monitor.evaluation.intervals import Share

Array = NDArray[np.float64]


_KEPT = ("errors_mm", "end_errors_mm", "sigma_mm", "seconds", "head_from", "head_right")


@dataclass(frozen=True, eq=False)
class Result:
    """What came of one camera."""

    shown: Shown
    seconds: float
    refusal: str | None
    errors_mm: Array = field(default_factory=lambda: np.zeros(0))
    """Of balls over the bed."""
    end_errors_mm: Array = field(default_factory=lambda: np.zeros(0))
    """Of balls that touch the end rails."""
    sigma_mm: Array = field(default_factory=lambda: np.zeros(0))
    """What the calibration itself predicted for `errors_mm`."""
    head_from: str = ""
    head_right: bool = False


def measure(shown: Shown) -> Result:
    """Find one camera and compare."""
    start = time.process_time()
    try:
        found = find_camera(shown.frames, shown.camera.table)
    except CalibrationError as error:
        return Result(shown, time.process_time() - start, str(error))
    seconds = time.process_time() - start
    grid = ball_grid(shown.camera)
    ways = [_errors_mm(view, shown.camera, grid) for view in (found.camera, found.camera.turned())]
    turned = float(np.median(ways[1])) < float(np.median(ways[0]))
    errors = ways[int(turned)]
    at_end = np.abs(grid[:, 0]) > 0.999 * float(np.max(np.abs(grid[:, 0])))
    seen = grid * (-1.0 if turned else 1.0)
    return Result(
        shown,
        seconds,
        None,
        errors,
        errors[at_end],
        found.sigma.at(seen),
        found.head_from,
        not turned,
    )


def measured(shown: Shown, kept: Path | None) -> Result:
    """The result of one camera: as kept in a folder by an earlier run, or measured and kept."""
    if kept is None:
        return measure(shown)
    path = kept / f"{shown.number}.npz"
    if not path.is_file():
        result = measure(shown)
        kept.mkdir(parents=True, exist_ok=True)
        values = {name: getattr(result, name) for name in _KEPT}
        np.savez(path, refusal=np.array(result.refusal or ""), **values)
    with np.load(path) as values:
        arrays = {name: values[name] for name in _KEPT[:3]}
        return Result(
            shown,
            float(values["seconds"]),
            str(values["refusal"]) or None,
            **arrays,
            head_from=str(values["head_from"]),
            head_right=bool(values["head_right"]),
        )


def ball_grid(camera: Camera) -> Array:
    """Places (N, 2) of balls over the bed, the outermost touching the noses."""
    table = camera.table
    a = table.length_m / 2 - table.ball_radius_m
    b = table.width_m / 2 - table.ball_radius_m
    return np.stack(np.meshgrid(np.linspace(-a, a, 17), np.linspace(-b, b, 9)), -1).reshape(-1, 2)


def _errors_mm(found: Camera, true: Camera, grid: Array) -> Array:
    seen = found.on_plane(true.project_on_plane(grid))
    return np.asarray(1e3 * np.nan_to_num(np.hypot(*(seen - grid).T), nan=1e3))


def tables(results: Sequence[Result]) -> str:
    """The figures as Markdown."""
    found = [result for result in results if result.refusal is None]
    lines = [
        "| figure | value |",
        "|---|---|",
        f"| found without help | {_share(len(found), len(results))} |",
        _row("position error over the bed, mm", [r.errors_mm for r in found]),
        _row("position error at the end rails, mm", [r.end_errors_mm for r in found]),
        _row("largest error of each camera, mm", [r.errors_mm.max(keepdims=True) for r in found]),
        f"| cameras with every error <= 5 mm | {_within(found, 5.0)} |",
        f"| cameras with every error <= 3 mm | {_within(found, 3.0)} |",
        f"| errors within twice the predicted sigma | {_predicted(found)} |",
        f"| head end right, where it was seen | {_heads(found)} |",
        f"| CPU time of finding, s | {_seconds(found)} |",
        "",
        "| cameras | found | median mm | p95 mm | max mm | CPU s, median |",
        "|---|---|---|---|---|---|",
    ]
    for name, chosen in SLICES.items():
        part = [result for result in results if chosen(result.shown)]
        if part:
            lines.append(_slice_row(name, part))
    lines += ["", "| refused or off by more than 5 mm | camera | what |", "|---|---|---|"]
    for result in results:
        if result.refusal is not None:
            lines.append(f"| {result.shown.number} | {_words(result.shown)} | {result.refusal} |")
        elif result.errors_mm.max() > 5.0:
            off = f"median {np.median(result.errors_mm):.1f}, max {result.errors_mm.max():.1f} mm"
            lines.append(f"| {result.shown.number} | {_words(result.shown)} | {off} |")
    return "\n".join(lines) + "\n"


def _bend(camera: Camera) -> float:
    """Shift by the lens at the edge of the picture's longer side, as a share of the distance."""
    edge2 = (max(camera.image_size) / 2.0 / camera.focal_px) ** 2
    return abs(float(camera.dist[0] * edge2 + camera.dist[1] * edge2**2))


SLICES: dict[str, Callable[[Shown], bool]] = {
    "640x480": lambda s: s.camera.image_size[0] == 640,
    "1280 wide": lambda s: s.camera.image_size[0] == 1280,
    "1920x1080": lambda s: s.camera.image_size[0] == 1920,
    "3840x2160": lambda s: s.camera.image_size[0] == 3840,
    "tilt up to 8 degrees": lambda s: s.camera.tilt_deg <= 8.0,
    "tilt 8 to 16 degrees": lambda s: 8.0 < s.camera.tilt_deg <= 16.0,
    "tilt over 16 degrees": lambda s: s.camera.tilt_deg > 16.0,
    "lens bends under 3 %": lambda s: _bend(s.camera) < 0.03,
    "lens bends 3 to 10 %": lambda s: 0.03 <= _bend(s.camera) < 0.10,
    "lens bends over 10 %": lambda s: _bend(s.camera) >= 0.10,
    "table fills under 60 %": lambda s: s.fill < 0.6,
    "table fills 60 to 80 %": lambda s: 0.6 <= s.fill < 0.8,
    "table fills over 80 %": lambda s: s.fill >= 0.8,
}


def _slice_row(name: str, part: Sequence[Result]) -> str:
    found = [result for result in part if result.refusal is None]
    errors = np.concatenate([r.errors_mm for r in found]) if found else np.full(1, np.nan)
    seconds = np.median([r.seconds for r in found]) if found else np.nan
    return (
        f"| {name} | {len(found)} of {len(part)} | {np.median(errors):.2f} "
        f"| {np.percentile(errors, 95):.2f} | {errors.max():.2f} | {seconds:.2f} |"
    )


def _words(shown: Shown) -> str:
    camera = shown.camera
    width, height = camera.image_size
    return (
        f"{width}x{height}, {camera.table.length_m:.2f} m, tilt {camera.tilt_deg:.0f}, "
        f"{camera.height_m:.1f} m up, fill {shown.fill:.2f}, lens bends {_bend(camera):.0%}"
    )


def _row(name: str, parts: Sequence[Array]) -> str:
    values = np.concatenate(parts) if parts else np.full(1, np.nan)
    return (
        f"| {name} | median {np.median(values):.2f}, p95 {np.percentile(values, 95):.2f}, "
        f"max {values.max():.2f} |"
    )


def _share(count: int, total: int) -> str:
    low, high = Share(count, total).bounds
    return f"{count} of {total} ({count / max(total, 1):.1%}) [{low:.1%}, {high:.1%}]"


def _within(found: Sequence[Result], limit_mm: float) -> str:
    return f"{sum(bool(r.errors_mm.max() <= limit_mm) for r in found)} of {len(found)}"


def _predicted(found: Sequence[Result]) -> str:
    inside = np.concatenate([r.errors_mm <= 2.0 * r.sigma_mm for r in found])
    return f"{inside.mean():.1%}"


def _heads(found: Sequence[Result]) -> str:
    seen = [r for r in found if r.head_from in ("rack", "line")]
    return f"{sum(r.head_right for r in seen)} of {len(seen)} (the others are assumed)"


def _seconds(found: Sequence[Result]) -> str:
    values = np.array([r.seconds for r in found])
    return f"median {np.median(values):.2f}, p95 {np.percentile(values, 95):.2f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--cameras", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cache", type=Path, default=Path("/tmp/calibration-scenes"))
    parser.add_argument("--page", type=Path, help="write the figures into this page")
    parser.add_argument(
        "--results", type=Path, help="keep each camera's figures here, and go on from them"
    )
    parser.add_argument("--verbose", action="store_true", help="a line for each camera")
    options = parser.parse_args()
    results = []
    for shown in all_shown(options.seed, options.first, options.cameras, options.cache):
        results.append(measured(shown, options.results))
        if options.verbose:
            _tell(results[-1])
    text = tables(results)
    print(text)
    if options.page is not None:
        asked = f"Cameras {options.first} to {options.first + len(results) - 1}"
        write_figures(options.page, "cameras", f"{asked} of seed {options.seed}.\n\n{text}")


def _tell(result: Result) -> None:
    shown = result.shown
    what = result.refusal or (
        f"med {np.median(result.errors_mm):.2f} max {result.errors_mm.max():.2f} "
        f"end {result.end_errors_mm.max():.2f} {result.head_from} {result.head_right} "
        f"{result.seconds:.2f}s"
    )
    print(f"{shown.number}: {_words(shown)}: {what}", flush=True)


if __name__ == "__main__":
    main()
