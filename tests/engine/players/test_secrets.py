"""A computer player sees the position, and never the dice to come."""

import ast
import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import engine.players
from engine import dice
from engine.events import Thrown
from engine.match import Phase, apply_unchecked
from engine.players.decide import decide_event
from engine.players.level import Level
from tests.conformance.matches import play_random_matches

HERE = Path(engine.players.__file__).parent


@settings(max_examples=10, deadline=None)
@given(
    one=st.binary(min_size=32, max_size=32),
    two=st.binary(min_size=32, max_size=32),
    at=st.integers(0, 200),
)
def test_two_matches_that_differ_in_their_secret_alone_are_played_alike(
    one: bytes, two: bytes, at: int
) -> None:
    # The same match so far; then each secret gives its own dice,
    # and what is decided before them is the same.
    moments = [
        match
        for match in play_random_matches(("laquet", ()))[0].moments
        if match.phase is Phase.PLAY
    ]
    match = moments[at % len(moments)]
    decided = []
    for secret in (one, two):
        coming = Thrown(
            dice.derive_throw(secret, "a match", (), match.drawn, match.rules.dice.count)
        )
        decided += [[decide_event(match, level, 1) for level in Level]]
        for event in decided[-1]:
            assert event is not None
            then = apply_unchecked(match, event)
            if then.phase is Phase.THROW:
                assert apply_unchecked(then, coming).thrown == coming.dice
    assert decided[0] == decided[1]


def test_a_match_holds_no_secret() -> None:
    for match in play_random_matches(("laquet", ()))[0].moments:
        held = [value for value in vars(match).values() if isinstance(value, bytes | bytearray)]
        assert held == []


def test_the_players_import_nothing_that_knows_a_secret() -> None:
    modules = [f"engine.players.{file.stem}" for file in HERE.glob("[a-z]*.py")]
    text = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "engine.players.decide" in loaded
    assert "engine.dice" not in loaded
    assert not any(name == "bot" or name.startswith("bot.") for name in loaded)


def test_the_players_draw_no_chance_of_their_own_but_from_a_seed() -> None:
    for file in HERE.glob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        imported = {
            alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
        }
        imported |= {
            f"{node.module}.{alias.name}"
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        assert not {name.partition(".")[0] for name in imported} & {
            "secrets",
            "time",
            "os",
            "socket",
        }
        assert {name for name in imported if "random" in name} <= {"random.Random"}
        used = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
        assert not used & {"np.random", "numpy.random"}
        drawn = [
            node
            for node in nodes
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Random"
        ]
        assert all(node.args for node in drawn)
