"""The files of one case."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from monitor.failures import CannotBeDoneError

CLIP: Final = "clip.mp4"
CAMERA: Final = "camera.json"
DECLARATIONS: Final = "declarations.jsonl"
BALL_SET: Final = "ballset.json"
APPROVED_LOG: Final = "approved.jsonl"
APPROVED_RULINGS: Final = "rulings.jsonl"
TRUE_LOG: Final = "truth.jsonl"
TRUE_RULINGS: Final = "expected.jsonl"


@dataclass(frozen=True, slots=True)
class CaseFolder:
    """One case on disk."""

    folder: Path

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.name

    @property
    def clip(self) -> Path:
        """The video."""
        return self.folder / CLIP

    @property
    def camera(self) -> Path | None:
        """The camera, where it was recorded."""
        return self._if_there(CAMERA)

    @property
    def declarations(self) -> Path | None:
        """What people said, where they said something."""
        return self._if_there(DECLARATIONS)

    @property
    def ball_set(self) -> Path | None:
        """The enrolled ball set, where the clip needs one."""
        return self._if_there(BALL_SET)

    @property
    def log(self) -> Path:
        """The approved shot log, else the true one.

        Raises:
            CannotBeDoneError: when there is neither.
        """
        found = self._if_there(APPROVED_LOG) or self._if_there(TRUE_LOG)
        if found is None:
            raise CannotBeDoneError(f"{self.folder} holds neither {APPROVED_LOG} nor {TRUE_LOG}.")
        return found

    @property
    def rulings(self) -> Path | None:
        """The approved rulings, else the expected ones, if any."""
        return self._if_there(APPROVED_RULINGS) or self._if_there(TRUE_RULINGS)

    def _if_there(self, name: str) -> Path | None:
        path = self.folder / name
        return path if path.is_file() else None


def case_folders(root: Path) -> list[CaseFolder]:
    """The cases in a folder, itself or its children, in order of their names."""
    places = [root, *sorted(path for path in root.iterdir() if path.is_dir())]
    return [CaseFolder(place) for place in places if _is_case(place)]


def _is_case(place: Path) -> bool:
    logs = (APPROVED_LOG, TRUE_LOG)
    return (place / CLIP).is_file() and any((place / name).is_file() for name in logs)
