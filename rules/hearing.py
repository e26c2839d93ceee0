"""What people said about one stroke: the call that counts, and their word on articles.

`hear` sorts the declarations of an event that contains a stroke. What changes how the
stroke is judged becomes a `Heard`; everything else (choices, clock, stalemate, ...) is
left, in order, for `rules.decisions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from rules import declarations as say
from rules.declarations import After, Before, Call, FoulCall, Kind, Penalty
from rules.edition import DEFAULT_EDITION, Edition
from rules.facts import Placement, ShotFacts
from rules.fouls import FOULS
from rules.players import Player
from rules.rack import Phase, Rack
from rules.records import changed
from rules.ruling import Foul
from table.balls import Ball

CALLABLE: Final = frozenset(article for article, _ in FOULS)
"""Articles that a person may call; 6.11 is none in ten-ball, 6.14 follows by counting."""
_BREAK_ONLY: Final = frozenset(("6.10", "9.3b"))
_SUSPENDED_ON_PUSH_OUT: Final = frozenset(("6.2", "6.3"))
_UNSPORTING_IF_MEANT: Final = frozenset(("6.6", "6.13"))


@dataclass(slots=True)
class Heard:
    """What was said about a stroke. Filled by `hear`, read only afterwards."""

    shooter: Player
    kind: Kind
    called: Call | None
    placement: Placement | None
    late: bool
    """True when the next stroke has begun: what was called since is void."""
    said: dict[str, Foul | None] = field(default_factory=dict)
    """A person's word: the foul called, or None for an article dismissed."""
    dismissed: set[str] = field(default_factory=set)
    put_back: set[Ball] = field(default_factory=set)
    restore: list[Ball] = field(default_factory=list)
    knocked_down: list[Ball] = field(default_factory=list)
    annulled: bool = False
    clock_on: bool = False
    later: list[After] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def live(after: Iterable[After]) -> list[After]:
    """The declarations that stand: each undo takes back the one before it."""
    standing: list[After] = []
    for declaration in after:
        if not isinstance(declaration, say.Undo):
            standing.append(declaration)
        elif standing:
            standing.pop()
    return standing


def allowed_kind(rack: Rack, before: Before, edition: Edition = DEFAULT_EDITION) -> Kind:
    """The kind of stroke that the rack allows; an impossible one is normal (J16).

    A push out only as the shot after a foul-free break (9.4), a safety only after the
    break (9.6). A kind that was withdrawn before the stroke does not count.
    """
    if before.kind is before.withdrawn:
        return Kind.NORMAL
    if before.kind is Kind.PUSH_OUT and not rack.push_out_available:
        return Kind.NORMAL
    no_safety = rack.phase is Phase.BREAK or not edition.safety_call
    if before.kind is Kind.SAFETY and no_safety:
        return Kind.NORMAL
    return before.kind


def normal_form(call: FoulCall) -> FoulCall:
    """A foul as the rulebook names it: meant touching or playing out of turn is 6.17."""
    rule = "9.3b" if call.rule == "9.3" else call.rule
    if call.intentional and rule in _UNSPORTING_IF_MEANT:
        rule = "6.17"
    penalty = call.penalty
    if rule == "6.17":
        penalty = penalty or Penalty.SERIOUS_FOUL
    return changed(call, rule=rule, penalty=penalty)


def taken_away(call: FoulCall) -> tuple[Ball, ...]:
    """The ball that a called foul took off the table: knocked into a pocket, or driven off."""
    gone = call.pocketed is not None or call.rule == "6.5"
    return (call.ball,) if gone and call.ball not in (None, Ball.CUE) else ()


