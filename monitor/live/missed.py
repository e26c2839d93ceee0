"""What was not watched: spans without rulings, said on the page and kept in the journal."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from monitor.live.stoppages import SLOW, SOURCE, Stoppage
from monitor.live.words import Text, counted
from monitor.store import Body

_KEPT: Final = 5
_SAID_S: Final = 300.0
"""So long after it the page reminds of a span, unless another shot is ruled on before."""

WHY: Final[dict[str, Text]] = {
    SOURCE: ("the camera gave no picture", "kamera nedávala obraz"),
    SLOW: ("the computer could not keep up", "počítač nestíhal"),
    "dark": ("the picture was dark", "obraz byl tmavý"),
    "frozen": ("the picture was frozen", "obraz zamrzl"),
    "no_view": ("the table was not in view", "stůl nebyl vidět"),
    "moved": ("the camera had moved", "kamera se pohnula"),
    "blurred": ("the picture was blurred", "obraz byl rozmazaný"),
    "rate": ("too few frames came in", "přicházelo málo snímků"),
    "eyes": ("the program that watches ended", "program, který sleduje, skončil"),
}
_BALLS: Final = (
    ("{n} ball lies elsewhere", "{n} balls lie elsewhere"),
    ("{n} koule leží jinde", "{n} koule leží jinde", "{n} koulí leží jinde"),
)


@dataclass(frozen=True, slots=True)
class Span:
    """One span without rulings, in match time."""

    from_s: float
    until_s: float
    reasons: tuple[str, ...]
    text: str
    text_cs: str
    has_stroke: bool
    """A stroke was played meanwhile, as the balls tell."""

    def to_json(self) -> Body:
        """As the health section carries it."""
        return {
            "from_s": round(self.from_s, 2),
            "until_s": round(self.until_s, 2),
            "reasons": list(self.reasons),
            "stroke": self.has_stroke,
            "text": self.text,
            "text_cs": self.text_cs,
        }


def span_of(stoppage: Stoppage, offset_s: float) -> Span:
    """A stoppage as people read it."""
    seconds = max(0.0, stoppage.until_s - stoppage.from_s)
    why = [WHY[reason] for reason in stoppage.reasons]
    text = f"For {seconds:.0f} s nothing was ruled on: {', '.join(w[0] for w in why)}."
    text_cs = f"{seconds:.0f} s se nic neposuzovalo: {', '.join(w[1] for w in why)}."
    displaced = stoppage.displaced
    if displaced:
        moved, moved_cs = counted(len(displaced), *_BALLS)
        names = ", ".join(displaced)
        text += f" {moved} than before ({names}): enter what was played by hand."
        text_cs += f" {moved_cs} než předtím ({names}): zadejte, co se hrálo, ručně."
    elif stoppage.compared:
        text += " The balls lie as before."
        text_cs += " Koule leží jako předtím."
    else:
        text += " See whether the balls lie as before."
        text_cs += " Ověřte, zda koule leží jako předtím."
    until_s = stoppage.until_s + offset_s
    return Span(
        stoppage.from_s + offset_s, until_s, stoppage.reasons, text, text_cs, bool(displaced)
    )


@dataclass(eq=False)
class Missed:
    """The last spans, and the one that people are still to be reminded of."""

    spans: deque[Span] = field(default_factory=lambda: deque(maxlen=_KEPT))
    reminder: Span | None = field(default=None, init=False)

    def add(self, span: Span) -> None:
        """One more."""
        self.spans.append(span)
        if self.reminder is not None and self.reminder.has_stroke and not span.has_stroke:
            return
        self.reminder = span

    def shot_ruled(self, start_s: float | None) -> None:
        """A later shot was seen whole: what was before it is settled."""
        if self.reminder is not None and start_s is not None and start_s > self.reminder.until_s:
            self.reminder = None

    def passes(self, now_s: float) -> None:
        """Time goes on."""
        if self.reminder is not None and now_s - self.reminder.until_s > _SAID_S:
            self.reminder = None
