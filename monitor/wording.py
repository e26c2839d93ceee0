"""Events in plain words, for the terminal, the report and the overlay."""

from __future__ import annotations

from typing import Final

from table.balls import CUE, BallName, is_unknown
from table.events import (
    BallContact,
    BallOffTable,
    BallPocketed,
    CueSeen,
    CushionContact,
    LateDrop,
    OtherEvent,
    ShotEnded,
    ShotEvent,
    ShotStarted,
)
from table.geometry import Cushion, Pocket

CUSHION_WORDS: Final = {
    Cushion.HEAD: "head cushion",
    Cushion.FOOT: "foot cushion",
    Cushion.LEFT_HEAD: "left cushion, head half",
    Cushion.LEFT_FOOT: "left cushion, foot half",
    Cushion.RIGHT_HEAD: "right cushion, head half",
    Cushion.RIGHT_FOOT: "right cushion, foot half",
}
POCKET_WORDS: Final = {
    Pocket.HL: "head left pocket",
    Pocket.HR: "head right pocket",
    Pocket.SL: "left side pocket",
    Pocket.SR: "right side pocket",
    Pocket.FL: "foot left pocket",
    Pocket.FR: "foot right pocket",
}
SURE: Final = 0.98
"""Events at least this probable are told without their probability."""


def ball_words(ball: BallName) -> str:
    """ "the cue ball", "the 3", or "an unknown ball (u1)"."""
    if ball == CUE:
        return "the cue ball"
    return f"an unknown ball ({ball})" if is_unknown(ball) else f"the {ball}"


def balls_words(balls: tuple[BallName, ...]) -> str:
    """Several balls joined with commas and "and"."""
    names = [ball_words(ball) for ball in balls]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def event_words(event: ShotEvent) -> str:
    """One event as a sentence without a full stop, e.g. "The cue ball hits the 1"."""
    text = _plain_words(event)
    return text[:1].upper() + text[1:]


def doubt_words(event: ShotEvent) -> str:
    """How sure the event is, empty when it is sure: "64 %, else the 7 35 %"."""
    if event.confidence >= SURE:
        return ""
    text = f"{event.confidence:.0%}"
    if isinstance(event, BallContact) and event.alternatives:
        others = ", ".join(f"{ball_words(x.b)} {x.p:.0%}" for x in event.alternatives)
        text += f", else {others}"
    return text


def time_words(event: ShotEvent) -> str:
    """Time and tolerance, e.g. "1.710 s ± 4 ms"."""
    if event.t_s is None:
        return "outside the clip"
    if event.dt_s < 0.0005:
        # No tolerance of its own is known (a cue seen at the stroke).
        return f"{event.t_s:.3f} s"
    return f"{event.t_s:.3f} s ± {event.dt_s * 1000:.0f} ms"


def _plain_words(event: ShotEvent) -> str:
    match event:
        case ShotStarted():
            return _start_words(event)
        case BallContact():
            return f"{ball_words(event.a)} hits {ball_words(event.b)}"
        case CushionContact():
            return _cushion_words(event)
        case BallPocketed():
            return f"{ball_words(event.ball)} falls into the {POCKET_WORDS[event.pocket]}"
        case BallOffTable():
            return f"{ball_words(event.ball)} leaves the table"
        case LateDrop():
            where = POCKET_WORDS[event.pocket]
            late = "" if event.seconds is None else f", {event.seconds:.1f} s after all had stopped"
            return f"{ball_words(event.ball)} falls by itself into the {where}{late}"
        case CueSeen():
            return f"cue seen, pointing {event.direction_deg:.1f}° ± {event.sigma_deg:.1f}°"
        case ShotEnded():
            return _end_words(event)
        case OtherEvent():
            return _other_words(event)
    return event.kind.replace("_", " ")


def _start_words(event: ShotStarted) -> str:
    if event.started_before_clip:
        return "the shot began before the clip"
    text = "the tip strikes the cue ball" + (" (break shot)" if event.racked else "")
    if event.moving:
        verb = "is" if len(event.moving) == 1 else "are"
        text += f" while {balls_words(event.moving)} {verb} still moving"
    return text


def _end_words(event: ShotEnded) -> str:
    text = "the clip ends before all balls rest" if event.ended_after_clip else "all balls rest"
    return text + (f" (incomplete: {event.incomplete})" if event.incomplete else "")


def _cushion_words(event: CushionContact) -> str:
    ball, cushion = ball_words(event.ball), CUSHION_WORDS[event.cushion]
    if event.jaw:
        return f"{ball} touches a pocket jaw at the {cushion}"
    if event.rail_top:
        return f"{ball} touches the top of the rail at the {cushion}"
    if event.from_rest:
        return f"{ball}, resting on it, is pressed into the {cushion}"
    return f"{ball} touches the {cushion}"


def _other_words(event: OtherEvent) -> str:
    text = event.name.replace("_", " ")
    ball = event.fields.get("ball")
    if isinstance(ball, str):
        text += f": {ball_words(ball)}"
    reason = event.fields.get("reason") or event.fields.get("text")
    return f"{text} ({reason})" if isinstance(reason, str) else text
