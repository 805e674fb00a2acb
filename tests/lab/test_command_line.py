"""Files that the lab's long commands share: none is left half, and none loses what others store."""

import json
import resource
from multiprocessing import get_context
from pathlib import Path

import pytest

from lab.command_line import lock_file, write_beside

FORK = get_context("fork")
TIMES = 50


def add_often(path: Path, name: str) -> None:
    """Put so many entries beside what the file has, each read and written anew."""
    for number in range(TIMES):
        with lock_file(path):
            known = json.loads(path.read_text("utf-8")) if path.exists() else []
            write_beside(path, json.dumps([*known, f"{name}{number}"]))


def test_runs_that_change_a_file_at_once_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "new" / "figures.json"
    runs = [FORK.Process(target=add_often, args=(path, name)) for name in "abc"]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    stored = json.loads(path.read_text("utf-8"))
    assert len(stored) == len({*stored}) == 3 * TIMES


def test_a_lock_is_given_back_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    with pytest.raises(OSError, match="no space"), lock_file(path):
        raise OSError("no space")
    with lock_file(path):
        write_beside(path, "[]")
    assert [each.name for each in tmp_path.iterdir()] == ["figures.json"]


def write_on_a_full_disk(path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
    with pytest.raises(OSError, match="File too large"):
        write_beside(path, "x" * 1_000_000)


def test_what_finds_no_room_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    write_beside(path, "whole")
    run = FORK.Process(target=write_on_a_full_disk, args=(path,))
    run.start()
    run.join()
    assert run.exitcode == 0
    assert path.read_text("utf-8") == "whole"
    assert [each.name for each in tmp_path.iterdir()] == ["figures.json"]
