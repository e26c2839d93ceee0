"""docs/accuracy.md: the state of the product in figures, with the commands that make them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from monitor.evaluation.clip_score import ClipScore, total_of
from monitor.evaluation.figures import figures_of
from monitor.evaluation.overview import overview_table
from monitor.evaluation.printing import as_markdown
from monitor.evaluation.rows import (
    Table,
    clip_table,
    event_table,
    miss_table,
    number,
    recall_table,
    reliability_table,
)

MISSES_SHOWN: Final = 80
CLIPS_SHOWN: Final = 40

INTRODUCTION: Final = """\
# Accuracy

Written by `make evaluate`; nothing here is edited by hand. Figures are counts with exact
95 % bounds (Clopper-Pearson): a share without its sample says nothing. Every fault is listed
under its clip. How well the camera is found: [accuracy-calibration.md](accuracy-calibration.md).

How it is scored:

- An event is right when kind, balls and place agree and its time is within the tolerance
  (one frame, 0.1 s, 0.2 s) beyond what truth itself leaves open. Labels made by hand are
  good to one frame, pocketed balls to two, the moment everything stops to 0.3 s.
- Lists of truth that are not complete serve recall only. Contacts with pocket jaws, touches
  from rest and what truth calls uncertain count neither way.
- A first contact below the decision threshold (0.98) counts as undecided, not as wrong.
- Resting positions: truth in pixels is compared with our metres projected through our own
  camera at the height of the ball centres, divided by the local scale.
- Rulings with an open question count as questions, whatever their provisional ruling.
- Speed is that of a machine which works on simulated shots at the same time; benchmarks/
  measures it alone.
- HOTA, IDF1 and switches come from the library `trackers` (adapted from TrackEval), with
  1 - distance / ball diameter as similarity.
"""


@dataclass(frozen=True, slots=True)
class Pack:
    """A set of cases measured together."""

    name: str
    title: str
    what: str
    command: str
    scores: Sequence[ClipScore] = ()
    not_measured: str | None = None
    """Why there are no figures."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target of the project and the figure that answers it."""

    quantity: str
    figure: str
    target: str
    shown: Callable[[float], str]


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _plain(form: str, unit: str) -> Callable[[float], str]:
    return lambda value: f"{value:{form}} {unit}".strip()


TARGETS: Final = (
    Target("resting position, median", "rest_error_median_mm", "<= 1.5 mm", _plain(".2f", "mm")),
    Target("resting position, p95", "rest_error_p95_mm", "<= 4 mm", _plain(".2f", "mm")),
    Target("resting position, max", "rest_error_max_mm", "<= 8 mm", _plain(".2f", "mm")),
    Target("identity at rest, of those named", "named_right", ">= 99.5 %", _percent),
    Target("balls at rest found", "resting_balls_found", ">= 99.8 %", _percent),
    Target("moving balls found", "moving_recall", ">= 98 %", _percent),
    Target("HOTA", "hota", "published", _plain(".3f", "")),
    Target("IDF1", "idf1", "published", _plain(".3f", "")),
    Target("pocketed, F1 within 0.2 s", "ball_pocketed_f1", ">= 0.995", _plain(".3f", "")),
    Target("first contact, of those given", "first_contact_right_of_given", ">= 99.5 %", _percent),
    Target("cushion contacts, F1 within 0.1 s", "cushion_contact_f1", ">= 0.98", _plain(".3f", "")),
    Target("off the table, F1 within 0.2 s", "ball_off_table_f1", ">= 0.99", _plain(".3f", "")),
    Target("moving at start, F1", "moving_at_start_f1", ">= 0.98", _plain(".3f", "")),
    Target("contact time, median", "contact_time_median_ms", "<= 4 ms", _plain(".1f", "ms")),
    Target("rulings, of those given", "rulings_right_of_given", ">= 99.9 %", _percent),
)


def accuracy_page(packs: Sequence[Pack], others: Sequence[Path] = ()) -> str:
    """The whole page; `others` are pages beside it with figures of single parts."""
    parts = [INTRODUCTION]
    if others:
        parts.append("Figures of single parts, with commands of their own:\n")
        parts.append("".join(f"- [{_title(page)}]({page.name})\n" for page in others))
    parts.append(as_markdown(target_table(packs), level=2))
    for pack in packs:
        parts.append(_pack_text(pack))
    return "\n".join(parts)


def _title(page: Path) -> str:
    first = page.read_text(encoding="utf-8").partition("\n")[0]
    return first.lstrip("# ").strip() or page.stem


def target_table(packs: Sequence[Pack]) -> Table:
    """A row for each target, a column for each pack."""
    figures = {pack.name: figures_of(total_of(pack.scores)) for pack in packs}
    rows = []
    for target in TARGETS:
        cells = []
        for pack in packs:
            figure = figures[pack.name].get(target.figure)
            cells.append("-" if figure is None else target.shown(figure.value))
        rows.append((target.quantity, target.target, *cells))
    head = ("quantity", "target", *(pack.name for pack in packs))
    remark = "Samples and bounds are in the tables below; - means that nothing could be scored."
    return Table("Targets", head, tuple(rows), remark)


def _pack_text(pack: Pack) -> str:
    head = f"## {pack.title}\n\n{pack.what}\n\n    {pack.command}\n"
    if not pack.scores:
        return f"{head}\nNot measured: {pack.not_measured or 'no cases'}.\n"
    total = total_of(pack.scores)
    tables = [overview_table(total), event_table(total), recall_table(total)]
    tables.append(reliability_table(total.stated))
    if len(pack.scores) <= CLIPS_SHOWN:
        tables.insert(0, clip_table(pack.scores))
        tables.append(miss_table(total, MISSES_SHOWN))
    else:
        tables.append(fault_table(total))
    texts = [as_markdown(table) for table in tables if table.rows]
    remarks = [f"- {text}" for text in (*total.problems, *total.notes)][:CLIPS_SHOWN]
    return "\n".join([head, *texts, *(["\n".join(remarks) + "\n"] if remarks else [])])


def fault_table(score: ClipScore) -> Table:
    """Faults counted by kind, for packs with too many clips to list each."""
    counted: dict[tuple[str, str], int] = {}
    for miss in score.misses:
        counted[miss.kind, miss.fault] = counted.get((miss.kind, miss.fault), 0) + 1
    rows = tuple(
        (kind, fault, str(count), number(100 * count / max(score.clips, 1), ".2f"))
        for (kind, fault), count in sorted(counted.items(), key=lambda item: -item[1])
    )
    return Table("Faults by kind", ("kind", "fault", "count", "per 100 shots"), rows)
