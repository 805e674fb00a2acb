"""Puzzles: one a day, solved alone by menu or by typing, with a streak."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import discord
import pytest
import pytest_asyncio
import simcord

from bot.features.analysis.texts import format_evaluation
from bot.features.matches.loading import load_session
from bot.features.puzzles import service as puzzles
from bot.features.puzzles.match_puzzles import NoOwnPuzzlesError, OwnPuzzleCache, load_own_puzzle
from bot.features.puzzles.service import PERSON, REST_DAYS, SERVER, PuzzlePlace
from bot.features.puzzles.store import PastPuzzle, Puzzles, Streak
from bot.features.reports.service import BLUNDER, load_report
from bot.features.reports.store import Blunders, Reports
from bot.platform.db.tables import now_ms
from bot.platform.i18n.reader import Reader
from bot.platform.lines import Asker
from engine.clock import DAY
from engine.events import Played, SetUp
from engine.games import GAMES
from engine.match import Phase
from engine.notation import format_play
from engine.players.evaluation import Evaluation, StepAnalysis
from engine.players.prospects import get_points, list_prospects
from engine.players.puzzles import Puzzle
from engine.players.puzzles import load_puzzles as puzzles_by_id
from engine.position_text import format_position
from tests.bot.test_computer import press_next_control
from tests.support.club import SimulatedClub, open_club
from tests.support.driver import (
    begin_in_position,
    extract_text,
    find_mentioned_player,
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

pytestmark = pytest.mark.asyncio

NOON = int(datetime(2027, 3, 1, 12, tzinfo=UTC).timestamp() * 1000)
FIRST_DAY = NOON // DAY
EVERY = tuple(puzzles_by_id().values())
EMPEROR = "k-q t-z u-x"
"""What was left to Zeno, as Becq de Fouquières has it."""


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[SimulatedClub]:
    """Open a club on the first of March 2027, at noon."""
    async with open_club(tmp_path / "club.sqlite3") as opened:
        # Jobs have a clock of their own, which goes on as it did.
        opened.bot.app.clock = lambda: NOON
        yield opened


def advance_days(club: SimulatedClub, days: int) -> None:
    """Let it be noon so many days after the first."""
    club.bot.app.clock = lambda: NOON + days * DAY


async def load_todays_puzzle(club: SimulatedClub) -> Puzzle:
    """The server's puzzle of today."""
    return (
        await puzzles.load_daily_puzzle(club.bot.app, PuzzlePlace(SERVER, club.guild.id), 0)
    ).puzzle


async def open_puzzle(
    club: SimulatedClub, person: simcord.MemberActor, **which: str
) -> discord.Message:
    """Somebody opens the puzzle, which nobody else sees."""
    answer = get_response(await person.slash(club.channel, "puzzle", **which))
    assert answer.ephemeral
    return answer.message


async def solve_puzzle(club: SimulatedClub, person: simcord.MemberActor) -> str:
    """Somebody types the best play, and is told."""
    return get_ephemeral_text(await answer_puzzle(club, person, 0))


async def fail_puzzle(club: SimulatedClub, person: simcord.MemberActor) -> str:
    """Somebody types the worst play, and is told."""
    return get_ephemeral_text(await answer_puzzle(club, person, -1))


async def answer_puzzle(
    club: SimulatedClub, person: simcord.MemberActor, rank: int
) -> simcord.InteractionResult:
    """Somebody opens the puzzle, and types the play of that rank."""
    await open_puzzle(club, person)
    play = (await load_todays_puzzle(club)).answers[rank].play
    return await person.slash(club.channel, "move", play=play)


async def load_streak(club: SimulatedClub, person: simcord.MemberActor) -> Streak | None:
    """What is kept of somebody."""
    return await club.store.get(Puzzles).load_streak(person.id)


