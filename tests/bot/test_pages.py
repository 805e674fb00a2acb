"""Pages that are turned by their controls: of each kind a person has one live copy, the newest."""

import pytest

from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    get_response,
    list_button_labels,
    list_menus,
    list_pictures,
    start_match,
    walk_parts,
)

pytestmark = pytest.mark.asyncio


def count_control_rows(message: object) -> int:
    """How many rows of controls a message has."""
    all_parts = walk_parts(message)  # type: ignore[arg-type]
    return sum(type(part).__name__ == "ActionRow" for part in all_parts)


async def test_rules_opened_again_leave_the_earlier_copy_without_controls(
    club: SimulatedClub,
) -> None:
    first = get_response(await club.ana.slash(club.channel, "rules", game="zeno"))
    assert list_menus(first.message)
    before, shown = extract_text(first.message), len(list_pictures(first.message))
    second = get_response(await club.ana.slash(club.channel, "rules", game="fallas"))
    assert count_control_rows(first.message) == 0
    assert extract_text(first.message) == before
    assert len(list_pictures(first.message)) == shown
    assert list_menus(second.message)


async def test_somebody_elses_pages_keep_their_controls(club: SimulatedClub) -> None:
    ana = get_response(await club.ana.slash(club.channel, "rules", game="zeno"))
    ben = get_response(await club.ben.slash(club.channel, "rules", game="zeno"))
    assert list_menus(ana.message)
    assert list_menus(ben.message)


async def test_pages_of_another_kind_keep_their_controls(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    rules = get_response(await club.ana.slash(club.channel, "rules", game="zeno"))
    await club.ana.slash(club.channel, "matches")
    await club.ana.slash(club.channel, "server log")
    assert list_menus(rules.message)


@pytest.mark.sweep
async def test_a_log_that_was_turned_is_the_copy_that_goes(club: SimulatedClub) -> None:
    for number in range(1, 7):
        await start_match(club, "zeno", rated=False)
        await club.ana.slash(club.channel, "server end", match=number, how="draw", reason="why")
    first = get_response(await club.ana.slash(club.channel, "server log"))
    await club.ana.click(first.message, label="Older")
    assert list_button_labels(first.message) == ["Newer"]
    second = get_response(await club.ana.slash(club.channel, "server log"))
    assert list_button_labels(first.message) == []
    await club.ana.click(second.message, label="Older")
    assert list_button_labels(second.message) == ["Newer"]


async def test_a_page_that_can_be_changed_no_longer_troubles_nobody(club: SimulatedClub) -> None:
    first = get_response(await club.ana.slash(club.channel, "rules", game="zeno"))
    await club.env.advance_time(16 * 60)
    second = get_response(await club.ana.slash(club.channel, "rules", game="zeno"))
    assert list_menus(second.message)
    # Its token has run out, and it still works when it is pressed.
    await club.ana.select(first.message, ["pyf"], custom_id=list_menus(first.message)[0].custom_id)
    assert "Pyf" in extract_text(first.message)
    assert count_control_rows(second.message) == 0
