"""Channels that some can't see or write in: nothing is put there for them, or in place of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest
import simcord
from simcord.backend.models import Overwrite
from simcord.enums import ChannelType, OverwriteType

from bot.features.challenges.store import Challenges
from bot.features.contests.store import Contests
from bot.features.matches.loading import load_session
from bot.features.matches.store import Matches
from lab.commands_page import list_commands
from tests.bot.test_substitution import start_team_match
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest, press_old_button, press_standings
from tests.support.driver import (
    extract_text,
    find_button,
    forge_press,
    get_ephemeral_text,
    get_response,
    give_up,
    list_button_labels,
    start_match,
)

pytestmark = pytest.mark.asyncio

MUTE = discord.PermissionOverwrite(send_messages=False)
HIDDEN = discord.PermissionOverwrite(view_channel=False)
SHOWN = discord.PermissionOverwrite(view_channel=True, send_messages=True)
HIDDEN_BITS = discord.Permissions(view_channel=True).value
SHARES: dict[str, dict[str, Any]] = {
    "ladder standings": {"share": True},
    "leaderboard": {},
    "league standings": {"share": True},
    "match board": {"match": 1, "share": True},
    "match replay": {"match": 1, "share": True},
    "me profile": {},
    "puzzle": {"share": True},
    "server stats": {"share": True},
    "tournament standings": {"share": True},
}
"""What is shown to everyone where it is asked for; those without an option always are."""
STARTS: dict[str, dict[str, Any]] = {
    "challenge": {"game": "zeno"},
    "play": {"game": "zeno"},
    "ladder create": {"name": "Second ladder", "game": "zeno"},
    "league create": {"name": "Second league", "game": "zeno"},
    "tournament create": {"name": "Second cup", "game": "zeno"},
}
"""What begins something in the channel where it is asked for."""
PRESSES = (
    "join",
    "begin:zeno",
    "against:zeno:companion",
    "challenge:1:accept",
    "challenge:1:black",
    "rematch:1",
    "easier:1",
    "puzzle:share:any",
)
"""Buttons that begin something there."""


def list_posts(channel: simcord.ChannelHandle) -> list[str]:
    """What everyone reads in a channel."""
    return [extract_text(each) for each in channel.history() if not each.flags.ephemeral]


def explain_mute(channel: simcord.ChannelHandle) -> str:
    """The refusal to post in a channel for somebody who can't write there."""
    return (
        f"You aren't allowed to write in <#{channel.id}>, so I won't post there for you. "
        "Use a channel where you can write."
    )


def explain_hidden(person: simcord.MemberActor, channel: simcord.ChannelHandle) -> str:
    """The refusal to put something in a channel that somebody can't see."""
    name = person.user.global_name
    return f"{name} can't see <#{channel.id}>. Use a channel that all the players can see."


def explain_hidden_from_you(channel: simcord.ChannelHandle) -> str:
    """The refusal to let somebody join what is played in a channel that they can't see."""
    return (
        f"You can't see <#{channel.id}>, where the matches are played. "
        "Ask a moderator to let you in."
    )


def create_channel_hidden_from(
    club: SimulatedClub, *people: simcord.MemberActor, name: str = "cellar"
) -> simcord.ChannelHandle:
    """A channel of the club's server that some of its members can't see."""
    return club.guild.create_text_channel(name, overwrites=dict.fromkeys(people, HIDDEN))


async def hide_channel(
    club: SimulatedClub, channel: simcord.ChannelHandle, person: simcord.MemberActor
) -> None:
    """Let somebody see a channel no more."""
    club.env.backend.set_overwrite(
        channel.id, Overwrite(person.id, OverwriteType.MEMBER, 0, HIDDEN_BITS)
    )
    await club.env.settle()


async def test_every_command_that_shows_something_to_everyone_is_in_the_list() -> None:
    shared = {
        each.qualified_name
        for each in list_commands()
        if any(option.name == "share" for option in each.parameters)
    }
    assert set(SHARES) == shared | {"leaderboard", "me profile"}


async def prepare_club(club: SimulatedClub) -> simcord.ChannelHandle:
    """A finished match, a challenge, a league, a ladder, and a channel where Ana alone may write.

    Ben and Cyn may do there all else that organisers and managers do.
    """
    role = club.guild.create_role(
        "Staff", permissions=discord.Permissions(manage_events=True, manage_guild=True)
    )
    for person in (club.ben, club.cyn):
        club.env.backend.add_member_role(club.guild.id, person.id, role.id)
    await start_match(club, "zeno")
    await give_up(club, club.ana, club.channel)
    for name, options in STARTS.items():
        if name != "play":
            await begin(club, club.channel, name, options)
    return await create_hall(club, "hall")


