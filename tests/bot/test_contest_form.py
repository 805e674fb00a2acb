"""The forms in which the terms of a league, tournament or ladder are chosen."""

from typing import Any

import discord
import pytest
import simcord

from bot.features.contests.store import Contests
from bot.features.contests.tables import ContestFormat, UnfinishedRule
from bot.features.ladders.service import load_ladder
from bot.features.ladders.store import Ladders
from bot.features.preferences.service import DAYS_A_YEAR
from bot.platform.i18n.reader import Reader
from engine.clock import DAY
from engine.games import GAMES
from tests.bot.test_leagues import load_view
from tests.support.club import SimulatedClub
from tests.support.contests import choose_term, create_contest, find_term
from tests.support.driver import (
    extract_text,
    forge_press,
    get_ephemeral_text,
    get_response,
    list_menus,
    list_public_messages,
)

pytestmark = pytest.mark.asyncio


async def open_form(club: SimulatedClub, kind: str, **options: Any) -> simcord.InteractionResult:
    """The form as Ana sees it first."""
    given = {"name": "Autumn league", "game": "zeno", **options}
    return await club.ana.slash(club.channel, f"{kind} create", **given)


def list_chosen(result: simcord.InteractionResult) -> list[list[str]]:
    """What each menu of the form shows as chosen."""
    menus = list_menus(get_response(result).message)
    return [[each.label for each in menu.options if each.default] for menu in menus]


async def test_with_nothing_chosen_it_is_what_most_leagues_are(club: SimulatedClub) -> None:
    form = await open_form(club, "league")
    text = get_ephemeral_text(form)
    assert text.startswith("### A new league: Autumn league\nGame: Zeno\n")
    assert "6 players: 5 matches each, 15 in all." in text
    assert "Nothing is posted until you press **Create**." in text
    assert list_chosen(form) == [
        ["4 weeks"],
        ["7 days"],
        ["3 days a turn"],
        ["Rated", "People can join in its first half"],
    ]
    assert list_public_messages(club) == []
    done = await choose_term(club.ana, form, "create", None)
    text = get_ephemeral_text(done)
    assert text.startswith("Sign-up for Autumn league closes ")
    # It stands in place of the form, so that nobody creates another by a second press.
    assert find_term(done, "create") is None
    contest = (await load_view(club)).contest
    assert (contest.format, contest.days, contest.pace) == (ContestFormat.LEAGUE, 28, "three-days")
    assert (contest.rated, contest.late_entry, contest.repeats) == (True, True, False)
    assert (contest.size, contest.role, contest.away_days) == (None, None, None)
    assert contest.at_once == 10


async def test_a_league_has_all_that_was_chosen_on_both_pages(club: SimulatedClub) -> None:
    role = club.guild.create_role("Club")
    terms = {
        "games": "Irish",
        "weeks": 6,
        "signup": 2,
        "pace": "5d+12h",
        "unfinished": UnfinishedRule.DRAW,
        "role": role,
        "size": 9,
        "limit": 3,
        "vacation": 4,
        "rated": False,
        "seasons": True,
        "late": False,
        "event": True,
        "roles": True,
    }
    await create_contest(
        club.ana, club.channel, "league", name=" Autumn  league ", game="fallas", **terms
    )
    contest = (await load_view(club)).contest
    assert (contest.name, list(contest.games)) == ("Autumn league", ["fallas", "irish"])
    assert (contest.days, contest.pace, contest.rated) == (42, "5d+12h", False)
    assert (contest.repeats, contest.late_entry) == (True, False)
    assert (contest.has_event, contest.has_roles) == (True, True)
    assert (contest.size, contest.role, contest.unfinished) == (9, role.id, UnfinishedRule.DRAW)
    assert (contest.at_once, contest.away_days) == (3, 4)
    assert contest.starts - contest.created == 2 * DAY


