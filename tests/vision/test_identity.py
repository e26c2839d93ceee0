"""Balls are named by colour: each once, never wrongly, in any ordinary light."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.vision.painted_balls import PAINT, TV_PAINT, Scene, brighter, looks_of
from vision.appearance import Appearance, merge_appearances
from vision.ballset import STANDARD, TV
from vision.identity import UNKNOWN, assign_names, choose_ball_set, name_probabilities

ELEVEN = ["cue", *(str(n) for n in range(1, 11))]

SCENES = {
    "plain": Scene(),
    "small": Scene(radius_px=8.0),
    "large": Scene(radius_px=28.0),
    "green cloth": Scene(cloth=(30, 120, 60)),
    "red cloth": Scene(cloth=(150, 30, 40)),
    "grey cloth": Scene(cloth=(110, 115, 120)),
    "dim": brighter(Scene(), 0.45),
    "bright": brighter(Scene(), 1.25),
    "warm": Scene(gains=(1.1, 0.9, 0.6)),
    "cool": Scene(gains=(0.75, 0.95, 1.15)),
    "greenish": Scene(gains=(0.8, 1.05, 0.8)),
}


def _outcome(truth: list[str], found: list[str | None]) -> Counter[str]:
    verdicts = Counter[str]()
    for name, got in zip(truth, found, strict=True):
        verdicts["unknown" if got is None else "right" if got == name else "wrong"] += 1
    return verdicts


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
@pytest.mark.parametrize("kind", ["standard", "tv"])
def test_a_full_table_is_named_without_a_mistake(scene: Scene, kind: str) -> None:
    paint, ball_set = (PAINT, STANDARD) if kind == "standard" else (TV_PAINT, TV)
    total = Counter[str]()
    for seed in range(4):
        looks = looks_of(ELEVEN, paint, scene, seed)
        naming = assign_names(looks, ball_set)
        total += _outcome(ELEVEN, [ball.name for ball in naming.balls])
    assert total["wrong"] == 0, total
    assert total["right"] >= 40, total


def test_every_name_is_given_at_most_once() -> None:
    looks = looks_of(["3", "3", "cue", "cue", "8"], seed=2)
    names = [ball.name for ball in assign_names(looks, STANDARD).balls if ball.name]
    assert len(names) == len(set(names))


def test_probabilities_sum_to_one_and_no_name_is_overbooked() -> None:
    naming = assign_names(looks_of(ELEVEN), STANDARD)
    for ball in naming.balls:
        assert sum(ball.probabilities.values()) == pytest.approx(1.0)
    for name in STANDARD.names:
        assert sum(ball.probabilities[name] for ball in naming.balls) <= 1.0 + 1e-6


@pytest.mark.parametrize("tilt", [0.0, 0.15, 0.3])
def test_a_stripe_with_its_white_cap_up_is_not_the_cue_ball(tilt: float) -> None:
    axes = {"9": (tilt, 0.0, (1 - tilt**2) ** 0.5), "10": (0.0, tilt, (1 - tilt**2) ** 0.5)}
    for seed in range(3):
        names = ["9", "10", "cue", "2", "1", "8"]
        found = [
            b.name for b in assign_names(looks_of(names, seed=seed, axes=axes), STANDARD).balls
        ]
        assert found[2] == "cue"
        assert "cue" not in found[:2]
        assert _outcome(names, found)["wrong"] == 0


def test_a_white_cap_without_the_cue_ball_on_the_table_is_not_called_cue() -> None:
    looks = looks_of(["9", "2", "8"], axes={"9": (0.1, 0.0, 0.995)})
    assert assign_names(looks, STANDARD).balls[0].name != "cue"


def test_pocketed_balls_are_not_given_again() -> None:
    looks = looks_of(["cue", "9", "8"], seed=1)
    naming = assign_names(looks, STANDARD, allowed={"cue", "1", "8"})
    assert naming.balls[1].probabilities["9"] == 0.0
    assert all(ball.name in {None, "cue", "1", "8"} for ball in naming.balls)


def test_what_is_known_of_a_track_settles_a_doubt() -> None:
    faint = Scene(noise=12.0, blur_px=2.5)
    looks = looks_of(["cue", "5", "8"], scene=faint)
    free = assign_names(looks, TV).balls[1].probabilities
    rival = max((name for name in free if name not in {"5", UNKNOWN}), key=lambda n: free[n])
    known = assign_names(looks, TV, priors=[None, {"5": 0.98}, None]).balls[1].probabilities
    assert known["5"] > free["5"] or known["5"] > 0.99
    assert known[rival] < free[rival] or known[rival] < 0.01


def test_priors_must_be_one_for_each_ball() -> None:
    with pytest.raises(ValueError, match="2 priors for 3 balls"):
        assign_names(looks_of(["cue", "1", "2"]), STANDARD, priors=[None, None])


def test_the_set_is_chosen_from_the_table() -> None:
    for paint, wanted in ((PAINT, STANDARD), (TV_PAINT, TV)):
        chosen, probability = choose_ball_set(looks_of(ELEVEN, paint, seed=5))
        assert chosen is wanted
        assert probability > 0.95


def test_the_set_stays_open_without_the_four_and_the_seven() -> None:
    _, probability = choose_ball_set(looks_of(["cue", "1", "2", "3", "8", "9"], seed=5))
    assert probability < 0.7


def test_a_colour_that_no_ball_has_is_unknown() -> None:
    strange = {**PAINT, "6": (90, 225, 235)}
    naming = assign_names(looks_of(["cue", "6", "3", "1"], strange, seed=3), STANDARD)
    assert naming.balls[1].name is None
    assert naming.balls[0].name == "cue"


def test_a_red_stripe_is_none_of_the_ten() -> None:
    striped = {**PAINT, "1": PAINT["3"]}
    looks = looks_of(["cue", "9", "2"], striped, seed=4)
    assert assign_names(looks, STANDARD).balls[1].name is None


def test_a_ball_that_cannot_be_seen_is_unknown() -> None:
    nothing = np.zeros(0, np.float32)
    unseen = Appearance(np.zeros((0, 3), np.float32), nothing, nothing, None, 0.0, 1.0)
    naming = assign_names([unseen, *looks_of(["cue", "3"])], STANDARD)
    assert naming.balls[0].name is None
    assert [ball.name for ball in naming.balls[1:]] == ["cue", "3"]


def test_an_empty_table_has_no_names() -> None:
    assert assign_names([], STANDARD).balls == ()


def test_one_ball_by_itself() -> None:
    probabilities = name_probabilities(looks_of(["6"])[0], STANDARD)
    assert sum(probabilities.values()) == pytest.approx(1.0)
    assert max(probabilities, key=lambda name: probabilities[name]) == "6"


def test_the_light_of_one_call_serves_the_next() -> None:
    warm = SCENES["warm"]
    light = assign_names(looks_of(ELEVEN, scene=warm), STANDARD).light
    names = ["cue", "3", "6"]
    again = assign_names(looks_of(names, scene=warm, seed=8), STANDARD, light=light)
    assert [ball.name for ball in again.balls] == names


def test_merging_blurred_frames_keeps_the_names() -> None:
    shaken = Scene(noise=10.0, blur_px=1.6)
    frames = [looks_of(ELEVEN, scene=shaken, seed=seed) for seed in range(12)]
    merged = [merge_appearances(views) for views in zip(*frames, strict=True)]
    found = [ball.name for ball in assign_names(merged, STANDARD).balls]
    assert _outcome(ELEVEN, found)["wrong"] == 0
    assert _outcome(ELEVEN, found)["right"] >= 9


def test_the_game_settles_a_doubt_about_a_white_cap() -> None:
    """In ten-ball the ten is there to the end; without knowing the game, nobody can say."""
    looks = looks_of(["cue", "10", "8", "3"], seed=1, axes={"10": (0.0, 0.15, 0.9887)})
    assert assign_names(looks, STANDARD).balls[1].name is None
    assert assign_names(looks, STANDARD, present=frozenset({"10"})).balls[1].name == "10"


def test_what_the_game_keeps_on_the_table_makes_no_other_ball_of_its_colour() -> None:
    for seed in range(4):
        looks = looks_of(["cue", "2", "8", "9"], seed=seed)
        names = [ball.name for ball in assign_names(looks, STANDARD, present={"10"}).balls]
        assert names == ["cue", "2", "8", "9"]
