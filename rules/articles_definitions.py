"""The definitions, procedures and regulations that ten-ball leans on, restated."""

from __future__ import annotations

from typing import Final

from rules.article import ADVISORY, CAMERA, NOBODY, PERSON, Article

DEFINITIONS: Final = (
    Article(
        "1.2",
        "Lagging to determine order of play",
        "Určení pořadí hry (tempo)",
        "Both players play a ball to the foot cushion and back; the nearer to the head "
        "cushion wins, a bad lag cannot win, and two bad ones are played again.",
        PERSON,
        "rules.decisions",
    ),
    Article(
        "1.4",
        "Spotting balls",
        "Nastavování koulí na stůl",
        "On the long string, as near to the foot spot as possible on its foot side, touching an "
        "object ball in the way but never the cue ball; if all of that is blocked, in front of the "
        "spot.",
        CAMERA,
        "rules.spotting.spot",
    ),
    Article(
        "1.5",
        "Cue ball in hand",
        "Bílá v ruce",
        "The cue ball may be placed anywhere (or behind the head string) and moved until the "
        "stroke.",
        PERSON,
        "rules.rack.CueBall",
    ),
    Article(
        "1.6",
        "Standard call shot",
        "Standardní hlášený strk",
        "Ball and pocket of every shot that is not obvious are indicated before it.",
        PERSON,
        "rules.hearing",
    ),
    Article(
        "1.7",
        "Balls settling",
        "Usazování koulí",
        "A ball that falls by itself is put back; when that affects a stroke, the stroke is played "
        "again.",
        ADVISORY,
        "rules.leaving.leaving",
    ),
    Article(
        "1.8",
        "Restoring a position",
        "Obnovení pozice",
        "The referee puts disturbed balls back as accurately as he can.",
        PERSON,
        "rules.decisions",
    ),
    Article(
        "1.9",
        "Outside interference",
        "Vnější zásah",
        "Interference that affects a shot annuls it; the position is restored, or the rack played "
        "again when it cannot be.",
        PERSON,
        "rules.hearing",
    ),
    Article(
        "1.10",
        "Prompting calls and protesting rulings",
        "Vyzvání k rozhodnutí a protest",
        "Calls must be prompt; a judgement is final, the application of a rule may be appealed.",
        NOBODY,
        "rules.match",
        "The journal keeps every fact and word, so any ruling can be looked at again.",
    ),
    Article(
        "1.11",
        "Concession",
        "Vzdání",
        "A player who concedes loses the match.",
        PERSON,
        "rules.decisions",
    ),
    Article(
        "1.12",
        "Stalemate",
        "Pat",
        "No progress is announced, each player has three more turns, then the stalemate is "
        "declared; both players may agree to it at once.",
        PERSON,
        "rules.decisions",
    ),
    Article(
        "2.4",
        "Push out (nine-ball)",
        "Push out (devítka)",
        "The nine-ball article to which 9.8 refers: a push out never keeps the shooter at the "
        "table.",
        PERSON,
        "rules.outcome",
    ),
    Article(
        "8.1",
        "Parts of the table",
        "Části stolu",
        "Cushions, rail tops, pockets and liners are parts of the rails; behind the head string "
        "excludes the line.",
        CAMERA,
        "rules.stroke",
    ),
    Article(
        "8.2",
        "Shot",
        "Strk",
        "A shot lasts from the tip's contact until all balls in play rest; a legal shot is one "
        "without a foul.",
        CAMERA,
        "rules.reading",
    ),
    Article(
        "8.3",
        "Ball pocketed",
        "Potopená koule",
        "A ball rests below the surface in a pocket; one that rested on the brink for five seconds "
        "is not pocketed when it falls, one held up by another ball is, one that comes back "
        "is not.",
        CAMERA,
        "rules.leaving.leaving",
    ),
    Article(
        "8.4",
        "Driven to a rail",
        "Dojetí na mantinel",
        "A ball touches a rail that it did not touch before; declared frozen to it, it must leave "
        "and return; pocketed and jumped balls have reached a rail.",
        CAMERA,
        "rules.stroke.Stroke.counts",
    ),
    Article(
        "8.5",
        "Driven off the table",
        "Vyražení ze stolu",
        "A ball rests off the playing surface without being pocketed, or would but for a lamp, a "
        "person or another object.",
        CAMERA,
        "rules.leaving.leaving",
    ),
    Article(
        "8.6",
        "Scratch",
        "Bílá v kapse",
        "The cue ball is pocketed on a shot.",
        CAMERA,
        "rules.leaving.leaving",
    ),
    Article(
        "8.7",
        "Cue ball",
        "Bílá koule",
        "The white ball, which the shooter strikes.",
        CAMERA,
        "table.balls.CUE",
    ),
    Article(
        "8.8",
        "Object balls",
        "Hrané koule",
        "The balls 1 to 10.",
        CAMERA,
        "table.balls.OBJECT_BALLS",
    ),
)

REGULATIONS: Final = (
    Article(
        "Reg racking",
        "Racking and tapping of balls",
        "Stavění a naklepávání koulí",
        "How a rack is built; balls are not placed in a chosen pattern.",
        NOBODY,
        "rules.decisions",
    ),
    Article(
        "Reg subsequent breaks",
        "Subsequent break shots",
        "Následující rozstřely",
        "The organiser may announce another order of breaks than alternating.",
        PERSON,
        "rules.rack.BreakOrder",
    ),
    Article(
        "Reg break requirements",
        "Open break requirements (three-point rule)",
        "Požadavky na úvodní rozstřel (tři body)",
        "Where announced, three object balls must be pocketed or reach the head string, or the "
        "opponent may hand the table back; it is not a foul.",
        CAMERA,
        "rules.outcome",
    ),
    Article(
        "Reg split hits",
        "Simultaneous hit",
        "Současný zásah",
        "When it cannot be told which ball was hit first, the legal one was.",
        CAMERA,
        "rules.fouls.article_6_2",
    ),
    Article(
        "Reg frozen balls",
        "Calling frozen balls",
        "Ohlašování spících koulí",
        "The referee inspects and announces frozen balls before the shot; the player asks for it.",
        PERSON,
        "rules.stroke.declared_frozen_to_cue",
    ),
    Article(
        "Reg shot clock",
        "Shot clock",
        "Stopky na strk",
        "35 seconds from rest to tip, a warning at ten seconds, one extension of 25 seconds a "
        "player and rack.",
        PERSON,
        "rules.decisions",
    ),
)
