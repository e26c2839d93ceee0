"""Pictures of real tables whose balls others have measured, where they are at hand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.find import find_camera
from table.geometry import TableSpec, table_from_text

FOLDER = Path(os.environ.get("TABLE_MONITOR_SHARED", "/nowhere")) / "images" / "bfh"
HOME_TABLE = "1.881,0.9405"

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="TABLE_MONITOR_SHARED names no folder with pictures"
)


def errors_mm(name: str, table: TableSpec) -> np.ndarray:
    """How far balls are found from where the table's owners have measured them."""
    entries = json.loads((FOLDER / "truth.json").read_text())
    balls = next(entry for entry in entries if entry["image"] == name)["balls"]
    picture = cv2.imread(str(FOLDER / name))
    assert picture is not None
    camera = find_camera([picture], table).camera
    seen = 1e3 * camera.on_plane([ball["px"] for ball in balls], table.ball_radius_m)
    true = np.array([(ball["x_mm"], ball["y_mm"]) for ball in balls])
    return min((np.hypot(*(way * seen - true).T) for way in (1.0, -1.0)), key=np.median)


@pytest.mark.parametrize("name", ["with_halo_2_19.png", "with_halo_2_23.png", "without_halo_5.png"])
def test_a_measured_table_is_found_to_a_few_millimetres(name: str) -> None:
    """In the first two an end's cushion lies in a light of another colour than the bed."""
    errors = errors_mm(name, table_from_text(HOME_TABLE))
    assert np.median(errors) < 2.0
    assert np.percentile(errors, 95) < 5.0
