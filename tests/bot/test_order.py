"""Where more is asked for than can be done at once: order of arrival, and a word to who waits."""

import asyncio
import math
from dataclasses import replace

import pytest

from bot.features.matches import delivery
from bot.platform.jobs.interruptions import InterruptionNotes, NotifyInterrupted
from bot.platform.lines import FairLine
from bot.platform.ui import dispatch
from bot.platform.ui.dispatch import hold_slot
from tests.bot import test_presses
from tests.support.club import SimulatedClub
from tests.support.driver import find_mentioned_player, start_match, take_next_action

pytestmark = pytest.mark.asyncio
SAID, REMOVED = "POST /webhooks", "DELETE message"


async def test_those_who_came_first_are_served_first() -> None:
    answers = FairLine(2)
    served: list[int] = []

    async def serve(number: int) -> None:
        async with hold_slot(answers):
            served.append(number)
            # The earlier ones take longer, and yet nobody overtakes them.
            await asyncio.sleep(0.02 - number / 1000)

    await asyncio.gather(*(serve(number) for number in range(12)))
    assert served == list(range(12))


async def test_who_holds_a_slot_for_long_passes_it_on_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dispatch, "SLOT_HOLD_S", 0.05)
    answers = FairLine(1)
    served: list[int] = []
    over = asyncio.Event()

    async def serve(number: int, *, slow: bool) -> None:
        async with hold_slot(answers):
            served.append(number)
            if slow:
                await over.wait()

    slow = asyncio.create_task(serve(0, slow=True))
    await asyncio.gather(*(serve(number, slow=False) for number in range(1, 5)))
    assert served == [0, 1, 2, 3, 4]
    over.set()
    await slow
    # What was passed on is not given back a second time.
    await answers.acquire()
    assert answers.is_full


async def test_a_line_says_how_long_it_is_by_how_it_moves() -> None:
    answers = FairLine(1)
    waits: list[float] = []
    begun = asyncio.get_running_loop().time()

    async def serve(number: int) -> None:
        async with hold_slot(answers):
            waits.append(asyncio.get_running_loop().time() - begun)
            await asyncio.sleep(0.02)

    assert answers.estimate_wait() == 0.0
    people = [asyncio.create_task(serve(number)) for number in range(40)]
    await asyncio.sleep(0)
    # How it moves is not known yet.
    assert answers.estimate_wait() == math.inf
    await people[9]
    guessed = answers.estimate_wait()
    since = asyncio.get_running_loop().time() - begun
    await asyncio.gather(*people)
    took = waits[-1] - since
    assert took / 3 < guessed < took * 3
    # Nobody waits any more.
    assert answers.estimate_wait() == 0.0


async def test_who_stands_in_a_long_line_is_acknowledged_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dispatch, "ACKNOWLEDGE_AFTER_S", 60.0)
    lateness = dispatch.Lateness()
    assert lateness.choose_timeout(0.0) > 50.0
    assert lateness.choose_timeout(59.9) == 0.0


