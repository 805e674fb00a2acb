"""Ratings: Plackett-Luce after Weng and Lin, with teams and ties, by the library openskill.

A rating is a belief about strength: a mean and an uncertainty. People see one number, 1000 for a
newcomer, that rises both with strength and with certainty. Rows are kept per game and over all
games, for each server and everywhere.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from bot.app.sitting import Sitting, level_in
from bot.store import Board, MatchRow, RatingKey, RatingRow, Result, Strength, Teams
from engine.players.level import Level
from engine.position import Side

EVERYWHERE = "everywhere"
ALL_GAMES = "all"
DRAW = "draw"
"""The result that is neither side's."""
ENOUGH_GAMES = 5
"""Games after which someone has a rank."""
CERTAIN_BELOW = 5.0
"""The uncertainty below which a rating stands without a question mark."""

_AGAINST = "@"
"""Between a game and a level of the computer's in the name of a pool."""

_MODEL = PlackettLuce()
_NEWCOMER = 1000
_SCALE = 40

Rows = Mapping[RatingKey, RatingRow]


def server(guild: int) -> str:
    """Return the scope of one server."""
    return f"server:{guild}"


def shown(row: Strength) -> int:
    """Return the number that people see."""
    return shown_at(row.mu, row.sigma)


def shown_at(mu: float, sigma: float) -> int:
    """Return the number that people see for a mean and an uncertainty."""
    return round(_NEWCOMER + _SCALE * (mu - 3 * sigma))


def certain(row: Strength) -> bool:
    """Whether a rating rests on enough to stand without a question mark."""
    return row.sigma < CERTAIN_BELOW


def pool(game: str, level: Level | None) -> str:
    """Return the pool of a game, or of all games: between people, or against one computer level."""
    return game if level is None else f"{game}{_AGAINST}{level}"


def of_pool(pool: str) -> tuple[str, Level | None]:
    """Return the game of a pool, or all games, and the level at which the computer plays in it."""
    game, against, level = pool.partition(_AGAINST)
    return game, Level(level) if against else None


def boards(row: MatchRow) -> tuple[Board, ...]:
    """Return every leaderboard on which a match counts; each computer level has its own."""
    level = level_in(row)
    scopes = (server(row.guild), EVERYWHERE)
    pools = (pool(row.game, level), pool(ALL_GAMES, level))
    return tuple(Board(*board) for board in product(scopes, pools))


def result(sitting: Sitting, winner: Side | None, now: int) -> Result:
    """Return the result of a match that ends so, for those who began it; None is a draw."""
    people = {side.value: sitting.began(side) for side in Side}
    return Result(sitting.id, now, winner.value if winner else DRAW, boards(sitting.row), people)


def rate(result: Result, before: Rows) -> dict[RatingKey, RatingRow]:
    """Turn the rows before a result into the rows after it."""
    after: dict[RatingKey, RatingRow] = {}
    for board in result.boards:
        teams = {
            side: [
                before.get(RatingKey(*board, person), _newcomer(result.ended)) for person in team
            ]
            for side, team in result.people.items()
        }
        news = strengths(teams, result.winner)
        for side, team in result.people.items():
            for person, row, new in zip(team, teams[side], news[side], strict=True):
                counts = _counts(side, result.winner)
                after[RatingKey(*board, person)] = _counted(row, new, counts, result.ended)
    return after


def strengths(teams: Teams, winner: str) -> dict[str, Sequence[Strength]]:
    """Return the strengths of both sides' people after a result: a side's win, or a draw."""
    before = [[_believed(strength) for strength in team] for team in teams.values()]
    ranks = [0.0 if winner in (side, DRAW) else 1.0 for side in teams]
    return dict(zip(teams, _MODEL.rate(before, ranks=ranks), strict=True))


def _believed(strength: Strength | None) -> PlackettLuceRating:
    return (
        _MODEL.rating() if strength is None else _MODEL.rating(mu=strength.mu, sigma=strength.sigma)
    )


def _counts(side: str, winner: str) -> tuple[int, int, int]:
    """Return how many games a side won, drew and lost by a result."""
    if winner == DRAW:
        return 0, 1, 0
    return (1, 0, 0) if winner == side else (0, 0, 1)


def _newcomer(now: int) -> RatingRow:
    fresh = _MODEL.rating()
    return RatingRow(mu=fresh.mu, sigma=fresh.sigma, games=0, won=0, drawn=0, lost=0, updated=now)


def _counted(row: RatingRow, new: Strength, counts: tuple[int, int, int], now: int) -> RatingRow:
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
