"""A clip as the camera: call, stroke, ruling, evidence, and a restart within the rack."""

from __future__ import annotations

import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

from tests.monitor.server.served import Served, Watcher
from tests.monitor.waiting import waited_for

POT = Path(__file__).parents[3] / "fixtures" / "videos" / "pot"
ARGUMENTS = (str(POT / "clip.mp4"), "--camera", str(POT / "camera.json"), "--ball-set", "tv")


wait_for = partial(waited_for, within_s=120.0, step_s=0.2)


def test_a_called_shot_is_seen_ruled_on_and_kept(tmp_path: Path) -> None:
    server = Served(tmp_path, (*ARGUMENTS, "--paused"))
    watcher = Watcher(server.base)
    server.post("/actions", {"id": "call", "type": "call", "ball": "2", "pocket": "FR"})
    assert server.post("/setup/play", {})["ok"]

    def first_ruling() -> Any:
        rulings = server.get("/state")["state"]["rulings"]
        done = (
            rulings and rulings[0]["evidence"] and all(e["ready"] for e in rulings[0]["evidence"])
        )
        return rulings[0] if done else None

    ruling = wait_for(first_ruling)
    assert (ruling["shot"], ruling["source"], ruling["legal"]) == (1, "camera", True)
    assert ruling["sentence"].startswith("The 2 is down as called")
    state = server.get("/state")["state"]
    assert "2" not in state["rack"]["balls"] and {"4", "5", "6"} <= set(state["rack"]["balls"])
    assert state["rack"]["at_table"] == "A" and state["rack"]["ball_on"] == "4"
    assert {"first_contact", "pocketed_2"} <= {e["what"] for e in ruling["evidence"]}
    clip = f"{server.base}/api/v1/evidence/{ruling['evidence'][0]['id']}"
    request = urllib.request.Request(f"{clip}/clip.mp4", headers={"Range": "bytes=0-99"})
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 206 and answer.read()[4:8] == b"ftyp"
    with urllib.request.urlopen(f"{clip}/picture.jpg") as answer:
        assert answer.read()[:2] == b"\xff\xd8"
    with urllib.request.urlopen(f"{server.base}/api/v1/setup/picture.jpg") as answer:
        assert answer.read()[:2] == b"\xff\xd8"
    kinds = {message["type"] for message in watcher.messages}
    assert {"snapshot", "delta", "frame"} <= kinds
    phases = [
        message["changes"]["shot"]["phase"]
        for message in watcher.messages
        if message["type"] == "delta" and "shot" in message["changes"]
    ]
    assert "moving" in phases

    server.post("/actions", {"id": "next", "type": "call", "ball": "4", "pocket": "SL"})
    before = server.get("/state")["state"]
    server.kill()
    server = Served(tmp_path, ARGUMENTS)
    wait_for(lambda: server.get("/health")["frames"] or server.get("/health")["camera"] == "ended")
    after = server.get("/state")["state"]
    for section in ("rack", "score", "next_shot"):
        assert after[section] == before[section]
    assert [r["record"] for r in after["rulings"]] == [r["record"] for r in before["rulings"]]
    assert server.stop() == 0


def test_corners_by_hand_give_a_camera(tmp_path: Path) -> None:
    server = Served(tmp_path, (*ARGUMENTS, "--realtime"))
    setup = wait_for(lambda: server.get("/setup") if server.get("/setup")["calibrated"] else None)
    assert setup["head"] == "right" and {c["id"] for c in setup["checks"]} >= {"picture", "head"}
    told = {"corners_px": setup["corners_px"], "head": "left", "table": "9ft"}
    found = server.post("/setup/corners", told)
    assert found["ok"] and found["head"] == "left" and len(found["outline_px"]) > 8
    assert server.post("/setup/use", {})["head"] == "left"
    assert (tmp_path / "camera.json").is_file()
    wrong = server.post("/setup/corners", {"corners_px": {"HL": [1, 1]}})
    assert not wrong["ok"] and wrong["sentence"].endswith(".")
    assert server.post("/setup/ball-set", {"name": "nowhere"})["error"] == "not_possible"
    assert server.post("/setup/ball-set", {"name": "standard"})["ball_set"] == "standard"
    server.kill()
