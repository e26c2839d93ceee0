"""The two ways in which a command fails, each told in one sentence.

`CannotBeDoneError` ends with exit code 1: bad content, nothing to see, no device.
`AskedWronglyError` ends with exit code 2: options or usage.
"""

from __future__ import annotations

import errno


class CannotBeDoneError(Exception):
    """What was asked cannot be done; the text is one sentence for a person."""


class AskedWronglyError(Exception):
    """The command itself is wrong; the text says how to ask instead."""


def sentence_for(error: OSError) -> str:
    """One sentence for an operating-system error, with what to do next."""
    place = f" {error.filename}" if error.filename else ""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return f"The disk is full{_at(place)}; free some space and run it again."
        case errno.EACCES | errno.EPERM:
            return f"No permission for{place or ' a file'}; choose another folder or change it."
        case errno.EROFS:
            return f"The disk is read-only{_at(place)}; choose another folder."
        case errno.ENOENT:
            return f"{place.strip() or 'A file'} does not exist."
        case errno.EISDIR:
            return f"{place.strip() or 'A path'} is a folder, a file was expected."
        case errno.ENOTDIR:
            return f"{place.strip() or 'A path'} is not a folder; choose another path."
        case _:
            return f"{error.strerror or error}{_at(place)}."


def _at(place: str) -> str:
    return f" at{place}" if place else ""
