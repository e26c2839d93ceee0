"""Hypothesis strategies for everything that a ruling takes: racks, facts, declarations."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from rules import declarations as say
from rules.declarations import Before, Call, Declarations, Declarer, Frozen, Kind, Penalty
from rules.facts import (
    CERTAIN,
    Advisory,
    BallFact,
    Blocker,
    Candidate,
    ClockReading,
    FirstContact,
    LipDrop,
    Mark,
    Moment,
    OutsideObject,
    Placement,
    PocketedBall,
    RailContact,
    RailDetail,
    SettledBall,
    ShotFacts,
    SupportedBall,
    Truth,
)
from rules.fouls import FOULS
from rules.match import Event
from rules.players import Pair, Player
from rules.rack import (
    PLAY_OR_HAND_BACK,
    THREE_POINT_OPTIONS,
    WHO_BREAKS,
    BreakOrder,
    CueBall,
    EventOptions,
    LastBallMoment,
    Option,
    Phase,
    Rack,
)
from table.balls import OBJECT_BALLS, Ball
from table.geometry import Cushion, Pocket

players = st.sampled_from(Player)
balls = st.sampled_from(Ball)
object_balls = st.sampled_from(OBJECT_BALLS)
pockets = st.sampled_from(Pocket)
cushions = st.sampled_from(Cushion)
articles = st.sampled_from([*(article for article, _ in FOULS), "6.11", "6.14", "9.3", "5.5"])
counters = st.builds(Pair, st.integers(0, 2), st.integers(0, 2))
flags = st.builds(Pair, st.booleans(), st.booleans())
undecided = st.floats(0.03, 0.97).map(lambda p: Mark(Truth.UNDECIDED, p, f"p {p:.2f}"))
marks = st.just(CERTAIN) | undecided


@st.composite
def racks(draw: st.DrawFn) -> Rack:
    """A rack between two strokes, also one that is over."""
    rack = Rack(
        balls=draw(st.frozensets(object_balls, min_size=1)),
        at_table=draw(players),
        breaker=draw(players),
        fouls=draw(counters),
        phase=draw(st.sampled_from(Phase)),
        cue_ball=draw(st.sampled_from(CueBall)),
        warned=draw(flags),
        stalemate_turns_left=draw(
            st.none() | st.builds(Pair, st.integers(0, 3), st.integers(0, 3))
        ),
        stalemate_agreed=draw(st.frozensets(players, max_size=1)),
        clock=draw(st.none() | flags),
        extensions_used=draw(st.none() | counters),
    )
    if rack.phase is Phase.RACK_OVER:
        return replace(rack, winner=rack.at_table, match_over=draw(st.booleans()))
    if rack.phase is Phase.BREAK:
        return replace(rack, options=draw(st.sampled_from(((), WHO_BREAKS))))
    if rack.phase is Phase.NORMAL and draw(st.booleans()):
        options = draw(st.sampled_from((PLAY_OR_HAND_BACK, THREE_POINT_OPTIONS)))
        return replace(rack, options=options, hand_back_to=rack.at_table.other)
    return rack


struck = st.lists(object_balls, max_size=2, unique=True).map(tuple)
candidates = st.builds(Candidate, struck, st.floats(0.03, 1.0), st.booleans())
sure_contacts = st.builds(Candidate, struck).map(lambda one: FirstContact((one,)))
doubtful_contacts = st.builds(
    FirstContact, st.lists(candidates, min_size=1, max_size=3).map(tuple), undecided
)
rail_contacts = st.builds(
    RailContact,
    balls,
    st.sampled_from(Moment),
    st.none() | st.sampled_from(RailDetail),
    st.none() | cushions,
)
points = st.tuples(st.floats(-1.2, 1.2), st.floats(-0.6, 0.6))


def lists_of(
    items: st.SearchStrategy[object], most: int = 4
) -> st.SearchStrategy[tuple[object, ...]]:
    """Short tuples."""
    return st.lists(items, max_size=most).map(tuple)


def _each_ball_once(facts: ShotFacts) -> ShotFacts:
    """Nature lets a ball go one way only: what fell did not also leave the table."""
    seen: set[Ball] = set()

    def first(items: tuple[object, ...]) -> tuple[object, ...]:
        kept = []
        for item in items:
            ball = item.ball  # type: ignore[attr-defined]
            if ball not in seen:
                seen.add(ball)
                kept.append(item)
        return tuple(kept)

    names = ("pocketed", "off_table", "outside_objects", "lip_drops", "supported", "rebounded")
    return replace(facts, **{name: first(getattr(facts, name)) for name in names})


sure_facts = st.builds(
    ShotFacts,
    first_contact=sure_contacts,
    rails=lists_of(rail_contacts, 6),
    pocketed=lists_of(st.builds(PocketedBall, balls, st.none() | pockets)),
    pocket_order_known=st.booleans(),
    off_table=lists_of(st.builds(BallFact, balls), 2),
    moving_at_start=lists_of(st.builds(BallFact, balls), 2),
    shooter=st.none() | players,
    outside_objects=lists_of(st.builds(OutsideObject, balls), 1),
    lip_drops=lists_of(st.builds(LipDrop, balls, st.none() | pockets, st.floats(0, 9)), 1),
    supported=lists_of(st.builds(SupportedBall, balls, pockets), 1),
    rebounded=lists_of(st.builds(PocketedBall, balls, pockets), 1),
    cue_ball_touched_pocketed_ball=st.none() | st.none() | st.just(CERTAIN),
    frozen_ball_moved=st.none() | object_balls,
    contact_and_rail_simultaneous=st.booleans(),
    placement=st.none() | st.sampled_from(Placement),
    advisories=lists_of(st.builds(Advisory, articles), 2),
    settled=st.none() | st.builds(SettledBall, balls, pockets, st.booleans()),
    settling=st.frozensets(balls, max_size=1),
    motion_residual_mm_s=st.none() | st.floats(0, 20),
    reached_head_string=st.frozensets(object_balls, max_size=3),
    clock=st.none()
    | st.builds(ClockReading, st.floats(0, 60), st.just(35.0), st.none() | st.booleans()),
    template_touched=st.none() | balls,
    next_stroke_started=st.booleans(),
    blockers=st.lists(
        st.builds(Blocker, balls, st.just("foot_spot") | points),
        max_size=2,
        unique_by=lambda blocker: blocker.ball,
    ).map(tuple),
    all_below_foot_spot_blocked=st.booleans(),
    incomplete=st.none() | st.none() | st.just("cut"),
).map(_each_ball_once)


@st.composite
def doubtful_facts(draw: st.DrawFn) -> ShotFacts:
    """Facts of which some are undecided."""
    facts = draw(sure_facts)
    contact = draw(st.just(facts.first_contact) | doubtful_contacts)
    return replace(with_doubt(draw, facts), first_contact=contact)


def with_doubt(draw: st.DrawFn, facts: ShotFacts) -> ShotFacts:
    """The same facts, some of them no longer sure."""
    names = ("rails", "pocketed", "off_table", "moving_at_start", "outside_objects")
    names += ("lip_drops", "supported", "rebounded")
    changed: dict[str, object] = {
        name: tuple(replace(item, mark=draw(marks)) for item in getattr(facts, name))
        for name in names
    }
    if facts.cue_ball_touched_pocketed_ball is not None:
        changed["cue_ball_touched_pocketed_ball"] = draw(marks)
    changed["placement_mark"] = draw(marks)
    wider = st.sampled_from((0.0, 0.0, 0.5, 4.0))
    drops = changed["lip_drops"]
    changed["lip_drops"] = tuple(replace(drop, tolerance_s=draw(wider)) for drop in drops)  # type: ignore[attr-defined]
    return replace(facts, **changed)  # type: ignore[arg-type]


calls = st.builds(Call, object_balls, pockets)
frozens = st.builds(Frozen, st.just(Ball.CUE), object_balls, st.sampled_from(Declarer)) | st.builds(
    Frozen, balls, cushions, st.sampled_from(Declarer)
)
befores = st.builds(
    Before,
    st.none() | calls,
    st.sampled_from(Kind),
    lists_of(frozens, 2),
    st.none() | st.sampled_from(Kind),
)
foul_calls = st.builds(
    say.FoulCall,
    articles,
    players,
    st.booleans(),
    st.booleans(),
    st.none() | st.sampled_from(Penalty),
    st.none(),
    st.none() | balls,
    st.none() | pockets,
)
lag_results = st.builds(say.LagResult, st.booleans())
afters = st.one_of(
    foul_calls,
    st.builds(say.Confirm, articles),
    st.builds(say.Dismiss, articles),
    st.builds(say.ObviousCall, object_balls, pockets),
    st.builds(say.Choice, players, st.sampled_from(Option)),
    st.builds(say.CorrectCall, calls),
    st.builds(say.LateDeclaration, st.sampled_from(Kind)),
    st.builds(say.LateFoulCall, articles, players, st.booleans()),
    st.builds(say.CallRequested),
    st.builds(say.WarnTwoFouls, players),
    st.builds(say.SpeedUpRequest, players),
    st.builds(say.ClockOn),
    st.builds(say.Extension, players),
    st.builds(say.TimeExpired, players),
    st.builds(say.Unsporting, players, st.sampled_from(Penalty)),
    st.builds(say.Interference, st.none(), st.none() | balls),
    st.builds(say.Restore, lists_of(balls, 2)),
    st.builds(say.CannotRestore),
    st.builds(say.Replay),
    st.builds(say.BallFellByItself, object_balls),
    st.builds(say.PlacementCheck, st.sampled_from(Placement)),
    st.builds(say.StalemateAnnounce),
    st.builds(say.StalemateAgree, players),
    st.builds(say.StalemateDeclare),
    st.builds(say.Rerack),
    st.builds(say.NextRack),
    st.builds(say.Spot, object_balls),
    st.builds(say.Undo),
    st.builds(say.WithdrawFoul, articles),
    st.builds(say.Concede, players, st.sampled_from(say.Scope)),
    st.builds(say.Lag, lag_results, lag_results),
    st.builds(say.LagWon, players),
)
declarations = st.builds(Declarations, befores, lists_of(afters, 3))
options = st.builds(
    EventOptions,
    st.booleans(),
    st.sampled_from(BreakOrder),
    st.sampled_from(LastBallMoment),
    st.booleans(),
)
events = st.builds(Event, st.none() | doubtful_facts(), declarations)
