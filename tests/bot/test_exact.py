"""Solved games: what hints, analyses, reports and puzzles say where nothing is estimated."""

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import discord
import pytest

from bot.features.matches import loading
from bot.features.puzzles.match_puzzles import load_own_puzzle
from bot.features.reports import service as reports
from bot.features.reports.store import Reports
from bot.platform.lines import Asker
from engine.events import SetUp
from engine.notation import format_play
from engine.players.puzzles import format_puzzle_row, parse_puzzle_row
from tests.bot.test_hints import list_ranked_plays
from tests.bot.test_puzzles import find_own_id
from tests.support.club import SimulatedClub
from tests.support.driver import (
    begin_in_position,
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
)

pytestmark = pytest.mark.asyncio

EXACT = "-# Exact: this position is solved."
MOVING = {"moving": "own-table"}
POSITION, DICE = "c2,e1,f2,off7 z1,x2,u1,t1,off7 gold -", (3, 2, 1)
WHOLE = "[0-9]+"
EVALUATION = r"Win chance [0-9]+\.[0-9]{2}%, equity [+−][0-9]\.[0-9]{4}\."
LOSS = r"\*\*{number}\.\*\* `[^`]+`: (?:barely |slightly |much )?worse, −[0-9]\.[0-9]{{4}}"


async def analyse(club: SimulatedClub, **typed: str) -> str:
    """What Ana is shown of a position."""
    return extract_text(
        get_response(await club.ana.slash(club.channel, "analyse", **typed)).message
    )


async def test_an_analysis_of_a_solved_position_is_exact(club: SimulatedClub) -> None:
    text = await analyse(
        club, game="doblet", position=POSITION, throw="321", options="moving=own-table"
    )
    assert EXACT in text.splitlines()
    assert "1-ply" not in text
    # The second-best play says what it loses, in decimals that an estimate doesn't have.
    assert re.search(LOSS.format(number=2), text)
    assert re.search(rf"\*\*Play 1:\*\* {EVALUATION}", text)
    text = await analyse(club, game="doblet", position=POSITION)
    assert EXACT in text.splitlines()
    assert re.search(f"Gold: {EVALUATION}", text)
    assert "1-ply" not in text


async def test_of_plays_that_are_worth_the_same_none_is_called_better(club: SimulatedClub) -> None:
    # Bearing off two men of three, or one and bringing another nearer: two throws are needed.
    position = "z2,x1,t2,off10 a2,b2,off11 gold -"
    answer = get_response(
        await club.ana.slash(
            club.channel, "analyse", game="backgammon", position=position, throw="21"
        )
    )
    texts = [extract_text(answer.message)]
    for number in ("2", "3"):
        shown = get_response(await club.ana.click(answer.message, label=number))
        texts.append(extract_text(shown.message))
    assert all(EXACT in text.splitlines() for text in texts)
    assert all(re.search(r"\*\*2\.\*\* `[^`]+`: just as good\n", text) for text in texts)
    for text in texts[:2]:
        assert not re.search("better|worse|nlike", text.partition("**Play ")[2])
    assert "Play 1, unlike this one: " in texts[2]


async def test_a_position_is_not_called_solved_while_other_plays_are_estimated(
    club: SimulatedClub,
) -> None:
    # The table knows those plays of six men that bear one off, which the first three do.
    position = "t1,u1,w1,x1,y1,z1,off9 a2,b1,c1,f1,off10 gold -"
    text = await analyse(club, game="backgammon", position=position, throw="21")
    assert re.search(rf"\*\*Play 1:\*\* {EVALUATION}", text)
    assert "Exact" not in text
    assert "1-ply where plays are close" in text


async def test_a_draw_is_counted_in_a_solved_position(club: SimulatedClub) -> None:
    text = await analyse(club, game="twelve-dogs", position="hand12 hand12 gold -")
    # Gold wins 34.27% and draws 44.57%, half of which count; it loses 21.17%.
    assert "Gold: Win chance 56.55%, equity +0.1310." in text.splitlines()
    assert EXACT in text.splitlines()


async def test_elsewhere_nothing_is_called_exact(club: SimulatedClub) -> None:
    text = await analyse(
        club, game="doblet", position=POSITION, throw="321", options="unusable=lost"
    )
    assert "Exact" not in text
    assert "1-ply" in text
    assert re.search(rf"Win chance {WHOLE}%, equity [+−][0-9]\.[0-9]{{2}}\.", text)
    assert not re.search(EVALUATION, text)


async def begin(club: SimulatedClub) -> discord.Message:
    """Ana begins a match in the position, against the computer."""
    opening = SetUp(POSITION, DICE)
    await begin_in_position(club, club.channel, "doblet", opening, options=MOVING)
    return get_newest_message(club)


