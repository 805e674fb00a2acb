"""What keeps a processor busy: who asks for much waits alone, and nobody else for them."""

import asyncio
import operator
import os
import pickle
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio

from bot.features.analysis import service as analyses
from bot.features.analysis import store as analysis_store
from bot.features.analysis.hints import Rankings
from bot.features.analysis.store import Analyses
from bot.features.computer.pool import PlayerPool
from bot.features.matches import loading
from bot.features.matches.replay import iter_moments
from bot.features.matches.service import suggest_plays
from bot.features.privacy.delivery import EXPORT_RETRY_MS, ExportLine
from bot.features.privacy.service import ExportData
from bot.features.reports import service as reports
from bot.features.reports.service import ReportsBusyError
from bot.platform.costly import (
    MAX_BY_PERSON,
    MAX_WAITING,
    RATE_MS,
    CostlyWork,
    RateLimit,
    RequestUnderWayError,
    TooManyRequestsHereError,
)
from bot.platform.db.rows import QueuedJob
from bot.platform.lines import Asker, FairLine
from bot.platform.people import DiscordPerson
from bot.platform.ui.dispatch import hold_slot
from bot.platform.workers import WORKER_NICENESS, WorkerGroup, WorkerTimeoutError
from engine import plays
from engine.players.level import Level
from engine.position import Position
from engine.rules import Rules
from render.replay import render_film
from render.scene import View
from tests.bench.worst_requests import WORST_GAME, WORST_POSITION, build_worst_match
from tests.bot.test_analysis import XGID
from tests.bot.test_pool import build_match_to_play
from tests.bot.test_reports import play_short_match
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_response,
    start_match,
    take_next_action,
)
from tests.support.panels import export_data
from tests.support.simulator import LOOK_S
from tests.support.stored import load_due

CLUB, TAVERN = 7, 8
"""Two servers."""
ANA, BEN = Asker(CLUB, 1), Asker(CLUB, 2)
ROBBERS = [Asker(TAVERN, person) for person in range(100, 104)]
UNDER_WAY = (
    "I'm still working on your last analysis, hint, replay, report or file. Ask again when it's "
    "there."
)
BUDGET_S = 3.0


@pytest.fixture
def group() -> Iterator[WorkerGroup]:
    """Have one worker, and end it."""
    made = WorkerGroup(1, BUDGET_S, WORKER_NICENESS)
    yield made
    made.close()


@pytest_asyncio.fixture
async def work() -> AsyncIterator[CostlyWork]:
    """Have costly work done by one worker, which has begun."""
    made = CostlyWork(lambda: 0, 1)
    await made.run(Asker(0, 0), operator.add, 1, 1)
    yield made
    made.close()


async def ask_in_order(
    asked: list[Asker], ask: Callable[[Asker], Any], done: list[Asker]
) -> list[asyncio.Task[None]]:
    """Let people ask for something, one after another, and note who has it."""

    async def ask_once(asker: Asker) -> None:
        await ask(asker)
        done.append(asker)

    tasks = []
    for asker in asked:
        tasks.append(asyncio.create_task(ask_once(asker)))
        await asyncio.sleep(0)
    return tasks


@pytest.mark.asyncio
async def test_each_server_has_its_turn_and_in_it_each_person() -> None:
    line = FairLine(1)
    await line.acquire()
    first, second = ROBBERS[:2]
    done: list[Asker] = []
    asked = [first, first, second, first, second, ANA, ANA, BEN]
    tasks = await ask_in_order(asked, line.acquire, done)
    assert (line.count_waiting(TAVERN), line.count_waiting(CLUB)) == (5, 3)
    for _ in asked:
        line.release()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    # The tavern and the club take turns, and so do people within each.
    assert done == [first, ANA, second, BEN, first, ANA, second, first]
    line.release()
    assert not line.is_full


@pytest.mark.asyncio
async def test_who_leaves_the_line_takes_no_place() -> None:
    line = FairLine(1)
    await line.acquire()
    done: list[Asker] = []
    leaving, served, last = await ask_in_order([ANA, BEN, ROBBERS[0]], line.acquire, done)
    leaving.cancel()
    await asyncio.wait([leaving])
    line.release()
    await asyncio.wait([served])
    # One that leaves at the very moment at which it is served passes its place on.
    line.release()
    last.cancel()
    await asyncio.wait([last])
    assert done == [BEN]
    assert not line.is_full


