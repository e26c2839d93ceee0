"""Colours are judged against the table's own white."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.painted_balls import Scene, cloth_of, looks_of
from vision.light import NEUTRAL_LIGHT, Light, balances, to_lab, white_candidates


@pytest.mark.parametrize("white", [(240.0, 240.0, 240.0), (120.0, 200.0, 250.0)])
def test_white_is_white_under_its_own_light(white: tuple[float, float, float]) -> None:
    lab = to_lab(np.array([white], np.float32), Light(white))[0]
    assert lab[0] == pytest.approx(96.0, abs=1.0)
    assert abs(lab[1]) < 0.5
    assert abs(lab[2]) < 0.5


def test_the_cue_balls_colour_is_among_the_candidates() -> None:
    warm = Scene(gains=(1.0, 0.8, 0.45))
    names = ["cue", "1", "3", "6", "8"]
    candidates = [white for white, _ in white_candidates(looks_of(names, scene=warm))]
    assert candidates[0] == NEUTRAL_LIGHT.white_bgr
    assert any(blue < 0.85 * red for blue, _, red in candidates[1:])


def test_a_table_of_dark_balls_offers_no_white_of_its_own() -> None:
    assert white_candidates([]) == [(NEUTRAL_LIGHT.white_bgr, pytest.approx(0.0))]


def test_the_light_follows_the_cloth() -> None:
    before, after = Scene(), Scene(gains=(0.8, 0.6, 0.4))
    light = Light((228.0, 238.0, 240.0), cloth_of(before)).following(cloth_of(after))
    ratio = [new / old for new, old in zip(light.white_bgr, (228.0, 238.0, 240.0), strict=True)]
    wanted = [0.4 ** (1 / 2.2), 0.6 ** (1 / 2.2), 0.8 ** (1 / 2.2)]
    np.testing.assert_allclose(ratio, wanted, atol=0.08)
    assert light.cloth_bgr == cloth_of(after)


def test_a_light_without_a_cloth_only_remembers_it() -> None:
    assert Light((200.0, 210.0, 220.0)).following((9.0, 8.0, 7.0)) == Light(
        (200.0, 210.0, 220.0), (9.0, 8.0, 7.0)
    )


def test_a_tinted_white_may_go_with_less_tinted_colours() -> None:
    assert len(balances((240.0, 240.0, 240.0))) == 1
    full, half, none = (grey for grey, _ in balances((150.0, 220.0, 250.0)))
    spread = [max(grey) - min(grey) for grey in (full, half, none)]
    assert spread[0] > spread[1] > spread[2]
    assert spread[2] < 1.0