async def begin(
    club: SimulatedClub, channel: simcord.ChannelHandle, name: str, options: dict[str, Any]
) -> None:
    """Let Ana use a command, and press what it asks for."""
    if name.endswith(" create"):
        await create_contest(club.ana, channel, name.split()[0], **options)
    else:
        await club.ana.slash(channel, name, **options)


async def create_hall(club: SimulatedClub, name: str) -> simcord.ChannelHandle:
    """A channel where Ana alone may write."""
    hall = club.guild.create_text_channel(
        name, overwrites=dict.fromkeys([club.ben, club.cyn], MUTE)
    )
    await club.env.settle()
    return hall


async def test_nothing_is_posted_for_somebody_who_may_not_write_there(club: SimulatedClub) -> None:
    await prepare_club(club)
    for number, (name, options) in enumerate({**SHARES, **STARTS}.items()):
        hall = await create_hall(club, f"hall-{number}")
        answer = await club.ben.slash(hall, name, **options)
        assert get_ephemeral_text(answer) == explain_mute(hall), name
        assert list_posts(hall) == [], name
        # Ana is the server's owner: whoever may write there has it as before.
        await begin(club, hall, name, options)
        await club.advance_clock(0)
        assert len(list_posts(hall)) >= 1, name


async def test_no_button_posts_for_somebody_who_may_not_write_there(club: SimulatedClub) -> None:
    hall = await prepare_club(club)
    pressed = get_response(await club.ben.slash(hall, "help")).message
    running = await club.store.get(Matches).load_numbers()
    for custom_id in PRESSES:
        answer = await forge_press(club, club.ben, pressed, custom_id)
        assert get_ephemeral_text(answer) == explain_mute(hall), custom_id
    answer = await club.ben.context_menu(hall, "Challenge", club.cyn)
    assert get_ephemeral_text(answer) == explain_mute(hall)
    await club.advance_clock(0)
    assert list_posts(hall) == []
    assert await club.store.get(Matches).load_numbers() == running


async def test_no_challenge_is_accepted_from_out_of_sight(club: SimulatedClub) -> None:
    cellar = create_channel_hidden_from(club, club.ben)
    await club.ana.slash(cellar, "challenge", game="zeno")
    pressed = get_response(await club.ben.slash(club.channel, "help")).message
    for custom_id in ("challenge:1:accept", "challenge:1:black", "challenge:9:accept"):
        text = get_ephemeral_text(await forge_press(club, club.ben, pressed, custom_id))
        assert text.startswith("I don't know that challenge."), custom_id
    assert await club.store.get(Matches).load_numbers() == []