async def test_the_emperors_throw_is_every_servers_first(club: SimulatedClub) -> None:
    message = await open_puzzle(club, club.ana)
    text = extract_text(message)
    assert text.startswith("### Today's puzzle: Zeno\n-# Bring all fifteen men round the board")
    assert "The emperor's throw." in text
    assert "**Gold** has 6-5-2 to play and only one legal play. Find it." in text
    assert "Source: Agathias, Greek Anthology 9.482 (c. 565)." in text
    assert "Your first answer each day (UTC) counts" in text
    (picture,) = list_pictures(message)
    assert picture.description is not None
    assert "Gold (you): 7 on f, 1 on i, 2 on k, 2 on t, 2 on u, 1 on y." in picture.description
    assert "To play: 6, 5, 2." in picture.description
    # What might be tried gives nothing away: every man, by every number.
    (menu,) = list_menus(message)
    assert [option.value for option in menu.options] == (
        ["f-m", "f-l", "f-h", "i-p", "i-o", "i-l", "k-q", "k-p", "k-m", "t-z", "t-w", "u-x"]
    )
    assert list_public_messages(club) == []


def reload_message(club: SimulatedClub, message: discord.Message) -> discord.Message:
    """A message as it stands now."""
    everyone = (
        each
        for person in (club.ana, club.ben, club.cyn)
        for each in club.channel.history(viewer=person)
    )
    return next(each for each in everyone if each.id == message.id)


async def pick_option(
    club: SimulatedClub, person: simcord.MemberActor, message: discord.Message, value: str
) -> None:
    """Somebody picks from the first menu of their card that has it."""
    menu = next(
        each
        for each in list_menus(reload_message(club, message))
        if value in [option.value for option in each.options]
    )
    await person.select(reload_message(club, message), custom_id=menu.custom_id, values=[value])


@pytest.mark.sweep
async def test_the_emperors_throw_by_its_menu(club: SimulatedClub) -> None:
    message = await open_puzzle(club, club.ana)
    refusal = get_ephemeral_text(
        await club.ana.select(message, custom_id=list_menus(message)[0].custom_id, values=["f-m"])
    )
    assert refusal == "`f-m`: m is blocked by 2 of black's men."
    assert await load_streak(club, club.ana) is None
    await pick_option(club, club.ana, message, "u-x")
    assert "So far: `u-x`." in extract_text(reload_message(club, message))
    assert "Used: 2." in (list_pictures(reload_message(club, message))[0].description or "")
    await club.ana.click(reload_message(club, message), label="Start again")
    assert "So far" not in extract_text(reload_message(club, message))
    for value in ("k-q", "t-z", "u-x"):
        await pick_option(club, club.ana, message, value)
    text = extract_text(reload_message(club, message))
    assert text.startswith(f"### Correct!\n`{EMPEROR}`: the only legal play. Win chance ")
    assert "Your streak: 1 day." in text
    arrows = "Arrows 1: k to q, t to z, u to x."
    assert arrows in (list_pictures(reload_message(club, message))[0].description or "")
    assert list_menus(reload_message(club, message)) == []
    assert await load_streak(club, club.ana) == Streak(
        FIRST_DAY, (await load_todays_puzzle(club)).id, 1
    )
    assert list_public_messages(club) == []


async def test_solved_by_typing_in_any_order_and_once(club: SimulatedClub) -> None:
    await open_puzzle(club, club.ana)
    text = get_ephemeral_text(await club.ana.slash(club.channel, "move", play="u/x tz k6"))
    assert text.startswith(f"### Correct!\n`{EMPEROR}`")
    # It is answered, so that what is typed now is meant for a match.
    assert get_ephemeral_text(await club.ana.slash(club.channel, "move", play=EMPEROR)).startswith(
        "You have no match in this channel"
    )
    assert "You've already answered today, so this is just for fun." in extract_text(
        await open_puzzle(club, club.ana)
    )
    again = get_ephemeral_text(await club.ana.slash(club.channel, "move", play=EMPEROR))
    assert "This was just for fun: you had already answered today." in again
    assert await load_streak(club, club.ana) == Streak(
        FIRST_DAY, (await load_todays_puzzle(club)).id, 1
    )


