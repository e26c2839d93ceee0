"""What really happened in a clip, and how much of it is known.

Truth files are shot logs (docs/formats.md) that may give positions in pixels
(`balls_px` at `balls_frame`), whole long rails ("LEFT"), lists known to be partial
(`complete`, `complete_lists`), `uncertain` entries, and null times.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from monitor.evaluation.clip_times import ClipTimes
from monitor.evaluation.happenings import (
    CONTACT,
    CUSHION,
    OFF_TABLE,
    POCKETED,
    Happening,
)
from monitor.evaluation.track_rows import TrackRow
from monitor.evaluation.uncertain import Zone
from table.balls import BallName
from table.geometry import Point

LISTS: Final = frozenset(
    ("first_contact", "ball_contacts", "cushion_contacts", "pocketed", "off_table", "moving")
)
"""The lists that `complete_lists` may name."""

LIST_OF_KIND: Final = {
    CONTACT: "ball_contacts",
    CUSHION: "cushion_contacts",
    POCKETED: "pocketed",
    OFF_TABLE: "off_table",
}


class TruthError(ValueError):
    """A truth file that cannot be read; the text names file, line and field."""


@dataclass(frozen=True, slots=True)
class RestTruth:
    """Where the balls are at one moment; points in pixels or, if `in_pixels` is False, metres."""

    balls: Mapping[BallName, Point]
    in_pixels: bool
    t_s: float | None
    """Time of the frame in which the places were read, None where it is the event's own."""
    may_move: frozenset[BallName] = frozenset()
    """Balls that may still roll at that moment."""


@dataclass(frozen=True, slots=True)
class TruthShot:
    """One shot as it was."""

    number: int
    start_s: float | None
    end_s: float | None
    started_before_clip: bool
    ended_after_clip: bool
    scored: frozenset[str]
    """The lists that are complete."""
    first_contact: frozenset[BallName] | None
    """Right answers; empty when no ball was hit; None when it is not scored."""
    moving: frozenset[BallName]
    events: tuple[Happening, ...]
    zones: tuple[Zone, ...]
    start_rest: RestTruth | None
    end_rest: RestTruth | None

    def is_scored(self, kind: str) -> bool:
        """True when the list of this kind is complete, so that extra events are wrong."""
        return kind not in LIST_OF_KIND or LIST_OF_KIND[kind] in self.scored


@dataclass(frozen=True, slots=True)
class Truth:
    """A case: the clip, its true shots, and what review has to be told."""

    name: str
    folder: Path
    clip: Path
    times: ClipTimes
    shots: tuple[TruthShot, ...]
    head: str | None
    ball_set: str | None
    table_text: str
    """The `--table` option that fits: "9ft" or "L,W"."""
    by_hand: bool
    """True when a person labelled it frame by frame, so that labels are +-1 frame."""
    source: Mapping[str, object]
    expected: tuple[Mapping[str, object], ...] | None = None
    """The lines of expected.jsonl: the right rulings, when they are known."""
    tracks: tuple[TrackRow, ...] = ()
    """Where every ball is in every frame (truth_tracks.csv), when that is known."""

    @property
    def unknown_set(self) -> bool:
        """True when the balls have no numbers, so that any names will do if used alike."""
        return self.ball_set == "none"

    @property
    def declarations(self) -> Path | None:
        """The declarations beside the clip, if there are any."""
        path = self.folder / "declarations.jsonl"
        return path if path.is_file() else None
