"""Subscriptions to open challenges: who is to be notified, once an hour, whichever process asks."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.features.challenges.store import Challenges
from bot.features.matches.rows import Seat
from bot.features.notifications.jobs import ANY_GAME, NotifySubscriber, NotifySubscribers
from bot.features.notifications.store import Subscriptions
from bot.features.preferences.store import Blocks
from bot.platform.db.rows import Pause
from bot.platform.db.store import Store
from engine.clock import DAY, HOUR
from tests.support.stored import (
    ANA,
    BEN,
    CYN,
    DAN,
    LIMITS,
    NOW,
    build_challenge,
    load_due,
    register_people,
)

pytestmark = pytest.mark.asyncio
MANY = 99
PLACE = 1
"""The server of the challenges."""


async def offer(store: Store, **fields: Any) -> int:
    """Ana's open challenge to a match of Zeno that lasts a day; returns its number."""
    terms = build_challenge(**{"expires": NOW + DAY, **fields})
    seat = Seat("gold", 0, terms.challenger, "word")
    return (await store.get(Challenges).create(terms, seat, LIMITS)).challenge.id


async def subscribe(store: Store, *people: int, game: str = "zeno", guild: int = PLACE) -> None:
    """Let people subscribe to a game."""
    await register_people(store, ANA, BEN, CYN, DAN)
    for person in people:
        assert await store.get(Subscriptions).add(person, guild, game, MANY)


async def send(store: Store, challenge: int, person: int, now: int) -> bool:
    """Notify somebody of a challenge, from the claim to the end of the job; False if they may not.

    The job is one that was enqueued for it.
    """
    (job,) = await store.jobs.enqueue(PLACE, [NotifySubscriber(challenge, person).build_job(now)])
    if not await store.get(Subscriptions).claim_notice(challenge, person, now):
        assert await store.jobs.finish(job)
        return False
    await store.get(Subscriptions).finish_notice(challenge, person, job)
    return True


async def test_subscriptions_are_kept_by_server_and_ended(store: Store) -> None:
    await subscribe(store, BEN)
    await subscribe(store, BEN, game=ANY_GAME)
    await subscribe(store, BEN, game="tabula", guild=2)
    subscriptions = store.get(Subscriptions)
    assert await subscriptions.load_games(BEN, PLACE) == ["any", "zeno"]
    assert await subscriptions.load_games(CYN, PLACE) == []
    assert await subscriptions.remove(BEN, PLACE, ["zeno", "tabula"]) == ["zeno"]
    assert await subscriptions.remove(BEN, PLACE) == ["any"]
    assert await subscriptions.remove(BEN, PLACE) == []
    assert await subscriptions.load_games(BEN, 2) == ["tabula"]


async def test_twice_is_once_and_toggled_is_ended(store: Store) -> None:
    await subscribe(store, BEN, BEN)
    subscriptions = store.get(Subscriptions)
    assert await subscriptions.load_games(BEN, PLACE) == ["zeno"]
    assert await subscriptions.toggle(BEN, PLACE, "zeno", MANY) is False
    assert await subscriptions.toggle(BEN, PLACE, "zeno", MANY) is True
    assert await subscriptions.load_games(BEN, PLACE) == ["zeno"]


async def test_there_are_so_many_at_most_in_all_servers_also_at_once(
    store: Store, rival: Store
) -> None:
    await subscribe(store, BEN)
    subscriptions = store.get(Subscriptions)
    added = await asyncio.gather(
        subscriptions.add(BEN, 2, "tabula", 2),
        rival.get(Subscriptions).add(BEN, 3, "fallas", 2),
    )
    assert sorted(added) == [False, True]
    assert await subscriptions.toggle(BEN, 4, "zeno", 2) is None
    # One that there is counts once, and can be ended.
    assert await subscriptions.add(BEN, PLACE, "zeno", 2)
    assert await subscriptions.toggle(BEN, PLACE, "zeno", 2) is False


async def test_two_toggles_at_once_both_count(store: Store, rival: Store) -> None:
    await subscribe(store)
    said = await asyncio.gather(
        store.get(Subscriptions).toggle(BEN, PLACE, "zeno", MANY),
        rival.get(Subscriptions).toggle(BEN, PLACE, "zeno", MANY),
    )
    assert sorted(map(bool, said)) == [False, True]
    assert await store.get(Subscriptions).load_games(BEN, PLACE) == []


async def test_the_game_and_the_server_decide_and_each_is_found_once(store: Store) -> None:
    await subscribe(store, BEN)
    await subscribe(store, BEN, CYN, game=ANY_GAME)
    await subscribe(store, DAN, game="tabula")
    await subscribe(store, DAN, guild=2)
    number = await offer(store)
    assert await store.get(Subscriptions).find_due(number, NOW, MANY) == [BEN, CYN]
    assert await store.get(Subscriptions).find_due(number + 1, NOW, MANY) == []


@pytest.mark.parametrize(
    "terms", [{"opponent": CYN}, {"expires": NOW}], ids=["for one person", "expired"]
)
async def test_only_an_open_challenge_finds_anybody(store: Store, terms: dict[str, Any]) -> None:
    await subscribe(store, BEN)
    number = await offer(store, **terms)
    assert await store.get(Subscriptions).find_due(number, NOW, MANY) == []
    assert not await store.get(Subscriptions).claim_notice(number, BEN, NOW)


