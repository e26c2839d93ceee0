"""The set-up as the page drives it: questions to the eyes, answers, the check list."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from monitor.failures import CannotBeDoneError
from monitor.live.eye_words import Answered, Asked, SetUpIs
from monitor.live.live_checks import live_checks
from monitor.live.table_now import Health
from monitor.staging import write_whole
from monitor.store import Body
from table.geometry import STANDARD_TABLES

_WITHIN_S: Final = 60.0
_PICTURE_WITHIN_S: Final = 5.0
_CUT_WITHIN_S: Final = 20.0
_GOOD_MM: Final = 2.0


@dataclass(eq=False)
class EyesSetUp:
    """Talks to the eyes about camera and balls. Calls come from any thread."""

    source: str
    folder: Path
    send: Callable[[object], bool]
    health: Callable[[], Health] = Health
    """How well the table is seen just now."""
    image_size: tuple[int, int] | None = None
    calibrated: bool = False
    problem: str | None = None
    _camera: Body = field(default_factory=dict, init=False)
    _ball_set: str | None = field(default=None, init=False)
    _notes: tuple[str, ...] = field(default=(), init=False)
    _busy: str | None = field(default=None, init=False)
    _count: int = field(default=0, init=False)
    _answers: dict[int, Answered] = field(default_factory=dict, init=False)
    _changed: threading.Condition = field(default_factory=threading.Condition, init=False)
    _enrolled: bytes | None = field(default=None, init=False)
    _chosen: bool = field(default=False, init=False)

    # What the eyes tell

    def take(self, word: SetUpIs) -> None:
        """The eyes have another camera or ball set."""
        self.calibrated = word.camera is not None
        self.problem = word.problem
        self._camera = dict(word.camera or {})
        self._ball_set, self._notes = word.ball_set, word.notes
        if word.anew:
            # Eyes that start anew look through it as well.
            with suppress(OSError):
                self._keep_camera()

    def answered(self, word: Answered) -> None:
        """The eyes answer a question."""
        with self._changed:
            self._answers[word.number] = word
            self._changed.notify_all()

    def gone(self) -> None:
        """The eyes' process has ended: nobody answers any more."""
        with self._changed:
            for number in range(1, self._count + 1):
                sentence = "The camera stopped meanwhile; try again."
                self._answers.setdefault(
                    number, Answered(number, {"ok": False, "sentence": sentence})
                )
            self._changed.notify_all()

    def session_part(self) -> Body:
        """What of it belongs to the record of a session."""
        return {
            "head": self._camera.get("head"),
            "head_from": self._camera.get("head_from"),
            "ball_set": self._ball_set,
        }

    def camera_file(self) -> Path | None:
        """The camera that was chosen on the page in this run, for eyes that start anew."""
        path = self.folder / "camera.json"
        return path if self._chosen and path.is_file() else None

    # What the page asks

    def view(self) -> Body:
        """The set-up as it is."""
        camera = {k: v for k, v in self._camera.items() if k != "file"}
        table = camera.get("table")
        return {
            "source": self.source,
            "image_size": None if self.image_size is None else list(self.image_size),
            "picture": self.image_size is not None,
            "calibrated": self.calibrated,
            "busy": self._busy,
            "corners_px": camera.get("corners_px"),
            "outline_px": camera.get("outline_px"),
            "head": camera.get("head"),
            "head_from": camera.get("head_from"),
            "table": None if not isinstance(table, dict) else {"size": _size(table), **table},
            "error_mm": camera.get("error_mm"),
            "ball_set": self._ball_set,
            "ball_sets": ["standard", "tv", *self._enrolled_sets()],
            "notes": list(self._notes),
            "problem": self.problem,
            "checks": self._checks(),
        }

    def picture(self) -> bytes | None:
        """A whole frame as JPEG."""
        answer = self._ask("picture", {}, _PICTURE_WITHIN_S)
        return answer.jpeg

    def play(self) -> Body:
        """Let a file that waits begin."""
        return self._ask("play", {}, _WITHIN_S).answer

    def calibrate(self, table: str | None, head: str | None) -> Body:
        """Try to find the camera; the proposal."""
        return self._work("calibrating", "calibrate", {"table": table, "head": head})

    def corners(
        self, corners_px: dict[str, list[float]], table: str | None, head: str | None
    ) -> Body:
        """The camera from four corners; the proposal."""
        told: Body = {"corners_px": corners_px, "table": table, "head": head}
        return self._work("calibrating", "corners", told)

    def use(self) -> Body:
        """Take the last proposal, and keep it for the next evening."""
        answer = self._work("calibrating", "use", {})
        if not answer.get("ok"):
            raise CannotBeDoneError(str(answer.get("sentence")))
        self._keep_camera()
        return self.view()

    def _keep_camera(self) -> None:
        """Keep the camera for eyes that start anew, and for the next evening."""
        self._chosen = True
        file = self._camera.get("file")
        write_whole(self.folder / "camera.json", json.dumps(file) + "\n")

    def enroll(self, name: str) -> Body:
        """Learn the balls as they lie now."""
        return self._work("enrolling", "enroll", {"name": name})

    def enrolled_picture(self) -> bytes | None:
        """The picture to check an enrolment by."""
        return self._enrolled

    def use_ball_set(self, name: str) -> Body:
        """Take another ball set."""
        answer = self._work("enrolling", "ball_set", {"name": name})
        if not answer.get("ok"):
            raise CannotBeDoneError(str(answer.get("sentence")))
        return self.view()

    def cut(self, from_s: float, until_s: float, out: Path) -> float:
        """Have a clip cut out of what is kept of a camera (source time); the clip's start.

        Raises:
            CannotBeDoneError: when it cannot be cut.
        """
        told: Body = {"from_s": from_s, "until_s": until_s, "out": str(out)}
        answer = self._ask("cut", told, _CUT_WITHIN_S).answer
        if not answer.get("ok"):
            raise CannotBeDoneError(str(answer.get("sentence")))
        return float(str(answer["from_s"]))

    def _enrolled_sets(self) -> list[str]:
        return sorted(path.stem for path in (self.folder / "ballsets").glob("*.json"))

    def _work(self, busy: str, what: str, told: Body) -> Body:
        self._busy = busy
        try:
            answer = self._ask(what, told, _WITHIN_S)
        finally:
            self._busy = None
        if what == "enroll" and answer.jpeg is not None:
            self._enrolled = answer.jpeg
        return answer.answer

    def _ask(self, what: str, told: Body, within_s: float) -> Answered:
        with self._changed:
            self._count += 1
            number = self._count
            if not self.send(Asked(number, what, told)):
                raise CannotBeDoneError("The camera does not run.")
            if not self._changed.wait_for(lambda: number in self._answers, within_s):
                raise CannotBeDoneError("The camera does not answer; try again.")
            return self._answers.pop(number)

    def _checks(self) -> list[Body]:
        """The check list: green, amber, red, and what to do."""
        checks = [
            _check(
                "picture",
                "green" if self.image_size else "red",
                ("The camera gives a picture", "Kamera dává obraz"),
                ("Check cable and address", "Zkontrolujte kabel a adresu"),
            )
        ]
        error = self._camera.get("error_mm")
        rms = error.get("rms") if isinstance(error, dict) else None
        good = isinstance(rms, (int, float)) and rms <= _GOOD_MM
        level = "red" if not self.calibrated else ("green" if good or rms is None else "amber")
        text = "The table is found" if self.calibrated else "The table is not found"
        detail = f" ({rms:.1f} mm)" if isinstance(rms, (int, float)) else ""
        checks.append(
            _check(
                "calibration",
                level,
                (text + detail, ("Stůl nalezen" if self.calibrated else "Stůl nenalezen") + detail),
                ("Put the four corners on the noses", "Nastavte čtyři rohy na hrany mantinelů"),
            )
        )
        given = self._camera.get("head_from") != "assumed"
        checks.append(
            _check(
                "head",
                "green" if given and self.calibrated else "amber",
                ("The head end is known", "Hlava stolu je známa")
                if given
                else ("The head end is assumed", "Hlava stolu je jen předpoklad"),
                ("Choose the head end", "Zvolte hlavu stolu"),
            )
        )
        checks.append(
            _check(
                "balls",
                "green" if self._ball_set else "amber",
                (f"Ball set: {self._ball_set or 'chosen by looks'}",)
                + (f"Sada koulí: {self._ball_set or 'podle vzhledu'}",),
                ("Choose or enrol the ball set", "Zvolte nebo naučte sadu koulí"),
            )
        )
        return checks + live_checks(self.health())


def _check(name: str, level: str, text: tuple[str, ...], todo: tuple[str, str]) -> Body:
    is_green = level == "green"
    return {
        "id": name,
        "level": level,
        "text": text[0],
        "text_cs": text[1],
        "todo": None if is_green else todo[0],
        "todo_cs": None if is_green else todo[1],
    }


def _size(table: Body) -> str | None:
    for name, spec in STANDARD_TABLES.items():
        if spec.length_m == table.get("length_m") and spec.width_m == table.get("width_m"):
            return name
    return None
