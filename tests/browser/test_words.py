"""Every text of the pages comes from one catalogue a language, and both are complete."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

import monitor
from monitor.live.words import POCKET_WORDS

STATIC: Final = Path(monitor.__file__).parent / "server" / "static"
KEY: Final = re.compile(r"""\b(?:t|counted)\(\s*["`]([\w.${}.]+)["`]""")
TERNARY: Final = re.compile(r"""\bt\([^()?]*\?\s*"([\w.]+)"\s*:\s*"([\w.]+)"\)""")
HTML_KEY: Final = re.compile(r'data-t(?:-label|-title|-hint)?="([\w.]+)"')


def catalogue(language: str) -> dict[str, str]:
    """The words of one language."""
    path = STATIC / "lang" / f"{language}.json"
    words: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return words


def used_keys() -> set[str]:
    """Keys that pages and modules ask for; `${...}` in a key stands for any word."""
    keys: set[str] = set()
    for page in STATIC.glob("*.html"):
        keys |= set(HTML_KEY.findall(page.read_text(encoding="utf-8")))
    for module in (STATIC / "js").glob("*.js"):
        text = module.read_text(encoding="utf-8")
        keys |= set(KEY.findall(text))
        keys |= {key for pair in TERNARY.findall(text) for key in pair}
    return keys


def test_both_languages_have_the_same_keys() -> None:
    """A text that one language lacks would show its key on the page."""
    assert catalogue("en").keys() == catalogue("cs").keys()


def test_both_languages_fill_in_the_same_names() -> None:
    """A `{player}` that is lost in translation loses the player."""
    english, czech = catalogue("en"), catalogue("cs")
    names = re.compile(r"\{(\w+)\}")
    differing = [
        k for k in english if set(names.findall(english[k])) != set(names.findall(czech[k]))
    ]
    assert differing == []


def test_every_key_that_is_asked_for_exists() -> None:
    """Keys in pages and modules, those made of parts by their pattern."""
    words = catalogue("en")
    missing = []
    for key in used_keys():
        pattern = re.compile(re.sub(r"\\\$\\\{[^}]*\\\}", r"[\\w.]+", re.escape(key)))
        if not any(
            pattern.fullmatch(re.sub(r"\.(one|few|many)$", "", word)) or pattern.fullmatch(word)
            for word in words
        ):
            missing.append(key)
    assert missing == []
    assert len(used_keys()) > 100


@pytest.mark.parametrize("language", ["en", "cs"])
def test_no_text_is_empty(language: str) -> None:
    """An empty text is a forgotten one."""
    assert [key for key, text in catalogue(language).items() if not text.strip()] == []


def test_pages_load_nothing_from_elsewhere() -> None:
    """The hall may have no internet: no address of another host in pages, styles or modules."""
    foreign = re.compile(r"""(?:src|href|url|import|fetch)\s*[=(]?\s*["'(]?(?:https?:)?//(?!\$)""")
    for path in (p for p in STATIC.rglob("*") if p.suffix in {".html", ".css", ".js"}):
        assert not foreign.search(path.read_text(encoding="utf-8")), path.name


def test_every_word_is_used() -> None:
    """Words that no page asks for any more are taken out."""
    patterns = [
        re.compile(re.sub(r"\\\$\\\{[^}]*\\\}", r"[\\w.]+", re.escape(key))) for key in used_keys()
    ]
    sources = "".join(p.read_text(encoding="utf-8") for p in (STATIC / "js").glob("*.js"))
    unused = [
        word
        for word in catalogue("en")
        if f'"{word}"' not in sources
        and not any(p.fullmatch(re.sub(r"\.(one|few|many)$", "", word)) for p in patterns)
        and not any(p.fullmatch(word) for p in patterns)
    ]
    assert unused == []


def test_server_and_pages_name_the_pockets_alike() -> None:
    """A call reads the same on the diagram, on the undo button and on a card."""
    for index, language in enumerate(("en", "cs")):
        words = catalogue(language)
        assert {name: text[index] for name, text in POCKET_WORDS.items()} == {
            name: words[f"pocket.{name}"] for name in POCKET_WORDS
        }
