"""Errors as the API tells them: a code for programs, a sentence for people."""

from __future__ import annotations

import sqlite3

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from monitor.failures import CannotBeDoneError
from monitor.live.actions import ActionError
from table.json_fields import FieldError


class ProblemBody(BaseModel):
    """What every error looks like."""

    error: str
    sentence: str


class ProblemError(Exception):
    """An error with its HTTP status."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.code = status, code


_CODES = {400: "bad_json", 404: "not_found", 405: "wrong_method", 413: "too_large", 503: "busy"}


def answer(status: int, code: str, sentence: str) -> JSONResponse:
    """The response for an error."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"error": code, "sentence": sentence}, status, headers=headers)


def tell_problems(app: FastAPI) -> None:
    """Let every error of an app be answered in this form."""

    @app.exception_handler(ProblemError)
    async def problem(_: Request, error: ProblemError) -> JSONResponse:
        return answer(error.status, error.code, str(error))

    @app.exception_handler(ActionError)
    async def refused(_: Request, error: ActionError) -> JSONResponse:
        return answer(409, error.code, str(error))

    @app.exception_handler(FieldError)
    async def field(_: Request, error: FieldError) -> JSONResponse:
        return answer(422, "bad_field", f"{_printable(str(error))}.")

    @app.exception_handler(CannotBeDoneError)
    async def undone(_: Request, error: CannotBeDoneError) -> JSONResponse:
        return answer(409, "not_possible", _printable(str(error)))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return answer(400, "bad_json", "The body is not JSON.")
        place = ".".join(str(part) for part in first["loc"][1:]) or "body"
        sentence = f'Field "{place}": {first["msg"]}.'
        return answer(422, "bad_field", _printable(sentence))

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> JSONResponse:
        code = _CODES.get(error.status_code, "refused")
        return answer(error.status_code, code, f"{_printable(str(error.detail))}.")

    @app.exception_handler(sqlite3.OperationalError)
    async def unwritten(_: Request, __: sqlite3.OperationalError) -> JSONResponse:
        sentence = "The journal cannot be written: free space on the disk, then try again."
        return answer(503, "disk", sentence)

    @app.exception_handler(Exception)
    async def fault(_: Request, error: Exception) -> JSONResponse:
        return answer(500, "fault", f"This is a fault in table-monitor ({type(error).__name__}).")


def _printable(text: str) -> str:
    """A text that can be sent, whatever a client put into it."""
    return text.encode("utf-8", "replace").decode("utf-8")[:400]
