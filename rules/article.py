"""An article of the rulebook, and who can establish that it applies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Establishes(StrEnum):
    """Who can establish that an article applies."""

    CAMERA = "camera"
    """Seen, and ruled at once when the fact is sure."""
    ADVISORY = "advisory"
    """Suspected by the camera; nothing happens until a person confirms."""
    PERSON = "person"
    """Declared or called by a person only."""
    NOBODY = "nobody"
    """Not a ten-ball rule, or without a consequence for a ruling."""


@dataclass(frozen=True, slots=True)
class Article:
    """One article of the rulebook."""

    number: str
    title: str
    title_cs: str
    restatement: str
    """One sentence, our wording."""
    who: Establishes
    code: str
    """Where it is implemented: module, or module.function."""
    note: str = ""
    """What the engine deliberately leaves to people."""


CAMERA, ADVISORY = Establishes.CAMERA, Establishes.ADVISORY
PERSON, NOBODY = Establishes.PERSON, Establishes.NOBODY
