"""What the command line says of files and lines that are not what they should be."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from bot.cli import main
from bot.features.matches.record import FORMATS, RecordFault, verify_record

HALF = "\ud800"
NO_POINT = "there's no point j on this board"
SENTENCE = "not a record of a match: it holds half a character (a lone surrogate)"


Ended: TypeAlias = subprocess.CompletedProcess[bytes]


def run_tabula(*arguments: str, given: bytes = b"", **settings: str) -> Ended:
    """Run the command line to its end, where input and output are strictly UTF-8.

    Within this process: to start another one takes two seconds, most of them for its imports.
    """
    out, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", "strict") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(errors):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), "utf-8", "strict"))
        for name, value in settings.items():
            patch.setenv(name, value)
        status = call_main(arguments)
    return subprocess.CompletedProcess(
        arguments, status, get_stream_bytes(out), get_stream_bytes(errors)
    )


def get_stream_bytes(stream: io.TextIOWrapper) -> bytes:
    """Return all bytes that were written to a stream in memory."""
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue()


def call_main(arguments: Sequence[str]) -> int:
    """Run the command line, and return the exit status with which Python would end.

    What it exits with is printed if it is not a number.
    """
    try:
        main(arguments)
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
            return 1
        return int(end.code or 0)
    return 0


def spawn_tabula(*arguments: str, given: bytes) -> Ended:
    """Run the program as a process of its own."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(command, input=given, env=environment, capture_output=True, check=False)


def build_record(**changed: Any) -> dict[str, Any]:
    """A record of a match of which nothing was played."""
    whole = {
        "tabula": FORMATS[-1],
        "match": 1,
        "game": "zeno",
        "rules": 1,
        "options": {},
        "commitment": "0" * 64,
        "secret": "00" * 32,
        "contributions": ["1", "2"],
        "events": [{"v": 1, "event": "battled", "gold": [1, 2, 3], "black": [4, 5, 6]}],
    }
    return {**whole, **changed}


@pytest.mark.parametrize(
    "changed",
    [
        {"match": HALF},
        {"game": HALF},
        {"contributions": ["1", HALF]},
        {"options": {HALF: "lost"}},
        {"events": [{"v": 1, "event": HALF}]},
    ],
)
def test_half_a_character_in_a_record_is_told_in_a_sentence(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    assert verify_record(build_record()).wrong is RecordFault.SECRET
    with pytest.raises(ValueError, match=f"^{SENTENCE}$".replace("(", r"\(").replace(")", r"\)")):
        verify_record(build_record(**changed))
    file = tmp_path / "record.json"
    file.write_text(json.dumps(build_record(**changed)), encoding="utf-8")
    process = run_tabula("verify", str(file))
    assert (process.returncode, process.stderr.decode()) == (1, f"tabula: {SENTENCE}\n")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"rules": 7}, "Zeno has no edition 7 of its rules here, only edition 1"),
        ({"game": "zenno"}, "there's no game called zenno; did you mean Zeno?"),
        (
            {
                "events": [
                    {"v": 1, "event": "played", "moves": [["j", "g", 6, False]], "forced": False}
                ]
            },
            NO_POINT,
        ),
    ],
)
def test_a_record_of_what_is_not_here_is_told_in_a_sentence(
    tmp_path: Path, changed: dict[str, Any], sentence: str
) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(build_record(**changed)), encoding="utf-8")
    process = run_tabula("verify", str(file))
    assert (process.returncode, process.stderr.decode()) == (
        1,
        f"tabula: not a record of a match: {sentence}\n",
    )


@pytest.mark.parametrize(
    "written",
    [b"", b"not JSON", b"[" * 100_000],
)
def test_what_is_no_json_is_told_in_a_sentence(tmp_path: Path, written: bytes) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(written)
    process = run_tabula("verify", str(file))
    assert (process.returncode, process.stderr.decode()) == (
        1,
        f"tabula: {file} is not a JSON file\n",
    )


WRITTEN = json.dumps(build_record(contributions=["1", "caf\u00e9"]), ensure_ascii=False, indent=1)


