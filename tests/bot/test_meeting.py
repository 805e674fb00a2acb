"""Programs of another make meet the computer players, as processes of their own."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from bot.cli import main
from engine.games import GAMES, find_game
from engine.players import files
from engine.players.exact import forget_tables
from engine.players.files import WEIGHTS
from engine.position_text import parse_position
from engine.protocol import REQUESTS, respond_to_line
from tests.engine.players.test_requests import SPEAKER

ROOT = Path(__file__).parents[2]
EXAMPLE = re.findall(
    r"```python\n(import json.*?)```", (ROOT / "docs" / "players.md").read_text("utf-8"), re.DOTALL
)[0]
AT_RANDOM = """\
import json, random, sys

chance = random.Random(1)
for line in sys.stdin:
    question = json.loads(line)
    if len(sys.argv) > 1:
        open(sys.argv[1], "a").write(line)
    print(json.dumps({"play": chance.choice(question["plays"])["play"]}), flush=True)
"""


def describe_turns(slug: str) -> tuple[object, ...]:
    """Return the dice of a game, and what is decided in it beside plays."""
    game = GAMES[slug]
    rules, choice = game.resolve_rules({}), game.find_opening_choice()
    return (
        rules.dice,
        rules.unusable,
        rules.battle.sides,
        rules.battle.played,
        choice and choice.name,
    )


KINDS = {describe_turns(slug): slug for slug in GAMES}
"""A game of each kind, the last of it."""
LINE = re.compile(
    r"(?P<title>.+), edition (?P<edition>\d+)(?P<options>.*): `.+` against "
    r"(?P<level>\w+) \((?P<by>.+)\): (?P<mean>[+-]\d+\.\d{3})( ± \d\.\d{3})? points a game; "
    r"(?P<games>\d+) games? \((?P<score>.+)\); seed (?P<seed>\d+); [\d-]{10}, Tabula \d.+\n"
)

Meet: TypeAlias = Callable[..., tuple[int, str, str]]
"""A fixture: lets a program meet a game's player; returns exit status, output and errors."""


@pytest.fixture
def meet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Meet:
    """Let a program, given as its text, meet the player of a game by the command."""

    def run(game: str, text: str, *arguments: str, given: str = "") -> tuple[int, str, str]:
        file = tmp_path / "program.py"
        file.write_text(text, encoding="utf-8")
        command = f"{shlex.quote(sys.executable)} {shlex.quote(str(file))} {given}"
        try:
            main(["meet", game, command, *arguments])
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
            if isinstance(end.code, str):
                sys.stderr.write(end.code)
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture
def tables() -> Iterator[None]:
    """Forget the folder of tables, and what was read from it, after a test."""
    before = files.get_folder()
    forget_tables()
    yield
    files.use_folder(before)
    forget_tables()


def ask_rules(request: dict[str, Any]) -> dict[str, Any]:
    """Return the engine protocol's answer."""
    return respond_to_line(json.dumps(request), lambda: 0.0, SPEAKER, REQUESTS)


@pytest.mark.parametrize("slug", sorted(KINDS.values()))
def test_the_example_of_the_page_plays_with_every_kind_of_dice(meet: Meet, slug: str) -> None:
    status, printed, errors = meet(slug, EXAMPLE, "--games", "2")
    assert (status, errors) == (0, "")
    line = LINE.fullmatch(printed)
    assert line
    game = GAMES[slug]
    digest = sha256((WEIGHTS / f"{slug}.npz").read_bytes()).hexdigest()
    assert (line["title"], line["edition"]) == (game.title, str(game.edition))
    assert (line["level"], line["by"]) == ("companion", f"net {digest[:12]}")
    assert (line["games"], line["seed"]) == ("2", "1")


@pytest.mark.sweep
@pytest.mark.parametrize("slug", GAMES)
def test_a_program_that_plays_at_random_finishes_any_game(
    meet: Meet, slug: str, tmp_path: Path
) -> None:
    _check_random_program(meet, slug, tmp_path, "--games", "2")


