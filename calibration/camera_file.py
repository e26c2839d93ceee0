"""camera.json: a camera as a file, checked field by field when it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Final

import numpy as np

from calibration.camera import HEAD_FROM, SIDES, Camera
from calibration.lens import Array
from table.geometry import TableSpec
from table.json_fields import FieldError, Fields, as_number

VERSION: Final = 1


class CameraFileError(FieldError):
    """A camera file that cannot be used; the text names the file and the field."""


def camera_to_json(camera: Camera) -> dict[str, object]:
    """The object of camera.json (interface.md); `more` never hides a named key."""
    named: dict[str, object] = {
        "v": VERSION,
        "image_size": [int(size) for size in camera.image_size],
        "K": camera.camera_matrix.tolist(),
        "dist": camera.dist.tolist(),
        "R_camera_from_table": camera.r_camera_from_table.tolist(),
        "t_camera_from_table": camera.t_camera_from_table_m.tolist(),
        "table": _table_to_json(camera.table),
        "head": camera.head,
        "head_from": camera.head_from,
        "error_mm": {key: round(float(value), 3) for key, value in camera.error_mm.items()},
    }
    return named | {key: value for key, value in camera.more.items() if key not in named}


def camera_from_json(values: Mapping[str, object], place: str = "camera.json") -> Camera:
    """Read the object of camera.json.

    Raises:
        CameraFileError: one sentence that names `place` and the field.
    """
    fields = Fields(values, place)
    try:
        return _read_camera(fields)
    except FieldError as error:
        raise CameraFileError(str(error)) from None
    except ValueError as error:
        raise CameraFileError(f"{place} cannot be used: {error}") from None


def load_camera(path: Path) -> Camera:
    """Read camera.json.

    Raises:
        CameraFileError: one sentence that names the file and the field.
    """
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CameraFileError(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise CameraFileError(f"{path.name} is not a JSON file") from None
    if not isinstance(values, dict):
        raise CameraFileError(f"{path.name} is not a JSON object")
    return camera_from_json(values, path.name)


_NAMED: Final = frozenset(
    (
        "v",
        "image_size",
        "K",
        "dist",
        "R_camera_from_table",
        "t_camera_from_table",
        "table",
        "head",
        "head_from",
        "error_mm",
    )
)


def _read_camera(fields: Fields) -> Camera:
    if fields.values.get("v", VERSION) != VERSION:
        raise fields.fail("v", f"version {VERSION}")
    width, height = read_array(fields, "image_size", (2,))
    if width < 1 or height < 1 or width % 1 or height % 1:
        raise fields.fail("image_size", "two whole numbers [width, height]")
    head = fields.text("head")
    if head not in SIDES:
        raise fields.fail("head", f"one of {', '.join(SIDES)}")
    head_from = fields.optional_text("head_from") or "given"
    if head_from not in HEAD_FROM:
        raise fields.fail("head_from", f"one of {', '.join(HEAD_FROM)}")
    rotation = read_array(fields, "R_camera_from_table", (3, 3))
    if not np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-4):
        raise fields.fail("R_camera_from_table", "a rotation matrix")
    left, _, right = np.linalg.svd(rotation)
    return Camera(
        image_size=(int(width), int(height)),
        camera_matrix=read_camera_matrix(fields),
        dist=read_array(fields, "dist", (5,)),
        r_camera_from_table=left @ right,
        t_camera_from_table_m=read_array(fields, "t_camera_from_table", (3,)),
        table=_read_table(fields),
        head=head,
        head_from=head_from,
        error_mm=_read_errors(fields),
        more={key: value for key, value in fields.values.items() if key not in _NAMED},
    )


def read_camera_matrix(fields: Fields) -> Array:
    """The field "K": a 3x3 camera matrix.

    Raises:
        FieldError: when it is none.
    """
    matrix = read_array(fields, "K", (3, 3))
    if matrix[0, 0] <= 0.0 or matrix[1, 1] <= 0.0 or not np.allclose(matrix[2], (0.0, 0.0, 1.0)):
        raise fields.fail("K", "a camera matrix [[fx, s, cx], [0, fy, cy], [0, 0, 1]]")
    return matrix


def read_array(fields: Fields, name: str, shape: tuple[int, ...]) -> Array:
    """A field that holds finite numbers nested to `shape`.

    Raises:
        FieldError: when it does not.
    """
    wanted = f"{'x'.join(str(size) for size in shape)} finite numbers"
    value = fields.values.get(name)
    if not _has_shape(value, shape):
        raise fields.fail(name, wanted)
    return np.array(value, dtype=np.float64)


def _has_shape(value: object, shape: tuple[int, ...]) -> bool:
    if not shape:
        return as_number(value) is not None
    return (
        isinstance(value, list)
        and len(value) == shape[0]
        and all(_has_shape(item, shape[1:]) for item in value)
    )


def _read_errors(fields: Fields) -> dict[str, float]:
    value = fields.values.get("error_mm", {})
    if not isinstance(value, dict):
        raise fields.fail("error_mm", "an object from rails to millimetres")
    errors = Fields(value, f'{fields.place}, field "error_mm"')
    return {str(key): errors.not_negative(str(key)) for key in value}


def _table_to_json(table: TableSpec) -> dict[str, object]:
    return {entry.name: getattr(table, entry.name) for entry in fields_of(table)}


def _read_table(fields: Fields) -> TableSpec:
    value = fields.values.get("table")
    if not isinstance(value, dict):
        raise fields.fail("table", 'an object with "length_m" and "width_m"')
    table = Fields(value, f'{fields.place}, field "table"')
    measures: dict[str, float] = {
        "length_m": table.number("length_m"),
        "width_m": table.number("width_m"),
    }
    default = TableSpec()
    for name in ("ball_diameter_m", "corner_mouth_m", "side_mouth_m"):
        measures[name] = table.number(name, getattr(default, name))
    for name in ("corner_shelf_m", "side_shelf_m"):
        measures[name] = table.number(name, getattr(default, name))
    return TableSpec(**measures, has_pockets=table.boolean("has_pockets", True))
