"""`make evaluate`: every pack that is there, the page in docs/accuracy.md, the floor.

Packs: `regression` (fixtures/videos), `rack` (fixtures/racks), `shared` (recorded clips under
$TABLE_MONITOR_SHARED/clips), `fresh` (shots rendered now) and `simulated` (thousands of
shots from simulated detections, no pixels).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from monitor.evaluate import evaluate, write_json
from monitor.evaluation.accuracy_page import Pack, accuracy_page
from monitor.evaluation.clip_score import ClipScore, total_of
from monitor.evaluation.figures import figures_of
from monitor.evaluation.floors import (
    QUICK,
    QUICK_CLIPS,
    below_floor,
    fingerprint,
    raise_floor,
    read_floor,
)
from monitor.evaluation.simulated import score_simulated_in_parallel
from monitor.failures import CannotBeDoneError

FIXTURES: Final = Path("fixtures/videos")
RACKS: Final = Path("fixtures/racks")
FLOOR: Final = Path("fixtures/accuracy_floor.json")
PACKS: Final = ("regression", "rack", "shared", "fresh", "simulated")


def main(arguments: list[str] | None = None) -> int:
    """Measure packs, write the page; exit code 1 when a figure is below its floor."""
    options = _parser().parse_args(arguments)
    if options.seed is None:
        options.seed = int.from_bytes(os.urandom(3))
    packs = _all_measured(options)
    for pack in packs:
        state = pack.not_measured or f"{len(pack.scores)} cases"
        print(f"{pack.name}: {state}", file=sys.stderr)
    if options.page:
        options.page.parent.mkdir(parents=True, exist_ok=True)
        others = sorted(options.page.parent.glob(f"{options.page.stem}-*.md"))
        options.page.write_text(accuracy_page(packs, others), encoding="utf-8")
        print(options.page)
    if options.json:
        write_json([score for pack in packs for score in pack.scores], options.json)
    return _held_to_floor(packs, options.floor, options.raise_floor)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m monitor.evaluation.campaign")
    parser.add_argument("--packs", type=_pack_names, default=PACKS, metavar="NAME,NAME")
    parser.add_argument("--fresh", type=int, default=10, metavar="N", help="shots to render")
    parser.add_argument("--simulated", type=int, default=3000, metavar="N", help="shots")
    parser.add_argument(
        "--processes",
        type=int,
        default=max(1, (os.cpu_count() or 1) - 1),
        metavar="N",
        help="for simulated shots, beside the one that measures clips",
    )
    parser.add_argument("--seed", type=int, default=None, help="of the fresh shots; else random")
    parser.add_argument("--page", type=Path, default=None, help="write the page there")
    parser.add_argument("--json", type=Path, default=None, help="write all figures there")
    parser.add_argument("--floor", type=Path, default=FLOOR)
    parser.add_argument("--raise-floor", action="store_true", help="raise it where we are better")
    return parser


def _pack_names(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if not set(names) <= set(PACKS):
        raise argparse.ArgumentTypeError(f"packs are {', '.join(PACKS)}")
    return names


def _all_measured(options: argparse.Namespace) -> list[Pack]:
    """Every pack, in the order asked for; the simulated one beside the others."""
    beside = [name for name in options.packs if name == "simulated"]
    with ThreadPoolExecutor(1) as lane:
        waiting = {name: lane.submit(_measured, name, options) for name in beside}
        done = {name: _measured(name, options) for name in options.packs if name not in beside}
        return [done[name] if name in done else waiting[name].result() for name in options.packs]


def _measured(name: str, options: argparse.Namespace) -> Pack:
    seed = options.seed
    shared = os.environ.get("TABLE_MONITOR_SHARED")
    rendered = f"table-monitor synth --out DIR --shots {options.fresh} --seed {seed}"
    packs: dict[str, tuple[Pack, Callable[[], list[ClipScore]]]] = {
        "regression": (
            Pack(
                name,
                "Regression pack",
                "Rendered clips of the project's own, each for one kind of event.",
                "table-monitor evaluate fixtures/videos/*",
            ),
            lambda: _on_folders(FIXTURES),
        ),
        "rack": (
            Pack(
                name,
                "A whole rack",
                "One rendered rack from the break to the ten in one take, as a match is filmed.",
                "table-monitor evaluate fixtures/racks/*",
            ),
            lambda: _on_folders(RACKS),
        ),
        "shared": (
            Pack(
                name,
                "Recorded clips",
                "Real broadcast footage from above with truth made by hand, kept outside the "
                "repository. Labels are good to one frame at 25 fps.",
                "table-monitor evaluate $TABLE_MONITOR_SHARED/clips/*",
            ),
            lambda: _on_folders(Path(shared) / "clips" if shared else None),
        ),
        "fresh": (
            Pack(
                name,
                "Fresh rendered shots",
                "Shots that nobody has seen before this measurement: random cameras, lights, "
                "cloths, ball sets and strokes.",
                f"{rendered} && table-monitor evaluate DIR/*",
            ),
            lambda: _on_fresh(options.fresh, seed),
        ),
        "simulated": (
            Pack(
                name,
                "Simulated detections",
                "Simulated shots without pixels: detections with the noise, blur, drop-outs and "
                "confusions measured on frames, through the same tracker, event and rule code.",
                f"python -m monitor.evaluation.campaign --packs simulated "
                f"--simulated {options.simulated} --seed {seed}",
            ),
            lambda: list(score_simulated_in_parallel(options.simulated, seed, options.processes)),
        ),
    }
    pack, measure = packs[name]
    try:
        scores: Sequence[ClipScore] = measure()
        return Pack(pack.name, pack.title, pack.what, pack.command, scores)
    except CannotBeDoneError as error:
        return Pack(pack.name, pack.title, pack.what, pack.command, (), str(error).rstrip("."))


def _on_folders(root: Path | None) -> list[ClipScore]:
    if root is None or not root.is_dir():
        raise CannotBeDoneError("there are no such clips here")
    return evaluate(_folders(root), on_case=_tell)


def _folders(root: Path) -> list[Path]:
    return sorted(path for path in root.iterdir() if path.is_dir())


def _on_fresh(shots: int, seed: int) -> list[ClipScore]:
    with tempfile.TemporaryDirectory(prefix="fresh-") as made:
        command = [sys.executable, "-m", "monitor", "synth", "--out", made]
        command += ["--shots", str(shots), "--seed", str(seed)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = done.stderr.strip().splitlines() or [f"synth ended with {done.returncode}"]
            raise CannotBeDoneError(said[-1])
        return _on_folders(Path(made))


def _tell(name: str) -> None:
    print(f"scoring {name}", file=sys.stderr)


def _held_to_floor(packs: Sequence[Pack], path: Path, raise_it: bool) -> int:
    """Compare the packs that never change with their floors; fresh ones have none."""
    code = 0
    for name, scores, folders in _held(packs):
        figures = figures_of(total_of(scores))
        if raise_it:
            made_of = None if folders is None else fingerprint(folders)
            for line in raise_floor(path, name, figures, made_of):
                print(f"{name} floor rose, {line}")
        for complaint in below_floor(figures, read_floor(path, name)):
            print(f"{name} {complaint}", file=sys.stderr)
            code = 1
    return code


def _held(
    packs: Sequence[Pack],
) -> Iterator[tuple[str, Sequence[ClipScore], Sequence[Path] | None]]:
    """Name, scores and, where they are committed, the folders of what has a floor."""
    for pack in packs:
        if pack.name == "fresh" or not pack.scores:
            continue
        if pack.name != "regression":
            yield pack.name, pack.scores, None
            continue
        yield pack.name, pack.scores, _folders(FIXTURES)
        quick = [score for score in pack.scores if score.name in QUICK_CLIPS]
        yield QUICK, quick, [FIXTURES / name for name in QUICK_CLIPS]


if __name__ == "__main__":
    raise SystemExit(main())