@pytest.mark.parametrize(
    ("slug", "option"),
    [
        ("zeno", "unusable=opponent"),
        ("pyf", "doubles=twice-again"),
        ("irish", "binding=on"),
        ("emperador", "dice=majoret"),
        ("ludus-anglicorum", "dice=three-named"),
    ],
)
def test_a_program_plays_by_house_rules(meet: Meet, slug: str, option: str, tmp_path: Path) -> None:
    line = _check_random_program(meet, slug, tmp_path, "--games", "1", "--option", option)
    assert line["options"] == f", {option}"


def _check_random_program(meet: Meet, slug: str, tmp_path: Path, *arguments: str) -> re.Match[str]:
    """Let a program play at random, and check every question that it gets."""
    asked = tmp_path / "asked"
    status, printed, errors = meet(slug, AT_RANDOM, *arguments, given=shlex.quote(str(asked)))
    assert (status, errors) == (0, "")
    line = LINE.fullmatch(printed)
    assert line
    for question in map(json.loads, asked.read_text("utf-8").splitlines()):
        _check_question(slug, question)
    return line


def _check_question(slug: str, question: dict[str, Any]) -> None:
    rules = GAMES[slug].resolve_rules(question["options"])
    texts = [each["play"] for each in question["plays"]]
    assert len(set(texts)) == len(texts) > 1
    position = parse_position(question["position"], rules)
    for each in question["plays"]:
        options = question["options"]
        if question["decide"] in {option.name for option in GAMES[slug].options}:
            options = {**options, question["decide"]: each["play"]}
        parse_position(each["position"], GAMES[slug].resolve_rules(options))
    if question["decide"] != "play":
        return
    request = {"game": slug, "options": question["options"], "position": question["position"]}
    listed = ask_rules({"do": "plays", **request})["plays"]
    assert sorted(texts) == sorted(each["play"] for each in listed)
    numbers = ask_rules({"do": "numbers", **request, "thrown": question["thrown"]})
    assert set(position.dice) <= set(map(int, "-".join(numbers["numbers"]).split("-")))


def test_sides_change_after_every_game_and_the_position_after_says_who_throws(
    meet: Meet, tmp_path: Path
) -> None:
    asked = tmp_path / "asked"
    meet("backgammon", AT_RANDOM, "--games", "4", given=shlex.quote(str(asked)))
    questions = list(map(json.loads, asked.read_text("utf-8").splitlines()))
    sides = {question["number"]: question["position"].split()[2] for question in questions}
    assert sides == {1: "gold", 2: "black", 3: "gold", 4: "black"}
    other = {"gold": "black", "black": "gold"}
    for question in questions:
        own = sides[question["number"]]
        assert question["position"].split()[2] == own
        # Nobody has borne off all the men, so that somebody throws next.
        going_on = [each["position"].split() for each in question["plays"]]
        assert {at[2] for at in going_on if "off15" not in " ".join(at)} <= {other[own]}
    asked.unlink()
    # Doubles give another throw there.
    meet("paume-carie-two", AT_RANDOM, "--games", "2", given=shlex.quote(str(asked)))
    for question in map(json.loads, asked.read_text("utf-8").splitlines()):
        one, two = question["thrown"].split("-")
        own = question["position"].split()[2]
        after = {each["position"].split()[2] for each in question["plays"]}
        assert after <= ({own} if one == two else {other[own], own})


def test_the_same_seed_throws_the_same_dice(meet: Meet) -> None:
    first, again, other = (
        meet("paume-carie-two", EXAMPLE, "--games", "5", "--seed", seed)[1]
        for seed in ("7", "7", "8")
    )
    assert first == again != other.replace("seed 8", "seed 7")


