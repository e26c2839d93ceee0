"""A server in the test's own process, without a camera."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from monitor.live.desk import Desk, DeskSettings
from monitor.live.table_live import LiveTable
from monitor.server.app import build_app
from monitor.server.serving import Serving
from monitor.store import Journal
from tests.monitor.server.served import Served

TOKEN = "a-token-of-the-tests-only"
API = "/api/v1"


@pytest.fixture(autouse=True)
def no_server_stays_behind() -> Iterator[None]:
    """End what a test started and did not end itself."""
    yield
    while Served.started:
        server = Served.started.pop()
        if server.process.poll() is None:
            server.kill()


@dataclass
class Site:
    """The application and a client that speaks to it."""

    client: TestClient
    live: LiveTable
    serving: Serving

    def post(self, route: str, body: object, **more: Any) -> Any:
        """A request of the referee."""
        headers = {"Authorization": f"Bearer {TOKEN}"} | more.pop("headers", {})
        return self.client.post(f"{API}{route}", json=body, headers=headers, **more)

    def get(self, route: str) -> Any:
        """A request of anybody."""
        return self.client.get(f"{API}{route}")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A running application with a fresh journal."""
    journal = Journal(tmp_path)
    live = LiveTable(Desk(journal, DeskSettings(players=("Anna", "Bob"))), tmp_path)
    app = build_app(live, TOKEN)
    with TestClient(app, base_url="http://127.0.0.1:8765") as client:
        yield Site(client, live, app.state.serving)
    journal.close()
