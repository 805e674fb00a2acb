"""Looking for a game: who hears of an open challenge by direct message, when, and how to stop."""

from typing import Any

import discord
import pytest
import simcord
from simcord.enums import ChannelType

from bot.features.challenges import service as challenges
from bot.features.challenges.store import Challenges
from bot.features.challenges.terms import MatchRequest, MatchTerms
from bot.features.notifications import delivery, service
from bot.features.notifications.jobs import SETTLE_MS, NotifySubscribers
from bot.features.notifications.store import Subscriptions
from bot.platform.people import DiscordPerson
from engine.clock import DAY, HOUR, MINUTE
from engine.games import find_game
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.driver import list_direct_texts
from tests.support.panels import change_server
from tests.support.stored import load_due, load_given_up

pytestmark = pytest.mark.asyncio

HIDDEN = discord.PermissionOverwrite(view_channel=False)
SHOWN = discord.PermissionOverwrite(view_channel=True)


async def subscribe(club: SimulatedClub, person: simcord.MemberActor, game: str = "zeno") -> str:
    """Somebody subscribes in the club, or ends it; return what they are told."""
    return driver.get_ephemeral_text(await person.slash(club.channel, "notify", game=game))


async def offer(club: SimulatedClub, channel: Any = None, game: str = "zeno", **terms: Any) -> None:
    """Ana makes an open challenge, and the time comes at which others hear of it."""
    await club.ana.slash(channel or club.channel, "challenge", game=game, **terms)
    await club.advance_clock(SETTLE_MS)


async def test_a_subscriber_hears_who_wants_to_play_what(club: SimulatedClub) -> None:
    text = await subscribe(club, club.cyn)
    assert text.startswith(
        "You're subscribed to Zeno: when somebody here posts an open challenge to it, I "
        "send you a direct message. Use `/notify game:zeno` again to stop."
    )
    assert "- Zeno" in text
    assert list_direct_texts(club.cyn) == []
    await club.ana.slash(club.channel, "challenge", game="zeno", rated=False, pace="day")
    challenge = driver.get_newest_message(club)
    assert list_direct_texts(club.cyn) == []
    await club.advance_clock(SETTLE_MS)
    (notice,) = list_direct_texts(club.cyn)
    assert notice.startswith("### Zeno\nAna challenges anyone who wants to play in Club.")
    assert "Not rated; usual rules; " in notice
    # A mention would be a bare number to who has not met them.
    assert "<@" not in notice
    message = club.cyn.user.dm_channel.last_message
    assert driver.list_button_labels(message) == ["Go to challenge", "Stop these messages"]
    (link,) = [part.url for part in driver.walk_parts(message) if getattr(part, "url", None)]
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}"
    assert link == f"{there}/{challenge.id}"
    assert list_direct_texts(club.ana) == list_direct_texts(club.ben) == []
    assert await load_given_up(club.store.jobs) == []


async def test_the_same_game_again_ends_it(club: SimulatedClub) -> None:
    await subscribe(club, club.cyn)
    text = await subscribe(club, club.cyn)
    assert text.startswith("You're no longer subscribed to Zeno.")
    await offer(club)
    assert list_direct_texts(club.cyn) == []


async def test_only_the_game_that_was_asked_for_or_any(club: SimulatedClub) -> None:
    await subscribe(club, club.ben, "tabula")
    await subscribe(club, club.cyn, "any")
    await offer(club)
    assert list_direct_texts(club.ben) == []
    assert len(list_direct_texts(club.cyn)) == 1


async def test_the_panel_subscribes_to_any_game_and_ends_one_or_all(club: SimulatedClub) -> None:
    panel = driver.get_response(await club.cyn.slash(club.channel, "notify")).message
    assert "You have no subscriptions in this server." in driver.extract_text(panel)
    assert driver.list_button_labels(panel) == ["Subscribe to any game"]
    await club.cyn.click(panel, label="Subscribe to any game")
    for game in ("zeno", "tabula"):
        await subscribe(club, club.cyn, game)
    panel = driver.get_response(await club.cyn.slash(club.channel, "notify")).message
    assert "- any game\n- Tabula\n- Zeno" in driver.extract_text(panel)
    assert driver.list_button_labels(panel) == ["End all"]
    (menu,) = driver.list_menus(panel)
    assert [option.label for option in menu.options] == ["any game", "Tabula", "Zeno"]
    await club.cyn.select(panel, custom_id=menu.custom_id, values=["tabula"])
    load = club.store.get(Subscriptions).load_games
    assert await load(club.cyn.id, club.guild.id) == ["any", "zeno"]
    await club.cyn.click(panel, label="End all")
    assert await load(club.cyn.id, club.guild.id) == []