async def test_what_is_typed_without_an_open_puzzle_is_no_answer(club: SimulatedClub) -> None:
    assert get_ephemeral_text(await club.ana.slash(club.channel, "move", play=EMPEROR)).startswith(
        "You have no match in this channel"
    )
    await open_puzzle(club, club.ben)
    hall = club.guild.create_text_channel("hall")
    assert get_ephemeral_text(await club.ben.slash(hall, "move", play=EMPEROR)).startswith(
        "You have no match in this channel"
    )
    assert get_ephemeral_text(await club.ana.slash(club.channel, "move", play=EMPEROR)).startswith(
        "You have no match in this channel"
    )


async def test_a_wrong_answer_shows_what_was_better(club: SimulatedClub) -> None:
    advance_days(club, 1)
    await solve_puzzle(club, club.ana)
    advance_days(club, 2)
    puzzle = await load_todays_puzzle(club)
    assert not puzzle.is_forced
    text = await fail_puzzle(club, club.ana)
    best, worst = puzzle.answers[0], puzzle.answers[-1]
    lines = text.splitlines()
    assert lines[0] == "### There was a better play"
    assert lines[1].startswith(f"`{worst.play}`: ")
    estimates = [
        format_evaluation(Reader.ENGLISH, Evaluation(each.win, each.points, puzzle.exact))
        for each in (worst, best)
    ]
    assert lines[1].endswith(f" {estimates[0]}")
    assert lines[2] == f"Best play: `{best.play}`. {estimates[1]}"
    assert lines[3] == "Your streak is over. You can start a new one tomorrow."
    assert "Arrows 1: the better play. Arrows 2: the play made." in text
    assert await load_streak(club, club.ana) == Streak(FIRST_DAY + 2, puzzle.id, 0)
    # Solved in the second attempt it is for fun.
    assert "This was just for fun" in await solve_puzzle(club, club.ana)
    assert await load_streak(club, club.ana) == Streak(FIRST_DAY + 2, puzzle.id, 0)


@pytest.mark.sweep
async def test_a_streak_goes_on_from_day_to_day_and_no_day_may_be_missed(
    club: SimulatedClub,
) -> None:
    for day in range(3):
        advance_days(club, day)
        text = await solve_puzzle(club, club.ana)
        assert ("Your streak: 1 day." if day == 0 else f"Your streak: {day + 1} days.") in text
    advance_days(club, 4)
    assert "Your streak: 1 day." in await solve_puzzle(club, club.ana)
    # The days are those of UTC.
    club.bot.app.clock = lambda: (FIRST_DAY + 6) * DAY - 1
    assert "Your streak: 2 days." in await solve_puzzle(club, club.ana)
    club.bot.app.clock = lambda: (FIRST_DAY + 6) * DAY
    assert "Your streak: 3 days." in await solve_puzzle(club, club.ana)
    assert await load_streak(club, club.ben) is None


@pytest.mark.sweep
async def test_everyone_in_a_server_has_the_same_puzzle_and_none_comes_twice(
    club: SimulatedClub,
) -> None:
    had = []
    for day in range(len(EVERY)):
        advance_days(club, day)
        had.append((await load_todays_puzzle(club)).id)
        assert (await load_todays_puzzle(club)).id == had[-1]
    # Those that rest last are yet to come, and some others have come once more.
    resting = {each.id for each in EVERY} - set(had)
    assert len(resting) < 4
    assert all(puzzles_by_id()[name].exact for name in resting)
    repeated = len(had) - len(set(had))
    assert len(set(had[: len(had) - repeated])) == len(had) - repeated
    elsewhere = PuzzlePlace(SERVER, club.guild.id + 1)
    order = []
    for day in range(3):
        advance_days(club, day)
        order.append((await puzzles.load_daily_puzzle(club.bot.app, elsewhere, 0)).puzzle.id)
    assert order[0] == had[0] == EVERY[0].id
    assert order != had[:3]
    # When all are used up they come once more, in the same order.
    again = [name for name in had if not puzzles_by_id()[name].exact]
    later = []
    for day in range(len(had) - repeated, len(had) + 20):
        advance_days(club, day)
        later.append((await load_todays_puzzle(club)).id)
    later = [name for name in later if not puzzles_by_id()[name].exact]
    assert later == again[: len(later)]


