"""The text notation of shots: what it reads, what it writes, what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.notation import NotationError, parse_shots, print_event, print_shots
from table.events import (
    Alternative,
    BallContact,
    BallOffTable,
    BallPocketed,
    CueSeen,
    CushionContact,
    LateDrop,
    OtherEvent,
    ShotEnded,
    ShotEvent,
    ShotStarted,
    Source,
)
from table.geometry import Cushion, Pocket
from table.log import ShotLog, parse_log, write_log

BALLS = st.sampled_from(["cue", *(str(n) for n in range(1, 11)), "u1", "u27"])
NUMBERS = st.floats(-1e3, 1e3, allow_nan=False).map(lambda x: round(x, 6) + 0.0)
TIMES = st.floats(-5, 900, allow_nan=False).map(lambda x: round(x, 6) + 0.0)
HALF_WIDTHS = st.floats(0, 2).map(lambda x: round(x, 6))
PROBABILITIES = st.floats(0, 1).map(lambda x: round(x, 4))
POINTS = st.tuples(NUMBERS, NUMBERS)
PLACES = st.dictionaries(BALLS, POINTS, max_size=4)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


def _common(may_lack_time: bool = False) -> dict[str, st.SearchStrategy[object]]:
    times: st.SearchStrategy[object] = TIMES | st.none() if may_lack_time else TIMES
    return {
        "shot": st.integers(1, 12),
        "t_s": times,
        "dt_s": HALF_WIDTHS,
        "confidence": PROBABILITIES,
    }


@st.composite
def _contacts(draw: st.DrawFn) -> BallContact:
    a, b = draw(st.lists(BALLS, min_size=2, max_size=2, unique=True))
    if b == "cue":
        a, b = b, a
    others = draw(st.lists(st.builds(Alternative, BALLS, PROBABILITIES), max_size=2))
    common = {key: draw(value) for key, value in _common().items()}
    return BallContact(a=a, b=b, alternatives=tuple(others), **common)  # type: ignore[arg-type]


@st.composite
def _starts(draw: st.DrawFn) -> ShotStarted:
    moving = draw(st.lists(BALLS, max_size=3, unique=True))
    known = draw(st.lists(st.sampled_from(moving), unique=True)) if moving else []
    speeds = {ball: draw(st.floats(0, 9).map(lambda x: round(x, 6))) for ball in known}
    common = {key: draw(value) for key, value in _common(may_lack_time=True).items()}
    return ShotStarted(
        balls=draw(PLACES),
        moving=tuple(moving),
        moving_speeds_mps=speeds,
        started_before_clip=draw(st.booleans()),
        racked=draw(st.booleans()),
        **common,  # type: ignore[arg-type]
    )


EVENTS: st.SearchStrategy[ShotEvent] = st.one_of(
    _starts(),
    _contacts(),
    st.builds(
        CushionContact,
        ball=BALLS,
        cushion=st.sampled_from(Cushion),
        jaw=st.booleans(),
        rail_top=st.booleans(),
        from_rest=st.booleans(),
        **_common(),
    ),
    st.builds(BallPocketed, ball=BALLS, pocket=st.sampled_from(Pocket), **_common()),
    st.builds(BallOffTable, ball=BALLS, **_common()),
    st.builds(
        LateDrop,
        ball=BALLS,
        pocket=st.sampled_from(Pocket),
        seconds=st.none() | HALF_WIDTHS,
        **_common(),
    ),
    st.builds(CueSeen, tip_m=POINTS, direction_deg=NUMBERS, sigma_deg=HALF_WIDTHS, **_common()),
    st.builds(
        OtherEvent,
        name=st.sampled_from(["ball_placed", "ball_in_hand", "health", "a kind; of #later"]),
        fields=st.dictionaries(st.text(max_size=6), JSON_VALUES, max_size=3),
        **_common(),
    ),
    st.builds(
        ShotEnded,
        balls=PLACES,
        ended_after_clip=st.booleans(),
        incomplete=st.none() | st.text(max_size=12),
        **_common(may_lack_time=True),
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(EVENTS, max_size=6))
def test_what_is_written_is_read_back_event_for_event(events: list[ShotEvent]) -> None:
    assert parse_shots(print_shots(events)) == tuple(events)


def test_a_shot_reads_like_a_referee_tells_it() -> None:
    text = """
    START CUE=-0.9,0.1 3=0.635,0 @0   # the cue ball and the three
    CUE>3 @0.40; 3>FL @1.3
    CUE>FOOT @1.5~0.01 %0.9
    END CUE=0.1,0.2 @3.2
    """
    assert parse_shots(text) == (
        ShotStarted(shot=1, t_s=0.0, balls={"cue": (-0.9, 0.1), "3": (0.635, 0.0)}),
        BallContact(shot=1, t_s=0.40, a="cue", b="3"),
        BallPocketed(shot=1, t_s=1.3, ball="3", pocket=Pocket.FL),
        CushionContact(
            shot=1, t_s=1.5, dt_s=0.01, ball="cue", cushion=Cushion.FOOT, confidence=0.9
        ),
        ShotEnded(shot=1, t_s=3.2, balls={"cue": (0.1, 0.2)}),
    )


@pytest.mark.parametrize(
    ("phrase", "event"),
    [
        (
            "CUE>1|7:0.35 @1.71~0.004 %0.64",
            BallContact(
                shot=1,
                t_s=1.71,
                dt_s=0.004,
                a="cue",
                b="1",
                alternatives=(Alternative("7", 0.35),),
                confidence=0.64,
            ),
        ),
        (
            "8>FOOT jaw @2.1",
            CushionContact(shot=1, t_s=2.1, ball="8", cushion=Cushion.FOOT, jaw=True),
        ),
        (
            "8>LEFT_FOOT top @2.1",
            CushionContact(shot=1, t_s=2.1, ball="8", cushion=Cushion.LEFT_FOOT, rail_top=True),
        ),
        (
            "3>FOOT rest @0.5",
            CushionContact(shot=1, t_s=0.5, ball="3", cushion=Cushion.FOOT, from_rest=True),
        ),
        ("7>OFF @2.7", BallOffTable(shot=1, t_s=2.7, ball="7")),
        ("6>FL late=4.9 @9", LateDrop(shot=1, t_s=9.0, ball="6", pocket=Pocket.FL, seconds=4.9)),
        ("6>FL late @9", LateDrop(shot=1, t_s=9.0, ball="6", pocket=Pocket.FL)),
        (
            "START moving:5=0.02 moving:U1 break @1",
            ShotStarted(
                shot=1, t_s=1.0, moving=("5", "u1"), moving_speeds_mps={"5": 0.02}, racked=True
            ),
        ),
        ("START cut @?", ShotStarted(shot=1, t_s=None, started_before_clip=True)),
        ("END cut @?", ShotEnded(shot=1, t_s=None, ended_after_clip=True)),
        (
            'END incomplete="camera cut" @9.5',
            ShotEnded(shot=1, t_s=9.5, incomplete="camera cut"),
        ),
        (
            "STICK tip=-0.9,0.1 aim=12.5~0.8 @1.4",
            CueSeen(shot=1, t_s=1.4, tip_m=(-0.9, 0.1), direction_deg=12.5, sigma_deg=0.8),
        ),
        (
            '!ball_placed {"ball": "cue"} @8',
            OtherEvent(shot=1, t_s=8.0, name="ball_placed", fields={"ball": "cue"}),
        ),
    ],
)
def test_every_kind_of_event_has_its_phrase(phrase: str, event: ShotEvent) -> None:
    assert parse_shots(phrase) == (event,)
    assert print_event(event) == phrase


def test_capitals_and_order_do_not_matter() -> None:
    assert parse_shots("cue>u2 %0.5 @0.4") == parse_shots("CUE>U2 @0.4 %0.5")


def test_a_shot_number_holds_until_the_next() -> None:
    events = parse_shots("CUE>1 @1\nSHOT 3\nCUE>2 @9; 2>FL @10")
    assert [event.shot for event in events] == [1, 3, 3]
    assert print_shots(events) == "CUE>1 @1\nSHOT 3\nCUE>2 @9\n2>FL @10\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("CUE>1", "has no time"),
        ("CUE 1 @2", '"CUE": is no event'),
        ("\n\nCUE>11 @2", 'line 3, "11"'),
        ("CUE>CUE @2", "does not meet itself"),
        ("CUE>1 @soon", '"soon" is not a number'),
        ("CUE>1 @nan", '"nan" is not a number'),
        ("CUE>1 @1e999", "is not a number"),
        ("CUE>1 @1~-2", "not negative"),
        ("CUE>1 @1 %1.5", "from 0 to 1"),
        ("CUE>1|2 @1", "is not a number"),
        ("CUE>1 late @1", '"late": is no attribute'),
        ("3>FL jaw @1", '"jaw": is no attribute'),
        ("3>FOOT late @1", '"late": is no attribute'),
        ("CUE>1 @?", "needs a time"),
        ("START soon @1", '"soon": is no attribute'),
        ("START CUE=1 @1", "is not a point"),
        ("STICK tip=1,2 @1", "STICK needs"),
        ("SHOT 0", "a number from 1"),
        ("SHOT", "a number from 1"),
        ("!health {oops} @1", "is not a JSON object"),
        ('CUE>1 {"a": 1} @1', "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_named_by_line_and_word(text: str, named: str) -> None:
    with pytest.raises(NotationError, match="line") as raised:
        parse_shots(text)
    assert named in str(raised.value)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet='CUE>12FOTL@.~%|:;#!"={}, \n\\', max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        events = parse_shots(text)
    except NotationError:
        return
    assert parse_shots(print_shots(events)) == events


def test_the_shot_log_and_the_notation_carry_the_same_events() -> None:
    events = parse_shots("START CUE=-0.9,0.1 3=0.6,0 @0; CUE>3 @0.4~0.01; 3>FL @1.3; END @4")
    assert parse_log(write_log(ShotLog(Source(), events)).splitlines()).events == events


def test_every_phrase_of_the_manual_is_read() -> None:
    manual = Path(__file__).parents[2] / "docs" / "shot-notation.md"
    lines = manual.read_text(encoding="utf-8").splitlines()
    phrases = [line.split("`")[1].replace("\\|", "|") for line in lines if line.startswith("| `")]
    assert len(phrases) >= 12
    for phrase in phrases:
        events = parse_shots(phrase)
        assert parse_shots(print_shots(events)) == events
        assert len(events) == 1 or phrase == "SHOT 2"
    example = "\n".join(line for line in lines if line.startswith("    "))
    assert len(parse_shots(example)) == 5
