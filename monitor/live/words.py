"""What the console says, in English and Czech: buttons, prompts, cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Text = tuple[str, str]
"""English, Czech."""

OPTION_WORDS: Final[Mapping[str, Text]] = {
    "accept": ("Plays from here", "Hraje z této pozice"),
    "hand_back": ("Hands the table back", "Předává hru zpátky"),
    "accept_no_push_out": ("Plays from here (no push out)", "Hraje z této pozice (bez push outu)"),
    "hand_back_push_out_allowed": (
        "Hands back (push out allowed)",
        "Předává zpátky (push out povolen)",
    ),
    "self_breaks": ("Breaks", "Rozstřeluje"),
    "opponent_breaks": ("Opponent breaks", "Rozstřeluje soupeř"),
}

_ASK_CS: Final = {
    "6.1": "Spadla nebo opustila stůl bílá koule?",
    "6.2": "Byla jako první zasažena nesprávná koule?",
    "6.3": "Nedojela po zásahu žádná koule na mantinel?",
    "6.4": "Neměl hráč při strku žádnou nohu na zemi?",
    "6.5": "Opustila koule {ball} stůl?",
    "6.6": "Dotkl se hráč koule?",
    "6.7": "Dotkla se špička bílé koule dvakrát?",
    "6.8": "Byl to tlačený strk?",
    "6.9": "Byla koule {ball} při začátku strku ještě v pohybu?",
    "6.10": "Nestála bílá při rozstřelu za rozstřelovou čárou?",
    "6.12": "Leželo tágo na stole k měření?",
    "6.13": "Hrál hráč mimo pořadí?",
    "6.14": "Je hra prohraná pro tři fauly po sobě?",
    "6.15": "Překročil hráč čas?",
    "6.16": "Dotkla se koule stavítka?",
    "8.2": "Byl strk bez faulu? (nebyl vidět celý)",
    "8.3": "Spadla koule {ball} do kapsy?",
    "9.2": "Koule jsou znovu postaveny: začala nová hra?",
    "9.3b": "Dojely při rozstřelu na mantinel méně než čtyři koule?",
    "9.5": "Byl to zjevný strk?",
    "9.8": "Spadla desítka jako poslední koule?",
    "9.9": "Je desítka zpět na stole?",
}


def asked_in_czech(article: str, ball: str | None, ask: str) -> str:
    """A question of the rules in Czech; the English text where there is no other."""
    text = _ASK_CS.get(article)
    if text is None or ("{ball}" in text and ball is None):
        return ask
    return text.format(ball="bílá" if ball == "cue" else ball)


def counted(count: int, english: tuple[str, str], czech: tuple[str, str, str]) -> Text:
    """The words for a count, `{n}` filled in; English: one, more; Czech: one, 2 to 4, more."""
    form = english[0] if count == 1 else english[1]
    forma = czech[0] if count == 1 else czech[1] if 2 <= count <= 4 else czech[2]
    return form.format(n=count), forma.format(n=count)


def texts(text: Text) -> dict[str, str]:
    """The two keys that carry a text for people."""
    return {"text": text[0], "text_cs": text[1]}


CONFIRM: Final[Text] = ("Confirm: foul", "Potvrdit: faul")
DISMISS: Final[Text] = ("No foul", "Bez faulu")
YES: Final[Text] = ("Yes", "Ano")
NO: Final[Text] = ("No", "Ne")

ACTION_WORDS: Final[Mapping[str, Text]] = {
    "call": ("call", "hlášení"),
    "safety": ("safety", "jistota"),
    "push_out": ("push out", "push out"),
    "withdraw": ("withdrawn announcement", "odvolané hlášení"),
    "frozen": ("frozen ball", "spící koule"),
    "correct_fact": ("correction of a fact", "oprava skutečnosti"),
    "set_state": ("state set by hand", "stav nastavený ručně"),
    "foul": ("called foul", "ohlášený faul"),
    "confirm": ("confirmed", "potvrzeno"),
    "dismiss": ("dismissed", "zamítnuto"),
    "obvious_call": ("obvious shot", "zjevný strk"),
    "choice": ("decision", "rozhodnutí"),
    "correct_call": ("corrected call", "opravené hlášení"),
    "warn_two_fouls": ("warning on two fouls", "varování na dva fauly"),
    "speed_up_request": ("request to speed up", "výzva ke zrychlení"),
    "extension": ("extension", "prodloužení"),
    "time_expired": ("time expired", "čas vypršel"),
    "clock_on": ("clock on", "stopky zavedeny"),
    "clock_off": ("clock off", "stopky zrušeny"),
    "clock_pause": ("clock paused", "stopky pozastaveny"),
    "clock_resume": ("clock goes on", "stopky běží dál"),
    "clock_restart": ("clock from the start", "stopky od začátku"),
    "unsporting": ("unsporting conduct", "nesportovní chování"),
    "interference": ("interference", "vnější zásah"),
    "restore": ("ball put back", "vrácená koule"),
    "cannot_restore": ("position cannot be restored", "pozici nelze obnovit"),
    "replay": ("shot played again", "opakovaný strk"),
    "ball_fell_by_itself": ("ball fell by itself", "koule spadla sama"),
    "placement_check": ("placement checked", "kontrola postavení"),
    "stalemate_announce": ("no progress announced", "ohlášen pat, zbývají tři pobyty"),
    "stalemate_agree": ("stalemate agreed", "souhlas s patem"),
    "stalemate_declare": ("stalemate", "pat"),
    "rerack": ("balls racked again", "nové stavění"),
    "next_rack": ("next rack", "další hra"),
    "spot": ("ball spotted", "nastavená koule"),
    "withdraw_foul": ("foul withdrawn", "odvolaný faul"),
    "late_foul_call": ("late foul call", "pozdní faul"),
    "concede": ("concession", "vzdání"),
    "lag": ("lag", "tempo"),
    "lag_won": ("lag won", "vyhrané tempo"),
    "call_requested": ("call asked for", "žádost o hlášení"),
    "protest": ("protest", "protest"),
    "time_out": ("time-out", "oddechový čas"),
    "spotted": ("ten is spotted", "desítka nastavena"),
    "restored": ("position is restored", "pozice obnovena"),
    "note": ("note", "poznámka"),
    "void_shot": ("was no stroke", "nebyl to strk"),
    "shot": ("shot by hand", "ruční strk"),
}


POCKET_WORDS: Final[Mapping[str, Text]] = {
    "HL": ("head left", "přední levá"),
    "HR": ("head right", "přední pravá"),
    "SL": ("left side", "střední levá"),
    "SR": ("right side", "střední pravá"),
    "FL": ("foot left", "zadní levá"),
    "FR": ("foot right", "zadní pravá"),
}
"""The pockets as the pages name them."""

FACT_WORDS: Final[Mapping[str, Text]] = {
    "first_contact": ("first ball", "první koule"),
    "pocketed": ("pocketed", "v kapse"),
    "rails_after_contact": ("rails after", "mantinely po"),
    "rails_before_contact": ("rails before", "mantinely před"),
    "off_table": ("off the table", "mimo stůl"),
    "moving_at_start": ("moving at the start", "v pohybu na začátku"),
    "shooter": ("who played", "kdo hrál"),
    "placement": ("placement", "postavení"),
    "late_drop": ("late drop", "pozdní pád"),
}


def pocket_words(pocket: str) -> Text:
    """A pocket by name."""
    return POCKET_WORDS.get(pocket, (pocket, pocket))


def action_words(row: Mapping[str, object], players: tuple[str, str] | None = None) -> Text:
    """One line on what a record says, e.g. `call: 3, foot left`."""
    name = str(row.get("type", "shot"))
    english, czech = ACTION_WORDS.get(name, (name.replace("_", " "),) * 2)
    more = [_detail(key, str(row[key]), players) for key in _DETAILS if row.get(key)]
    if not more:
        return english, czech
    told, told_cs = (", ".join(part[language] for part in more) for language in (0, 1))
    return f"{english}: {told}", f"{czech}: {told_cs}"


_DETAILS: Final = ("ball", "pocket", "rule", "by", "fact")
_DECLARERS: Final[Mapping[str, Text]] = {
    "cue": ("cue ball", "bílá"),
    "referee": ("referee", "rozhodčí"),
    "opponent": ("opponent", "soupeř"),
    "shooter": ("shooter", "hrající"),
}


def _detail(key: str, value: str, players: tuple[str, str] | None) -> Text:
    if key == "pocket":
        return pocket_words(value)
    if key == "by" and players is not None and value in ("A", "B"):
        return (players[0 if value == "A" else 1],) * 2
    found = (FACT_WORDS if key == "fact" else _DECLARERS).get(value)
    return (value, value) if found is None else found