async def set_puzzle(club: SimulatedClub, day: int, name: str) -> None:
    """Choose the server's puzzle of a day."""
    await club.store.get(Puzzles).choose_daily_puzzle(SERVER, club.guild.id, day, lambda _: name)


def give_puzzles(
    known: Mapping[str, Puzzle], place: PuzzlePlace, days: range, given: dict[str, PastPuzzle]
) -> list[str]:
    """The puzzles of some days, which are added to those that were given."""
    chosen = []
    for day in days:
        name = puzzles.choose_next_puzzle(known, place, day, given)
        times = given[name].times if name in given else 0
        given[name] = PastPuzzle(times + 1, day)
        chosen.append(name)
    return chosen


@pytest.mark.parametrize("upgrade", [0, 1, 150, 297, 450, 900])
@pytest.mark.parametrize("place", [PuzzlePlace(SERVER, 7), PuzzlePlace(PERSON, 8)], ids=str)
async def test_new_puzzles_of_a_solved_game_move_none_of_the_others(
    upgrade: int, place: PuzzlePlace
) -> None:
    after = puzzles_by_id()
    before = {name: each for name, each in after.items() if not each.exact}
    given: dict[str, PastPuzzle] = {}
    past = give_puzzles(before, place, range(upgrade), given)
    as_before = give_puzzles(before, place, range(upgrade, upgrade + 150), dict(given))
    now = give_puzzles(after, place, range(upgrade, upgrade + 150), given)
    assert len(past) == upgrade
    others = [name for name in now if name in before]
    assert others == as_before[: len(others)]
    # Nor do they come at once: they are a week apart.
    days = [day for day, name in enumerate(now) if name not in before]
    assert days
    assert all(second - first >= REST_DAYS for first, second in pairwise(days))


async def test_a_day_whose_puzzle_was_chosen_keeps_it_when_others_are_added(
    club: SimulatedClub,
) -> None:
    """As after an upgrade in the middle of a day."""
    others = {name: each for name, each in puzzles_by_id().items() if not each.exact}
    place = PuzzlePlace(SERVER, club.guild.id)
    given: dict[str, PastPuzzle] = {}
    for name in give_puzzles(others, place, range(FIRST_DAY, FIRST_DAY + 12), given):
        day = given[name].last
        advance_days(club, day - FIRST_DAY)
        await set_puzzle(club, day, name)
        assert find_own_id(await open_puzzle(club, club.ana)) == name
    assert "The answer is exact" not in extract_text(await open_puzzle(club, club.ana))


EXACT = "The answer is exact: this position is solved."
MOVING = (
    "House rules: Do men move? Within your own table: once all six pairs are down, number n may "
    "also move a man n points towards your first point, to a point with fewer than two of your men."
)


@pytest.mark.parametrize("rank", [0, 1])
async def test_a_puzzle_of_a_solved_game_says_its_rules_and_that_it_is_exact(
    club: SimulatedClub, rank: int
) -> None:
    puzzle = EVERY[-1]
    await set_puzzle(club, FIRST_DAY, puzzle.id)
    text = extract_text(await open_puzzle(club, club.ana))
    assert text.startswith("### Today's puzzle: Doblet\n")
    assert MOVING in text.splitlines()
    assert f"-# {EXACT}" in text.splitlines()
    await club.ana.slash(club.channel, "puzzle", share=True)
    shared = extract_text(get_newest_message(club))
    assert MOVING in shared.splitlines()
    assert f"-# {EXACT}" in shared.splitlines()
    answer = await club.ana.slash(club.channel, "move", play=puzzle.answers[rank].play)
    text = get_ephemeral_text(answer)
    assert text.startswith("### There was a better play" if rank else "### Correct!")
    assert "-# Exact: this position is solved." in text
    assert "1-ply" not in text
    assert puzzle.answers[0].play in text.replace("\u2011", "-")