def test_a_play_may_be_written_as_people_type_it(meet: Meet) -> None:
    upper = EXAMPLE.replace('best["play"]', 'best["play"].upper().replace("-", "/")')
    assert upper != EXAMPLE
    status, printed, errors = meet("zeno", upper, "--games", "1")
    assert (status, errors) == (0, "")
    assert LINE.fullmatch(printed)


def answer_with(text: str) -> str:
    """Return a program that answers everything alike."""
    return f"import sys\nfor line in sys.stdin:\n    print({text!r}, flush=True)\n"


FIRST = "tabula: the program failed in game 1: "


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        (answer_with('{"play": "a-b"}'), r"`a-b` is not one of the plays in .* gold [\d-]+: .+"),
        (answer_with('{"play": "leave"}'), "`leave` is not one of the plays in .+"),
        (answer_with(f'{{"play": "{"x" * 99}"}}'), r"`x{80}\.\.\.` is not one of the plays in .+"),
        (answer_with("a-g"), r'it answered `a-g`, not a line like {"play": "\.\.\."}'),
        (answer_with("[" * 50_000), r"it answered `\[{80}\.\.\.`, not a line like .+"),
        (answer_with('{"play": 3}'), r'it answered `{"play": 3}`, not a line like .+'),
        (answer_with("x" * 99_999), "its answer is longer than 64 KiB"),
        ("raise SystemExit(3)", "it ended, with exit status 3"),
        ("import sys; sys.stdin.readline()", "it ended, with exit status 0"),
        (
            "import os, time; os.close(1); time.sleep(60)",
            "it ended, or closed its output",
        ),
        (
            "import time; time.sleep(60)",
            r"it gave no answer within 0\.5 seconds; does it flush its output\?",
        ),
    ],
)
def test_a_program_that_fails_is_told_in_a_sentence(
    meet: Meet, program: str, sentence: str
) -> None:
    seconds = "0.5" if "0" in sentence and "within" in sentence else "30"
    status, printed, errors = meet("zeno", program, "--timeout", seconds)
    assert (status, printed) == (1, "")
    assert re.fullmatch(re.escape(FIRST) + sentence, errors)


def test_a_part_of_a_play_is_none(meet: Meet) -> None:
    part = EXAMPLE.replace('best["play"]', 'best["play"].split()[0]')
    status, printed, errors = meet("backgammon", part, "--games", "5")
    assert status == 1
    assert re.search(r"`\S+` is not one of the plays in .*: it is only a part of one$", errors)
    assert not printed or LINE.fullmatch(printed)


def test_what_was_played_before_a_program_failed_is_told(meet: Meet) -> None:
    two_games = EXAMPLE.replace(
        "    best =", '    if question["number"] == 3:\n        raise SystemExit(4)\n    best ='
    )
    status, printed, errors = meet("doblet", two_games, "--games", "5")
    line = LINE.fullmatch(printed)
    assert line
    assert (status, line["games"]) == (1, "2")
    assert errors == "tabula: the program failed in game 3: it ended, with exit status 4"


def test_a_program_is_gone_when_it_failed(meet: Meet, tmp_path: Path) -> None:
    name = tmp_path / "process"
    program = f"import os, time\nopen({str(name)!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)"
    meet("zeno", program, "--timeout", "2")
    with pytest.raises(ProcessLookupError):
        os.kill(int(name.read_text()), 0)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("zenno", "x"), "there's no game called zenno; did you mean Zeno?"),
        (("zeno", ""), "give a command, one game or more, and more than no time for an answer"),
        (
            ("zeno", "x", "--games", "0"),
            "give a command, one game or more, and more than no time for an answer",
        ),
        (("zeno", "no-such-program"), "no-such-program cannot be started: "),
        (("zeno", "'x"), "No closing quotation"),
        (
            ("pyf", "x", "--option", "players=2"),
            "a program plays a side alone; leave out the option of teams",
        ),
    ],
)
def test_what_cannot_meet_is_refused(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["meet", *arguments])
    assert str(end.value.code).startswith(f"tabula: {sentence}")
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("tables")
def test_a_master_meets_with_tables_or_without(meet: Meet) -> None:
    for slug, arguments, by in (
        ("doblet", (), ", with tables"),
        ("doblet", ("--no-tables",), ", without tables"),
        ("twelve-dogs", ("--no-tables",), ", without tables"),
        ("laquet", ("--no-tables",), ""),
    ):
        status, printed, _ = meet(slug, EXAMPLE, "--level", "master", "--games", "1", *arguments)
        line = LINE.fullmatch(printed)
        assert line
        assert (status, line["level"]) == (0, "master")
        assert re.fullmatch(f"net [0-9a-f]{{12}}{by}", line["by"])


