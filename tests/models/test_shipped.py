"""The shipped network: pinned, small, and finding balls without torch."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from tests.vision.painted_tables import straight_above, table_view
from vision.finds import Kind
from vision.network import load_network
from vision.runtimes import MAKERS
from vision.second_eye import SURE, resting_balls
from vision.weights import MODELS, PINS_FILE, checked, pins

TOP = straight_above()
BALLS = [
    ("cue", -0.7, 0.1),
    ("1", 0.3, 0.3),
    ("2", 0.6, -0.4),
    ("3", 0.9, 0.0),
    ("5", 0.1, -0.2),
    ("8", -0.2, 0.45),
    ("9", 1.1, 0.4),
]


def test_every_shipped_file_is_pinned_and_together_they_are_small() -> None:
    """SHA-256 of each, at most 12 MB."""
    named = pins(MODELS / PINS_FILE)
    assert set(named) == {"detector.onnx", "detector.pt"}
    paths = [checked(MODELS / name) for name in named]
    assert sum(path.stat().st_size for path in paths) < 12e6
    assert (MODELS / "README.md").is_file()


def test_painted_balls_are_found_at_their_places() -> None:
    """Seven balls on a painted table, which is not what it learned from; nothing else."""
    network = load_network(TOP, device="cpu")
    assert network is not None
    finds = network.look(table_view(TOP, BALLS))
    sure = resting_balls(finds, TOP)
    sure = sure.of(Kind.BALL, Kind.CUE_BALL, least=SURE)
    assert len(sure) == len(BALLS)
    places = TOP.to_table(sure.centers_px)
    for _, x_m, y_m in BALLS:
        assert np.hypot(*(places - (x_m, y_m)).T).min() < 0.003
    cue = places[sure.kinds == Kind.CUE_BALL]
    assert len(cue) == 1
    assert np.hypot(*(cue[0] - (-0.7, 0.1))) < 0.003


def test_both_runtimes_see_the_same() -> None:
    """OpenVINO, at the precision of this CPU, and ONNX Runtime agree to half a pixel."""
    network = load_network(TOP, device="cpu")
    assert network is not None
    width, height = network.size_px
    view = table_view(TOP, BALLS)
    places = []
    for make in MAKERS.values():
        runtime = make(MODELS / "detector.onnx", height, width, 1)
        finds = type(network)(runtime, network.size_px, network.filled_px).look(view)
        kept = finds.of(Kind.BALL, Kind.CUE_BALL, least=0.5).centers_px
        places.append(kept[np.argsort(kept[:, 0])])
    assert len(places[0]) == len(places[1]) == len(BALLS)
    assert np.abs(places[0] - places[1]).max() < 0.5


def test_the_network_runs_without_torch() -> None:
    """Loading and looking imports neither torch nor ultralytics."""
    program = (
        "import sys, numpy as np\n"
        "from tests.vision.painted_tables import straight_above\n"
        "from vision.network import load_network\n"
        "top = straight_above()\n"
        "network = load_network(top, device='cpu')\n"
        "network.look(np.zeros((top.height, top.width, 3), np.uint8))\n"
        "assert not {'torch', 'ultralytics'} & set(sys.modules), 'torch was imported'\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=MODELS.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
