"""How many rulings a second on one core.

    python benchmarks/rules_speed.py [--seconds 2]

A fixed mix of strokes as they occur in play: breaks, pots, misses, safeties, fouls, and an
option decided. Facts are made once; what is timed is `rule` alone, from facts to the next
rack, then once more with the sentence in English.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from rules.declarations import Before, Call, Choice, Declarations, FoulCall, Kind
from rules.facts import Moment, PocketedBall, RailContact, ShotFacts, contact_with
from rules.players import Player
from rules.rack import PLAY_OR_HAND_BACK, CueBall, Option, Phase, Rack, new_rack
from rules.ten_ball import rule
from table.balls import Ball
from table.geometry import Pocket

Event = tuple[Rack, ShotFacts | None, Declarations]


def mix() -> list[Event]:
    """The events that are ruled on, over and over."""
    break_rack = new_rack()
    rack = Rack(phase=Phase.NORMAL, cue_ball=CueBall.IN_PLACE)
    option = Rack(
        phase=Phase.NORMAL,
        cue_ball=CueBall.IN_PLACE,
        options=PLAY_OR_HAND_BACK,
        hand_back_to=Player.B,
    )
    call = Declarations(Before(Call(Ball.ONE, Pocket.FL)))
    hit = contact_with(Ball.ONE)
    rails = tuple(RailContact(Ball(n)) for n in (2, 4, 6, 8))
    cue = (RailContact(Ball.CUE),)
    kick = (RailContact(Ball.CUE, Moment.BEFORE), RailContact(Ball.ONE))
    one_down = (PocketedBall(Ball.ONE, Pocket.FL),)
    foot = Declarations(call.before, (FoulCall("6.4", Player.A),))
    return [
        (break_rack, ShotFacts(first_contact=hit, rails=rails), Declarations()),
        (break_rack, ShotFacts(first_contact=hit, rails=rails[:3]), Declarations()),
        (rack, ShotFacts(first_contact=hit, rails=cue, pocketed=one_down), call),
        (rack, ShotFacts(first_contact=hit, rails=cue, pocketed=one_down), call),
        (rack, ShotFacts(first_contact=hit, rails=kick), call),
        (rack, ShotFacts(first_contact=hit, rails=cue), Declarations(Before(kind=Kind.SAFETY))),
        (rack, ShotFacts(first_contact=contact_with(Ball.FIVE), rails=cue), call),
        (rack, ShotFacts(first_contact=hit, rails=cue), foot),
        (option, None, Declarations(after=(Choice(Player.A, Option.HAND_BACK),))),
    ]


def per_second(judge: Callable[[Event], object], seconds: float) -> float:
    """Rulings a second of `judge` over the mix."""
    events = mix()
    done, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        for event in events:
            judge(event)
        done += len(events)
    return done / (time.process_time() - start)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    seconds = parser.parse_args().seconds
    print(f"rulings per second, one core: {per_second(lambda e: rule(*e), seconds):,.0f}")


if __name__ == "__main__":
    main()
