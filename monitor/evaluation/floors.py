"""The committed floor: figures that may not get worse, in a file that only goes up.

The file is `{"v": 1, "made_of": {PACK: SHA256}, "packs": {PACK: {FIGURE: VALUE}}}`. For
figures of which less is better (millimetres, milliseconds) "up" means down. `made_of` is the
fingerprint of the clips that a floor was measured on: other clips are another examination,
and their floor starts anew.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from monitor.evaluation.figures import Figure, more_is_better

VERSION: Final = 1
# Other processors round otherwise, another runtime carries the network, and one event of a
# small pack is a few per cent.
SLACK_OF_SHARE: Final = 0.12
SLACK_OF_ERROR: Final = 0.3
Floor = dict[str, float]

QUICK: Final = "quick"
QUICK_CLIPS: Final = (
    "frozen_rail",
    "hanging",
    "moving_start",
    "near_tie",
    "off_table",
    "pot_uncalled",
    "scratch",
    "unusual_table",
    "wrong_ball",
)
"""The clips of the regression pack that every test run measures, with a floor of their own
(`QUICK`); `make evaluate` measures all of them."""


class FloorError(ValueError):
    """A floor file that cannot be read; the text says why."""


def read_floor(path: Path, pack: str) -> Floor:
    """The floor of one pack; empty when the file or the pack is not there.

    Raises:
        FloorError: when the file is not a floor file.
    """
    return read_floors(path).get(pack, {})


def read_floors(path: Path) -> dict[str, Floor]:
    """The floors of all packs; empty when there is no such file.

    Raises:
        FloorError: when the file is not a floor file.
    """
    return parse_floors(path.read_text(encoding="utf-8"), path.name) if path.is_file() else {}


def below_floor(figures: Mapping[str, Figure], floor: Mapping[str, float]) -> list[str]:
    """One sentence for every figure that is worse than its floor, or has gone missing."""
    complaints = []
    for name, limit in sorted(floor.items()):
        figure = figures.get(name)
        if figure is None:
            complaints.append(f"{name}: no longer measured, the floor is {limit:g}")
        elif figure.is_worse_than(limit):
            complaints.append(f"{name}: {figure.value:.4f} is worse than the floor {limit:g}")
    return complaints


def fallen(old: Mapping[str, float], new: Mapping[str, float]) -> list[str]:
    """The figures whose floor is lower in `new` than in `old`, or gone."""
    return [
        name
        for name, limit in sorted(old.items())
        if name not in new or Figure(name, new[name], more_is_better(name)).is_worse_than(limit)
    ]


def fingerprint(folders: Iterable[Path]) -> str:
    """SHA-256 over names, clips and truth of case folders, in hexadecimal."""
    sums = hashlib.sha256()
    for folder in sorted(folders):
        for name in ("clip.mp4", "truth.jsonl"):
            content = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            sums.update(f"{folder.name}/{name} {content}\n".encode())
    return sums.hexdigest()


def raise_floor(
    path: Path, pack: str, figures: Mapping[str, Figure], made_of: str | None = None
) -> list[str]:
    """Raise the floor of a pack to just below the figures where that is higher; never lower it.

    A pack whose fingerprint `made_of` differs from the one in the file starts anew.

    Returns:
        One line for every floor that rose.

    Raises:
        FloorError: when the file is not a floor file.
    """
    packs, material = read_floors(path), read_material(path)
    same = material.get(pack) == made_of
    floor, risen = dict(packs.get(pack, {})) if same else {}, []
    for name, figure in sorted(figures.items()):
        value = _just_below(figure)
        old = floor.get(name)
        if old is None or Figure(name, old, figure.more_is_better).is_worse_than(value):
            risen.append(f"{name}: {'new' if old is None else f'{old:g}'} -> {value:g}")
            floor[name] = value
    packs[pack] = dict(sorted(floor.items()))
    material.pop(pack, None)
    if made_of is not None:
        material[pack] = made_of
    written = {
        "v": VERSION,
        "made_of": dict(sorted(material.items())),
        "packs": dict(sorted(packs.items())),
    }
    path.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    return risen


def _just_below(figure: Figure) -> float:
    """The figure less the slack, rounded to the worse side."""
    if figure.more_is_better:
        return math.floor(figure.value * (1.0 - SLACK_OF_SHARE) * 1e4) / 1e4
    return math.ceil(figure.value * (1.0 + SLACK_OF_ERROR) * 1e2) / 1e2


def read_material(path: Path) -> dict[str, str]:
    """The fingerprints of the packs that a floor file was measured on.

    Raises:
        FloorError: when the file is not a floor file.
    """
    return parse_material(path.read_text(encoding="utf-8"), path.name) if path.is_file() else {}


def parse_material(text: str, name: str = "floor file") -> dict[str, str]:
    """The fingerprints in the text of a floor file; packs without one are left out.

    Raises:
        FloorError: when it is not the text of a floor file.
    """
    try:
        made_of = json.loads(text).get("made_of", {})
        return {str(pack): str(value) for pack, value in made_of.items()}
    except (json.JSONDecodeError, AttributeError) as error:
        raise FloorError(f"{name} is not a floor file ({error})") from None


def parse_floors(text: str, name: str = "floor file") -> dict[str, Floor]:
    """The floors of all packs from the text of a floor file.

    Raises:
        FloorError: when it is not the text of a floor file.
    """
    try:
        value = json.loads(text)
        if value["v"] != VERSION:
            raise FloorError(f"{name}: this program reads version {VERSION} only")
        packs: dict[str, Floor] = {
            str(pack): {str(figure): float(limit) for figure, limit in floor.items()}
            for pack, floor in value["packs"].items()
        }
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise FloorError(f"{name} is not a floor file ({error})") from None
    return packs
