"""A desk to test with: actions and shots by hand, in short words."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from monitor.live.desk import Desk, DeskSettings
from monitor.store import Journal

BREAK = {"first_contact": "1", "rails_after_contact": ["1", "2", "3", "4"]}
"""A legal break with nothing down: the other player comes to the table."""


@dataclass
class Scorer:
    """Works at the desk of a journal; `again` is what a restart finds."""

    folder: Path
    desk: Desk = field(init=False)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.journal = Journal(self.folder)
        self.desk = Desk(self.journal, DeskSettings(players=("Anna", "Bob")))

    def again(self) -> None:
        """Close the journal and open it anew, as a new program would."""
        self.journal.close()
        self.__post_init__()

    def act(self, type_: str, **fields: Any) -> dict[str, Any]:
        """One action."""
        return self.desk.act({"id": f"a{next(self._numbers)}", "type": type_} | fields)

    def shot(self, **facts: Any) -> dict[str, Any]:
        """One shot by hand."""
        return self.desk.enter_shot({"id": f"s{next(self._numbers)}", "facts": facts})

    def hit(self, ball: str, pocketed: str | None = None, pocket: str = "FL") -> dict[str, Any]:
        """A shot that hits `ball` first and drives it to a rail, or pockets a ball."""
        fell = [] if pocketed is None else [{"ball": pocketed, "pocket": pocket}]
        return self.shot(first_contact=ball, rails_after_contact=[ball], pocketed=fell)

    @property
    def state(self) -> dict[str, Any]:
        """The state as clients see it."""
        return self.desk.state()

    @property
    def rack(self) -> dict[str, Any]:
        """Its rack."""
        return self.state["rack"]

    @property
    def last(self) -> dict[str, Any]:
        """The newest ruling."""
        return self.state["rulings"][0]

    def card(self, article: str) -> dict[str, Any]:
        """The open card on an article."""
        return next(card for card in self.state["cards"] if card["article"] == article)

    def answer(self, article: str, name: str) -> dict[str, Any]:
        """Tap an answer of a card."""
        ways = self.card(article)["answers"]
        action = next(way["action"] for way in ways if way["id"] == name)
        return self.desk.act({"id": f"c{next(self._numbers)}"} | action)