@pytest.mark.asyncio
async def test_a_hostile_server_is_served_no_faster_than_any_other(group: WorkerGroup) -> None:
    await group.run(ANA, operator.add, 1, 1)
    done: list[Asker] = []
    flood = await ask_in_order(ROBBERS * 3, lambda asker: group.run(asker, time.sleep, 0.02), done)
    (mine,) = await ask_in_order([ANA], lambda asker: group.run(asker, operator.add, 1, 1), done)
    await mine
    # One thing of theirs is being done, and one may come before mine.
    assert len(done) <= 3
    await asyncio.gather(*flood)


@pytest.mark.asyncio
async def test_time_in_the_line_is_not_counted(group: WorkerGroup) -> None:
    await group.run(ANA, operator.add, 1, 1)
    waits = [asyncio.create_task(group.run(asker, time.sleep, 1.2)) for asker in (*ROBBERS, ANA)]
    # The last begins after longer than anything may take.
    assert await asyncio.gather(*waits) == [None] * 5


@pytest.mark.asyncio
async def test_one_that_takes_too_long_ends_alone() -> None:
    group = WorkerGroup(2, BUDGET_S, WORKER_NICENESS)
    try:
        await asyncio.gather(*(group.run(ANA, time.sleep, 0.2) for _ in range(2)))
        before = set(group.processes)
        late = asyncio.create_task(group.run(ROBBERS[0], time.sleep, 60))
        others = [asyncio.create_task(group.run(BEN, time.sleep, 0.9)) for _ in range(5)]
        with pytest.raises(WorkerTimeoutError):
            await late
        await asyncio.gather(*others)
        # The other worker has done all of it, and was never ended.
        assert len(before & set(group.processes)) == 1
    finally:
        group.close()


@pytest.mark.asyncio
async def test_who_gives_up_ends_their_own_job_alone(group: WorkerGroup) -> None:
    await group.run(ANA, operator.add, 1, 1)
    (worker,) = group.processes
    given_up = asyncio.create_task(group.run(ROBBERS[0], time.sleep, 60))
    waiting = asyncio.create_task(group.run(ANA, operator.add, 2, 3))
    await asyncio.sleep(0.1)
    given_up.cancel()
    assert await waiting == 5
    assert worker not in group.processes


@pytest.mark.asyncio
async def test_workers_that_died_while_they_rested_are_replaced() -> None:
    group = WorkerGroup(2, 60, WORKER_NICENESS)
    try:
        await asyncio.gather(*(group.run(ANA, time.sleep, 0.2) for _ in range(2)))
        for worker in group.processes:
            os.kill(worker.pid or 0, signal.SIGKILL)
            worker.join()
        assert await group.run(ANA, operator.add, 2, 3) == 5
    finally:
        group.close()


@pytest.mark.asyncio
async def test_workers_end_that_have_nothing_to_do() -> None:
    group = WorkerGroup(1, 60, WORKER_NICENESS, idle_s=0.1)
    await group.run(ANA, operator.add, 1, 1)
    assert len(group.processes) == 1
    await asyncio.sleep(0.3)
    assert group.processes == []
    assert await group.run(ANA, operator.add, 2, 3) == 5
    group.close()


@pytest.mark.asyncio
async def test_a_person_has_one_thing_done_at_a_time(work: CostlyWork) -> None:
    first = asyncio.create_task(work.run(ANA, time.sleep, 0.3))
    await asyncio.sleep(0)
    for again in (work.run(ANA, operator.add, 1, 1), hold_once(work, ANA)):
        with pytest.raises(RequestUnderWayError):
            await again
    assert await work.run(BEN, operator.add, 1, 1) == 2
    await first
    assert await work.run(ANA, operator.add, 1, 1) == 2


async def hold_once(work: CostlyWork, asker: Asker) -> None:
    """Do something costly here."""
    async with work.hold(asker):
        pass


@pytest.mark.asyncio
async def test_so_many_of_a_server_wait_and_no_more(work: CostlyWork) -> None:
    askers = [Asker(TAVERN, 100 + at) for at in range(MAX_WAITING + 1)]
    waiting = [asyncio.create_task(work.run(each, time.sleep, 0.05)) for each in askers]
    await asyncio.sleep(0)
    with pytest.raises(TooManyRequestsHereError):
        await work.run(Asker(TAVERN, 999), operator.add, 1, 1)
    # Others are served before all of those.
    assert await work.run(ANA, operator.add, 1, 1) == 2
    assert not all(each.done() for each in waiting)
    await asyncio.gather(*waiting)


def test_a_rate_counts_what_is_less_than_a_while_ago() -> None:
    rate = RateLimit(2, span_ms=100)
    for now in (1000, 1040):
        assert not rate.is_reached(1, now)
        rate.note(1, now)
    assert rate.is_reached(1, 1099)
    assert not rate.is_reached(2, 1099)
    assert not rate.is_reached(1, 1100)
    # A clock that is put back holds nobody up.
    assert not rate.is_reached(1, 900)