@pytest.mark.parametrize(
    "written",
    [
        WRITTEN.encode(),
        WRITTEN.encode("utf-8-sig"),
        WRITTEN.replace("\n", "\r\n").encode("utf-8-sig"),
    ],
    ids=["plain", "mark", "mark and CRLF"],
)
def test_a_record_is_read_as_windows_writes_it(tmp_path: Path, written: bytes) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(written)
    process = run_tabula("verify", str(file))
    assert b"secret" in process.stderr
    assert b"JSON" not in process.stderr


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (WRITTEN.encode("utf-16"), "is in UTF-16, or no text file; save it as UTF-8"),
        (WRITTEN.encode("utf-16-le"), "is in UTF-16, or no text file; save it as UTF-8"),
        (
            WRITTEN.encode("latin-1"),
            "is not in UTF-8 (line 11), but perhaps in Latin-1; save it as UTF-8",
        ),
    ],
)
def test_a_record_in_another_encoding_is_named_with_the_remedy(
    tmp_path: Path, written: bytes, sentence: str
) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(written)
    process = run_tabula("verify", str(file))
    assert (process.returncode, process.stderr.decode()) == (1, f"tabula: {file} {sentence}\n")


@pytest.mark.parametrize("command", ["verify", "backup", "restore"])
def test_a_path_of_nobody_s_home_is_refused(command: str) -> None:
    process = run_tabula(command, "~nobody-here/file")
    assert process.returncode == 2
    assert (
        b"~nobody-here/file begins with a home directory that is not known here" in process.stderr
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_text_is_no_copy_to_restore(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "copy.sqlite3"
    file.write_text("CREATE TABLE matches (id INTEGER)", encoding=encoding)
    process = run_tabula("restore", str(file), TABULA_DATABASE=str(tmp_path / "new.sqlite3"))
    assert process.returncode == 1
    (line,) = process.stderr.decode().splitlines()
    assert line.startswith(f"tabula: {file} ")


ADDRESS = "postgresql://bot:s3cret@localhost/bot"
NO_FILE = "tabula: there is no database missing.sqlite3\n"


@pytest.mark.parametrize("address", [ADDRESS, "postgresql://bot:s3/cr%40et@localhost/bot"])
def test_an_address_with_a_password_is_no_argument(address: str) -> None:
    process = run_tabula("move-to", address, TABULA_DATABASE="missing.sqlite3")
    assert (process.returncode, process.stdout) == (1, b"")
    assert process.stderr.decode() == (
        "tabula: an argument that holds a password can be read by others; set TABULA_MOVE_TO to "
        "the address, or give --target-file a file that holds it (- for standard input)\n"
    )


def test_it_is_said_how_to_say_where_to_move_to() -> None:
    process = run_tabula("move-to", TABULA_DATABASE="missing.sqlite3", TABULA_MOVE_TO="")
    assert process.returncode == 1
    assert process.stderr.startswith(b"tabula: it is not said where to move to; set TABULA_MOVE_TO")


def test_an_address_to_move_to_is_read_from_where_others_do_not_see_it(tmp_path: Path) -> None:
    file = tmp_path / "address"
    file.write_text(f"{ADDRESS}\n")
    move = partial(run_tabula, "move-to", TABULA_DATABASE="missing.sqlite3")
    for process in (
        move(TABULA_MOVE_TO=ADDRESS),
        move("--target-file", str(file)),
        move("--target-file", "-", given=f"{ADDRESS}\n".encode()),
        move("postgresql://bot@localhost/bot"),
    ):
        # The address was understood, so that it looks for what to move.
        assert (process.returncode, process.stderr.decode()) == (1, NO_FILE)


START = '{"do": "start", "game": "zeno"}\r\n'


@pytest.mark.parametrize("run", [run_tabula, spawn_tabula])
@pytest.mark.sweep
def test_the_engine_reads_what_windows_writes(run: Callable[..., Ended]) -> None:
    process = run("engine", given=(START * 2).encode("utf-8-sig"))
    assert [json.loads(line)["position"] for line in process.stdout.splitlines()] == [
        "a15 z15 gold -"
    ] * 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1"])
def test_the_engine_names_an_encoding_that_it_cannot_read(encoding: str) -> None:
    process = run_tabula("engine", given=START.replace("zeno", "caf\u00e9").encode(encoding))
    assert (process.returncode, process.stderr) == (0, b"")
    first = json.loads(process.stdout.splitlines()[0])
    assert first["error"] == (
        "the input isn't UTF-8; a request must be one JSON object on one line, in UTF-8"
    )


def test_bytes_that_are_no_text_do_not_end_the_engine() -> None:
    given = (
        b'\xff\xfe\n{"do": "start", "game": "zeno", "id": "\xff"}\n'
        b'{"do": "start", "game": "doblet", "id": 3}\n'
    )
    process = run_tabula("engine", given=given)
    assert (process.returncode, process.stderr) == (0, b"")
    refused, first, second = map(json.loads, process.stdout.splitlines())
    assert refused == {
        "error": "the input isn't UTF-8; a request must be one JSON object on one line, in UTF-8"
    }
    assert first == refused
    assert second["id"] == 3
