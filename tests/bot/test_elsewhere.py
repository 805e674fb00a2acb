"""Controls of a server's challenges, contests and ladders, pressed somewhere else.

A modified client can send an id that another server's message shows, or one that it makes up. Only
where a thing is from does Discord say that whoever presses is a member there.
"""

from collections.abc import Sequence
from typing import Any

import discord
import pytest
import simcord

from bot.features.analysis.cards import ANALYSIS
from bot.features.challenges.store import Challenges
from bot.features.contests.store import Contests
from bot.features.contests.tables import RulingAction
from bot.features.history.commands import HISTORY
from bot.features.ladders.store import Ladders
from bot.features.matches.store import Matches
from bot.features.moderation.cards import LOG
from bot.features.ratings.cards import RANKS
from bot.platform.ui.declarations import collect_presses
from tests.bot.test_substitution import start_team_match
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest
from tests.support.driver import (
    add_member,
    create_second_guild,
    extract_text,
    find_button,
    forge_press,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_public_messages,
    start_match,
)

pytestmark = pytest.mark.asyncio

CHALLENGE = "I don't know that challenge."
LEAGUE = "I don't know that league or tournament."
LADDER = "I don't know that ladder."
BUTTONS = (
    ("challenge:{number}:accept", CHALLENGE),
    ("challenge:{number}:decline", CHALLENGE),
    ("challenge:{number}:fill", CHALLENGE),
    ("challenge:{number}:gold", CHALLENGE),
    ("challenge:{number}:black", CHALLENGE),
    ("challengedice:{number}", CHALLENGE),
    ("leagueagain:{number}", LEAGUE),
    ("leagueback:{number}", LEAGUE),
    ("leaguejoin:{number}", LEAGUE),
    ("leagueleave:{number}", LEAGUE),
    ("leaguematches:{number}", LEAGUE),
    ("leaguematches:{number}:1", LEAGUE),
    ("leaguemine:{number}", LEAGUE),
    ("leaguetable:{number}", LEAGUE),
    ("standingsfile:{number}:csv", LEAGUE),
    ("ladderjoin:{number}", LADDER),
    ("ladderleave:{number}", LADDER),
    ("laddernext:{number}", LADDER),
    ("laddermanage:{number}", LADDER),
)
"""Buttons that name one of these, and how the refusal of an unknown one begins."""
MENUS = (
    ("leaguetable:{number}", "0", LEAGUE),
    ("leagueremove:{number}:readmit:0", "{ana}", LEAGUE),
    ("ladderchallenge:{number}", "{ana}", LADDER),
    ("ladderreadmit:{number}:0", "{ana}", LADDER),
)
"""Menus that name one, with what is picked."""
FORMS = (
    ("challenge:{number}:word", CHALLENGE),
    *((f"leaguerule:{{number}}:{action}", LEAGUE) for action in RulingAction),
    ("leagueout:{number}:remove:{ana}", LEAGUE),
    ("leagueout:{number}:replace:{ana}", LEAGUE),
    ("ladderclose:{number}", LADDER),
    ("ladderout:{number}:{ana}", LADDER),
)
"""Forms that name one."""
NEVER_DONE = {"ladderremove"}
"""Menus that open a form, in which alone something is done."""
OF_NOTHING = {HISTORY, LOG, RANKS, "advice"}
"""Controls whose `number` is a page of what is looked at, or one of a match's best plays."""
OF_ANALYSES = {ANALYSIS}
"""Those of positions that people analyse, which are tested with these."""


async def load_everything(club: SimulatedClub) -> list[Any]:
    """What is stored about the challenge, the league and the ladder, and what stands about them."""
    store = club.store
    return [
        await store.get(Challenges).load_challenge(1),
        await store.get(Contests).load_view(1),
        await store.get(Ladders).load_view(1),
        await store.get(Matches).load_numbers(),
        [extract_text(message) for message in list_public_messages(club)],
    ]


async def test_every_control_that_names_such_a_thing_is_in_the_lists_above() -> None:
    named = {
        verb
        for verb, each in collect_presses().items()
        if any(part.name == "number" for part in each.parts)
    }
    listed = {each[0].partition(":")[0] for each in (*BUTTONS, *MENUS, *FORMS)}
    assert listed | NEVER_DONE | OF_NOTHING | OF_ANALYSES == named, (
        f"name each in BUTTONS, MENUS or FORMS of {__file__}"
    )