async def test_a_tournament_has_the_format_that_was_picked(club: SimulatedClub) -> None:
    terms = {"best": 3, "days": 5, "third": True, "options": "unusable=lost"}
    await create_contest(club.ana, club.channel, "tournament", name="Cup", game="zeno", **terms)
    contest = (await load_view(club)).contest
    assert (contest.format, contest.best_of) == (ContestFormat.KNOCK_OUT, 3)
    assert (contest.third_place, contest.days, contest.rated) == (True, 5, True)
    assert (list(contest.games), contest.options) == (["zeno"], {"unusable": "lost"})


async def test_late_entry_is_offered_only_where_people_can_join_late(club: SimulatedClub) -> None:
    late = "People can join in its first half"
    form = await open_form(club, "tournament")
    *_, switches = list_menus(get_response(form).message)
    assert [each.label for each in switches.options][:2] == ["Rated", "A match for third place"]
    form = await choose_term(club.ana, form, "format", "swiss")
    assert late in list_chosen(form)[-1]
    form = await open_form(club, "tournament", format="round-robin")
    assert late in list_chosen(form)[-1]


async def test_a_swiss_has_as_many_rounds_as_were_picked(club: SimulatedClub) -> None:
    form = await open_form(club, "tournament", format="swiss")
    assert find_term(await choose_term(club.ana, form, "more", None), "limit") is None
    form = await choose_term(club.ana, form, "rounds", 4)
    # The first page again, with the page that was left as it was.
    form = await choose_term(club.ana, form, "days", 3)
    await choose_term(club.ana, form, "create", None)
    contest = (await load_view(club)).contest
    assert (contest.format, contest.rounds, contest.days) == (ContestFormat.SWISS, 4, 3)


async def test_what_no_menu_offers_is_typed(club: SimulatedClub) -> None:
    form = await open_form(club, "tournament")
    form = await choose_term(club.ana, form, "days", 17)
    assert ["17 days"] in list_chosen(form)
    refused = await choose_term(club.ana, form, "sign_up", 61)
    assert get_ephemeral_text(refused) == "Type a number from 1 to 60."
    refused = await choose_term(club.ana, form, "pace", "often")
    assert "often" in get_ephemeral_text(refused)
    await choose_term(club.ana, form, "create", None)
    contest = (await load_view(club)).contest
    assert (contest.days, contest.starts - contest.created) == (17, 3 * DAY)


async def test_the_longest_draft_fits_into_the_form(club: SimulatedClub) -> None:
    longest = sorted((each for each in GAMES.values()), key=lambda each: -len(each.slug))
    single = [each.slug for each in longest if each.resolve_rules({}).players == 1][:8]
    name = '"' * 29 + "🎲" * 30 + "+"
    form = await open_form(club, "league", name=name, game=single[0])
    named = {"name": name, "games": ", ".join(single)}
    form = await choose_term(club.ana, form, "names", named)
    for field, value in (
        ("size", 64),
        ("limit", 50),
        ("vacation", DAYS_A_YEAR),
        ("pace", "20d+23h"),
    ):
        form = await choose_term(club.ana, form, field, value)
    await choose_term(club.ana, form, "create", None)
    contest = (await load_view(club)).contest
    assert (contest.name, list(contest.games)) == (name, single)
    assert (contest.size, contest.at_once, contest.away_days) == (64, 50, DAYS_A_YEAR)


async def test_a_ladder_has_all_that_was_chosen(club: SimulatedClub) -> None:
    form = await open_form(club, "ladder", name=" Club  ladder ")
    text = get_ephemeral_text(form)
    assert text.startswith("### A new ladder: Club ladder\nGame: Zeno\n")
    assert list_chosen(form) == [["3 days a turn"], ["Rated"]]
    form = await choose_term(club.ana, form, "pace", "often")
    assert "often" in get_ephemeral_text(form)
    terms = {"pace": "5d+12h", "rated": False, "options": "unusable=lost"}
    assert list_public_messages(club) == []
    done = await create_contest(
        club.ana, club.channel, "ladder", name="Club ladder", game="zeno", **terms
    )
    assert get_ephemeral_text(done).startswith("Club ladder is open: people join it")
    assert find_term(done, "create") is None
    ladder = (await load_ladder(club.bot.app, 1)).ladder
    assert (ladder.name, ladder.game, ladder.options) == (
        "Club ladder",
        "zeno",
        {"unusable": "lost"},
    )
    assert (ladder.pace, ladder.rated) == ("5d+12h", False)


