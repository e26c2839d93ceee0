"""A ruling as one line, the way a referee announces it, in English and in Czech.

What happened, with the article; what is put right on the table; who acts next and how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from rules import declarations as say
from rules.declarations import After, Kind, Penalty
from rules.penalty import gravest
from rules.phrases import Phrases
from rules.phrases_cs import CZECH
from rules.phrases_en import ENGLISH
from rules.players import Player
from rules.rack import THREE_POINT_OPTIONS, WHO_BREAKS, CueBall, Phase
from rules.ruling import Foul, Ruling, SpotPosition

Names = Mapping[Player, str]
LETTERS: Final[Names] = {player: player.value for player in Player}
LANGUAGES: Final = {phrases.language: phrases for phrases in (ENGLISH, CZECH)}


def sentence(ruling: Ruling, names: Names = LETTERS, phrases: Phrases = ENGLISH) -> str:
    """The ruling as one line; `names` are the players' names."""
    clauses = [clause for clause in _clauses(ruling, names, phrases) if clause]
    return " ".join(f"{clause[0].upper()}{clause[1:]}." for clause in clauses)


def _clauses(ruling: Ruling, names: Names, phrases: Phrases) -> Iterator[str]:
    if ruling.fouls:
        yield _foul(ruling, names, phrases)
    elif ruling.stroke:
        yield _good(ruling, phrases)
    if ruling.replay:
        yield phrases.say("replay")
    for declaration in ruling.said:
        yield _said(declaration, ruling, names, phrases)
    for name in ruling.refused:
        yield phrases.say("refused", words=phrases.refused[name])
    if ruling.rerack:
        yield phrases.say("rerack")
    yield from _put_right(ruling, phrases)
    yield _next(ruling, names, phrases)
    if ruling.warn_prompt is not None:
        yield phrases.say("warn_prompt", player=names[ruling.warn_prompt])
    if ruling.questions:
        articles = ", ".join(dict.fromkeys(q.article for q in ruling.questions))
        yield phrases.say("open", articles=articles)


def _foul(ruling: Ruling, names: Names, phrases: Phrases) -> str:
    worst = ruling.penalised or gravest(ruling.fouls)
    others = [foul.article for foul in ruling.fouls if foul is not worst]
    also = phrases.say("also", articles=", ".join(dict.fromkeys(others))) if others else ""
    return phrases.say(
        "foul",
        player=names[worst.by],
        article=worst.article,
        what=_what(worst, phrases),
        also=also,
    )


def _what(foul: Foul, phrases: Phrases) -> str:
    detailed = f"{foul.article}.{foul.detail}"
    with_ball = f"{foul.article}.ball"
    if detailed in phrases.text:
        return phrases.say(detailed)
    if foul.ball is not None and with_ball in phrases.text:
        return phrases.say(with_ball, ball=phrases.ball(foul.ball))
    return phrases.say(foul.article)


def _good(ruling: Ruling, phrases: Phrases) -> str:
    """A stroke without a foul: what fell, and under which article that counts."""
    down = ruling.pocketed
    if ruling.incomplete is not None:
        return phrases.say("incomplete")
    if ruling.options == THREE_POINT_OPTIONS:
        return phrases.say("three_point")
    if ruling.was_break:
        return phrases.counted("break", down) if down else phrases.say("break.dry")
    if ruling.kind is Kind.PUSH_OUT:
        return phrases.say("push_out")
    if ruling.kind is Kind.SAFETY:
        return phrases.counted("safety", down) if down else phrases.say("safety")
    if ruling.called_made is not None:
        return phrases.say("made", ball=phrases.ball(ruling.called_made))
    return phrases.counted("wrong", down) if down else phrases.say("miss")


def _put_right(ruling: Ruling, phrases: Phrases) -> Iterator[str]:
    if ruling.spot:
        position = ruling.spot_position or SpotPosition.FOOT_SPOT
        key = "spot" if position is SpotPosition.FOOT_SPOT else f"spot.{position}"
        yield phrases.say(key)
    if ruling.restore and not ruling.replay:
        yield phrases.say("restore", balls=phrases.balls(ruling.restore))


