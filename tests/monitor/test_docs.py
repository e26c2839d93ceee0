"""Documentation that can go stale is compared with the program."""

import re
import tomllib
from dataclasses import asdict
from pathlib import Path

from monitor.cli import build_parser
from monitor.declaration_file import BEFORE_TYPES, CORRECTION
from monitor.settings import Settings
from rules.declaration_json import AFTER_TYPES
from table import events

DOCS = Path(__file__).parents[2] / "docs"


def test_the_settings_page_shows_every_key_with_its_default() -> None:
    page = (DOCS / "settings.md").read_text("utf-8")
    block = "\n".join(line[4:] for line in page.splitlines() if line.startswith("    "))
    assert tomllib.loads(block) == asdict(Settings())


def test_the_formats_page_names_every_declaration() -> None:
    page = (DOCS / "formats.md").read_text("utf-8")
    section = page.split("## declarations.jsonl")[1].split("## Cases")[0]
    named = set(re.findall(r"`([a-z_]+)`", section))
    assert {*BEFORE_TYPES, CORRECTION, *AFTER_TYPES} <= named


def test_the_formats_page_names_every_kind_of_event() -> None:
    page = (DOCS / "formats.md").read_text("utf-8")
    section = page.split("## shots.jsonl")[1].split("## rulings.jsonl")[0]
    kinds = {
        kind.kind
        for kind in vars(events).values()
        if isinstance(kind, type) and issubclass(kind, events.ShotEvent) and kind.kind
    }
    assert len(kinds) == 8
    assert kinds <= set(re.findall(r"`([a-z_]+)`", section))


def test_commands_in_the_pages_are_commands_that_exist() -> None:
    pages = [DOCS.parent / "README.md", *DOCS.glob("how-to/*.md")]
    commands = [
        line.strip().split()
        for page in pages
        for line in page.read_text("utf-8").splitlines()
        if line.strip().startswith("table-monitor ") and line.startswith("    ")
    ]
    assert len(commands) > 6
    for command in commands:
        arguments = [word.strip('"') for word in command[1:]]
        build_parser().parse_args(arguments)


def test_links_in_the_pages_lead_somewhere() -> None:
    for page in [DOCS.parent / "README.md", *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            if not target.startswith(("http://", "https://")):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
