"""Output that is whole or absent."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from monitor.staging import PREFIX, staged_folder, write_whole


def test_files_appear_only_when_all_are_complete(tmp_path: Path) -> None:
    with staged_folder(tmp_path / "out") as stage:
        (stage / "a.txt").write_text("new")
        (stage / "pictures").mkdir()
        (stage / "pictures" / "1.jpg").write_text("x")
        assert not (tmp_path / "out" / "a.txt").exists()
    assert (tmp_path / "out" / "a.txt").read_text() == "new"
    assert [p.name for p in (tmp_path / "out").iterdir()] and not _left_over(tmp_path / "out")


def test_old_results_are_replaced_and_those_not_made_again_go(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "old.jpg").write_text("old")
    (tmp_path / "film.mp4").write_text("old")
    (tmp_path / "notes.txt").write_text("the user's own")
    with staged_folder(tmp_path, ("pictures", "film.mp4")) as stage:
        (stage / "pictures").mkdir()
        (stage / "pictures" / "new.jpg").write_text("new")
    assert [p.name for p in (tmp_path / "pictures").iterdir()] == ["new.jpg"]
    assert not (tmp_path / "film.mp4").exists()
    assert (tmp_path / "notes.txt").read_text() == "the user's own"


def test_a_failure_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(RuntimeError), staged_folder(tmp_path, ("a.txt",)) as stage:
        (stage / "a.txt").write_text("half")
        raise RuntimeError
    assert (tmp_path / "a.txt").read_text() == "old"
    assert not _left_over(tmp_path)


def test_a_failure_leaves_no_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), staged_folder(tmp_path / "out"):
        raise RuntimeError
    assert not (tmp_path / "out").exists()


def test_a_killed_run_leaves_no_half_file_and_the_next_run_cleans_up(tmp_path: Path) -> None:
    program = (
        "import os, sys\nfrom pathlib import Path\nfrom monitor.staging import staged_folder\n"
        "with staged_folder(Path(sys.argv[1])) as stage:\n"
        "    (stage / 'shots.jsonl').write_text('half')\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert killed.returncode == -9
    assert not (tmp_path / "shots.jsonl").exists()
    assert _left_over(tmp_path)
    with staged_folder(tmp_path) as stage:
        (stage / "shots.jsonl").write_text("whole")
    assert [p.name for p in tmp_path.iterdir()] == ["shots.jsonl"]


def test_the_folder_of_a_run_that_still_works_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / f"{PREFIX}{os.getppid()}"
    other.mkdir()
    with staged_folder(tmp_path):
        pass
    assert other.exists()


def test_write_whole_replaces_a_file(tmp_path: Path) -> None:
    path = tmp_path / "camera.json"
    path.write_text("old")
    write_whole(path, "new")
    assert path.read_text() == "new"
    assert [p.name for p in tmp_path.iterdir()] == ["camera.json"]


def test_a_destination_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(OSError), staged_folder(tmp_path / "out"):
        pass


def _left_over(folder: Path) -> list[Path]:
    return list(folder.glob(f"{PREFIX}*"))
