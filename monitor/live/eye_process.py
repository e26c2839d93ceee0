"""The process of the eyes: frames in, glances, shots and pictures out.

It knows nothing of rules, journal or clients; it talks over one pipe.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from calibration.camera import Camera
from calibration.camera_file import CameraFileError
from calibration.errors import CalibrationError
from calibration.find import find_camera
from monitor.camera_again import CalibratingAgain
from monitor.live.camera_address import is_camera
from monitor.live.camera_anew import NewEyes, calibrating_anew
from monitor.live.camera_reader import CameraReader
from monitor.live.captured import Captured
from monitor.live.clip_cuts import ClipCuts
from monitor.live.eye_setup import EyeSetup, camera_view, jpeg_of
from monitor.live.eye_words import (
    Answered,
    Asked,
    Ended,
    EyeOrder,
    Looked,
    Missing,
    Opened,
    Picture,
    SetUpIs,
    Shot,
    Stop,
    Stopped,
)
from monitor.live.incremental import LiveObserver
from monitor.live.packet_ring import PacketRing
from monitor.live.reading_process import ReadApart
from monitor.live.recorder import Recorder
from monitor.live.shot_reading import SeenShot
from monitor.live.sources import FilePlayer, recorded_source
from monitor.live.vigil import Vigil
from monitor.pipeline import first_frames, observer_for
from table.geometry import Pocket
from vision.ballset import ball_set_named
from vision.frames import Image, SourceError
from vision.observer import Observer
from vision.steady import Shift

_PICTURE_EVERY_S: Final = 1 / 12
_PICTURE_BEHIND_S: Final = 0.5
_PICTURE_WIDTH: Final = 960
_PICTURE_QUALITY: Final = 70
_KEPT_PICTURES: Final = 7
_KEEP_EVERY_S: Final = 0.5
_WAIT_S: Final = 0.2
_FIRST_OF_CAMERA: Final = 9
_FIRST_EVERY_S: Final = 0.4
_SWITCH_S: Final = 0.0005


def run_eyes(order: EyeOrder, pipe: Connection, reading: Connection) -> None:
    """The whole life of the process; `reading` leads to the one that reads shots."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Frames must not wait 5 ms for the interpreter after each step while a shot is read.
    sys.setswitchinterval(_SWITCH_S)
    try:
        _Eyes(order, pipe, ReadApart(reading)).run()
    except (SourceError, CameraFileError) as error:
        _say(pipe, Ended(str(error)))
    except (BrokenPipeError, EOFError, ConnectionError):
        pass


def _say(pipe: Connection, word: object) -> None:
    pipe.send(word)


