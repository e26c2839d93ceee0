"""The program as a whole: started, spoken to, killed, started again."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from fastapi import FastAPI

from monitor.server.running import bound_socket, server_for
from tests.monitor.live.scorer import BREAK
from tests.monitor.server.killing import kill_many
from tests.monitor.server.served import Served


def test_kill_9_loses_nothing_that_was_shown_and_takes_nothing_twice(tmp_path: Path) -> None:
    """Two random kills here; benchmarks/live_kill.py does a hundred."""
    tally = kill_many(tmp_path, kills=2, seed=8)
    assert tally.faults == []
    assert tally.kills == 2 and tally.actions > 3


def test_a_match_goes_on_after_a_restart(tmp_path: Path) -> None:
    server = Served(tmp_path)
    server.post("/shots", {"id": "s", "facts": BREAK})
    server.post("/actions", {"id": "p", "type": "push_out"})
    before = server.get("/state")
    server.kill()
    server = Served(tmp_path)
    after = server.get("/state")
    assert after["epoch"] != before["epoch"]
    for section in ("rack", "next_shot", "rulings", "undo", "score"):
        assert after["state"][section] == before["state"][section]
    assert server.stop() == 0


def test_a_port_in_use_is_said_in_one_sentence(tmp_path: Path) -> None:
    server = Served(tmp_path / "a")
    port = server.base.rsplit(":", 1)[1]
    command = [sys.executable, "-m", "monitor", "watch", "none", "--port", port]
    second = subprocess.run(
        [*command, "--data", str(tmp_path / "b")], capture_output=True, text=True, check=False
    )
    assert second.returncode == 1 and "cannot be used" in second.stderr
    same = subprocess.run(
        [*command[:-1], "0", "--data", str(tmp_path / "a")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert same.returncode == 1 and "Another table-monitor" in same.stderr
    server.kill()


def test_watch_needs_to_be_told_what(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "monitor", "watch", "--data", str(tmp_path)]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert asked.returncode == 2 and "none" in asked.stderr
    absent = subprocess.run([*command, "no.mp4"], capture_output=True, text=True, check=False)
    assert absent.returncode == 1 and "does not exist" in absent.stderr


def test_the_other_verbs_do_not_wait_for_the_server(tmp_path: Path) -> None:
    """`replay` and `judge` answer at once: they import neither FastAPI nor numpy."""
    code = (
        "import sys; from monitor.cli import main;"
        f"main(['replay', {str(tmp_path / 'log.jsonl')!r}]);"
        "assert not {'fastapi', 'pydantic', 'numpy', 'sqlite3'} & set(sys.modules)"
    )
    (tmp_path / "log.jsonl").write_text('{"v":1,"kind":"source"}\n')
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_address_is_told_once_it_is_answered() -> None:
    """Whoever reads it may ask at once."""
    told: list[bool] = []
    app = FastAPI()
    listening = bound_socket("127.0.0.1", 0)
    server = server_for(app, lambda: told.append(server.started))
    running = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    running.start()
    try:
        give_up = time.monotonic() + 20
        while not told and time.monotonic() < give_up:
            time.sleep(0.01)
        assert told == [True]
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(address, timeout=5)
    finally:
        server.should_exit = True
        running.join(10)