async def test_nobody_can_solve_two_puzzles_a_day(club: SimulatedClub) -> None:
    await solve_puzzle(club, club.ana)
    answer = get_response(await club.ana.user.slash("puzzle"))
    assert "You've already answered today, so this is just for fun." in extract_text(answer.message)


async def test_in_direct_messages_one_has_a_puzzle_of_ones_own(club: SimulatedClub) -> None:
    answer = get_response(await club.ana.user.slash("puzzle"))
    assert "The emperor's throw." in extract_text(answer.message)
    solved = get_response(await club.ana.user.slash("move", play=EMPEROR)).message
    assert "Your streak: 1 day." in extract_text(solved)
    assert list_button_labels(solved) == []
    assert (
        await club.store.get(Puzzles).load_daily_puzzle("person", club.ana.id, FIRST_DAY)
        == (await load_todays_puzzle(club)).id
    )
    message = get_response(await club.ben.user.slash("move", play=EMPEROR)).message
    assert extract_text(message).startswith("You have no match in this channel.")


@pytest.mark.sweep
async def test_who_has_solved_it_can_tell_the_channel(club: SimulatedClub) -> None:
    advance_days(club, -1)
    await solve_puzzle(club, club.ana)
    advance_days(club, 0)
    await open_puzzle(club, club.ana)
    best = (await load_todays_puzzle(club)).answers[0].play
    solved = get_response(await club.ana.slash(club.channel, "move", play=best)).message
    assert list_button_labels(solved) == ["Share in the channel"]
    await club.ana.click(solved, label="Share in the channel")
    game = (await load_todays_puzzle(club)).match.game.title
    assert (
        extract_text(get_newest_message(club))
        == f"<@{club.ana.id}> solved today's puzzle ({game}): a streak of 2 days."
    )
    assert list_button_labels(reload_message(club, solved)) == []
    assert extract_text(reload_message(club, solved)).endswith("Shared in the channel.")
    # The line leads others to it, and tells them nothing.
    assert best not in extract_text(get_newest_message(club))
    answer = get_response(await club.ben.click(get_newest_message(club), label="Today's puzzle"))
    assert answer.ephemeral
    assert extract_text(answer.message).startswith("### Today's puzzle")
    assert "Your streak: 1 day." in get_ephemeral_text(
        await club.ben.slash(club.channel, "move", play=best)
    )


async def test_its_game_s_rules_open_beside_it(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "puzzle", share=True)
    shared = get_newest_message(club)
    title = GAMES[(await load_todays_puzzle(club)).game].title
    own = await open_puzzle(club, club.ana)
    for person, message in ((club.ana, own), (club.ben, shared)):
        before = extract_text(message)
        rules = await person.click(message, label="The rules")
        assert get_ephemeral_text(rules).startswith(f"### {title}: the rules")
        assert extract_text(reload_message(club, message)) == before


async def test_shown_to_everyone_it_is_still_solved_alone(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "puzzle", share=True)
    message = get_newest_message(club)
    assert "The emperor's throw." in extract_text(message)
    assert list_menus(message) == []
    answer = get_response(await club.ben.click(message, label="Solve it"))
    assert answer.ephemeral
    before = extract_text(message)
    for value in ("k-q", "t-z", "u-x"):
        await pick_option(club, club.ben, answer.message, value)
    assert extract_text(reload_message(club, answer.message)).startswith("### Correct!")
    assert extract_text(get_newest_message(club)) == before


