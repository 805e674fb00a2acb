"""Finished matches of a ladder in /history: named, looked for, and taken along as a file."""

import re
from typing import Any

import pytest
import simcord

from bot.features.history import service
from bot.platform.ui.controls import list_control_ids
from tests.bot.test_ladders import NAME, begin, open_ladder
from tests.bot.test_leagues import start_league
from tests.bot.test_past_matches import (
    list_numbers,
    look,
    open_page,
    read_csv,
    read_json,
    resign_matches,
    turn_page,
)
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest, press_standings
from tests.support.driver import (
    create_second_guild,
    extract_text,
    get_ephemeral_text,
    get_response,
    give_up,
    list_button_labels,
)

pytestmark = pytest.mark.asyncio
HEADING = f"### Finished matches\nLadder: {NAME}\n"
UNKNOWN = "I don't know that ladder. The option `ladder` lists those of this server."


async def climb_ladder(club: SimulatedClub) -> list[simcord.MemberActor]:
    """Let Cyn beat Ana, and then Ana lose to Ben too, both on the first ladder, by resigning."""
    people = await open_ladder(club, 3)
    ana, ben, cyn = people
    # Cyn's rung is then the top one, Ana's the second and Ben's the last.
    for challenger in (cyn, ben):
        await give_up(club, ana, club.channel, await begin(club, challenger, ana))
    return people


async def close_ladder(club: SimulatedClub, number: int = 1) -> None:
    """Close a ladder as an organiser."""
    panel = await club.ana.slash(club.channel, "ladder manage", ladder=str(number))
    form = await club.ana.click(get_response(panel).message, custom_id=f"ladderclose:{number}")
    await club.ana.submit_modal(form, {"text": "over"})


async def test_a_line_names_the_ladder_of_its_match(club: SimulatedClub) -> None:
    await climb_ladder(club)
    await resign_matches(club, "zeno")
    texts = (await look(club, club.ana)).splitlines()
    assert texts[0] == "### Your finished matches"
    assert [line for line in texts if line.startswith("-# ")] == [
        f"-# {NAME}",
        f"-# {NAME}",
        "-# 3 matches.",
    ]
    # The second line is that of the match above it, and the last match is on no ladder.
    assert [re.sub(r".*(match \d+).*", r"\1", line) for line in texts[1:-1]] == [
        "match 3",
        "match 2",
        f"-# {NAME}",
        "match 1",
        f"-# {NAME}",
    ]


async def test_a_ladder_shows_everyones_matches_on_it(club: SimulatedClub) -> None:
    ana, ben, cyn = await climb_ladder(club)
    await resign_matches(club, "fallas")
    for typed in ("1", NAME.upper()):
        text = await look(club, ben, ladder=typed)
        assert text.startswith(HEADING)
        assert list_numbers(text) == [2, 1]
        assert f"<@{cyn.id}> won" in text
        # The heading names it once for all of them.
        assert text.count(NAME) == 1
    text = await look(club, ben, ladder="1", player=cyn)
    assert text.startswith(f"### Finished matches of <@{cyn.id}>\nLadder: {NAME}\n")
    assert list_numbers(text) == [1]
    assert f"against <@{ana.id}>: **won**" in text
    assert list_numbers(await look(club, ben, ladder="1", player=ben)) == [2]
    assert list_numbers(await look(club, ben, ladder="1", game="fallas")) == [2, 1]
    none = await look(club, ben, ladder="1", game="zeno")
    assert "No finished match fits. Leave out an option of `/history`" in none


async def test_closed_ladders_are_offered_after_open_ones(club: SimulatedClub) -> None:
    await climb_ladder(club)
    await close_ladder(club)
    await create_contest(club.ana, club.channel, "ladder", name="New club", game="zeno")
    offered = await club.ben.autocomplete(club.channel, "history", "ladder", "CLUB")
    assert [(choice["name"], choice["value"]) for choice in offered] == [
        ("New club", "2"),
        (NAME, "1"),
    ]
    assert list_numbers(await look(club, club.ben, ladder=NAME)) == [2, 1]


async def test_a_ladder_of_another_server_is_not_shown(club: SimulatedClub) -> None:
    await climb_ladder(club)
    guild = create_second_guild(club, "Other")
    hall = guild.create_text_channel("hall")
    ana, cyn = (guild.add_member(person.user) for person in (club.ana, club.cyn))
    for typed in ("1", NAME):
        assert get_ephemeral_text(await cyn.slash(hall, "history", ladder=typed)) == UNKNOWN
        direct = get_response(await club.cyn.user.slash("history", ladder=typed)).message
        assert extract_text(direct) == UNKNOWN
    assert await look(club, club.ana, ladder="99") == UNKNOWN
    assert await cyn.autocomplete(hall, "history", "ladder", "") == []
    # What others played is shown in their server alone; one's own matches everywhere.
    hidden = get_ephemeral_text(await cyn.slash(hall, "history", player=ana))
    assert "has finished no match in this server" in hidden
    own = get_ephemeral_text(await cyn.slash(hall, "history"))
    assert list_numbers(own) == [1]
    assert f"\n-# {NAME}\n" in own


