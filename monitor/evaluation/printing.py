"""Tables as text for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from monitor.evaluation.clip_score import ClipScore, total_of
from monitor.evaluation.overview import overview_table
from monitor.evaluation.rows import (
    Table,
    clip_table,
    event_table,
    miss_table,
    recall_table,
    reliability_table,
)


def report_tables(scores: Sequence[ClipScore], with_misses: bool = True) -> list[Table]:
    """All tables of an evaluation, those without rows left out."""
    total = total_of(scores)
    tables = [
        clip_table(scores),
        overview_table(total),
        event_table(total),
        recall_table(total),
        reliability_table(total.stated),
    ]
    if with_misses:
        tables.insert(0, miss_table(total))
    return [table for table in tables if table.rows]


def as_text(table: Table) -> str:
    """A table with aligned columns."""
    lines = [table.head, *table.rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.head))]
    rule = tuple("-" * width for width in widths)
    body = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in (table.head, rule, *table.rows)
    ]
    remark = [table.remark] if table.remark else []
    return "\n".join([f"== {table.title}", *body, *remark]) + "\n"


def as_markdown(table: Table, level: int = 3) -> str:
    """A table in Markdown under its title."""
    lines = [f"{'#' * level} {table.title}", ""]
    lines += ["| " + " | ".join(table.head) + " |", "|" + "---|" * len(table.head)]
    lines += [
        "| " + " | ".join(cell.replace("|", "/") for cell in row) + " |" for row in table.rows
    ]
    return "\n".join([*lines, *(["", table.remark] if table.remark else [])]) + "\n"


def report_text(scores: Sequence[ClipScore], with_misses: bool = True) -> str:
    """The whole report for a terminal: misses first, so that the figures end it."""
    total = total_of(scores)
    said = [*(f"! {problem}" for problem in total.problems), *(f"* {n}" for n in total.notes)]
    tables = [as_text(table) for table in report_tables(scores, with_misses)]
    return "\n".join([*tables, *said]) + "\n"
