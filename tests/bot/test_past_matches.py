"""Looking through finished matches with /history, and taking them along as a file."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord

from bot.features.history import service
from bot.features.matches.loading import load_session
from bot.features.matches.session import SessionCache
from bot.features.matches.store import Matches
from tests.bot.test_access import hide_channel
from tests.bot.test_leagues import start_league
from tests.bot.test_lessons import reload_message
from tests.bot.test_membership import leave_guild
from tests.bot.test_record_page import load_validator
from tests.bot.test_substitution import start_team_match
from tests.support.club import SimulatedClub, open_club
from tests.support.contests import press_standings
from tests.support.driver import (
    create_second_guild,
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    start_match,
    take_next_action,
)

pytestmark = pytest.mark.asyncio


async def look(club: SimulatedClub, person: simcord.MemberActor, **options: Any) -> str:
    """What somebody reads of finished matches, without links."""
    text = get_ephemeral_text(await person.slash(club.channel, "history", **options))
    return re.sub(r"\[(match \d+)\]\(https://[^)]*\)", r"\1", text)


async def open_page(
    club: SimulatedClub, person: simcord.MemberActor, **options: Any
) -> discord.Message:
    """The page of finished matches that somebody opens."""
    page = get_response(await person.slash(club.channel, "history", **options)).message
    assert page is not None
    return page


async def turn_page(
    club: SimulatedClub, person: simcord.MemberActor, page: discord.Message, label: str
) -> discord.Message:
    """The page as it is once somebody has turned it."""
    await person.click(page, label=label)
    return reload_message(club, person, page)


async def save_file(
    person: simcord.MemberActor | simcord.UserHandle, page: discord.Message, label: str
) -> tuple[str, str, bytes]:
    """What somebody reads with the file that a button of a page gives: its name and content."""
    answer = await person.click(page, label=label)
    (file,) = get_response(answer).attachments
    return get_ephemeral_text(answer), file.filename, await file.read()


async def read_json(person: simcord.MemberActor, page: discord.Message) -> list[dict[str, Any]]:
    """The matches of a page's JSON file."""
    _, name, content = await save_file(person, page, "JSON")
    assert name == "matches.json"
    load_validator("history").validate(json.loads(content))
    found: list[dict[str, Any]] = json.loads(content)["matches"]
    return found


async def read_csv(person: simcord.MemberActor, page: discord.Message) -> list[dict[str, str]]:
    """The rows of a page's CSV file."""
    _, name, content = await save_file(person, page, "CSV")
    assert name == "matches.csv"
    # The mark that comes first is how spreadsheets know UTF-8.
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def list_numbers(text: str) -> list[int]:
    """The numbers of the matches that a page lists, in its order."""
    return [int(number) for number in re.findall(r"match (\d+)\]?[^,]*, ", text)]


async def resign_matches(club: SimulatedClub, *games: str) -> None:
    """Let Ana resign a match against Ben of each game."""
    for game in games:
        await start_match(club, game)
        await give_up(club, club.ana, club.channel, max(club.bot.app.get_part(SessionCache)))


