"""Thousands of shots from simulated detections: no pixels, the same tracker and rules.

The shots come from `synthetic.detections.simulated_shots(count, seed)`; what the product
makes of them from `monitor.detected.observe_detections(shot)`, which returns the shot log
and the tracker's states; rulings from `monitor.replaying.replay`. They are found when used,
so that an installation without the truth generator measures the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from typing import Any, Protocol, cast

from monitor.declaration_file import parse_declaration
from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.in_memory import score_log
from monitor.failures import CannotBeDoneError
from table.log import ShotLog
from table.state import TableState

Row = Mapping[str, object]


class SimulatedShot(Protocol):
    """One shot as the truth generator hands it over."""

    @property
    def name(self) -> str:
        """Seed and number, so that the shot can be made again."""

    @property
    def log(self) -> ShotLog:
        """The exact events."""

    @property
    def times_s(self) -> Sequence[float]:
        """The presentation time of every frame."""

    @property
    def states(self) -> Sequence[TableState]:
        """Where every ball is in every frame; `seen` False where no camera could see it."""

    @property
    def declarations(self) -> Sequence[Row]:
        """What people said, as lines of declarations.jsonl."""

    @property
    def expected(self) -> Sequence[Row] | None:
        """The right rulings, as lines of expected.jsonl."""


Observe = Callable[[Any], tuple[ShotLog, Sequence[TableState]]]
"""What the product makes of a shot's detections."""
Rule = Callable[[Any, ShotLog], Sequence[Row]]
"""The rulings on a shot, given its declarations and the product's log."""


def score_simulated(
    count: int,
    seed: int,
    shots: Callable[[int, int], Iterable[SimulatedShot]] | None = None,
    observe: Observe | None = None,
    rule: Rule | None = None,
) -> Iterator[ClipScore]:
    """Score `count` simulated shots, one at a time.

    Raises:
        CannotBeDoneError: when the truth generator or the pipeline is not installed.
    """
    make = shots or _found("synthetic.detections", "simulated_shots")
    see = observe or cast(Observe, _found("monitor.detected", "observe_detections"))
    judge = rule or _ruled
    for shot in make(count, seed):
        yield _score(shot, see, judge)


def score_simulated_in_parallel(count: int, seed: int, processes: int) -> Iterator[ClipScore]:
    """The same scores in the same order, made by several processes.

    Raises:
        CannotBeDoneError: when the truth generator or the pipeline is not installed.
    """
    _found("synthetic.detections", "simulated_shot")
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(partial(_score_number, seed), range(count), chunksize=4)


def _score_number(seed: int, number: int) -> ClipScore:
    shot = _found("synthetic.detections", "simulated_shot")(seed, number)
    return _score(shot, cast(Observe, _found("monitor.detected", "observe_detections")), _ruled)


def _score(shot: SimulatedShot, see: Observe, judge: Rule) -> ClipScore:
    log, states = see(shot)
    return score_log(
        shot.name,
        shot.log,
        log,
        shot.times_s,
        expected=shot.expected,
        rulings=judge(shot, log) if shot.expected is not None else (),
        true_states=shot.states,
        our_states=states,
    )


def _ruled(shot: SimulatedShot, log: ShotLog) -> Sequence[Row]:
    replay = _found("monitor.replaying", "replay")
    said = tuple(parse_declaration(row) for row in shot.declarations)
    # Somebody listened: what was not said was not called.
    return list(replay(log, said))


def _found(module: str, name: str) -> Callable[..., Any]:
    try:
        found: Callable[..., Any] = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise CannotBeDoneError(f"simulated detections are not available ({error})") from None
    return found
