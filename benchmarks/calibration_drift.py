"""Does the drift watch tell a moved camera, and nothing else?

    python benchmarks/calibration_drift.py --cameras 40 [--cache DIR] [--page PAGE]
        [--clips FOLDER...]

Rendered tables (see `calibration_scenes.py`) are watched for four seconds and then moved: the
picture is bumped, turned, zoomed or flipped. Others are never moved: people walk by and bend
over the table, the picture trembles by 1.5 px in 1920, the light changes. Clips are watched as they
are, through the camera that is found in them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from calibration_scenes import Shown, all_shown
from figures_page import write_figures

from calibration.camera import Camera
from calibration.drift import DriftWatch
from calibration.errors import CalibrationError
from calibration.find import find_camera
from monitor.calibrating import frames_of
from synthetic.render.sensor import Image
from table.geometry import NINE_FOOT
from vision.frames import VideoFile

STILL_S = 4
AFTER_S = 7
Change = Callable[[Image, np.random.Generator], Image]


def warped(frame: Image, matrix: np.ndarray) -> Image:
    """The frame moved by an affine matrix."""
    size = (frame.shape[1], frame.shape[0])
    moved = cv2.warpAffine(frame, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def bump(camera: Camera, mm: float, rng: np.random.Generator) -> np.ndarray:
    """A shift that is `mm` long at the cloth, in any direction."""
    px = mm / 1e3 * float(camera.px_per_m([(0.0, 0.0)], 0.0)[0])
    angle = rng.uniform(0.0, 2 * np.pi)
    return np.array([[1.0, 0.0, px * np.cos(angle)], [0.0, 1.0, px * np.sin(angle)]])


def about_middle(camera: Camera, turn_deg: float, zoom: float) -> np.ndarray:
    """A turn and a zoom about the picture's middle."""
    width, height = camera.image_size
    return np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, zoom))


def moves(camera: Camera, rng: np.random.Generator) -> dict[str, Callable[[Image], Image]]:
    """What can happen to a camera, by name."""
    plans = {
        "bump of 8 mm": bump(camera, 8.0, rng),
        "bump of 20 mm": bump(camera, 20.0, rng),
        "bump of 100 mm": bump(camera, 100.0, rng),
        "bump of 400 mm": bump(camera, 400.0, rng),
        "turn of 1 degree": about_middle(camera, 1.0, 1.0),
        "zoom by 2 %": about_middle(camera, 0.0, 1.02),
        "zoom by 30 %": about_middle(camera, 0.0, 1.3),
        "zoom out by a half": about_middle(camera, 0.0, 0.5),
    }
    size = camera.image_size

    def move(matrix: np.ndarray) -> Callable[[Image], Image]:
        return lambda frame: warped(frame, matrix)

    made = {name: move(matrix) for name, matrix in plans.items()}
    made["flip by 90 degrees"] = lambda frame: np.asarray(
        cv2.resize(cv2.rotate(frame, cv2.ROTATE_90_CLOCKWISE), size), np.uint8
    )
    return made


def trembling(frame: Image, rng: np.random.Generator) -> Image:
    """The picture's own small shifts, noise, and a change of the light.

    Real footage was seen to shift by 1 to 2 px at 1920 pixels' width.
    """
    most = 1.5 * frame.shape[1] / 1920
    shift = np.array([[1.0, 0.0, rng.uniform(-most, most)], [0.0, 1.0, rng.uniform(-most, most)]])
    bright = warped(frame, shift).astype(np.float32) * rng.uniform(0.9, 1.1)
    return np.asarray(np.clip(bright + rng.normal(0, 2, (1, 1, 3)), 0, 255), np.uint8)


