"""The live API: who may do what, what it answers, and that nothing else gets through."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.monitor.live.scorer import BREAK
from tests.monitor.server.conftest import API, TOKEN, Site

SHOT = {"id": "s1", "facts": BREAK}


def test_anybody_may_read_and_only_the_referee_writes(site: Site) -> None:
    assert site.get("/state").json()["state"]["rack"]["phase"] == "break"
    for given, status, code in (
        (None, 401, "no_token"),
        ("Bearer wrong", 403, "wrong_token"),
        ("Basic abc", 401, "no_token"),
    ):
        headers = {} if given is None else {"Authorization": given}
        answer = site.client.post(f"{API}/shots", json=SHOT, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert site.get("/state").json()["state"]["rulings"] == []
    assert site.post("/shots", SHOT).status_code == 200
    assert len(site.get("/state").json()["state"]["rulings"]) == 1


def test_every_route_that_changes_something_wants_the_token(site: Site) -> None:
    paths = site.get("/openapi.json").json()["paths"]
    writing = [path for path, methods in paths.items() if "post" in methods]
    assert len(writing) >= 8
    for path in writing:
        assert site.client.post(path, json={}).status_code == 401


def test_too_many_wrong_tokens_have_to_wait(site: Site) -> None:
    answers = [
        site.client.post(f"{API}/shots", json=SHOT, headers={"Authorization": f"Bearer {n}"})
        for n in range(25)
    ]
    assert {answer.status_code for answer in answers[:20]} == {403}
    assert {answer.status_code for answer in answers[20:]} == {429}


def test_a_page_of_another_site_may_not_write(site: Site) -> None:
    wrong = {"Origin": "http://evil.example"}
    assert site.post("/shots", SHOT, headers=wrong).json()["error"] == "wrong_origin"
    own = {"Origin": "http://127.0.0.1:8765"}
    assert site.post("/shots", SHOT, headers=own).status_code == 200


def test_a_foreign_name_for_this_machine_is_not_answered(site: Site) -> None:
    """DNS rebinding: the host of the request must be an address or our own name."""
    answer = site.client.get(f"{API}/state", headers={"Host": "evil.example:8765"})
    assert (answer.status_code, answer.json()["error"]) == (403, "wrong_host")
    for host in ("127.0.0.1:8765", "localhost:8765", "[::1]:8765", "192.168.1.20"):
        assert site.client.get(f"{API}/state", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "bad_json"),
        (b"[" * 30_000, 400, "bad_json"),
        (b"x" * 70_000, 413, "too_large"),
        (b'{"id":"a","type":"note","text":"\\ud800"}', 422, "bad_field"),
        (b'{"id":"a","type":"clock_on","limit_s":NaN}', 422, "bad_field"),
        (b'{"id":"a","type":"clock_on","limit_s":1e999}', 422, "bad_field"),
        (b'{"id":"a","type":"note","text":"a","path":"/etc/passwd"}', 422, "bad_field"),
        (b'{"id":"../../x","type":"clock_off"}', 422, "bad_field"),
        (
            b'{"id":"a","type":"correct_fact","fact":"first_contact","value":[[[[[[[1]]]]]]]}',
            422,
            "",
        ),
        (b"null", 422, "bad_field"),
        (b"", 422, "bad_field"),
    ],
)
def test_nonsense_is_answered_in_one_sentence(
    site: Site, body: bytes, status: int, code: str
) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    answer = site.client.post(f"{API}/actions", content=body, headers=headers)
    assert answer.status_code == status
    assert answer.json()["error"] == (code or "bad_field")
    assert answer.json()["sentence"].endswith(".")
    assert site.get("/matches/1/records").json()["records"] == []


def test_an_action_is_answered_with_its_record_and_the_same_again(site: Site) -> None:
    first = site.post("/shots", SHOT).json()
    again = site.post("/shots", SHOT).json()
    assert first["shot"] == 1 and not first["repeated"]
    assert again["repeated"] and again["record"] == first["record"]
    assert re.match("Legal break", first["sentence"])
    records = site.get("/matches/1/records").json()["records"]
    assert [record["kind"] for record in records] == ["shot", "ruling"]


def test_what_cannot_be_done_now_is_a_conflict_with_its_reason(site: Site) -> None:
    answer = site.post("/actions", {"id": "p", "type": "push_out"})
    assert (answer.status_code, answer.json()["error"]) == (409, "not_possible")
    assert "9.4" in answer.json()["sentence"]


def test_a_shot_and_the_journal_can_be_read(site: Site) -> None:
    site.post("/shots", SHOT)
    shot = site.get("/shots/1").json()
    assert shot["source"] == "hand" and shot["rulings"][0]["legal"] is True
    assert {fact["fact"] for fact in shot["facts"]} >= {"first_contact", "rails_after_contact"}
    assert site.get("/shots/2").json()["error"] == "not_found"
    listed = site.get("/matches").json()["matches"]
    assert listed[0]["players"] == {"A": "Anna", "B": "Bob"}
    assert site.get("/matches/1/rejudged").json() == {"same": True, "changes": []}
    for name in ("shots", "declarations", "rulings", "journal"):
        assert site.get(f"/matches/1/export/{name}.jsonl").text
    assert site.get("/matches/1/export/token").status_code == 422
    assert site.get("/matches/7/records").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/static/../guard.py",
        "/static/..%2fguard.py",
        "/static/%2e%2e/%2e%2e/guard.py",
        f"{API}/evidence/..%2f..%2ftoken/clip.mp4",
        f"{API}/evidence/1/..%2ftoken",
        f"{API}/matches/1/export/..%2f..%2ftoken",
    ],
)
def test_no_path_leads_out(site: Site, path: str) -> None:
    answer = site.client.get(path)
    assert answer.status_code in (404, 422)
    assert TOKEN not in answer.text


def test_without_a_camera_the_rest_says_so(site: Site) -> None:
    assert site.get("/frame.jpg").json()["error"] == "no_picture"
    assert site.get("/video.mjpg").status_code == 404
    assert site.get("/setup").json()["calibrated"] is False
    assert site.post("/setup/calibrate", {}).json()["error"] == "no_camera"
    assert site.get("/evidence/1/clip.mp4").status_code == 404


def test_answers_carry_headers_that_keep_other_sites_out(site: Site) -> None:
    headers = site.client.get("/").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_whoami_tells_the_role(site: Site) -> None:
    def role(token: str) -> Any:
        headers = {"Authorization": f"Bearer {token}"}
        return site.client.get(f"{API}/whoami", headers=headers).json()["role"]

    assert (role(TOKEN), role("x")) == ("referee", "spectator")


def test_the_token_is_made_once_and_nobody_else_reads_it(tmp_path: Any) -> None:
    from monitor.server.guard import token_in  # noqa: PLC0415

    token = token_in(tmp_path)
    assert token_in(tmp_path) == token and len(token) >= 20
    assert (tmp_path / "token").stat().st_mode & 0o077 == 0
