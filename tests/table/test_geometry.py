"""The table in metres: what lies where, and on which side of which line."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.geometry import (
    EIGHT_FOOT,
    NINE_FOOT,
    SEVEN_FOOT,
    Cushion,
    Pocket,
    Point,
    TableSpec,
    table_from_text,
)

TABLES = (NINE_FOOT, EIGHT_FOOT, SEVEN_FOOT)


@pytest.mark.parametrize("table", TABLES)
def test_standard_tables_are_two_to_one(table: TableSpec) -> None:
    assert table.length_m == pytest.approx(2 * table.width_m)


def test_spots_and_strings_of_the_nine_foot_table() -> None:
    assert NINE_FOOT.foot_spot == (0.635, 0.0)
    assert NINE_FOOT.head_spot == (-0.635, 0.0)
    assert NINE_FOOT.head_string_x_m == -0.635
    assert NINE_FOOT.ball_radius_m == pytest.approx(0.028575)


def test_behind_the_head_string_excludes_the_line() -> None:
    line = NINE_FOOT.head_string_x_m
    assert NINE_FOOT.behind_head_string((math.nextafter(line, -1), 0.3))
    assert not NINE_FOOT.behind_head_string((line, 0.3))
    assert not NINE_FOOT.behind_head_string((math.nextafter(line, 1), 0.3))


@pytest.mark.parametrize(
    ("pocket", "x_sign", "y_sign"),
    [
        (Pocket.HL, -1, 1),
        (Pocket.HR, -1, -1),
        (Pocket.SL, 0, 1),
        (Pocket.SR, 0, -1),
        (Pocket.FL, 1, 1),
        (Pocket.FR, 1, -1),
    ],
)
def test_left_is_left_seen_from_the_head_end(pocket: Pocket, x_sign: int, y_sign: int) -> None:
    x, y = NINE_FOOT.pockets[pocket].mouth_center
    assert (x > 0.01) - (x < -0.01) == x_sign
    assert (y > 0) - (y < 0) == y_sign
    assert pocket.is_side is (x_sign == 0)


@pytest.mark.parametrize("table", TABLES)
def test_pocket_mouths_have_the_width_of_the_specification(table: TableSpec) -> None:
    for pocket, shape in table.pockets.items():
        wanted = table.side_mouth_m if pocket.is_side else table.corner_mouth_m
        assert shape.mouth_m == pytest.approx(wanted)
        assert math.hypot(*shape.outward) == pytest.approx(1.0)
        assert shape.depth_m(shape.mouth_center) == pytest.approx(0.0)
        assert shape.depth_m((0.0, 0.0)) < 0


@pytest.mark.parametrize("table", TABLES)
def test_cushions_end_where_the_pocket_mouths_begin(table: TableSpec) -> None:
    tips = {_rounded(p) for c in table.cushions.values() for p in (c.start, c.end)}
    jaws = {_rounded(p) for s in table.pockets.values() for p in (s.jaw_a, s.jaw_b)}
    assert tips == jaws


def test_every_cushion_faces_the_playing_surface() -> None:
    for cushion in NINE_FOOT.cushions.values():
        assert cushion.distance_m((0.0, 0.0)) > 0
        assert cushion.distance_m(cushion.start) == pytest.approx(0.0)
        assert cushion.along_m(cushion.start) == pytest.approx(0.0)
        assert cushion.along_m(cushion.end) == pytest.approx(cushion.length_m)


def test_long_rails_are_parted_by_the_side_pockets() -> None:
    cushions = NINE_FOOT.cushions
    assert cushions[Cushion.LEFT_HEAD].end[0] < 0 < cushions[Cushion.LEFT_FOOT].start[0]
    assert cushions[Cushion.LEFT_HEAD].start[1] == NINE_FOOT.width_m / 2
    assert cushions[Cushion.RIGHT_FOOT].start[1] == -NINE_FOOT.width_m / 2


def test_a_ball_falls_only_past_the_point_of_no_return() -> None:
    for shape in NINE_FOOT.pockets.values():
        before = _along(shape.mouth_center, shape.outward, shape.shelf_m - 0.001)
        past = _along(shape.mouth_center, shape.outward, shape.shelf_m + 0.001)
        assert not shape.is_past_return(before)
        assert shape.is_past_return(past)
        assert shape.is_past_return(_along(shape.drop_point, shape.outward, 0.03))
    # Far outside the rail is no pocket, however deep.
    assert not NINE_FOOT.pockets[Pocket.SL].is_past_return((0.6, 0.8))


def test_offset_is_signed_across_the_pocket_axis() -> None:
    side = NINE_FOOT.pockets[Pocket.SL]
    a, b = side.offset_m(side.jaw_a), side.offset_m(side.jaw_b)
    assert a == pytest.approx(-b)
    assert abs(a) == pytest.approx(side.mouth_m / 2)


@pytest.mark.parametrize("pocket", Pocket)
def test_nearest_pocket_to_its_own_mouth(pocket: Pocket) -> None:
    mouth = NINE_FOOT.pockets[pocket].mouth_center
    nearest = NINE_FOOT.nearest_pocket(mouth)
    assert nearest is not None
    assert nearest.pocket is pocket


def test_a_table_without_pockets_has_cushions_from_corner_to_corner() -> None:
    carom = TableSpec(length_m=2.84, width_m=1.42, has_pockets=False)
    assert carom.pockets == {}
    assert carom.nearest_pocket((0, 0)) is None
    assert carom.cushions[Cushion.HEAD].length_m == pytest.approx(1.42)


def test_contains_with_and_without_margin() -> None:
    assert NINE_FOOT.contains((1.27, -0.635))
    assert not NINE_FOOT.contains((1.28, 0.0))
    assert NINE_FOOT.contains((1.28, 0.0), margin_m=0.02)
    assert not NINE_FOOT.contains((1.26, 0.0), margin_m=-0.03)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("length_m", 0.0),
        ("width_m", -1.0),
        ("ball_diameter_m", math.nan),
        ("corner_mouth_m", math.inf),
        ("side_mouth_m", "wide"),
        ("width_m", 3.0),
    ],
)
def test_impossible_measures_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=r"must be"):
        TableSpec(**{name: value})  # type: ignore[arg-type]


def test_table_sizes_are_read_from_text() -> None:
    assert table_from_text("9ft") is NINE_FOOT
    assert table_from_text("7ft") is SEVEN_FOOT
    custom = table_from_text("2.24,1.12")
    assert (custom.length_m, custom.width_m) == (2.24, 1.12)


@pytest.mark.parametrize("text", ["", "10ft", "9", "2.54", "a,b", "1,2,3", "1.27,2.54", "nan,1"])
def test_other_texts_are_no_table(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        table_from_text(text)


@given(st.floats(-1.27, 1.27), st.floats(-0.635, 0.635))
def test_mirroring_left_and_right_changes_no_distance(x: float, y: float) -> None:
    mirror = {
        Cushion.LEFT_HEAD: Cushion.RIGHT_HEAD,
        Cushion.LEFT_FOOT: Cushion.RIGHT_FOOT,
        Cushion.HEAD: Cushion.HEAD,
    }
    for left, right in mirror.items():
        a, b = NINE_FOOT.cushions[left], NINE_FOOT.cushions[right]
        assert a.distance_m((x, y)) == pytest.approx(b.distance_m((x, -y)))


def _along(start: Point, direction: Point, metres: float) -> Point:
    return (start[0] + direction[0] * metres, start[1] + direction[1] * metres)


def _rounded(point: Point) -> Point:
    return (round(point[0], 9), round(point[1], 9))
