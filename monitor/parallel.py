"""Several videos at once, each in a process of its own, with one progress bar for all.

A worker that is killed costs only its own video, and that goes on from its last segment: the
others are taken up again by fresh workers. A video that kills its worker twice is given up.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Final

import cv2

from monitor.failures import sentence_for
from monitor.progress import ProgressBar
from monitor.review import Outcome, ReviewRequest, review_video

TRIES: Final = 2
_STEPS: Final = 1000
_TELL_EVERY_S: Final = 0.5
Told = tuple[Path, float]
"""A video, and how much of it is done."""
Review = Callable[[Path, Path, ReviewRequest], Outcome]


@dataclass
class SharedBar:
    """One bar for several videos: the mean of how far each of them is."""

    videos: int
    bar: ProgressBar
    _done: dict[Path, float] = field(default_factory=dict)

    def tell(self, video: Path, share: float) -> None:
        """`video` is done to `share`, from 0 to 1."""
        self._done[video] = share
        self.bar(round(_STEPS * sum(self._done.values())), _STEPS * self.videos)


def review_in_parallel(
    folders: Mapping[Path, Path],
    request: ReviewRequest,
    jobs: int,
    review: Review | None = None,
) -> Iterator[Outcome]:
    """Review every video with at most `jobs` processes; outcomes in the videos' order.

    `review` takes the place of a review in the workers, for tests.
    """
    context = get_context("spawn")  # Decoders and OpenCV keep threads: they survive no fork.
    told: Queue[Told | None] = context.Queue()
    shared = SharedBar(len(folders), ProgressBar(f"{len(folders)} videos"))
    listener = threading.Thread(target=_listen, args=(told, shared), daemon=True)
    listener.start()
    workers = _Workers(folders, request, min(jobs, len(folders)), told, review or _review)
    try:
        for outcome in workers.outcomes():
            shared.bar.close()
            yield outcome
            told.put((outcome.video, 1.0))
    finally:
        told.put(None)
        listener.join(5.0)
        shared.bar.close()


@dataclass
class _Workers:
    """A pool of workers, a new one after each that broke."""

    folders: Mapping[Path, Path]
    request: ReviewRequest
    jobs: int
    told: Queue[Told | None]
    review: Review
    _pool: ProcessPoolExecutor | None = None
    _running: dict[Path, Future[Outcome]] = field(default_factory=dict)
    _kills: Counter[Path] = field(default_factory=Counter)

    def outcomes(self) -> Iterator[Outcome]:
        """The outcomes in order, each as soon as it and those before are done."""
        try:
            for video in self.folders:
                yield self._outcome_of(video)
        finally:
            self._stop()

    def _outcome_of(self, video: Path) -> Outcome:
        while True:
            self._start_what_is_left(video)
            try:
                return self._running[video].result()
            except BrokenProcessPool:
                self._stop()
                # Until now several ran; from now on one at a time shows which one it is.
                self._kills[video] += self.jobs == 1
                self.jobs = 1
            if self._kills[video] >= TRIES:
                text = f"{video.name}: the process that reviewed it was killed {TRIES} times."
                return Outcome(video, self.folders[video], None, text)

    def _start_what_is_left(self, first: Path) -> None:
        """Submit `first` and what comes after it, but for what is done."""
        if self._pool is not None:
            return
        self._pool = ProcessPoolExecutor(
            self.jobs, get_context("spawn"), _begin, (self.jobs, self.told)
        )
        videos = list(self.folders)
        for video in videos[videos.index(first) :]:
            if not _is_done(self._running.get(video)):
                self._running[video] = self._pool.submit(
                    self.review, video, self.folders[video], self.request
                )

    def _stop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _is_done(future: Future[Outcome] | None) -> bool:
    """True for a review that ended, well or not, with its worker alive."""
    if future is None or not future.done() or future.cancelled():
        return False
    return not isinstance(future.exception(), BrokenProcessPool)


_told: Queue[Told | None] | None = None


def _begin(jobs: int, told: Queue[Told | None]) -> None:
    """Begin a worker: its share of the cores (more threads than cores slow everybody)."""
    global _told  # noqa: PLW0603
    _told = told
    cv2.setNumThreads(max(1, (os.cpu_count() or 1) // jobs))


def _review(video: Path, folder: Path, request: ReviewRequest) -> Outcome:
    """One review in a worker; a disk that refuses costs only this video."""

    def tell(done: int, expected: int | None) -> None:
        now_s = time.monotonic()
        if _told is not None and expected and now_s - said[0] > _TELL_EVERY_S:
            said[0] = now_s
            _told.put((video, min(1.0, done / expected)))

    said = [time.monotonic()]
    try:
        return review_video(video, folder, request, tell)
    except OSError as error:
        return Outcome(video, folder, None, sentence_for(error))


def _listen(told: Queue[Told | None], shared: SharedBar) -> None:
    """Show what the workers tell, until None comes."""
    while (one := told.get()) is not None:
        shared.tell(*one)
