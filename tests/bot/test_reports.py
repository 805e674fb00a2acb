"""Reports: made when somebody asks, kept, and told with their progress; what they say adds up."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import discord
import pytest

from bot.features.computer.pool import PlayerPool
from bot.features.matches import loading
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.jobs import WatchClock
from bot.features.matches.record import (
    RecordFault,
    build_record,
    encode_events,
    verify_record,
)
from bot.features.reports import service as reports
from bot.features.reports.commands import report_controls
from bot.features.reports.idle_analysis import LeisureAnalysis
from bot.features.reports.service import (
    MAX_WAITING,
    MakeReport,
    MatchReport,
    ReportsBusyError,
    review_turn,
)
from bot.features.reports.store import Reports
from bot.features.reports.texts import explain_figures, format_figures
from bot.platform.db.errors import StoreError
from bot.platform.db.store import Store
from bot.platform.i18n.reader import Reader
from bot.platform.lines import Asker
from engine.events import Played, Resigned, Thrown
from engine.games import GAMES
from engine.players.evaluation import Evaluation, StepAnalysis
from engine.players.statistics import load_statistics
from engine.position import Side
from engine.rules import Game
from tests.bot.test_computer import is_match_over, press_first_move, press_next_control
from tests.bot.test_lessons import post_button
from tests.support.club import SimulatedClub
from tests.support.driver import (
    begin_in_position,
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_menus,
    list_pictures,
    list_public_messages,
    start_match,
)
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio
ACTS = 10
MINUTE = 60_000
AHEAD = 0.5
"""Points by which the 0-ply and the 1-ply value of a throw may differ beforehand."""


async def play_short_match(club: SimulatedClub, game: str = "laquet", acts: int = ACTS) -> None:
    """Let Ana play some turns against the computer, and give up.

    A report of a whole game takes many times as long.
    """
    await club.ana.slash(club.channel, "play", game=game, level="beginner")
    for _ in range(acts):
        await press_next_control(club)
    assert not is_match_over(club)
    await give_up(club, club.ana, club.channel)
    assert is_match_over(club)


async def load_report(club: SimulatedClub) -> MatchReport:
    """The report of match 1."""
    found = await reports.load_report(club.bot.app, await loading.load_session(club.bot.app, 1))
    assert found is not None
    return found


async def test_what_follows_a_job_is_begun_though_it_has_the_id_of_that_job(
    club: SimulatedClub,
) -> None:
    # The clock is ahead, so the job that shows a report's luck is left to a look for what is due.
    club.hands.ahead += 2000
    await play_short_match(club)
    await club.ana.click(get_newest_message(club), label="What went wrong?")
    await _wait_for_report(club)
    assert "luck" in (list_pictures(get_newest_message(club))[0].description or "")


async def test_a_report_is_made_when_asked_for_and_kept(club: SimulatedClub) -> None:
    await play_short_match(club)
    end = get_newest_message(club)
    assert "luck" not in (list_pictures(end)[0].description or "")
    assert await club.store.get(Reports).load_report(1) is None
    answer = get_response(await club.ana.click(end, label="What went wrong?"))
    await _wait_for_report(club)
    assert answer.ephemeral
    lines = extract_text(answer.message).splitlines()
    assert lines[0] == "### Report on match 1: Laquet"
    assert f"**<@{club.ana.id}>** (" in extract_text(answer.message)
    assert "curve.png" in [file.filename for file in answer.attachments]
    # The result shows this luck now, and nothing else of it has changed.
    assert get_newest_message(club).id == end.id
    text = list_pictures(get_newest_message(club))[0].description or ""
    assert re.findall(r"luck ([+−][0-9]\.[0-9]{2})\.", text) == re.findall(
        r"luck ([+−][0-9]\.[0-9]{2})[;.] ", extract_text(answer.message)
    )
    assert extract_text(get_newest_message(club)) == extract_text(end)
    # It is kept, for a bot of another day and for everyone in the server.
    document = await club.store.get(Reports).load_report(1)
    bot = await club.restart_bot()
    again = get_ephemeral_text(await club.cyn.slash(club.channel, "match report", match=1))
    assert again.splitlines()[0] == lines[0]
    assert bot.app.get_part(PlayerPool).processes == []
    assert await club.store.get(Reports).load_report(1) == document
    await bot.close()


@pytest.mark.sweep
async def test_every_error_is_shown_with_what_was_better(club: SimulatedClub) -> None:
    await play_short_match(club)
    answer = get_response(await club.ana.click(get_newest_message(club), label="What went wrong?"))
    await _wait_for_report(club)
    found = await load_report(club)
    session = await loading.load_session(club.bot.app, 1)
    (side,) = session.find_sides(club.ana.id)
    worst = found.list_worst_errors([side])
    assert worst
    assert list_button_labels(answer.message) == [
        "Step through",
        *(f"Error {number}" for number in range(1, len(worst) + 1)),
    ]
    errors = [each.error for each in found.list_decisions(side)]
    assert [each.error for each in worst] == sorted(errors, reverse=True)[: len(worst)]
    # Each comes with its board and what was better, above how the match was played.
    text = extract_text(answer.message)
    numbers = range(1, len(worst) + 1)
    moments = [text.index(f"**{number}.** <@{club.ana.id}>, turn ") for number in numbers]
    assert moments == sorted(moments)
    assert moments[-1] < text.index(": luck ")
    boards = [picture.description or "" for picture in list_pictures(answer.message)]
    assert len(set(boards)) == len(worst) + 1
    # A choice has no arrows, and with the nets it changes what errs worst.
    everything = await loading.load_history(club.bot.app, session.row)
    at = next(
        at
        for at, each in enumerate(worst)
        if isinstance(everything[each.version - 1].event, Played)
    )
    response = get_response(await club.ana.click(answer.message, label=f"Error {at + 1}"))
    turn = found.find_turn(worst[at])
    assert extract_text(response.message).startswith(f"### Match 1, turn {turn} of ")
    assert f": equity lost {worst[at].error:.2f}. Better: `" in extract_text(response.message)
    assert "Arrows 1: " in (list_pictures(response.message)[0].description or "")
    assert "Arrows 2: " in (list_pictures(response.message)[0].description or "")


@pytest.mark.sweep
async def test_the_first_turn_may_be_the_worst(club: SimulatedClub) -> None:
    await play_short_match(club)
    await club.ana.slash(club.channel, "match report")
    await _wait_for_report(club)
    report = await load_report(club)
    judged = list(report.judged)
    first = next(at for at, each in enumerate(judged) if not each.thrown)
    judged[first] = replace(judged[first], error=2.0)
    worst_first = MatchReport(judged, report.result)
    assert worst_first.find_turn(worst_first.list_worst_errors(tuple(Side))[0]) == 1
    session = await loading.load_session(club.bot.app, 1)
    controls = report_controls(Reader.ENGLISH, session, worst_first, tuple(Side))
    ids = [control.custom_id for control in controls if isinstance(control, discord.ui.Button)]
    # Discord refuses a message in which two controls have the same id.
    assert len(set(ids)) == len(controls) > 1


async def test_what_a_report_says_adds_up(club: SimulatedClub) -> None:
    await play_short_match(club)
    await club.ana.slash(club.channel, "match report")
    await _wait_for_report(club)
    found = await load_report(club)
    session = await loading.load_session(club.bot.app, 1)
    everything = await loading.load_history(club.bot.app, session.row)
    for each in found.judged:
        transition = everything[each.first]
        assert isinstance(transition.event, Thrown) == each.thrown
        assert each.error >= 0
        assert 0 <= each.evaluation.win <= 1
    # Gold's expectation moves by the luck of throws from its value before them, up to the result.
    for before, thrown in pairwise(found.judged):
        if thrown.thrown and not before.thrown and before.version + 1 == thrown.version:
            luck = thrown.luck if thrown.side is Side.GOLD else -thrown.luck
            assert thrown.evaluation.points == pytest.approx(
                before.evaluation.points + luck, abs=AHEAD
            )
    assert session.match.outcome is not None
    assert abs(found.result) == session.match.outcome.points
    assert found.judged[-1].evaluation.points == found.result


@pytest.mark.sweep
async def test_giving_up_a_good_game_is_judged_apart(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="laquet", level="beginner")
    while not list_menus(get_newest_message(club)):
        await press_next_control(club)
    await give_up(club, club.ana, club.channel)
    answer = get_response(await club.ana.click(get_newest_message(club), label="What went wrong?"))
    await _wait_for_report(club)
    found = await load_report(club)
    (side,) = (await loading.load_session(club.bot.app, 1)).find_sides(club.ana.id)
    resigned = found.find_resignation(side)
    assert resigned is not None
    chance = round(100 * found.find_evaluation_before(resigned).win)
    text = extract_text(answer.message)
    assert f"resigned with chances left ({chance}%): cost {resigned.error:.2f}." in text
    # No play was wrong for that.
    assert resigned not in found.list_worst_errors([side])
    response = get_response(await club.ana.click(answer.message, label="Step through"))
    while "Chosen: resign, " not in extract_text(response.message):
        await club.ana.click(response.message, label="Next")
    assert "Better: play on." in extract_text(response.message)


def build_report(errors: Sequence[float], *, gives_up: bool = False) -> MatchReport:
    """Return a report in which gold decides with these errors while the game is open."""
    step = StepAnalysis(0, 1, Side.GOLD, False, 0, 0, (), (), Evaluation(0.5, 0.0))
    judged = [replace(step, error=error) for error in errors]
    if gives_up:
        lost = Evaluation(0.0, -1.0)
        judged.append(replace(step, error=0.76, done=(Resigned(Side.GOLD),), evaluation=lost))
    return MatchReport(judged, -1.0)


async def test_play_of_different_quality_is_told_apart(club: SimulatedClub) -> None:
    await play_short_match(club)
    session = await loading.load_session(club.bot.app, 1)

    def tell(report: MatchReport) -> str:
        return next(iter(format_figures(Reader.ENGLISH, session, report))).partition(". ")[2]

    loose = tell(build_report([0.05] * 22 + [0.0] * 14))
    assert loose == "Played loosely: the best play in 14 of 36 decisions (39%), error rate 0.031."
    # Who plays the best and gives up has played the best.
    perfect = build_report([0.0] * 12, gives_up=True)
    assert tell(perfect) == (
        "Played almost perfectly: the best play in 12 of 12 decisions (100%), error rate 0.000."
    )
    lines = list(format_figures(Reader.ENGLISH, session, perfect))
    assert lines[1].endswith("resigned with chances left (50%): cost 0.76.")
    assert tell(build_report([0.0] * 3 + [0.3])) == (
        "The best play in 3 of 4 decisions (75%), error rate 0.075. That is too few to judge."
    )
    # What is decided is no test of skill.
    judged = [
        replace(each, evaluation=Evaluation(0.99, 0.98)) for each in build_report([0.1] * 9).judged
    ]
    assert tell(MatchReport(judged, 1.0)) == (
        "The best play in 0 of 1 decision (0%), error rate 0.100. That is too few to judge."
    )
    words = [
        tell(build_report([error] * bad + [0.0] * (20 - bad))).partition(":")[0]
        for error, bad in ((0.0, 0), (0.05, 2), (0.1, 4), (0.1, 8), (0.1, 12), (0.2, 18))
    ]
    assert len(set(words)) == len(words)


async def test_a_report_says_how_far_evaluations_are_off_where_that_was_measured(
    club: SimulatedClub,
) -> None:
    await play_short_match(club, "irish", 4)
    answer = get_response(await club.ana.click(get_newest_message(club), label="What went wrong?"))
    await _wait_for_report(club)
    game = GAMES["irish"]
    measured = load_statistics(game.slug, game.edition)
    assert measured is not None
    assert measured.evaluation_error is not None
    says = f"Evaluations in this game are off by about {measured.evaluation_error:.2f} points."
    assert says in extract_text(answer.message)
    session = await loading.load_session(club.bot.app, 1)

    def explain(game: Game, options: Mapping[str, str]) -> str:
        match = replace(
            session.match, game=game, options=options, rules=game.resolve_rules(options)
        )
        report = build_report([0.0])
        return explain_figures(Reader.ENGLISH, replace(session, match=match), report)

    assert says in explain(game, {})
    # By other rules, in a solved game, and of an edition that was not measured, nothing is said.
    assert "off by about" not in explain(game, {"unusable": "loses"})
    assert "off by about" not in explain(GAMES["doblet"], {})
    assert "off by about" not in explain(replace(game, edition=99), {})


@pytest.mark.sweep
async def test_of_a_match_that_was_annulled_no_judge_is_blamed_and_nobody_praised(
    club: SimulatedClub,
) -> None:
    await start_match(club, "laquet")
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="a mistake")
    answer = get_response(await club.ana.slash(club.channel, "match report", match=1))
    await _wait_for_report(club)
    assert "There was nothing to decide while the game was open." in extract_text(answer.message)
    assert "The match ended early, which accounts for" in extract_text(answer.message)
    assert "Played " not in extract_text(answer.message)


@pytest.mark.sweep
async def test_a_wish_that_was_not_stored_may_be_made_again(
    club: SimulatedClub, tmp_path: Path
) -> None:
    await play_short_match(club)
    await club.bot.runner.stop(5)
    session = await loading.load_session(club.bot.app, 1)
    async with await Store.open(tmp_path / "broken.sqlite3") as broken:
        with closing(sqlite3.connect(tmp_path / "broken.sqlite3")) as file:
            file.execute("DROP TABLE jobs")
        with pytest.raises(StoreError):
            await reports.enqueue_report(
                replace(club.bot.app, store=broken), session, Asker(club.guild.id, club.ana.id)
            )
    await reports.enqueue_report(club.bot.app, session, Asker(club.guild.id, club.ana.id))
    assert [job.kind for job in await load_due(club.store.jobs, club.hands(), 9)] == [
        MakeReport.kind
    ]


@pytest.mark.sweep
async def test_only_so_many_reports_wait_at_a_time(club: SimulatedClub) -> None:
    await play_short_match(club)
    await club.bot.runner.stop(5)
    session = await loading.load_session(club.bot.app, 1)
    for other in range(MAX_WAITING):
        club.bot.app.progress[100 + other] = 0.0
    with pytest.raises(ReportsBusyError):
        await reports.enqueue_report(club.bot.app, session, Asker(club.guild.id, club.ana.id))
    club.bot.app.progress.popitem()
    await reports.enqueue_report(club.bot.app, session, Asker(club.guild.id, club.ana.id))
    assert session.id in club.bot.app.progress


@pytest.mark.sweep
async def test_a_report_goes_on_after_a_restart(club: SimulatedClub) -> None:
    await play_short_match(club)
    await club.bot.runner.stop(5)
    session = await loading.load_session(club.bot.app, 1)
    await reports.enqueue_report(club.bot.app, session, Asker(club.guild.id, club.ana.id))
    bot = await club.restart_bot()
    await club.env.settle()
    await _wait_for_report(club)
    assert await club.store.jobs.find_next_due() is None
    await bot.close()


@pytest.mark.sweep
async def test_whoever_waits_for_a_report_gets_it_though_its_judge_was_killed(
    club: SimulatedClub,
) -> None:
    await play_short_match(club)
    answer, _ = await asyncio.gather(
        club.ana.click(get_newest_message(club), label="What went wrong?"), _kill_evaluator(club)
    )
    assert (
        extract_text(get_response(answer).message).splitlines()[0]
        == "### Report on match 1: Laquet"
    )


async def test_a_turn_played_in_parts_is_one_decision(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="zeno", level="beginner")
    for _ in range(ACTS):
        await press_first_move(club)
    assert not is_match_over(club)
    await give_up(club, club.ana, club.channel)
    await club.ana.slash(club.channel, "match report")
    await _wait_for_report(club)
    found = await load_report(club)
    session = await loading.load_session(club.bot.app, 1)
    everything = await loading.load_history(club.bot.app, session.row)
    (side,) = session.find_sides(club.ana.id)
    # A throw is one decision, whether it was played at once or man by man.
    throws = {
        each.before.drawn
        for each in everything
        if isinstance(each.event, Played) and not each.event.forced and each.before.turn is side
    }
    pressed = [
        each
        for each in everything
        if isinstance(each.event, Played) and not each.event.forced and each.before.turn is side
    ]
    decided = found.list_decisions(side)
    assert len(decided) == len(throws) < len(pressed)
    text = get_ephemeral_text(await club.ana.slash(club.channel, "match report"))
    open_ones = found.list_open_decisions(side)
    assert 0 < len(open_ones) <= len(decided)
    assert re.search(
        rf"the best play in [0-9]+ of {len(open_ones)} decisions? ", text, re.IGNORECASE
    )


async def test_somebody_steps_through_a_match_turn_by_turn(club: SimulatedClub) -> None:
    await play_short_match(club)
    answer = get_response(await club.ana.click(get_newest_message(club), label="What went wrong?"))
    await _wait_for_report(club)
    found = await load_report(club)
    response = get_response(await club.ana.click(answer.message, label="Step through"))
    assert response.ephemeral
    assert response.message.id != answer.message.id
    texts = [extract_text(response.message)]
    for _ in found.turns[1:]:
        # The message changes in place.
        await club.ana.click(response.message, label="Next")
        texts.append(extract_text(response.message))
    assert [text.splitlines()[0] for text in texts] == [
        f"### Match 1, turn {number} of {len(found.turns)}"
        for number in range(1, len(found.turns) + 1)
    ]
    for text, turn in zip(texts, found.turns, strict=True):
        assert ("equity lost" in text) == turn.is_error
        assert (", luck " in text) == (turn.throw is not None)
        # A whole play is told, not its last part.
        assert ("Forced: " in text or "Nothing could" in text) == (turn.decision is None)
    first = found.find_next_error(1)
    await club.ana.click(response.message, label="Back")
    assert extract_text(response.message) == texts[-2]
    assert first is not None
    # Somebody else looks for themselves, from the beginning.
    other = get_response(await club.cyn.slash(club.channel, "match report", match=1))
    opened = get_response(await club.cyn.click(other.message, label="Step through"))
    await club.cyn.click(opened.message, label="Next error")
    assert extract_text(opened.message) == texts[first - 1]
    assert "Arrows 2: " in (list_pictures(opened.message)[0].description or "")


async def test_somebody_plays_on_from_a_turn_of_a_report(club: SimulatedClub) -> None:
    await play_short_match(club)
    answer = get_response(await club.ana.click(get_newest_message(club), label="What went wrong?"))
    await _wait_for_report(club)
    found = await load_report(club)
    happened = await loading.load_history(
        club.bot.app, (await loading.load_session(club.bot.app, 1)).row
    )
    number = next(
        number
        for number, turn in enumerate(found.turns, 1)
        if turn.decision and turn.throw and turn.last.side is Side.GOLD
    )
    turn = found.turns[number - 1]
    assert turn.decision is not None
    before = happened[turn.decision.first].before
    response = get_response(await club.ana.click(answer.message, label="Step through"))
    for _ in range(number - 1):
        await club.ana.click(response.message, label="Next")
    await club.ana.click(response.message, label="Play from here")
    session = await loading.load_session(club.bot.app, 2)
    # The same throw on the same board, for the side whose turn it was.
    assert session.match.position == before.position
    assert (session.match.thrown, session.match.turn) == (before.thrown, before.turn)
    assert session.match.phase is before.phase
    assert not session.row.rated
    assert session.person_to_act == club.ana.id
    opening = extract_text(get_newest_message(club))
    assert "The match begins in this position" in opening
    for _ in range(ACTS):
        await press_first_move(club)
    await give_up(club, club.ana, club.channel, match=2)
    # Its record says how it began, and proves the dice that were thrown since.
    ended = await loading.load_session(club.bot.app, 2)
    replayed = await loading.load_history(club.bot.app, ended.row)
    record = build_record(ended, encode_events(ended, replayed))
    checked = verify_record(json.loads(json.dumps(record)))
    assert checked.wrong is None
    assert checked.throws > 0
    record["events"][0]["dice"] = [9, 9]
    assert verify_record(record).wrong is RecordFault.EVENT


async def test_a_turn_is_not_shown_that_is_to_be_played_in_another_match(
    club: SimulatedClub,
) -> None:
    await play_short_match(club)
    answer = get_response(await club.ana.click(get_newest_message(club), label="What went wrong?"))
    await _wait_for_report(club)
    found = await load_report(club)
    happened = await loading.load_history(
        club.bot.app, (await loading.load_session(club.bot.app, 1)).row
    )
    reviewed = (review_turn(found, happened, number) for number in range(2, len(found.turns) + 1))
    turn = next(each for each in reviewed if each and each.opening and each.side is Side.GOLD)
    assert turn.opening is not None
    hall = club.guild.create_text_channel("hall")
    await begin_in_position(club, hall, "laquet", turn.opening, rated=True)
    response = get_response(await club.ana.click(answer.message, label="Step through"))
    for _ in range(turn.number - 2):
        await club.ana.click(response.message, label="Next")
    before = extract_text(response.message)
    assert get_ephemeral_text(await club.ana.click(response.message, label="Next")).startswith(
        "This is, or nearly is, a position of match 2"
    )
    assert extract_text(response.message) == before
    await give_up(club, club.ana, hall, 2)
    await club.ana.click(response.message, label="Next")
    assert extract_text(response.message) != before


async def test_where_nothing_was_decided_no_match_begins(club: SimulatedClub) -> None:
    await play_short_match(club)
    answer = get_response(await club.ana.click(get_newest_message(club), label="What went wrong?"))
    await _wait_for_report(club)
    found = await load_report(club)
    response = get_response(await club.ana.click(answer.message, label="Step through"))
    for turn in found.turns[1:]:
        await club.ana.click(response.message, label="Next")
        offered = "Play from here" in list_button_labels(response.message)
        if turn.decision is None:
            assert not offered
    forced = next(
        (number for number, turn in enumerate(found.turns, 1) if turn.decision is None), 99
    )
    stale = await post_button(club, f"playon:1:{forced}")
    before = len(list_public_messages(club))
    refusal = get_ephemeral_text(await club.ana.click(stale, label="it"))
    assert "report" in refusal.lower()
    assert len(list_public_messages(club)) == before


async def test_a_match_is_analysed_while_it_is_played(club: SimulatedClub) -> None:
    app = club.bot.app
    leisure = LeisureAnalysis(delay_s=0.1, idle_s=0.2)
    app.set_part(LeisureAnalysis, leisure)
    leisure.start()
    await club.ana.slash(club.channel, "play", game="laquet", level="beginner")
    for _ in range(ACTS):
        await press_next_control(club)
    await _wait_until(lambda: bool(leisure.get(1).found))
    # Nobody is told anything of it.
    assert await club.store.get(Reports).load_report(1) is None
    assert not any(" equity" in extract_text(message) for message in list_public_messages(club))
    early = leisure.get(1)
    await give_up(club, club.ana, club.channel)
    await _wait_until(lambda: leisure.get(1).version > early.version)
    session = await loading.load_session(app, 1)
    await _wait_until(lambda: leisure.get(1).version == session.match.version)
    known = leisure.get(1)
    assert known.found[: len(early.found)] == early.found
    answer = get_response(await club.ana.click(get_newest_message(club), label="What went wrong?"))
    await _wait_for_report(club)
    assert extract_text(answer.message).splitlines()[0] == "### Report on match 1: Laquet"
    # What was found at leisure is what would have been found now.
    await leisure.stop()
    found = await load_report(club)
    whole = [
        each
        async for some in app.get_part(PlayerPool).analyse_match(
            1,
            loading.build_initial_match(session.row),
            await loading.load_events(app, session.row),
        )
        for each in some
    ]
    assert [replace(each, average=None) for each in whole] == list(found.judged)
    assert leisure.get(1).found == ()


async def _wait_until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110 - another process does it
            await asyncio.sleep(0.05)


async def test_there_is_no_report_of_a_match_that_goes_on_or_is_not_there(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "play", game="laquet")
    assert (
        get_ephemeral_text(await club.ana.slash(club.channel, "match report", match=1))
        == "Match 1 is not over yet."
    )
    assert (
        get_ephemeral_text(await club.ana.slash(club.channel, "match report", match=9))
        == "There is no match 9."
    )
    assert (
        get_ephemeral_text(await club.ben.slash(club.channel, "match report"))
        == "You haven't finished a match yet."
    )
    waiting = await load_due(club.store.jobs, club.bot.app.clock() + 2 * IDLE_LIMIT_MS, 9)
    assert [job.kind for job in waiting] == [WatchClock.kind]
    assert len(list_public_messages(club)) == 1


async def _wait_for_report(club: SimulatedClub) -> None:
    """Wait until the report of match 1 is there, and shown."""
    async with asyncio.timeout(60):
        while await club.store.get(Reports).load_report(1) is None:  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.05)
    await club.env.settle()


async def _kill_evaluator(club: SimulatedClub) -> None:
    """Kill the worker that judges as soon as there is one; a minute later another is asked."""
    app = club.bot.app
    others = set(app.get_part(PlayerPool).processes)
    async with asyncio.timeout(60):
        # Another process begins, which is no event of this loop.
        while not (judges := set(app.get_part(PlayerPool).processes) - others):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        judges.pop().kill()
        while 1 in app.progress:  # noqa: ASYNC110 - another process ends
            await asyncio.sleep(0.01)
    assert await club.store.get(Reports).load_report(1) is None
    club.hands.ahead += MINUTE
    await club.bot.runner.retry_failed()
