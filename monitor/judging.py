"""`table-monitor judge`: rule on written cases, and on racks event by event."""

from __future__ import annotations

import json
from pathlib import Path

from rules.case_format import read_options, read_rack, read_shot
from rules.declaration_json import read_after, read_before
from rules.declarations import Declarations
from rules.facts import ShotFacts
from rules.rack import EventOptions, Rack
from rules.ruling import Ruling
from rules.ruling_json import ruling_to_json
from rules.ten_ball import rule
from table.json_fields import FieldError, Fields


class CaseError(ValueError):
    """Cases that cannot be read; the text is one sentence with case id and field."""


def judge_file(path: Path) -> list[dict[str, object]]:
    """Rule on the cases of a file.

    Raises:
        CaseError: naming the case and the field that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CaseError(f"{path.name} is not a text file") from None
    except OSError as error:
        raise CaseError(f"{path} cannot be read: {error.strerror}") from None
    try:
        cases = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise CaseError(f"{path.name} is not JSON{where}") from None
    return judge(cases)


def judge(cases: object) -> list[dict[str, object]]:
    """Rule on `{"cases": [...], "racks": [...]}`, in input order.

    A case gives `{"id", keys of "expected"}`. A rack gives `{"id", "events", "carried"}`:
    every event judged from its own `state_before`, and again from the carried state.

    Raises:
        CaseError: naming the case and the field that cannot be read.
    """
    if not isinstance(cases, dict) or not ({"cases", "racks"} & set(cases)):
        raise CaseError('the file must hold an object with "cases" or "racks"')
    try:
        whole = Fields(cases, "the file")
        results = [_judge_case(fields) for fields in _named(whole, "cases")]
        return results + [_judge_rack(fields) for fields in _named(whole, "racks")]
    except FieldError as error:
        raise CaseError(str(error)) from None


def _named(whole: Fields, name: str) -> list[Fields]:
    """The objects of a list, each placed by its id."""
    items = [] if whole.values.get(name) is None else whole.objects(name)
    kind = name.removesuffix("s")
    return [Fields(item.values, _place(kind, index, item)) for index, item in enumerate(items)]


def _place(kind: str, index: int, item: Fields) -> str:
    given = item.values.get("id")
    return f"{kind} {given}" if isinstance(given, str) else f"{kind} number {index + 1}"


def _judge_case(fields: Fields) -> dict[str, object]:
    name = fields.text("id")
    ruling = _rule(fields, _rack(fields), _config(fields))
    return {"id": name} | ruling_to_json(ruling)


def _judge_rack(fields: Fields) -> dict[str, object]:
    name = fields.text("id")
    own: list[object] = []
    carried: list[object] = []
    rack: Rack | None = None
    for index, event in enumerate(fields.objects("events")):
        placed = Fields(event.values, f"{fields.place}, event {index + 1}")
        options = _config(placed if placed.values.get("config") is not None else fields)
        start = _rack(placed)
        own.append(ruling_to_json(_rule(placed, start, options)))
        ruling = _rule(placed, rack or start, options)
        carried.append(ruling_to_json(ruling))
        rack = ruling.rack
    return {"id": name, "events": own, "carried": carried}


def _rule(fields: Fields, rack: Rack, options: EventOptions) -> Ruling:
    said = Declarations(
        read_before(_object(fields, "declaration")),
        tuple(read_after(item) for item in _list(fields, "manual")),
    )
    return rule(rack, _shot(fields), said, options)


def _rack(fields: Fields) -> Rack:
    if fields.values.get("state_before") is None:
        raise fields.fail("state_before", "an object")
    return read_rack(_object(fields, "state_before"))


def _shot(fields: Fields) -> ShotFacts | None:
    if fields.values.get("shot") is None:
        return None
    return read_shot(_object(fields, "shot"))


def _config(fields: Fields) -> EventOptions:
    return read_options(_object(fields, "config"))


def _list(fields: Fields, name: str) -> list[Fields]:
    return [] if fields.values.get(name) is None else fields.objects(name)


def _object(fields: Fields, name: str) -> Fields:
    """The object in field `name`, empty when null or missing."""
    value = fields.values.get(name)
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise fields.fail(name, "an object")
    return Fields(value, f'{fields.place}, field "{name}"')