def _next(ruling: Ruling, names: Names, phrases: Phrases) -> str:
    """Who acts next, and how: the consequence."""
    rack = ruling.rack
    player = names[rack.at_table]
    if rack.is_over:
        return phrases.say("wins_match" if rack.match_over else "wins_rack", player=player)
    if ruling.lag_again:
        return phrases.say("lag_again")
    return phrases.say(_next_key(ruling), player=player)


def _next_key(ruling: Ruling) -> str:
    rack = ruling.rack
    if rack.options:
        if rack.options == THREE_POINT_OPTIONS:
            return "decides.three_point"
        return "decides.break" if rack.options == WHO_BREAKS else "decides.play"
    if rack.phase is Phase.BREAK:
        return "breaks"
    if rack.cue_ball is not CueBall.IN_PLACE:
        return "in_hand"
    stays = ruling.stroke and not ruling.fouls and rack.at_table is ruling.shooter
    if rack.push_out_available:
        return "continues_push_out_allowed" if stays else "push_out_allowed"
    return "continues" if stays else "plays"


def _said(declaration: After, ruling: Ruling, names: Names, phrases: Phrases) -> str:
    """What a declaration did; empty for those that the ruling shows anyway."""
    name = _REFUSAL_NAMES.get(type(declaration))
    if name is not None and name in ruling.refused:
        return ""
    speak = _SAID.get(type(declaration))
    return "" if speak is None else speak(declaration, names, phrases)


def _by(key: str) -> Callable[..., str]:
    def speak(said: say.WarnTwoFouls, names: Names, phrases: Phrases) -> str:
        return phrases.say(key, player=names[said.by])

    return speak


def _plain(key: str) -> Callable[..., str]:
    return lambda _said, _names, phrases: phrases.say(key)


def _choice(said: say.Choice, names: Names, phrases: Phrases) -> str:
    return phrases.say(said.value, player=names[said.by])


def _concede(said: say.Concede, names: Names, phrases: Phrases) -> str:
    return phrases.say(f"concede.{said.scope}", player=names[said.by])


def _unsporting(said: say.Unsporting | say.FoulCall, names: Names, phrases: Phrases) -> str:
    if said.penalty is not Penalty.WARNING:
        return ""
    return phrases.say("unsporting_warning", player=names[said.by])


def _corrected(said: say.CorrectCall, _: Names, phrases: Phrases) -> str:
    call = f"{phrases.ball(said.to.ball)}, {said.to.pocket}"
    return phrases.say("call_corrected", ball=call)


def _withdrawn(said: say.WithdrawFoul, _: Names, phrases: Phrases) -> str:
    return phrases.say("foul_withdrawn", article=said.rule)


_SAID: Final[dict[type, Callable[..., str]]] = {
    say.Choice: _choice,
    say.LagWon: _by("lag_won"),
    say.NextRack: _plain("next_rack"),
    say.WarnTwoFouls: _by("warned"),
    say.SpeedUpRequest: _by("speed_up"),
    say.ClockOn: _plain("clock_on"),
    say.Extension: _by("extension"),
    say.StalemateAnnounce: _plain("stalemate_announced"),
    say.StalemateAgree: _by("stalemate_agreed"),
    say.Unsporting: _unsporting,
    say.FoulCall: _unsporting,
    say.Concede: _concede,
    say.CorrectCall: _corrected,
    say.WithdrawFoul: _withdrawn,
}

_REFUSAL_NAMES: Final = {
    say.Choice: "choice",
    say.LagWon: "lag_won",
    say.NextRack: "next_rack",
    say.WarnTwoFouls: "warn_two_fouls",
    say.Extension: "extension",
    say.StalemateAnnounce: "stalemate_announce",
    say.Concede: "concede",
    say.CorrectCall: "correct_call",
    say.WithdrawFoul: "withdraw_foul",
}
