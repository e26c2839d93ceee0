"""The overview: shots, first contact, positions, identity, tracks, rulings, speed."""

from __future__ import annotations

from monitor.evaluation.clip_score import ClipScore
from monitor.evaluation.intervals import percentile
from monitor.evaluation.rows import Table, number, of, percent

Rows = list[tuple[str, str, str]]


def overview_table(score: ClipScore) -> Table:
    """Shots, first contact, positions, identity, tracks, rulings, speed."""
    first, rest = score.first_contact, score.rest
    rows = [
        (
            "shots found",
            percent(score.shots.recall),
            f"{score.shots.tp} found, {score.shots.fn} missed, {score.shots.fp} extra",
        ),
        (
            "first contact, right of those given",
            percent(first.given),
            f"{first.right} right, {first.wrong} wrong",
        ),
        (
            "first contact left undecided",
            percent(first.left_undecided),
            f"{first.undecided}, likeliest right in {first.undecided_leading_right}",
        ),
        ("exact set of pocketed balls", percent(score.pocketed_sets), of(score.pocketed_sets)),
        *_rest_rows(score),
        (
            "identity at rest, right of those named",
            percent(rest.named),
            f"{rest.named_right} right, {rest.named_wrong} wrong, {rest.unnamed} unnamed",
        ),
        ("balls at rest found", percent(rest.found), f"{rest.missing} missing, {rest.extra} extra"),
        ("balls that may roll, at a labelled frame", percent(score.rolling), of(score.rolling)),
        *_track_rows(score),
        *_ruling_rows(score),
        *_speed_rows(score),
    ]
    return Table("Overview", ("figure", "value [95 % bounds]", "counts"), tuple(rows))


def _rest_rows(score: ClipScore) -> Rows:
    rows = []
    for title, values in (
        ("resting position error (mm)", score.rest.errors_mm),
        ("... without the picture's common shift", score.rest.errors_without_shift_mm),
    ):
        text = "-"
        if values:
            parts = (percentile(values, 0.5), percentile(values, 0.95), max(values))
            text = "median {:.2f}, p95 {:.2f}, max {:.2f}".format(*parts)
        rows.append((title, text, f"{len(values)} balls"))
    return rows


def _track_rows(score: ClipScore) -> Rows:
    tracks = score.tracks
    if tracks is None:
        return []
    clean = tracks.without_switch
    return [
        (
            "moving balls seen, frame by frame",
            percent(tracks.moving.recall),
            f"{tracks.moving.tp} of {tracks.moving.tp + tracks.moving.fn}",
        ),
        (
            "HOTA / IDF1",
            f"{number(tracks.hota, '.4f')} / {number(tracks.idf1, '.4f')}",
            f"{tracks.switches} switches",
        ),
        ("tracks under the right name, frame by frame", percent(tracks.named), of(tracks.named)),
        ("clips without a switch", percent(clean), of(clean)),
    ]


def _ruling_rows(score: ClipScore) -> Rows:
    rulings = score.rulings
    if rulings is None:
        return []
    return [
        (
            "rulings, right of those given",
            percent(rulings.given),
            f"{rulings.right} right, {rulings.wrong} wrong",
        ),
        (
            "rulings with a question",
            percent(rulings.asked),
            f"{rulings.questions}, {rulings.questions_agreeing} as expected all the same",
        ),
    ]


def _speed_rows(score: ClipScore) -> Rows:
    speed = score.speed
    if speed is None or speed.total_s <= 0.0:
        return []
    work_s = speed.total_s - speed.startup_s
    rows = [
        (
            "speed, start-up counted",
            f"{speed.footage_s / speed.total_s:.2f} x real time",
            f"{speed.frames / speed.total_s:.1f} frames/s, "
            f"{speed.total_s:.1f} s for {speed.footage_s:.1f} s",
        ),
    ]
    if speed.startup_s > 0.0 and work_s > 0.0:
        rows.append(
            (
                "speed, start-up left out",
                f"{speed.footage_s / work_s:.2f} x real time",
                f"{speed.frames / work_s:.1f} frames/s, "
                f"start-up {speed.startup_s / speed.clips:.2f} s a clip",
            )
        )
    return rows
