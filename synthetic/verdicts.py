"""Expected rulings of simulated shots, from truth events by the letter of the articles.

Written apart from the product's engine, on purpose: the two must agree because both read the
same rules, not because they share code. It covers what a simulated clip can hold: a stroke or
two by players without a clock, decisions or a third foul. WPA ten-ball 9.3-9.10, fouls 6.1-6.10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from table.balls import CUE, BallName
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CushionContact,
    ShotEvent,
    ShotStarted,
)
from table.geometry import Pocket, TableSpec


@dataclass(frozen=True)
class Intent:
    """What the player declared before the stroke, and the state of the rack."""

    call: tuple[BallName, Pocket] | None = None
    kind: str = "normal"
    """"normal", "safety" or "push_out"."""
    phase: str = "normal"
    """"break", "second_shot" or "normal"."""
    frozen: tuple[tuple[BallName, str], ...] = ()
    """Declared frozen: (ball, cushion) or ("cue", ball)."""
    in_hand: str | None = None
    """"anywhere" or "behind_head_string" when the cue ball was placed by hand."""
    obvious: bool = False
    """True when nobody called and the review may assume the obvious (interface.md)."""


@dataclass(frozen=True)
class ShotReading:
    """The events of one shot in words of the rules."""

    on_table: frozenset[BallName]
    first: BallName | None
    rails_after: frozenset[BallName]
    rails_ever: frozenset[BallName]
    pocketed: Mapping[BallName, Pocket]
    off: frozenset[BallName]
    moving: tuple[BallName, ...]
    cue_x_m: float
    touched_rail_first: Mapping[BallName, bool] = field(default_factory=dict)


def read_shot(events: Sequence[ShotEvent], intent: Intent) -> ShotReading:
    """Restate truth events; raises ValueError when the shot's start is missing."""
    start = next((event for event in events if isinstance(event, ShotStarted)), None)
    if start is None:
        raise ValueError("a shot without its start")
    contacts = [e for e in events if isinstance(e, BallContact) and e.a == CUE]
    first = contacts[0] if contacts else None
    first_s = first.t_s if first and first.t_s is not None else float("inf")
    rails = _driven(events, intent)
    return ShotReading(
        on_table=frozenset(start.balls) - {CUE},
        first=first.b if first else None,
        rails_after=frozenset(ball for ball, t_s in rails if t_s >= first_s),
        rails_ever=frozenset(ball for ball, _ in rails),
        pocketed={e.ball: e.pocket for e in events if isinstance(e, BallPocketed)},
        off=frozenset(e.ball for e in events if isinstance(e, BallOffTable)),
        moving=start.moving,
        cue_x_m=start.balls[CUE][0],
        touched_rail_first=_touched_before(events),
    )


def _driven(events: Sequence[ShotEvent], intent: Intent) -> list[tuple[BallName, float]]:
    """Balls driven to a rail, with the time (8.4): a declared frozen rail does not count
    until the ball has left it."""
    rows: list[tuple[BallName, float]] = []
    for event in events:
        if isinstance(event, CushionContact):
            declared = (event.ball, event.cushion.value) in intent.frozen
            if declared and event.from_rest:
                continue
            rows.append((event.ball, event.t_s or 0.0))
        elif isinstance(event, (BallPocketed, BallOffTable)):
            rows.append((event.ball, event.t_s or 0.0))
    return rows


def _touched_before(events: Sequence[ShotEvent]) -> dict[BallName, bool]:
    """For each pocketed ball: did it touch a cushion or another object ball before?"""
    touched: dict[BallName, bool] = {}
    met: set[BallName] = set()
    for event in events:
        if isinstance(event, CushionContact):
            met.add(event.ball)
        elif isinstance(event, BallContact) and CUE not in (event.a, event.b):
            met.update((event.a, event.b))
        elif isinstance(event, BallPocketed):
            touched[event.ball] = event.ball in met
    return touched


