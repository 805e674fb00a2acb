"""What the pages themselves say, in plain words without any markup."""

from bot.features.contests.bracket import Bracket
from bot.features.contests.formats.knock_out import format_round
from bot.features.contests.tables import Contest, ContestState, ContestView
from bot.features.contests.texts import format_progress
from bot.features.history.past_matches import PastMatch
from bot.features.matches.texts import format_level, mention_people
from bot.features.ratings.service import ALL_GAMES, parse_pool_name
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from engine.games import GAMES, find_game
from engine.position import Side


def format_hidden_name(say: Reader) -> str:
    """Name somebody who is to be named on no page."""
    return say("a player")


def format_pool(say: Reader, pool: str) -> str:
    """Name what is played on a leaderboard."""
    game, level = parse_pool_name(pool)
    title = say("All games") if game == ALL_GAMES else _format_game(say, game)
    if level is None:
        return title
    return say("{game}, against the computer ({level})", game=title, level=format_level(say, level))


def _format_game(say: Reader, game: str) -> str:
    # A game of another version may be missing here.
    return common.format_title(say, GAMES[game]) if game in GAMES else game


def format_contest_state(say: Reader, contest: Contest) -> str:
    """Say in a word how far a contest is."""
    return {
        ContestState.OPEN: say("open for sign-up"),
        ContestState.RUNNING: say("in progress"),
        # Translators: the state of a league or tournament: it has ended.
        ContestState.OVER: say("over"),
        ContestState.CANCELLED: say("called off"),
    }[contest.state]


def format_contest_progress(say: Reader, view: ContestView) -> str:
    """Say how far a contest is, in a sentence."""
    if view.contest.state is ContestState.OPEN:
        return say.plural("{n} player has joined.", "{n} players have joined.", len(view.present))
    if view.contest.state is ContestState.CANCELLED:
        # Translators: it: the league or tournament.
        return say("It was called off.")
    return format_progress(say, view)


def format_round_title(say: Reader, number: int, bracket: Bracket | None) -> str:
    """Name a round, counted from 1, by its place in a knock-out's `bracket` if there is one."""
    if bracket is None or number > len(bracket.rounds):
        return say("Round {n}", n=number)
    return format_round(say, bracket, number)


def format_match_title(say: Reader, match: PastMatch) -> str:
    """Name a match by its game and its number."""
    game = common.format_title(say, find_game(match.row.game, match.row.edition))
    return say("{game}, match {number}", game=game, number=match.row.id)


def format_match_sides(say: Reader, match: PastMatch) -> str:
    """Say who played against whom."""
    gold, black = (mention_people(say, match.list_players(side)) for side in Side)
    return say("{gold} against {black}", gold=gold, black=black)


def format_match_result(say: Reader, match: PastMatch) -> str:
    """Say in one line who has won a match, and how it ended."""
    outcome = match.outcome
    people = {side: mention_people(say, match.list_players(side)) for side in Side}
    game = find_game(match.row.game, match.row.edition)
    how = common.format_ending(say, game, outcome, people)
    if outcome.is_void:
        return say("It doesn't count: {how}.", how=how)
    if outcome.winner is None:
        return common.capitalise_first(common.end_sentence(say, how))
    return say("{who} won: {how}.", who=people[outcome.winner], how=how)


def format_match_story(say: Reader, match: PastMatch) -> str:
    """Say who played against whom, and how it ended."""
    sides = common.end_sentence(say, format_match_sides(say, match))
    return common.join_sentences(say, sides, format_match_result(say, match))


def list_result_columns(say: Reader) -> tuple[str, ...]:
    """Return the headings of a table of what everybody has won, drawn and lost."""
    return (
        # Translators: heading of a column of numbers: the place in a table.
        say("Rank"),
        # Translators: heading of a column of names.
        say("Player"),
        # Translators: heading of a column of numbers: how many matches somebody has won.
        say("Won"),
        # Translators: heading of a column of numbers: how many matches somebody has drawn.
        say.in_context("heading of a column of numbers", "Drawn"),
        # Translators: heading of a column of numbers: how many matches somebody has lost.
        say("Lost"),
    )