async def test_a_match_that_waits_for_a_move_comes_first(club: SimulatedClub) -> None:
    # The jobs that show a match have a clock of their own.
    moment = now_ms()
    club.bot.app.clock = lambda: moment
    await start_match(club, "zeno", rated=False)
    while not list_menus(get_newest_message(club)):
        await find_mentioned_player(club).click(get_newest_message(club), label="Roll")
    mover = find_mentioned_player(club)
    other = club.ben if mover is club.ana else club.ana
    for person in (mover, other):
        await open_puzzle(club, person)
    # Whoever waits for the other one answers the puzzle.
    assert get_ephemeral_text(await other.slash(club.channel, "move", play=EMPEROR)).startswith(
        "### Correct!"
    )
    play = list_menus(get_newest_message(club))[0].options[0].value
    text = get_ephemeral_text(await mover.slash(club.channel, "move", play=play))
    assert (
        text == "Played in match 1, which takes priority here. Use the menus to answer the puzzle."
    )
    assert play in "\n".join(extract_text(message) for message in list_public_messages(club))
    assert await load_streak(club, mover) is None
    # By its number the match is meant whatever is open.
    assert get_ephemeral_text(
        await mover.slash(club.channel, "move", play=EMPEROR, match=1)
    ).startswith(("It's ", "The match waits"))


async def test_continuations_are_offered_but_for_the_emperor(club: SimulatedClub) -> None:
    await open_puzzle(club, club.ana)
    assert await club.ana.autocomplete(club.channel, "move", "play", "k") == []
    advance_days(club, 1)
    puzzle = await load_todays_puzzle(club)
    await open_puzzle(club, club.ana)
    offered = [
        choice["value"] for choice in await club.ana.autocomplete(club.channel, "move", "play", "")
    ]
    assert set(offered) & {each.play for each in puzzle.answers}


@pytest.mark.sweep
async def test_part_of_a_play_is_gone_on_with(club: SimulatedClub) -> None:
    await open_puzzle(club, club.ana)
    answer = get_response(await club.ana.slash(club.channel, "move", play=f"{' ' * 150}t/z"))
    assert "So far: `t-z`." in extract_text(answer.message)
    assert await load_streak(club, club.ana) is None
    for value in ("k-q", "u-x"):
        await pick_option(club, club.ana, answer.message, value)
    assert extract_text(reload_message(club, answer.message)).startswith("### Correct!")


@pytest.mark.sweep
async def test_a_puzzle_of_yesterday_is_not_answered_any_more(club: SimulatedClub) -> None:
    message = await open_puzzle(club, club.ana)
    advance_days(club, 1)
    past = "That isn't today's puzzle. `/puzzle` shows it."
    menu = list_menus(message)[0].custom_id
    assert (
        get_ephemeral_text(await club.ana.select(message, custom_id=menu, values=["k-q"])) == past
    )
    assert get_ephemeral_text(await club.ana.slash(club.channel, "move", play=EMPEROR)) == past
    solved = get_response(await answer_puzzle(club, club.ben, 0)).message
    advance_days(club, 2)
    assert get_ephemeral_text(await club.ben.click(solved, label="Share in the channel")) == past
    assert await load_streak(club, club.ana) is None


@pytest.mark.parametrize(
    ("forged", "text"),
    [
        ("puzzle:play:0000000000:0:", "That isn't today's puzzle. `/puzzle` shows it."),
        ("puzzle:share:0000000000", "That isn't today's puzzle. `/puzzle` shows it."),
        (
            "puzzle:share:{today}",
            "You can share today's puzzle only if you solved it at the first try.",
        ),
        ("puzzle:play:{today}:0:f-m", "`f-m`: m is blocked by 2 of black's men."),
        ("puzzle:play", "That isn't today's puzzle. `/puzzle` shows it."),
        (
            "puzzle:read:{today}",
            "That button no longer works. Use `/match board` to get your match with new ones.",
        ),
    ],
)
async def test_what_is_forged_gets_one_sentence(
    club: SimulatedClub, forged: str, text: str
) -> None:
    name = forged.format(today=(await load_todays_puzzle(club)).id)
    layout = discord.ui.LayoutView(timeout=None)
    options = [discord.SelectOption(label="k-q", value="k-q")]
    layout.add_item(discord.ui.ActionRow(discord.ui.Select(custom_id=name, options=options)))
    layout.stop()
    await club.bot.get_partial_messageable(club.channel.id).send(view=layout)
    assert (
        get_ephemeral_text(
            await club.ana.select(get_newest_message(club), custom_id=name, values=["k-q"])
        )
        == text
    )
    assert await load_streak(club, club.ana) is None


