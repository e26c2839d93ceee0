"""The eyes as the server has them: a process of their own, and what it tells.

When the process dies it is started anew, and said so. Its words are turned into match time
and handed to the desk in one thread.
"""

from __future__ import annotations

import math
import multiprocessing
import statistics
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from calibration.camera import Camera
from monitor.live.actions import ActionError
from monitor.live.camera_address import is_camera
from monitor.live.evidence_room import EvidenceRoom
from monitor.live.exporting import declarations_of
from monitor.live.eye_order import eye_order
from monitor.live.eye_process import run_eyes
from monitor.live.eye_words import (
    Answered,
    Counted,
    Ended,
    Looked,
    Missing,
    Opened,
    Picture,
    SetUpIs,
    Shot,
    Stop,
    Stopped,
)
from monitor.live.health import Felt, health_of
from monitor.live.in_match_time import frame_words, shot_events, shot_paths, table_now
from monitor.live.missed import Missed, Span, span_of
from monitor.live.reading_process import run_reading
from monitor.live.resuming import file_size
from monitor.live.setting_up import EyesSetUp
from monitor.live.stoppages import Stoppage
from monitor.live.table_live import LiveTable
from monitor.live.table_now import TableNow
from monitor.live.waiting_words import WaitingWords
from monitor.live.wall_clock import WallClock
from monitor.match import start_of
from monitor.staging import write_whole
from monitor.store import Body
from table.json_fields import FieldError

if TYPE_CHECKING:
    from monitor.live.watching import WatchRequest

_FRAMES_A_SECOND: Final = 15
_WAITS_S: Final = (1.0, 2.0, 4.0)
_LEAP_SAID_S: Final = 60.0


