"""The committed floor: figures that may not get worse, in a file that only goes up.

The file is `{"v": 1, "packs": {PACK: {FIGURE: VALUE}}}`. For figures of which less is
better (millimetres, milliseconds) "up" means down.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from monitor.evaluation.figures import Figure, more_is_better

VERSION: Final = 1
Floor = dict[str, float]


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


def raise_floor(path: Path, pack: str, figures: Mapping[str, Figure]) -> list[str]:
    """Raise the floor of a pack to the figures that are better; never lower it.

    Returns:
        One line for every floor that rose.

    Raises:
        FloorError: when the file is not a floor file.
    """
    packs = read_floors(path)
    floor, risen = dict(packs.get(pack, {})), []
    for name, figure in sorted(figures.items()):
        value = _rounded(figure)
        old = floor.get(name)
        if old is None or Figure(name, old, figure.more_is_better).is_worse_than(value):
            risen.append(f"{name}: {'new' if old is None else f'{old:g}'} -> {value:g}")
            floor[name] = value
    packs[pack] = dict(sorted(floor.items()))
    text = json.dumps({"v": VERSION, "packs": dict(sorted(packs.items()))}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
    return risen


def _rounded(figure: Figure) -> float:
    """Rounded to the worse side, so that the figure itself passes."""
    scale = 1e4 if figure.more_is_better else 1e2
    towards_worse = math.floor if figure.more_is_better else math.ceil
    return towards_worse(figure.value * scale) / scale


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
