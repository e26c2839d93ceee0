"""Packs of clips: what `table-monitor synth` makes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from synthetic.filming import film
from synthetic.physics.flight import NotPlayableError
from synthetic.physics.pool import PoolSimulation
from synthetic.presets import PRESETS, RACK, REGRESSION, Order
from synthetic.scene.studio import make_studio
from synthetic.shots.catalog import KINDS, WHOLE_RACKS
from synthetic.shots.draft import Draft
from table.geometry import NINE_FOOT

DEFAULT_PRESET: Final = "match"
REGRESSION_PRESET: Final = "regression"
TRAIN_PRESET: Final = "train"
RACK_PRESET: Final = "rack"
PRESET_NAMES: Final = (*PRESETS, RACK_PRESET, REGRESSION_PRESET, TRAIN_PRESET)
_TRIES: Final = 60
_ROOM: Final = 7
"""Key of the stream of a room with a seed of its own."""


def make_clips(out: Path, shots: int, seed: int, preset: str | None = None) -> Iterator[Path]:
    """Make clips one after another; yields each finished folder DIR/<seed>_<n>/.

    The same seed gives the same truth, byte for byte. The preset "regression" makes the
    fixed pack (at most `shots` of it) in folders named after the clips; "rack" makes whole
    racks, one a clip; "train" makes single images with labels.

    Raises:
        ValueError: one sentence, when there is no such preset.
    """
    name = preset or DEFAULT_PRESET
    if name not in PRESET_NAMES:
        raise ValueError(f'there is no preset "{name}"; presets are {", ".join(PRESET_NAMES)}')
    return _clips(out, shots, seed, name)


def _clips(out: Path, shots: int, seed: int, preset: str) -> Iterator[Path]:
    if preset == TRAIN_PRESET:
        from synthetic.stills import make_stills  # noqa: PLC0415

        yield from make_stills(out, shots, seed)
        return
    for number in range(shots):
        if preset == REGRESSION_PRESET:
            if number >= len(REGRESSION):
                return
            order = REGRESSION[number]
        elif preset == RACK_PRESET:
            order = RACK
        else:
            order = PRESETS[preset](np.random.default_rng([seed, number, 1]), number)
        folder = make_clip(out / (order.name or f"{seed}_{number}"), seed, number, order)
        if preset == REGRESSION_PRESET:
            (folder / "README.md").write_text(_origin(order, seed, number), encoding="utf-8")
        yield folder


def _origin(order: Order, seed: int, number: int) -> str:
    made = f"table-monitor synth --preset regression --shots {len(REGRESSION)} --seed {seed}"
    unusual = " The table's physics is unlike every default of the product." * order.unusual
    return (
        f"# {order.name}\n\n"
        f"A simulated and rendered shot of the kind `{order.kind}`, clip {number} of\n"
        f"`{made}`.{unusual}\n\n"
        "truth.jsonl is exact; expected.jsonl was written from it by synthetic/verdicts.py.\n"
        "See docs/generator.md.\n"
    )


def make_clip(folder: Path, seed: int, number: int, order: Order) -> Path:
    """Make one clip; the folder appears when it is complete."""
    rng = np.random.default_rng([seed, number])
    draft = make_draft(rng, order)
    looks = rng if order.room is None else np.random.default_rng([order.room, _ROOM])
    studio = make_studio(looks, draft.table, order.wishes)
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    film(rng, draft, studio, part)
    if folder.exists():
        shutil.rmtree(folder)
    part.rename(folder)
    return folder


def make_draft(rng: np.random.Generator, order: Order) -> Draft:
    """A shot as ordered.

    Raises:
        NotPlayableError: when no shot of this kind could be found.
    """
    plan = ({**KINDS, **WHOLE_RACKS})[order.kind]
    for _ in range(_TRIES):
        simulation = PoolSimulation(NINE_FOOT, order.conditions(rng))
        try:
            draft = plan(rng, simulation)
        except NotPlayableError:
            continue
        if draft.duration_s <= order.longest_s:
            return draft
    raise NotPlayableError(f"no {order.kind} of at most {order.longest_s:g} s was found")
