"""The case format: state, shot and event options as JSON objects -> types.

Every word is explained in docs/case-format.md. A field that cannot be read is named with its
place; keys that only give context are not read.
"""

from __future__ import annotations

from typing import Final

from rules.declaration_json import named_ball, optional, optional_ball, player
from rules.facts import (
    CERTAIN,
    NO_CONTACT,
    Advisory,
    BallFact,
    Blocker,
    Candidate,
    ClockReading,
    FirstContact,
    LipDrop,
    Moment,
    OutsideObject,
    Placement,
    PocketedBall,
    RailContact,
    RailDetail,
    SettledBall,
    ShotFacts,
    SupportedBall,
)
from rules.players import Pair, Player
from rules.rack import (
    BreakOrder,
    CueBall,
    EventOptions,
    LastBallMoment,
    Option,
    Phase,
    Rack,
)
from table.balls import Ball
from table.geometry import Pocket
from table.json_fields import Fields, as_point

_IN_HAND: Final = {
    None: CueBall.IN_PLACE,
    "anywhere": CueBall.ANYWHERE,
    "behind_head_string": CueBall.BEHIND_HEAD_STRING,
}
_BALLS: Final = {ball.text: ball for ball in Ball}


def read_options(fields: Fields) -> EventOptions:
    """The `config` of a case."""
    return EventOptions(
        three_point_break=fields.boolean("three_point_break"),
        break_order=optional(fields, "break_order", BreakOrder) or BreakOrder.ALTERNATE,
        ten_last_ball_moment=optional(fields, "ten_last_ball_moment", LastBallMoment)
        or LastBallMoment.SHOT_START,
        visible_counter_is_warning=fields.boolean("visible_counter_is_warning"),
    )


def read_rack(fields: Fields) -> Rack:
    """The `state_before` of a case."""
    at_table = player(fields, "at_table")
    phase = fields.one_of("phase", Phase)
    in_hand = fields.values.get("cue_ball_in_hand")
    if not isinstance(in_hand, (str, type(None))) or in_hand not in _IN_HAND:
        raise fields.fail("cue_ball_in_hand", "null, anywhere or behind_head_string")
    options = fields.values.get("pending_options") or []
    if not isinstance(options, list) or not all(option in list(Option) for option in options):
        raise fields.fail("pending_options", "a list of " + " ".join(Option))
    return Rack(
        balls=frozenset(object_balls(fields, "balls_on_table")),
        at_table=at_table,
        breaker=optional(fields, "breaker", Player) or at_table,
        fouls=_counts(fields, "fouls", most=2) or Pair(0, 0),
        phase=phase,
        cue_ball=_IN_HAND[in_hand],
        warned=_flags(fields, "warned") or Pair(False, False),
        options=tuple(Option(option) for option in options),
        hand_back_to=optional(fields, "hand_back_to", Player),
        stalemate_turns_left=_counts(fields, "stalemate_turns_left"),
        clock=_flags(fields, "clock"),
        extensions_used=_counts(fields, "extensions_used"),
        winner=at_table if phase is Phase.RACK_OVER else None,
    )


def read_shot(fields: Fields) -> ShotFacts:
    """The `shot` of a case."""
    facts = fields.values.get("other_facts")
    if facts is None:
        facts = {}
    if not isinstance(facts, dict):
        raise fields.fail("other_facts", "an object")
    other = Fields(facts, f'{fields.place}, field "other_facts"')
    pocketed, order_known = _in_order(_pocketed(fields, "pocketed"), other)
    blocking = other.values.get("blocking")
    all_blocked = blocking == "all_below_foot_spot"
    return ShotFacts(
        first_contact=_first_contact(fields),
        rails=_rails(fields, other),
        pocketed=pocketed,
        pocket_order_known=order_known,
        off_table=tuple(BallFact(b) for b in balls(fields, "off_table")),
        moving_at_start=tuple(BallFact(b) for b in balls(fields, "moving_at_start")),
        shooter=optional(other, "shooter", Player),
        outside_objects=tuple(
            OutsideObject(named_ball(item, "ball"), item.optional_text("object") or "")
            for item in other.objects("hit_outside_object")
        ),
        lip_drops=tuple(_lip_drop(item) for item in one_or_more(other, "late_drop")),
        supported=tuple(_supported(item) for item in one_or_more(other, "supported_over_pocket")),
        rebounded=_pocketed(other, "rebounded"),
        cue_ball_touched_pocketed_ball=CERTAIN
        if other.boolean("cue_ball_touched_pocketed_ball")
        else None,
        frozen_ball_moved=optional_ball(other, "frozen_ball_moved"),
        contact_and_rail_simultaneous=other.boolean("contact_and_rail_simultaneous"),
        placement=optional(other, "placement", Placement),
        advisories=tuple(Advisory(article) for article in texts(other, "advisory")),
        settled=_settled(other),
        settling=frozenset(balls(other, "settling")),
        motion_residual_mm_s=other.optional_number("motion_residual_mm_s"),
        reached_head_string=frozenset(object_balls(other, "object_balls_reached_head_string")),
        clock=_clock(other),
        template_touched=optional_ball(other, "template_touched"),
        next_stroke_started=other.boolean("next_stroke_started"),
        blockers=() if all_blocked else tuple(_blocker(b) for b in other.objects("blocking")),
        all_below_foot_spot_blocked=all_blocked,
    )


