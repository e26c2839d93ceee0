"""State, actions, shots by hand, matches, the journal."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse, Response

from monitor.live.book import MatchBook
from monitor.live.exporting import export, rejudged
from monitor.live.match_book import book_of
from monitor.live.record_words import record_words
from monitor.live.view_facts import fact_rows
from monitor.live.view_rulings import is_break, keyed, ruling_view
from monitor.live.view_table import event_list
from monitor.live.words import texts
from monitor.server.bodies import ActionBody, MatchBody, ShotBody
from monitor.server.guard import bearer
from monitor.server.problems import ProblemError
from monitor.server.serving import Anybody, Referee, Serving
from monitor.store import read_only
from rules.rulebook import RULEBOOK

router = APIRouter(tags=["match"])
Number = Annotated[int, Path(ge=1, le=2**53)]
ExportName = Literal["shots.jsonl", "declarations.jsonl", "rulings.jsonl", "journal.jsonl"]
_MOST_RECORDS: Final = 1000


@router.get("/state")
async def state(serving: Anybody) -> JSONResponse:
    """The whole state: what a WebSocket snapshot holds."""
    hub = serving.hub
    return JSONResponse({"epoch": hub.epoch, "seq": hub.seq, "state": hub.state})


@router.get("/health")
async def health(serving: Anybody) -> JSONResponse:
    """The health section of the state alone."""
    return JSONResponse(serving.hub.state.get("health", {}))


@router.get("/whoami")
async def whoami(request: Request, serving: Anybody) -> dict[str, str]:
    """Is the token that came along the referee's?"""
    given = bearer(request.headers)
    address = request.client.host if request.client else ""
    known = given is not None and serving.guard.admits(given, address)
    return {"role": "referee" if known else "spectator"}


@router.post("/actions")
async def act(body: ActionBody, serving: Referee) -> JSONResponse:
    """One action of the referee."""
    return await _done(serving, serving.live.desk.act, body.told())


@router.post("/shots")
async def enter_shot(body: ShotBody, serving: Referee) -> JSONResponse:
    """A shot whose facts are entered by hand."""
    return await _done(serving, serving.live.desk.enter_shot, body.told())


@router.post("/match")
async def open_match(body: MatchBody, serving: Referee) -> JSONResponse:
    """Begin a new match."""
    return await _done(serving, serving.live.desk.open_match, body.told())


async def _done(
    serving: Serving, work: Callable[[Mapping[str, Any]], dict[str, Any]], told: dict[str, Any]
) -> JSONResponse:
    answer = await asyncio.to_thread(work, told)
    return JSONResponse(answer | {"seq": serving.hub.seq})


@router.get("/matches")
def matches(serving: Anybody) -> JSONResponse:
    """All matches of the journal, newest first."""
    with closing(read_only(serving.live.folder)) as journal:
        rows = journal.execute(
            "SELECT m.id, m.opened_at, json_extract(m.header, '$.players'),"
            " (SELECT count(*) FROM records r WHERE r.match = m.id)"
            " FROM matches m ORDER BY m.id DESC LIMIT 500"
        ).fetchall()
    listed = [
        {"id": r[0], "started": r[1], "players": _by_letter(r[2]), "records": r[3]} for r in rows
    ]
    return JSONResponse({"matches": listed})


def _by_letter(names: str) -> dict[str, str]:
    a, b = json.loads(names)
    return {"A": a, "B": b}


@router.get("/matches/{number}/records")
def records(
    number: Number,
    serving: Anybody,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=_MOST_RECORDS)] = 200,
) -> JSONResponse:
    """The journal of a match, oldest first."""
    book = _book(serving, number)
    wanted = [r for r in book.records if r.id > after][:limit]
    players = book.header.players
    rows = [
        r.to_json() | texts(record_words(r, players)) | {"undone": r.id in book.gone}
        for r in wanted
    ]
    last = book.records[-1].id if book.records else 0
    return JSONResponse({"records": rows, "last": last})


@router.get(
    "/matches/{number}/export/{name}",
    responses={200: {"content": {"application/x-ndjson": {}}}},
    response_class=Response,
)
def exported(number: Number, name: ExportName, serving: Anybody) -> Response:
    """A file of a match; shots and declarations replay to the rulings."""
    text = export(_book(serving, number), name)
    headers = {"Content-Disposition": f'attachment; filename="match{number}-{name}"'}
    return Response(text, media_type="application/x-ndjson", headers=headers)


@router.get("/matches/{number}/rejudged")
def judged_again(number: Number, serving: Anybody) -> JSONResponse:
    """The match by today's rules, against what was shown."""
    changes = rejudged(_book(serving, number))
    rows = [{"shot": c.shot, "was": c.was, "now": c.now} for c in changes]
    return JSONResponse({"same": not rows, "changes": rows})


def _book(serving: Serving, number: int) -> MatchBook:
    try:
        with closing(read_only(serving.live.folder)) as journal:
            book = book_of(journal, number, serving.live.desk.settings)
    except sqlite3.Error:
        raise ProblemError(503, "busy", "The journal cannot be read just now.") from None
    if book is None:
        raise ProblemError(404, "not_found", f"There is no match {number}.")
    return book


@router.get("/shots/{number}")
def shot(number: Number, serving: Anybody) -> JSONResponse:
    """One shot of the present match in full."""
    book = _book(serving, serving.live.desk.book.number)
    played = book.shots.get(number)
    if played is None:
        raise ProblemError(404, "not_found", f"There is no shot {number} in this match.")
    match = book.fold()
    rulings = [(key, ruled) for key, ruled in keyed(match).items() if key[0] == number]
    clips = serving.live.desk.evidence_of(number)
    before = [ruled.ruling.rack for key, ruled in keyed(match).items() if key[0] < number]
    was_break = is_break(book, number, before[-1] if before else None)
    facts = rulings[-1][1].facts if rulings else None
    body = played.record.body
    return JSONResponse(
        {
            "shot": number,
            "source": body.get("source"),
            "events": event_list(played),
            "log": body.get("events"),
            "paths": body.get("paths") or {},
            "path_times": body.get("path_times") or {},
            "facts": fact_rows(facts, clips, is_break=was_break),
            "rulings": [ruling_view(ruled, clips) for _, ruled in reversed(rulings)],
            "history": [r.to_json() for r in book.records if r.shot == number],
        }
    )


@router.get("/rulebook")
async def rulebook() -> JSONResponse:
    """All articles."""
    rows = [
        {
            "number": article.number,
            "title": article.title,
            "title_cs": article.title_cs,
            "restatement": article.restatement,
            "who": article.who.value,
        }
        for article in RULEBOOK.values()
    ]
    return JSONResponse({"articles": rows})