async def test_an_empty_list_says_what_to_do(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    assert await look(club, club.ana) == (
        "### Your finished matches\n"
        "You have no finished match yet. Start one with `/play` or `/challenge`."
    )
    assert "No finished match fits. Leave out an option" in await look(club, club.ana, game="Zeno")
    assert await look(club, club.ana, player=club.ben) == (
        f"### Finished matches of <@{club.ben.id}>\n"
        f"<@{club.ben.id}> has finished no match in this server. Matches on other servers are "
        "shown only to those who played them."
    )
    assert list_button_labels(await open_page(club, club.ana)) == []


async def test_each_reads_a_match_from_their_own_side(club: SimulatedClub) -> None:
    await resign_matches(club, "zeno")
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert row.ended is not None
    link = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{row.message}"
    text = get_ephemeral_text(await club.ana.slash(club.channel, "history"))
    assert text == (
        "### Your finished matches\n"
        f"<t:{row.ended // 1000}:d> [match 1]({link}), Zeno, against <@{club.ben.id}>: "
        f"**lost** (<@{club.ana.id}> resigned)\n"
        "-# 1 match."
    )
    assert f"against <@{club.ana.id}>: **won** (<@{club.ana.id}> resigned)" in await look(
        club, club.ben
    )
    # Somebody else reads of the one they ask about.
    other = await look(club, club.cyn, player=club.ana)
    assert other.startswith(f"### Finished matches of <@{club.ana.id}>\n")
    assert f"against <@{club.ben.id}>: **lost**" in other


async def test_draws_and_what_counts_for_nothing_are_told_apart(club: SimulatedClub) -> None:
    for _ in range(4):
        await start_match(club, "zeno")
    ana, channel = club.ana, club.channel
    await ana.slash(channel, "server end", match=1, how="draw", reason="late")
    await ana.slash(channel, "server end", match=2, how="annul", reason="a slip")
    await ana.slash(channel, "server end", match=3, how="gold", reason="late")
    message = get_response(await ana.slash(channel, "match resign", match=4)).message
    await ana.click(message, custom_id=find_button(message, ":abort"))
    texts = (await look(club, ana)).splitlines()
    against = f"Zeno, against <@{club.ben.id}>: "
    assert [line.partition(against)[2] for line in texts[1:5]] == [
        f"**doesn't count** (<@{ana.id}> left within the first two turns)",
        "**won** (decided by a moderator)",
        "**doesn't count** (annulled)",
        "**drawn** (decided by a moderator)",
    ]
    found = await read_json(ana, await open_page(club, ana))
    assert [(each["number"], each["winner"], each["how"], each["points"]) for each in found] == [
        (4, "none", "aborted", 0),
        (3, "gold", "adjudicated", 1),
        (2, "none", "annulled", 0),
        (1, "draw", "adjudicated", 0),
    ]


async def test_a_match_annulled_after_its_end_keeps_its_place(club: SimulatedClub) -> None:
    await resign_matches(club, "zeno", "fallas")
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="a slip")
    text = await look(club, club.ben)
    assert list_numbers(text) == [2, 1]
    assert "**doesn't count** (annulled)" in text.splitlines()[2]


async def test_matches_are_found_by_game_and_pages_keep_the_filter_after_a_restart(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "PAGE", 2)
    await resign_matches(club, "zeno", "fallas", "zeno", "fallas", "zeno", "zeno", "zeno")
    page = await open_page(club, club.ben, game="Zeno")
    assert list_numbers(extract_text(page)) == [7, 6]
    assert "Game: Zeno" in extract_text(page)
    assert extract_text(page).endswith("-# 5 matches. Page 1 of 3.")
    assert list_button_labels(page) == ["Older", "CSV", "JSON"]
    bot = await club.restart_bot()
    page = await turn_page(club, club.ben, page, "Older")
    assert list_numbers(extract_text(page)) == [5, 3]
    assert list_button_labels(page) == ["Newer", "Older", "CSV", "JSON"]
    page = await turn_page(club, club.ben, page, "Older")
    assert list_numbers(extract_text(page)) == [1]
    assert list_button_labels(page) == ["Newer", "CSV", "JSON"]
    assert [each["number"] for each in await read_json(club.ben, page)] == [7, 6, 5, 3, 1]
    page = await turn_page(club, club.ben, page, "Newer")
    assert list_numbers(extract_text(page)) == [5, 3]
    await bot.close()


async def test_a_page_past_the_end_is_the_last(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "PAGE", 1)
    await resign_matches(club, "zeno", "fallas")
    page = await open_page(club, club.ana)
    # The button was made when pages were shorter.
    monkeypatch.setattr(service, "PAGE", 2)
    page = await turn_page(club, club.ana, page, "Older")
    assert list_numbers(extract_text(page)) == [2, 1]
    assert extract_text(page).endswith("-# 2 matches.")


async def test_others_matches_are_shown_in_their_server_alone(club: SimulatedClub) -> None:
    await resign_matches(club, "zeno")
    guild = create_second_guild(club, "Other")
    hall = guild.create_text_channel("hall")
    cyn, ben = (guild.add_member(person.user) for person in (club.cyn, club.ben))
    hidden = get_ephemeral_text(await cyn.slash(hall, "history", player=ben))
    assert "has finished no match in this server" in hidden
    # One's own are shown from everywhere.
    own = get_ephemeral_text(await ben.slash(hall, "history"))
    assert list_numbers(own) == [1]


async def test_in_direct_messages_one_sees_ones_own(club: SimulatedClub) -> None:
    await resign_matches(club, "zeno")
    person = club.ana.user
    await person.slash("play", game="zeno")
    message = get_response(await person.slash("match resign", match=2)).message
    await person.click(message, custom_id=find_button(message, ":abort"))
    page = get_response(await person.slash("history")).message
    assert list_numbers(extract_text(page)) == [2, 1]
    assert page is not None
    _, _, content = await save_file(person, page, "CSV")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert [row["server"] for row in rows] == ["", f"server:{club.guild.id}"]
    both = get_response(await person.slash("history", player=club.ben.user)).message
    assert list_numbers(extract_text(both)) == [1]
    # Direct messages of others are no server that anybody could ask in.
    other = get_response(await club.cyn.user.slash("history", player=club.ana.user)).message
    lacking = f"You and <@{club.ana.id}> haven't finished a match together."
    assert lacking in extract_text(other)
    await leave_guild(club)
    kept = get_ephemeral_text(await club.ana.slash(club.channel, "history"))
    assert list_numbers(kept) == [2, 1]


