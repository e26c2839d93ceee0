"""The network in torch: the same finds as in the other runtimes, and no code from a .pt file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.painted_tables import straight_above, table_view
from vision.finds import Kind
from vision.network import load_network
from vision.weights import WeightsError
from vision.yolo import YoloRuntime, tensors_of

torch: Any = pytest.importorskip("torch", reason="the full install has torch")


class Marker:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, tuple[Path]]:
        return (Path.touch, (self.path,))


def test_plain_tensors_are_read(tmp_path: Path) -> None:
    """A table of named tensors."""
    path = tmp_path / "own.pt"
    torch.save({"a": torch.ones(2)}, path)
    assert list(tensors_of(path)) == ["a"]


def test_code_in_a_file_is_refused_and_never_run(tmp_path: Path) -> None:
    """A pickle that would do something is told in a sentence and does nothing."""
    path, mark = tmp_path / "bad.pt", tmp_path / "was here"
    torch.save({"a": Marker(mark)}, path)
    with pytest.raises(WeightsError, match=r"bad\.pt holds program code"):
        tensors_of(path)
    assert not mark.exists()


def test_other_files_are_refused(tmp_path: Path) -> None:
    """Not a table, not these tensors, not a .pt file, not there."""
    path = tmp_path / "own.pt"
    torch.save([1, 2], path)
    with pytest.raises(WeightsError, match="not a table of tensors"):
        tensors_of(path)
    torch.save({"a": torch.ones(2)}, path)
    with pytest.raises(WeightsError, match=r"does not fit detector\.yaml"):
        YoloRuntime(path, "cpu")
    path.write_bytes(b"not torch")
    with pytest.raises(WeightsError):
        tensors_of(path)
    with pytest.raises(WeightsError, match="cannot be read"):
        tensors_of(tmp_path / "missing.pt")


def test_torch_and_the_exported_network_see_the_same() -> None:
    """The shipped tensors and the shipped ONNX file are one network."""
    top = straight_above()
    view = table_view(top, [("cue", 0.6, -0.3), ("1", -0.4, 0.2), ("8", 0.0, 0.0)])
    weights = Path(__file__).parents[2] / "models" / "detector.pt"
    exported = load_network(top, device="cpu")
    plain = load_network(top, device="cpu", own=weights)
    assert exported is not None
    assert plain is not None
    assert plain.runtime.name == "ultralytics"
    first, second = (
        n.look(view).of(Kind.BALL, Kind.CUE_BALL, least=0.4) for n in (exported, plain)
    )
    assert len(first) == len(second) == 3
    order = [np.argsort(f.centers_px[:, 0]) for f in (first, second)]
    assert np.abs(first.centers_px[order[0]] - second.centers_px[order[1]]).max() < 0.3
