"""Ratings: Plackett-Luce after Weng and Lin, with teams and ties, by the library openskill.

A rating is a belief about strength: a mean and an uncertainty. People see one number, 1000 for a
newcomer, that rises both with strength and with certainty. Rows are kept per game and over all
games, for each server and everywhere, of all time and for each season.

Each quarter is a season. Its ratings are rows like all others, on a board whose scope names the
season. Somebody's first match of a season starts from their rating in an earlier one, about which
less is certain by now; nothing has to be done when a season begins or ends.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import product
from math import sqrt
from typing import NamedTuple

from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

from bot.features.matches import rows
from bot.features.matches.jobs import ENDING_COMPLETIONS
from bot.features.matches.rows import Leaderboard, RatingRow, SkillEstimate
from bot.features.matches.session import MatchSession, find_computer_level
from bot.features.ratings.tables import Result, Teams, find_day
from bot.platform.i18n.reader import UnknownControlError
from engine.clock import DAY
from engine.games import GAMES
from engine.players.level import Level
from engine.position import Side

QUARTERS = 4


REMEMBERED = QUARTERS
"""Seasons after which somebody who has not played starts as a newcomer: a year."""
WIDENING = 10 / 3
"""The uncertainty that each season adds, as the root of what is added to its square.

Glickman's way to choose it is to say when a settled rating is worth no more than none: here after a
year. From an uncertainty of 5, below which a rating is certain, four seasons lead to the 25/3 of a
newcomer: 25 + 4 (10/3)^2 = (25/3)^2.
"""
MAX_UNCERTAIN = 25 / 3
"""The uncertainty of a newcomer, the greatest there is."""

_IN = "@"
"""Between a scope and a season in the name of a season's scope."""
_WRITTEN = re.compile(r"(?P<year>[0-9]{4})-?[Qq](?P<quarter>[1-4])")


class Season(NamedTuple):
    """A quarter of a year, in UTC."""

    year: int
    quarter: int

    def __str__(self) -> str:
        return f"{self.year}-Q{self.quarter}"

    def shift(self, seasons: int) -> "Season":
        """Return the season that comes so many after this one."""
        year, quarter = divmod(self.year * QUARTERS + self.quarter - 1 + seasons, QUARTERS)
        return Season(year, quarter + 1)


