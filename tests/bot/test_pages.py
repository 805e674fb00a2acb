"""Pages that are turned by their controls: of each kind a person has one live copy, the newest."""

import pytest

from tests.bot.conftest import Club
from tests.bot.driver import answer, begin, labels, menus, parts, pictures, text

pytestmark = pytest.mark.asyncio


def controls_of(message: object) -> int:
    """How many rows of controls a message has."""
    all_parts = parts(message)  # type: ignore[arg-type]
    return sum(type(part).__name__ == "ActionRow" for part in all_parts)


async def test_rules_opened_again_leave_the_earlier_copy_without_controls(club: Club) -> None:
    first = answer(await club.ana.slash(club.channel, "rules", game="zeno"))
    assert menus(first.message)
    before, shown = text(first.message), len(pictures(first.message))
    second = answer(await club.ana.slash(club.channel, "rules", game="fallas"))
    assert controls_of(first.message) == 0
    assert text(first.message) == before
    assert len(pictures(first.message)) == shown
    assert menus(second.message)


async def test_somebody_elses_pages_keep_their_controls(club: Club) -> None:
    ana = answer(await club.ana.slash(club.channel, "rules", game="zeno"))
    ben = answer(await club.ben.slash(club.channel, "rules", game="zeno"))
    assert menus(ana.message)
    assert menus(ben.message)


async def test_pages_of_another_kind_keep_their_controls(club: Club) -> None:
    await begin(club, "zeno")
    rules = answer(await club.ana.slash(club.channel, "rules", game="zeno"))
    await club.ana.slash(club.channel, "games")
    await club.ana.slash(club.channel, "server log")
    assert menus(rules.message)


async def test_a_log_that_was_turned_is_the_copy_that_goes(club: Club) -> None:
    for number in range(1, 7):
        await begin(club, "zeno", rated=False)
        await club.ana.slash(club.channel, "server end", match=number, how="draw", reason="why")
    first = answer(await club.ana.slash(club.channel, "server log"))
    await club.ana.click(first.message, label="Older")
    assert labels(first.message) == ["Newer"]
    second = answer(await club.ana.slash(club.channel, "server log"))
    assert labels(first.message) == []
    await club.ana.click(second.message, label="Older")
    assert labels(second.message) == ["Newer"]


async def test_a_page_that_can_be_changed_no_longer_troubles_nobody(club: Club) -> None:
    first = answer(await club.ana.slash(club.channel, "rules", game="zeno"))
    await club.env.advance_time(16 * 60)
    second = answer(await club.ana.slash(club.channel, "rules", game="zeno"))
    assert menus(second.message)
    # Its token has run out, and it still works when it is pressed.
    await club.ana.select(first.message, ["pyf"], custom_id=menus(first.message)[0].custom_id)
    assert "Pyf" in text(first.message)
    assert controls_of(second.message) == 0
