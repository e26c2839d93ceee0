"""A drafted shot in a studio: scene, frames, and the clip's folder."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.camera import Camera
from synthetic.physics.motion import Array
from synthetic.physics.spin import integrate, random_quaternion
from synthetic.render.backdrop import Backdrop, Optics, optics_of, render_backdrop
from synthetic.render.frame import FramePainter, Scene
from synthetic.render.metering import metered
from synthetic.render.sensor import Develop, Image
from synthetic.render.video import write_video
from synthetic.scene.cast import all_paths, lying_in_pockets, make_cast
from synthetic.scene.studio import Studio
from synthetic.scene.viewpoint import make_camera
from synthetic.shots.draft import Draft
from synthetic.true_states import true_states
from synthetic.truth import draft_log
from synthetic.verdicts import Intent, expected_ruling
from table.log import ShotLog, write_log
from table.track_file import write_tracks


@dataclass(frozen=True, eq=False)
class Place:
    """A camera over a furnished table: what stays the same from clip to clip."""

    camera: Camera
    optics: Optics
    backdrop: Backdrop


def make_place(draft: Draft, studio: Studio) -> Place:
    """Hang the camera and render the empty room."""
    camera = make_camera(draft.table, studio.view, studio.size, studio.furniture.rail_m)
    optics = optics_of(camera)
    backdrop = render_backdrop(camera, optics, studio.furniture, studio.lighting)
    return Place(camera, optics, backdrop)


def make_scene(rng: np.random.Generator, draft: Draft, studio: Studio, place: Place) -> Scene:
    """Balls with orientations, sticks, people and things for a drafted shot."""
    end = draft.duration_s + 0.5
    paths = all_paths(draft.play, lying_in_pockets(rng, draft, studio.lying))
    orientations = {
        name: integrate(path, random_quaternion(rng), 0.0, end) for name, path in paths.items()
    }
    return Scene(
        place.camera,
        place.optics,
        place.backdrop,
        studio.furniture,
        studio.lighting,
        studio.look,
        paths,
        orientations,
        make_cast(rng, draft, busy=studio.busy),
        studio.bands,
    )


def frame_times(rng: np.random.Generator, studio: Studio, duration_s: float) -> Array:
    """Presentation times, on the file's clock; with a variable rate they jitter."""
    count = max(math.ceil(duration_s * studio.fps), 2)
    times = np.arange(count) / studio.fps
    if studio.variable_rate:
        times[1:] += rng.uniform(-0.3, 0.3, count - 1) / studio.fps
    return np.round(times * 90000) / 90000


def pictures(
    rng: np.random.Generator, scene: Scene, studio: Studio, times_s: Array
) -> Iterator[tuple[float, Image]]:
    """Presentation time and picture of each frame.

    The middle of the middle row's exposure lies at the presentation time.
    """
    painter = FramePainter(scene, studio.shutter)
    half_s = studio.shutter.middle_s(0.0)
    cloth = np.array(scene.furniture.cloth)
    sensor = metered(studio.sensor, scene.backdrop, scene.camera, cloth)
    develop = Develop(sensor, studio.size, rng)
    lighting = studio.lighting
    for t_s in times_s:
        phase = math.tau * lighting.flicker_hz * float(t_s)
        gain = 1.0 + lighting.flicker * math.sin(phase)
        image = develop.picture(painter.paint(float(t_s) - half_s), gain)
        studio.graphics.draw(image, float(t_s))
        yield float(t_s), image


def clip_log(draft: Draft, camera: Camera, studio: Studio, frames: int, file: str) -> ShotLog:
    """The truth of a clip."""
    return draft_log(
        draft,
        file=file,
        fps=studio.fps,
        frames=frames,
        head=camera.head,
        ball_set=studio.look.name,
        size=studio.size,
        conditions=draft.play.conditions.label,
    )


def film(rng: np.random.Generator, draft: Draft, studio: Studio, folder: Path) -> ShotLog:
    """Render a draft into a clip's folder; returns its truth."""
    folder.mkdir(parents=True, exist_ok=True)
    place = make_place(draft, studio)
    scene = make_scene(rng, draft, studio, place)
    times = frame_times(rng, studio, draft.duration_s)
    write_video(
        folder / "clip.mp4",
        pictures(rng, scene, studio, times),
        studio.size,
        studio.fps,
        crf=studio.crf,
    )
    write_tracks(true_states(scene, studio.graphics, times), folder / "truth_tracks.csv")
    log = clip_log(draft, place.camera, studio, len(times), "clip.mp4")
    write_folder(folder, draft, place.camera, log)
    return log


def write_folder(folder: Path, draft: Draft, camera: Camera, log: ShotLog) -> None:
    """camera.json, truth.jsonl, declarations.jsonl and expected.jsonl."""
    camera.save(folder / "camera.json")
    (folder / "truth.jsonl").write_text(write_log(log), encoding="utf-8")
    _write_rows(folder / "declarations.jsonl", declarations(draft))
    _write_rows(folder / "expected.jsonl", expectations(draft, log))


def declarations(draft: Draft) -> list[dict[str, object]]:
    """What was said before the strokes (interface.md)."""
    rows: list[dict[str, object]] = []
    for shot, (stroke, intent) in enumerate(
        zip(draft.play.strokes, draft.intents, strict=True), start=draft.first_shot
    ):
        said = {"v": 1, "t_s": round(max(stroke.t_s - 1.0, 0.0), 3), "shot": shot}
        rows += [said | row for row in _said(intent)]
    return rows


def _said(intent: Intent) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    if intent.call is not None:
        ball, pocket = intent.call
        rows.append({"type": "call", "ball": ball, "pocket": pocket.value})
    if intent.kind != "normal":
        rows.append({"type": intent.kind})
    for a, b in intent.frozen:
        rows.append({"type": "frozen", "a": a, "b": b, "by": "referee"})
    return rows


def expectations(draft: Draft, log: ShotLog) -> list[dict[str, object]]:
    """Expected rulings, one a stroke, judged one after another."""
    rows: list[dict[str, object]] = []
    # A was at the table when the clip began: a stroke played before it, which pocketed nothing
    # as called, ended A's inning.
    player = "A" if draft.first_shot == 1 else "B"
    counters = {"A": 0, "B": 0}
    shots = log.shots()
    for shot, intent in enumerate(draft.intents, start=draft.first_shot):
        ruling = expected_ruling(shots[shot], intent, draft.table, player, counters)
        rows.append({"v": 1, "shot": shot, **ruling})
        after = ruling["fouls_after"]
        if isinstance(after, Mapping):
            counters = {key: int(value) for key, value in after.items()}
        player = str(ruling["next_player"] or player)
    return rows


def _write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