def walking(shown: Shown, seconds: int, rng: np.random.Generator) -> Iterator[Image]:
    """Figures that walk around the table and bend over it, one frame a second."""
    width, height = shown.camera.image_size
    size = height / 720
    for second in range(seconds):
        picture = trembling(shown.frames[second % len(shown.frames)], rng)
        for side in range(2):
            x = int(width * ((second * 0.13 + 0.5 * side) % 1.3 - 0.15))
            y = int(height * (0.12 + 0.76 * side))
            axes = (int(100 * size), int(150 * size))
            cv2.ellipse(picture, (x, y), axes, 0, 0, 360, (45 + 60 * side, 40, 50), -1)
            tip = (x + int(200 * size), height // 2)
            cv2.line(picture, (x, y), tip, (90, 150, 200), max(2, int(40 * size)))
        yield picture


def seconds_to_alarm(shown: Shown, move: Callable[[Image], Image], seed: int) -> float | None:
    """How long after the move the alarm came; None: never; negative: before it."""
    rng = np.random.default_rng(seed)
    watch = DriftWatch(shown.camera)
    for second in range(STILL_S + AFTER_S):
        frame = shown.frames[second % len(shown.frames)]
        frame = trembling(move(frame) if second >= STILL_S else frame, rng)
        # The move happens right after a look, the worst case.
        watch.update(frame, float(second))
        if watch.alarm is not None:
            return watch.alarm.t_s - (STILL_S - 1)
    return None


def synthetic_tables(seed: int, cameras: int, cache: Path) -> str:
    """Detection and false alarms on rendered tables, as Markdown."""
    delays: dict[str, list[float | None]] = {}
    alarms = watched_s = tables = 0
    for shown in all_shown(seed, 0, cameras, cache):
        if max(shown.camera.image_size) > 1300:
            continue
        tables += 1
        rng = np.random.default_rng([seed, shown.number])
        for name, move in moves(shown.camera, rng).items():
            delays.setdefault(name, []).append(seconds_to_alarm(shown, move, shown.number))
        watch = DriftWatch(shown.camera)
        watch.update(shown.frames[0], 0.0)
        for second, picture in enumerate(walking(shown, 20, rng), start=1):
            watch.update(picture, float(second))
            watched_s += 1
        alarms += len(watch.moves)
    lines = [
        f"{tables} rendered tables, up to 1280 pixels wide, each moved in nine ways.",
        "",
        "| move | told within 5 s | median s | slowest s | false alarm before |",
        "|---|---|---|---|---|",
    ]
    for name, values in delays.items():
        # 0: at the last look before the move.
        told = [v for v in values if v is not None and v > 0.0]
        early = sum(v is not None and v <= 0.0 for v in values)
        in_time = sum(v <= 5.0 for v in told)
        lines.append(
            f"| {name} | {in_time} of {len(values)} | {np.median(told):.0f} "
            f"| {max(told):.0f} | {early} |"
        )
    lines += ["", f"People walking by, trembling picture: {alarms} alarms in {watched_s} s."]
    return "\n".join(lines) + "\n"


def clip(path: Path) -> str:
    """Watch one clip and tell what was seen."""
    name = path.parent.name
    try:
        camera = find_camera(frames_of(path), NINE_FOOT).camera
    except CalibrationError as error:
        return f"| {name} | not calibrated: {str(error).split(':')[0].split(';')[0]} | - | - |"
    watch = DriftWatch(camera)
    largest = 0.0
    looks = 0
    kinds: dict[str, int] = {}
    for frame in VideoFile(path):
        look = watch.update(frame.image, frame.t_s)
        if look is not None:
            looks += 1
            largest = max(largest, look.moved_mm)
            kinds[look.kind.value] = kinds.get(look.kind.value, 0) + 1
    seen = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    return f"| {name} | {len(watch.moves)} | {largest:.1f} | {seen} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--cameras", type=int, default=40)
    parser.add_argument("--cache", type=Path, default=Path("/tmp/calibration-scenes"))
    parser.add_argument("--page", type=Path, help="write the figures into this page")
    parser.add_argument("--clips", type=Path, nargs="*", default=[], help="clip folders")
    options = parser.parse_args()
    if options.cameras:
        text = synthetic_tables(options.seed, options.cameras, options.cache)
        print(text)
        if options.page is not None:
            write_figures(options.page, "drift", text)
    if options.clips:
        print("| clip | alarms | largest shift seen, mm | looks |\n|---|---|---|---|")
        for folder in options.clips:
            print(clip(folder / "clip.mp4"), flush=True)


if __name__ == "__main__":
    main()
