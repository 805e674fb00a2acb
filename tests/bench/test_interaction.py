"""One action in Discord, beside a handler that answers with two letters, in the same simulator."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import discord
import pytest
from discord import app_commands
from pytest_benchmark.fixture import BenchmarkFixture

from tests.support.club import SimulatedClub, open_club
from tests.support.driver import find_next_action, start_match
from tests.support.simulator import PatientEnv

pytestmark = pytest.mark.bench


class TrivialBot(discord.Client):
    """A bot with one command, which answers `ok`."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.tree.command(name="ok", description="Answer")(send_ok)

    async def setup_hook(self) -> None:
        """Register the command."""
        await self.tree.sync()


async def send_ok(interaction: discord.Interaction[TrivialBot]) -> None:
    """Answer."""
    await interaction.response.send_message("ok", ephemeral=True)


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    """An event loop of one's own, since the benchmark calls plain functions."""
    with asyncio.Runner() as loop:
        yield loop


_Opened = TypeVar("_Opened")


@contextmanager
def keep_open(
    runner: asyncio.Runner, opening: AbstractAsyncContextManager[_Opened]
) -> Iterator[_Opened]:
    """Open something on that event loop, and close it whatever happens."""
    opened = runner.run(opening.__aenter__())
    try:
        yield opened
    finally:
        runner.run(opening.__aexit__(None, None, None))


@pytest.fixture
def club(runner: asyncio.Runner, tmp_path: Path) -> Iterator[SimulatedClub]:
    """A club with a match of Zeno just begun."""
    with keep_open(runner, open_club(tmp_path / "club.sqlite3")) as opened:
        runner.run(start_match(opened, "zeno"))
        yield opened


def test_one_press_after_another(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, club: SimulatedClub
) -> None:
    benchmark.group = "one interaction"

    def find() -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (find_next_action(club),), {}

    def press(act: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        return runner.run(act())

    assert benchmark.pedantic(  # type: ignore[no-untyped-call]
        press, setup=find, rounds=60, warmup_rounds=4
    )


def test_the_board_again(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, club: SimulatedClub
) -> None:
    benchmark.group = "one interaction"
    answer = benchmark.pedantic(
        lambda: runner.run(club.ana.slash(club.channel, "match board")), rounds=60, warmup_rounds=4
    )  # type: ignore[no-untyped-call]
    assert answer.response.ephemeral


def test_reference_trivial_handler(benchmark: BenchmarkFixture, runner: asyncio.Runner) -> None:
    benchmark.group = "one interaction"
    bot = TrivialBot()
    env = PatientEnv(bot)
    guild = env.create_guild("Club")
    ana = guild.add_member(env.create_user("ana"))
    channel = guild.create_text_channel("tables")
    with keep_open(runner, env.closing()):
        runner.run(env.start())
        answer = benchmark.pedantic(
            lambda: runner.run(ana.slash(channel, "ok")), rounds=60, warmup_rounds=4
        )  # type: ignore[no-untyped-call]
        assert answer.response.content == "ok"
