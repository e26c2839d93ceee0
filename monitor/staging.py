"""Output that is whole or absent: a killed run leaves no half file.

Files are written into a hidden folder beside their destination and renamed into place
when all are complete.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PREFIX: Final = ".unfinished-"


@contextmanager
def staged_folder(destination: Path, owned: Sequence[str] = ()) -> Iterator[Path]:
    """A folder to write into; what it holds replaces its namesakes in `destination` at the end.

    Of the names in `owned` none is left from an earlier run. After an exception nothing in
    `destination` has changed. Folders left by killed runs are removed.

    Raises:
        OSError: when `destination` cannot be made or written.
    """
    existed = destination.exists()
    destination.mkdir(parents=True, exist_ok=True)
    _remove_left_overs(destination)
    staging = destination / f"{PREFIX}{os.getpid()}"
    staging.mkdir()
    complete = False
    try:
        yield staging
        complete = True
        made = sorted(staging.iterdir(), key=lambda entry: entry.name)
        for name in set(owned) - {entry.name for entry in made}:
            _remove(destination / name)
        for entry in made:
            _move_into(entry, destination / entry.name)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if not (complete or existed):
            # Nothing was made, so no empty folder stays behind either.
            with suppress(OSError):
                destination.rmdir()


def write_whole(path: Path, text: str) -> None:
    """Write a text file by way of a temporary neighbour, so that it is never half there.

    Raises:
        OSError: when the file cannot be written.
    """
    temporary = path.with_name(f"{PREFIX}{os.getpid()}-{path.name}")
    try:
        with temporary.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _move_into(entry: Path, place: Path) -> None:
    """Rename `entry` to `place`; an old folder there steps aside first."""
    if place.is_dir() and not place.is_symlink():
        aside = entry.parent / f"{entry.name}.old"
        place.replace(aside)
    entry.replace(place)


def _remove_left_overs(destination: Path) -> None:
    for entry in destination.glob(f"{PREFIX}*"):
        if not _is_running(entry.name.removeprefix(PREFIX).split("-")[0]):
            _remove(entry)


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)


def _is_running(text: str) -> bool:
    """True when a process of that number, other than this one, is alive."""
    if not text.isdigit() or int(text) == os.getpid():
        return False
    try:
        os.kill(int(text), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