def hear(
    rack: Rack,
    facts: ShotFacts,
    before: Before,
    entries: list[After],
    edition: Edition = DEFAULT_EDITION,
) -> Heard:
    """Sort what was said about a stroke."""
    kind = allowed_kind(rack, before, edition)
    heard = Heard(
        shooter=_shooter(rack, facts, entries),
        kind=kind,
        called=before.called if _may_call(rack, kind) else None,
        placement=facts.placement,
        late=facts.next_stroke_started,
    )
    if kind is not before.kind and before.withdrawn is not before.kind:
        heard.refused.append(before.kind)
    settled = facts.settled
    if settled is not None and settled.affected:
        heard.annulled = True
    for declaration in entries:
        listen = _LISTENERS.get(type(declaration))
        if listen is None:
            heard.later.append(declaration)
        else:
            listen(heard, rack, declaration)
    return heard


def _shooter(rack: Rack, facts: ShotFacts, entries: list[After]) -> Player:
    """Who struck: whom a person calls for playing out of turn, else as reported.

    Whom the camera merely suspects of it (6.13 among the advisories), or whom a person
    cleared of it, counts as the player at the table.
    """
    shooter = facts.shooter or rack.at_table
    if any(advisory.article == "6.13" for advisory in facts.advisories):
        shooter = rack.at_table
    for declaration in entries:
        match declaration:
            case FoulCall(rule="6.13"):
                shooter = facts.shooter or declaration.by
            case say.Confirm(rule="6.13"):
                shooter = facts.shooter or rack.at_table.other
            case say.Dismiss(rule="6.13") | say.WithdrawFoul(rule="6.13"):
                shooter = rack.at_table
    return shooter


def _may_call(rack: Rack, kind: Kind) -> bool:
    """A call counts on a normal stroke after the break (9.5, S-011: safety prevails)."""
    return kind is Kind.NORMAL and rack.phase is not Phase.BREAK


def can_be_fouled(article: str, rack: Rack, kind: Kind) -> bool:
    """May a person call this article on this stroke?"""
    if article not in CALLABLE:
        return False
    if article in _BREAK_ONLY:
        return rack.phase is Phase.BREAK
    return not (kind is Kind.PUSH_OUT and article in _SUSPENDED_ON_PUSH_OUT)


def _foul(heard: Heard, rack: Rack, spoken: FoulCall) -> None:
    call = normal_form(spoken)
    too_late = call.about_previous_shot or (heard.late and call.rule != "6.17")
    if too_late or not can_be_fouled(call.rule, rack, heard.kind):
        heard.refused.append("foul")
    elif call.penalty is Penalty.WARNING:
        return
    elif call.by is not heard.shooter and call.rule != "6.17":
        heard.later.append(spoken)
    elif call.rule == "6.13" and call.by is rack.at_table:
        heard.refused.append("foul")
    else:
        heard.said[call.rule] = Foul(
            call.rule, call.by, call.ball, called=True, penalty=call.penalty
        )
        heard.knocked_down += taken_away(call)


def _unsporting(heard: Heard, rack: Rack, spoken: say.Unsporting) -> None:
    """Conduct is punished whenever it happens, also when the next stroke has begun."""
    _foul(heard, rack, FoulCall("6.17", spoken.by, penalty=spoken.penalty, item=spoken.item))


def _time_expired(heard: Heard, rack: Rack, spoken: say.TimeExpired) -> None:
    if spoken.by is not heard.shooter:
        heard.later.append(spoken)
    elif clock_runs(rack, spoken.by) or heard.clock_on:
        _foul(heard, rack, FoulCall("6.15", spoken.by))
    else:
        heard.refused.append("time_expired")


def clock_runs(rack: Rack, player: Player) -> bool:
    """Is a clock in force? Where it is not known, an expiry proves that it was."""
    return rack.clock is None or rack.clock.of(player)


def _confirm(heard: Heard, rack: Rack, spoken: say.Confirm) -> None:
    _foul(heard, rack, FoulCall(spoken.rule, heard.shooter))


