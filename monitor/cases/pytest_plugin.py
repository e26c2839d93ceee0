"""pytest plugin: `pytest --table-clips DIR` reviews every case in DIR and compares.

    pytest --table-clips DIR                         each case is a test
    pytest --table-clips DIR --table-clips-approve   what differs becomes what is expected

Approving writes approved.jsonl and rulings.jsonl; truth is never overwritten.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

OPTION: Final = "--table-clips"
APPROVE: Final = "--table-clips-approve"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    group = parser.getgroup("table-monitor")
    group.addoption(OPTION, type=Path, metavar="DIR", help="review the cases in DIR and compare")
    group.addoption(APPROVE, action="store_true", help="make what was seen what is expected")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    """The cases in DIR are tests, before all others."""
    root = session.config.getoption(OPTION)
    if root is not None:
        collector = CaseCollector.from_parent(session, name="table-clips", path=root)
        items[:0] = list(collector.collect())


class CaseCollector(pytest.Collector):
    """All cases of a folder."""

    def collect(self) -> Iterator[CaseItem]:
        """One test a case.

        Raises:
            UsageError: when the folder holds no case.
        """
        from monitor.cases.case_folder import case_folders  # noqa: PLC0415

        cases = case_folders(self.path) if self.path.is_dir() else []
        if not cases:
            raise pytest.UsageError(f"{self.path} holds no case (clip.mp4 and approved.jsonl)")
        for case in cases:
            yield CaseItem.from_parent(self, name=case.name, case=case)


class DifferentError(Exception):
    """A review differs from what was approved; the text lists every difference."""


class CaseItem(pytest.Item):
    """One case: review its clip, compare."""

    def __init__(self, *, case: Any, **more: Any) -> None:
        super().__init__(**more)
        self.case = case

    def runtest(self) -> None:
        """Review and compare; approve when asked to.

        Raises:
            DifferentError: listing every difference.
        """
        from monitor.cases.comparing import differences  # noqa: PLC0415
        from monitor.cases.recording import approve  # noqa: PLC0415
        from monitor.cases.reviewing_case import review_case  # noqa: PLC0415

        with tempfile.TemporaryDirectory(prefix="table-clips-") as made:
            review_case(self.case, Path(made) / self.name)
            found = differences(self.case, Path(made) / self.name)
            if found and self.config.getoption(APPROVE):
                approve(Path(made) / self.name, self.case.folder)
                found = []
        if found:
            raise DifferentError("\n".join(found))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """The differences, without a traceback."""
        if isinstance(excinfo.value, DifferentError):
            return f"{self.case.folder}\n{excinfo.value}\n{APPROVE} makes this what is expected."
        return str(super().repr_failure(excinfo, style))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the case is."""
        return self.case.folder, None, f"case {self.name}"
