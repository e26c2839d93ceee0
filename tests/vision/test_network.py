"""The network's input: the top view at the scale it learned, padded; and its absence."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from tests.vision.painted_tables import straight_above, table_view
from vision.finds import Kind
from vision.frames import Image
from vision.network import INPUT_PX_PER_M, Network, input_size, load_network


class Spot:
    """A stand-in for a runtime: one box around the brightest pixel of its input."""

    name = "spot"

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []

    def run(self, picture: Image) -> np.ndarray:
        """The brightest place as a ball."""
        self.shapes.append(picture.shape)
        rows, columns = np.nonzero(picture.min(axis=2) > 200)
        out = np.zeros((9, 1), np.float32)
        out[:4, 0] = columns.mean() + 0.5, rows.mean() + 0.5, 23.0, 23.0
        out[4 + Kind.CUE_BALL, 0] = 0.9
        return out


def test_a_ball_is_found_where_it_lies() -> None:
    """Input of a size the network takes; the find is in pixels of the top view."""
    top = straight_above()
    size, filled = input_size(top)
    spot = Spot()
    finds = Network(spot, size, filled).look(table_view(top, [("cue", 0.6, -0.3)]))
    assert spot.shapes == [(size[1], size[0], 3)]
    assert all(side % 32 == 0 for side in size)
    place = top.to_table(finds.centers_px)[0]
    assert place == pytest.approx([0.6, -0.3], abs=0.004)
    width = finds.boxes_px[0, 2] - finds.boxes_px[0, 0]
    assert width == pytest.approx(23 * top.px_per_m / INPUT_PX_PER_M, rel=0.01)


def test_a_missing_network_is_one_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Without the file the product goes on without the network and says so once."""
    with caplog.at_level(logging.WARNING, logger="table_monitor"):
        assert load_network(straight_above(), tmp_path) is None
    assert [r.message for r in caplog.records] == [
        "The network's file detector.onnx is missing. Balls are found without the network."
    ]


def test_a_user_s_network_that_is_missing_is_told_by_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the shipped network nor a crash instead of the wanted one."""
    with caplog.at_level(logging.WARNING, logger="table_monitor"):
        assert load_network(straight_above(), device="cpu", own=tmp_path / "own.onnx") is None
    (record,) = caplog.records
    assert record.message.startswith("The network's file own.onnx is missing.")
