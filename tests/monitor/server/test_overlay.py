"""What the overlay shows, for graphics of other programs."""

from __future__ import annotations

from tests.monitor.server.conftest import Site


def test_the_overlay_as_an_object(site: Site) -> None:
    told = site.get("/overlay").json()
    assert told["players"] == {"A": "Anna", "B": "Bob"} and told["ball_on"] == "1"
    assert told["score"] == {"A": 0, "B": 0} and told["clock"]["on"] is False
    facts = {"first_contact": "1", "rails_after_contact": ["1", "2", "3", "4"]}
    site.post("/shots", {"id": "s", "facts": facts})
    after = site.get("/overlay").json()
    assert after["at_table"] == "B" and after["last_ruling"]


def test_the_overlay_page_is_served_without_a_token(site: Site) -> None:
    answer = site.client.get("/overlay?parts=score")
    assert answer.status_code == 200 and 'class="overlay"' in answer.text
