"""The drawing of one shot: to scale, with paths, balls and numbered marks."""

import math
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from monitor.diagram import MARK_M, MOST_MARKS, Shot, numbered, place_of, shot_svg
from monitor.reviewed import Reviewed
from table.events import BallContact, BallOffTable, CushionContact, ShotStarted
from table.geometry import NINE_FOOT, Cushion, Pocket
from tests.monitor import scenes


@pytest.fixture(scope="module")
def reviewed() -> Reviewed:
    return scenes.reviewed()


def drawing(shot: Shot) -> ElementTree.Element:
    """The drawing, parsed; a drawing that is no XML fails here."""
    return ElementTree.fromstring(shot_svg(shot))


def by_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


def test_the_table_is_drawn_to_scale_in_millimetres(reviewed: Reviewed) -> None:
    root = drawing(reviewed.shots[0])
    (cloth,) = by_class(root, "cloth")
    assert (cloth.get("width"), cloth.get("height")) == ("2540", "1270")
    assert len(by_class(root, "pocket")) == 6
    assert len(by_class(root, "sight")) == 18


def test_the_head_end_is_left_and_the_left_rail_on_top(reviewed: Reviewed) -> None:
    shot = reviewed.shots[0]
    alone = Shot(
        1, (ShotStarted(shot=1, t_s=0.0, balls={"3": (-1.0, 0.5)}),), shot.tracks, NINE_FOOT
    )
    (ball,) = by_class(drawing(alone), "ball")
    circle = ball[0]
    assert (circle.get("cx"), circle.get("cy")) == ("-1000", "-500")
    assert float(circle.get("r", "0")) == pytest.approx(28.6)


def test_only_balls_that_moved_have_paths(reviewed: Reviewed) -> None:
    first, second = (drawing(shot) for shot in reviewed.shots)
    assert {e.get("data-ball") for e in by_class(first, "path")} == {"cue", "1"}
    assert {e.get("data-ball") for e in by_class(second, "path")} == {"cue", "7"}


def test_a_path_runs_through_its_corners(reviewed: Reviewed) -> None:
    (cue,) = (
        e for e in by_class(drawing(reviewed.shots[0]), "path") if e.get("data-ball") == "cue"
    )
    points = [tuple(map(float, p.split(","))) for p in cue.get("points", "").split()]
    for corner in ((-700.0, 100.0), (550.0, -260.0), (1240.0, -100.0), (400.0, 300.0)):
        assert min(math.dist(corner, p) for p in points) < 15.0
    assert len(points) < 12


def test_where_a_ball_stood_and_where_it_came_to_rest(reviewed: Reviewed) -> None:
    root = drawing(reviewed.shots[0])
    assert {e.get("data-ball") for e in by_class(root, "start")} == {"cue", "1"}
    assert {e.get("data-ball") for e in by_class(root, "end")} == {"cue"}
    assert {e.get("data-ball") for e in by_class(root, "still")} == {"2", "7", "9"}


def test_marks_carry_the_numbers_of_the_event_list_and_do_not_cover_each_other(
    reviewed: Reviewed,
) -> None:
    shot = reviewed.shots[0]
    marks = by_class(drawing(shot), "mark")
    assert [mark[1].text for mark in marks] == ["1", "2", "3"]
    assert [number for number, _ in numbered(shot.events)] == [1, 2, 3]
    spots = [(float(m[0].get("cx", "")), float(m[0].get("cy", ""))) for m in marks]
    for i, a in enumerate(spots):
        assert all(math.dist(a, b) > 2000 * MARK_M for b in spots[:i])


def test_places_of_events(reviewed: Reviewed) -> None:
    shot = reviewed.shots[0]
    contact, cushion, pocket = (event for _, event in numbered(shot.events))
    assert place_of(contact, shot) == pytest.approx((0.575, 0.27), abs=0.01)
    assert place_of(cushion, shot) == pytest.approx((1.24, 0.10), abs=0.03)
    assert place_of(pocket, shot) == NINE_FOOT.pockets[Pocket.FL].drop_point
    assert place_of(BallContact(shot=1, t_s=1.0, a="u1", b="u2"), shot) is None
    assert place_of(ShotStarted(shot=1, t_s=1.0), shot) is None


def test_a_ball_that_left_the_table_is_marked_where_it_was_last_seen(reviewed: Reviewed) -> None:
    shot = reviewed.shots[0]
    assert place_of(BallOffTable(shot=1, t_s=3.3, ball="1"), shot) == pytest.approx(
        (1.30, 0.665), abs=0.05
    )


def test_a_break_with_many_contacts_marks_the_telling_ones(reviewed: Reviewed) -> None:
    shot = reviewed.shots[0]
    many = tuple(
        CushionContact(shot=1, t_s=1.7, ball="cue", cushion=Cushion.FOOT) for _ in range(MOST_MARKS)
    )
    crowded = replace(shot, events=(*shot.events[:2], *many, *shot.events[3:]))
    marks = by_class(drawing(crowded), "mark")
    assert [mark.get("class", "") for mark in marks] == ["mark ball-contact", "mark ball-pocketed"]


def test_striped_balls_are_drawn_striped(reviewed: Reviewed) -> None:
    nine = next(
        e for e in by_class(drawing(reviewed.shots[0]), "still") if e.get("data-ball") == "9"
    )
    assert [child.tag.rsplit("}", 1)[-1] for child in nine] == ["circle", "path", "text"]
