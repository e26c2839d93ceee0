"""Exact truth: simulated shots, rendered frames, labels. Never imported by the product path.

`make_clips` is found when asked for, so that importing the package needs no simulation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synthetic.pack import make_clips as make_clips


def __getattr__(name: str) -> object:
    if name == "make_clips":
        from synthetic.pack import make_clips  # noqa: PLC0415

        return make_clips
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
