"""Chapter 6: the fouls, restated in our own words."""

from __future__ import annotations

from typing import Final

from rules.article import ADVISORY, CAMERA, NOBODY, PERSON, Article

FOULS: Final = (
    Article(
        "6",
        "Fouls",
        "Fauly",
        "Of several fouls in one stroke only the gravest is punished, and a foul that was not "
        "called before the next stroke counts as never committed.",
        CAMERA,
        "rules.penalty.gravest",
    ),
    Article(
        "6.1",
        "Cue ball scratch or off the table",
        "Bílá v kapse nebo vyražená ze stolu",
        "The cue ball is pocketed or driven off the table.",
        CAMERA,
        "rules.fouls.article_6_1",
    ),
    Article(
        "6.2",
        "Wrong ball first",
        "Nesprávná koule jako první",
        "The first object ball that the cue ball hits is not the lowest one on the table.",
        CAMERA,
        "rules.fouls.article_6_2",
    ),
    Article(
        "6.3",
        "No rail after contact",
        "Po kontaktu bez mantinelu",
        "No object ball is pocketed, and the cue ball hits no object ball or no ball reaches "
        "a rail after the hit.",
        CAMERA,
        "rules.fouls.article_6_3",
    ),
    Article(
        "6.4",
        "No foot on floor",
        "Bez nohy na zemi",
        "The shooter has no foot on the floor when the tip meets the cue ball.",
        ADVISORY,
        "rules.fouls.article_6_4",
    ),
    Article(
        "6.5",
        "Ball driven off the table",
        "Koule vyražená ze stolu",
        "An object ball is driven off the table.",
        CAMERA,
        "rules.fouls.article_6_5",
    ),
    Article(
        "6.6",
        "Touched ball",
        "Hráč se dotkne koule",
        "The player, or anything he is responsible for, touches, moves or deflects a ball "
        "other than by a stroke.",
        ADVISORY,
        "rules.fouls.article_6_6",
        "Meant touching is 6.17. A touch by the seated player is outside interference (1.9).",
    ),
    Article(
        "6.7",
        "Double hit, frozen balls",
        "Dvojí zásah, spící koule",
        "The cue touches the cue ball more than once, or still touches it when it hits a "
        "close ball; a ball declared frozen to the cue ball counts as hit when it moves.",
        ADVISORY,
        "rules.fouls.article_6_7",
        "Balls are presumed apart unless the referee or the opponent declared them frozen.",
    ),
    Article(
        "6.8",
        "Push shot",
        "Tlačený strk (prostrk)",
        "The tip stays on the cue ball longer than in a normal stroke.",
        ADVISORY,
        "rules.fouls.article_6_8",
    ),
    Article(
        "6.9",
        "Balls still moving",
        "Koule ještě v pohybu",
        "The stroke begins while a ball in play still moves or spins.",
        CAMERA,
        "rules.fouls.article_6_9",
        "Spin without motion is not seen by the camera: a person calls it.",
    ),
    Article(
        "6.10",
        "Bad cue ball placement",
        "Špatné umístění bílé",
        "With the cue ball in hand behind the head string it is struck from on or in front of the "
        "line; in ten-ball that is the break only.",
        CAMERA,
        "rules.fouls.article_6_10",
    ),
    Article(
        "6.11",
        "Bad play from behind the head string",
        "Špatná hra zpoza rozstřelové čáry",
        "A foul of other games: ten-ball does not list it (9.10), and the engine never emits it.",
        NOBODY,
        "rules.hearing.CALLABLE",
    ),
    Article(
        "6.12",
        "Cue stick on the table",
        "Tágo na stole",
        "The cue is laid on the table, not held, to measure a shot.",
        ADVISORY,
        "rules.fouls.article_6_12",
    ),
    Article(
        "6.13",
        "Playing out of turn",
        "Hra mimo pořadí",
        "A player plays by mistake when it is not his turn; the balls stay as they lie.",
        ADVISORY,
        "rules.fouls.article_6_13",
        "Playing out of turn on purpose is 6.17.",
    ),
    Article(
        "6.14",
        "Three consecutive fouls",
        "Tři po sobě následující fauly",
        "Three fouls of one player in one rack without a legal shot in between lose the rack, "
        "if he was warned when he came to the table on two; unwarned, the third counts as the "
        "second.",
        CAMERA,
        "rules.penalty.punish",
        "The counters are kept; the warning is declared by the referee.",
    ),
    Article(
        "6.15",
        "Slow play",
        "Zdržování",
        "The time limit is exceeded while a shot clock is in force, which the referee imposes for "
        "both players after asking to speed up.",
        PERSON,
        "rules.fouls.article_6_15",
        "Once a clock is declared, its expiry is a measured fact.",
    ),
    Article(
        "6.16",
        "Rack template foul",
        "Faul se stavítkem",
        "A removed template interferes: a ball touches it where it lies.",
        ADVISORY,
        "rules.fouls.article_6_16",
    ),
    Article(
        "6.17",
        "Unsporting conduct",
        "Nesportovní chování",
        "Meant conduct that harms the sport or the fairness of the game; the referee chooses the "
        "penalty, normally that of a serious foul.",
        PERSON,
        "rules.penalty.punish",
    ),
)
