"""A few matches of a board rated again, inside a transaction."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Row, bindparam, select, tuple_, update

from bot.features.ratings.daily_limit import has_reached_limit
from bot.features.ratings.seasons import carry_over, list_earlier_boards
from bot.platform.db.rating_rows import (
    Leaderboard,
    Rerate,
    SkillValue,
    make_change,
)
from bot.platform.db.statements import on_board
from bot.platform.db.tables import matches, rating_changes, ratings

PAGE = 20
"""Matches that are rated in a transaction: a few milliseconds."""

_MAX_MATCHES_A_STATEMENT = 500
"""Matches that are asked for in one statement, whose parameters databases limit."""

ChangeRow: TypeAlias = Row[*tuple[Any, ...]]
SkillValues: TypeAlias = Mapping[int, SkillValue]
EndOrder: TypeAlias = tuple[int, int]
"""The place of a match among those that ended: by its end and its id."""


class RerateConflictError(Exception):
    """Somebody else has changed the values from which this was computed."""


class LatestSkill(NamedTuple):
    """What somebody is believed to be after a match, the last of theirs so far."""

    match: int
    belief: SkillValue


class Meeting(NamedTuple):
    """A match that the daily limit counts: its day and game, and on which side everyone played."""

    day: int
    game: str
    sides: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class RerateProgress:
    """How far a board is rated again, and everyone's rating on it at that point.

    `met` are the matches of that day that the daily limit counts.
    """

    place: EndOrder
    known: Mapping[int, LatestSkill]
    met: Sequence[Meeting] = ()

    @property
    def skill_values(self) -> SkillValues:
        """What everyone is believed to be."""
        return {person: known.belief for person, known in self.known.items()}


def rerate_page(
    connection: Connection,
    board: Leaderboard,
    reckoned: RerateProgress,
    rerate: Rerate,
    until: int | None,
) -> RerateProgress | None:
    """Rate the next few matches again inside a transaction; None if there are none.

    Those are matches that ended until then.
    """
    here = (
        select(rating_changes.c.match)
        .where(on_board(rating_changes, board), rating_changes.c.match == matches.c.id)
        .exists()
    )
    # By end and id, since several matches may end in the same millisecond.
    query = select(matches.c.id, matches.c.ended).where(
        tuple_(matches.c.ended, matches.c.id) > tuple_(*reckoned.place), here
    )
    if until is not None:
        query = query.where(matches.c.ended <= until)
    found = connection.execute(query.order_by(matches.c.ended, matches.c.id).limit(PAGE)).all()
    if not found:
        return None
    page = list(_load_changes(connection, board, [row.id for row in found]))
    require_no_conflict(connection, board, reckoned, {row.person for rows in page for row in rows})
    known, met = _rerate_matches(connection, board, page, reckoned, rerate)
    return RerateProgress((found[-1].ended, found[-1].id), known, met)


def _load_changes(
    connection: Connection, board: Leaderboard, numbers: Sequence[int]
) -> Iterator[Sequence[ChangeRow]]:
    query = (
        select(rating_changes, matches.c.winner, matches.c.game)
        .join(matches)
        .where(on_board(rating_changes, board), rating_changes.c.match.in_(numbers))
        .order_by(matches.c.ended, matches.c.id, rating_changes.c.person)
    )
    found = connection.execute(query).all()
    return (list(rows) for _, rows in groupby(found, key=attrgetter("match")))


def require_no_conflict(
    connection: Connection, board: Leaderboard, reckoned: RerateProgress, people: set[int]
) -> None:
    """Raise RerateConflictError unless those people have the same ratings in the database."""
    known = {person: reckoned.known[person] for person in people if person in reckoned.known}
    numbers = sorted({last.match for last in known.values()})
    change = rating_changes.c
    said: dict[tuple[int, int], SkillValue] = {}
    for at in range(0, len(numbers), _MAX_MATCHES_A_STATEMENT):
        # By the matches alone: with people in the condition, SQLite would scan all of the board.
        query = select(change.match, change.person, change.after_mu, change.after_sigma).where(
            on_board(rating_changes, board),
            change.match.in_(numbers[at : at + _MAX_MATCHES_A_STATEMENT]),
        )
        said |= {
            (row.match, row.person): SkillValue(row.after_mu, row.after_sigma)
            for row in connection.execute(query)
        }
    if any(said.get((last.match, person)) != last.belief for person, last in known.items()):
        raise RerateConflictError


def _rerate_matches(
    connection: Connection,
    board: Leaderboard,
    page: Sequence[Sequence[ChangeRow]],
    reckoned: RerateProgress,
    rerate: Rerate,
) -> tuple[Mapping[int, LatestSkill], Sequence[Meeting]]:
    """Rate some matches from the given ratings.

    Returns the people's ratings after them, and the matches of their last day that the daily limit
    counts.
    """
    known, met = dict(reckoned.known), list(reckoned.met)
    people = {row.person for rows in page for row in rows}
    carried = load_carried_over(connection, board, people - known.keys())
    otherwise = []
    for rows in page:
        before = {
            person: known[person].belief if person in known else carried[person]
            for person in (row.person for row in rows)
            if person in known or person in carried
        }
        is_limited = False
        if rows[0].day is not None:
            meeting = make_meeting(rows[0].day, rows)
            met = [each for each in met if each.day == meeting.day]
            same_game = (each.sides for each in met if each.game == meeting.game)
            is_limited = has_reached_limit(same_game, meeting.sides)
            met.append(meeting)
        changes = [make_change(dict(row._mapping)) for row in rows]  # noqa: SLF001 - public
        if all(
            change.before == before.get(change.key.person) and change.is_still == is_limited
            for change in changes
        ):
            # Nothing before this match has changed, so neither has its result: no row is written.
            known |= {
                row.person: LatestSkill(row.match, SkillValue(row.after_mu, row.after_sigma))
                for row in rows
            }
            continue
        found = before if is_limited else _rerate_match(rows, before, rerate)
        otherwise += [
            _make_change_row(row, before.get(row.person), found[row.person]) for row in rows
        ]
        known |= {row.person: LatestSkill(row.match, found[row.person]) for row in rows}
    if otherwise:
        change = rating_changes.c
        key = (change.match == bindparam("of_match"), change.person == bindparam("of_person"))
        connection.execute(
            update(rating_changes).where(on_board(rating_changes, board), *key), otherwise
        )
    return known, met


def _rerate_match(rows: Sequence[ChangeRow], beliefs: SkillValues, rerate: Rerate) -> SkillValues:
    people = {side: [row.person for row in rows if row.side == side] for side in ("gold", "black")}
    teams = {side: [beliefs.get(person) for person in team] for side, team in people.items()}
    found = rerate(teams, rows[0].winner)
    return {
        person: SkillValue(after.mu, after.sigma)
        for side, team in people.items()
        for person, after in zip(team, found[side], strict=True)
    }


def _make_change_row(
    row: ChangeRow, before: SkillValue | None, after: SkillValue
) -> dict[str, Any]:
    return {
        "of_match": row.match,
        "of_person": row.person,
        "before_mu": before and before.mu,
        "before_sigma": before and before.sigma,
        "after_mu": after.mu,
        "after_sigma": after.sigma,
    }


def make_meeting(day: int, rows: Sequence[ChangeRow]) -> Meeting:
    """Return what the daily limit needs to know of a match, by its rows on a board."""
    return Meeting(day, rows[0].game, {row.person: row.side for row in rows})


def load_carried_over(
    connection: Connection, board: Leaderboard, people: Collection[int] | None = None
) -> SkillValues:
    """Return what people, or all (None), start from on a season's board, by earlier seasons."""
    earlier = list_earlier_boards(board)
    if not earlier or (people is not None and not people):
        return {}
    scopes = [each.scope for each in earlier]
    query = select(ratings.c.scope, ratings.c.person, ratings.c.mu, ratings.c.sigma).where(
        ratings.c.scope.in_(scopes), ratings.c.pool == board.pool
    )
    if people is not None:
        query = query.where(ratings.c.person.in_(people))
    found: dict[int, dict[Leaderboard, SkillValue]] = defaultdict(dict)
    for scope, person, mu, sigma in connection.execute(query):
        found[person][Leaderboard(scope, board.pool)] = SkillValue(mu, sigma)
    carried = {person: carry_over(board, before) for person, before in found.items()}
    return {person: belief for person, belief in carried.items() if belief}