@pytest.mark.parametrize("game", ["baralie", "laquet"])
async def test_whoever_resigns_has_lost_on_either_side(club: SimulatedClub, game: str) -> None:
    swapped = set()
    for number in range(1, 21):
        await start_match(club, game)
        while (await load_session(club.bot.app, number)).match.drawn < 3:
            assert await take_next_action(club)
        await give_up(club, club.ana, club.channel, number)
        swapped.add((await load_session(club.bot.app, number)).match.swapped)
        if len(swapped) == 2 and number > 2:
            break
    assert swapped == {True, False}
    page = await open_page(club, club.ana)
    lines = [line for line in extract_text(page).splitlines() if line.startswith("<t:")]
    assert lines
    for line in lines:
        assert line.endswith(f"<@{club.ben.id}>: **lost** (<@{club.ana.id}> resigned)")
    for row in await read_json(club.ana, page):
        sides = {each["id"]: each["side"] for each in row["players"]}
        assert row["winner"] == sides[str(club.ben.id)]


async def test_a_league_shows_everyones_matches_and_who_forfeited(club: SimulatedClub) -> None:
    await start_league(club, rated=False)
    message = get_response(await press_standings(club.ben, club.channel, "league", "leave")).message
    await club.ben.click(message, label="Leave and forfeit")
    await club.advance_clock(0)
    text = await look(club, club.cyn, contest="Autumn league")
    assert text.startswith("### Finished matches\nLeague: Autumn league\n")
    lines = [line for line in text.splitlines() if line.startswith("<t:")]
    assert len(lines) == 3
    for line in lines:
        assert re.search(r"<@(\d+)> against <@(\d+)>: \*\*<@\d+> won\*\* ", line)
        assert line.endswith(f"(<@{club.ben.id}> forfeited)")
    own = await look(club, club.ben)
    assert own.count("**forfeited**") == 3
    assert own.count("\n-# Autumn league") == 3
    assert "**won by forfeit**" in await look(club, club.ana, contest="1", player=club.ana)
    rows = await read_csv(club.ana, await open_page(club, club.ana, contest="autumn league"))
    assert [(row["league"], row["league_name"], row["league_season"]) for row in rows] == [
        ("1", "Autumn league", "1")
    ] * 3
    assert {row["how"] for row in rows} == {"forfeited"}
    assert "I don't know that league or tournament." in await look(club, club.ana, contest="99")
    guild = create_second_guild(club, "Other")
    hall, cyn = guild.create_text_channel("hall"), guild.add_member(club.cyn.user)
    elsewhere = get_ephemeral_text(await cyn.slash(hall, "history", contest="1"))
    assert elsewhere.startswith("I don't know that league or tournament.")
    offered = await club.ana.autocomplete(club.channel, "history", "contest", "aut")
    assert [choice["value"] for choice in offered] == ["1"]


async def test_who_no_longer_sees_the_channel_of_a_league_finds_their_own_matches_of_it(
    club: SimulatedClub,
) -> None:
    await start_league(club, rated=False)
    message = get_response(await press_standings(club.ben, club.channel, "league", "leave")).message
    await club.ben.click(message, label="Leave and forfeit")
    message = get_response(await press_standings(club.cyn, club.channel, "league", "leave")).message
    await club.cyn.click(message, label="Leave and forfeit")
    await club.advance_clock(0)
    elsewhere = club.guild.create_text_channel("elsewhere")
    everyones = await look(club, club.ben, contest="1")
    await hide_channel(club, club.channel, club.ben)

    async def open_elsewhere(person: simcord.MemberActor) -> discord.Message:
        page = get_response(await person.slash(elsewhere, "history", contest="1")).message
        assert page is not None
        assert extract_text(page).count("<t:") == len(await read_csv(person, page))
        return page

    assert everyones == await look(club, club.ana, contest="1")
    assert len(await read_csv(club.ana, await open_elsewhere(club.ana))) == 5
    own = await open_elsewhere(club.ben)
    assert len(await read_csv(club.ben, own)) == 3
    said, _, _ = await save_file(club.ben, own, "Standings (CSV)")
    assert said.startswith("The standings of Autumn league and its 6 matches are in this file.")


