"""All figures of one clip: truth beside results."""

from __future__ import annotations

from dataclasses import replace

from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.happenings import CONTACT, STARTED
from monitor.evaluation.matching import names_used_alike, pair_shots
from monitor.evaluation.results import Results, is_turned, turned
from monitor.evaluation.score_events import score_events
from monitor.evaluation.score_first_contact import score_first_contacts
from monitor.evaluation.score_rest import score_rest
from monitor.evaluation.score_rulings import score_rulings
from monitor.evaluation.score_tracks import score_tracks
from monitor.evaluation.scores import Counts, Miss, SpeedScore
from monitor.evaluation.truth import Truth
from table.balls import CUE


def score_clip(truth: Truth, results: Results) -> ClipScore:
    """Score one clip. Without results everything that happened counts as overlooked."""
    notes = []
    if is_turned(results, truth.head):
        results = turned(results)
        notes.append(f"{truth.name}: head end assumed at the other end; scored turned by 180°")
    if truth.unknown_set:
        results, note = _renamed(truth, results)
        notes += [f"{truth.name}: {note}"] if note else []
    if results.camera is None and not results.problem:
        notes.append(f"{truth.name}: no camera.json, positions in pixels are not scored")
    pairs = pair_shots(truth, results.shots)
    first, first_stated, first_misses = score_first_contacts(truth.name, pairs, truth.unknown_set)
    events = score_events(truth, pairs, results.shots)
    rest = score_rest(truth, pairs, results)
    rulings, ruling_misses = score_rulings(truth, pairs, results.rulings)
    misses: tuple[Miss, ...] = (*first_misses, *events.misses, *rest.misses, *ruling_misses)
    if results.problem:
        misses = (Miss(truth.name, "clip", "no output", None, results.problem),)
    matched = sum(our is not None for _, our in pairs.pairs)
    return ClipScore(
        name=truth.name,
        problems=(f"{truth.name}: {results.problem}",) if results.problem else (),
        shots=Counts(matched, len(pairs.extra), len(pairs.pairs) - matched),
        events=events.events,
        first_contact=first,
        pocketed_sets=events.pocketed_sets,
        rest=rest.rest,
        rolling=rest.rolling,
        tracks=score_tracks(truth.tracks, results.tracks, truth.times.frame_s),
        rulings=rulings,
        speed=_speed(truth, results),
        stated=(*events.stated, *first_stated),
        misses=misses,
        notes=tuple(notes),
    )


def _speed(truth: Truth, results: Results) -> SpeedScore | None:
    """How fast the review was, when it wrote its timing."""
    if not results.timing or results.timing.get("total_s", 0.0) <= 0.0:
        return None
    times = truth.times
    return SpeedScore(
        clips=1,
        footage_s=max(times.last_s - times.first_s, 0.0) + times.frame_s if times.times_s else 0.0,
        frames=len(times.times_s),
        total_s=results.timing["total_s"],
        startup_s=results.timing.get("startup_s", 0.0),
    )


def _renamed(truth: Truth, results: Results) -> tuple[Results, str]:
    """Our results with truth's names for balls that have no numbers."""
    true_items = [item for shot in truth.shots for item in shot.events if item.kind != STARTED]
    our_items = [item for shot in results.shots for item in shot.events if item.kind != STARTED]
    names = names_used_alike(true_items, our_items)
    shots = []
    for shot in results.shots:
        events = tuple(item.renamed(names) for item in shot.events)
        contacts = [item for item in events if item.kind == CONTACT and CUE in item.balls]
        first = shot.first_contact
        if contacts:
            ball = next(iter(min(contacts, key=lambda item: item.t_s).balls - {CUE}))
            first = replace(first, ball=ball)
        moving = frozenset(names.get(ball, ball) for ball in shot.moving)
        shots.append(replace(shot, events=events, first_contact=first, moving=moving))
    used = {ours: true for ours, true in names.items() if ours != true and "not" not in true}
    note = "our names " + ", ".join(f"{a} = {b}" for a, b in used.items()) if used else ""
    return replace(results, shots=tuple(shots)), note
