"""The channel heals by itself: one live message is left, and it shows the match as it is."""

import asyncio
import time
from collections.abc import Callable, Sequence

import discord
import pytest
import simcord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.app import play, tasks
from bot.app.challenge import LIMITS, Asked
from bot.app.context import App
from bot.app.people import Person
from bot.app.play import Action
from bot.client import Tabula, now_ms
from bot.store import Posted, QueuedJob, Seat
from tests.bot.conftest import Club, Seeded
from tests.bot.driver import (
    begin,
    called,
    controls,
    labels,
    live,
    menus,
    newest,
    pictures,
    said,
    seen,
    step,
    text,
)

pytestmark = pytest.mark.asyncio

POST = ("POST", "/channels/*/messages")
EDIT = ("PATCH", "/channels/*/messages/*")
LONG = 60_000
"""Milliseconds, more than any test takes."""


async def until(club: Club, true: Callable[[], bool]) -> None:
    """Wait for the channel to come to something by itself."""
    start = time.monotonic()
    while not true():
        assert time.monotonic() - start < 20, [text(message) for message in seen(club)]
        await asyncio.sleep(0.05)


async def at_rest(club: Club) -> None:
    """Wait until every job is done."""
    for _ in range(500):
        if club.bot.runner.idle and not await club.store.jobs.due(now_ms(), 1):
            return
        await asyncio.sleep(0.02)
    pytest.fail("the jobs do not come to an end")


async def version(club: Club) -> int:
    """How many events match 1 has."""
    row = await club.store.matches.get(1)
    assert row is not None
    return row.version


async def act(club: Club, number: int) -> None:
    """Roll, or play the first play, for whoever is to act, with no interaction at all."""
    sitting = await play.load(club.bot.app, 1)
    action = Action(1, Person(sitting.to_act, "somebody"), f"deed {number}")
    if sitting.match.plays:
        first = sitting.match.plays[0].moves
        names = sitting.match.rules.board.names
        text_ = " ".join(f"{names[move.source]}-{names[move.target]}" for move in first[:1])
        await play.move(club.bot.app, action, text_)
    else:
        await play.roll(club.bot.app, action)


async def is_current(club: Club) -> bool:
    """Whether the one live message has the controls of the match's version."""
    at = await version(club)
    messages = live(club)
    return len(messages) == 1 and all(f":{at}:" in custom_id for custom_id in controls(messages[0]))


async def test_a_change_without_any_button_shows_in_the_channel(club: Club) -> None:
    await begin(club, "zeno")
    for number in range(6):
        await act(club, number)
        await at_rest(club)
        assert await is_current(club)


@pytest.mark.parametrize("status", [403, 500, 503])
@pytest.mark.parametrize("request_", [POST, EDIT])
async def test_a_refused_message_is_made_good_by_itself(
    club: Club, status: int, request_: tuple[str, str]
) -> None:
    await begin(club, "zeno")
    club.env.inject_error(*request_, status=status, code=50013 if status == 403 else 0)
    mover = called(club)
    await mover.click(newest(club), label="Roll")
    menu = menus(live(club)[0])
    if menu:
        await mover.select(
            live(club)[0], custom_id=menu[0].custom_id, values=[menu[0].options[0].value]
        )
    await until(club, lambda: len(live(club)) == 1 and "your turn to roll" in text(live(club)[0]))
    assert await is_current(club)
    assert len(seen(club)) == 3


async def test_a_permission_that_comes_back_is_used_at_once(club: Club) -> None:
    await begin(club, "zeno")
    everyone = club.guild.default_role.id
    posting = discord.Permissions(send_messages=True, attach_files=True).value
    backend = club.env.backend
    backend.set_overwrite(club.channel.id, Overwrite(everyone, OverwriteType.ROLE, deny=posting))
    failed: list[QueuedJob] = []
    for number in range(6):
        await act(club, number)
        await at_rest(club)
        due_later = await club.store.jobs.due(now_ms() + LONG, 10)
        failed = [job for job in due_later if job.error]
    (waiting,) = failed
    sitting = await play.load(club.bot.app, 1)
    mover = next(person for person in (club.ana, club.ben) if person.id == sitting.to_act)
    told = mover.user.dm_channel.last_message
    assert (
        "I can't show match 1 (Zeno): I'm missing the permission Send Messages and Attach Files"
        in text(told)
    )
    # As after many tries: the next is far away.
    await club.store.jobs.put_off(waiting, now_ms() + LONG, "403 Forbidden")
    backend.delete_overwrite(club.channel.id, everyone)
    await club.env.settle()
    assert await is_current(club)


async def test_closed_direct_messages_hinder_nothing(club: Club) -> None:
    await begin(club, "zeno")
    club.env.inject_error(*POST, status=403, code=50013)
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    club.env.inject_error(*EDIT, status=403, code=50013)
    await act(club, 0)
    await until(club, lambda: len(live(club)) == 1 and labels(live(club)[0]) != ["Roll", "Dice"])
    await at_rest(club)
    assert await is_current(club)
    assert await club.store.jobs.given_up() == []


