"""How a referee says a ruling in Czech (terms of the Czech rule text)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.phrases import Phrases
from table.balls import Ball


def _ball(ball: Ball) -> str:
    return "bílá" if ball is Ball.CUE else f"koule {ball.text}"


def _balls(balls: Sequence[Ball]) -> str:
    numbers = [ball.text for ball in balls if ball is not Ball.CUE]
    parts = [f"koule {' a '.join(numbers)}"] if numbers else []
    return " a ".join(parts + (["bílá"] if Ball.CUE in balls else []))


TEXT: Final = {
    "foul": "Faul, hráč {player}, {article}: {what}{also}",
    "also": " (také {articles})",
    "6.1.pocketed": "bílá v kapse",
    "6.1.off_table": "bílá vyražená ze stolu",
    "6.1": "bílá v kapse nebo vyražená ze stolu",
    "6.2.ball": "jako první byla zasažena {ball}, ne koule s nejnižším číslem",
    "6.2": "nesprávná koule jako první",
    "6.3.no_contact": "nebyla zasažena žádná hraná koule",
    "6.3.no_rail": "po zásahu nedojela na mantinel žádná koule",
    "6.3": "po kontaktu bez mantinelu",
    "6.4": "bez nohy na zemi",
    "6.5.ball": "{ball} vyražená ze stolu",
    "6.5": "koule vyražená ze stolu",
    "6.6.ball": "dotyk: {ball}",
    "6.6": "dotyk koule",
    "6.7": "dvojí zásah",
    "6.8": "tlačený strk",
    "6.9.ball": "{ball} byla ještě v pohybu",
    "6.9": "koule ještě v pohybu",
    "6.10": "rozstřel nebyl hrán zpoza rozstřelové čáry",
    "6.12": "tágo na stole",
    "6.13": "hra mimo pořadí",
    "6.14": "třetí faul po sobě",
    "6.15": "překročený čas",
    "6.16": "dotyk stavítka",
    "6.17": "nesportovní chování",
    "9.3b": "při rozstřelu dojely na mantinel méně než čtyři koule",
    "break.dry": "Platný rozstřel, nic nepadá (9.3)",
    "break.one": "Platný rozstřel, padá {balls} (9.3)",
    "break.many": "Platný rozstřel, padají {balls} (9.3)",
    "three_point": "Rozstřel bez tří bodů, není faul",
    "incomplete": "Strk nebyl vidět celý (8.2)",
    "push_out": "Push out bez faulu (9.4)",
    "safety": "Jistota (9.6)",
    "safety.one": "Jistota, ale padá {balls} (9.6)",
    "safety.many": "Jistota, ale padají {balls} (9.6)",
    "made": "{ball} padá podle hlášení (9.8)",
    "wrong.one": "padá {balls}, ne podle hlášení (9.7)",
    "wrong.many": "padají {balls}, ne podle hlášení (9.7)",
    "miss": "Bez faulu, nic nepadá (9.8)",
    "spot": "desítka se nastavuje zpátky (9.9)",
    "spot.behind_blocker_touching": "desítka se nastavuje za překážející kouli (9.9)",
    "spot.behind_blocker_with_gap": "desítka se nastavuje těsně za bílou (9.9)",
    "spot.in_front_of_foot_spot": "desítka se nastavuje před zadní bod (9.9)",
    "restore": "zpět na místo: {balls} (1.8)",
    "replay": "Strk se ruší, pozice se obnovuje (1.9)",
    "rerack": "Nové stavění, nikdo neboduje (9.12)",
    "lag_again": "Obě tempa špatná: opakovat (1.2)",
    "lag_won": "Tempo vyhrává {player} (1.2)",
    "next_rack": "Další hra (9.1)",
    "warned": "{player} je varován: dva fauly (6.14)",
    "speed_up": "Výzva ke zrychlení: {player} (6.15)",
    "clock_on": "Stopky platí pro oba hráče (6.15)",
    "extension": "Prodloužení času: {player} (6.15)",
    "stalemate_announced": "Bez postupu: každý má ještě tři pobyty u stolu (1.12)",
    "stalemate_agreed": "{player} souhlasí s patem (1.12)",
    "unsporting_warning": "Napomenutí za nesportovní chování: {player} (6.17)",
    "concede.rack": "{player} vzdává hru (1.11)",
    "concede.match": "{player} vzdává zápas (1.11)",
    "call_corrected": "Hlášení opraveno: {ball} (9.5)",
    "foul_withdrawn": "Rozhodnutí {article} se odvolává",
    "accept": "{player} přijímá",
    "hand_back": "{player} předává hru zpátky",
    "accept_no_push_out": "{player} přijímá, bez push outu",
    "hand_back_push_out_allowed": "{player} předává hru zpátky, push out povolen",
    "self_breaks": "{player} chce rozstřelovat",
    "opponent_breaks": "{player} přenechává rozstřel",
    "refused": "Odmítnuto: {words}",
    "wins_rack": "{player} vyhrává hru",
    "wins_match": "{player} vyhrává zápas",
    "decides.play": "{player} hraje, nebo předává hru zpátky",
    "decides.three_point": "{player} přijímá bez push outu, nebo předává s push outem",
    "decides.break": "{player} volí, kdo rozstřelí",
    "breaks": "rozstřeluje {player}",
    "in_hand": "{player} má bílou v ruce",
    "continues": "{player} pokračuje",
    "plays": "hraje {player}",
    "push_out_allowed": "hraje {player} a může hrát push out",
    "continues_push_out_allowed": "{player} pokračuje a může hrát push out",
    "warn_prompt": "Varovat: {player} má dva fauly (6.14)",
    "open": "K posouzení: {articles}",
}

CZECH: Final = Phrases(
    language="cs",
    text=TEXT,
    ball=_ball,
    balls=_balls,
    refused={
        "foul": "faul",
        "dismiss": "zamítnutí",
        "push_out": "push out",
        "safety": "jistota",
        "shot": "strk mezi hrami",
        "obvious_call": "zřejmý strk",
        "correct_call": "oprava hlášení",
        "late_declaration": "ohlášeno po začátku strku",
        "late_foul_call": "ohlášeno po dalším strku",
        "choice": "volba",
        "warn_two_fouls": "varování, hráč nemá dva fauly",
        "extension": "prodloužení",
        "time_expired": "stopky neběží",
        "stalemate_announce": "pat",
        "stalemate_declare": "pat, zbývají pobyty u stolu",
        "rerack": "nové stavění",
        "next_rack": "další hra",
        "lag": "tempo",
        "lag_won": "tempo",
        "concede": "vzdání",
        "spot": "nastavení, nastavuje se jen desítka",
        "withdraw_foul": "není co odvolat",
    },
)
