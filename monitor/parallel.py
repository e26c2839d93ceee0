"""Several videos at once, each in a process of its own, with one progress bar for all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2

from monitor.failures import sentence_for
from monitor.progress import ProgressBar
from monitor.review import Outcome, ReviewRequest, review_video


def review_in_parallel(
    folders: dict[Path, Path], request: ReviewRequest, jobs: int
) -> Iterator[Outcome]:
    """Review every video with at most `jobs` processes; outcomes in the videos' order."""
    bar = ProgressBar(f"{len(folders)} videos")
    # spawn: decoders and OpenCV keep threads, which do not survive a fork.
    jobs = min(jobs, len(folders))
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _share_cores, (jobs,))
    with pool:
        running = [pool.submit(_review, v, folder, request) for v, folder in folders.items()]
        try:
            for done, future in enumerate(running, start=1):
                outcome = future.result()
                bar.close()
                yield outcome
                bar(done, len(running))
        finally:
            bar.close()
            pool.shutdown(wait=True, cancel_futures=True)


def _share_cores(jobs: int) -> None:
    """Give each worker its share of the cores; more threads than cores slow everybody."""
    cv2.setNumThreads(max(1, (os.cpu_count() or 1) // jobs))


def _review(video: Path, folder: Path, request: ReviewRequest) -> Outcome:
    """One review in a worker; a disk that refuses costs only this video."""
    try:
        return review_video(video, folder, request)
    except OSError as error:
        return Outcome(video, folder, None, sentence_for(error))
