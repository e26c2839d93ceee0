"""Labelled top views for measuring detectors: rendered ones and, where given, real ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.find import find_camera
from models.dataset import HELD_OUT_CLOTHS, HOLD_OUT_SEED, TRAINING_CLOTHS
from models.tiles import LEAST_VISIBLE
from monitor.pipeline import first_frames
from synthetic.stills import Still, stills
from table.balls import CUE
from table.geometry import NINE_FOOT, Pocket, TableSpec
from vision.cloth import learn_cloth
from vision.frames import Image, VideoFile
from vision.localizer import Localizer
from vision.topview import TopView

Floats = NDArray[np.float64]
BALL_M = 0.05715
STILL_PX = 2.5
"""A streak shorter than this (in pixels of the top view) is a ball at rest."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A top view and what is in it, table frame.

    `balls_m` (N, 2) with `names`, `at_rest` (N,) and `visible` (N,); `ignored_m` (K, 2): things
    that count neither way; `tips_m` (T, 2) and `hands_px` (H, 4) where they are known.
    """

    group: str
    name: str
    top: TopView
    view: Image
    balls_m: Floats
    names: tuple[str, ...]
    at_rest: NDArray[np.bool_]
    visible: Floats
    ignored_m: Floats
    tips_m: Floats
    localizer: Localizer | None = None


def rendered(count: int) -> Iterator[Scene]:
    """Half of `count` stills with cloths that were never trained on, half with the others."""
    half = count // 2
    for group, cloths, first in (
        ("rendered, unseen cloths", HELD_OUT_CLOTHS, 0),
        ("rendered, trained cloths", TRAINING_CLOTHS, 8 * -(-half // 8)),
    ):
        for still in stills(HOLD_OUT_SEED, half, first, cloths):
            yield _rendered(group, still)


def _rendered(group: str, still: Still) -> Scene:
    top = TopView(still.camera)

    def place(pixels: Sequence[tuple[float, float]]) -> Floats:
        return still.camera.on_plane(np.array(pixels, np.float64).reshape(-1, 2))

    in_play = [b for b in still.labels.balls if b.where in ("bed", "air")]
    streaks = [np.ptp(top.from_table(place(b.streak_px)), axis=0) for b in in_play]
    faint = [b.center_px for b in in_play if b.visible < LEAST_VISIBLE]
    kept = [i for i, b in enumerate(in_play) if b.visible >= LEAST_VISIBLE]
    return Scene(
        group,
        still.name,
        top,
        top.render(np.ascontiguousarray(still.image[..., ::-1])),
        place([in_play[i].center_px for i in kept]),
        tuple(in_play[i].ball for i in kept),
        np.array([float(np.hypot(*streaks[i])) < STILL_PX for i in kept], bool),
        np.array([in_play[i].visible for i in kept], np.float64),
        place(faint),
        place([s.tip_px for s in still.labels.sticks]),
    )


def clips(folder: Path, cameras: Path | None = None) -> Iterator[Scene]:
    """The resting balls of the overhead nine-ball clips: first and last labelled frames."""
    for clip in sorted(folder.glob("poolchamp_*")):
        rows = [json.loads(t) for t in (clip / "truth.jsonl").read_text("utf-8").splitlines()]
        rests = [r for r in rows if "balls_px" in r and not r.get("started_before_clip")]
        if not rests:
            continue
        source = VideoFile(clip / "clip.mp4")
        camera = _camera_of(source, rows[0]["head"], cameras, clip.name)
        top = TopView(camera)
        cloth = learn_cloth([top.render(image) for image in first_frames(source)], top)
        pictures = _frames(source, [int(r["balls_frame"]) for r in rests])
        for row in rests:
            at = int(row["balls_frame"])
            pixels = np.array(list(row["balls_px"].values()), np.float64)
            places = camera.on_plane(pixels)
            count = len(places)
            yield Scene(
                "real clips, first and last frames",
                f"{clip.name} {at}",
                top,
                top.render(pictures[at]),
                places,
                tuple(row["balls_px"]),
                np.full(count, not row.get("ended_after_clip", False)),
                np.ones(count),
                np.zeros((0, 2)),
                np.zeros((0, 2)),
                Localizer(top, cloth),
            )


def _camera_of(source: VideoFile, head: str, cameras: Path | None, name: str) -> Camera:
    kept = None if cameras is None else cameras / f"{name}.json"
    if kept is not None and kept.exists():
        return Camera.load(kept)
    camera = find_camera(first_frames(source)[::2], NINE_FOOT, head).camera
    if kept is not None:
        camera.save(kept)
    return camera


def _frames(source: VideoFile, wanted: Sequence[int]) -> dict[int, Image]:
    found = {}
    for frame in source:
        if frame.index in wanted:
            found[frame.index] = frame.image
        if frame.index >= max(wanted):
            break
    return found


def photographs(folder: Path) -> Iterator[Scene]:
    """The labelled stills whose noses are labelled, too: their camera follows from those."""
    for entry in json.loads((folder / "labels.json").read_text("utf-8")):
        image = cv2.imread(str(folder / entry["folder"] / entry["image"]))
        corners = entry.get("nose_corners_px") or {}
        if image is None or not entry["balls"] or len(corners) != 4 or None in corners.values():
            continue
        scene = _photograph(entry, np.asarray(image, np.uint8), corners)
        if scene is not None:
            yield scene


def _photograph(
    entry: dict[str, object], image: Image, corners: dict[str, list[float]]
) -> Scene | None:
    balls = entry["balls"]
    assert isinstance(balls, list)
    radius_px = float(np.median([b["radius_px"] for b in balls]))
    places = {k: np.array(v) for k, v in corners.items()}
    across = np.hypot(*(places["top_left"] - places["bottom_left"]))
    along = np.hypot(*(places["top_left"] - places["top_right"]))
    if along <= across:
        return None
    scale = BALL_M / (2 * radius_px)
    table = TableSpec(length_m=float(along * scale), width_m=float(across * scale))
    # The head end on the left: which one it is does not matter here.
    names = {"top_left": "HL", "bottom_left": "HR", "top_right": "FL", "bottom_right": "FR"}
    points = {Pocket(names[k]): (float(v[0]), float(v[1])) for k, v in places.items()}
    try:
        camera = find_camera([image], table, "left", points).camera
    except (CalibrationError, ValueError):
        return None
    top = TopView(camera)
    centers = camera.on_plane(np.array([b["center_px"] for b in balls], np.float64))
    return Scene(
        f"real stills, {entry['folder']}",
        str(entry["image"]),
        top,
        top.render(image),
        centers,
        tuple(str(b["ball"]) for b in balls),
        np.ones(len(balls), bool),
        np.array([float(b.get("visible", 1.0)) for b in balls]),
        np.zeros((0, 2)),
        np.zeros((0, 2)),
    )


def is_cue_ball(name: str) -> bool:
    """True for the cue ball's name in any of the sources."""
    return name.lower() == CUE
