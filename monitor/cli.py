"""The command line: parsing and printing only.

Every verb imports what it needs when it runs, so that `replay` and `judge` answer at once.
stdout is the product, stderr the log and the progress bar. Exit codes: 0 done, 1 could not
be done, 2 asked wrongly.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TypeAlias

from monitor import verbs
from monitor.exports import DEFAULT_EVERY, FORMATS
from monitor.failures import AskedWronglyError, CannotBeDoneError, sentence_for
from table.geometry import TableSpec, table_from_text
from table.json_fields import FieldError
from table.log import LogError

PROGRAM = "table-monitor"


class Parser(argparse.ArgumentParser):
    """An argument parser that complains in one sentence and says what to do next."""

    def error(self, message: str) -> NoReturn:
        """Print one sentence and leave with exit code 2."""
        text = message[:1].upper() + message[1:]
        self.exit(2, f'{text}. Try "{self.prog} --help".\n')


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    asked = build_parser().parse_args(arguments)
    if not asked.debug:
        # Libraries' warnings are for developers; stderr is for the user.
        warnings.simplefilter("ignore")
    try:
        code = int(asked.run(asked))
        sys.stdout.flush()
        return code
    except AskedWronglyError as error:
        return _told(2, str(error))
    except BrokenPipeError:
        # The reader of stdout has seen enough; keep the interpreter from complaining too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        again = " The same command goes on from here." if asked.verb == "review" else ""
        return _told(1, f"Stopped before the end; what was not finished was not written.{again}")
    except (CannotBeDoneError, LogError, FieldError) as error:
        return _told(1, str(error))
    except OSError as error:
        if asked.debug:
            raise
        return _told(1, sentence_for(error))
    except MemoryError:
        return _told(1, "There is not enough memory; close other programs or use a shorter video.")
    except Exception as error:
        if asked.debug:
            raise
        place = f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]
        return _told(1, f"This is a fault in {PROGRAM} ({place}); --debug shows where.")


def build_parser() -> argparse.ArgumentParser:
    """The parser of all verbs; each sets `run`."""
    parser = Parser(
        prog=PROGRAM,
        allow_abbrev=False,
        description="Watches a pool table through an overhead camera and rules on ten-ball.",
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {_version()}")
    named = parser.add_subparsers(title="verbs", metavar="VERB", dest="verb", required=True)
    for add in (
        _calibrate,
        _review,
        _watch,
        _check,
        _replay,
        _judge,
        _evaluate,
        _enroll,
        _export,
        _record_case,
        _clips,
        _synth,
    ):
        add(named)
    return parser


Verbs: TypeAlias = "argparse._SubParsersAction[Parser]"


def _verb(named: Verbs, name: str, text: str) -> Parser:
    parser: Parser = named.add_parser(name, help=text, description=text, allow_abbrev=False)
    parser.add_argument("--debug", action="store_true", help="show where a fault happened")
    return parser


def _calibrate(named: Verbs) -> None:
    parser = _verb(named, "calibrate", "Find the table in a clip or picture: pixels to metres.")
    parser.add_argument("source", type=Path, metavar="SOURCE", help="video or picture")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="camera.json")
    _table_options(parser)
    parser.add_argument(
        "--lens", type=Path, metavar="FILE", help="lens file, or folder with pictures of a board"
    )
    parser.add_argument("--preview", type=Path, metavar="P.png", help="the table drawn on a frame")
    parser.add_argument("--json", action="store_true", help="print camera.json to stdout")
    parser.set_defaults(run=verbs.calibrate)


def _review(named: Verbs) -> None:
    parser = _verb(named, "review", "Turn video into a shot log, rulings and a report.")
    parser.add_argument("videos", type=Path, nargs="+", metavar="VIDEO")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    _review_options(parser)
    parser.add_argument("--annotate", action="store_true", help="write annotated.mp4 too")
    parser.add_argument("--jobs", type=_at_least_one, default=1, metavar="N", help="videos at once")
    parser.add_argument(
        "--again", action="store_true", help="look at videos again that were seen before"
    )
    parser.add_argument("--json", action="store_true", help="print rulings as JSON lines")
    parser.set_defaults(run=verbs.review)


def _watch(named: Verbs) -> None:
    parser = _verb(named, "watch", "Run a table for an evening: rulings on a live page.")
    parser.add_argument(
        "source", nargs="?", metavar="SOURCE", help='a video file; "none": facts by hand'
    )
    parser.add_argument("--no-camera", action="store_true", help="the same as SOURCE none")
    parser.add_argument("--camera", type=Path, metavar="FILE", help="camera.json of this camera")
    _table_options(parser)
    parser.add_argument("--players", type=_two_names, metavar="NAME,NAME")
    parser.add_argument("--ball-set", metavar="SET", help="standard, tv or a file of `enroll`")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="127.0.0.1; 0.0.0.0")
    parser.add_argument("--port", type=_port, default=8765, metavar="N", help="8765; 0: any")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where journal and evidence lie")
    parser.add_argument("--record", type=Path, metavar="DIR", help="record the camera, as it comes")
    parser.add_argument("--realtime", action="store_true", help="play a file at its true speed")
    parser.add_argument("--paused", action="store_true", help="a file waits until told to play")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings.toml")
    parser.set_defaults(run=verbs.watch)


def _check(named: Verbs) -> None:
    parser = _verb(named, "check", "Test camera, light, table and balls before a match.")
    parser.add_argument("source", metavar="SOURCE", help="camera (address, device), file or folder")
    parser.add_argument("--camera", type=Path, metavar="FILE", help="camera.json of this camera")
    _table_options(parser)
    parser.add_argument("--ball-set", metavar="SET", help="standard, tv or a file of `enroll`")
    parser.add_argument("--seconds", type=_at_least_one, default=8, metavar="N", help="default: 8")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where the journal will lie")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings.toml")
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    parser.set_defaults(run=verbs.check)


def _replay(named: Verbs) -> None:
    parser = _verb(named, "replay", "Rule on a shot log: rulings.jsonl on stdout.")
    parser.add_argument("log", type=Path, metavar="SHOTLOG")
    _match_options(parser)
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings.toml")
    parser.add_argument("--json", action="store_true", help="JSON lines (the only form)")
    parser.set_defaults(run=verbs.replay)


def _judge(named: Verbs) -> None:
    parser = _verb(named, "judge", "Rule on written cases: a JSON array on stdout.")
    parser.add_argument("cases", type=Path, metavar="CASES.json")
    parser.add_argument("--json", action="store_true", help="JSON (the only form)")
    parser.set_defaults(run=verbs.judge)


def _evaluate(named: Verbs) -> None:
    parser = _verb(named, "evaluate", "Measure reviews against clips with truth.")
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--results", type=Path, metavar="DIR", help="reviews made before")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.set_defaults(run=verbs.evaluate)


def _enroll(named: Verbs) -> None:
    parser = _verb(named, "enroll", "Learn how this table's balls look.")
    parser.add_argument(
        "source",
        type=Path,
        metavar="SOURCE",
        help="video or picture: cue ball and 1 to 10 in a row in number order, or a rack",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="ballset.json")
    parser.add_argument("--camera", type=Path, metavar="FILE", help="camera.json of this camera")
    _table_options(parser)
    parser.add_argument(
        "--preview", type=Path, metavar="P.png", help="picture to check by (default: beside FILE)"
    )
    parser.add_argument("--json", action="store_true", help="print the ball set to stdout")
    parser.set_defaults(run=verbs.enroll)


def _export(named: Verbs) -> None:
    parser = _verb(named, "export", "Write a review in the format of another program.")
    _reviewed_options(parser)
    parser.add_argument("--format", required=True, choices=FORMATS)
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: DIR/export/<format>")
    parser.add_argument(
        "--every",
        type=_at_least_one,
        default=DEFAULT_EVERY,
        metavar="N",
        help="coco, yolo: every n-th frame",
    )
    parser.set_defaults(run=verbs.export)


def _clips(named: Verbs) -> None:
    parser = _verb(named, "clips", "Cut a reviewed video into one file a shot.")
    _reviewed_options(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: DIR/clips")
    parser.set_defaults(run=verbs.clips)


def _record_case(named: Verbs) -> None:
    parser = _verb(named, "record-case", "Make a regression test of one shot of a video.")
    parser.add_argument("video", type=Path, metavar="VIDEO")
    parser.add_argument("--shot", type=_at_least_one, required=True, metavar="N")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    _review_options(parser)
    parser.set_defaults(run=verbs.record_case)


def _synth(named: Verbs) -> None:
    parser = _verb(named, "synth", "Make clips with exact truth.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--shots", type=_at_least_one, required=True, metavar="N")
    parser.add_argument("--seed", type=int, required=True, metavar="S")
    parser.add_argument("--preset", metavar="NAME")
    parser.set_defaults(run=verbs.synth)


def _review_options(parser: Parser) -> None:
    parser.add_argument("--camera", type=Path, metavar="FILE", help="camera.json of this camera")
    _table_options(parser)
    _match_options(parser)
    parser.add_argument("--ball-set", metavar="SET", help="standard, tv or a file of `enroll`")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="settings.toml")


def _reviewed_options(parser: Parser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder that `review` wrote")
    parser.add_argument("--video", type=Path, metavar="FILE", help="the video, when not beside DIR")


def _table_options(parser: Parser) -> None:
    parser.add_argument("--table", type=_table, metavar="SIZE", help="9ft (default), 8ft, 7ft, L,W")
    parser.add_argument(
        "--head", choices=("left", "right", "top", "bottom"), help="image side of the head end"
    )
    parser.add_argument("--points", type=Path, metavar="FILE", help="the four corners by hand")


def _match_options(parser: Parser) -> None:
    parser.add_argument("--declarations", type=Path, metavar="FILE", help="declarations.jsonl")
    parser.add_argument("--players", type=_two_names, metavar="NAME,NAME")


def _table(text: str) -> TableSpec:
    try:
        return table_from_text(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _two_names(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise argparse.ArgumentTypeError(f'"{text}" is not two names with a comma between')
    return names[0], names[1]


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f'"{text}" is not a port (0 .. 65535)')
    return int(text)


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number of at least 1')
    return int(text)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return "(not installed)"


def _told(code: int, sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return code