async def test_the_longest_draft_of_a_ladder_fits_into_the_form(club: SimulatedClub) -> None:
    name = '"' * 29 + "🎲" * 30 + "+"
    longest = "sums=steps bearing=usual home=all placing=anywhere unusable=opponent"
    terms = {"options": longest, "pace": "20d+23h", "rated": False}
    await create_contest(club.ana, club.channel, "ladder", name=name, game="tabula", **terms)
    ladder = (await load_ladder(club.bot.app, 1)).ladder
    assert (ladder.name, len(ladder.options), ladder.pace) == (name, 5, "20d+23h")


async def test_what_cannot_be_played_is_refused_and_opens_nothing(club: SimulatedClub) -> None:
    assert "fallas" in get_ephemeral_text(await open_form(club, "league", game="Fallaz")).lower()
    unnamed = await open_form(club, "league", name=" ")
    assert get_ephemeral_text(unnamed).startswith("It needs a name with letters or digits")
    form = await open_form(club, "league")
    refused = await choose_term(
        club.ana, form, "names", {"name": "Autumn", "games": "zeno, irish\nunusable=lost"}
    )
    assert get_ephemeral_text(refused).startswith("House rules can be chosen for one game only.")
    assert await club.store.get(Contests).load_view(1) is None


async def test_the_form_is_for_organisers_to_its_end(club: SimulatedClub) -> None:
    refusal = "Only people with the permission Manage Events or Manage Server can do that."
    options = {"name": "Mine", "game": "zeno"}
    result = await club.ben.slash(club.channel, "tournament create", **options)
    assert get_ephemeral_text(result) == refusal
    role = club.guild.create_role("Staff", permissions=discord.Permissions(manage_events=True))
    club.env.backend.add_member_role(club.guild.id, club.ben.id, role.id)
    form = await club.ben.slash(club.channel, "tournament create", **options)
    club.env.backend.remove_member_role(club.guild.id, club.ben.id, role.id)
    result = await choose_term(club.ben, form, "create", None)
    assert get_ephemeral_text(result) == refusal
    # Nor does a control of their own open one, or break the form.
    message = get_response(form).message
    for custom_id in ("leagueform:create:", "leagueform:days:[]", "leagueform:create:zeno"):
        forged = await forge_press(club, club.ben, message, custom_id)
        assert get_ephemeral_text(forged) != ""
    ladder = await club.ben.slash(club.channel, "ladder create", **options)
    assert get_ephemeral_text(ladder) == refusal
    for custom_id in ("ladderform:create:", "ladderform:pace:[]", "ladderform:create:zeno"):
        forged = await forge_press(club, club.ben, message, custom_id)
        assert get_ephemeral_text(forged) != ""
    assert await club.store.get(Contests).load_view(1) is None
    assert await club.store.get(Ladders).load_view(1) is None


async def test_the_form_is_in_the_readers_language(club: SimulatedClub) -> None:
    form = await open_form(club, "league")
    named = find_term(form, "names")
    opened = await club.ana.click(get_response(form).message, custom_id=named.custom_id)
    assert opened.modal is not None
    fields = [label["component"] for label in opened.modal["components"]]
    # An example would be in one language for everybody.
    assert [each.get("placeholder") for each in fields] == [None, None]
    assert [each["value"] for each in fields] == ["Autumn league", "zeno"]
    assert Reader.ENGLISH("Name") in str(opened.modal)
    assert "Autumn" in extract_text(get_response(form).message)