def fouls_of(reading: ShotReading, intent: Intent, table: TableSpec) -> list[str]:
    """All fouls of the stroke, lowest article first."""
    object_down = [ball for ball in reading.pocketed if ball != CUE]
    fouls = []
    if CUE in reading.pocketed or CUE in reading.off:
        fouls.append("6.1")
    pushing = intent.kind == "push_out" and intent.phase == "second_shot"
    lowest = min(reading.on_table, key=int, default=None)
    if not pushing and reading.first is not None and reading.first != lowest:
        fouls.append("6.2")
    no_rail = reading.first is None or not reading.rails_after
    if not pushing and not object_down and no_rail:
        fouls.append("6.3")
    if reading.off - {CUE}:
        fouls.append("6.5")
    if reading.moving:
        fouls.append("6.9")
    if intent.phase == "break":
        if reading.cue_x_m >= table.head_string_x_m:
            fouls.append("6.10")
        if not object_down and len(reading.rails_ever - {CUE}) < 4:
            fouls.append("9.3b")
    return fouls


def expected_ruling(
    events: Sequence[ShotEvent],
    intent: Intent,
    table: TableSpec,
    shooter: str = "A",
    counters: Mapping[str, int] | None = None,
) -> dict[str, object]:
    """The ruling with the keys of the judge's output.

    `counters` are the consecutive fouls before the stroke; a third foul is beyond a clip.
    """
    return ruling_on(read_shot(events, intent), intent, table, shooter, counters)


def ruling_on(
    reading: ShotReading,
    intent: Intent,
    table: TableSpec,
    shooter: str = "A",
    counters: Mapping[str, int] | None = None,
) -> dict[str, object]:
    """The ruling on a shot that has been read."""
    other = "B" if shooter == "A" else "A"
    after = dict(counters or {"A": 0, "B": 0})
    fouls = fouls_of(reading, intent, table)
    down = [ball for ball in reading.pocketed if ball != CUE]
    ten_gone = "10" in down or "10" in reading.off
    left = reading.on_table - set(down) - reading.off
    ruling: dict[str, object] = {
        "legal": not fouls,
        "fouls": fouls,
        "penalised": fouls[0] if fouls else None,
        "options": [],
        "fouls_after": after | {shooter: after[shooter] + 1 if fouls else 0},
        "game_over": False,
        "winner": None,
        "next_phase": "normal",
        "push_out_available": False,
    }
    if fouls:
        ruling |= {"next_player": other, "cue_ball": "in_hand_anywhere"}
        if "6.1" in fouls and reading.first is None:
            ruling["fouls"] = [foul for foul in fouls if foul != "6.3"]
            ruling["penalised"] = "6.1"
            ruling["fouls_may_also_list"] = ["6.3"]
    else:
        ruling |= {"cue_ball": "in_place"} | _turn(reading, intent, down, shooter)
    won = bool(ruling["game_over"])
    ruling["spot"] = ["10"] if ten_gone and not won else []
    if ten_gone and not won:
        left = left | {"10"}
    ruling["balls_after"] = sorted(left, key=int)
    if won:
        ruling |= {"cue_ball": None, "next_phase": None}
    return ruling


def _turn(
    reading: ShotReading, intent: Intent, down: Sequence[BallName], shooter: str
) -> dict[str, object]:
    """Who plays on after a foul-free stroke, and what may be decided."""
    other = "B" if shooter == "A" else "A"
    choice = ["accept", "hand_back"]
    if intent.phase == "break":
        player = shooter if down else other
        return {"next_player": player, "next_phase": "second_shot", "push_out_available": True}
    if intent.kind == "push_out" and intent.phase == "second_shot":
        return {"next_player": other, "options": choice}
    if intent.kind == "safety":
        return {"next_player": other, "options": choice if down else []}
    if _made(reading, intent, down):
        if intent_ball(reading, intent, down) == "10" and reading.on_table == {"10"}:
            return {"next_player": None, "game_over": True, "winner": shooter}
        return {"next_player": shooter}
    return {"next_player": other, "options": choice if down else []}


def intent_ball(reading: ShotReading, intent: Intent, down: Sequence[BallName]) -> BallName | None:
    """The called ball, or the one that counts as called because the shot was obvious."""
    if intent.call is not None:
        return intent.call[0]
    return _obvious(reading, intent, down)


def _made(reading: ShotReading, intent: Intent, down: Sequence[BallName]) -> bool:
    if intent.call is not None:
        ball, pocket = intent.call
        return reading.pocketed.get(ball) == pocket
    return _obvious(reading, intent, down) is not None


def _obvious(reading: ShotReading, intent: Intent, down: Sequence[BallName]) -> BallName | None:
    """interface.md: one object ball down, struck first, no cushion or other ball before."""
    if not intent.obvious or len(down) != 1 or down[0] != reading.first:
        return None
    return None if reading.touched_rail_first.get(down[0], True) else down[0]
