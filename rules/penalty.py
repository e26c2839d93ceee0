"""What a foul costs: the gravest one is punished, once (ch. 6 preamble, 9.10, 9.11)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rules.declarations import Penalty
from rules.fouls import FOULS
from rules.players import Pair, Player
from rules.rack import CueBall, EventOptions, Phase, Rack
from rules.records import changed
from rules.ruling import Foul

FOULS_TO_LOSE: Final = 3
"""Consecutive fouls that lose the rack (6.14)."""

_RANK: Final = {
    "6.17": -2,
    "6.14": -1,
    **{article: rank for rank, (article, _) in enumerate(FOULS) if article != "6.17"},
}

_NO_FOUL_PENALTY: Final = (None, Penalty.WARNING, Penalty.STANDARD_FOUL)
LOSES_MATCH: Final = (Penalty.LOSS_OF_SET, Penalty.LOSS_OF_MATCH, Penalty.DISQUALIFICATION)


def gravest(fouls: Iterable[Foul]) -> Foul:
    """The one that is punished: 6.17, then 6.14, then the standard fouls.

    Standard fouls all cost the same; the lowest number is shown, 9.3b last.
    """
    return min(fouls, key=lambda foul: _RANK[foul.article])


@dataclass(frozen=True, slots=True)
class Punished:
    """The rack after a foul, all fouls (6.14 among them), and the one that was punished."""

    rack: Rack
    fouls: tuple[Foul, ...]
    penalised: Foul


def punish(
    rack: Rack, fouls: tuple[Foul, ...], options: EventOptions, *, series_spared: bool
) -> Punished:
    """Punish the gravest of `fouls`, none of them 6.14 yet.

    `rack` is the state before the foul, with `balls` as they lie now. The offender's
    counter rises by one; a third foul loses the rack when he was warned during this visit,
    and counts as the second when he was not (6.14). `series_spared`: a person dismissed 6.14.
    """
    offender = gravest(fouls).by
    count = rack.fouls.of(offender) + 1
    if count >= FOULS_TO_LOSE:
        if not series_spared and _is_warned(rack, offender, options):
            fouls = (*fouls, Foul("6.14", offender))
        else:
            count = FOULS_TO_LOSE - 1
    worst = gravest(fouls)
    counters = rack.fouls.changed(offender, count)
    if _loses_rack(fouls, offender):
        lost = lose_rack(rack, offender, match=_loses_match(fouls))
        return Punished(changed(lost, fouls=counters), fouls, worst)
    return Punished(_ball_in_hand(rack, offender, counters), fouls, worst)


def _is_warned(rack: Rack, player: Player, options: EventOptions) -> bool:
    """Warned during the present visit (J11); who is not at the table has none (J23)."""
    at_table = player is rack.at_table
    return options.visible_counter_is_warning or (at_table and rack.warned.of(player))


def _loses_rack(fouls: tuple[Foul, ...], offender: Player) -> bool:
    series = any(foul.article == "6.14" for foul in fouls)
    return series or any(
        foul.penalty not in _NO_FOUL_PENALTY for foul in fouls if foul.by is offender
    )


def _loses_match(fouls: tuple[Foul, ...]) -> bool:
    return any(foul.penalty in LOSES_MATCH for foul in fouls)


def lose_rack(rack: Rack, loser: Player, *, match: bool) -> Rack:
    """The rack ends; the opponent of `loser` has won it (and the match)."""
    return win_rack(rack, loser.other, match=match)


def win_rack(rack: Rack, winner: Player, *, match: bool = False) -> Rack:
    """The rack ends with a winner."""
    return changed(
        rack,
        phase=Phase.RACK_OVER,
        at_table=winner,
        winner=winner,
        cue_ball=CueBall.IN_PLACE,
        options=(),
        hand_back_to=None,
        stalemate_turns_left=None,
        stalemate_agreed=frozenset(),
        match_over=match or rack.match_over,
    )


def _ball_in_hand(rack: Rack, offender: Player, counters: Pair[int]) -> Rack:
    """9.10: the opponent plays, cue ball in hand anywhere; options and push out lapse."""
    return changed(
        pass_table(rack, offender.other),
        fouls=counters,
        phase=Phase.NORMAL,
        cue_ball=CueBall.ANYWHERE,
        options=(),
        hand_back_to=None,
    )


def pass_table(rack: Rack, player: Player) -> Rack:
    """`player` acts next; a visit that ends takes its warning with it (J11)."""
    if player is rack.at_table:
        return rack
    return changed(rack, at_table=player, warned=rack.warned.changed(rack.at_table, False))
