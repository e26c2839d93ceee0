"""One thing that happened in a clip, in the same form for truth and output."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from table.balls import BallName, ball_order
from table.geometry import Cushion, Pocket

STARTED: Final = "shot_started"
ENDED: Final = "shot_ended"
CONTACT: Final = "ball_contact"
CUSHION: Final = "cushion_contact"
POCKETED: Final = "ball_pocketed"
OFF_TABLE: Final = "ball_off_table"
MOVING: Final = "moving_at_start"

TIMED_KINDS: Final = (STARTED, CONTACT, CUSHION, POCKETED, OFF_TABLE, ENDED)

TURNED_PLACES: Final = {
    "HEAD": "FOOT",
    "FOOT": "HEAD",
    "LEFT_HEAD": "RIGHT_FOOT",
    "LEFT_FOOT": "RIGHT_HEAD",
    "RIGHT_HEAD": "LEFT_FOOT",
    "RIGHT_FOOT": "LEFT_HEAD",
    "HL": "FR",
    "HR": "FL",
    "SL": "SR",
    "SR": "SL",
    "FL": "HR",
    "FR": "HL",
}
"""The name of each cushion and pocket after the table is turned by 180 degrees."""


@dataclass(frozen=True, slots=True)
class Happening:
    """An event reduced to what is compared.

    `places` holds the cushions or pockets that would be right (truth may name a whole long
    rail); `slack_s` is added to every tolerance; `neither` marks what counts neither way.
    """

    kind: str
    shot: int
    t_s: float
    balls: frozenset[BallName] = frozenset()
    places: frozenset[str] = frozenset()
    slack_s: float = 0.0
    neither: bool = False
    jaw: bool = False
    confidence: float = 1.0

    def same_fact(self, other: Happening) -> bool:
        """True when both say the same, whatever their times."""
        return (
            self.kind == other.kind
            and self.balls == other.balls
            and (not self.places or not self.places.isdisjoint(other.places))
        )

    def renamed(self, names: dict[BallName, BallName]) -> Happening:
        """The same happening with other names for the balls."""
        return replace(self, balls=frozenset(names.get(ball, ball) for ball in self.balls))

    def turned(self) -> Happening:
        """The same happening on the table turned by 180 degrees."""
        return replace(self, places=frozenset(TURNED_PLACES[place] for place in self.places))

    @property
    def text(self) -> str:
        """What happened, in a few characters: "cue-1", "4 RIGHT", "5 in FL", "7 off"."""
        balls = "-".join(sorted(self.balls, key=ball_order))
        place = _place_text(self.places)
        shape = {
            STARTED: "start",
            ENDED: "end",
            POCKETED: f"{balls} in {place}",
            OFF_TABLE: f"{balls} off the table",
            MOVING: f"{balls} moving at the start",
            CUSHION: f"{balls} {place}",
        }
        return shape.get(self.kind, balls) + (" (jaw)" if self.jaw else "")


def cushions_named(name: str) -> frozenset[str]:
    """The cushions that a truth's name allows: "LEFT" is either half of the left rail.

    Raises:
        ValueError: for a name that is no cushion.
    """
    if name in ("LEFT", "RIGHT"):
        return frozenset({f"{name}_HEAD", f"{name}_FOOT"})
    return frozenset({Cushion(name).value})


def pocket_named(name: str) -> frozenset[str]:
    """The pocket of that name.

    Raises:
        ValueError: for a name that is no pocket.
    """
    return frozenset({Pocket(name).value})


def _place_text(places: frozenset[str]) -> str:
    sides = {place.split("_")[0] for place in places}
    return sides.pop() if len(places) > 1 and len(sides) == 1 else "/".join(sorted(places))
