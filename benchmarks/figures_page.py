"""Figures written into a page between two comment lines, so that nobody edits them by hand."""

from __future__ import annotations

from pathlib import Path


def write_figures(page: Path, name: str, text: str) -> None:
    """Replace what stands between `<!-- NAME -->` and `<!-- end of NAME -->`.

    Raises:
        ValueError: when the page lacks the two lines.
    """
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    old = page.read_text(encoding="utf-8")
    if old.count(begin) != 1 or old.count(end) != 1:
        raise ValueError(f'{page} needs one line "{begin}" and one line "{end}"')
    before, rest = old.split(begin)
    _, after = rest.split(end)
    page.write_text(f"{before}{begin}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8")
