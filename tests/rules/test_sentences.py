"""Rulings as a referee says them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules import declarations as say
from rules.declarations import Before, Call, Declarations, Kind, Penalty
from rules.facts import (
    BallFact,
    Candidate,
    FirstContact,
    LipDrop,
    Mark,
    PocketedBall,
    RailContact,
    ShotFacts,
    Truth,
    contact_with,
)
from rules.phrases_cs import CZECH
from rules.phrases_en import ENGLISH
from rules.players import Pair, Player
from rules.rack import PLAY_OR_HAND_BACK, CueBall, EventOptions, Phase, Rack, new_rack
from rules.ruling import Foul, Ruling
from rules.sentence import LANGUAGES, sentence
from rules.ten_ball import rule
from table.balls import Ball
from table.geometry import Pocket

NAMES = {Player.A: "Novák", Player.B: "Lee"}
RACK = Rack(phase=Phase.NORMAL, cue_ball=CueBall.IN_PLACE)
HIT = contact_with(Ball.ONE)
RAIL = (RailContact(Ball.CUE),)
FOUR = tuple(RailContact(Ball(n)) for n in (2, 3, 4, 5))
MISS = ShotFacts(first_contact=HIT, rails=RAIL)


def down(*balls: Ball, pocket: Pocket = Pocket.FL) -> ShotFacts:
    fell = tuple(PocketedBall(ball, pocket) for ball in balls)
    return ShotFacts(first_contact=HIT, rails=RAIL, pocketed=fell)


def called(ball: Ball) -> Declarations:
    return Declarations(Before(Call(ball, Pocket.FL)))


def after(*said: say.After) -> Declarations:
    return Declarations(after=said)


WRONG = ShotFacts(first_contact=contact_with(Ball.FIVE), rails=RAIL)
ON_TEN = Rack(balls=frozenset({Ball.TEN}), phase=Phase.NORMAL, cue_ball=CueBall.IN_PLACE)
TEN = ShotFacts(first_contact=contact_with(Ball.TEN), pocketed=(PocketedBall(Ball.TEN, Pocket.FL),))
THREE_POINTS = EventOptions(three_point_break=True)
SECOND = Rack(phase=Phase.SECOND_SHOT, cue_ball=CueBall.IN_PLACE)
ON_TWO = Rack(phase=Phase.NORMAL, cue_ball=CueBall.IN_PLACE, fouls=Pair(2, 0))
WARNED = Rack(
    phase=Phase.NORMAL, cue_ball=CueBall.IN_PLACE, fouls=Pair(2, 0), warned=Pair(True, False)
)

SPOKEN: list[tuple[Callable[[], Ruling], str, str]] = [
    (
        lambda: rule(RACK, MISS),
        "No foul, nothing down (9.8). Lee plays.",
        "Bez faulu, nic nepadá (9.8). Hraje Lee.",
    ),
    (
        lambda: rule(RACK, WRONG),
        "Foul on Novák, 6.2: the 5 was hit first, not the lowest ball. "
        "Lee has the cue ball in hand.",
        "Faul, hráč Novák, 6.2: jako první byla zasažena koule 5, ne koule s nejnižším číslem. "
        "Lee má bílou v ruce.",
    ),
    (
        lambda: rule(RACK, down(Ball.ONE), called(Ball.ONE)),
        "The 1 is down as called (9.8). Novák continues.",
        "Koule 1 padá podle hlášení (9.8). Novák pokračuje.",
    ),
    (
        lambda: rule(RACK, down(Ball.SIX, Ball.SEVEN), called(Ball.ONE)),
        "The 6 and the 7 are down, not as called (9.7). Lee plays or hands the table back.",
        "Padají koule 6 a 7, ne podle hlášení (9.7). Lee hraje, nebo předává hru zpátky.",
    ),
    (
        lambda: rule(ON_TEN, TEN, called(Ball.TEN)),
        "The 10 is down as called (9.8). Novák wins the rack.",
        "Koule 10 padá podle hlášení (9.8). Novák vyhrává hru.",
    ),
    (
        lambda: rule(new_rack(), ShotFacts(first_contact=HIT, rails=FOUR)),
        "Legal break, nothing down (9.3). Lee plays and may push out.",
        "Platný rozstřel, nic nepadá (9.3). Hraje Lee a může hrát push out.",
    ),
    (
        lambda: rule(new_rack(), down(Ball.FIVE, Ball.TEN)),
        "Legal break, the 5 and the 10 are down (9.3). The ten is spotted (9.9). "
        "Novák continues and may push out.",
        "Platný rozstřel, padají koule 5 a 10 (9.3). Desítka se nastavuje zpátky (9.9). "
        "Novák pokračuje a může hrát push out.",
    ),
    (
        lambda: rule(new_rack(), ShotFacts(first_contact=HIT, rails=FOUR), options=THREE_POINTS),
        "Break without three points, no foul. "
        "Lee accepts without push out or hands back with push out.",
        "Rozstřel bez tří bodů, není faul. Lee přijímá bez push outu, nebo předává s push outem.",
    ),
    (
        lambda: rule(SECOND, ShotFacts(), Declarations(Before(kind=Kind.PUSH_OUT))),
        "Push out without a foul (9.4). Lee plays or hands the table back.",
        "Push out bez faulu (9.4). Lee hraje, nebo předává hru zpátky.",
    ),
    (
        lambda: rule(RACK, MISS, Declarations(Before(kind=Kind.SAFETY))),
        "Safety (9.6). Lee plays.",
        "Jistota (9.6). Hraje Lee.",
    ),
    (
        lambda: rule(RACK, down(Ball.ONE), Declarations(Before(kind=Kind.SAFETY))),
        "Safety, but the 1 is down (9.6). Lee plays or hands the table back.",
        "Jistota, ale padá koule 1 (9.6). Lee hraje, nebo předává hru zpátky.",
    ),
    (
        lambda: rule(WARNED, ShotFacts(first_contact=HIT)),
        "Foul on Novák, 6.14: third consecutive foul (also 6.3). Lee wins the rack.",
        "Faul, hráč Novák, 6.14: třetí faul po sobě (také 6.3). Lee vyhrává hru.",
    ),
    (
        lambda: rule(RACK, ShotFacts(first_contact=HIT)),
        "Foul on Novák, 6.3: no ball reached a rail after the hit. Lee has the cue ball in hand.",
        "Faul, hráč Novák, 6.3: po zásahu nedojela na mantinel žádná koule. Lee má bílou v ruce.",
    ),
    (
        lambda: rule(RACK, ShotFacts()),
        "Foul on Novák, 6.3: no object ball was hit. Lee has the cue ball in hand.",
        "Faul, hráč Novák, 6.3: nebyla zasažena žádná hraná koule. Lee má bílou v ruce.",
    ),
    (
        lambda: rule(
            RACK,
            ShotFacts(
                first_contact=HIT, rails=RAIL, lip_drops=(LipDrop(Ball.CUE, Pocket.FL, 6.0),)
            ),
        ),
        "No foul, nothing down (9.8). Back in place: the cue ball (1.8). Lee plays.",
        "Bez faulu, nic nepadá (9.8). Zpět na místo: bílá (1.8). Hraje Lee.",
    ),
    (
        lambda: rule(RACK, MISS, after(say.Replay())),
        "The shot is annulled, the position is restored (1.9). Novák plays.",
        "Strk se ruší, pozice se obnovuje (1.9). Hraje Novák.",
    ),
    (
        lambda: rule(RACK, None, after(say.Concede(Player.A))),
        "Novák concedes the match (1.11). Lee wins the match.",
        "Novák vzdává zápas (1.11). Lee vyhrává zápas.",
    ),
    (
        lambda: rule(RACK, None, after(say.Concede(Player.B, say.Scope.RACK))),
        "Lee concedes the rack (1.11). Novák wins the rack.",
        "Lee vzdává hru (1.11). Novák vyhrává hru.",
    ),
    (
        lambda: rule(ON_TWO, None, after(say.SpeedUpRequest(Player.A))),
        "Novák is asked to speed up (6.15). Novák plays. Warn Novák: two fouls (6.14).",
        "Výzva ke zrychlení: Novák (6.15). Hraje Novák. Varovat: Novák má dva fauly (6.14).",
    ),
    (
        lambda: rule(ON_TWO, None, after(say.WarnTwoFouls(Player.A))),
        "Novák is warned: two fouls (6.14). Novák plays.",
        "Novák je varován: dva fauly (6.14). Hraje Novák.",
    ),
    (
        lambda: rule(RACK, None, after(say.WarnTwoFouls(Player.A))),
        "Refused: warning, not on two fouls. Novák plays.",
        "Odmítnuto: varování, hráč nemá dva fauly. Hraje Novák.",
    ),
    (
        lambda: rule(RACK, None, after(say.Unsporting(Player.B, Penalty.WARNING))),
        "Lee is warned for unsporting conduct (6.17). Novák plays.",
        "Napomenutí za nesportovní chování: Lee (6.17). Hraje Novák.",
    ),
    (
        lambda: rule(RACK, None, after(say.Lag(say.LagResult(False), say.LagResult(False)))),
        "Refused: lag. Novák plays.",
        "Odmítnuto: tempo. Hraje Novák.",
    ),
    (
        lambda: rule(new_rack(), None, after(say.Lag(say.LagResult(False), say.LagResult(False)))),
        "Both lags are bad: lag again (1.2).",
        "Obě tempa špatná: opakovat (1.2).",
    ),
    (
        lambda: rule(new_rack(), None, after(say.LagWon(Player.B))),
        "Lee has won the lag (1.2). Lee chooses who breaks.",
        "Tempo vyhrává Lee (1.2). Lee volí, kdo rozstřelí.",
    ),
    (
        lambda: rule(RACK, None, after(say.StalemateDeclare())),
        "Re-rack, nobody scores (9.12). Novák breaks.",
        "Nové stavění, nikdo neboduje (9.12). Rozstřeluje Novák.",
    ),
    (
        lambda: rule(RACK, None, after(say.StalemateAnnounce(), say.StalemateAgree(Player.B))),
        "No progress: three more turns each (1.12). Lee agrees to a stalemate (1.12). Novák plays.",
        "Bez postupu: každý má ještě tři pobyty u stolu (1.12). Lee souhlasí s patem (1.12). "
        "Hraje Novák.",
    ),
    (
        lambda: rule(RACK, None, after(say.ClockOn(), say.Extension(Player.A))),
        "The shot clock is on for both players (6.15). Novák takes the extension (6.15). "
        "Novák plays.",
        "Stopky platí pro oba hráče (6.15). Prodloužení času: Novák (6.15). Hraje Novák.",
    ),
    (
        lambda: rule(
            Rack(
                phase=Phase.NORMAL,
                cue_ball=CueBall.IN_PLACE,
                options=PLAY_OR_HAND_BACK,
                hand_back_to=Player.B,
            ),
            None,
            after(say.Choice(Player.A, PLAY_OR_HAND_BACK[1])),
        ),
        "Novák hands the table back. Lee plays.",
        "Novák předává hru zpátky. Hraje Lee.",
    ),
    (
        lambda: rule(
            RACK,
            down(Ball.ONE),
            Declarations(
                Before(Call(Ball.TWO, Pocket.FL)),
                (say.CorrectCall(Call(Ball.ONE, Pocket.FL)),),
            ),
        ),
        "The 1 is down as called (9.8). The call is corrected: the 1, FL (9.5). Novák continues.",
        "Koule 1 padá podle hlášení (9.8). Hlášení opraveno: koule 1, FL (9.5). Novák pokračuje.",
    ),
    (
        lambda: rule(RACK, MISS, after(say.FoulCall("6.8", Player.A), say.WithdrawFoul("6.8"))),
        "No foul, nothing down (9.8). The call of 6.8 is withdrawn. "
        "Back in place: the cue ball (1.8). Lee plays.",
        "Bez faulu, nic nepadá (9.8). Rozhodnutí 6.8 se odvolává. "
        "Zpět na místo: bílá (1.8). Hraje Lee.",
    ),
    (
        lambda: rule(
            RACK,
            ShotFacts(
                first_contact=FirstContact(
                    (Candidate((Ball.FIVE,), 0.6), Candidate((Ball.ONE,), 0.4)),
                    Mark(Truth.UNDECIDED, 0.6),
                ),
                rails=RAIL,
            ),
        ),
        "No foul, nothing down (9.8). Lee plays. Open: 6.2.",
        "Bez faulu, nic nepadá (9.8). Hraje Lee. K posouzení: 6.2.",
    ),
    (
        lambda: rule(RACK, ShotFacts(first_contact=HIT, rails=RAIL, incomplete="cut")),
        "The shot was not seen as a whole (8.2). Lee plays. Open: 8.2.",
        "Strk nebyl vidět celý (8.2). Hraje Lee. K posouzení: 8.2.",
    ),
    (
        lambda: rule(
            RACK, ShotFacts(first_contact=HIT, rails=RAIL, off_table=(BallFact(Ball.CUE),))
        ),
        "Foul on Novák, 6.1: the cue ball is off the table. Lee has the cue ball in hand.",
        "Faul, hráč Novák, 6.1: bílá vyražená ze stolu. Lee má bílou v ruce.",
    ),
]


@pytest.mark.parametrize(
    ("ruling", "english", "czech"),
    SPOKEN,
    ids=[said[1].replace("Novák", "A").replace("Lee", "B") for said in SPOKEN],
)
def test_a_ruling_is_said_in_both_languages(
    ruling: Callable[[], Ruling], english: str, czech: str
) -> None:
    assert sentence(ruling(), NAMES) == english
    assert sentence(ruling(), NAMES, CZECH) == czech


def test_without_names_the_players_are_a_and_b() -> None:
    assert sentence(rule(RACK, MISS)) == "No foul, nothing down (9.8). B plays."


def test_both_languages_know_the_same_phrases_with_the_same_fields() -> None:
    assert ENGLISH.text.keys() == CZECH.text.keys()
    assert ENGLISH.refused.keys() == CZECH.refused.keys()
    for key, text in ENGLISH.text.items():
        fields = {name for name in ("player", "ball", "balls", "article") if f"{{{name}}}" in text}
        assert all(f"{{{name}}}" in CZECH.text[key] for name in fields), key
    assert list(LANGUAGES) == ["en", "cs"]


@pytest.mark.parametrize("article", ["6.1", "6.2", "6.3", "6.5", "6.6", "6.9"])
def test_a_called_foul_without_a_ball_is_said_without_one(article: str) -> None:
    ruling = Ruling(RACK, fouls=(Foul(article, Player.A, called=True),))
    assert sentence(ruling).startswith(f"Foul on A, {article}: {ENGLISH.text[article]}.")


def test_the_place_of_the_ten_is_said() -> None:
    call = Declarations(Before(Call(Ball.TEN, Pocket.FL)))
    fell = (PocketedBall(Ball.TEN, Pocket.FL),)
    blocked = ShotFacts(first_contact=HIT, pocketed=fell, all_below_foot_spot_blocked=True)
    assert "in front of the foot spot" in sentence(rule(RACK, blocked, call))
