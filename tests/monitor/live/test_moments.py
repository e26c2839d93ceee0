"""Which moments of a shot are kept as evidence."""

from __future__ import annotations

from monitor.live.moments import deciding_moments
from table.events import BallContact, BallPocketed, CushionContact, ShotEvent
from table.geometry import Cushion, Pocket

CONTACT = BallContact(shot=1, t_s=10.0, a="cue", b="3")
EARLY = CushionContact(shot=1, t_s=9.5, ball="cue", cushion=Cushion.HEAD)
RAIL = CushionContact(shot=1, t_s=10.8, ball="3", cushion=Cushion.FOOT)
PRESSED = CushionContact(shot=1, t_s=10.3, ball="5", cushion=Cushion.FOOT, from_rest=True)
FALLS = BallPocketed(shot=1, t_s=11.2, ball="3", pocket=Pocket.FL)


def kept(*events: ShotEvent) -> list[str]:
    """The names of what is kept."""
    return [moment.what for moment in deciding_moments(events, {})]


def test_where_nothing_falls_the_first_rail_after_the_contact_is_kept() -> None:
    """6.3 rests on it; a rail before the contact, or one lain at, decides nothing."""
    assert kept(EARLY, CONTACT, PRESSED, RAIL) == ["first_contact", "rail_3"]


def test_where_a_ball_falls_its_fall_is_kept_and_no_rail() -> None:
    """A ball that is pocketed has reached a rail (8.4)."""
    assert kept(CONTACT, RAIL, FALLS) == ["first_contact", "pocketed_3"]


def test_no_contact_leaves_nothing_to_show() -> None:
    """Rails of a cue ball that met no ball decide nothing."""
    assert kept(EARLY) == []


def test_a_clip_reaches_from_two_seconds_before_to_one_after() -> None:
    """The span that is cut from the recorded packets."""
    assert deciding_moments((CONTACT,), {})[0].span == (8.0, 11.0)