async def test_teams_are_listed_by_side_with_who_was_replaced(club: SimulatedClub) -> None:
    dan, eve = await start_team_match(club)
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    await eve.click(get_newest_message(club), label="Take the seat")
    await give_up(club, club.ana, club.channel, 1)
    text = await look(club, dan)
    assert f"against <@{club.ana.id}> and <@{eve.id}>: **won**" in text
    assert "(gold resigned)" in text
    page = await open_page(club, dan)
    (row,) = await read_csv(dan, page)
    assert (row["gold"], row["black"]) == ("Ana; Eve", "Ben; Dan")
    assert row["gold_ids"] == f"<@{club.ana.id}> <@{eve.id}>"
    assert (row["options"], row["rated"], row["winner"]) == ("players=2", "yes", "black")
    (match,) = await read_json(dan, page)
    assert [(each["name"], each["replaced"]) for each in match["players"]] == [
        ("Ana", None),
        ("Eve", str(club.cyn.id)),
        ("Ben", None),
        ("Dan", None),
    ]


async def test_a_match_against_the_computer_names_its_level(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="zeno", level="beginner")
    await give_up(club, club.ana, club.channel)
    assert "against Computer: **lost**" in await look(club, club.ana)
    page = await open_page(club, club.ana)
    (row,) = await read_csv(club.ana, page)
    assert {row["gold"], row["black"]} == {"Ana", "Computer"}
    assert {row["gold_ids"], row["black_ids"]} == {f"<@{club.ana.id}>", "computer:beginner"}
    (match,) = await read_json(club.ana, page)
    computer = next(each for each in match["players"] if each["name"] == "Computer")
    assert (computer["id"], computer["computer"]) == (None, "beginner")


async def test_hostile_names_are_plain_text_and_no_formulas(tmp_path: Path) -> None:
    names = ("=HYPERLINK(1)", "@SUM(A1)", '-2, "x";+3')
    async with open_club(tmp_path / "club.sqlite3", names=names) as club:
        await resign_matches(club, "zeno")
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.cyn)
        message = get_newest_message(club)
        await club.cyn.click(message, custom_id=find_button(message, ":accept"))
        await give_up(club, club.ana, club.channel, 2)
        page = await open_page(club, club.ana)
        rows = await read_csv(club.ana, page)
        assert [(row["gold"], row["black"]) for row in rows] == [
            ("'=HYPERLINK(1)", "'-2, \"x\";'+3"),
            ("'=HYPERLINK(1)", "'@SUM(A1)"),
        ]
        for row in rows:
            assert not [cell for cell in row.values() if cell[:1] in ("=", "+", "-", "@")]
        found = await read_json(club.ana, page)
        assert [each["players"][1]["name"] for each in found] == [names[2], names[1]]


async def test_a_file_takes_the_newest_and_says_so(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_EXPORTED", 2)
    monkeypatch.setattr(service, "BATCH", 1)
    await resign_matches(club, "zeno", "fallas", "zeno")
    page = await open_page(club, club.ana)
    text, _, content = await save_file(club.ana, page, "JSON")
    assert text.startswith("The newest 2 of 3 matches are in this file, the most that one takes.")
    said = json.loads(content)
    assert said["complete"] is False
    assert [each["number"] for each in said["matches"]] == [3, 2]
    zeno = await open_page(club, club.ana, game="zeno")
    text, _, content = await save_file(club.ana, zeno, "JSON")
    assert text.startswith("2 matches are in this file.")
    assert json.loads(content)["complete"] is True


@pytest.mark.parametrize(
    "forged",
    [
        "history:{ben}::0:0",
        "history:0::0:0",
        "history:{ana}:chess:0:0",
        "history:{ana}::9:0",
        "historyfile:{ben}::0:csv",
        "historyfile:{ana}::0:xml",
        "historyfile:{ana}::0",
    ],
)
async def test_a_button_that_no_page_shows_gets_one_sentence(
    club: SimulatedClub, forged: str
) -> None:
    await resign_matches(club, "zeno")
    page = await open_page(club, club.ana)
    custom_id = forged.format(ana=club.ana.id, ben=club.ben.id)

    def forge(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["data"] = {"component_type": 2, "custom_id": custom_id}

    club.env.backend.subscribers.insert(0, forge)
    answer = get_response(await club.ana.click(page, label="CSV"))
    assert extract_text(answer.message).startswith("That button no longer works.")
    assert answer.attachments == []