async def test_an_open_puzzle_is_answered_after_a_restart_by_its_menus(club: SimulatedClub) -> None:
    message = await open_puzzle(club, club.ana)
    club.bot.app.get_part(puzzles.OpenPuzzles).found.clear()
    for value in ("k-q", "t-z", "u-x"):
        await pick_option(club, club.ana, message, value)
    assert extract_text(reload_message(club, message)).startswith("### Correct!")


async def test_a_puzzle_that_has_left_the_file_is_replaced(club: SimulatedClub) -> None:
    await club.store.get(Puzzles).choose_daily_puzzle(
        SERVER, club.guild.id, FIRST_DAY, lambda _: "gone"
    )
    assert "The emperor's throw." in extract_text(await open_puzzle(club, club.ana))


async def test_a_menu_has_room_for_the_moves_made_so_far() -> None:
    longest = [
        f"puzzle:play:{puzzle.id}:6:{each.play}" for puzzle in EVERY for each in puzzle.answers
    ]
    assert max(map(len, longest)) <= 100


@pytest_asyncio.fixture
async def playing(tmp_path: Path) -> AsyncIterator[SimulatedClub]:
    """Open a club whose clock goes, so that matches are played in it."""
    async with open_club(tmp_path / "playing.sqlite3") as opened:
        yield opened


async def play_badly(club: SimulatedClub, turns: int) -> None:
    """Let Ana make the worst plays against the computer for some turns, and ask for the report."""
    await club.ana.slash(club.channel, "play", game="backgammon", level="beginner")
    while turns:
        match = (await load_session(club.bot.app, 1)).match
        if match.phase is Phase.PLAY:
            worst = min(list_prospects(match), key=get_points).event
            assert isinstance(worst, Played)
            text = format_play(worst.moves, match.rules, match.position)
            await club.ana.slash(club.channel, "move", play=text)
            turns -= 1
        else:
            await press_next_control(club)
    await give_up(club, club.ana, club.channel)
    await club.ana.slash(club.channel, "match report", match=1)
    async with asyncio.timeout(60):
        while await club.store.get(Reports).load_report(1) is None:  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.05)
    await club.env.settle()


async def load_blunders(club: SimulatedClub) -> list[StepAnalysis]:
    """What the report of match 1 says was played badly, the worst first."""
    session = await load_session(club.bot.app, 1)
    found = await load_report(club.bot.app, session)
    assert found is not None
    (side,) = session.find_sides(club.ana.id)
    return sorted(
        (each for each in found.list_decisions(side) if each.error >= BLUNDER and each.best),
        key=lambda each: -each.error,
    )


def find_own_id(message: discord.Message) -> str:
    """The id of the puzzle that a card shows."""
    return list_menus(message)[0].custom_id.split(":")[2]


