"""How well shots are read from simulated detections, by frame rate and by kind of shot.

    python -m benchmarks.shot_accuracy --shots 50 --seed 9001 --page docs/accuracy-shots.md

The shots, cameras and their errors are those of `synthetic`; only the frame rate is set here.
The tracker, contacts, shots and rules are the product's own.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np

from monitor.evaluation.clip_score import ClipScore, total_of
from monitor.evaluation.scores import Counts
from monitor.evaluation.simulated import score_simulated
from synthetic.eyes import Eyes
from synthetic.pack import make_draft
from synthetic.presets import PRESETS
from synthetic.simulated_shot import SimulatedShot

RATES: Final = (25.0, 30.0, 60.0, 120.0)
_BINS: Final = ((0.0, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 0.98), (0.98, 0.99), (0.99, 1.001))
_WITHIN: Final = "0.1 s"
_KINDS: Final = {
    "shot start": "shot_started",
    "ball contacts": "ball_contact",
    "cushion contacts": "cushion_contact",
    "pocketed": "ball_pocketed",
    "off the table": "ball_off_table",
    "moving at the start": "moving_at_start",
    "shot end": "shot_ended",
}
Numbered = tuple[float, int, int]
"""Frame rate, seed and number of a shot."""


def shot_at(fps: float, seed: int, number: int) -> SimulatedShot:
    """One shot of the `match` preset as a camera of `fps` frames a second sees it."""
    rng = np.random.default_rng([seed, number, 2])
    draft = make_draft(rng, PRESETS["match"](rng, number))
    eyes = Eyes(rng, draft, f"{seed}_{number}@{fps:g} {draft.kind}")
    eyes.fps = fps
    eyes.exposure_s = min(eyes.exposure_s, 0.8 / fps)
    return eyes.shot()


def scored(order: Numbered) -> ClipScore:
    """The score of one shot."""
    shot = shot_at(*order)
    (score,) = score_simulated(1, order[1], shots=lambda *_: [shot])
    return score


def measure(
    shots: int, seed: int, rates: Sequence[float], jobs: int
) -> dict[float, list[ClipScore]]:
    """Scores by frame rate; every rate sees other shots."""
    orders = [(fps, seed + i, n) for i, fps in enumerate(rates) for n in range(shots)]
    with ProcessPoolExecutor(jobs) as pool:
        scores = list(pool.map(scored, orders, chunksize=2))
    found: dict[float, list[ClipScore]] = {fps: [] for fps in rates}
    for (fps, _, _), score in zip(orders, scores, strict=True):
        found[fps].append(score)
    return found


def page(by_rate: Mapping[float, Sequence[ClipScore]], command: str) -> Iterator[str]:
    """The lines of the page."""
    everything = [score for scores in by_rate.values() for score in scores]
    columns = {f"{fps:g} fps": list(scores) for fps, scores in by_rate.items()}
    columns["all"] = everything
    yield from _HEAD
    yield from ("", f"    {command}", "", "## By frame rate", "")
    yield from _table(columns)
    kinds = sorted({_kind(score) for score in everything})
    yield from ("", "## By kind of shot (all frame rates)", "")
    yield "| kind | shots | first contact: right, wrong, open | contacts F1 | cushions F1 |"
    yield f"{'| --- ' * 5}|"
    for kind in kinds:
        total = total_of([score for score in everything if _kind(score) == kind])
        first = total.first_contact
        yield (
            f"| {kind} | {total.clips} | {first.right}, {first.wrong}, {first.undecided} "
            f"| {_f1(total, 'ball_contact')} | {_f1(total, 'cushion_contact')} |"
        )
    yield from ("", "## Stated probabilities", "", "| stated | facts | mean | came true |")
    yield f"{'| --- ' * 4}|"
    stated = [s for score in everything for s in score.stated]
    for low, high in _BINS:
        rows = [s for s in stated if low <= s.probability < high]
        if rows:
            mean = sum(s.probability for s in rows) / len(rows)
            true = sum(s.right for s in rows) / len(rows)
            yield f"| {low:.2f} to {min(high, 1.0):.2f} | {len(rows)} | {mean:.3f} | {true:.3f} |"
    yield from ("", "## Misses by cause of count", "", "| what | fault | times |")
    yield f"{'| --- ' * 3}|"
    faults = Counter((m.kind, m.fault) for score in everything for m in score.misses)
    for (kind, fault), count in faults.most_common():
        yield f"| {kind} | {fault} | {count} |"
    yield from (
        "",
        "## Misses, breaks' ball contacts left out",
        "",
        "| shot | kind | fault | t_s | what | instead |",
    )
    yield f"{'| --- ' * 6}|"
    for score in everything:
        for miss in score.misses:
            in_break = "break" in score.name and miss.kind == "ball_contact"
            if in_break or miss.kind == "ball at rest":
                continue
            t_s = "-" if miss.t_s is None else f"{miss.t_s:.3f}"
            what = f"{miss.kind} | {miss.fault} | {t_s} | {miss.text}"
            yield f"| {miss.clip} | {what} | {miss.instead} |"


_HEAD: Final = (
    "# Accuracy of reading shots",
    "",
    "Written by `benchmarks/shot_accuracy.py`; nothing here is edited by hand. Shots without",
    "pixels: simulated plays, and the detections that cameras of four frame rates make of them,",
    "through the tracker, the contacts, the shots and the rules. An event counts as right when",
    "kind, balls and place agree and its time is within 0.1 s; jaws and touches from rest count",
    "neither way. A first contact below 0.98 is open, not wrong. Contacts on the break are",
    "counted apart, because balls that touch each other all move at once.",
)


def _table(columns: Mapping[str, Sequence[ClipScore]]) -> Iterator[str]:
    totals = {name: total_of(scores) for name, scores in columns.items()}
    plain = {
        name: total_of([s for s in scores if "break" not in s.name])
        for name, scores in columns.items()
    }
    breaks = {
        name: total_of([s for s in scores if "break" in s.name]) for name, scores in columns.items()
    }
    yield f"| quantity | {' | '.join(columns)} |"
    yield f"{'| --- ' * (len(columns) + 1)}|"
    rows = {
        "shots": [str(t.clips) for t in totals.values()],
        "first contact right, wrong, open": [
            f"{t.first_contact.right}, {t.first_contact.wrong}, {t.first_contact.undecided}"
            for t in totals.values()
        ],
        "ball contacts, breaks apart, F1": [_f1(t, "ball_contact") for t in plain.values()],
        "ball contacts on breaks, F1": [_f1(t, "ball_contact") for t in breaks.values()],
        "contact time error, median": [_time_error(t) for t in plain.values()],
    }
    for title, kind in _KINDS.items():
        if kind != "ball_contact":
            rows[f"{title}, F1"] = [_f1(t, kind) for t in totals.values()]
    rows["rulings right, wrong, with a question"] = [_rulings(t) for t in totals.values()]
    for title, cells in rows.items():
        yield f"| {title} | {' | '.join(cells)} |"


def _kind(score: ClipScore) -> str:
    return score.name.split()[-1]


def _counts(total: ClipScore, kind: str) -> Counts:
    event = total.events.get(kind)
    return Counts() if event is None else event.complete.get(_WITHIN, Counts())


def _f1(total: ClipScore, kind: str) -> str:
    """F1 with the counts: right, extra, missed."""
    c = _counts(total, kind)
    if not c.tp + c.fp + c.fn:
        return "-"
    return f"{2 * c.tp / (2 * c.tp + c.fp + c.fn):.3f} ({c.tp}+{c.fp}-{c.fn})"


def _time_error(total: ClipScore) -> str:
    event = total.events.get("ball_contact")
    if event is None or not event.time_errors_s:
        return "-"
    return f"{1e3 * float(np.median(np.abs(event.time_errors_s))):.1f} ms"


def _rulings(total: ClipScore) -> str:
    score = total.rulings
    return "-" if score is None else f"{score.right}, {score.wrong}, {score.questions}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print, or write, the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shot_accuracy")
    parser.add_argument("--shots", type=int, default=50, help="shots a frame rate")
    parser.add_argument("--seed", type=int, default=9001)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--page", type=Path, default=None)
    options = parser.parse_args(arguments)
    found = measure(options.shots, options.seed, RATES, options.jobs)
    command = f"python -m benchmarks.shot_accuracy --shots {options.shots} --seed {options.seed}"
    text = "\n".join(page(found, command)) + "\n"
    if options.page is None:
        print(text)
    else:
        options.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
