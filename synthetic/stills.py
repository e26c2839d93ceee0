"""Single images with labels, for training detectors.

A room (camera, table, lamps) is rendered once and used for several stills; balls, stick,
people, sensor and compression change from still to still.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np

from calibration.camera import Camera
from synthetic.exports import coco, yolo_data, yolo_lines
from synthetic.filming import Place, make_place, make_scene, pictures
from synthetic.labels import FrameLabels, label_frame
from synthetic.physics.conditions import usual_conditions
from synthetic.physics.flight import NotPlayableError
from synthetic.physics.pool import PoolSimulation
from synthetic.render.frame import Scene
from synthetic.render.sensor import Image
from synthetic.scene.studio import Studio, Wishes, make_studio
from synthetic.shots.catalog import KINDS, ORDINARY_MIX, pick_kind
from synthetic.shots.draft import Draft
from synthetic.streams import side_stream
from table.geometry import NINE_FOOT

STILLS_A_ROOM: Final = 8
_EMPTY: Final = 4
"""Key of the side stream that decides about empty tables."""
_SLOW_KINDS: Final = ("ten_early", "spotted", "push_out", "scratch_break", "carom")


@dataclass(frozen=True, eq=False)
class Still:
    """One image with everything known about it."""

    name: str
    image: Image
    """(H, W, 3) 8-bit r g b, after compression."""
    labels: FrameLabels
    camera: Camera


def stills(seed: int, count: int, first: int = 0, cloths: Sequence[str] = ()) -> Iterator[Still]:
    """Stills `first` .. `first + count - 1` of a seed, made one after another.

    `cloths` are the names the rooms' cloths are drawn from; empty: all there are.
    """
    room: tuple[int, Studio, Place] | None = None
    for number in range(first, first + count):
        room_number = number // STILLS_A_ROOM
        if room is None or room[0] != room_number:
            rng = np.random.default_rng([seed, room_number, 3])
            wishes = _wishes(rng)
            if cloths:
                wishes = replace(wishes, cloth=str(rng.choice(list(cloths))))
            studio = make_studio(rng, NINE_FOOT, wishes)
            room = (room_number, studio, make_place(_draft(rng), studio))
        rng = np.random.default_rng([seed, number, 4])
        yield _still(rng, room[1], room[2], f"{seed}_{number}")


def make_stills(out: Path, count: int, seed: int) -> Iterator[Path]:
    """Write images/, labels/ (YOLO), cameras/, labels.jsonl, coco.json and data.yaml.

    Yields the path of each image; coco.json and data.yaml come last.
    """
    for folder in ("images", "labels", "cameras"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    rows = []
    with (out / "labels.jsonl").open("w", encoding="utf-8") as lines:
        for still in stills(seed, count):
            path = out / "images" / f"{still.name}.jpg"
            quality = [cv2.IMWRITE_JPEG_QUALITY, 96]
            cv2.imwrite(str(path), np.ascontiguousarray(still.image[..., ::-1]), quality)
            size = still.camera.image_size
            text = "".join(line + "\n" for line in yolo_lines(still.labels, size))
            (out / "labels" / f"{still.name}.txt").write_text(text, encoding="utf-8")
            still.camera.save(out / "cameras" / f"{still.name}.json")
            lines.write(json.dumps({"file": path.name, **still.labels.to_json()}) + "\n")
            rows.append((path.name, size, still.labels))
            yield path
    (out / "coco.json").write_text(json.dumps(coco(rows)), encoding="utf-8")
    (out / "data.yaml").write_text(yolo_data(str(out.resolve())), encoding="utf-8")


def _wishes(rng: np.random.Generator) -> Wishes:
    size = (1920, 1080) if rng.random() < 0.15 else (1280, 720)
    return Wishes(
        fps=30.0,
        size=size,
        wild=bool(rng.random() < 0.15),
        dark=bool(rng.random() < 0.08),
        busy=1.6,
        framed=True,
    )


def _draft(rng: np.random.Generator) -> Draft:
    while True:
        kind = pick_kind(rng, ORDINARY_MIX)
        if kind in _SLOW_KINDS:
            continue
        try:
            return KINDS[kind](rng, PoolSimulation(NINE_FOOT, usual_conditions(rng)))
        except NotPlayableError:
            continue


def _still(rng: np.random.Generator, room: Studio, place: Place, name: str) -> Still:
    draft = _draft(rng)
    wishes = replace(_wishes(rng), size=room.size)
    other = make_studio(rng, NINE_FOOT, wishes)
    studio = replace(
        room,
        look=other.look,
        sensor=replace(other.sensor, balance=room.sensor.balance),
        shutter=other.shutter,
        bands=other.bands,
        graphics=other.graphics,
        lying=other.lying,
        crf=int(rng.integers(16, 34)),
    )
    scene = _emptied(side_stream(rng, _EMPTY), make_scene(rng, draft, studio, place))
    at_s = _moment(rng, draft)
    image = next(iter(pictures(rng, scene, studio, np.array([at_s]))))[1]
    labels = label_frame(scene, studio.shutter, studio.graphics, at_s)
    return Still(name, compressed(image, studio.crf), labels, place.camera)


def _emptied(side: np.random.Generator, scene: Scene) -> Scene:
    """Now and then nobody plays: a table with one ball or none."""
    choice = side.random()
    if choice > 0.09:
        return scene
    names = list(scene.paths)
    kept = [] if choice < 0.04 else [names[int(side.integers(len(names)))]]
    paths = {name: scene.paths[name] for name in kept}
    turns = {name: scene.orientations[name] for name in kept}
    return replace(scene, paths=paths, orientations=turns)


def _moment(rng: np.random.Generator, draft: Draft) -> float:
    """While aiming, at the stroke, in the first second after it, later, or at rest."""
    strike = draft.play.strokes[-1].t_s
    choice = rng.random()
    if choice < 0.3:
        return max(strike - float(rng.uniform(0.05, 1.5)), 0.0)
    if choice < 0.6:
        return strike + float(rng.uniform(0.0, 0.9))
    if choice < 0.8:
        return float(rng.uniform(strike, draft.play.end_s))
    if choice < 0.9:
        return float(rng.uniform(0.0, strike))
    return draft.play.end_s + float(rng.uniform(0.0, 0.9))


def compressed(image: Image, crf: int) -> Image:
    """The image as it comes out of H.264 (one intra frame, 4:2:0 chroma)."""
    height, width = image.shape[:2]
    memory = io.BytesIO()
    with av.open(memory, "w", format="mp4") as writer:
        stream = writer.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = {"crf": str(crf), "preset": "veryfast", "threads": "1"}
        writer.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24")))
        writer.mux(stream.encode(None))
    memory.seek(0)
    with av.open(memory, "r") as reader:
        frame = next(reader.decode(video=0))
    return np.asarray(frame.to_ndarray(format="rgb24"), dtype=np.uint8)
