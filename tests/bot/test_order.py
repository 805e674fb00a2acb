"""Where more is asked for than can be done at once: order of arrival, and a word to who waits."""

import asyncio

import pytest

from bot.features.matches import presses
from bot.platform.lines import FairLine
from bot.platform.ui import delays, dispatch
from bot.platform.ui.dispatch import hold_slot
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import start_match, take_next_action
from tests.bot.test_presses import (
    DEFERRED,
    EDITED,
    play_until,
    record_requests,
    require_current_message,
)

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


async def test_who_waits_for_the_board_reads_that_it_is_on_its_way(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presses, "LONGEST_HOLD_S", 0.0)
    monkeypatch.setattr(delays, "NOTICE_AFTER_S", 0.0)
    await start_match(club, "zeno")
    await play_until(club, "Roll")
    with record_requests(club) as sent:
        await take_next_action(club)
        await club.env.settle()
    assert sorted(sent)[:2] == [REMOVED, EDITED]
    assert sent.count(DEFERRED) == 1
    assert sum(each.startswith(SAID) for each in sent) == 1
    assert sent.index(REMOVED) > next(at for at, each in enumerate(sent) if each.startswith(SAID))
    await require_current_message(club)
