"""The set-up as the eyes do it: find the camera, take corners, learn the balls."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.find import Calibration, find_camera
from monitor.failures import CannotBeDoneError
from monitor.live.eye_words import Json
from monitor.staging import write_whole
from table.geometry import Pocket, TableSpec, table_from_text
from vision.ballset import BallSet, ball_set_fields, ball_set_named
from vision.enrolment import enroll
from vision.frames import Image
from vision.laid_out import LayoutError
from vision.topview import TopView

_BUILT_IN: Final = ("standard", "tv")
_QUALITY: Final = 85
_NO_TABLE_CS: Final = "Stůl se nepodařilo najít: nastavte čtyři rohy na hrany mantinelů."
_NO_ROW_CS: Final = (
    "Koule se nepodařilo určit: položte bílou a koule 1 až 10 do jedné řady podle čísel, "
    "bílou před jedničku."
)
_OPPOSITE: Final = {
    Pocket.HL: Pocket.FR,
    Pocket.HR: Pocket.FL,
    Pocket.FL: Pocket.HR,
    Pocket.FR: Pocket.HL,
}


class SetUpError(CannotBeDoneError):
    """What cannot be done, in both languages."""

    def __init__(self, sentence: str, sentence_cs: str) -> None:
        super().__init__(sentence)
        self.sentence_cs = sentence_cs


@dataclass
class EyeSetup:
    """What is known of the camera and the balls, and what was proposed."""

    folder: Path
    table: TableSpec
    camera: Camera | None = None
    ball_set: BallSet | None = None
    ball_set_name: str | None = None
    notes: tuple[str, ...] = ()
    proposal: Calibration | None = field(default=None, init=False)

    def answer(
        self, what: str, told: Json, pictures: Callable[[], Sequence[Image]]
    ) -> tuple[Json, bytes | None]:
        """Answer one question; what cannot be done is told in the answer."""
        frames = pictures()
        if not frames:
            return refusal(_NO_PICTURE), None
        try:
            match what:
                case "picture":
                    return {"ok": True}, jpeg_of(frames[-1])
                case "calibrate":
                    return self._propose(frames, told, None), None
                case "corners":
                    return self._propose(frames, told, _points(told)), None
                case "use":
                    return self._use(), None
                case "enroll":
                    return self._enroll(str(told["name"]), frames)
                case "ball_set":
                    return self._take_ball_set(str(told["name"])), None
        except (CalibrationError, LayoutError, CannotBeDoneError, ValueError) as error:
            return refusal(error), None
        raise ValueError(what)

    def _propose(
        self, frames: Sequence[Image], told: Json, points: dict[Pocket, tuple[float, float]] | None
    ) -> Json:
        table = self.table
        if told.get("table") is not None:
            table = table_from_text(str(told["table"]))
        head = None if told.get("head") is None else str(told["head"])
        found = find_camera(frames, table, head, points)
        if points is not None and head is not None and found.camera.head != head:
            # The corners were named as seen from the other end.
            turned = {_OPPOSITE[pocket]: point for pocket, point in points.items()}
            found = find_camera(frames, table, head, turned)
        self.proposal = found
        return {"ok": True, **camera_view(found.camera), "notes": list(found.notes)}

    def _use(self) -> Json:
        if self.proposal is None:
            return refusal(_NOTHING_PROPOSED)
        self.camera, self.notes = self.proposal.camera, tuple(self.proposal.notes)
        self.table = self.camera.table
        return {"ok": True}

    def _enroll(self, name: str, frames: Sequence[Image]) -> tuple[Json, bytes | None]:
        if self.camera is None:
            raise SetUpError(
                "Calibrate first: the balls are looked for on the table.",
                "Nejdřív kalibrujte: koule se hledají na stole.",
            )
        if name in _BUILT_IN:
            raise SetUpError(
                f'"{name}" is a built-in set; choose another name.',
                f"„{name}“ je vestavěná sada; zvolte jiný název.",
            )
        top = TopView(self.camera)
        learned = enroll([top.render(frame) for frame in frames], top, name)
        path = self.ball_set_file(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(ball_set_fields(learned.ball_set), indent=1) + "\n")
        self.ball_set, self.ball_set_name = learned.ball_set, name
        told: Json = {
            "ok": True,
            "balls": list(learned.ball_set.names),
            "notes": list(learned.notes),
        }
        return told, jpeg_of(learned.preview_bgr)

    def ball_set_file(self, name: str) -> Path:
        """Where an enrolled set lies; `name` is letters, digits, - and _ only."""
        return self.folder / "ballsets" / f"{name}.json"

    def _take_ball_set(self, name: str) -> Json:
        known = name if name in _BUILT_IN else str(self.ball_set_file(name))
        if name not in _BUILT_IN and not self.ball_set_file(name).is_file():
            raise SetUpError(f'There is no ball set "{name}".', f"Sada koulí „{name}“ není.")
        self.ball_set, self.ball_set_name = ball_set_named(known), name
        return {"ok": True}


_NO_PICTURE: Final = SetUpError(
    "There is no picture yet; wait for the camera.", "Ještě není obraz; počkejte na kameru."
)
_NOTHING_PROPOSED: Final = SetUpError(
    "Calibrate first, or set the four corners.", "Nejdřív kalibrujte, nebo nastavte čtyři rohy."
)


def refusal(error: Exception) -> Json:
    """The answer when something cannot be done: what is to do, in both languages.

    What layout and calibration find wrong is told in English in detail, in Czech in general.
    """
    told: Json = {"ok": False, "sentence": f"{str(error).rstrip('.')}."}
    match error:
        case SetUpError():
            told["sentence_cs"] = error.sentence_cs
        case LayoutError():
            told["sentence_cs"] = _NO_ROW_CS
        case CalibrationError():
            told["sentence_cs"] = _NO_TABLE_CS
    return told


def camera_view(camera: Camera) -> Json:
    """A camera as the set-up page shows it: corners, outline, errors."""
    corners = camera.table.nose_corners
    pixels = camera.project_on_plane([corners[p] for p in corners], 0.0)
    return {
        "corners_px": {p.value: _pixel(xy) for p, xy in zip(corners, pixels, strict=True)},
        "outline_px": [_pixel(xy) for xy in _outline(camera)],
        "head": camera.head,
        "head_from": camera.head_from,
        "table": {"length_m": camera.table.length_m, "width_m": camera.table.width_m},
        "error_mm": camera.to_json().get("error_mm"),
    }


def _outline(camera: Camera) -> np.ndarray:
    a, b = camera.table.length_m / 2, camera.table.width_m / 2
    side = np.linspace(-1.0, 1.0, 9)[:-1]
    ring = np.concatenate(
        [
            np.column_stack((side * a, np.full(8, b))),
            np.column_stack((np.full(8, a), -side * b)),
            np.column_stack((-side * a, np.full(8, -b))),
            np.column_stack((np.full(8, -a), side * b)),
        ]
    )
    return np.asarray(camera.project_on_plane(ring, 0.0))


def _pixel(xy: np.ndarray) -> list[float]:
    return [round(float(xy[0]), 1), round(float(xy[1]), 1)]


def _points(told: Json) -> dict[Pocket, tuple[float, float]]:
    corners = told.get("corners_px")
    named = corners if isinstance(corners, dict) else {}
    wanted = (Pocket.HL, Pocket.HR, Pocket.FL, Pocket.FR)
    if set(named) != {pocket.value for pocket in wanted}:
        raise SetUpError("Set all four corners: HL, HR, FL and FR.", "Nastavte všechny čtyři rohy.")
    return {p: (float(named[p.value][0]), float(named[p.value][1])) for p in wanted}


def jpeg_of(image: Image, width: int | None = None, quality: int = _QUALITY) -> bytes | None:
    """A picture (h, w, 3) uint8 BGR as JPEG, not wider than `width`."""
    if width is not None and image.shape[1] > width:
        height = round(image.shape[0] * width / image.shape[1])
        image = np.asarray(
            cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8
        )
    done, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return coded.tobytes() if done else None
