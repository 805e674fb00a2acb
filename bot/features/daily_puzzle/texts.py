"""What is said of the puzzle that is posted every day."""

from collections.abc import Sequence

from bot.features.daily_puzzle.service import SolvedPuzzle
from bot.features.matches.name_texts import mention_person
from bot.features.puzzles.store import PuzzleDayResult, PuzzleStreak
from bot.features.schedules.service import PostSchedule
from bot.features.schedules.texts import format_hour, format_next_post
from bot.platform.i18n.catalogue_texts import game_context
from bot.platform.i18n.common import format_code, format_title, keep_together
from bot.platform.i18n.reader import Reader
from engine.clock import SECOND
from engine.players.puzzles import Puzzle

MOST_SOLVERS = 10
"""People who are named, so that they fit in a line or two."""
MOST_PLAYS = 3
"""Plays that are told of a solution; others may be as good."""


def format_post_heading(say: Reader, puzzle: Puzzle) -> str:
    """Name the puzzle of a day, and in small what its game is about."""
    game = puzzle.match.game
    return say(
        "### Puzzle of the day: {game}\n-# {tagline}",
        game=format_title(say, game),
        tagline=say.in_context(game_context(game.slug), game.tagline),
    )


def format_post_small_print(say: Reader, origin: str, next_post: int) -> str:
    """Tell where a puzzle comes from, who sees the answers, and when the solution follows."""
    counts = say(
        "Only you see your answer, and the first one counts. The solution, with the names of those "
        "who solved it, and the next puzzle come {when}.",
        when=f"<t:{next_post // SECOND}:R>",
    )
    return f"{origin}\n{counts}"


def format_solution(say: Reader, last: SolvedPuzzle, link: str | None) -> str:
    """Tell the solution of the last puzzle, and who solved it."""
    game = format_title(say, last.puzzle.match.game)
    named = f"[{game}]({link})" if link else game
    # The best play comes first among the answers; others may be as good.
    plays = [each.play for each in last.puzzle.answers if last.puzzle.is_solved_by(each)]
    written = say.format_list([format_code(keep_together(play)) for play in plays[:MOST_PLAYS]])
    if last.puzzle.is_forced:
        told = say(
            "**Solution of the last puzzle**: in {puzzle} the only legal play was {play}.",
            puzzle=named,
            play=written,
        )
    elif len(plays) > 1:
        told = say(
            "**Solution of the last puzzle**: in {puzzle} the best plays were {plays}.",
            puzzle=named,
            plays=written,
        )
    else:
        told = say(
            "**Solution of the last puzzle**: in {puzzle} the best play was {play}.",
            puzzle=named,
            play=written,
        )
    return f"{told} {_format_solvers(say, last.result)}"


def _format_solvers(say: Reader, result: PuzzleDayResult) -> str:
    if not result.answered:
        return say("Nobody answered.")
    if not result.solvers:
        return say("Nobody solved it.")
    named = [mention_person(person) for person in result.solvers[:MOST_SOLVERS]]
    others = len(result.solvers) - len(named)
    if others:
        return say.plural(
            "Solved by {people} and {n} other person.",
            "Solved by {people} and {n} other people.",
            others,
            people=", ".join(named),
        )
    return say("Solved by {people}.", people=say.format_list(named))


def format_streaks(say: Reader, streaks: Sequence[PuzzleStreak]) -> str:
    """Tell the longest streaks of a server; empty if there are none."""
    if not streaks:
        return ""
    listed = [
        say.plural(
            "{who} ({n} day)", "{who} ({n} days)", each.days, who=mention_person(each.person)
        )
        for each in streaks
    ]
    return say("**Longest streaks**: {streaks}.", streaks=say.format_list(listed))


def format_closed(say: Reader, link: str) -> str:
    """Tell on the message of a puzzle that is over where its solution is."""
    return say("This puzzle is over. [Its solution]({link})", link=link)


def format_puzzle_schedule(say: Reader, schedule: PostSchedule | None) -> str:
    """Tell where and when the puzzle of the day is posted in a server."""
    if schedule is None or not schedule.is_on:
        return say(
            "The daily puzzle isn't posted in this server. `/server puzzle` with a `channel` "
            "posts it there every day."
        )
    return say(
        "The daily puzzle is posted in {channel} every day at {hour}, next {when}. `/server "
        "puzzle` with `off` stops it.",
        channel=f"<#{schedule.chosen.channel}>",
        hour=format_hour(schedule),
        when=format_next_post(schedule),
    )