@dataclass(eq=False)
class Eyes:
    """The process that watches, and the thread that listens to it."""

    request: WatchRequest
    live: LiveTable
    set_up: EyesSetUp = field(init=False)
    room: EvidenceRoom = field(init=False)
    latencies_ms: list[float] = field(default_factory=list, init=False)
    """From a frame's arrival to its look, the last of them."""
    _pipe: Connection | None = field(default=None, init=False)
    _process: multiprocessing.process.BaseProcess | None = field(default=None, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _stopping: threading.Event = field(default_factory=threading.Event, init=False)
    _offset_s: float = field(default=0.0, init=False)
    _numbers: dict[int, tuple[int, int]] = field(default_factory=dict, init=False)
    """Match and number of each shot of this session."""
    _picture: tuple[int, bytes] | None = field(default=None, init=False)
    _pictures: int = field(default=0, init=False)
    _framed_s: float = field(default=-1.0, init=False)
    _counted: Counted | None = field(default=None, init=False)
    missed: Missed = field(default_factory=Missed, init=False)
    wall_clock: WallClock = field(default_factory=WallClock, init=False)
    _waiting: WaitingWords = field(default_factory=WaitingWords, init=False)
    _jumps: tuple[int, float] = field(default=(0, -math.inf), init=False)
    """How often the camera's clock leapt, and when it last did."""
    _died_s: float | None = field(default=None, init=False)
    """Match time at which the eyes' process ended unexpectedly."""
    _camera: str = field(default="starting", init=False)
    _problem: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        budget = self.request.settings.live.evidence_mb * 1_000_000
        self.room = EvidenceRoom(self.live, int(budget), self._cut_by_eyes)
        self.set_up = EyesSetUp(
            Path(self.request.source).name,
            self.live.folder,
            self._send,
            lambda: self.live.desk.health,
        )
        self.live.set_up = self.set_up
        self.live.newest_picture = lambda: self._picture

    def _cut_by_eyes(self, from_s: float, until_s: float, out: Path) -> float:
        """Have the eyes cut a clip out of what they keep of a camera; its start."""
        return self.set_up.cut(from_s, until_s, out)

    # Life

    def start(self) -> None:
        """Open the source and begin to watch."""
        self._feel()
        self.room.start()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the process."""
        self._stopping.set()
        self._send(Stop())
        process = self._process
        if process is not None:
            process.join(timeout=3.0)
            if process.is_alive():
                process.kill()
        if self._thread is not None:
            self._thread.join(timeout=3.0)
        self.room.stop()
        self._keep_declarations()

    def _keep_declarations(self) -> None:
        """What was said, beside the recording and in its time, so that it can be reviewed."""
        recording = None if self._counted is None else self._counted.recording
        if recording is None or not recording.file or self.request.record is None:
            return
        path = (self.request.record / recording.file).with_suffix(".declarations.jsonl")
        rows = declarations_of(self.live.desk.book, -(self._offset_s + recording.from_s))
        with suppress(OSError):
            write_whole(path, rows)

    def _send(self, word: object) -> bool:
        pipe = self._pipe
        if pipe is None:
            return False
        try:
            pipe.send(word)
        except (OSError, ValueError):
            return False
        return True

    def _run(self) -> None:
        """Watch; start anew when the process dies."""
        for wait_s in (*_WAITS_S, None):
            self._watch_once()
            if self._stopping.is_set() or self._camera in ("ended", "failed"):
                return
            if self._died_s is None and self._counted is not None:
                self._died_s = self.live.desk.clock.peek()
            self._camera = "failed" if wait_s is None else "starting"
            self._problem = "The eyes' process ended unexpectedly."
            self._feel()
            if wait_s is not None:
                self._stopping.wait(wait_s)

    def _watch_once(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        near, far = context.Pipe()
        order = eye_order(self.request, self.live, self.set_up.camera_file())
        process = context.Process(target=run_eyes, args=(order, theirs, near), daemon=True)
        reading = context.Process(target=run_reading, args=(far,), daemon=True)
        self._pipe, self._process = ours, process
        self._numbers = {}
        process.start()
        reading.start()
        # Each end is held by its process alone: one that ends is noticed by the other.
        for end in (theirs, near, far):
            end.close()
        with suppress(EOFError, OSError):
            while True:
                self._hear(ours.recv())
        process.join(timeout=2.0)
        reading.join(timeout=2.0)
        self.set_up.gone()
        self.live.desk.see(TableNow(), show=True)

    # What they tell

    def _hear(self, word: object) -> None:
        listen = _LISTENERS.get(type(word))
        if listen is None:
            return
        if type(word) not in _RECORDED:
            listen(self, word)
            return
        # What goes on record waits, in its order, while the disk takes nothing.
        had_to_wait = bool(self._waiting)
        self._waiting.put(lambda: listen(self, word))
        if bool(self._waiting) != had_to_wait:
            self._feel()

    def _opened(self, word: Opened) -> None:
        desk = self.live.desk
        self._offset_s = round(desk.clock.now() - word.first_s, 6)
        session: Body = {
            "source": Path(word.name).name,
            "size": file_size(Path(word.name)),
            "offset_s": self._offset_s,
            "first_s": word.first_s,
            "image_size": [word.width, word.height],
            **self.set_up.session_part(),
        }
        desk.abandon_evidence()
        desk.open_session(session)
        at = word.first_s if is_camera(word.name) else word.first_at
        desk.clock.saw(self._offset_s + word.first_s, at)
        self.room.source = None if is_camera(word.name) else Path(word.name)
        self.room.offset_s = self._offset_s
        self.set_up.image_size = (word.width, word.height)
        self._camera, self._problem = "on", None
        if self._died_s is not None:
            until_s = self._offset_s + word.first_s
            lost = Stoppage(self._died_s, until_s, ("eyes",))
            self._died_s = None
            self._note(span_of(lost, 0.0))
        self._feel()

    def _set_up_is(self, word: SetUpIs) -> None:
        self.set_up.take(word)
        file = None if word.camera is None else word.camera.get("file")
        self.room.camera = Camera.from_json(file) if isinstance(file, dict) else None
        self.live.desk.head = None if word.camera is None else str(word.camera["head"])
        if word.anew:
            self._write_note(" ".join(word.notes))
        self._feel()

    def _looked(self, word: Looked) -> None:
        if self._camera == "missing":
            self._camera, self._problem = "on", None
            self._feel()
        desk, glance = self.live.desk, word.glance
        t_s = self._offset_s + glance.t_s
        # A file that is played as fast as it is looked at waits in line: that is no delay, and
        # what people say refers to what they see.
        has_camera = is_camera(self.request.source)
        is_live = self.request.realtime or has_camera
        at = word.captured_at if is_live else word.done_at
        if has_camera:
            # Its times are the machine's own already: a frame that the network held up must
            # not set match time back.
            at = glance.t_s
        desk.clock.saw(t_s, at)
        now = table_now(glance, self._offset_s)
        before = desk.now
        told = now.on_lip != before.on_lip or now.provisional_until_s != before.provisional_until_s
        desk.see(now, show=told)
        if is_live:
            delay_ms = (word.done_at - word.captured_at) * 1000
            self.latencies_ms = [*self.latencies_ms[-299:], delay_ms]
        if t_s - self._framed_s >= 1.0 / _FRAMES_A_SECOND - 0.002 or t_s < self._framed_s:
            self._framed_s = t_s
            self.live.frame_listener(dict(frame_words(now, word.captured_at)))

    def _shot(self, word: Shot) -> None:
        shot, desk = word.shot, self.live.desk
        match = desk.book.number
        known = self._numbers.get(shot.number)
        if known is not None and known[0] != match:
            # A better reading of a shot of the match before: that match is closed.
            return
        number = desk.book.next_number if known is None else known[1]
        self._numbers[shot.number] = (match, number)
        events = shot_events(shot, number, self._offset_s)
        desk.take_shot(events, shot_paths(shot, self._offset_s))
        self.missed.shot_ruled(start_of(events))
        self.room.want(desk.wanted_evidence())

    def _stopped(self, word: Stopped) -> None:
        """For a while nothing was ruled on: that is said, and goes on record."""
        self._note(span_of(word.stoppage, self._offset_s))
        self._feel()

    def _note(self, span: Span) -> None:
        self.missed.add(span)
        self._write_note(span.text)

    def _write_note(self, text: str) -> None:
        """Put a sentence on record."""
        with suppress(ActionError, FieldError):
            note = {"id": f"watch-{uuid4()}", "type": "note", "text": text}
            self.live.desk.act(note)

    def _pictured(self, word: Picture) -> None:
        self._pictures += 1
        self._picture = (self._pictures, word.jpeg)

    def _counted_frames(self, word: Counted) -> None:
        if word.jumps > self._jumps[0]:
            self._jumps = (word.jumps, time.monotonic())
        self._counted = word
        self._waiting.retry()
        self._feel()

    def _missing(self, word: Missing) -> None:
        """No frames come: rulings stop, the reason is shown, the camera is waited for."""
        self._waiting.retry()
        if self._problem != word.problem:
            self._camera, self._problem = "missing", word.problem
            self.live.desk.see(TableNow(), show=True)
            self._feel()

    def _ended(self, word: Ended) -> None:
        desk = self.live.desk
        desk.clock.source_ended()
        if self._camera == "on":
            desk.end_session()
        failed = word.problem is not None and self._counted is None
        self._camera, self._problem = ("failed" if failed else "ended"), word.problem
        desk.see(replace(desk.now, moving=(), moving_since_s=None), show=True)
        self._feel()

    def _answered(self, word: Answered) -> None:
        self.set_up.answered(word)

    def _feel(self) -> None:
        """Tell the desk how well the table is seen."""
        latencies = self.latencies_ms
        desk = self.live.desk
        self.missed.passes(desk.clock.peek())
        desk.feel(
            health_of(
                Felt(
                    camera=self._camera,
                    problem=self._problem or self.set_up.problem,
                    calibrated=self.set_up.calibrated,
                    counted=self._counted,
                    latency_ms=round(statistics.median(latencies), 1) if latencies else None,
                    folder=self.live.folder,
                    evidence_bytes=self.room.used_bytes,
                    unwritten=len(self._waiting),
                    clock_step_s=self.wall_clock.step_s(),
                    camera_leapt=time.monotonic() - self._jumps[1] < _LEAP_SAID_S,
                    missed=self.missed,
                )
            )
        )


_LISTENERS: Final[dict[type, Callable[..., None]]] = {
    Opened: Eyes._opened,
    SetUpIs: Eyes._set_up_is,
    Looked: Eyes._looked,
    Shot: Eyes._shot,
    Stopped: Eyes._stopped,
    Picture: Eyes._pictured,
    Counted: Eyes._counted_frames,
    Missing: Eyes._missing,
    Ended: Eyes._ended,
    Answered: Eyes._answered,
}
_RECORDED: Final = (Opened, Shot, Stopped, Ended)
"""What goes into the journal."""
