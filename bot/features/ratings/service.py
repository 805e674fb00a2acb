"""Ratings: Plackett-Luce after Weng and Lin, with teams and ties, by the library openskill.

A rating is a belief about strength: a mean and an uncertainty. People see one number, 1000 for a
newcomer, that rises both with strength and with certainty. Rows are kept per game and over all
games, for each server and everywhere, of all time and for each season.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from bot.features.matches.ending_updates import ENDING_COMPLETIONS
from bot.features.matches.session import MatchSession, find_computer_level
from bot.features.ratings.daily_limit import find_day
from bot.features.ratings.seasons import Season, find_season, make_season_scope, split_scope
from bot.platform.errors import DeclinedError, DeclineReason
from bot.store import (
    DRAW,
    EndingUpdate,
    Leaderboard,
    MatchRow,
    RatingKey,
    RatingRow,
    Result,
    SkillEstimate,
    Teams,
)
from engine.clock import DAY
from engine.games import GAMES
from engine.players.level import Level
from engine.position import Side

EVERYWHERE = "everywhere"
ALL_GAMES = "all"
ENOUGH_GAMES = 5
"""Games after which someone has a rank."""
CERTAIN_BELOW = 5.0
"""The uncertainty below which a rating stands without a question mark."""

_AGAINST = "@"
"""Between a game and a level of the computer's in the name of a pool."""

_MODEL = PlackettLuce()
# The model begins with mean 25 and uncertainty 25/3, so mean minus three of these is nought and a
# newcomer has exactly this number.
_NEWCOMER = 1000
_SCALE = 40

Rows = Mapping[RatingKey, RatingRow]


def make_server_scope(guild: int) -> str:
    """Return the scope of one server."""
    return f"server:{guild}"


def is_everywhere(scope: str) -> bool:
    """Whether a scope is all servers together, of all time or of a season."""
    return split_scope(scope)[0] == EVERYWHERE


def get_display_rating(row: SkillEstimate) -> int:
    """Return the number that people see."""
    return compute_display_rating(row.mu, row.sigma)


def compute_display_rating(mu: float, sigma: float) -> int:
    """Return the number that people see for a mean and an uncertainty."""
    # Three uncertainties below the mean, so that a few lucky wins put nobody at the top.
    return round(_NEWCOMER + _SCALE * (mu - 3 * sigma))


def get_newcomer() -> SkillEstimate:
    """Return what is believed of somebody before their first match."""
    return _MODEL.rating()


def compute_display_parts(row: SkillEstimate) -> tuple[int, int]:
    """Return strength and uncertainty, in points; the first less three of the second is shown."""
    return round(_NEWCOMER + _SCALE * row.mu), round(_SCALE * row.sigma)


def is_certain(row: SkillEstimate) -> bool:
    """Whether a rating rests on enough to stand without a question mark."""
    return row.sigma < CERTAIN_BELOW


def make_pool_name(game: str, level: Level | None) -> str:
    """Return the pool of a game, or of all games: between people, or against one computer level."""
    return game if level is None else f"{game}{_AGAINST}{level}"


def parse_pool_name(pool: str) -> tuple[str, Level | None]:
    """Return the game of a pool, or all games, and the level at which the computer plays in it."""
    game, against, level = pool.partition(_AGAINST)
    return game, Level(level) if against else None


def list_boards(row: MatchRow, ended: int) -> tuple[Leaderboard, ...]:
    """Return every leaderboard on which a match counts that ended then.

    Each computer level has its own, and each season for matches of the edition that brought them.
    """
    seasons = (None, find_season(ended)) if row.rating_edition > 1 else (None,)
    return tuple(board for season in seasons for board in _list_season_boards(row, season))


def list_boards_to_rerate(row: MatchRow, now: int) -> tuple[Leaderboard, ...]:
    """Return every leaderboard that changes until now when a match that is over is annulled.

    Those of later seasons start from its own, and come after them.
    """
    assert row.ended is not None
    boards = [*list_boards(row, row.ended)]
    if row.rating_edition > 1:
        season = find_season(row.ended)
        # A season may begin while the others are rated, which takes seconds.
        while (season := season.shift(1)) <= find_season(now + DAY):
            boards += _list_season_boards(row, season)
    return tuple(boards)


