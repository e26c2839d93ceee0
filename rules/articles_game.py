"""Chapter 9: the articles of ten-ball, restated in our own words."""

from __future__ import annotations

from typing import Final

from rules.article import CAMERA, NOBODY, PERSON, Article

GAME: Final = (
    Article(
        "9",
        "Ten-ball",
        "Desítka",
        "A call-shot game in rotation: the lowest ball is hit first, at most one ball is called a "
        "stroke, and a ten pocketed on a legal break is spotted while the breaker goes on.",
        CAMERA,
        "rules.ten_ball.rule",
    ),
    Article(
        "9.1",
        "Determining the break",
        "Určení rozstřelu",
        "The winner of the lag chooses who breaks first; afterwards the breaks alternate "
        "unless the organiser announced another order.",
        PERSON,
        "rules.decisions",
    ),
    Article(
        "9.2",
        "The ten-ball rack",
        "Stavění koulí na desítku",
        "A tight triangle with the 1 on the foot spot, the 10 in the middle and the others at "
        "random.",
        NOBODY,
        "rules.decisions",
        "No ruling follows: a wrong rack found before the break is racked again, afterwards the "
        "break stands.",
    ),
    Article(
        "9.3",
        "Legal break shot",
        "Platný rozstřel",
        "The break starts with the cue ball in hand behind the head string; without a foul the "
        "breaker goes on when an object ball is down, otherwise the opponent plays.",
        CAMERA,
        "rules.outcome",
    ),
    Article(
        "9.3b",
        "Legal break shot: four balls to a rail",
        "Platný rozstřel: čtyři koule na mantinel",
        "When no object ball is pocketed on the break, at least four object balls must reach a "
        "rail, or it is a foul.",
        CAMERA,
        "rules.fouls.article_9_3b",
    ),
    Article(
        "9.4",
        "Second shot of the rack: push out",
        "Druhý strk: push out",
        "After a foul-free break the next shot may be announced as a push out: 6.2 and 6.3 are "
        "suspended, and after a push out without a foul the opponent decides who plays on.",
        PERSON,
        "rules.hearing.allowed_kind",
    ),
    Article(
        "9.5",
        "Call shots and pocketing balls",
        "Hlášené strky a potápění koulí",
        "After the break, ball and pocket are called unless the shot is obvious; how the ball gets "
        "there does not matter.",
        PERSON,
        "rules.outcome.called_ball_made",
        "Whether an uncalled shot was obvious is asked, never decided.",
    ),
    Article(
        "9.6",
        "Safety",
        "Jistota",
        "A safety may be called at any time after the break; a legally pocketed ball then "
        "gives the opponent the choice to play or to hand the table back.",
        PERSON,
        "rules.hearing.allowed_kind",
    ),
    Article(
        "9.7",
        "Wrongfully pocketed balls",
        "Nesprávně potopené koule",
        "When the called shot is missed and an object ball falls all the same, the inning ends and "
        "the opponent plays or hands the table back.",
        CAMERA,
        "rules.outcome",
    ),
    Article(
        "9.8",
        "Continuing play",
        "Pokračování ve hře",
        "A called ball legally pocketed keeps the shooter at the table; the ten called and "
        "legally pocketed as the last ball wins the rack; otherwise the turn passes.",
        CAMERA,
        "rules.outcome",
    ),
    Article(
        "9.9",
        "Spotting balls",
        "Nastavování koulí zpátky na stůl",
        "The ten comes back to the table whenever it falls or leaves without winning the rack; no "
        "other ball ever does.",
        CAMERA,
        "rules.outcome",
    ),
    Article(
        "9.10",
        "Standard fouls",
        "Standardní fauly",
        "After a standard foul the opponent plays with the cue ball in hand anywhere on the table.",
        CAMERA,
        "rules.penalty.punish",
    ),
    Article(
        "9.11",
        "Serious fouls",
        "Závažné fauly",
        "Three consecutive fouls lose the rack; for unsporting conduct the referee chooses the "
        "penalty.",
        PERSON,
        "rules.penalty.punish",
    ),
    Article(
        "9.12",
        "Stalemate",
        "Pat",
        "After a stalemate the balls are racked again and the same player breaks.",
        PERSON,
        "rules.decisions",
    ),
)