async def test_one_that_was_closed_meanwhile_is_claimed_by_nobody(store: Store) -> None:
    await subscribe(store, BEN)
    number = await offer(store)
    subscriptions = store.get(Subscriptions)
    assert await subscriptions.find_due(number, NOW, MANY) == [BEN]
    await store.get(Challenges).close(number, "withdrawn", NOW)
    assert not await subscriptions.claim_notice(number, BEN, NOW)
    assert await subscriptions.find_due(number, NOW, MANY) == []


async def test_those_who_are_seated_blocked_or_away_are_left_out(store: Store) -> None:
    await subscribe(store, ANA, BEN, CYN, DAN)
    number = await offer(store)
    blocks = store.get(Blocks)
    await blocks.add(ANA, BEN)
    await blocks.add(CYN, ANA)
    await store.pauses.add_absence(Pause(DAN, NOW, NOW + 9))
    find = store.get(Subscriptions).find_due
    assert await find(number, NOW, MANY) == []
    for person in (ANA, BEN, CYN, DAN):
        assert not await store.get(Subscriptions).claim_notice(number, person, NOW)
    assert await find(number, NOW - 1, MANY) == [DAN]
    assert await find(number, NOW + 9, MANY) == [DAN]
    await blocks.remove(ANA, BEN)
    assert await find(number, NOW + 9, MANY) == [BEN, DAN]


async def test_a_block_with_anybody_at_the_table_counts(store: Store) -> None:
    await subscribe(store, BEN, CYN)
    number = await offer(store, players=2)
    await store.get(Challenges).join(number, Seat("black", 0, DAN, "word"), 1, NOW, LIMITS)
    await store.get(Blocks).add(DAN, CYN)
    assert await store.get(Subscriptions).find_due(number, NOW, MANY) == [BEN]


async def test_one_notice_an_hour_also_in_another_server_and_process(
    store: Store, rival: Store
) -> None:
    await subscribe(store, BEN)
    await subscribe(store, BEN, guild=2)
    first, second = await offer(store), await offer(store, guild=2)
    assert await send(store, first, BEN, NOW)
    for soon in (NOW, NOW + HOUR - 1, NOW - 1):
        assert await rival.get(Subscriptions).find_due(second, soon, MANY) == []
        assert not await send(rival, second, BEN, soon)
    # What is sent is not sent again, either.
    assert not await send(rival, first, BEN, NOW)
    assert await rival.get(Subscriptions).find_due(second, NOW + HOUR, MANY) == [BEN]
    assert await send(rival, second, BEN, NOW + HOUR)
    # From the latest on.
    assert not await send(store, first, BEN, NOW + HOUR + 1)


async def test_two_claims_at_once_give_one_notice(store: Store, rival: Store) -> None:
    await subscribe(store, BEN, game=ANY_GAME)
    first, second = await offer(store), await offer(store, challenger=CYN)
    claims = await asyncio.gather(
        store.get(Subscriptions).claim_notice(first, BEN, NOW),
        rival.get(Subscriptions).claim_notice(second, BEN, NOW),
    )
    assert sorted(claims) == [False, True]


async def test_what_was_claimed_and_not_sent_is_tried_again(store: Store) -> None:
    await subscribe(store, BEN)
    first, second = await offer(store), await offer(store)
    subscriptions = store.get(Subscriptions)
    assert await subscriptions.claim_notice(first, BEN, NOW)
    assert not await subscriptions.claim_notice(second, BEN, NOW + 1)
    assert await subscriptions.claim_notice(first, BEN, NOW + 1)
    assert await send(store, first, BEN, NOW + 2)
    assert not await subscriptions.claim_notice(first, BEN, NOW + 3)


async def test_a_clock_that_was_far_ahead_silences_nobody(store: Store) -> None:
    await subscribe(store, BEN)
    number = await offer(store, expires=NOW + 99 * DAY)
    assert await send(store, number, BEN, NOW + 50 * DAY)
    assert await store.get(Subscriptions).find_due(number, NOW, MANY) == [BEN]


async def test_those_notified_longest_ago_come_first(store: Store) -> None:
    await subscribe(store, BEN, CYN, DAN)
    number = await offer(store)
    assert await send(store, await offer(store), BEN, NOW - 2 * HOUR)
    assert await send(store, await offer(store), CYN, NOW - 3 * HOUR)
    find = store.get(Subscriptions).find_due
    assert await find(number, NOW, MANY) == [DAN, CYN, BEN]
    assert await find(number, NOW, 2) == [DAN, CYN]


async def test_a_job_for_each_takes_the_place_of_the_one_for_all(store: Store) -> None:
    await subscribe(store, BEN, CYN)
    number = await offer(store)
    (every,) = await store.jobs.enqueue(PLACE, [NotifySubscribers(number).build_job(NOW)])
    each = [NotifySubscriber(number, person).build_job(NOW) for person in (BEN, CYN)]
    enqueued = await store.get(Subscriptions).replace_job(every, each)
    due = await load_due(store.jobs, NOW, MANY)
    assert [(job.kind, job.key, job.guild) for job in due] == [
        ("notify subscriber", f"{number} {BEN}", PLACE),
        ("notify subscriber", f"{number} {CYN}", PLACE),
    ]
    assert {job.id for job in enqueued} == {job.id for job in due}
    # The runner tells jobs apart by their numbers.
    assert every.id not in {job.id for job in due}


async def test_everything_is_there_after_a_restart(where: str | Path) -> None:
    async with await Store.open(where) as store:
        await subscribe(store, BEN, CYN)
        number = await offer(store)
        assert await send(store, number, BEN, NOW)
    async with await Store.open(where) as store:
        assert await store.get(Subscriptions).load_games(BEN, PLACE) == ["zeno"]
        assert await store.get(Subscriptions).find_due(number, NOW + 1, MANY) == [CYN]