def _dismiss(heard: Heard, _: Rack, spoken: say.Dismiss | say.WithdrawFoul) -> None:
    rule = "9.3b" if spoken.rule == "9.3" else spoken.rule
    if heard.late:
        heard.refused.append("dismiss")
        return
    heard.said[rule] = None
    heard.dismissed.add(rule)
    heard.later = [e for e in heard.later if not (isinstance(e, FoulCall) and e.rule == rule)]
    if isinstance(spoken, say.WithdrawFoul):
        heard.restore.append(Ball.CUE)


def _obvious(heard: Heard, rack: Rack, spoken: say.ObviousCall) -> None:
    if heard.called is None and _may_call(rack, heard.kind):
        heard.called = Call(spoken.ball, spoken.pocket)
    else:
        heard.refused.append("obvious_call")


def _correct_call(heard: Heard, rack: Rack, spoken: say.CorrectCall) -> None:
    if heard.late or not _may_call(rack, heard.kind):
        heard.refused.append("correct_call")
    else:
        heard.called = spoken.to


def _late_foul(heard: Heard, rack: Rack, spoken: say.LateFoulCall) -> None:
    if spoken.after_next_stroke:
        heard.refused.append("late_foul_call")
    else:
        _foul(heard, rack, FoulCall(spoken.rule, spoken.by))


def _refuse_late_declaration(heard: Heard, _: Rack, __: say.LateDeclaration) -> None:
    heard.refused.append("late_declaration")


def _ignore(_: Heard, __: Rack, ___: say.CallRequested) -> None:
    """Asking for the call changes nothing by itself (9.5)."""


def _replay(heard: Heard, _: Rack, __: say.Replay) -> None:
    """The stroke is annulled with all that was called about it; conduct stays (6.17)."""
    heard.annulled = True
    conduct = heard.said.get("6.17")
    heard.said.clear()
    if conduct is not None:
        heard.said["6.17"] = conduct


def _cannot_restore(heard: Heard, rack: Rack, spoken: say.CannotRestore) -> None:
    """The stroke is annulled, and the rack played again (`rules.decisions`)."""
    _replay(heard, rack, say.Replay())
    heard.later.append(spoken)


def _put_back(heard: Heard, balls: Iterable[Ball]) -> None:
    for ball in balls:
        heard.put_back.add(ball)
        heard.restore.append(ball)


def _restore(heard: Heard, _: Rack, spoken: say.Restore) -> None:
    _put_back(heard, spoken.balls)


def _interference(heard: Heard, _: Rack, spoken: say.Interference) -> None:
    _put_back(heard, () if spoken.ball is None else (spoken.ball,))


def _fell(heard: Heard, _: Rack, spoken: say.BallFellByItself) -> None:
    _put_back(heard, (spoken.ball,))


def _placement(heard: Heard, _: Rack, spoken: say.PlacementCheck) -> None:
    """The referee's answer decides; after "in front" the breaker may have moved the ball."""
    if spoken.result is Placement.BEHIND or heard.placement is Placement.UNSURE:
        heard.placement = spoken.result


def _clock_on(heard: Heard, _: Rack, spoken: say.ClockOn) -> None:
    heard.clock_on = True
    heard.later.append(spoken)


_LISTENERS: Final[dict[type, Callable[..., None]]] = {
    say.FoulCall: _foul,
    say.Unsporting: _unsporting,
    say.TimeExpired: _time_expired,
    say.Confirm: _confirm,
    say.Dismiss: _dismiss,
    say.WithdrawFoul: _dismiss,
    say.ObviousCall: _obvious,
    say.CorrectCall: _correct_call,
    say.LateFoulCall: _late_foul,
    say.LateDeclaration: _refuse_late_declaration,
    say.CallRequested: _ignore,
    say.Replay: _replay,
    say.CannotRestore: _cannot_restore,
    say.Restore: _restore,
    say.Interference: _interference,
    say.BallFellByItself: _fell,
    say.PlacementCheck: _placement,
    say.ClockOn: _clock_on,
}