@dataclass(eq=False)
class _Eyes:
    order: EyeOrder
    pipe: Connection
    read: ReadApart
    player: FilePlayer | CameraReader = field(init=False)
    cuts: ClipCuts = field(default_factory=ClipCuts, init=False)
    setup: EyeSetup = field(init=False)
    live: LiveObserver | None = field(default=None, init=False)
    recorder: Recorder | None = field(default=None, init=False)
    recent: deque[Image] = field(default_factory=lambda: deque(maxlen=_KEPT_PICTURES), init=False)
    vigil: Vigil = field(init=False)
    pictures: int = field(default=0, init=False)
    stopped: bool = field(default=False, init=False)
    playing: bool = field(default=False, init=False)
    """A file has begun to play."""
    _picture_at: float = field(default=0.0, init=False)
    _kept_at: float = field(default=0.0, init=False)
    again: CalibratingAgain[NewEyes] = field(init=False)

    def __post_init__(self) -> None:
        beside = self.order.realtime or is_camera(self.order.source)
        self.again = calibrating_anew(self.order.network, beside)

    def run(self) -> None:
        """Open, find the camera, look at every frame, end."""
        is_live = is_camera(self.order.source)
        self.vigil = Vigil(is_live)
        if is_live:
            if self.order.record is not None:
                self.recorder = Recorder(self.order.record)
                self.recorder.start()
            keep = None if self.recorder is None else self.recorder.keep
            self.player = CameraReader(self.order.source, keep=keep)
            self.player.start()
            firsts = self._first_of_camera()
        else:
            path = Path(self.order.source)
            firsts = first_frames(recorded_source(path))
            self.player = FilePlayer(path, self.order.realtime, self.order.from_s)
        self.recent.extend(firsts[-_KEPT_PICTURES:])
        self._set_up(firsts)
        if isinstance(self.player, FilePlayer):
            self._wait_for_play(firsts)
            self.player.start()
        self._watch()
        self.player.stop()
        if self.recorder is not None:
            self.recorder.stop()

    def _wait_for_play(self, firsts: list[Image]) -> None:
        """A file that is paused shows its first picture until it is told to play."""
        self.playing = not self.order.paused
        if not self.playing and firsts:
            self._show(firsts[0], time.monotonic())
        while not self.playing and self._is_wanted():
            self._listen()
            time.sleep(_WAIT_S / 10)

    def _first_of_camera(self) -> list[Image]:
        """Frames spread over a camera's first seconds."""
        firsts: list[Image] = []
        next_at = 0.0
        while len(firsts) < _FIRST_OF_CAMERA and self._is_wanted():
            self._listen()
            captured = self.player.line.take(_WAIT_S)
            if captured is not None and captured.at >= next_at:
                firsts.append(captured.frame.image)
                next_at = captured.at + _FIRST_EVERY_S
            elif captured is None and self.player.problem is not None:
                _say(self.pipe, Missing(self.player.problem))
        return firsts

    def _is_wanted(self) -> bool:
        return not self.stopped and os.getppid() == self.order.parent

    def _watch(self) -> None:
        opened = False
        while self._is_wanted():
            self._listen()
            self._answer_cuts()
            captured = self.player.line.take(_WAIT_S)
            if captured is not None:
                if not opened:
                    self._say_opened(captured)
                    opened = True
                self._look(captured)
            elif self.player.line.ended:
                self._finish()
                break
            elif self.player.problem is not None:
                _say(self.pipe, Missing(self.player.problem))

    def _answer_cuts(self) -> None:
        for answered in self.cuts.due(self._ring):
            _say(self.pipe, answered)

    @property
    def _ring(self) -> PacketRing | None:
        return self.player.ring if isinstance(self.player, CameraReader) else None

    def _say_opened(self, captured: Captured) -> None:
        height, width = captured.frame.image.shape[:2]
        first_s, source = captured.frame.t_s, self.order.source
        _say(self.pipe, Opened(source, width, height, first_s, captured.at))

    def _set_up(self, firsts: list[Image]) -> None:
        """The camera: from its file, else found in the first frames, else still to be set."""
        order = self.order
        self.setup = EyeSetup(Path(order.folder), order.table)
        problem: str | None = None
        if order.ball_set is not None:
            self.setup.ball_set = ball_set_named(order.ball_set)
            self.setup.ball_set_name = Path(order.ball_set).stem
        if order.camera is not None:
            self.setup.camera = Camera.load(Path(order.camera))
        else:
            points = order.points_px
            named = None if points is None else {Pocket(k): v for k, v in points.items()}
            try:
                step = max(1, len(firsts) // 5)
                found = find_camera(firsts[::step], order.table, order.head, named)
                self.setup.camera, self.setup.notes = found.camera, tuple(found.notes)
            except CalibrationError as error:
                problem = f"{str(error).rstrip('.')}."
        self._begin(firsts, problem)
        is_old = order.camera is not None and self.vigil.is_camera
        if is_old and self.setup.camera is not None and firsts:
            self.vigil.compare(self.setup.camera, firsts[:: max(1, len(firsts) // 4)])

    def _begin(self, pictures: list[Image], problem: str | None = None) -> None:
        """Begin to look with the camera as it is set."""
        camera = self.setup.camera
        self.vigil.set_up(camera)
        if camera is None:
            self.live = None
        else:
            observer = observer_for(camera, pictures, self.order.network)
            observer.warm_up(pictures[-1])
            self._look_through(observer)
            self._keep_camera(camera)
        self._say_set_up(problem)

    def _look_through(self, observer: Observer) -> None:
        before = 0 if self.live is None else self.live.count
        beside = self.order.realtime or self.vigil.is_camera
        self.live = LiveObserver(observer, self.setup.ball_set, beside, before, self.read)

    def _begin_anew(self, t_s: float) -> None:
        """After a move: go on with the camera that was found again, as soon as there is one."""
        drift = self.vigil.picture.drift
        new = None if drift is None else self.again.update(drift, t_s)
        self.vigil.doing = self.again.words
        if new is None or self.live is None:
            return
        # What was under way when it moved is told as far as it was seen.
        self._say_shots(self.vigil.admit(self.live.cut()))
        found = new.found
        self.setup.camera, self.setup.notes = found.camera, (new.sentence(t_s),)
        self.vigil.set_up_anew(found.camera, found.reference_bgr, t_s, found.moved_mm)
        self._look_through(new.observer)
        self._say_set_up(anew=True)

    def _say_set_up(self, problem: str | None = None, *, anew: bool = False) -> None:
        camera = self.setup.camera
        view = None if camera is None else camera_view(camera) | {"file": camera.to_json()}
        name = self.setup.ball_set_name
        _say(self.pipe, SetUpIs(view, name, self.setup.notes, problem, anew))

    def _keep_camera(self, camera: Camera) -> None:
        """A recording is reviewed with the camera that was watched with."""
        if self.order.record is not None:
            folder = Path(self.order.record.folder)
            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                camera.save(folder / "camera.json")

    # Questions

    def _listen(self) -> None:
        while self.pipe.poll():
            word = self.pipe.recv()
            if isinstance(word, Stop):
                self.stopped = True
            elif isinstance(word, Asked):
                self._answer(word)

    def _answer(self, asked: Asked) -> None:
        if asked.what == "cut":
            self.cuts.want(asked)
            return
        if asked.what == "play":
            self.playing = True
            _say(self.pipe, Answered(asked.number, {"ok": True}))
            return
        answer, jpeg = self.setup.answer(asked.what, asked.told, self._pictures)
        if answer.get("ok") and asked.what == "use":
            self._begin(list(self.recent))
        if answer.get("ok") and asked.what in ("enroll", "ball_set"):
            if self.live is not None:
                self.live.ball_set = self.setup.ball_set
            self._say_set_up()
        _say(self.pipe, Answered(asked.number, answer, jpeg))

    def _pictures(self) -> list[Image]:
        newest = self.player.newest
        return [*self.recent, *([] if newest is None else [newest])][-_KEPT_PICTURES:]

    # Frames

    def _look(self, captured: Captured) -> None:
        frame = captured.frame
        if captured.at - self._kept_at > _KEEP_EVERY_S:
            self._kept_at = captured.at
            self.recent.append(frame.image)
        shift, line = None, self.player.line
        if self.live is None:
            over = self.vigil.see(captured, line.came, None, None, line.dropped)
        else:
            glance, shots = self.live.update(frame)
            shift = self.live.observer.steady.last
            over = self.vigil.see(captured, line.came, glance, shift, line.dropped)
            self.vigil.done += 1
            shown = self.vigil.shown(glance)
            _say(self.pipe, Looked(shown, captured.at, time.monotonic()))
            self._say_shots(self.vigil.admit(shots))
            self._begin_anew(frame.t_s)
        for stoppage in over:
            _say(self.pipe, Stopped(stoppage))
        self._show(frame.image, captured.at)
        self._count(captured.at, shift)

    def _say_shots(self, shots: list[SeenShot]) -> None:
        for shot in shots:
            _say(self.pipe, Shot(shot, time.monotonic()))

    def _show(self, image: Image, at: float) -> None:
        """A small picture now and then; seldom while frames wait."""
        every_s = _PICTURE_EVERY_S if self.player.line.waiting < 3 else _PICTURE_BEHIND_S
        if at - self._picture_at < every_s:
            return
        self._picture_at = at
        jpeg = jpeg_of(image, _PICTURE_WIDTH, _PICTURE_QUALITY)
        if jpeg is not None:
            self.pictures += 1
            _say(self.pipe, Picture(self.pictures, jpeg))

    def _count(self, at: float, shift: Shift | None) -> None:
        counted = self.vigil.count(at, self.player.line, self.live, shift)
        if counted is None:
            return
        if isinstance(self.player, CameraReader):
            reader = self.player
            counted = replace(
                counted,
                lag_s=reader.lag_s,
                jumps=reader.clock.jumps,
                damaged=reader.damaged,
                recording=None if self.recorder is None else self.recorder.told(),
            )
        _say(self.pipe, counted)

    def _finish(self) -> None:
        """A file was played to its end."""
        if self.live is not None:
            shots = self.live.finish()
            self._say_shots(self.vigil.admit(shots, is_end=True))
        _say(self.pipe, Ended(self.player.problem))
        # The last picture stays on the page, and the set-up goes on answering.
        while self._is_wanted():
            self._listen()
            self._answer_cuts()
            time.sleep(_WAIT_S)
