"""The files of recordings: pieces, the list that joins them, and the room they may take."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_HEAD: Final = "ffconcat version 1.0\n"
_OURS: Final = re.compile(r"(table-\d{8}T\d{6}-\d+)-(\d{5})\.mp4")
"""Only files of this name are ever deleted."""


@dataclass(eq=False)
class Piece:
    """One file of a recording; times are the source's own."""

    path: Path
    from_s: float
    until_s: float


@dataclass(eq=False)
class Playlist:
    """The list of a recording's pieces, in FFmpeg's concat format, whole on disk at any time."""

    path: Path
    _pieces: list[Piece] = field(default_factory=list, init=False)
    _count: int = field(default=0, init=False)

    def next_piece(self, from_s: float) -> Piece:
        """The piece that begins with the packet shown at `from_s`; not yet on the list."""
        self._count += 1
        name = f"{self.path.stem}-{self._count:05d}.mp4"
        return Piece(self.path.with_name(name), from_s, from_s)

    def add(self, piece: Piece) -> None:
        """Put a piece on the list; those that are gone from the disk leave it.

        Raises:
            OSError: when the list cannot be written.
        """
        self._pieces = [p for p in self._pieces if p.path.exists()] + [piece]
        _write_durably(self.path, self._text())

    def _text(self) -> str:
        """Each piece's length runs to the start of the next: gaps stay gaps."""
        lines = [_HEAD]
        for index, piece in enumerate(self._pieces):
            lines.append(f"file {piece.path.name}\n")
            if index + 1 < len(self._pieces):
                lines.append(f"duration {self._pieces[index + 1].from_s - piece.from_s:.6f}\n")
        return "".join(lines)


def _write_durably(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}")
    with temporary.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    temporary.replace(path)


def make_room(folder: Path, most_bytes: int, keep_free_bytes: int) -> list[Path]:
    """Delete the oldest pieces until the recordings fit their share and the disk has room.

    The newest piece stays. Returns what was deleted; lists whose pieces are all gone go too.
    """
    pieces = sorted(path for path in folder.glob("table-*.mp4") if _OURS.fullmatch(path.name))
    sizes = {path: path.stat().st_size for path in pieces}
    total, gone = sum(sizes.values()), []
    for path in pieces[:-1]:
        if total <= most_bytes and shutil.disk_usage(folder).free >= keep_free_bytes:
            break
        path.unlink(missing_ok=True)
        total -= sizes[path]
        gone.append(path)
    for path in gone:
        found = _OURS.fullmatch(path.name)
        assert found is not None
        if not any(folder.glob(f"{found[1]}-*.mp4")):
            (folder / f"{found[1]}.ffconcat").unlink(missing_ok=True)
    return gone
