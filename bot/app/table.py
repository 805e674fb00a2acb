"""A match with the people who play it."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.app.errors import Declined
from bot.app.people import joined
from bot.store import MatchRow
from engine import dice
from engine.match import Match, Phase
from engine.position import Side


@dataclass(frozen=True, slots=True)
class Table:
    """A match as stored and as the engine sees it, and the names of those who sit at it."""

    row: MatchRow
    match: Match
    names: Mapping[int, str]

    @property
    def id(self) -> int:
        """The match's number, which people see."""
        return self.row.id

    def seated(self, side: Side) -> tuple[int, ...]:
        """The people of one side in the order of their turns; the roll battle may have made them change sides."""
        sat = side.other if self.match.swapped else side
        return tuple(seat.person for seat in sorted(self.row.seats, key=lambda seat: seat.number) if seat.side == sat)

    def sides_of(self, person: int) -> tuple[Side, ...]:
        """The side a person plays on, or nothing for an onlooker."""
        return tuple(side for side in Side if person in self.seated(side))

    @property
    def seats(self) -> Mapping[int, Side]:
        """The side of everyone who plays."""
        return {person: side for side in Side for person in self.seated(side)}

    def at(self, side: Side, number: int) -> int:
        """The person in that seat."""
        return self.seated(side)[number]

    @property
    def to_act(self) -> int:
        """The person who acts now."""
        return self.at(*self.match.acting)

    @property
    def to_take_back(self) -> int | None:
        """The person who may take back the last decision, if anyone may."""
        before = self.match.before
        return self.at(*before.acting) if before and self.match.may_take_back() else None

    def side_names(self, side: Side) -> str:
        """The names of one side's people, joined in words."""
        return joined([self.names[person] for person in self.seated(side)])

    def throw(self, extra: int = 0) -> tuple[int, ...]:
        """The next throw, or the one after it with `extra` 1: settled when the match began, and drawn only now."""
        number = self.match.drawn + extra
        return dice.throw(self.row.secret, str(self.id), contributions(self.row), number, self.match.due_dice)


def contributions(row: MatchRow) -> tuple[str, ...]:
    """What each player gave to the dice, as they sat down: gold's first, each side's in the order of its turns."""
    return tuple(seat.contribution for side in Side for seat in row.seats if seat.side == side)


def require_known(table: Table, guild: int, person: int) -> None:
    """Raise Declined unless the match is of that server, or the person plays in it."""
    if table.row.guild != guild and not table.sides_of(person):
        raise Declined(f"Match {table.id} is played in another server.")


def require_running(table: Table) -> None:
    """Raise Declined if the match is over."""
    if table.match.phase is Phase.OVER:
        raise Declined(f"Match {table.id} is over.")


def require_turn(table: Table, person: int) -> None:
    """Raise Declined unless it is that person's turn in a running match."""
    require_running(table)
    if not table.sides_of(person):
        raise Declined(f"You do not play in match {table.id}.")
    if table.to_act != person:
        raise Declined(f"It is {table.names[table.to_act]}'s turn in match {table.id}.")
