"""The shot log in both directions, and its complaints."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.balls import Ball
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
from table.log import LogError, ShotLog, event_to_json, parse_log, read_log, write_log

# The example of the interface, line by line.
INTERFACE = """\
{"v":1,"kind":"source","file":"x.mp4","fps":25.0,"frames":255,"table":{"length_m":2.54,"width_m":1.27},"head":"right","head_from":"rack","ball_set":"tv"}
{"v":1,"kind":"shot_started","shot":1,"t_s":1.52,"dt_s":0.02,"moving":[],"balls":{"cue":[-0.71,0.10],"1":[0.635,0.0]},"confidence":1.0}
{"v":1,"kind":"ball_contact","shot":1,"t_s":1.71,"dt_s":0.004,"a":"cue","b":"1","confidence":0.64,"alternatives":[{"b":"7","p":0.35}]}
{"v":1,"kind":"cushion_contact","shot":1,"t_s":1.93,"dt_s":0.006,"ball":"1","cushion":"FOOT","confidence":0.97}
{"v":1,"kind":"ball_pocketed","shot":1,"t_s":2.60,"dt_s":0.04,"ball":"1","pocket":"FL","confidence":0.99}
{"v":1,"kind":"ball_off_table","shot":1,"t_s":2.70,"dt_s":0.04,"ball":"7","confidence":0.9}
{"v":1,"kind":"shot_ended","shot":1,"t_s":6.20,"dt_s":0.05,"balls":{"cue":[0.1,0.2]},"confidence":1.0}
"""

names = st.sampled_from([*(ball.text for ball in Ball), "u1", "u2"])
numbers = st.floats(-50, 50).map(lambda x: round(x, 5))
times = st.floats(0, 9000).map(lambda x: round(x, 6))
places = st.dictionaries(names, st.tuples(numbers, numbers), max_size=4)
shares = st.floats(0, 1).map(lambda x: round(x, 4))
common = {
    "shot": st.integers(1, 40),
    "t_s": times,
    "dt_s": st.floats(0, 1).map(lambda x: round(x, 6)),
    "confidence": shares,
}
pairs = st.tuples(names, names).filter(lambda p: p[0] != p[1] and p[1] != "cue")
events: st.SearchStrategy[ShotEvent] = st.one_of(
    st.builds(
        ShotStarted,
        **(common | {"t_s": st.none() | times}),
        balls=places,
        moving=st.lists(names, max_size=3).map(tuple),
        moving_speeds_mps=st.dictionaries(names, numbers, max_size=2),
        started_before_clip=st.booleans(),
        racked=st.booleans(),
    ),
    pairs.flatmap(
        lambda p: st.builds(
            BallContact,
            **common,
            a=st.just(p[0]),
            b=st.just(p[1]),
            alternatives=st.lists(st.builds(Alternative, names, shares), max_size=2).map(tuple),
        )
    ),
    st.builds(
        CushionContact,
        **common,
        ball=names,
        cushion=st.sampled_from(Cushion),
        jaw=st.booleans(),
        rail_top=st.booleans(),
        from_rest=st.booleans(),
    ),
    st.builds(BallPocketed, **common, ball=names, pocket=st.sampled_from(Pocket)),
    st.builds(BallOffTable, **common, ball=names),
    st.builds(
        ShotEnded,
        **(common | {"t_s": st.none() | times}),
        balls=places,
        ended_after_clip=st.booleans(),
        incomplete=st.none() | st.text(min_size=1),
    ),
    st.builds(
        LateDrop,
        **common,
        ball=names,
        pocket=st.sampled_from(Pocket),
        seconds=st.none() | times,
    ),
    st.builds(
        CueSeen,
        **common,
        tip_m=st.tuples(numbers, numbers),
        direction_deg=st.floats(-180, 180).map(lambda x: round(x, 2)),
        sigma_deg=st.floats(0, 9).map(lambda x: round(x, 2)),
    ),
    st.builds(
        OtherEvent,
        **common,
        name=st.sampled_from(["cue_on_table", "health", "of_a_later_version"]),
        fields=st.dictionaries(st.sampled_from(["ball", "reason"]), st.text()),
    ),
)
sources = st.builds(
    Source,
    file=st.text(),
    fps=st.none() | st.floats(1, 240),
    frames=st.none() | st.integers(0, 10**6),
    length_m=st.just(2.34),
    width_m=st.just(1.17),
    head=st.none() | st.just("left"),
    head_from=st.none() | st.just("given"),
    ball_set=st.none() | st.just("tv"),
    more=st.dictionaries(st.just("author"), st.text(), max_size=1),
)


@given(sources, st.lists(events, max_size=8))
def test_what_is_written_is_read_back(source: Source, some: list[ShotEvent]) -> None:
    text = write_log(ShotLog(source, tuple(some)))
    again = parse_log(text.split("\n"))
    assert again.source == source
    assert sorted(map(repr, again.events)) == sorted(map(repr, some))
    assert write_log(again) == text


@given(st.lists(events, max_size=8))
def test_events_come_ordered_by_shot_and_time(some: list[ShotEvent]) -> None:
    order = [
        (e.shot, e.t_s)
        for e in parse_log(write_log(ShotLog(Source(), tuple(some))).split("\n")).events
    ]
    for (shot_a, a), (shot_b, b) in pairwise(order):
        assert shot_a <= shot_b
        if shot_a == shot_b and a is not None and b is not None:
            assert a <= b


def test_the_interface_example_is_read_and_written_unchanged() -> None:
    log = parse_log(INTERFACE.split("\n"), "x")
    assert [e.kind for e in log.events] == [
        "shot_started",
        "ball_contact",
        "cushion_contact",
        "ball_pocketed",
        "ball_off_table",
        "shot_ended",
    ]
    wanted = [json.loads(line) for line in INTERFACE.splitlines()]
    assert [json.loads(line) for line in write_log(log).splitlines()] == wanted


def test_a_start_without_time_sorts_first_and_an_end_without_time_last() -> None:
    start = ShotStarted(shot=1, t_s=None, started_before_clip=True)
    end = ShotEnded(shot=1, t_s=None, ended_after_clip=True)
    contact = BallContact(shot=1, t_s=-0.5, a="cue", b="1")
    log = parse_log(write_log(ShotLog(Source(), (end, contact, start))).split("\n"))
    assert log.events == (start, contact, end)


def test_the_cue_ball_is_always_the_first_of_a_contact() -> None:
    line = '{"v":1,"kind":"ball_contact","shot":1,"t_s":1,"a":"3","b":"cue"}'
    (event,) = parse_log([line]).events
    assert isinstance(event, BallContact)
    assert (event.a, event.b) == ("cue", "3")


def test_flags_stand_only_where_they_say_something() -> None:
    plain = event_to_json(CushionContact(shot=1, t_s=1.0, ball="1", cushion=Cushion.HEAD))
    assert set(plain) == {"v", "kind", "shot", "t_s", "dt_s", "ball", "cushion", "confidence"}
    jaw = event_to_json(CushionContact(shot=1, t_s=1.0, ball="1", cushion=Cushion.HEAD, jaw=True))
    assert jaw["jaw"] is True


def test_kinds_of_later_versions_are_kept_field_by_field() -> None:
    line = (
        '{"v": 1, "kind": "crowd_cheers", "shot": 2, "t_s": 3.0, "dt_s": 0.1, '
        '"volume": 11, "confidence": 0.5}'
    )
    log = parse_log([line])
    assert isinstance(log.events[0], OtherEvent)
    assert write_log(log).split("\n")[1] == line


def test_shots_groups_events_by_shot() -> None:
    log = parse_log(INTERFACE.split("\n"))
    assert list(log.shots()) == [1]
    assert log.shots()[1] == log.events


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("not json", "line 2 is not a JSON object"),
        ("[1]", "line 2 is not a JSON object"),
        ('{"kind":"ball_contact","t_s":NaN}', "line 2 is not a JSON object"),
        ("[" * 100_000, "line 2 is not a JSON object"),
        ('{"v":2,"kind":"source"}', 'line 2, field "v"'),
        ('{"v":1}', 'line 2, field "kind"'),
        ('{"kind":"ball_off_table","t_s":1,"ball":"1"}', 'field "shot"'),
        ('{"kind":"ball_off_table","shot":0,"t_s":1,"ball":"1"}', 'field "shot"'),
        ('{"kind":"ball_off_table","shot":true,"t_s":1,"ball":"1"}', 'field "shot"'),
        ('{"kind":"ball_off_table","shot":1,"ball":"1"}', 'field "t_s"'),
        ('{"kind":"ball_off_table","shot":1,"t_s":"1","ball":"1"}', 'field "t_s"'),
        ('{"kind":"ball_off_table","shot":1,"t_s":' + "9" * 400 + ',"ball":"1"}', 'field "t_s"'),
        ('{"kind":"ball_off_table","shot":1,"t_s":1,"dt_s":-1,"ball":"1"}', 'field "dt_s"'),
        ('{"kind":"ball_off_table","shot":1,"t_s":1,"ball":"11"}', 'field "ball"'),
        ('{"kind":"ball_off_table","shot":1,"t_s":1,"ball":"1","confidence":2}', '"confidence"'),
        ('{"kind":"ball_pocketed","shot":1,"t_s":1,"ball":"1","pocket":"XX"}', 'field "pocket"'),
        ('{"kind":"cushion_contact","shot":1,"t_s":1,"ball":"1","cushion":"L"}', '"cushion"'),
        (
            '{"kind":"cushion_contact","shot":1,"t_s":1,"ball":"1","cushion":"FOOT","jaw":1}',
            '"jaw"',
        ),
        ('{"kind":"ball_contact","shot":1,"t_s":1,"a":"1","b":"1"}', 'field "b"'),
        (
            '{"kind":"ball_contact","shot":1,"t_s":1,"a":"1","b":"2","alternatives":[{"b":"3"}]}',
            'field "alternatives[0]", field "p"',
        ),
        ('{"kind":"shot_started","shot":1,"t_s":1,"balls":{"1":[0]}}', 'field "balls.1"'),
        ('{"kind":"shot_started","shot":1,"t_s":1,"balls":{"x":[0,0]}}', 'field "balls"'),
        ('{"kind":"shot_started","shot":1,"t_s":1,"moving":["x"]}', 'field "moving"'),
        ('{"kind":"shot_ended","shot":1,"t_s":1,"incomplete":3}', 'field "incomplete"'),
        ('{"kind":"cue_seen","shot":1,"t_s":1,"tip_m":[1]}', 'field "tip_m"'),
        ('{"kind":"source","table":3}', 'field "table"'),
        ('{"kind":"source","table":{"length_m":1,"width_m":2}}', 'field "length_m"'),
        ('{"kind":"source","frames":-1}', 'field "frames"'),
    ],
)
def test_a_bad_line_is_named_by_file_line_and_field(
    tmp_path: Path, line: str, complaint: str
) -> None:
    path = tmp_path / "shots.jsonl"
    path.write_text('{"v":1,"kind":"source"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(LogError) as caught:
        read_log(path)
    assert complaint in str(caught.value)
    assert str(caught.value).startswith("shots.jsonl line 2")
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_binary_file_are_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot be read"):
        read_log(tmp_path / "none.jsonl")
    binary = tmp_path / "clip.mp4"
    binary.write_bytes(b"\x00\xff\xfe\x00ftyp")
    with pytest.raises(LogError, match="is not a text file"):
        read_log(binary)


def test_a_byte_order_mark_and_empty_lines_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "shots.jsonl"
    path.write_text("\ufeff" + INTERFACE.replace("\n", "\r\n\r\n"), encoding="utf-8")
    assert len(read_log(path).events) == 6


@given(st.text())
def test_any_text_gives_a_log_or_a_log_error(text: str) -> None:
    try:
        parse_log(text.split("\n"))
    except LogError as error:
        assert "line" in str(error)