async def test_a_deleted_message_is_followed_by_a_new_one(club: Club) -> None:
    await begin(club, "zeno")
    mover = called(club)
    old = newest(club)
    club.env.backend.delete_message(old.channel.id, old.id)
    await mover.slash(club.channel, "roll")
    assert await is_current(club)
    assert newest(club).id != old.id
    assert menus(newest(club))


async def test_what_is_to_be_done_later_is_done_in_time(club: Club) -> None:
    handed: set[tuple[int, int]] = set()
    take = club.bot.app.take

    def heard(jobs: Sequence[QueuedJob]) -> None:
        handed.update((job.id, job.revision) for job in jobs)
        take(jobs)

    club.bot.app.take = heard
    await begin(club, "zeno")
    # Whoever does the jobs must know of them: of itself it looks every ten minutes.
    later = await club.store.jobs.due(club.hands() + LONG, 9)
    assert tasks.TELL_NEWS in [job.kind for job in later]
    assert {(job.id, job.revision) for job in later} <= handed
    await club.ana.slash(club.channel, "resign")
    later = await club.store.jobs.due(club.hands() + LONG, 9)
    assert [job.key for job in later if job.kind == tasks.TELL_NEWS] == ["1 begun", "1 ended"]
    assert {(job.id, job.revision) for job in later} <= handed


@pytest.mark.parametrize("how", ["resign", "play"])
async def test_the_last_message_says_the_same_when_it_is_made_anew(club: Club, how: str) -> None:
    await begin(club, "doblet")
    first = called(club)
    while called(club) == first:
        assert await step(club)
    if how == "resign":
        await called(club).slash(club.channel, "resign")
    else:
        while await step(club):
            pass
    end = newest(club)
    assert (" rolled " in text(end)) == (how == "play")
    club.bot.app.take(await club.store.jobs.add(club.guild.id, [tasks.show_again(1, club.hands())]))
    await at_rest(club)
    assert newest(club).id == end.id
    assert text(newest(club)) == text(end)


async def test_what_was_saved_and_not_shown_is_shown_after_a_restart(club: Club) -> None:
    await begin(club, "zeno")
    # As after a kill: the change and its job are in the store, and nobody does the job.
    await club.bot.runner.stop(5)
    await act(club, 1)
    assert not await is_current(club)
    bot = Tabula(club.store, entropy=Seeded())
    await club.env.restart_bot(bot)
    await club.env.settle()
    assert await is_current(club)
    await bot.close()