@pytest.mark.usefixtures("tables")
def test_the_engine_goes_by_the_folder_of_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = ask_rules({"do": "start", "game": "doblet"})["position"]
    request = json.dumps({"do": "value", "game": "doblet", "position": start})

    def ask() -> dict[str, Any]:
        forget_tables()
        asked = tmp_path / "request"
        asked.write_text(request)
        with asked.open(encoding="utf-8") as lines, monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", lines)
            main(["engine"])
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    assert ask()["exact"]
    # A damaged table comes before the one that comes with the program, so that the net plays.
    (tmp_path / "doblet.npz").write_bytes(b"no table")
    monkeypatch.setenv("TABULA_TABLES", str(tmp_path))
    monkeypatch.setenv("TABULA_GUILD", "wrong, but the engine needs none")
    assert not ask()["exact"]


def test_a_game_is_found_by_any_name(meet: Meet) -> None:
    _, printed, _ = meet("Twelve dogs", EXAMPLE, "--games", "1")
    line = LINE.fullmatch(printed)
    assert line
    assert line["title"] == find_game("twelve-dogs").title


@pytest.mark.sweep
@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signal")
def test_what_was_played_before_ctrl_c_is_told(tmp_path: Path) -> None:
    file, asked = tmp_path / "program.py", tmp_path / "asked"
    file.write_text(AT_RANDOM, encoding="utf-8")
    command = shlex.join((sys.executable, str(file), str(asked)))
    run = (sys.executable, "-m", "bot", "meet", "doblet", command, "--games", "1000000")
    meeting = subprocess.Popen(
        run, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not (asked.exists() and '"number": 4,' in asked.read_text("utf-8")):
        assert meeting.poll() is None
        time.sleep(0.1)
    meeting.send_signal(signal.SIGINT)
    printed, errors = meeting.communicate(timeout=60)
    line = LINE.fullmatch(printed)
    assert line
    assert (meeting.returncode, errors) == (130, "")
    assert int(line["games"]) >= 3


LINGERING = """\
import os, pathlib, signal, sys, time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
time.sleep(60)
"""


def _is_gone(number: int) -> bool:
    for _ in range(100):
        # Of one that nobody waits for, an entry may stay.
        state = Path(f"/proc/{number}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up as on Linux")
@pytest.mark.parametrize("stopped", [True, False])
def test_no_process_of_a_program_is_left(tmp_path: Path, stopped: bool) -> None:
    program, noted = tmp_path / "program.py", tmp_path / "number"
    program.write_text(LINGERING, encoding="utf-8")
    line = f"{sys.executable} {program} {noted}; true"
    limit = "60" if stopped else "1"
    command = [sys.executable, "-m", "bot", "meet", "zeno", shlex.join(["sh", "-c", line])]
    with subprocess.Popen([*command, "--timeout", limit], cwd=ROOT) as meeting:
        while not noted.exists() or not noted.read_text():
            time.sleep(0.05)
        if stopped:
            meeting.terminate()
        assert meeting.wait(20) == (143 if stopped else 1)
    assert _is_gone(int(noted.read_text()))