async def test_a_league_and_a_ladder_at_once_are_refused(club: SimulatedClub) -> None:
    await start_league(club)
    await open_ladder(club, 2)
    assert await look(club, club.ana, contest="1", ladder="1") == (
        "A match is played in a league or tournament, or on a ladder, not both. Leave out "
        "`contest` or `ladder`."
    )


async def test_buttons_keep_the_ladder_also_after_a_restart(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "PAGE", 1)
    await climb_ladder(club)
    await resign_matches(club, "fallas")
    page = await open_page(club, club.ben, ladder="1")
    assert list_control_ids(page) == {
        "history:0::ladder1:1",
        "historyfile:0::ladder1:csv",
        "historyfile:0::ladder1:json",
    }
    bot = await club.restart_bot()
    page = await turn_page(club, club.ben, page, "Older")
    text = extract_text(page)
    assert text.startswith(HEADING)
    assert list_numbers(text) == [1]
    assert list_button_labels(page) == ["Newer", "CSV", "JSON"]
    assert [each["number"] for each in await read_json(club.ben, page)] == [2, 1]
    page = await turn_page(club, club.ben, page, "Newer")
    assert list_numbers(extract_text(page)) == [2]
    await bot.close()


async def test_what_is_not_of_a_ladder_has_the_ids_of_older_messages(club: SimulatedClub) -> None:
    await start_league(club)
    left = get_response(await press_standings(club.ben, club.channel, "league", "leave")).message
    await club.ben.click(left, label="Leave and forfeit")
    await club.advance_clock(0)
    for options, sought in (
        ({}, f"{club.ben.id}::0"),
        ({"contest": "1"}, "0::1"),
        ({"contest": "1", "player": club.ben, "game": "fallas"}, f"{club.ben.id}:fallas:1"),
    ):
        page = await open_page(club, club.ben, **options)
        kinds = ("csv", "json")
        files = {f"historyfile:{sought}:{kind}" for kind in kinds}
        # A league's standings are saved there, too.
        files |= {f"standingsfile:1:{kind}" for kind in kinds if options}
        assert list_control_ids(page) == files
        assert len(await read_json(club.ben, page)) == 3


async def test_a_button_of_no_such_ladder_gets_one_sentence(club: SimulatedClub) -> None:
    await climb_ladder(club)
    page = await open_page(club, club.ben, ladder="1")
    forged = {
        f"historyfile:0::{part}:csv": "That button no longer works."
        for part in ("ladder", "ladderx", "ladder-1", "rung1", "x", "")
    }
    # As if the message had shown it before its ladder was deleted.
    forged["historyfile:0::ladder9:csv"] = UNKNOWN
    pressed = ""

    def forge(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["data"] = {"component_type": 2, "custom_id": pressed}
            button = {"type": 2, "style": 2, "label": "CSV", "custom_id": pressed}
            payload["message"]["components"] = [{"type": 1, "components": [button]}]

    club.env.backend.subscribers.insert(0, forge)
    for pressed, expected in forged.items():  # noqa: B007 - `forge` reads it
        answer = get_response(await club.ben.click(page, label="CSV"))
        assert extract_text(answer.message).startswith(expected)
        assert answer.attachments == []


async def test_files_name_the_ladder_of_each_match(club: SimulatedClub) -> None:
    await climb_ladder(club)
    await resign_matches(club, "zeno")
    page = await open_page(club, club.ana)
    rows = await read_csv(club.ana, page)
    assert [(row["number"], row["ladder"], row["ladder_name"]) for row in rows] == [
        ("3", "", ""),
        ("2", "1", NAME),
        ("1", "1", NAME),
    ]
    assert list(rows[0])[-5:] == [
        "league",
        "league_name",
        "league_season",
        "ladder",
        "ladder_name",
    ]
    found = await read_json(club.ana, page)
    on_ladder = {"number": 1, "name": NAME}
    assert [each["ladder"] for each in found] == [None, on_ladder, on_ladder]
    assert [each["league"] for each in found] == [None] * 3


async def test_a_hostile_name_of_a_ladder_is_no_formula_and_no_markup(club: SimulatedClub) -> None:
    name = "=1+1 **@everyone** `x`"
    await create_contest(club.ana, club.channel, "ladder", name=name, game="fallas")
    for person in (club.ana, club.ben):
        await press_standings(person, club.channel, "ladder", "join")
    await give_up(club, club.ana, club.channel, await begin(club, club.ben, club.ana))
    for text in (await look(club, club.ana), await look(club, club.ana, ladder="1")):
        assert "@everyone" not in text
        assert "**@" not in text
        assert "`x`" not in text
    page = await open_page(club, club.ana)
    (row,) = await read_csv(club.ana, page)
    assert row["ladder_name"] == f"'{name}"
    (match,) = await read_json(club.ana, page)
    assert match["ladder"]["name"] == name