async def test_somebody_timed_out_makes_nothing_begin(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    (card,) = club.channel.history()
    until = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    club.env.backend.guilds[club.guild.id].members[club.ben.id].timed_out_until = until
    answer = await club.ben.click(card, custom_id=find_button(card, ":accept"))
    assert get_ephemeral_text(answer) == explain_mute(club.channel)
    assert await club.store.get(Matches).load_numbers() == []


async def test_who_may_not_write_may_still_decline(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall", overwrites={club.ben: MUTE})
    await club.ana.slash(hall, "challenge", game="zeno", opponent=club.ben)
    (card,) = hall.history()
    await club.ben.click(card, custom_id=find_button(card, ":decline"))
    challenge = await club.store.get(Challenges).load_challenge(1)
    assert challenge is not None
    assert challenge.state == "declined"


@pytest.mark.parametrize("in_threads", [True, False])
async def test_in_a_thread_another_permission_counts(
    club: SimulatedClub, *, in_threads: bool
) -> None:
    rights = discord.PermissionOverwrite(
        send_messages=not in_threads, send_messages_in_threads=in_threads
    )
    hall = club.guild.create_text_channel("hall", overwrites={club.ben: rights})
    club.env.backend.create_thread(hall.id, "corner", club.ana.id, type=ChannelType.PUBLIC_THREAD)
    await club.env.settle()
    (corner,) = hall.threads
    for place, may in ((corner, in_threads), (hall, not in_threads)):
        before = len(list_posts(place))
        answer = await club.ben.slash(place, "challenge", game="zeno")
        if not may:
            assert get_ephemeral_text(answer) == explain_mute(place)
        assert len(list_posts(place)) == before + may


async def test_who_looks_for_an_opponent_is_seated_only_where_they_can_play(
    club: SimulatedClub,
) -> None:
    cellar = create_channel_hidden_from(club, club.ben)
    hall = club.guild.create_text_channel("hall", overwrites={club.ben: MUTE})
    for place in (cellar, hall):
        await club.ana.slash(place, "challenge", game="zeno")
    text = get_ephemeral_text(await club.ben.slash(club.channel, "play"))
    assert "<#" not in text
    matches = club.store.get(Matches)
    assert await matches.load_numbers() == []
    await club.cyn.slash(club.channel, "play")
    (match,) = await matches.load_numbers()
    row = await matches.load_row(match)
    assert row is not None
    assert row.channel == cellar.id


async def test_a_match_is_not_brought_where_a_player_can_t_see_it(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    cellar = create_channel_hidden_from(club, club.ben)
    answer = await club.ana.slash(cellar, "match board", match=1, share=True)
    assert get_ephemeral_text(answer) == explain_hidden(club.ben, cellar)
    await club.advance_clock(0)
    assert list_posts(cellar) == []
    assert (await load_session(club.bot.app, 1)).row.channel == club.channel.id
    # Whoever can't see it says nothing about a channel that all see.
    hall = club.guild.create_text_channel("hall")
    await club.ana.slash(hall, "match board", match=1, share=True)
    await club.advance_clock(0)
    assert (await load_session(club.bot.app, 1)).row.channel == hall.id


async def test_a_private_thread_is_seen_by_those_in_it(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    backend = club.env.backend
    thread = backend.create_thread(
        club.channel.id, "corner", club.ana.id, type=ChannelType.PRIVATE_THREAD
    )
    thread.thread_members[club.bot.application_id or 0] = backend.now_iso()
    await club.env.settle()
    (corner,) = club.channel.threads
    answer = await club.ana.slash(corner, "match board", match=1, share=True)
    assert get_ephemeral_text(answer) == explain_hidden(club.ben, corner)
    thread.thread_members[club.ben.id] = backend.now_iso()
    await club.ana.slash(corner, "match board", match=1, share=True)
    await club.advance_clock(0)
    assert (await load_session(club.bot.app, 1)).row.channel == corner.id


async def test_who_left_or_is_not_known_keeps_no_match_from_moving(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    cellar = create_channel_hidden_from(club, club.ben)
    club.env.inject_error("GET", "/guilds/*/members/*", status=403, code=50001)
    await club.ana.slash(cellar, "match board", match=1, share=True)
    await club.advance_clock(0)
    assert (await load_session(club.bot.app, 1)).row.channel == cellar.id
    attic = create_channel_hidden_from(club, club.ben, name="attic")
    club.guild.remove_member(club.ben)
    await club.ana.slash(attic, "match board", match=1, share=True)
    await club.advance_clock(0)
    assert (await load_session(club.bot.app, 1)).row.channel == attic.id


async def test_a_lost_match_goes_on_only_where_all_see_it(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    cellar = create_channel_hidden_from(club, club.ben)
    hall = club.guild.create_text_channel("hall")
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    await club.advance_clock(0)
    assert await club.store.pauses.load_stopped_matches([1]) == {1}
    for command in ("match board", "roll"):
        await club.ana.slash(cellar, command, match=1)
        await club.advance_clock(0)
        assert list_posts(cellar) == [], command
    assert await club.store.pauses.load_stopped_matches([1]) == {1}
    await club.ana.slash(hall, "match board", match=1)
    await club.advance_clock(0)
    assert len(list_posts(hall)) == 1
    assert await club.store.pauses.load_stopped_matches([1]) == set()


async def lose_channel_to_refuge(club: SimulatedClub) -> simcord.ChannelHandle:
    """Delete the channel of a match, of which its players are told; return where it may go on."""
    await start_match(club, "zeno", pace="day")
    refuge = club.guild.create_text_channel("refuge")
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    await club.advance_clock(0)
    return refuge


async def test_a_match_is_brought_by_the_button_only_where_all_see_it(club: SimulatedClub) -> None:
    refuge = await lose_channel_to_refuge(club)
    message = club.ana.user.dm_channel.last_message
    assert message is not None
    label = next(each for each in list_button_labels(message) if "refuge" in each)
    await hide_channel(club, refuge, club.ben)
    answer = await club.ana.user.click(message, label=label)
    assert get_ephemeral_text(answer) == explain_hidden(club.ben, refuge)
    await club.advance_clock(0)
    assert list_posts(refuge) == []


async def test_who_was_removed_brings_no_match_back(club: SimulatedClub) -> None:
    refuge = await lose_channel_to_refuge(club)
    message = club.ben.user.dm_channel.last_message
    assert message is not None
    label = next(each for each in list_button_labels(message) if "refuge" in each)
    club.guild.remove_member(club.ben)
    answer = await club.ben.user.click(message, label=label)
    assert get_ephemeral_text(answer) == "Match 1 was started elsewhere, and that only works there."
    await club.advance_clock(0)
    assert list_posts(refuge) == []


async def test_nobody_is_challenged_where_they_can_t_see_it(club: SimulatedClub) -> None:
    cellar = create_channel_hidden_from(club, club.ben)
    answer = await club.ana.slash(cellar, "challenge", game="zeno", opponent=club.ben)
    assert get_ephemeral_text(answer) == explain_hidden(club.ben, cellar)
    assert await club.store.get(Challenges).load_challenge(1) is None
    # Nor once more, where they saw the first.
    await start_match(club, "zeno")
    await give_up(club, club.ben, club.channel)
    end = club.channel.last_message
    assert end is not None
    await hide_channel(club, club.channel, club.ben)
    answer = await club.ana.click(end, label="Rematch, sides swapped")
    assert get_ephemeral_text(answer) == explain_hidden(club.ben, club.channel)
    assert await club.store.get(Challenges).load_challenge(2) is None


async def test_nobody_is_asked_for_where_every_member_sees_the_channel(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    questions = [each.path for each in club.env.http_requests if "/members/" in each.path]
    assert questions == []
    # Somebody else is kept out, so it has to be known who Ben is.
    await hide_channel(club, club.channel, club.cyn)
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    questions = [each.path for each in club.env.http_requests if "/members/" in each.path]
    assert [path.rpartition("/")[2] for path in questions] == [str(club.ben.id)]


async def test_nobody_joins_or_is_challenged_in_what_is_played_out_of_their_sight(
    club: SimulatedClub,
) -> None:
    cellar = create_channel_hidden_from(club, club.ben)
    for group, name in (("league", "Autumn league"), ("ladder", "Club ladder")):
        await create_contest(club.ana, cellar, group, name=name, game="fallas")
        for answer in (
            await club.ben.slash(club.channel, f"{group} standings"),
            await press_old_button(club, club.ben, f"{group}join:1"),
        ):
            assert get_ephemeral_text(answer) == explain_hidden_from_you(cellar)
    assert (await club.store.get(Contests).load_view(1)).present == ()  # type: ignore[union-attr]
    view = await club.store.get(Contests).load_view(1)
    assert view is not None
    assert view.present == ()


async def test_on_a_ladder_nobody_is_challenged_out_of_their_sight(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall")
    await create_contest(club.ana, hall, "ladder", name="Club ladder", game="fallas")
    for person in (club.ben, club.cyn):
        await press_standings(person, club.channel, "ladder", "join")
    await hide_channel(club, hall, club.ben)
    answer = await club.cyn.slash(club.channel, "ladder challenge", opponent=club.ben)
    assert get_ephemeral_text(answer) == explain_hidden(club.ben, hall)
    # Nor by somebody who would play there unseen, or may not write there.
    await hide_channel(club, hall, club.cyn)
    answer = await club.cyn.slash(club.channel, "ladder challenge", opponent=club.ben)
    assert get_ephemeral_text(answer) == explain_hidden_from_you(hall)
    muted = Overwrite(
        club.cyn.id, OverwriteType.MEMBER, 0, discord.Permissions(send_messages=True).value
    )
    club.env.backend.set_overwrite(hall.id, muted)
    await club.env.settle()
    answer = await club.cyn.slash(club.channel, "ladder challenge", opponent=club.ben)
    assert get_ephemeral_text(answer) == explain_mute(hall)
    assert await club.store.get(Challenges).load_open() == []


async def test_no_seat_is_offered_to_somebody_who_can_t_see_the_match(club: SimulatedClub) -> None:
    _, eve = await start_team_match(club)
    await hide_channel(club, club.channel, eve)
    posted = len(list_posts(club.channel))
    answer = await club.cyn.slash(club.channel, "match substitute", player=eve)
    assert get_ephemeral_text(answer) == explain_hidden(eve, club.channel)
    answer = await club.ana.slash(
        club.channel, "server substitute", match=1, **{"from": club.cyn, "to": eve}, reason="ill"
    )
    assert get_ephemeral_text(answer) == explain_hidden(eve, club.channel)
    await club.advance_clock(0)
    assert len(list_posts(club.channel)) == posted