async def test_games_are_offered_as_they_are_typed(club: SimulatedClub) -> None:
    offered = await club.cyn.autocomplete(club.channel, "notify", "game", "")
    assert offered[0] == {"name": "any game", "value": "any"}
    offered = await club.cyn.autocomplete(club.channel, "notify", "game", "zen")
    assert [each["value"] for each in offered] == ["zeno"]
    assert (await subscribe(club, club.cyn, "no such game")).startswith("There's no game")
    assert await club.store.get(Subscriptions).load_games(club.cyn.id, club.guild.id) == []


async def test_the_button_below_a_notice_stops_more_of_them(club: SimulatedClub) -> None:
    for game in ("any", "zeno", "tabula"):
        await subscribe(club, club.cyn, game)
    await offer(club)
    notice = club.cyn.user.dm_channel.last_message
    stop = driver.find_button(notice, ":zeno")
    text = driver.get_ephemeral_text(await club.cyn.user.click(notice, custom_id=stop))
    assert text == "You're no longer subscribed to any game and Zeno."
    assert await club.store.get(Subscriptions).load_games(club.cyn.id, club.guild.id) == ["tabula"]
    again = driver.get_ephemeral_text(await club.cyn.user.click(notice, custom_id=stop))
    assert again == "You aren't subscribed to that."


async def test_what_is_not_open_to_anyone_notifies_nobody(club: SimulatedClub) -> None:
    await subscribe(club, club.cyn, "any")
    await club.ana.slash(club.channel, "play", game="zeno")
    await driver.start_match(club, "zeno")
    await driver.give_up(club, club.ana, club.channel, match=2)
    await club.ana.click(driver.get_newest_message(club), custom_id="rematch:2")
    # A rematch between teams is open to anyone, as their players need not all be there.
    ana = DiscordPerson(club.ana.id, "Ana")
    request = MatchRequest(club.guild.id, club.channel.id, ana, "a rematch of teams")
    terms = MatchTerms(find_game("pyf"), {"players": "2"})
    again = await challenges.offer_match(club.bot.app, request, None, terms, rematch_of=1)
    assert again.opponent is None
    waiting = await load_due(club.store.jobs, club.hands() + DAY, 99)
    assert NotifySubscribers.kind not in {job.kind for job in waiting}
    await club.advance_clock(SETTLE_MS)
    assert list_direct_texts(club.cyn) == []


async def test_the_challenger_hears_nothing(club: SimulatedClub) -> None:
    await subscribe(club, club.ana)
    await offer(club)
    assert list_direct_texts(club.ana) == []


async def test_nobody_hears_of_a_challenge_that_is_no_longer_open(club: SimulatedClub) -> None:
    await subscribe(club, club.cyn)
    for ending in (":decline", ":accept"):
        await club.ana.slash(club.channel, "challenge", game="zeno")
        message = driver.get_newest_message(club)
        person = club.ana if ending == ":decline" else club.ben
        await person.click(message, custom_id=driver.find_button(message, ending))
        await club.advance_clock(SETTLE_MS)
    assert list_direct_texts(club.cyn) == []


@pytest.mark.parametrize("blocker", ["ana", "cyn"])
async def test_nobody_hears_of_those_between_whom_and_them_is_a_block(
    club: SimulatedClub, blocker: str
) -> None:
    await subscribe(club, club.cyn)
    one, other = (club.ana, club.cyn) if blocker == "ana" else (club.cyn, club.ana)
    await one.slash(club.channel, "me block", person=other)
    await offer(club)
    assert list_direct_texts(club.cyn) == []
    await one.slash(club.channel, "me block", person=other, lift=True)
    await offer(club)
    assert len(list_direct_texts(club.cyn)) == 1


async def test_nobody_hears_of_challenges_during_their_vacation(club: SimulatedClub) -> None:
    await subscribe(club, club.cyn)
    await club.cyn.slash(club.channel, "me vacation", days=2)
    await offer(club)
    assert list_direct_texts(club.cyn) == []
    await club.advance_clock(3 * DAY)
    await offer(club)
    assert len(list_direct_texts(club.cyn)) == 1


