"""What the command line says of files and lines that are not what they should be."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.app.record import FORMATS, Wrong, verify

HALF = "\ud800"
NO_POINT = "j is no point of this board"
SENTENCE = "not a record of a match: it holds half a character (a lone surrogate)"


def tabula(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the program to its end, where input and output are strictly UTF-8."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    command = [sys.executable, "-m", "bot", *arguments]
    return subprocess.run(command, input=given, env=environment, capture_output=True, check=False)


def record(**changed: Any) -> dict[str, Any]:
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
    assert verify(record()).wrong is Wrong.SECRET
    with pytest.raises(ValueError, match=f"^{SENTENCE}$".replace("(", r"\(").replace(")", r"\)")):
        verify(record(**changed))
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record(**changed)), encoding="utf-8")
    told = tabula("verify", str(file))
    assert (told.returncode, told.stderr.decode()) == (1, f"tabula: {SENTENCE}\n")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"rules": 7}, "Zeno is played here by edition 1 of its rules, not by edition 7"),
        ({"game": "zenno"}, "zenno is not a game here; did you mean Zeno?"),
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
    file.write_text(json.dumps(record(**changed)), encoding="utf-8")
    told = tabula("verify", str(file))
    assert (told.returncode, told.stderr.decode()) == (
        1,
        f"tabula: not a record of a match: {sentence}\n",
    )


@pytest.mark.parametrize(
    "written",
    [b"\xff\xfe{", b"not JSON", b"[" * 100_000, '{"\ud800'.encode(errors="surrogatepass")],
)
def test_what_is_no_json_is_told_in_a_sentence(tmp_path: Path, written: bytes) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(written)
    told = tabula("verify", str(file))
    assert (told.returncode, told.stderr.decode()) == (1, f"tabula: {file} is no JSON file\n")


def test_bytes_that_are_no_text_do_not_end_the_engine() -> None:
    given = b'\xff\xfe\n{"do": "start", "game": "zeno", "id": "\xff"}\n{"do": "start", "game": "doblet", "id": 3}\n'
    told = tabula("engine", given=given)
    assert (told.returncode, told.stderr) == (0, b"")
    refused, first, second = map(json.loads, told.stdout.splitlines())
    assert refused == {"error": "a request is one JSON object on one line"}
    assert first["position"].startswith("a15 ")
    assert second["id"] == 3
