"""The corners file of --points: where the nose lines meet in the picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from monitor.failures import CannotBeDoneError, sentence_for
from table.geometry import Pocket, Point
from table.json_fields import FieldError, Fields

CORNERS: Final = (Pocket.HL, Pocket.HR, Pocket.FL, Pocket.FR)


def read_corners(path: Path) -> dict[Pocket, Point]:
    """Read {"HL": [x, y], "HR": ..., "FL": ..., "FR": ...}: pixels, first pixel's centre (0, 0).

    Raises:
        CannotBeDoneError: naming the file and the first corner that is missing or wrong.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotBeDoneError(sentence_for(error)) from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise CannotBeDoneError(f"{path.name} is not a JSON file.") from None
    if not isinstance(values, dict):
        raise CannotBeDoneError(f"{path.name} must hold an object with HL, HR, FL and FR.")
    fields = Fields(values, path.name)
    try:
        return {corner: fields.point(corner.value) for corner in CORNERS}
    except FieldError as error:
        raise CannotBeDoneError(f"{error}.") from None
