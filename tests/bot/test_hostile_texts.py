"""Names and texts are shown as people wrote them.

Nothing in them acts as markup, as a link or as a mention.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from discord import AppCommandOptionType
from simcord import InteractionResult

from bot.platform.ui.declarations import collect_presses
from lab.commands_page import list_commands
from tests.support.club import SimulatedClub, open_club
from tests.support.contests import create_contest, press_standings
from tests.support.driver import (
    find_mentioned_player,
    get_newest_message,
    get_response,
    list_control_ids,
    start_match,
    take_next_action,
)
from tests.support.sent_texts import list_sent_texts
from tests.support.uses import list_typed_uses, list_uses

MARK = "Zq7"
"""Stands in every hostile text, so that it is found again."""
NAMES = (
    f"**{MARK}** @everyone `x`",
    f"[{MARK}](https://evil.example/a)",
    f"\u202e{MARK} <@&1> ||```{{0}}\u2066",
)
WORDS = f"{MARK} @here <#1> </x:2> <t:0:R> # `` https://evil.example \u202e\u0007"
TEXT_INPUT, MENU, RADIO_GROUP = 4, 3, 21
"""The types of fields of a form."""
MAX_ALT_LENGTH = 1024
"""Characters that Discord lets describe a picture."""
UNSEEN = re.compile(
    "[\u0000-\u0009\u000b-\u001f\u007f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
CODE = re.compile(r"```.*?```|(?<!\\)`[^`\n]*`", re.DOTALL)
MARKUP = {
    "a call of all": re.compile(r"@(everyone|here)"),
    "a link": re.compile(r"(?<!\\)\[[^\]\n]*\]\((?!https://discord\.com/channels/)|https?://evil"),
    # Save the commands that we mention ourselves.
    "a call, channel, command or time": re.compile(
        r"(?<!\\)<(@&|#|/(?!\w+(?: \w+){0,2}:\d{17,}>)|t:0|:)"
    ),
    "bold, hidden or code": re.compile(
        rf"(?<!\\)(\*\*|\|\||`)[^\n]{{0,20}}{MARK}|{MARK}[^\n]{{0,9}}(?<!\\)(\*\*|\|\||`)"
    ),
}


async def show_hostile_texts(club: SimulatedClub) -> None:
    """Go everywhere where a name, a word or a reason is shown."""
    await start_match(club, "twelve-dogs", word=WORDS[:32])
    mover = find_mentioned_player(club)
    for command, options in (
        ("match board", {}),
        ("move", {"play": WORDS}),
        ("match try", {"play": WORDS}),
        ("match note", {"match": 1, "text": WORDS}),
        ("matches", {}),
        ("me block", {"person": club.cyn}),
        ("match follow", {"match": 1}),
        ("me settings", {}),
        ("rules", {"game": WORDS}),
        ("play", {"game": WORDS}),
        ("challenge", {"game": "zeno", "options": WORDS, "pace": WORDS[:20]}),
        ("challenge", {"game": "zeno", "pace": WORDS[:20]}),
    ):
        await mover.slash(club.channel, command, **options)
    more = await mover.click(get_newest_message(club), label="More…")
    await mover.click(get_response(more).message, label="Fair dice")
    while await take_next_action(club):
        pass
    for command, options in (
        ("leaderboard", {}),
        ("leaderboard", {"game": WORDS}),
        ("me profile", {}),
        ("me profile", {"player": club.ben}),
        ("match replay", {"match": 1}),
        ("match record", {"match": 1}),
        ("history", {}),
        ("history", {"game": WORDS}),
        ("history", {"contest": WORDS[:60]}),
        ("server end", {"match": 1, "how": "annul", "reason": WORDS}),
        ("server log", {}),
        ("server stats", {}),
    ):
        await club.ana.slash(club.channel, command, **options)
    await show_hostile_ladder(club)
    await show_hostile_contests(club)
    await start_match(club, "zeno")
    await club.ana.slash(club.channel, "server end", match=2, how="gold", reason=WORDS)
    await start_match(club, "pyf")
    await club.ana.slash(club.channel, "match substitute", player=club.cyn, match=3)


async def type_everywhere(club: SimulatedClub) -> None:
    """Type the text wherever something can be typed: into options, and into forms that open."""
    forms = {verb for verb, each in collect_presses().items() if each.modal}
    things = {AppCommandOptionType.user: club.cyn}
    for command in list_commands():
        for use in (next(list_uses(command, things)), *list_typed_uses(command, things, WORDS)):
            result = await club.ana.slash(club.channel, command.qualified_name, **use)
            await fill_in_form(club, result)
            shown = result.response.message if result.response else None
            for custom_id in list_control_ids(shown):
                if shown and custom_id.partition(":")[0] in forms:
                    await fill_in_form(club, await club.ana.click(shown, custom_id=custom_id))


async def fill_in_form(club: SimulatedClub, result: InteractionResult) -> None:
    """Type the text into each field of a form, if one has opened."""
    typed: dict[str, Any] = {}
    for part in (result.modal or {}).get("components", ()):
        field = part["component"]
        if field["type"] == TEXT_INPUT:
            typed[field["custom_id"]] = WORDS[: field.get("max_length") or len(WORDS)]
        elif field["type"] == MENU:
            typed[field["custom_id"]] = [field["options"][0]["value"]]
        elif field["type"] == RADIO_GROUP:
            typed[field["custom_id"]] = field["options"][0]["value"]
    if typed:
        await club.ana.submit_modal(result, typed)


async def show_hostile_contests(club: SimulatedClub) -> None:
    """Name a league and tournaments, and rule them for a reason; people of any name play them."""
    late = club.guild.add_member(club.env.create_user("late", global_name=club.ben.name))
    contests: tuple[tuple[str, dict[str, Any]], ...] = (
        ("league", {}),
        ("tournament", {"format": "knock-out", "third": True}),
        ("tournament", {"format": "swiss"}),
    )
    for number, (group, terms) in enumerate(contests, 1):
        named = {group: str(number)}
        await create_contest(club.ana, club.channel, group, name=WORDS[:60], game="fallas", **terms)
        for person in (club.ana, club.ben, club.cyn, late):
            await press_standings(person, club.channel, group, "join", **named)
        panel = get_response(await club.ana.slash(club.channel, f"{group} manage", **named)).message
        await club.ana.click(panel, custom_id=f"leaguerule:{number}:start")
        await club.advance_clock(5_000)
        await press_standings(club.ben, club.channel, group, "mine", **named)
        saved = get_response(await club.ben.slash(club.channel, "history", contest=str(number)))
        for kind in ("csv", "json"):
            await club.ben.click(saved.message, custom_id=f"standingsfile:{number}:{kind}")
        card = get_response(await club.ben.slash(club.channel, f"{group} standings", **named))
        await club.ben.click(card.message, custom_id=f"leaguetable:{number}")
        panel = get_response(await club.ana.slash(club.channel, f"{group} manage", **named)).message
        form = await club.ana.click(panel, custom_id=f"leaguerule:{number}:cancel")
        await club.ana.submit_modal(form, {"text": WORDS})
        await club.advance_clock(5_000)


async def show_hostile_ladder(club: SimulatedClub) -> None:
    """Name a ladder, and close it for a reason; people of any name are on it."""
    await create_contest(club.ana, club.channel, "ladder", name=WORDS[:60], game="zeno")
    for person in (club.ana, club.ben):
        await press_standings(person, club.channel, "ladder", "join")
    await press_standings(club.ben, club.channel, "ladder", "next")
    await club.ben.slash(club.channel, "ladder standings")
    await club.ben.slash(club.channel, "ladder challenge", opponent=club.ana)
    panel = get_response(await club.ana.slash(club.channel, "ladder manage")).message
    form = await club.ana.click(panel, custom_id="ladderclose:1")
    await club.ana.submit_modal(form, {"text": WORDS})
    for ladder in (WORDS[:60], "1"):
        await club.ben.slash(club.channel, "history", ladder=ladder)


@pytest.mark.sweep
@pytest.mark.asyncio
@pytest.mark.parametrize("turn", range(3))
async def test_names_words_and_reasons_are_texts_and_nothing_else(
    tmp_path: Path, turn: int
) -> None:
    names = (*NAMES[turn:], *NAMES[:turn])
    # `names` has three names, turned.
    async with open_club(tmp_path / "club.sqlite3", names=names) as club:  # type: ignore[arg-type]
        await show_hostile_texts(club)
        if turn == 0:
            await type_everywhere(club)
        found = [each for each in list_sent_texts(club.env.http_requests) if MARK in each.text]
        assert {"content", "description"} <= {each.where for each in found}
        for each in found:
            assert not UNSEEN.search(each.text), each
            if each.where == "content":
                outside = CODE.sub("", each.text)
                for what, markup in MARKUP.items():
                    assert not markup.search(outside), (what, each)
            elif each.where == "description":
                assert len(each.text) <= MAX_ALT_LENGTH
