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

from monitor.evaluation.figures import Figure

VERSION: Final = 1
Floor = dict[str, float]


class FloorError(ValueError):
    """A floor file that cannot be read; the text says why."""


def read_floor(path: Path, pack: str) -> Floor:
    """The floor of one pack; empty when the file or the pack is not there.

    Raises:
        FloorError: when the file is not a floor file.
    """
    return dict(_read(path).get(pack, {}))


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


def raise_floor(path: Path, pack: str, figures: Mapping[str, Figure]) -> list[str]:
    """Raise the floor of a pack to the figures that are better; never lower it.

    Returns:
        One line for every floor that rose.

    Raises:
        FloorError: when the file is not a floor file.
    """
    packs = _read(path)
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


def _read(path: Path) -> dict[str, Floor]:
    if not path.is_file():
        return {}
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if value["v"] != VERSION:
            raise FloorError(f"{path.name}: this program reads version {VERSION} only")
        packs: dict[str, Floor] = {
            str(pack): {str(name): float(limit) for name, limit in floor.items()}
            for pack, floor in value["packs"].items()
        }
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise FloorError(f"{path.name} is not a floor file ({error})") from None
    return packs