async def press_everything(
    club: SimulatedClub, person: simcord.MemberActor, pressed: discord.Message
) -> int:
    """Press all of them with the number of what there is, and with one that never was."""
    before = await load_everything(club)
    presses: Sequence[tuple[str, dict[str, str], str]] = (
        *((each, {}, sentence) for each, sentence in BUTTONS),
        *((each, {"value": value}, sentence) for each, value, sentence in MENUS),
        *((each, {"typed": "a reason"}, sentence) for each, sentence in FORMS),
    )
    for custom_id, options, sentence in presses:
        filled = {name: text.format(ana=club.ana.id) for name, text in options.items()}
        for number in (1, 9):
            forged = custom_id.format(number=number, ana=club.ana.id)
            refusal = await forge_press(club, person, pressed, forged, **filled)
            assert get_ephemeral_text(refusal).startswith(sentence), forged
    assert await load_everything(club) == before
    return len(presses)


async def test_nothing_of_a_server_is_done_from_another(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    await create_contest(club.ana, club.channel, "league", name="Autumn league", game="fallas")
    await create_contest(club.ana, club.channel, "ladder", name="Club ladder", game="fallas")
    # Ben has every permission in his own server, and was never in the club's.
    other = create_second_guild(club, "Other")
    hall = other.create_text_channel("hall")
    club.guild.remove_member(club.ben)
    ben = other.add_member(club.ben.user)
    pressed = get_response(await ben.slash(hall, "help")).message
    assert await press_everything(club, ben, pressed) == 36


async def test_who_was_banned_accepts_no_challenge_but_may_decline_it(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    other = create_second_guild(club, "Other")
    hall = other.create_text_channel("hall")
    ben = other.add_member(club.ben.user)
    club.guild.remove_member(club.ben)
    pressed = get_response(await ben.slash(hall, "help")).message
    for custom_id in ("challenge:1:accept", "challenge:1:black"):
        text = get_ephemeral_text(await forge_press(club, ben, pressed, custom_id))
        assert text.startswith(CHALLENGE)
    assert await club.store.get(Matches).load_numbers() == []
    challenge = await club.store.get(Challenges).load_challenge(1)
    assert challenge is not None
    assert challenge.state == "open"
    # Nobody is to be kept waiting by one who can't come any more.
    message = get_response(await club.ben.user.slash("matches")).message
    menu = next(
        part
        for part in discord.ui.LayoutView.from_message(message).walk_children()
        if isinstance(part, discord.ui.Select) and (part.custom_id or "").startswith("withdraw")
    )
    await club.ben.user.select(message, custom_id=menu.custom_id, values=["1"])
    challenge = await club.store.get(Challenges).load_challenge(1)
    assert challenge is not None
    assert challenge.state == "declined"


async def test_a_seat_is_offered_only_to_members_of_its_server(club: SimulatedClub) -> None:
    await start_team_match(club)
    other = create_second_guild(club, "Other")
    hall = other.create_text_channel("hall")
    ben = other.add_member(club.ben.user)
    finn = other.add_member(club.env.create_user("finn", global_name="Finn"))
    before = await load_everything(club)
    text = get_ephemeral_text(await ben.slash(hall, "match substitute", player=finn, match=1))
    assert text == "Match 1 was started elsewhere, and that only works there."
    await club.advance_clock(0)
    assert await load_everything(club) == before


async def test_a_challenge_s_rules_tell_its_game_in_its_own_server_alone(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "challenge", game="twelve-dogs")
    other = create_second_guild(club, "Other")
    hall = other.create_text_channel("hall")
    ben = other.add_member(club.ben.user)
    pressed = get_response(await ben.slash(hall, "help")).message
    text, unknown = [
        get_ephemeral_text(await forge_press(club, ben, pressed, f"challenge:{number}:rules"))
        for number in (1, 9)
    ]
    assert text == unknown
    own = await club.ben.click(
        get_newest_message(club), custom_id=find_button(get_newest_message(club), ":rules")
    )
    assert get_ephemeral_text(own) != unknown


async def test_a_rematch_is_offered_only_where_the_match_was_played(club: SimulatedClub) -> None:
    dan = add_member(club, "dan")
    await start_match(club, "zeno")
    await give_up(club, club.ben, club.channel)
    await dan.slash(club.channel, "play", game="zeno")
    await club.advance_clock(0)
    await give_up(club, dan, club.channel, match=2)
    other = create_second_guild(club, "Other")
    hall = other.create_text_channel("hall")
    ben = other.add_member(club.ben.user)
    for person in (club.ben, dan):
        club.guild.remove_member(person)
    before = await load_everything(club)
    text = "Match {} was started elsewhere, and that only works there."
    for who, help_asked, number in (
        (ben, await ben.slash(hall, "help"), 1),
        (club.ben.user, await club.ben.user.slash("help"), 1),
        (dan.user, await dan.user.slash("help"), 2),
    ):
        pressed = get_response(help_asked).message
        refusal = await forge_press(club, who, pressed, f"rematch:{number}")
        assert get_ephemeral_text(refusal) == text.format(number)
    await club.advance_clock(0)
    assert await load_everything(club) == before
