"""Waiting for what a server, a broker or a camera will say."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def waited_for(look: Callable[[], Any], within_s: float, step_s: float) -> Any:
    """The first thing that `look` finds.

    Raises:
        AssertionError: when it finds nothing within `within_s` seconds.
    """
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        found = look()
        if found:
            return found
        time.sleep(step_s)
    raise AssertionError("it did not come")