async def test_a_match_that_was_killed_before_its_roll_battle_can_go_on(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    asked = Asked(club.guild.id, club.channel.id, Person(club.ben.id, "Ben"), "a press")
    challenge = await club.store.challenges.get(1)
    assert challenge is not None
    now = now_ms()
    await club.store.people.remember(club.ben.id, "Ben", now)
    joined = await club.store.challenges.join(
        1,
        Seat("black", 0, asked.person.id, "1"),
        1,
        now,
        LIMITS,
        lambda _, match: [tasks.show_match(match or 0, now)],
    )
    club.bot.runner.take(joined.jobs)
    await at_rest(club)
    assert "Opening roll: press Roll" in text(newest(club))
    await club.ben.click(newest(club), label="Roll")
    assert await version(club) > 0
    assert await is_current(club)


async def test_the_closed_turn_keeps_its_picture_and_tells_the_play(club: Club) -> None:
    await begin(club, "zeno")
    mover = called(club)
    await mover.click(newest(club), label="Roll")
    turn = newest(club)
    menu = menus(turn)[0]
    await mover.select(turn, custom_id=menu.custom_id, values=[menu.options[0].value])
    while newest(club).id == turn.id:
        assert await step(club)
    closed = next(message for message in seen(club) if message.id == turn.id)
    assert len(closed.attachments) == 1
    assert not controls(closed)
    assert pictures(closed)[0].description
    assert " played `" in text(closed)
    assert " rolled " in text(closed)


async def test_one_picture_a_press_and_none_twice(club: Club) -> None:
    await begin(club, "twelve-dogs")
    await called(club).click(newest(club), label="af")
    before = len(club.env.http_requests)
    await called(club).click(newest(club), label="Roll")
    sent = club.env.http_requests[before:]
    uploads = [entry for entry in sent if (entry.json or {}).get("attachments")]
    assert len(uploads) == 1


async def test_an_old_message_says_so_when_it_is_pressed(club: Club) -> None:
    await begin(club, "zeno")
    # As if a message was posted and the program killed before that was saved: nobody knows of it.
    stray = newest(club)
    await club.store.matches.posted(1, Posted(1, club.channel.id, 1, 1), None)
    await called(club).slash(club.channel, "roll")
    told = await called(club).click(stray, label="Roll")
    assert not said_anything(told)
    old = next(message for message in seen(club) if message.id == stray.id)
    assert "This message is out of date" in text(old)
    assert labels(old) == []
    assert await is_current(club)


async def test_a_message_that_is_not_yet_remembered_is_not_taken_for_an_old_one(club: Club) -> None:
    await begin(club, "zeno")
    posted, mover = newest(club), called(club)
    # As in the moment between posting it and saving that,
    # when somebody has pressed it and presses once more.
    beside = App(club.store, club.bot.app.clock, club.bot.app.entropy)
    await play.roll(beside, Action(1, Person(mover.id, "somebody"), "the first press"))
    await club.store.matches.posted(1, Posted(None, club.channel.id, 0, 0), None)
    assert "has moved on" in said(await mover.click(posted, label="Roll"))
    (still,) = [message for message in seen(club) if message.id == posted.id]
    assert "This message is out of date" not in text(still)
    assert labels(still)


def said_anything(result: object) -> bool:
    """Whether a press was answered beside the message."""
    return bool(getattr(result, "followups", ()))


async def test_a_command_in_another_channel_leads_to_the_match(club: Club) -> None:
    await begin(club, "zeno")
    hall = club.guild.create_text_channel("hall")
    told = said(await called(club).slash(hall, "roll", match=1))
    assert f"/channels/{club.guild.id}/{club.channel.id}" in told
    assert await is_current(club)
    assert not hall.history()


async def test_a_shared_board_moves_the_match_to_another_channel(club: Club) -> None:
    await begin(club, "zeno")
    hall = club.guild.create_text_channel("hall")
    await called(club).slash(hall, "board", match=1, share=True)
    assert not live(club)
    assert len([message for message in hall.history() if controls(message)]) == 1
    await called_in(club, hall).slash(hall, "roll")
    assert len([message for message in hall.history() if controls(message)]) == 1


def called_in(club: Club, channel: simcord.ChannelHandle) -> simcord.MemberActor:
    """Who is called in another channel."""
    shown = text(channel.history()[-1])
    return next(person for person in (club.ana, club.ben) if f"<@{person.id}> (" in shown)


async def test_a_challenge_lapses_by_its_job(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    due = await club.store.jobs.next_due()
    assert due is not None
    now = club.bot.app.clock()
    assert 23 * 3_600_000 < due - now <= 24 * 3_600_000
    await club.later(24 * 3_600_000)
    await at_rest(club)
    assert "The challenge has expired." in text(newest(club))
    assert labels(newest(club)) == []


async def test_limits_are_said_kindly(club: Club) -> None:
    for _ in range(LIMITS.open):
        await club.ana.slash(club.channel, "challenge", game="zeno")
    told = said(await club.ana.slash(club.channel, "challenge", game="zeno"))
    assert told.startswith(f"You have {LIMITS.open} open challenges")
    assert len(seen(club)) == LIMITS.open


async def test_a_rematch_is_offered_once(club: Club) -> None:
    await begin(club, "zeno")
    await club.ana.slash(club.channel, "resign")
    end = newest(club)
    await club.ben.click(end, label="Rematch")
    assert "You've already offered this rematch" in said(await club.ben.click(end, label="Rematch"))


async def test_acceptance_with_a_word_enters_the_dice(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", word="a red hen")
    opened = await club.ben.click(newest(club), label="Accept with a secret word")
    await club.ben.submit_modal(opened, {"word": "`seven` geese"})
    row = await club.store.matches.get(1)
    assert row is not None
    assert [seat.contribution.split(" ", 1)[1] for seat in row.seats] == [
        "a red hen",
        "`seven` geese",
    ]
    assert "a red hen" in text(newest(club))
    assert "'seven' geese" in text(newest(club))


async def test_house_rules_are_chosen_in_a_card(club: Club) -> None:
    drawn = await club.ana.slash(
        club.channel, "challenge", game="zeno", opponent=club.ben, options="choose"
    )
    card = drawn.response
    assert card is not None
    assert not seen(club)
    await club.ana.select(card.message, custom_id="draft:unusable", values=["opponent"])
    await club.ana.click(card.message, label="Challenge")
    assert "cannot be played? The other side may play any or none of them" in text(newest(club))
    assert f"<@{club.ben.id}>" in text(newest(club))
    await club.ben.click(newest(club), label="Accept")
    assert await version(club) > 0


async def test_a_first_game_is_one_press_away(club: Club) -> None:
    told = await club.ana.slash(club.channel, "help")
    assert told.response is not None
    await club.ana.click(told.response.message, label="Offer a quick game")
    await club.ben.click(newest(club), label="Accept")
    assert "Twelve Dogs" in text(newest(club))