def test_whoever_has_done_nothing_for_a_while_is_forgotten() -> None:
    rate = RateLimit(2, span_ms=100)
    for who in range(1000):
        rate.note(who, who)
    assert len(rate) == 100


@pytest.mark.asyncio
async def test_what_waits_for_a_worker_keeps_no_place_among_the_answers(work: CostlyWork) -> None:
    answers = FairLine(2)

    async def answer(asker: Asker) -> None:
        async with hold_slot(answers, asker):
            await work.run(asker, time.sleep, 0.05)

    flood = [asyncio.create_task(answer(each)) for each in ROBBERS]
    await asyncio.sleep(LOOK_S)
    assert not answers.is_full
    await asyncio.gather(*flood)
    for _ in range(2):
        assert not answers.is_full
        await answers.acquire()
    # No place was given back twice.
    assert answers.is_full


@pytest.mark.asyncio
async def test_a_replay_is_drawn_by_a_worker_that_knows_no_secret(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    for _ in range(6):
        await take_next_action(club)
    session = await loading.load_session(club.bot.app, 1)
    happened = await loading.load_history(club.bot.app, session.row)
    start = loading.build_initial_match(session.row)
    say = club.bot.get_reader("de")
    moments = list(iter_moments(say, session, start, happened))
    sent = pickle.dumps(moments)
    assert render_film(pickle.loads(sent), View(), 10**7) == render_film(moments, View(), 10**7)
    for kept in (session.row.secret, session.row.secret.hex().encode()):
        assert kept not in sent


def test_each_letter_of_a_play_looks_for_no_plays_again(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[Position] = []
    search = plays.search_plays

    def note(rules: Rules, position: Position, *rest: Any) -> Any:
        searches.append(position)
        return search(rules, position, *rest)

    monkeypatch.setattr(plays, "search_plays", note)
    plays.recall_plays.cache_clear()
    match = build_worst_match()
    assert len(match.plays) == 2443
    offered = suggest_plays(match, "")
    assert len(offered) == 25
    for length in range(1, len(offered[7]) + 1):
        typed = offered[7][:length]
        found = suggest_plays(match, typed)
        assert offered[7] in found
        assert all(each.startswith(typed.strip()) for each in found)
    assert searches.count(match.position) <= 1


@pytest.mark.asyncio
async def test_suggestions_take_their_turn_among_the_answers(club: SimulatedClub) -> None:
    answers = club.bot.app.answers
    held = 0
    while not answers.is_full:
        await answers.acquire()
        held += 1
    typing = asyncio.create_task(club.ana.autocomplete(club.channel, "print", "game", "zen"))
    while not answers.count_waiting(club.guild.id):  # noqa: ASYNC110 - the client does it
        await asyncio.sleep(LOOK_S)
    assert not typing.done()
    for _ in range(held):
        answers.release()
    await typing


@pytest.mark.asyncio
async def test_an_analysis_waits_until_the_last_one_is_there(club: SimulatedClub) -> None:
    app = club.bot.app
    asker = Asker(club.guild.id, club.ana.id)
    await app.costly.run(Asker(0, 0), operator.add, 1, 1)
    first = asyncio.create_task(app.costly.run(asker, time.sleep, 2))
    await asyncio.sleep(0)
    for command, options in (
        ("analyse", {"position": XGID}),
        ("print", {"game": "zeno"}),
    ):
        answer = await club.ana.slash(club.channel, command, **options)
        assert get_ephemeral_text(answer) == UNDER_WAY
    await first
    # Nothing was kept of what was refused.
    assert await club.store.get(Analyses).load_analysis(1) is None
    await club.ana.slash(club.channel, "analyse", position=XGID)
    assert await club.store.get(Analyses).load_analysis(1) is not None


@pytest.mark.asyncio
async def test_who_analyses_too_often_is_asked_to_wait_and_nothing_is_kept(
    club: SimulatedClub,
) -> None:
    app = club.bot.app
    asker = Asker(club.guild.id, club.ana.id)
    typed = asker, "backgammon", XGID, "", ""
    made = [await analyses.create_analysis(app, *typed) for _ in range(MAX_BY_PERSON)]
    answer = await club.ana.slash(club.channel, "analyse", position=XGID)
    assert get_ephemeral_text(answer) == (
        "You've asked for 20 analyses, hints, replays or files within a minute. Please wait a "
        "little."
    )
    assert await club.store.get(Analyses).load_analysis(made[-1].row.id + 1) is None
    for person, later_ms in ((club.ben, 0), (club.ana, RATE_MS)):
        await club.advance_clock(later_ms)
        response = get_response(await person.slash(club.channel, "analyse", position=XGID))
        assert "### Analysis" in extract_text(response.message)


class CountingWork(CostlyWork):
    """Costly work that counts what is done."""

    done = 0

    async def run(self, *given: Any, **named: Any) -> Any:
        """Count it."""
        self.done += 1
        return await super().run(*given, **named)


@pytest.mark.asyncio
async def test_a_position_that_several_ask_about_is_analysed_once(club: SimulatedClub) -> None:
    app = club.bot.app
    app.costly = counted = CountingWork(app.clock, 1)
    people = [Asker(club.guild.id, each.id) for each in (club.ana, club.ben, club.cyn)]
    typed = WORST_GAME, WORST_POSITION, "654", ""
    found = await asyncio.gather(*(analyses.create_analysis(app, each, *typed) for each in people))
    best = [await analyses.find_best(app, each, people[0]) for each in found]
    assert counted.done == 1
    assert len({each.evaluation for each in best}) == 1
    # And when the first of them gives up, the next has it done.
    app.set_part(Rankings, Rankings())
    first, second = (
        asyncio.create_task(analyses.create_analysis(app, each, *typed)) for each in people[:2]
    )
    while counted.done < 2:  # noqa: ASYNC110 - it begins by itself
        await asyncio.sleep(0)
    first.cancel()
    assert (await second).row.id == 4
    assert counted.done == 3
    counted.close()


@pytest.mark.asyncio
async def test_the_computer_plays_while_all_are_analysing(club: SimulatedClub) -> None:
    app = club.bot.app
    pool = app.get_part(PlayerPool)
    await pool.decide(build_match_to_play(), Level.COMPANION, 1)
    flood = [asyncio.create_task(app.costly.run(each, time.sleep, 1)) for each in ROBBERS]
    await asyncio.sleep(0)
    assert await pool.decide(build_match_to_play(), Level.COMPANION, 1)
    assert not any(each.done() for each in flood[1:])
    await asyncio.gather(*flood)


@pytest.mark.asyncio
async def test_a_position_is_deleted_before_its_time_once_many_have_come(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_store, "MAX_UNSHARED", 3)
    app, store = club.bot.app, club.store.get(Analyses)
    asker = Asker(club.guild.id, club.ana.id)
    for number in range(1, 6):
        made = await analyses.create_analysis(app, asker, "backgammon", XGID, "", "")
        assert made.row.id == number
        if number == 1:
            await app.save_people(DiscordPerson(club.ana.id, "Ana"))
            await store.save_message(1, club.ana.id, club.guild.id, club.channel.id, 99)
    kept = [number for number in range(1, 6) if await store.load_analysis(number)]
    # The first was shared.
    assert kept == [1, 3, 4, 5]


@pytest.mark.asyncio
async def test_a_person_waits_for_one_report_and_a_server_for_a_few(club: SimulatedClub) -> None:
    await play_short_match(club)
    await club.bot.runner.stop(5)
    app = club.bot.app
    session = await loading.load_session(app, 1)
    askers = app.get_part(reports.ReportRequests).askers
    askers[101] = Asker(club.guild.id, club.ana.id)
    with pytest.raises(RequestUnderWayError):
        await reports.enqueue_report(app, session, Asker(TAVERN, club.ana.id))
    for number in range(102, 101 + reports.MAX_WAITING_HERE):
        askers[number] = Asker(club.guild.id, number)
    ben = club.ben.id
    with pytest.raises(ReportsBusyError):
        await reports.enqueue_report(app, session, Asker(club.guild.id, ben))
    # From another server there is room.
    await reports.enqueue_report(app, session, Asker(TAVERN, ben))
    assert askers[1] == Asker(TAVERN, ben)


@pytest.mark.asyncio
async def test_exports_of_data_are_made_one_after_another(club: SimulatedClub) -> None:
    line = club.bot.app.get_part(ExportLine)
    await line.acquire()
    await export_data(club.ana, club.channel)
    (waiting,) = await list_exports(club)
    # It comes back later, and so keeps no place among the jobs meanwhile.
    assert waiting.error == "another export is being made"
    line.release()
    await club.advance_clock(EXPORT_RETRY_MS)
    assert await list_exports(club) == []


async def list_exports(club: SimulatedClub) -> list[QueuedJob]:
    """The exports that are still to be made."""
    due = await load_due(club.store.jobs, club.hands() + 2 * EXPORT_RETRY_MS, 99)
    return [job for job in due if job.kind == ExportData.kind]
