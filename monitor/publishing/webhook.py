"""Publishing to a web address: each ruling, and the state when it changes, as a POST of JSON."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from monitor.failures import CannotBeDoneError, sentence_for
from monitor.publishing.feed import Feed
from monitor.publishing.messages import payload
from monitor.settings import WebhookSettings
from monitor.store import Body

SIGNATURE: Final = "X-Table-Monitor-Signature"
_WITHIN_S: Final = 5.0
_WAITS_S: Final = (1.0, 2.0, 5.0, 15.0, 60.0)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """What is told to one address is not told to another."""

    def redirect_request(
        self,
        req: urllib.request.Request,  # noqa: ARG002
        fp: IO[bytes],  # noqa: ARG002
        code: int,  # noqa: ARG002
        msg: str,  # noqa: ARG002
        headers: http.client.HTTPMessage,  # noqa: ARG002
        newurl: str,  # noqa: ARG002
    ) -> None:
        """Refuse."""
        return


@dataclass(eq=False)
class WebhookPublisher:
    """One address. `tick` is called again and again from one thread.

    Raises:
        CannotBeDoneError: when the address or the secret's file cannot be used.
    """

    settings: WebhookSettings
    feed: Feed
    _secret: bytes = field(default=b"", init=False)
    _state: str | None = field(default=None, init=False)
    """What the address has."""
    _failures: int = field(default=0, init=False)
    _not_before: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        address = urlsplit(self.settings.url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise CannotBeDoneError(f'[webhook] url: "{self.settings.url}" is no web address.')
        if self.settings.secret_file:
            try:
                self._secret = Path(self.settings.secret_file).read_bytes().strip()
            except OSError as error:
                raise CannotBeDoneError(f"[webhook] secret_file: {sentence_for(error)}") from None
        self._opener = urllib.request.build_opener(_NoRedirect)

    def start(self) -> None:
        """Nothing to begin with."""

    def stop(self) -> None:
        """Nothing to end."""

    def tick(self, state: Body) -> None:
        """Send what is new, in order; what is not taken is tried again later."""
        if time.monotonic() < self._not_before:
            return
        for message in self.feed.waiting():
            if not self._post(payload(message.to_json())):
                return
            self.feed.sent(message.record)
        text = payload(state)
        if text != self._state and self._post(text):
            self._state = text

    def _post(self, text: str) -> bool:
        body = text.encode()
        request = urllib.request.Request(self.settings.url, body, self._headers(body))
        try:
            with self._opener.open(request, timeout=_WITHIN_S) as answer:
                taken = 200 <= int(answer.status) < 300
        except (urllib.error.URLError, OSError, http.client.HTTPException):
            taken = False
        if taken:
            self._failures = 0
        else:
            wait_s = _WAITS_S[min(self._failures, len(_WAITS_S) - 1)]
            self._failures += 1
            self._not_before = time.monotonic() + wait_s
        return taken

    def _headers(self, body: bytes) -> Mapping[str, str]:
        headers = {"Content-Type": "application/json; charset=utf-8"}
        if self._secret:
            digest = hmac.new(self._secret, body, hashlib.sha256).hexdigest()
            headers[SIGNATURE] = f"sha256={digest}"
        return headers
