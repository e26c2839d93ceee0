"""The rulebook: every article by number, with its citation for people.

Every foul, option and question that the engine emits cites one of these articles. The
restatements are our own wording of the rule text (WPA rules, chapters 9 and 6, in the
edition that `rules.edition` describes) and of the definitions it leans on; decisions on
what the text leaves open stand in `rules.interpretations`. docs/rules.md is made of both.
"""

from __future__ import annotations

from typing import Final

from rules.article import Article
from rules.articles_definitions import DEFINITIONS, REGULATIONS
from rules.articles_fouls import FOULS
from rules.articles_game import GAME
from rules.declarations import Kind
from rules.rack import Option
from rules.ruling import Ruling

CHAPTERS: Final = (
    ("Chapter 9: ten-ball", GAME),
    ("Chapter 6: fouls", FOULS),
    ("Definitions and procedures", DEFINITIONS),
    ("Regulations, cited by name", REGULATIONS),
)

RULEBOOK: Final = {article.number: article for _, articles in CHAPTERS for article in articles}


def article(number: str) -> Article:
    """The article of that number.

    Raises:
        KeyError: when the rulebook has none.
    """
    return RULEBOOK[number]


def citations(ruling: Ruling) -> tuple[str, ...]:
    """The articles that a ruling rests on: its fouls, its options, what was spotted or won."""
    cited = [foul.article for foul in ruling.fouls]
    cited += [option_article(option, ruling.kind) for option in ruling.options]
    if ruling.spot:
        cited += ["9.9", "1.4"]
    if ruling.called_made is not None:
        cited.append("9.8")
    if ruling.fouls:
        cited.append("9.11" if ruling.game_over else "9.10")
    if ruling.rerack:
        cited.append("9.12")
    if ruling.lag_again:
        cited.append("1.2")
    if ruling.replay:
        cited.append("1.9")
    return tuple(dict.fromkeys(cited))


def option_article(option: Option, kind: Kind) -> str:
    """The article that gives an option after a stroke of `kind`."""
    if option in (Option.ACCEPT_NO_PUSH_OUT, Option.HAND_BACK_PUSH_OUT_ALLOWED):
        return "Reg break requirements"
    if option in (Option.SELF_BREAKS, Option.OPPONENT_BREAKS):
        return "9.1"
    return {Kind.PUSH_OUT: "9.4", Kind.SAFETY: "9.6", Kind.NORMAL: "9.7"}[kind]