@pytest.mark.usefixtures("own_throws")
async def test_who_waits_for_the_board_reads_that_it_is_on_its_way(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MAX_HOLD_S", 0.0)
    monkeypatch.setattr(dispatch, "NOTICE_AFTER_S", 0.0)
    await start_match(club, "zeno")
    await test_presses.play_until(club, "Roll")
    with test_presses.record_requests(club) as sent:
        await take_next_action(club)
        await club.env.settle()
    assert sorted(sent)[:2] == [REMOVED, test_presses.EDITED]
    assert sent.count(test_presses.DEFERRED) == 1
    assert sum(each.startswith(SAID) for each in sent) == 1
    assert sent.index(REMOVED) > next(at for at, each in enumerate(sent) if each.startswith(SAID))
    await test_presses.require_current_message(club)


@pytest.mark.usefixtures("own_throws")
async def test_who_waits_for_a_board_that_fails_at_first_reads_that_it_is_on_its_way(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    await test_presses.play_until(club, "Roll")
    await take_next_action(club)
    club.env.inject_error("POST", "/channels/*/messages", status=503, times=2)
    mover = find_mentioned_player(club)
    with test_presses.record_requests(club) as sent:
        while find_mentioned_player(club) is mover and club.env.backend.faults:
            await take_next_action(club)
        await club.advance_clock(10_000)
    posts = [at for at, each in enumerate(sent) if each == test_presses.POSTED]
    (said,) = [at for at, each in enumerate(sent) if each.startswith(SAID)]
    assert len(posts) == 3
    # Once it has failed, and until it is there.
    assert posts[0] < said < posts[2] < sent.index(REMOVED)
    await test_presses.require_current_message(club)


@pytest.mark.usefixtures("own_throws")
@pytest.mark.parametrize("room", [1, 8])
async def test_a_board_that_is_slow_and_then_fails_is_on_its_way_until_it_is_there(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    # The first try counts as slow at once; with room for one line it is its own that takes it.
    monkeypatch.setattr(delivery, "MAX_HOLD_S", 0.0)
    monkeypatch.setattr(dispatch, "NOTICE_AFTER_S", 0.0)
    monkeypatch.setattr(dispatch, "MAX_NOTICES", room)
    await start_match(club, "zeno")
    await test_presses.play_until(club, "Roll")
    await take_next_action(club)
    club.env.inject_error("POST", "/channels/*/messages", status=503, times=2)
    mover = find_mentioned_player(club)
    with test_presses.record_requests(club) as sent:
        while find_mentioned_player(club) is mover and club.env.backend.faults:
            await take_next_action(club)
        await club.advance_clock(10_000)
    posts = [at for at, each in enumerate(sent) if each == test_presses.POSTED]
    assert len(posts) == 3
    shown = 0
    for at, each in enumerate(sent):
        shown += each.startswith(SAID)
        shown -= each == REMOVED
        assert shown or not posts[0] < at < posts[2], sent
    assert shown == 0
    assert club.bot.app.get_part(dispatch.Notices).shown == 0
    await test_presses.require_current_message(club)


async def test_notes_of_a_crowd_are_few_transactions(club: SimulatedClub) -> None:
    notes = InterruptionNotes()
    writes: list[float] = []
    club.store.observe_saves(writes.append)

    def ask(number: int) -> NotifyInterrupted:
        return NotifyInterrupted(
            interaction=number, run="now", at=0, person=1, token="t", locale="en", by_cause=True
        )

    async def serve(number: int) -> None:
        note = await notes.add(club.bot.app, 7 + number % 3, ask(number))
        await notes.delete(club.bot.app, note)

    await asyncio.gather(*(serve(number) for number in range(60)))

    assert len(writes) <= 6
    assert not [each for each in await club.store.jobs.load_all() if each.kind == ask(0).kind]


async def test_a_note_that_nobody_waits_for_any_more_still_holds(club: SimulatedClub) -> None:
    notes = InterruptionNotes()
    asked = NotifyInterrupted(
        interaction=5, run="before", at=0, person=1, token="t", locale="en", by_cause=True
    )
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await notes.add(club.bot.app, 7, asked)

    # The next shares a later transaction, so the first is over by then.
    await notes.add(club.bot.app, 7, replace(asked, interaction=6))

    kept = {each.key for each in await club.store.jobs.load_all()}
    assert {"5", "6"} <= kept


@pytest.mark.usefixtures("own_throws")
async def test_few_lines_about_delays_are_shown_at_a_time(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MAX_HOLD_S", 0.0)
    monkeypatch.setattr(dispatch, "NOTICE_AFTER_S", 0.0)
    monkeypatch.setattr(dispatch, "MAX_NOTICES", 0)
    await start_match(club, "zeno")
    await test_presses.play_until(club, "Roll")
    with test_presses.record_requests(club) as sent:
        await take_next_action(club)
        await club.env.settle()
    assert sorted(sent) == [test_presses.EDITED, test_presses.DEFERRED]
    await test_presses.require_current_message(club)
