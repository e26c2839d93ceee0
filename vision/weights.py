"""The shipped network's file: found, and checked against its pinned SHA-256."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

MODELS: Final = Path(__file__).resolve().parent.parent / "models"
NETWORK_FILE: Final = "detector.onnx"
PINS_FILE: Final = "SHA256SUMS"


class WeightsError(Exception):
    """A network's file is missing, is not the pinned one, or cannot be used: one sentence."""


def shipped_network(folder: Path = MODELS) -> Path:
    """The path of the checked network.

    Raises:
        WeightsError: when the file is missing or its SHA-256 is not the pinned one.
    """
    return checked(folder / NETWORK_FILE)


def checked(path: Path) -> Path:
    """The path itself, when its content is what the SHA256SUMS beside it says.

    Raises:
        WeightsError: when it is missing or another.
    """
    if not path.is_file():
        raise WeightsError(f"The network's file {path.name} is missing.")
    pinned = pins(path.with_name(PINS_FILE)).get(path.name)
    if pinned is None:
        raise WeightsError(f"{PINS_FILE} names no SHA-256 for {path.name}.")
    if sha256(path) != pinned:
        raise WeightsError(f"{path.name} is not the file that was shipped (SHA-256 differs).")
    return path


def pins(path: Path) -> dict[str, str]:
    """File name -> SHA-256, as the program sha256sum writes them; empty without the file."""
    if not path.is_file():
        return {}
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {row[1].lstrip("*"): row[0] for row in rows if len(row) == 2}


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