async def test_ones_own_blunders_become_puzzles_that_come_once_each(playing: SimulatedClub) -> None:
    club = playing
    none = "You have no puzzles of your own yet."
    assert get_ephemeral_text(
        await club.ana.slash(club.channel, "puzzle", which="mine")
    ).startswith(none)
    await play_badly(club, 4)
    blunders = await load_blunders(club)
    assert blunders
    texts: list[str] = []
    # What a closer look finds not so bad is left out.
    while True:
        message = await open_puzzle(club, club.ana, which="mine")
        text = extract_text(message)
        assert text.startswith("### Your own puzzle: Backgammon\n")
        assert "From your match 1, " in text
        assert "Only you see this puzzle." in text
        name = find_own_id(message)
        if name in texts:
            break
        texts.append(name)
        puzzle = await load_own_puzzle(club.bot.app, Asker(0, club.ana.id), name)
        wrong = puzzle.answers[-1].play
        if len(texts) == 1:
            # The worst comes first; it is answered by typing, and badly.
            sentence = get_ephemeral_text(await club.ana.slash(club.channel, "move", play=wrong))
            assert sentence.startswith("### There was a better play\n")
            assert f"Best play: `{puzzle.answers[0].play}`. Win chance " in sentence
            assert "Your puzzles: 0 of " in sentence
        else:
            best = puzzle.answers[0].play
            sentence = get_ephemeral_text(await club.ana.slash(club.channel, "move", play=best))
            assert sentence.startswith(f"### Correct!\n`{best}`: ")
            assert f"In match 1 you played `{puzzle.played}`." in sentence
    assert len(texts) == len(set(texts)) == (await club.store.get(Blunders).count(club.ana.id)).all
    assert (await club.store.get(Blunders).count(club.ana.id)).solved == len(texts) - 1
    # They come again in turn, the unsolved one first, each where the bad play was made.
    assert name == texts[0]
    assert set(texts) <= {f"1-{each.first}" for each in blunders}
    # The streak is that of the puzzles of the day.
    assert await load_streak(club, club.ana) is None


async def test_ones_own_puzzles_are_seen_by_nobody_else(playing: SimulatedClub) -> None:
    club = playing
    await play_badly(club, 4)
    message = await open_puzzle(club, club.ana, which="mine")
    menu = list_menus(message)[0]
    assert list_public_messages(club)[-1].id != message.id
    none = "You have no puzzles of your own yet."
    assert get_ephemeral_text(
        await club.ben.slash(club.channel, "puzzle", which="mine")
    ).startswith(none)
    answer = await club.ana.slash(club.channel, "puzzle", which="mine", share=True)
    assert get_ephemeral_text(answer).startswith("Your own puzzles are only for you.")
    # By its menus it is solved after a restart as well.
    name = find_own_id(message)
    club.bot.app.get_part(OwnPuzzleCache).found.clear()
    with pytest.raises(NoOwnPuzzlesError):
        await load_own_puzzle(club.bot.app, Asker(0, club.ben.id), name)
    await pick_option(club, club.ana, message, menu.options[0].value)
    text = extract_text(reload_message(club, message))
    again = "Start again" if "So far: " in text else "Try again"
    await club.ana.click(reload_message(club, message), label=again)
    assert find_own_id(reload_message(club, message)) == name
    puzzle = await load_own_puzzle(club.bot.app, Asker(0, club.ana.id), name)
    answered = get_response(
        await club.ana.slash(club.channel, "move", play=puzzle.answers[0].play)
    ).message
    assert list_button_labels(answered) == ["Try again", "Next puzzle"]
    await club.ana.click(answered, label="Next puzzle")
    onward = extract_text(reload_message(club, answered))
    assert onward.startswith("### Your own puzzle: Backgammon")


async def test_no_puzzle_is_what_is_to_be_played_in_another_match(playing: SimulatedClub) -> None:
    club = playing
    await play_badly(club, 2)
    message = await open_puzzle(club, club.ana, which="mine")
    asker = Asker(0, club.ana.id)
    puzzle = await load_own_puzzle(club.bot.app, asker, find_own_id(message))
    hall = club.guild.create_text_channel("hall")
    before = puzzle.match.position._replace(dice=())
    opening = SetUp(format_position(before, puzzle.match.rules), puzzle.thrown)
    await begin_in_position(club, hall, puzzle.game, opening, rated=True)
    (menu,) = list_menus(message)
    values = [menu.options[0].value]
    for answer in (
        await club.ana.slash(club.channel, "puzzle", which="mine"),
        await club.ana.select(message, custom_id=menu.custom_id, values=values),
    ):
        assert get_ephemeral_text(answer).startswith("This is, or nearly is, a position of match ")
    await give_up(club, club.ana, hall, 2)
    assert extract_text(await open_puzzle(club, club.ana, which="mine")) == extract_text(message)
