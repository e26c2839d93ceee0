"""Which runtime runs the network: measured once, remembered, and always one that works."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from vision.frames import Image
from vision.runtimes import Maker, fastest, threads_to_use
from vision.weights import WeightsError


class Sleeper:
    """A runtime that takes a known time."""

    def __init__(self, name: str, rest_s: float, runs: list[str]) -> None:
        self.name, self.rest_s, self.runs = name, rest_s, runs

    def run(self, picture: Image) -> np.ndarray:
        """Nothing seen, after a while."""
        self.runs.append(self.name)
        time.sleep(self.rest_s)
        return np.zeros((9, picture.shape[0]), np.float32)


def makers(runs: list[str], **rests: float) -> dict[str, Maker]:
    """A maker for each runtime's name."""

    def maker(name: str, rest_s: float) -> Maker:
        return lambda *_: Sleeper(name, rest_s, runs)

    return {name: maker(name, rest_s) for name, rest_s in rests.items()}


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A file that stands for a network."""
    path = tmp_path / "any.onnx"
    path.write_bytes(b"a network")
    return path


def test_the_faster_one_is_chosen_and_remembered(network: Path, tmp_path: Path) -> None:
    """The first call measures both; the second one neither."""
    runs: list[str] = []
    both = makers(runs, slow=0.02, fast=0.0)
    assert fastest(network, 32, 64, folder=tmp_path, makers=both).name == "fast"
    assert set(runs) == {"slow", "fast"}
    runs.clear()
    assert fastest(network, 32, 64, folder=tmp_path, makers=both).name == "fast"
    assert runs == []


def test_another_size_or_network_is_measured_anew(network: Path, tmp_path: Path) -> None:
    """What is remembered holds for one network at one size."""
    runs: list[str] = []
    both = makers(runs, slow=0.005, fast=0.0)
    fastest(network, 32, 64, folder=tmp_path, makers=both)
    for change in (64, 32):
        runs.clear()
        fastest(network, change, 64, folder=tmp_path, makers=both)
        assert runs
        network.write_bytes(b"another network")


def test_one_that_cannot_be_made_is_left_out(network: Path, tmp_path: Path) -> None:
    """A library that is missing or refuses the file leaves the other one; none is an error."""

    def broken(*_: object) -> Sleeper:
        raise ImportError("not installed")

    runs: list[str] = []
    some = makers(runs, working=0.0) | {"missing": broken}
    assert fastest(network, 32, 64, folder=tmp_path, makers=some).name == "working"
    with pytest.raises(WeightsError, match=r"can run any\.onnx"):
        fastest(network, 32, 64, folder=tmp_path, makers={"missing": broken})


def test_a_cache_that_cannot_be_used_is_no_failure(network: Path, tmp_path: Path) -> None:
    """A folder that is a file, or a damaged note: measured each time."""
    (tmp_path / "runtimes.json").write_text("not json", encoding="utf-8")
    both = makers([], slow=0.005, fast=0.0)
    assert fastest(network, 32, 64, folder=tmp_path, makers=both).name == "fast"
    assert fastest(network, 32, 64, folder=network, makers=both).name == "fast"


def test_the_number_of_threads_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """OMP_NUM_THREADS is obeyed; nonsense in it is not."""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert threads_to_use() == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "many")
    assert threads_to_use() >= 1