def find_season(instant: int) -> Season:
    """Return the season in which an instant lies."""
    at = datetime.fromtimestamp(instant / 1000, UTC)
    return Season(at.year, (at.month + 2) // 3)


def list_seasons(first: int, last: int) -> Iterator[Season]:
    """Yield the seasons from the one in which an instant lies to that of another."""
    season, end = find_season(first), find_season(last)
    while season <= end:
        yield season
        season = season.shift(1)


def parse_season(text: str) -> Season | None:
    """Return the season that a text names; None if it names none."""
    found = _WRITTEN.fullmatch(text.strip())
    return Season(int(found["year"]), int(found["quarter"])) if found else None


def build_season_scope(scope: str, season: Season | None) -> str:
    """Return the scope of a season's boards; without a season, that of all time."""
    return f"{scope}{_IN}{season}" if season else scope


def split_scope(scope: str) -> tuple[str, Season | None]:
    """Return the scope of all time to which a scope belongs, and its season, if it is of one."""
    base, _, season = scope.partition(_IN)
    return base, parse_season(season)


def get_board_order(board: Leaderboard) -> tuple[int, ...]:
    """Return what sorts the boards of each season before those that start from them."""
    _, season = split_scope(board.scope)
    return tuple(season or ())


def is_later_season(board: Leaderboard, other: Leaderboard) -> bool:
    """Whether a board is of a later season than another of the same people and games."""
    (base, season), (other_base, other_season) = split_scope(board.scope), split_scope(other.scope)
    if season is None or other_season is None or season <= other_season:
        return False
    return (base, board.pool) == (other_base, other.pool)


def list_earlier_boards(board: Leaderboard) -> tuple[Leaderboard, ...]:
    """Return the boards from which ratings are carried over to a board, the latest first."""
    base, season = split_scope(board.scope)
    if season is None:
        return ()
    return tuple(
        Leaderboard(build_season_scope(base, season.shift(-back)), board.pool)
        for back in range(1, REMEMBERED + 1)
    )


def carry_over(
    board: Leaderboard, earlier: Mapping[Leaderboard, SkillEstimate]
) -> rows.SkillValue | None:
    """Return what somebody starts from on a board, by their ratings on those before.

    None for a newcomer.
    """
    for seasons, before in enumerate(list_earlier_boards(board), 1):
        if found := earlier.get(before):
            wider = sqrt(found.sigma**2 + seasons * WIDENING**2)
            return rows.SkillValue(found.mu, min(wider, MAX_UNCERTAIN))
    return None


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

Rows = Mapping[rows.RatingKey, RatingRow]


def build_server_scope(guild: int) -> str:
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


def build_pool_name(game: str, level: Level | None) -> str:
    """Return the pool of a game, or of all games: between people, or against one computer level."""
    return game if level is None else f"{game}{_AGAINST}{level}"


def parse_pool_name(pool: str) -> tuple[str, Level | None]:
    """Return the game of a pool, or all games, and the level at which the computer plays in it."""
    game, against, level = pool.partition(_AGAINST)
    return game, Level(level) if against else None


def list_boards(row: rows.MatchRow, ended: int) -> tuple[Leaderboard, ...]:
    """Return every leaderboard on which a match counts that ended then.

    Each computer level has its own, and each season for matches of the edition that brought them.
    """
    seasons = (None, find_season(ended)) if row.rating_edition > 1 else (None,)
    return tuple(board for season in seasons for board in _list_season_boards(row, season))


def list_boards_to_rerate(row: rows.MatchRow, now: int) -> tuple[Leaderboard, ...]:
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


def _list_season_boards(row: rows.MatchRow, season: Season | None) -> Iterator[Leaderboard]:
    """Yield the leaderboards of a season, or of all time, on which a match may count."""
    level = find_computer_level(row)
    pools = (build_pool_name(row.game, level), build_pool_name(ALL_GAMES, level))
    for scope, pool in product((build_server_scope(row.guild), EVERYWHERE), pools):
        yield Leaderboard(build_season_scope(scope, season), pool)


def build_result(session: MatchSession, winner: Side | None, now: int) -> Result:
    """Return the result of a match that ends so, for those who began it; None is a draw."""
    # Not those who sit there now: a lost match cannot be handed to a substitute.
    people = {side.value: session.list_original_players(side) for side in Side}
    # The computer is nobody's accomplice, and has leaderboards of its own.
    is_limited = session.row.rating_edition > 1 and find_computer_level(session.row) is None
    return Result(
        session.id,
        now,
        winner.value if winner else rows.DRAW,
        list_boards(session.row, now),
        people,
        find_day(now) if is_limited else None,
    )


@ENDING_COMPLETIONS.add()
def add_rating(session: MatchSession, ending: rows.EndingUpdate, now: int) -> rows.EndingUpdate:
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


def rate_result(result: Result, before: Rows) -> dict[rows.RatingKey, RatingRow]:
    """Turn the rows before a result into the rows after it."""
    after: dict[rows.RatingKey, RatingRow] = {}
    for board in result.boards:
        teams = {
            side: [
                before.get(rows.RatingKey(*board, person), _build_newcomer(result.ended))
                for person in team
            ]
            for side, team in result.people.items()
        }
        news = compute_strengths(teams, result.winner)
        for side, team in result.people.items():
            for person, row, new in zip(team, teams[side], news[side], strict=True):
                counts = _count_result(side, result.winner)
                after[rows.RatingKey(*board, person)] = _update_row(row, new, counts, result.ended)
    return after


def compute_strengths(teams: Teams, winner: str) -> dict[str, Sequence[SkillEstimate]]:
    """Return the strengths of both sides' people after a result: a side's win, or a draw."""
    before = [[_to_openskill(strength) for strength in team] for team in teams.values()]
    # The lower rank wins, and equal ranks are a tie.
    ranks = [0.0 if winner in (side, rows.DRAW) else 1.0 for side in teams]
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
    if winner == rows.DRAW:
        return 0, 1, 0
    return (1, 0, 0) if winner == side else (0, 0, 1)


def _build_newcomer(now: int) -> RatingRow:
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
        raise UnknownControlError from None
    if game != ALL_GAMES and game not in GAMES:
        raise UnknownControlError
    return text
