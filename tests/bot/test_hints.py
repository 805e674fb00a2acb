"""Hints: the best there is to do, for those who may be told."""

import pytest

from bot.app import play
from engine.notation import parse_play
from tests.bot.conftest import Club
from tests.bot.driver import answer, begin, called, labels, menus, newest, pictures, said, text
from tests.bot.test_computer import press

pytestmark = pytest.mark.asyncio


async def test_against_the_computer_a_hint_is_one_press_away(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="backgammon")
    while not menus(newest(club)):
        assert "Hint" not in labels(newest(club))
        await press(club)
    told = answer(await club.ana.click(newest(club), label="Hint"))
    assert told.ephemeral
    lines = text(told.message).splitlines()
    assert lines[0] == "### Hint for match 1: Backgammon"
    assert lines[1].startswith("**1.** `")
    assert ": best. Win chance " in lines[1]
    sitting = await play.load(club.bot.app, 1)
    for line in lines[1:4]:
        typed = line.split("`")[1]
        assert sitting.match.plays
        assert parse_play(typed, sitting.match.rules, sitting.match.position, sitting.match.duty)
    (picture,) = pictures(told.message)
    assert picture.description is not None
    assert "Arrows 1: " in picture.description
    assert (await play.load(club.bot.app, 1)).match.version == sitting.match.version


async def test_a_hint_by_command_for_a_choice(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="twelve-dogs")
    while "af" not in labels(newest(club)):
        assert said(await club.ana.slash(club.channel, "hint")).startswith(
            ("There's nothing", "It's Tabula")
        )
        await club.ana.slash(club.channel, "resign")
        await club.ana.slash(club.channel, "play", game="twelve-dogs")
    told = said(await club.ana.slash(club.channel, "hint"))
    assert "**1.** choose the table " in told


async def test_before_the_throw_there_is_nothing_to_decide(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="laquet")
    while "Roll" not in labels(newest(club)):
        await press(club)
    assert (
        said(await club.ana.slash(club.channel, "hint"))
        == "There's nothing to decide yet. Roll first."
    )


async def test_between_people_everyone_allows_hints_first(club: Club) -> None:
    await begin(club, "backgammon", rated=False)
    while not menus(newest(club)):
        await called(club).click(newest(club), label="Roll")
    mover = called(club)
    other = club.ben if mover is club.ana else club.ana
    turn = newest(club)
    assert "Hint" not in labels(turn)
    assert said(await mover.slash(club.channel, "hint")).startswith(
        "Everyone in this match must allow hints first."
    )
    question = newest(club)
    assert f"<@{mover.id}> would like hints in match 1" in text(question)
    assert (
        said(await club.cyn.click(question, label="Allow hints"))
        == "You're not playing in match 1."
    )
    # Asked again, the question is not posted again.
    await mover.slash(club.channel, "hint")
    assert newest(club).id == question.id
    await other.click(question, label="Allow hints")
    assert text(newest(club)) == "Hints are now allowed in match 1. Use `/hint`."
    assert ": best. Win chance " in said(await mover.slash(club.channel, "hint"))
    assert said(await other.slash(club.channel, "hint")).startswith("It's ")


async def test_leave_that_could_not_be_asked_for_is_asked_for_again(club: Club) -> None:
    await begin(club, "backgammon", rated=False)
    before = newest(club)
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    await club.ana.slash(club.channel, "hint")
    assert newest(club).id == before.id
    assert await club.store.hints.allowed(1) == frozenset()
    await club.ana.slash(club.channel, "hint")
    assert f"<@{club.ana.id}> would like hints in match 1" in text(newest(club))


async def test_nobody_is_helped_in_a_rated_match(club: Club) -> None:
    await begin(club, "backgammon")
    told = "Hints aren't available in rated matches."
    assert said(await club.ana.slash(club.channel, "hint")) == told
    await club.ana.slash(club.channel, "play", game="zeno", rated=True)
    assert said(await club.ana.slash(club.channel, "hint", match=2)) == told
    assert (
        said(await club.cyn.slash(club.channel, "hint", match=2))
        == "You're not playing in match 2."
    )
