"""The ten-ball referee: one event in, one ruling out."""

from __future__ import annotations

from rules.declarations import SILENCE, Declarations
from rules.facts import ShotFacts
from rules.rack import DEFAULT_OPTIONS, EventOptions, Rack
from rules.ruling import Ruling


def rule(
    rack: Rack,
    facts: ShotFacts | None,
    declarations: Declarations = SILENCE,
    options: EventOptions = DEFAULT_OPTIONS,
) -> Ruling:
    """Rule on one event.

    `facts` is the shot, or None when nothing was played (a declaration alone). The ruling
    contains the next rack; nothing is changed in place. Every lawful input gives a ruling.
    """
    raise NotImplementedError