def _first_contact(fields: Fields) -> FirstContact:
    value = fields.values.get("first_contact")
    if value is None:
        return NO_CONTACT
    names = value if isinstance(value, list) else [value]
    struck = tuple(_BALLS[name] for name in names if isinstance(name, str) and name in _BALLS)
    if len(struck) < len(names) or Ball.CUE in struck:
        raise fields.fail("first_contact", "an object ball, a list of them, or null")
    return FirstContact((Candidate(struck),))


def _rails(fields: Fields, other: Fields) -> tuple[RailContact, ...]:
    details = _rail_details(other)
    return tuple(
        RailContact(ball, moment, details.get(ball))
        for name, moment in (
            ("rails_before_contact", Moment.BEFORE),
            ("rails_after_contact", Moment.AFTER),
        )
        for ball in balls(fields, name)
    )


def _rail_details(other: Fields) -> dict[Ball, RailDetail]:
    value = other.values.get("rail_detail")
    if value is None:
        return {}
    if not isinstance(value, dict) or not set(value) <= set(_BALLS):
        raise other.fail("rail_detail", "an object from balls to details")
    fields = Fields(value, f'{other.place}, field "rail_detail"')
    return {_BALLS[name]: fields.one_of(name, RailDetail) for name in value}


def _pocketed(fields: Fields, name: str) -> tuple[PocketedBall, ...]:
    return tuple(
        PocketedBall(named_ball(item, "ball"), optional(item, "pocket", Pocket))
        for item in fields.objects(name)
    )


def _in_order(
    pocketed: tuple[PocketedBall, ...], other: Fields
) -> tuple[tuple[PocketedBall, ...], bool]:
    """The pocketed balls in the order of falling, and whether that is known."""
    order = balls(other, "pocket_order")
    if not order or not {p.ball for p in pocketed} <= set(order):
        return pocketed, False
    return tuple(sorted(pocketed, key=lambda p: order.index(p.ball))), True


def _lip_drop(fields: Fields) -> LipDrop:
    return LipDrop(
        named_ball(fields, "ball"),
        optional(fields, "pocket", Pocket),
        fields.not_negative("seconds"),
    )


def _supported(fields: Fields) -> SupportedBall:
    by = fields.values.get("by")
    held_by = balls(fields, "by") if isinstance(by, list) else ()
    return SupportedBall(named_ball(fields, "ball"), optional(fields, "pocket", Pocket), held_by)


def _settled(other: Fields) -> SettledBall | None:
    items = one_or_more(other, "settled_during_shot")
    if not items:
        return None
    item = items[0]
    return SettledBall(
        named_ball(item, "ball"), optional(item, "pocket", Pocket), item.boolean("affected")
    )


def _clock(other: Fields) -> ClockReading | None:
    used, limit = other.optional_number("time_used_s"), other.optional_number("time_limit_s")
    if used is None or limit is None:
        return None
    known = other.values.get("clock_active") is not None
    return ClockReading(used, limit, other.boolean("clock_active") if known else None)


def _blocker(fields: Fields) -> Blocker:
    at = fields.values.get("at", "foot_spot")
    point = as_point(at)
    if point is None and not isinstance(at, str):
        raise fields.fail("at", "a place or a point [x, y]")
    return Blocker(named_ball(fields, "ball"), str(at) if point is None else point)


def _counts(fields: Fields, name: str, most: int | None = None) -> Pair[int] | None:
    """{"A": n, "B": n}, or None when the field is null or missing."""
    if fields.values.get(name) is None:
        return None
    pair = _inner(fields, name)
    return Pair(*(_whole(pair, who, most) for who in Player))


def _whole(fields: Fields, name: str, most: int | None) -> int:
    value = fields.values.get(name)
    if isinstance(value, bool):
        return int(value)
    number = fields.integer(name)
    if most is not None and number > most:
        raise fields.fail(name, f"a whole number from 0 to {most}")
    return number


def _flags(fields: Fields, name: str) -> Pair[bool] | None:
    """{"A": true, "B": false}, or None when the field is null or missing."""
    if fields.values.get(name) is None:
        return None
    pair = _inner(fields, name)
    return Pair(*(pair.boolean(who) for who in Player))


def _inner(fields: Fields, name: str) -> Fields:
    value = fields.values.get(name)
    if not isinstance(value, dict):
        raise fields.fail(name, "an object with A and B")
    return Fields(value, f'{fields.place}, field "{name}"')


def one_or_more(fields: Fields, name: str) -> list[Fields]:
    """An object or a list of objects; empty when the field is null or missing."""
    value = fields.values.get(name)
    if isinstance(value, dict):
        return [Fields(value, f'{fields.place}, field "{name}"')]
    return [] if value is None else fields.objects(name)


def balls(fields: Fields, name: str) -> tuple[Ball, ...]:
    """A list of balls that can be named; empty when the field is null or missing."""
    value = fields.values.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(b, str) and b in _BALLS for b in value):
        raise fields.fail(name, "a list of balls (cue, 1 .. 10)")
    return tuple(_BALLS[name_] for name_ in value)


def object_balls(fields: Fields, name: str) -> tuple[Ball, ...]:
    """A list of object balls."""
    found = balls(fields, name)
    if Ball.CUE in found or not isinstance(fields.values.get(name, []), list):
        raise fields.fail(name, "a list of object balls (1 .. 10)")
    return found


def texts(fields: Fields, name: str) -> tuple[str, ...]:
    """A list of texts; empty when the field is null or missing."""
    value = fields.values.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise fields.fail(name, "a list of texts")
    return tuple(value)
