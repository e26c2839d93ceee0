"""The network's file is the pinned one, or it is not used."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from vision.weights import WeightsError, checked, shipped_network


def pinned(folder: Path, content: bytes, said: bytes) -> Path:
    """A file and the SHA-256 that is said of it."""
    path = folder / "detector.onnx"
    path.write_bytes(content)
    row = f"{hashlib.sha256(said).hexdigest()}  detector.onnx\n"
    (folder / "SHA256SUMS").write_text(row, encoding="utf-8")
    return path


def test_the_pinned_file_is_used(tmp_path: Path) -> None:
    """Content and pin agree."""
    path = pinned(tmp_path, b"weights", b"weights")
    assert checked(path) == path
    assert shipped_network(tmp_path) == path


def test_another_file_is_refused(tmp_path: Path) -> None:
    """One changed byte is told in a sentence."""
    with pytest.raises(WeightsError, match=r"detector\.onnx is not the file that was shipped"):
        checked(pinned(tmp_path, b"weighty", b"weights"))


def test_a_missing_file_and_a_missing_pin_are_told(tmp_path: Path) -> None:
    """Each in its own sentence."""
    with pytest.raises(WeightsError, match=r"detector\.onnx is missing"):
        shipped_network(tmp_path)
    (tmp_path / "detector.onnx").write_bytes(b"weights")
    with pytest.raises(WeightsError, match="names no SHA-256"):
        shipped_network(tmp_path)
