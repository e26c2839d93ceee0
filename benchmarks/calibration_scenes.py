"""Random rendered cameras over tables with exact truth, for `calibration_accuracy.py`.

Lens, height, tilt, turn, share of the picture, resolution, table, light, people and balls are
all drawn at random within what the project promises to work with: tilt up to 25 degrees, any
turn, 40 to 100 % of the picture, 640x480 to 3840x2160, lenses up to a cheap wide webcam.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from synthetic.filming import make_place, make_scene, pictures
from synthetic.physics.conditions import usual_conditions
from synthetic.physics.flight import NotPlayableError
from synthetic.physics.pool import PoolSimulation
from synthetic.render.sensor import Image
from synthetic.scene.studio import Wishes, make_studio
from synthetic.scene.viewpoint import Viewpoint, make_camera
from synthetic.shots.catalog import KINDS, ORDINARY_MIX, pick_kind
from synthetic.shots.draft import Draft
from synthetic.stills import compressed
from table.geometry import TableSpec, table_from_text

FRAMES: Final = 3
_SIZES: Final = (
    ((640, 480), 0.12),
    ((1280, 720), 0.40),
    ((1280, 960), 0.10),
    ((1920, 1080), 0.33),
    ((3840, 2160), 0.05),
)
_TABLES: Final = (("9ft", 0.7), ("8ft", 0.15), ("7ft", 0.15))
_HEIGHT_M: Final = (1.5, 5.0)
_WIDE_FOCAL_SHARE: Final = 0.62
"""Below this focal length (share of the longer side) a lens is a wide webcam's or fisheye's."""


@dataclass(frozen=True, eq=False)
class Shown:
    """Frames of one camera, and the camera itself."""

    number: int
    camera: Camera
    frames: list[Image]
    """FRAMES of (H, W, 3) 8-bit BGR."""
    fill: float
    """Share of the picture's width or height that the table takes."""


def shown(seed: int, number: int, cache: Path) -> Shown:
    """Camera `number` of a seed; rendered once, then read from the folder `cache`."""
    folder = cache / f"{seed}_{number}"
    if not (folder / "camera.json").is_file():
        _render(seed, number, folder)
    camera = Camera.load(folder / "camera.json")
    paths = [folder / f"{index}.png" for index in range(FRAMES)]
    frames = [np.asarray(cv2.imread(str(path)), np.uint8) for path in paths]
    return Shown(number, camera, frames, float(str(camera.more["fill"])))


def _render(seed: int, number: int, folder: Path) -> None:
    rng = np.random.default_rng([seed, number, 7])
    size = _picked(rng, _SIZES)
    table = table_from_text(_picked(rng, _TABLES))
    wishes = Wishes(size=size, dark=bool(rng.random() < 0.12), busy=1.4)
    studio = make_studio(rng, table, wishes)
    view = random_view(rng, table, size, studio.furniture.rail_m)
    studio = replace(studio, view=view, crf=int(rng.integers(17, 32)))
    draft = _draft(rng, table)
    place = make_place(draft, studio)
    scene = make_scene(rng, draft, studio, place)
    times = np.linspace(0.1, draft.duration_s - 0.1, FRAMES)
    folder.mkdir(parents=True, exist_ok=True)
    for index, (_, image) in enumerate(pictures(rng, scene, studio, times)):
        picture = compressed(image, studio.crf)[..., ::-1]
        cv2.imwrite(str(folder / f"{index}.png"), np.ascontiguousarray(picture))
    camera = place.camera
    replace(camera, head=camera.side_of_head(), more={"fill": view.fill}).save(
        folder / "camera.json"
    )


def _picked(rng: np.random.Generator, choices: Sequence[tuple[object, float]]):  # type: ignore[no-untyped-def]
    weights = [weight for _, weight in choices]
    return choices[int(rng.choice(len(choices), p=weights))][0]


def _draft(rng: np.random.Generator, table: TableSpec) -> Draft:
    while True:
        try:
            kind = pick_kind(rng, ORDINARY_MIX)
            draft = KINDS[kind](rng, PoolSimulation(table, usual_conditions(rng)))
        except NotPlayableError:
            continue
        if draft.duration_s < 20.0:
            return draft


def random_view(
    rng: np.random.Generator, table: TableSpec, size: tuple[int, int], rail_m: float
) -> Viewpoint:
    """A viewpoint of the kind that the project promises to work with."""
    while True:
        focal_share = float(np.exp(rng.uniform(math.log(0.42), math.log(1.4))))
        view = Viewpoint(
            tilt_deg=float(rng.uniform(0.0, 25.0)),
            tilt_toward_deg=float(rng.uniform(0.0, 360.0)),
            roll_deg=float(rng.uniform(0.0, 360.0)),
            fill=float(rng.uniform(0.4, 1.0)),
            p1=float(rng.normal(0.0, 0.0005)),
            p2=float(rng.normal(0.0, 0.0005)),
            off_center_px=(
                float(rng.normal(0, 0.008)) * size[0],
                float(rng.normal(0, 0.008)) * size[0],
            ),
            **_distortion(rng, focal_share),
        )
        found = _at_focal(view, table, size, rail_m, focal_share)
        if found is not None:
            return found


def _distortion(rng: np.random.Generator, focal_share: float) -> dict[str, float]:
    wide = focal_share < _WIDE_FOCAL_SHARE
    k1 = -float(rng.uniform(0.0, 0.33)) if wide else float(rng.normal(-0.04, 0.06))
    # Above 0.45 k1^2 the distortion never folds back, however far out.
    return {"k1": k1, "k2": k1**2 * float(rng.uniform(0.6, 1.1))}


def _at_focal(
    view: Viewpoint, table: TableSpec, size: tuple[int, int], rail_m: float, focal_share: float
) -> Viewpoint | None:
    """The viewpoint at the height at which the table fills its share through this lens."""
    low, high = _HEIGHT_M

    def share(height_m: float) -> float:
        camera = make_camera(table, replace(view, height_m=height_m), size, rail_m)
        return float(camera.camera_matrix[0, 0]) / max(size)

    if not share(low) < focal_share < share(high):
        return None
    for _ in range(12):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if share(middle) < focal_share else (low, middle)
    return _in_picture(replace(view, height_m=low), table, size, rail_m)


def _in_picture(
    view: Viewpoint, table: TableSpec, size: tuple[int, int], rail_m: float
) -> Viewpoint | None:
    """The viewpoint when all pockets lie in the picture, else None."""
    camera = make_camera(table, view, size, rail_m)
    a, b = table.length_m / 2 + 0.08, table.width_m / 2 + 0.08
    points = [(x, y, 0.04) for x in (-a, 0.0, a) for y in (-b, b)]
    pixels = camera.project(points)
    inside = np.all(pixels > 0.0) and np.all(pixels < np.array(size) - 1.0)
    return view if inside else None


def all_shown(seed: int, first: int, count: int, cache: Path) -> Iterator[Shown]:
    """Cameras `first` .. `first + count - 1` of a seed."""
    for number in range(first, first + count):
        yield shown(seed, number, cache)
