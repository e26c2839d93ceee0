"""Writes case folders and results by hand, and turns truth into a perfect result."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from calibration.camera import Camera
from calibration.camera_file import camera_to_json
from monitor.evaluation.happenings import cushions_named
from table.geometry import NINE_FOOT

Row = dict[str, object]


def overhead_camera(width: int = 1920, height: int = 1080) -> Camera:
    """A camera 2.5 m above the centre spot, head end on the right of the image."""
    focal = 0.55 * width * 2.5 / 2.0
    return Camera(
        image_size=(width, height),
        camera_matrix=np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]]),
        dist=np.array([-0.02, 0.0, 0.0, 0.0, 0.0]),
        # x to the left of the image, y down, looking down: HEAD (x < 0) is on the right
        r_camera_from_table=np.array([[-1.0, 0, 0], [0, 1.0, 0], [0, 0, -1.0]]),
        t_camera_from_table_m=np.array([0.0, 0.0, 2.5]),
        table=NINE_FOOT,
        head="right",
        head_from="given",
    )


def write_rows(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write one JSON object a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({"v": 1, **row}) + "\n" for row in rows), encoding="utf-8")


def read_rows(path: Path) -> list[Row]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def write_camera(folder: Path, camera: Camera) -> None:
    """Write camera.json into a results folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "camera.json").write_text(json.dumps(camera_to_json(camera)), encoding="utf-8")


def perfect_result(truth: Sequence[Row], camera: Camera) -> list[Row]:
    """The shot log that says exactly what truth says, through the given camera."""
    rows = []
    truth_only = ("complete", "complete_lists", "uncertain")
    for true_row in truth:
        row = {key: value for key, value in true_row.items() if key not in truth_only}
        if "balls_px" in row:
            pixels = dict(row.pop("balls_px"))  # type: ignore[call-overload]
            metres = camera.on_plane(np.array(list(pixels.values())))
            row["balls"] = {b: list(map(float, m)) for b, m in zip(pixels, metres, strict=True)}
        if row.get("kind") == "cushion_contact":
            row["cushion"] = sorted(cushions_named(str(row["cushion"])))[0]
        if row.get("kind") == "source":
            row["head_from"] = "given"
            row.pop("table", None)  # a truth may name it in words
        rows.append(row)
    return rows
