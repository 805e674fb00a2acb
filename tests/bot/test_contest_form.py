"""The form in which the terms of a league or tournament are chosen."""

from typing import Any

import pytest
import simcord

from bot.features.contests.rows import ContestFormat, UnfinishedRule
from engine.clock import DAY
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import extract_text, get_ephemeral_text, get_response
from tests.bot.test_leagues import load_view

LEAGUE_ANSWERS: dict[str, Any] = {
    "name": "Autumn league",
    "games": "Fallas, Irish",
    "weeks": ["6"],
    "pace": ["week"],
    "switches": ["rated", "seasons"],
}


async def fill_in(
    club: SimulatedClub, command: str, answers: dict[str, Any], **options: Any
) -> simcord.InteractionResult:
    """What follows when Ana fills in the form that a command opens."""
    form = await club.ana.slash(club.channel, command, **options)
    return await club.ana.submit_modal(form, answers)


@pytest.mark.asyncio
async def test_a_league_has_the_terms_of_the_form_and_the_other_options(
    club: SimulatedClub,
) -> None:
    role = club.guild.create_role("Club")
    options = {"signup": 2, "size": 9, "role": role, "unfinished": UnfinishedRule.DRAW}
    result = await fill_in(club, "league create", LEAGUE_ANSWERS, **options)
    assert "Autumn league" in extract_text(get_response(result).message)
    contest = (await load_view(club)).contest
    assert (contest.name, contest.format) == ("Autumn league", ContestFormat.LEAGUE)
    assert list(contest.games) == ["fallas", "irish"]
    assert (contest.days, contest.pace, contest.rated) == (42, "week", True)
    assert (contest.repeats, contest.late_entry, contest.has_event) == (True, False, False)
    assert (contest.size, contest.role, contest.unfinished) == (9, role.id, UnfinishedRule.DRAW)
    assert contest.starts - contest.created == 2 * DAY


@pytest.mark.asyncio
async def test_a_tournament_has_the_format_that_was_picked(club: SimulatedClub) -> None:
    answers = {
        "name": "Spring cup",
        "games": "Zeno\nunusable=lost",
        "format": "knock-out 3",
        "pace": ["day"],
        "switches": ["late", "third"],
    }
    await fill_in(club, "tournament create", answers, days=5)
    contest = (await load_view(club)).contest
    assert (contest.format, contest.best_of) == (ContestFormat.KNOCK_OUT, 3)
    assert (contest.third_place, contest.days, contest.rated) == (True, 5, False)
    assert (list(contest.games), contest.options) == (["zeno"], {"unusable": "lost"})


@pytest.mark.asyncio
async def test_the_form_is_filled_in_with_what_the_command_was_given(club: SimulatedClub) -> None:
    form = await club.ana.slash(
        club.channel, "league create", game="zeno", weeks=7, pace="5d+12h", late=False
    )
    assert form.modal is not None
    fields = {
        field["custom_id"]: field
        for field in (label["component"] for label in form.modal["components"])
    }
    assert fields["games"]["value"] == "zeno"

    def list_defaults(name: str) -> list[str]:
        return [each["value"] for each in fields[name]["options"] if each.get("default")]

    assert list_defaults("weeks") == ["7"]
    assert list_defaults("pace") == ["5d+12h"]
    assert "late" not in list_defaults("switches")


@pytest.mark.asyncio
async def test_a_name_that_no_game_has_is_refused_and_opens_nothing(club: SimulatedClub) -> None:
    result = await fill_in(club, "league create", {**LEAGUE_ANSWERS, "games": "Fallaz"})
    assert "fallas" in get_ephemeral_text(result).lower()
    assert await club.store.contests.load_view(1) is None


@pytest.mark.asyncio
async def test_the_form_is_for_organisers(club: SimulatedClub) -> None:
    result = await club.ben.slash(club.channel, "tournament create")
    assert "Manage Events" in get_ephemeral_text(result)