async def test_at_most_one_message_an_hour_also_after_a_restart(club: SimulatedClub) -> None:
    await subscribe(club, club.cyn, "any")
    await offer(club)
    club.bot = await club.restart_bot()
    await offer(club, game="tabula")
    assert len(list_direct_texts(club.cyn)) == 1
    await club.advance_clock(HOUR)
    # What was not told within the hour is not told after it.
    assert len(list_direct_texts(club.cyn)) == 1
    await offer(club, game="tabula")
    assert len(list_direct_texts(club.cyn)) == 2


async def test_two_challenges_in_the_same_moment_send_one_message(club: SimulatedClub) -> None:
    await subscribe(club, club.cyn, "any")
    await club.ana.slash(club.channel, "challenge", game="zeno")
    await club.ben.slash(club.channel, "challenge", game="tabula")
    # Both jobs are due by then, and done side by side.
    await club.advance_clock(SETTLE_MS)
    assert len(list_direct_texts(club.cyn)) == 1


async def test_a_failure_is_tried_again_and_repeats_nobody_elses_message(
    club: SimulatedClub,
) -> None:
    await subscribe(club, club.ben)
    await subscribe(club, club.cyn)
    await club.ana.slash(club.channel, "challenge", game="zeno")
    club.env.inject_error("POST", "/users/@me/channels", status=500)
    await club.advance_clock(SETTLE_MS)
    assert sorted(len(list_direct_texts(person)) for person in (club.ben, club.cyn)) == [
        0,
        1,
    ]
    await club.advance_clock(2 * MINUTE)
    assert [len(list_direct_texts(person)) for person in (club.ben, club.cyn)] == [1, 1]


async def test_the_jobs_outlive_the_program(club: SimulatedClub) -> None:
    await subscribe(club, club.cyn)
    await club.ana.slash(club.channel, "challenge", game="zeno")
    club.bot = await club.restart_bot()
    await club.advance_clock(SETTLE_MS)
    assert len(list_direct_texts(club.cyn)) == 1


async def test_in_quiet_hours_it_waits_for_their_end(club: SimulatedClub) -> None:
    await change_server(club.ana, club.channel, quiet=driver.format_hours_from_now(club, -1, 2))
    await subscribe(club, club.cyn, "tabula")
    await club.ana.slash(club.channel, "challenge", game="zeno")
    await club.ana.slash(club.channel, "challenge", game="tabula")
    withdrawn = driver.get_newest_message(club)
    await club.advance_clock(HOUR)
    # Whoever has subscribed by their end hears of it.
    await subscribe(club, club.ben)
    assert list_direct_texts(club.ben) == []
    await club.ana.click(withdrawn, custom_id=driver.find_button(withdrawn, ":decline"))
    await club.advance_clock(HOUR)
    assert len(list_direct_texts(club.ben)) == 1
    assert list_direct_texts(club.cyn) == []


async def test_whoever_closes_their_direct_messages_loses_the_subscription(
    club: SimulatedClub,
) -> None:
    for game in ("zeno", "tabula"):
        await subscribe(club, club.cyn, game)
    await club.ana.slash(club.channel, "challenge", game="zeno")
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    await club.advance_clock(SETTLE_MS)
    assert list_direct_texts(club.cyn) == []
    assert await club.store.get(Subscriptions).load_games(club.cyn.id, club.guild.id) == ["tabula"]
    assert await load_given_up(club.store.jobs) == []


async def test_only_those_who_see_the_channel_hear_of_it(club: SimulatedClub) -> None:
    me, everyone = club.guild.me, club.guild.default_role
    assert me is not None
    hall = club.guild.create_text_channel(
        "hall", overwrites={everyone: HIDDEN, club.ana: SHOWN, club.ben: SHOWN, me: SHOWN}
    )
    await subscribe(club, club.ben)
    await subscribe(club, club.cyn)
    await offer(club, hall)
    assert len(list_direct_texts(club.ben)) == 1
    assert list_direct_texts(club.cyn) == []
    # It did not count as the message of the hour.
    await offer(club)
    assert [len(list_direct_texts(person)) for person in (club.ben, club.cyn)] == [1, 1]


@pytest.mark.parametrize(
    ("kind", "recipients"), [(ChannelType.PUBLIC_THREAD, 1), (ChannelType.PRIVATE_THREAD, 0)]
)
async def test_a_thread_counts_as_its_channel_unless_it_is_private(
    club: SimulatedClub, kind: ChannelType, recipients: int
) -> None:
    await subscribe(club, club.cyn)
    thread = club.env.backend.create_thread(club.channel.id, "corner", club.ana.id, type=kind)
    thread.thread_members[club.bot.application_id or 0] = club.env.backend.now_iso()
    await club.env.settle()
    (corner,) = club.channel.threads
    await offer(club, corner)
    assert (await club.store.get(Challenges).load_challenge(1)) is not None
    assert len(list_direct_texts(club.cyn)) == recipients


