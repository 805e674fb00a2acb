"""The channel heals by itself: one live message is left, and it shows the match as it is."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import discord
import pytest
import simcord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.features.challenges.service import LIMITS
from bot.features.challenges.store import Challenges
from bot.features.challenges.terms import MatchRequest
from bot.features.matches import loading
from bot.features.matches import service as play
from bot.features.matches.jobs import CloseTurn, ShowMatch
from bot.features.matches.places import stop_match
from bot.features.matches.rows import LiveMessage, Seat
from bot.features.matches.service import Action
from bot.features.matches.store import Matches
from bot.features.notifications.jobs import AnnounceMatch
from bot.platform.context import App
from bot.platform.db.rows import QueuedJob
from bot.platform.db.tables import now_ms
from bot.platform.people import DiscordPerson
from tests.bot.test_presses import EPHEMERAL, record_requests
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.stored import load_due, load_given_up
from tests.support.sweeps import mark_sweeps

pytestmark = pytest.mark.asyncio

POST = ("POST", "/channels/*/messages")
EDIT = ("PATCH", "/channels/*/messages/*")
ANSWER = ("POST", "/interactions/*/*/callback")
LONG = 60_000
"""Milliseconds, more than any test takes."""


async def wait_until(club: SimulatedClub, true: Callable[[], bool]) -> None:
    """Wait for the channel to come to something by itself."""
    start = time.monotonic()
    while not true():
        assert time.monotonic() - start < LONG / 1000, [
            driver.extract_text(message) for message in driver.list_public_messages(club)
        ]
        await asyncio.sleep(0.05)


async def wait_for_jobs(club: SimulatedClub) -> None:
    """Wait until every job is done."""
    for _ in range(500):
        if club.bot.runner.is_idle and not await load_due(club.store.jobs, now_ms(), 1):
            return
        await asyncio.sleep(0.02)
    pytest.fail("the jobs do not come to an end")


async def load_version(club: SimulatedClub) -> int:
    """How many events match 1 has."""
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    return row.version


async def act_directly(club: SimulatedClub, number: int) -> None:
    """Roll, or play the first play, for whoever is to act, with no interaction at all."""
    session = await loading.load_session(club.bot.app, 1)
    action = Action(1, DiscordPerson(session.person_to_act, "somebody"), f"deed {number}")
    if session.match.plays:
        first = session.match.plays[0].moves
        names = session.match.rules.board.place_names
        text_ = " ".join(f"{names[move.source]}-{names[move.target]}" for move in first[:1])
        await play.play_moves(club.bot.app, action, text_)
    else:
        await play.roll(club.bot.app, action)


async def is_current(club: SimulatedClub) -> bool:
    """Whether the one live message has the controls of the match's version."""
    at = await load_version(club)
    messages = driver.list_live_messages(club)
    return len(messages) == 1 and all(
        f":{at}:" in custom_id for custom_id in driver.list_control_ids(messages[0])
    )


