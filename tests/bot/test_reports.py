"""Reports: made when somebody asks, kept, and told with their progress; what they say adds up."""

import asyncio

import pytest

from bot.app import play, reports, tasks
from bot.app.clocks import UNTOUCHED
from bot.app.reports import Report
from bot.client import Tabula
from engine.events import Played
from engine.position import Side
from tests.bot.conftest import Club, Seeded
from tests.bot.driver import answer, labels, newest, pictures, said, seen, text
from tests.bot.test_computer import over, press

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("patient")]
ACTS = 10


async def play_a_match(club: Club) -> None:
    """Ana plays some turns against the computer, and gives up: a report of a whole game takes many times as long."""
    await club.ana.slash(club.channel, "play", game="laquet", level="beginner")
    for _ in range(ACTS):
        await press(club)
    assert not over(club)
    await club.ana.slash(club.channel, "resign")
    assert over(club)


async def report_of(club: Club) -> Report:
    """The report of match 1."""
    found = await reports.kept(club.bot.app, await play.load(club.bot.app, 1))
    assert found is not None
    return found


async def test_a_report_is_made_when_asked_for_and_kept(club: Club) -> None:
    await play_a_match(club)
    end = newest(club)
    luck_of_pips = pictures(end)[0].description
    assert await club.store.reports.get(1) is None
    told = answer(await club.ana.click(end, label="Report"))
    await _made(club)
    assert told.ephemeral
    lines = text(told.message).splitlines()
    assert lines[0] == "### How match 1 was played: Laquet"
    assert f"**<@{club.ana.id}>** (" in text(told.message)
    assert "curve.png" in [file.filename for file in told.attachments]
    # The result's bar of luck is this luck now, and nothing else of it has changed.
    assert newest(club).id == end.id
    assert " pt." in (pictures(newest(club))[0].description or "")
    assert pictures(newest(club))[0].description != luck_of_pips
    assert text(newest(club)) == text(end)
    # It is kept, for a bot of another day and for everyone in the server.
    document = await club.store.reports.get(1)
    bot = Tabula(club.store, entropy=Seeded())
    await club.env.restart_bot(bot)
    again = said(await club.cyn.slash(club.channel, "report", match=1))
    assert again.splitlines()[0] == lines[0]
    assert bot.app.minds.processes == []
    assert await club.store.reports.get(1) == document
    await bot.close()


async def test_every_error_is_shown_with_what_was_better(club: Club) -> None:
    await play_a_match(club)
    told = answer(await club.ana.click(newest(club), label="Report"))
    await _made(club)
    found = await report_of(club)
    assert found.worst
    assert labels(told.message) == [f"Error {number}" for number in range(1, len(found.worst) + 1)]
    assert [each.error for each in found.worst] == sorted((each.error for each in found.worst), reverse=True)
    # A choice has no arrows, and with the nets it changes what errs worst.
    everything = await play.history(club.bot.app, (await play.load(club.bot.app, 1)).row)
    at = next(at for at, each in enumerate(found.worst) if isinstance(everything[each.version - 1].event, Played))
    shown = answer(await club.ana.click(told.message, label=f"Error {at + 1}"))
    assert text(shown.message).startswith(f"### Error {at + 1} of match 1")
    assert f"{found.worst[at].error:.2f} points are lost" in text(shown.message)
    assert "Arrows 1: " in (pictures(shown.message)[0].description or "")
    assert "Arrows 2: " in (pictures(shown.message)[0].description or "")


async def test_what_a_report_says_adds_up(club: Club) -> None:
    await play_a_match(club)
    await club.ana.slash(club.channel, "report")
    await _made(club)
    found = await report_of(club)
    sitting = await play.load(club.bot.app, 1)
    everything = await play.history(club.bot.app, sitting.row)
    for each in found.judged:
        happening = everything[each.version - 1]
        assert each.thrown is (type(happening.event).__name__ == "Thrown")
        assert each.error >= 0
        assert 0 <= each.win <= 1
    # Gold's expectation moves by luck and errors alone where the judge is of one mind with itself.
    luck = found.luck(Side.GOLD) - found.luck(Side.BLACK)
    lost = found.lost(Side.GOLD) - found.lost(Side.BLACK)
    start = found.result - luck + lost - found.unexplained
    assert abs(start) < 1
    assert sitting.match.outcome is not None
    assert abs(found.result) == sitting.match.outcome.points


async def test_a_report_goes_on_after_a_restart(club: Club) -> None:
    await play_a_match(club)
    await club.bot.runner.stop(5)
    sitting = await play.load(club.bot.app, 1)
    await reports.wish(club.bot.app, sitting, sitting.row.guild)
    bot = Tabula(club.store, entropy=Seeded())
    await club.env.restart_bot(bot)
    await club.env.settle()
    await _made(club)
    assert await club.store.jobs.next_due() is None
    await bot.close()


async def test_there_is_no_report_of_a_match_that_goes_on_or_is_not_there(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="laquet")
    assert said(await club.ana.slash(club.channel, "report", match=1)) == "Match 1 is not over yet."
    assert said(await club.ana.slash(club.channel, "report", match=9)) == "There is no match 9."
    assert said(await club.ben.slash(club.channel, "report")) == "You have finished no match yet."
    waiting = await club.store.jobs.due(club.bot.app.clock() + 2 * UNTOUCHED, 9)
    assert [job.kind for job in waiting] == [tasks.WATCH]
    assert len(seen(club)) == 1


async def _made(club: Club) -> None:
    """Wait until the report of match 1 is there, and shown."""
    async with asyncio.timeout(60):
        while await club.store.reports.get(1) is None:  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.05)
    await club.env.settle()