async def test_only_those_with_the_role_hear_of_it(club: SimulatedClub) -> None:
    role = club.guild.create_role("Players")
    for person in (club.ben, club.cyn):
        await subscribe(club, person)
    for person in (club.ana, club.ben):
        club.env.backend.add_member_role(club.guild.id, person.id, role.id)
    await change_server(club.ana, club.channel, role=role)
    await offer(club)
    assert len(list_direct_texts(club.ben)) == 1
    assert list_direct_texts(club.cyn) == []
    # Whoever could accept none is told so, and can still end what they have.
    text = await subscribe(club, club.cyn, "tabula")
    assert text.startswith(f"Only members of <@&{role.id}> can challenge each other here")
    assert (await subscribe(club, club.cyn)).startswith("You're no longer subscribed to Zeno.")


async def test_whoever_has_left_loses_the_subscription_where_that_is_found_out(
    club: SimulatedClub,
) -> None:
    role = club.guild.create_role("Players")
    for person in (club.ana, club.cyn):
        club.env.backend.add_member_role(club.guild.id, person.id, role.id)
    await subscribe(club, club.cyn)
    await change_server(club.ana, club.channel, role=role)
    club.guild.remove_member(club.cyn)
    await offer(club)
    assert list_direct_texts(club.cyn) == []
    assert await club.store.get(Subscriptions).load_games(club.cyn.id, club.guild.id) == []
    assert await load_given_up(club.store.jobs) == []


async def test_whoever_was_removed_hears_nothing_where_everyone_sees_the_channel(
    club: SimulatedClub,
) -> None:
    for person in (club.ben, club.cyn):
        await subscribe(club, person)
    club.guild.remove_member(club.cyn)
    await offer(club)
    assert [len(list_direct_texts(person)) for person in (club.ben, club.cyn)] == [1, 0]
    assert await club.store.get(Subscriptions).load_games(club.cyn.id, club.guild.id) == []
    assert await club.store.get(Subscriptions).load_games(club.ben.id, club.guild.id) == ["zeno"]


async def test_whoever_discord_tells_nothing_of_counts_as_present(club: SimulatedClub) -> None:
    await subscribe(club, club.cyn)
    club.env.inject_error("GET", "/guilds/*/members/*", status=403, code=50001)
    await offer(club)
    assert len(list_direct_texts(club.cyn)) == 1


async def test_subscriptions_are_those_of_one_server(club: SimulatedClub) -> None:
    tavern = driver.create_second_guild(club, "Tavern")
    await club.env.settle()
    dan = tavern.add_member(club.env.create_user("dan", global_name="Dan"))
    hall = tavern.create_text_channel("hall")
    await dan.slash(hall, "notify", game="zeno")
    await offer(club)
    assert list_direct_texts(dan) == []


async def test_a_person_has_so_many_subscriptions_at_most(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_SUBSCRIPTIONS", 2)
    for game in ("zeno", "tabula"):
        await subscribe(club, club.cyn, game)
    assert (await subscribe(club, club.cyn, "fallas")).startswith("You have 2 subscriptions")
    panel = driver.get_response(await club.cyn.slash(club.channel, "notify")).message
    text = driver.get_ephemeral_text(await club.cyn.click(panel, label="Subscribe to any game"))
    assert text.startswith("You have 2 subscriptions")
    # One that there is can still be ended.
    assert (await subscribe(club, club.cyn, "tabula")).startswith("You're no longer subscribed")


async def test_so_many_people_hear_of_one_challenge_at_most(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MAX_NOTIFIED", 1)
    await subscribe(club, club.ben, "any")
    await subscribe(club, club.cyn, "any")
    await offer(club)
    first, second = sorted((club.ben, club.cyn), key=lambda each: len(list_direct_texts(each)))[
        ::-1
    ]
    assert [len(list_direct_texts(each)) for each in (first, second)] == [1, 0]
    await club.advance_clock(HOUR)
    # Who was told longest ago comes first.
    await offer(club, game="tabula")
    assert [len(list_direct_texts(each)) for each in (first, second)] == [1, 1]