async def test_a_change_without_any_button_shows_in_the_channel(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    for number in range(6):
        await act_directly(club, number)
        await wait_for_jobs(club)
        assert await is_current(club)


@pytest.mark.parametrize("status", mark_sweeps([403, 500, 503], {403}.__contains__))
@pytest.mark.parametrize("requests", [[POST], [ANSWER], [ANSWER, EDIT]], ids=len)
@pytest.mark.usefixtures("own_throws")
async def test_a_refused_message_is_made_good_by_itself(
    club: SimulatedClub, status: int, requests: list[tuple[str, str]]
) -> None:
    await driver.start_match(club, "zeno")
    for request in requests:
        club.env.inject_error(*request, status=status, code=50013 if status == 403 else 0)
    mover = driver.find_mentioned_player(club)
    await mover.click(driver.get_newest_message(club), label="Roll")
    menu = driver.list_menus(driver.list_live_messages(club)[0])
    if menu:
        await mover.select(
            driver.list_live_messages(club)[0],
            custom_id=menu[0].custom_id,
            values=[menu[0].options[0].value],
        )
    await wait_until(
        club,
        lambda: (
            len(driver.list_live_messages(club)) == 1
            and "your turn to roll" in driver.extract_text(driver.list_live_messages(club)[0])
        ),
    )
    assert await is_current(club)
    assert len(driver.list_public_messages(club)) == 3


async def test_a_permission_that_comes_back_is_used_at_once(
    club: SimulatedClub, caplog: pytest.LogCaptureFixture
) -> None:
    await driver.start_match(club, "zeno")
    everyone = club.guild.default_role.id
    posting = discord.Permissions(send_messages=True, attach_files=True).value
    backend = club.env.backend
    backend.set_overwrite(club.channel.id, Overwrite(everyone, OverwriteType.ROLE, deny=posting))
    failed: list[QueuedJob] = []
    for number in range(6):
        await act_directly(club, number)
        await wait_for_jobs(club)
        due_later = await load_due(club.store.jobs, now_ms() + LONG, 10)
        failed = [job for job in due_later if job.error]
    (waiting,) = failed
    session = await loading.load_session(club.bot.app, 1)
    mover = next(person for person in (club.ana, club.ben) if person.id == session.person_to_act)
    message = mover.user.dm_channel.last_message
    assert (
        "I can't show match 1 (Zeno): I'm missing the permissions Send Messages and Attach Files"
        in driver.extract_text(message)
    )
    # Whoever runs the bot reads it too.
    assert (
        f"(channel {club.channel.id} of server {club.guild.id} lacks "
        "Send Messages and Attach Files)"
    ) in caplog.text
    # As after many tries: the next is far away.
    await club.store.jobs.schedule_retry(waiting, now_ms() + LONG, "403 Forbidden")
    backend.delete_overwrite(club.channel.id, everyone)
    async with asyncio.timeout(LONG / 2000):
        while not await is_current(club):  # noqa: ASYNC110 - nothing tells when it is shown
            await asyncio.sleep(0.05)


@pytest.mark.usefixtures("own_throws")
@pytest.mark.parametrize(
    ("lacking", "named"),
    [
        ("attach_files", "Attach Files"),
        pytest.param("send_messages", "Send Messages", marks=pytest.mark.sweep),
        pytest.param("view_channel", "View Channel", marks=pytest.mark.sweep),
    ],
)
async def test_who_acts_where_a_permission_is_missing_reads_which_and_who_grants_it(
    club: SimulatedClub, lacking: str, named: str
) -> None:
    await driver.start_match(club, "zeno")
    everyone = club.guild.default_role.id
    denied = discord.Permissions(**{lacking: True}).value
    club.env.backend.set_overwrite(
        club.channel.id, Overwrite(everyone, OverwriteType.ROLE, deny=denied)
    )
    await club.env.settle()
    session = await loading.load_session(club.bot.app, 1)
    # The simulator takes pictures without Attach Files, which Discord refuses.
    await stop_match(club.bot, session)
    mover = next(person for person in (club.ana, club.ben) if person.id == session.person_to_act)
    answer = driver.get_ephemeral_text(await mover.slash(club.channel, "roll"))
    assert f"I'm missing the permission {named}" in answer
    assert "A moderator can grant it in the channel's settings, under Permissions." in answer


@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_closed_direct_messages_hinder_nothing(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    club.env.inject_error(*POST, status=403, code=50013)
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    club.env.inject_error(*EDIT, status=403, code=50013)
    await act_directly(club, 0)
    await wait_until(
        club,
        lambda: (
            len(driver.list_live_messages(club)) == 1
            and "Roll" not in driver.list_button_labels(driver.list_live_messages(club)[0])
        ),
    )
    await wait_for_jobs(club)
    assert await is_current(club)
    assert await load_given_up(club.store.jobs) == []


async def test_a_deleted_message_is_followed_by_a_new_one(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    mover = driver.find_mentioned_player(club)
    old = driver.get_newest_message(club)
    club.env.backend.delete_message(old.channel.id, old.id)
    await mover.slash(club.channel, "roll")
    assert await is_current(club)
    assert driver.get_newest_message(club).id != old.id
    assert driver.list_menus(driver.get_newest_message(club))


async def test_what_is_to_be_done_later_is_done_in_time(club: SimulatedClub) -> None:
    handed: set[tuple[int, int]] = set()
    take = club.bot.app.take

    def note_jobs(jobs: Sequence[QueuedJob]) -> None:
        handed.update((job.id, job.revision) for job in jobs)
        take(jobs)

    club.bot.app.take = note_jobs
    await driver.start_match(club, "zeno")
    # The runner must be told of new jobs: by itself it looks every ten minutes.
    later = await load_due(club.store.jobs, club.hands() + LONG, 9)
    assert AnnounceMatch.kind in [job.kind for job in later]
    assert {(job.id, job.revision) for job in later} <= handed
    await driver.give_up(club, club.ana, club.channel)
    later = await load_due(club.store.jobs, club.hands() + LONG, 9)
    assert [job.key for job in later if job.kind == AnnounceMatch.kind] == ["1 begun", "1 ended"]
    assert {(job.id, job.revision) for job in later} <= handed


@pytest.mark.parametrize("how", ["resign", "play"])
@pytest.mark.sweep
async def test_the_last_message_says_the_same_when_it_is_made_anew(
    club: SimulatedClub, how: str
) -> None:
    await driver.start_match(club, "doblet")
    first = driver.find_mentioned_player(club)
    while driver.find_mentioned_player(club) == first:
        assert await driver.take_next_action(club)
    if how == "resign":
        await driver.give_up(club, driver.find_mentioned_player(club), club.channel)
    else:
        while await driver.take_next_action(club):
            pass
    end = driver.get_newest_message(club)
    assert (" resigned" in driver.extract_text(end)) == (how == "resign")
    club.bot.app.take(
        await club.store.jobs.enqueue(
            club.guild.id, [ShowMatch(1, again=True).build_job(club.hands())]
        )
    )
    await wait_for_jobs(club)
    assert driver.get_newest_message(club).id == end.id
    assert driver.extract_text(driver.get_newest_message(club)) == driver.extract_text(end)


async def test_what_was_saved_and_not_shown_is_shown_after_a_restart(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    # As after a kill: the change and its job are in the store, and nobody does the job.
    await club.bot.runner.stop(5)
    await act_directly(club, 1)
    assert not await is_current(club)
    bot = await club.restart_bot()
    await club.env.settle()
    assert await is_current(club)
    await bot.close()


async def test_a_match_that_was_killed_before_its_roll_battle_can_go_on(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    request = MatchRequest(
        club.guild.id, club.channel.id, DiscordPerson(club.ben.id, "Ben"), "a press"
    )
    challenge = await club.store.get(Challenges).load_challenge(1)
    assert challenge is not None
    now = now_ms()
    await club.store.people.save_name(club.ben.id, "Ben", now)
    result = await club.store.get(Challenges).join(
        1,
        Seat("black", 0, request.person.id, "1"),
        1,
        now,
        LIMITS,
        lambda _, match: [ShowMatch(match or 0).build_job(now)],
    )
    club.bot.runner.schedule_jobs(result.jobs)
    await wait_for_jobs(club)
    assert "Opening roll: press Roll" in driver.extract_text(driver.get_newest_message(club))
    await club.ben.click(driver.get_newest_message(club), label="Roll")
    assert await load_version(club) > 0
    assert await is_current(club)


@pytest.mark.usefixtures("own_throws")
async def test_the_closed_turn_keeps_its_picture_and_tells_the_play(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    mover = driver.find_mentioned_player(club)
    await mover.click(driver.get_newest_message(club), label="Roll")
    turn = driver.get_newest_message(club)
    await driver.use_first_control(mover, turn)
    while driver.get_newest_message(club).id == turn.id:
        assert await driver.take_next_action(club)
    closed = next(message for message in driver.list_public_messages(club) if message.id == turn.id)
    assert len(closed.attachments) == 1
    assert not driver.list_control_ids(closed)
    assert driver.list_pictures(closed)[0].description
    assert " played `" in driver.extract_text(closed)
    assert " rolled " in driver.extract_text(closed)


async def test_one_picture_a_press_and_none_twice(club: SimulatedClub) -> None:
    await driver.start_match(club, "twelve-dogs")
    await driver.find_mentioned_player(club).click(driver.get_newest_message(club), label="af")
    before = len(club.env.http_requests)
    await driver.find_mentioned_player(club).click(driver.get_newest_message(club), label="Roll")
    sent = club.env.http_requests[before:]
    uploads = [entry for entry in sent if (entry.json or {}).get("attachments")]
    assert len(uploads) == 1


@pytest.mark.usefixtures("own_throws")
async def test_an_old_message_says_so_when_it_is_pressed(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    # As if a message was posted and the program killed before that was saved: nobody knows of it.
    stray = driver.get_newest_message(club)
    await club.store.get(Matches).save_live_message(1, LiveMessage(1, club.channel.id, 1, 1), None)
    await driver.find_mentioned_player(club).slash(club.channel, "roll")
    answer = await driver.find_mentioned_player(club).click(stray, label="Roll")
    assert not answer.followups
    old = next(message for message in driver.list_public_messages(club) if message.id == stray.id)
    assert "This message is out of date" in driver.extract_text(old)
    assert driver.list_button_labels(old) == []
    assert await is_current(club)


@pytest.mark.usefixtures("own_throws")
async def test_an_old_message_that_is_about_to_be_closed_is_left_to_that(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    over, mover = driver.get_newest_message(club), driver.find_mentioned_player(club)
    # As on a busy machine, where a turn's message is closed a while after the next is posted.
    await club.store.get(Matches).save_live_message(1, LiveMessage(1, club.channel.id, 1, 1), None)
    await mover.slash(club.channel, "roll")
    closing = CloseTurn(over.id, 1, club.channel.id, 0, 1, 1).build_job(
        club.bot.app.clock() + 60_000
    )
    await club.store.jobs.enqueue(club.guild.id, [closing])
    await require_silence(club, mover.click(over, label="Roll"))
    (still,) = [message for message in driver.list_public_messages(club) if message.id == over.id]
    assert driver.extract_text(still) == driver.extract_text(over)
    assert driver.list_button_labels(still) == driver.list_button_labels(over)


@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_a_message_that_is_not_yet_remembered_is_not_taken_for_an_old_one(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    posted, mover = driver.get_newest_message(club), driver.find_mentioned_player(club)
    # As in the moment between posting it and saving that,
    # when somebody has pressed it and presses once more.
    beside = App(club.store, club.bot.app.clock, club.bot.app.entropy)
    await play.roll(beside, Action(1, DiscordPerson(mover.id, "somebody"), "the first press"))
    await club.store.get(Matches).save_live_message(
        1, LiveMessage(None, club.channel.id, 0, 0), None
    )
    await require_silence(club, mover.click(posted, label="Roll"))
    (still,) = [message for message in driver.list_public_messages(club) if message.id == posted.id]
    assert "This message is out of date" not in driver.extract_text(still)
    assert driver.list_button_labels(still)


async def require_silence(club: SimulatedClub, pressing: Awaitable[object]) -> None:
    """Check that nothing is said of a press that asks for what was done."""
    with record_requests(club) as sent:
        await pressing
    assert EPHEMERAL not in sent


@pytest.mark.usefixtures("own_throws")
async def test_a_command_in_another_channel_leads_to_the_match(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    hall = club.guild.create_text_channel("hall")
    text = driver.get_ephemeral_text(
        await driver.find_mentioned_player(club).slash(hall, "roll", match=1)
    )
    assert f"/channels/{club.guild.id}/{club.channel.id}" in text
    assert await is_current(club)
    assert not hall.history()


async def test_a_shared_board_moves_the_match_to_another_channel(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    hall = club.guild.create_text_channel("hall")
    await driver.find_mentioned_player(club).slash(hall, "match board", match=1, share=True)
    assert not driver.list_live_messages(club)
    assert len([message for message in hall.history() if driver.list_control_ids(message)]) == 1
    await find_mentioned_in(club, hall).slash(hall, "roll")
    assert len([message for message in hall.history() if driver.list_control_ids(message)]) == 1


def find_mentioned_in(club: SimulatedClub, channel: simcord.ChannelHandle) -> simcord.MemberActor:
    """Who is called in another channel."""
    text = driver.extract_text(channel.history()[-1])
    return next(person for person in (club.ana, club.ben) if f"<@{person.id}> (" in text)


async def test_a_challenge_lapses_by_its_job(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    now = club.bot.app.clock()
    # Those who look for a game are notified long before.
    due = await club.store.jobs.find_next_due(after=now + 3_600_000)
    assert due is not None
    assert 23 * 3_600_000 < due - now <= 24 * 3_600_000
    await club.advance_clock(24 * 3_600_000)
    await wait_for_jobs(club)
    assert "The challenge has expired." in driver.extract_text(driver.get_newest_message(club))
    assert driver.list_button_labels(driver.get_newest_message(club)) == []


async def test_limits_are_said_kindly(club: SimulatedClub) -> None:
    for _ in range(LIMITS.open):
        await club.ana.slash(club.channel, "challenge", game="zeno")
    text = driver.get_ephemeral_text(await club.ana.slash(club.channel, "challenge", game="zeno"))
    assert text.startswith(f"You have {LIMITS.open} open challenges")
    assert len(driver.list_public_messages(club)) == LIMITS.open


async def test_a_rematch_is_offered_once(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await driver.give_up(club, club.ana, club.channel)
    end = driver.get_newest_message(club)
    await club.ben.click(end, label="Rematch, sides swapped")
    assert "You've already offered this rematch" in driver.get_ephemeral_text(
        await club.ben.click(end, label="Rematch, sides swapped")
    )


async def test_acceptance_with_a_word_enters_the_dice(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", word="a red hen")
    response = await club.ben.click(
        driver.get_newest_message(club), label="Accept with a secret word"
    )
    await club.ben.submit_modal(response, {"text": "`seven` geese"})
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert [seat.contribution.split(" ", 1)[1] for seat in row.seats] == [
        "a red hen",
        "`seven` geese",
    ]
    match_message = driver.get_newest_message(club)
    answer = await club.ana.click(
        match_message, custom_id=driver.find_button(match_message, ":more")
    )
    more = driver.get_response(answer).message
    answer = await club.ana.click(more, custom_id=driver.find_button(more, ":dice"))
    assert "a red hen" in driver.get_ephemeral_text(answer)
    assert "'seven' geese" in driver.get_ephemeral_text(answer)


async def test_house_rules_are_chosen_in_a_card(club: SimulatedClub) -> None:
    drawn = await club.ana.slash(
        club.channel, "challenge", game="zeno", opponent=club.ben, options="choose"
    )
    card = drawn.response
    assert card is not None
    assert not driver.list_public_messages(club)
    await club.ana.select(card.message, custom_id="draft:unusable", values=["opponent"])
    await club.ana.click(card.message, label="Challenge")
    assert "cannot be played? The other side may play any or none of them" in driver.extract_text(
        driver.get_newest_message(club)
    )
    assert f"<@{club.ben.id}>" in driver.extract_text(driver.get_newest_message(club))
    await club.ben.click(driver.get_newest_message(club), label="Accept")
    assert await load_version(club) > 0


async def test_a_first_game_is_one_press_away(club: SimulatedClub) -> None:
    answer = await club.ana.slash(club.channel, "play")
    assert answer.response is not None
    await club.ana.click(answer.response.message, label="Challenge to Fallas")
    await club.ben.click(driver.get_newest_message(club), label="Accept")
    assert "Fallas" in driver.extract_text(driver.get_newest_message(club))
