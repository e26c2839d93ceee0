"""Shots are read in a process of their own, so that no frame waits for it.

A reading is sent over one pipe and its shots come back. When the process is gone, the work
is done by the one who asked.
"""

from __future__ import annotations

import signal
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from monitor.live.shot_reading import Read, Reading, read_here


def run_reading(pipe: Connection) -> None:
    """The whole life of the process; it ends with the one at the other end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            pipe.send(read_here(pipe.recv()))


@dataclass(eq=False)
class ReadApart:
    """Has the process at the other end of a pipe read; one reading at a time."""

    pipe: Connection
    gone: bool = False
    _one: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, reading: Reading) -> list[Read]:
        """The shots of a reading."""
        with self._one:
            if not self.gone:
                try:
                    self.pipe.send(reading)
                    found: list[Read] = self.pipe.recv()
                except (EOFError, OSError):
                    # Also where the work itself failed: here it fails before our eyes.
                    self.gone = True
                else:
                    return found
        return read_here(reading)
