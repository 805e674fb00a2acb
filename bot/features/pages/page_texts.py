"""What the pages themselves say, in plain words without any markup."""

from bot.features.contests.bracket import Bracket
from bot.features.contests.bracket_texts import format_round
from bot.features.contests.rows import Contest, ContestFormat, ContestState, ContestView, Pairing
from bot.features.contests.tournament_texts import format_progress
from bot.features.history.results import PastMatch
from bot.features.matches.name_texts import format_level, mention_people
from bot.features.ratings.service import ALL_GAMES, parse_pool_name
from bot.platform.i18n.common import capitalise_first, format_title
from bot.platform.i18n.endings import format_ending
from bot.platform.i18n.reader import Reader
from engine.games import GAMES, find_game
from engine.outcome import FORFEITED
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
    return format_title(say, GAMES[game]) if game in GAMES else game


def format_kind(say: Reader, contest: Contest) -> str:
    """Tell by which rule people meet in a contest."""
    return {
        # Translators: a kind of contest, named in a list.
        ContestFormat.LEAGUE: say("League"),
        ContestFormat.ROUND_ROBIN: say("Round robin"),
        ContestFormat.SWISS: say("Swiss tournament"),
        # Translators: a kind of tournament, named in a list.
        ContestFormat.KNOCK_OUT: say("Knock-out"),
    }[contest.format]


def format_contest_state(say: Reader, contest: Contest) -> str:
    """Tell in a word how far a contest is."""
    return {
        ContestState.OPEN: say("open for sign-up"),
        ContestState.RUNNING: say("in progress"),
        # Translators: the state of a league or tournament: it has ended.
        ContestState.OVER: say("over"),
        ContestState.CANCELLED: say("called off"),
    }[contest.state]


def format_contest_progress(say: Reader, view: ContestView) -> str:
    """Tell how far a contest is, in a sentence."""
    if view.contest.state is ContestState.OPEN:
        return say.plural("{n} player has joined.", "{n} players have joined.", len(view.present))
    if view.contest.state is ContestState.CANCELLED:
        return say("It was called off.")
    return format_progress(say, view)


def format_round_title(say: Reader, number: int, bracket: Bracket | None) -> str:
    """Name a round, counted from 1, by its place in a knock-out's `bracket` if there is one."""
    if bracket is None or number > len(bracket.rounds):
        return say("Round {n}", n=number)
    return format_round(say, bracket, number)


def format_pairing_result(say: Reader, pairing: Pairing) -> str:
    """Tell what came of two people's match, in a word or two."""
    result = pairing.result
    if not result.is_over:
        return say("in progress")
    if result.is_draw:
        # Translators: the result of a match.
        return say("drawn")
    if not result.is_win:
        return say("nobody won")
    winner = mention_people(say, [result.winner or 0])
    if pairing.how == FORFEITED:
        return say("{who} won by forfeit", who=winner)
    return say("{who} won", who=winner)


def format_match_title(say: Reader, match: PastMatch) -> str:
    """Name a match by its game and its number."""
    game = format_title(say, find_game(match.row.game, match.row.edition))
    return say("{game}, match {number}", game=game, number=match.row.id)


def format_match_sides(say: Reader, match: PastMatch) -> str:
    """Tell who played against whom."""
    gold, black = (mention_people(say, match.list_players(side)) for side in Side)
    return say("{gold} against {black}", gold=gold, black=black)


def format_match_result(say: Reader, match: PastMatch) -> str:
    """Tell in one line who has won a match, and how it ended."""
    outcome = match.outcome
    people = {side: mention_people(say, match.list_players(side)) for side in Side}
    game = find_game(match.row.game, match.row.edition)
    how = format_ending(say, game, outcome, people)
    if outcome.is_void:
        return say("It doesn't count: {how}.", how=how)
    if outcome.winner is None:
        return capitalise_first(f"{how}.")
    return say("{who} won: {how}.", who=people[outcome.winner], how=how)