async def test_a_hint_in_a_solved_game_is_exact(club: SimulatedClub) -> None:
    message = await begin(club)
    text = extract_text(get_response(await club.ana.click(message, label="Hint")).message)
    assert EXACT in text.splitlines()
    assert re.search(rf"\*\*Play 1:\*\* {EVALUATION}", text)
    assert re.search(LOSS.format(number=2), text)


async def test_reports_and_ones_own_puzzles_of_a_solved_game_are_exact(
    club: SimulatedClub,
) -> None:
    await begin(club)
    match = (await loading.load_session(club.bot.app, 1)).match
    text = await analyse_worst(club)
    await club.ana.slash(club.channel, "move", play=text)
    await give_up(club, club.ana, club.channel)
    shown_report = await ask_for_report(club)
    lines = extract_text(shown_report).splitlines()
    assert "-# All values are exact; none is an estimate." in lines
    assert any(re.search(r"equity lost [0-9]\.[0-9]{4}", line) for line in lines)
    resigned = r"resigned with chances left \([0-9]+\.[0-9]{2}%\): cost [0-9]\.[0-9]{4}\."
    assert any(re.search(resigned, line) for line in lines)
    # It is kept so.
    session = await loading.load_session(club.bot.app, 1)
    report = await reports.load_report(club.bot.app, session)
    assert report
    assert report.is_exact
    shown = get_response(await club.ana.click(shown_report, label="Step through")).message
    assert EXACT in extract_text(shown).splitlines()[-1]
    assert re.search(f"After it: {EVALUATION}", extract_text(shown))
    # A puzzle has a proven answer: only what is worth the same is as good.
    asked = await club.ana.slash(club.channel, "puzzle", which="mine")
    puzzle_card = get_response(asked).message
    asker = Asker(0, club.ana.id)
    puzzle = await load_own_puzzle(club.bot.app, asker, find_own_id(puzzle_card))
    assert puzzle.exact
    best, second = puzzle.answers[:2]
    assert puzzle.is_solved_by(best)
    assert not puzzle.is_solved_by(second)
    assert parse_puzzle_row(format_puzzle_row(puzzle)).exact
    sentence = get_ephemeral_text(await club.ana.slash(club.channel, "move", play=best.play))
    assert sentence.startswith("### Correct!\n")
    assert EXACT in sentence
    assert len(re.findall(EVALUATION, sentence)) == len(puzzle.answers[:2])
    assert match.plays
    assert text in {format_play(each.moves, match.rules, match.position) for each in match.plays}


async def test_a_report_of_an_earlier_program_stays_an_estimate(
    club: SimulatedClub, tmp_path: Path
) -> None:
    text = extract_text(await ask_for_estimates(club, tmp_path, "exact", "exact_after"))
    assert "All values are exact" not in text
    assert re.search(r"equity lost [0-9]\.[0-9]{2}\.", text)
    assert re.search(rf"resigned with chances left \({WHOLE}%\): cost [0-9]\.[0-9]{{2}}\.", text)


async def test_what_a_step_leads_to_may_be_exact_where_the_step_is_not(
    club: SimulatedClub, tmp_path: Path
) -> None:
    """So it is where the last throws of a game begin, which are known."""
    report = await ask_for_estimates(club, tmp_path, "exact")
    shown = get_response(await club.ana.click(report, label="Step through")).message
    assert re.search(f"After it: {EVALUATION}", extract_text(shown))
    assert re.search(r"equity lost [0-9]\.[0-9]{2}\.", extract_text(shown))
    assert EXACT not in extract_text(shown)


async def ask_for_estimates(club: SimulatedClub, tmp_path: Path, *marks: str) -> discord.Message:
    """Ana asks for the report of a match from whose steps those marks are taken."""
    await begin(club)
    await club.ana.slash(club.channel, "move", play=await analyse_worst(club))
    await give_up(club, club.ana, club.channel)
    await ask_for_report(club)
    with closing(sqlite3.connect(tmp_path / "club.sqlite3")) as database, database:
        ((text,),) = database.execute("SELECT document FROM reports").fetchall()
        document = json.loads(text)
        for mark in marks:
            assert all(row.pop(mark) for row in document["judged"])
        database.execute("UPDATE reports SET document = ?", (json.dumps(document),))
    answer = get_response(await club.ana.slash(club.channel, "match report", match=1))
    return answer.message


async def ask_for_report(club: SimulatedClub) -> discord.Message:
    """Ana asks for the report of match 1, and waits until it is there."""
    answer = get_response(await club.ana.slash(club.channel, "match report", match=1))
    async with asyncio.timeout(60):
        while await club.store.get(Reports).load_report(1) is None:  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.05)
    await club.env.settle()
    return answer.message


async def analyse_worst(club: SimulatedClub) -> str:
    """The last play of those that a hint compares."""
    message = get_newest_message(club)
    hint = get_response(await club.ana.click(message, label="Hint")).message
    return list_ranked_plays(hint)[-1]