def _list_season_boards(row: MatchRow, season: Season | None) -> Iterator[Leaderboard]:
    """Yield the leaderboards of a season, or of all time, on which a match may count."""
    level = find_computer_level(row)
    pools = (make_pool_name(row.game, level), make_pool_name(ALL_GAMES, level))
    for scope, pool in product((make_server_scope(row.guild), EVERYWHERE), pools):
        yield Leaderboard(make_season_scope(scope, season), pool)


def build_result(session: MatchSession, winner: Side | None, now: int) -> Result:
    """Return the result of a match that ends so, for those who began it; None is a draw."""
    # Not those who sit there now: a lost match cannot be handed to a substitute.
    people = {side.value: session.list_original_players(side) for side in Side}
    # The computer is nobody's accomplice, and has leaderboards of its own.
    is_limited = session.row.rating_edition > 1 and find_computer_level(session.row) is None
    return Result(
        session.id,
        now,
        winner.value if winner else DRAW,
        list_boards(session.row, now),
        people,
        find_day(now) if is_limited else None,
    )


@ENDING_COMPLETIONS.add()
def add_rating(session: MatchSession, ending: EndingUpdate, now: int) -> EndingUpdate:
    """Let the end of a rated match change the ratings of those who began it."""
    outcome = session.match.outcome
    assert outcome is not None
    result = build_result(session, outcome.winner, now)
    return replace(
        ending,
        rate=partial(rate_result, result),
        keys=result.rating_keys,
        sides=result.sides,
        day=result.day,
    )


def rate_result(result: Result, before: Rows) -> dict[RatingKey, RatingRow]:
    """Turn the rows before a result into the rows after it."""
    after: dict[RatingKey, RatingRow] = {}
    for board in result.boards:
        teams = {
            side: [
                before.get(RatingKey(*board, person), _create_newcomer(result.ended))
                for person in team
            ]
            for side, team in result.people.items()
        }
        news = compute_strengths(teams, result.winner)
        for side, team in result.people.items():
            for person, row, new in zip(team, teams[side], news[side], strict=True):
                counts = _count_result(side, result.winner)
                after[RatingKey(*board, person)] = _update_row(row, new, counts, result.ended)
    return after


def compute_strengths(teams: Teams, winner: str) -> dict[str, Sequence[SkillEstimate]]:
    """Return the strengths of both sides' people after a result: a side's win, or a draw."""
    before = [[_to_openskill(strength) for strength in team] for team in teams.values()]
    # The lower rank wins, and equal ranks are a tie.
    ranks = [0.0 if winner in (side, DRAW) else 1.0 for side in teams]
    return dict(zip(teams, _MODEL.rate(before, ranks=ranks), strict=True))


def compute_win_chance(teams: Teams, side: str) -> float:
    """Return the chance, from 0 to 1, that the model gives a side before a match."""
    strengths = [[_to_openskill(strength) for strength in team] for team in teams.values()]
    return dict(zip(teams, _MODEL.predict_win(strengths), strict=True))[side]


def _to_openskill(strength: SkillEstimate | None) -> PlackettLuceRating:
    return (
        _MODEL.rating() if strength is None else _MODEL.rating(mu=strength.mu, sigma=strength.sigma)
    )


def _count_result(side: str, winner: str) -> tuple[int, int, int]:
    """Return how many games a side won, drew and lost by a result."""
    if winner == DRAW:
        return 0, 1, 0
    return (1, 0, 0) if winner == side else (0, 0, 1)


def _create_newcomer(now: int) -> RatingRow:
    fresh = _MODEL.rating()
    return RatingRow(mu=fresh.mu, sigma=fresh.sigma, games=0, won=0, drawn=0, lost=0, updated=now)


def _update_row(
    row: RatingRow, new: SkillEstimate, counts: tuple[int, int, int], now: int
) -> RatingRow:
    won, drawn, lost = counts
    return RatingRow(
        mu=new.mu,
        sigma=new.sigma,
        games=row.games + 1,
        won=row.won + won,
        drawn=row.drawn + drawn,
        lost=row.lost + lost,
        # Of matches that end at the same time the later may be stored first.
        updated=max(row.updated, now),
    )


def require_pool(text: str) -> str:
    """Return the pool of a leaderboard that a part of an id is."""
    try:
        game, _ = parse_pool_name(text)
    except ValueError:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL) from None
    if game != ALL_GAMES and game not in GAMES:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return text
