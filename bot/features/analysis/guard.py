"""What nobody is advised on: positions of running matches that are played without hints.

A position counts as one of a match while it can still come up in the turn: as it was thrown, after
any part of a play, and after what is left to the other side. Boards are compared, and not what is
said about them: not the game, its house rules, the throw, the side or the end from which the board
is seen. A board on which one man of each side stands elsewhere is the same one too, because the
advice would be. Where nobody chooses the position, as in a hint, only just the same board counts,
with the same numbers to be played: most matches begin alike.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Self, TypeAlias

from bot.features.analysis.store import HintConsents
from bot.features.matches.loading import load_running_sessions
from bot.features.matches.rows import MatchRow
from bot.features.matches.store import Matches
from bot.platform.context import App
from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.people import COMPUTERS
from engine.events import Chosen
from engine.games import find_game
from engine.match import DECISION_PHASES, PLAY_PHASES, SIX, Match, Phase
from engine.plays import Duty, list_legal_plays
from engine.position import Position, Side
from engine.position_text import parse_position
from engine.rules import Rules

MAX_CACHED = 4096
"""What is computed of one side's men, which mostly stay as they are while the other plays."""
MAX_STRAYS = 1
"""Men of each side that stand elsewhere on a board which is still taken for the same."""

Placed: TypeAlias = tuple[int, ...]
"""The men of one side in the order in which a view goes through the board; those waiting first."""
View: TypeAlias = tuple[Placed, Placed]
"""Both sides' men, seen in one way."""


class PositionInPlayError(DeclinedError):
    match: int
    sentence = mark_text(
        "This is, or nearly is, a position of match {match}, which is played without hints. "
        "Ask again when that match is over."
    )


async def require_free_position(app: App, person: int, *asked: Match, exact: bool = False) -> None:
    """Raise DeclinedError if a position is one of a match that somebody plays without hints.

    An `exact` one has the same board and numbers to play.
    """
    for session in await load_running_sessions(app, person):
        if await is_hint_given(app, session.row):
            continue
        for each in asked:
            if await asyncio.to_thread(can_come_up, each, session.match, exact=exact):
                raise PositionInPlayError(session.id)


async def require_free_in_server(app: App, guild: int, match: Match) -> None:
    """Raise DeclinedError for a position on which somebody without hints decides in a server now.

    What is shown in a channel reaches those who play.
    """
    rows = await app.store.get(Matches).load_running_in_server(guild)
    for number in await asyncio.to_thread(_find_matches, match, rows):
        if not await is_hint_given(app, rows[number]):
            raise PositionInPlayError(rows[number].id)


async def is_hint_given(app: App, row: MatchRow) -> bool:
    """Whether those who play a match get hints in it."""
    if row.rated:
        return False
    return not list_missing_consents(row, await load_consents(app, row))


def list_missing_consents(row: MatchRow, allowed: frozenset[int]) -> Sequence[int]:
    """Return those who play and have not allowed hints; whoever plays alone asks nobody."""
    people = _list_people(row)
    return [] if len(people) == 1 else [each for each in people if each not in allowed]


async def load_consents(app: App, row: MatchRow) -> frozenset[int]:
    """Return those who allow hints in a match."""
    # Alone with the computer there is nobody to ask, so nothing is stored and nothing read.
    return (
        frozenset()
        if len(_list_people(row)) == 1
        else await app.store.get(HintConsents).load_people(row.id)
    )


def _list_people(row: MatchRow) -> Sequence[int]:
    return [seat.person for seat in row.seats if seat.person not in COMPUTERS]


def _find_matches(match: Match, rows: Sequence[MatchRow]) -> list[int]:
    """Return the places of the rows in whose matches a position can come up by what waits there."""
    return [
        number
        for number, row in enumerate(rows)
        if row.snapshot
        and row.snapshot["phase"] in DECISION_PHASES
        and can_come_up(match, _read_standing(row), exact=True)
    ]


def _read_standing(row: MatchRow) -> Match:
    """Return a match as its row says that it stands, without its past: that takes no replay."""
    game = find_game(row.game, row.edition)
    rules = game.resolve_rules(row.options)
    position = parse_position(row.snapshot["position"], rules)
    phase = Phase(row.snapshot["phase"])
    if phase not in PLAY_PHASES:
        # What is chosen from is not kept there, and men rarely move by it.
        phase = Phase.THROW
    return Match(game=game, options=row.options, rules=rules, position=position, phase=phase)


def can_come_up(match: Match, running: Match, *, exact: bool = False) -> bool:
    """Whether a position can come up, or came up, in the turn that a match is in.

    An `exact` one has the same board and numbers to play.
    """
    board = _AskedBoard.build(match.rules, match.position, 0 if exact else MAX_STRAYS)
    return any(
        board.is_near(rules, position)
        for start in _list_starts(running)
        for rules, position in _walk_turn(start, board)
        if not exact or position.dice == match.position.dice
    )


def _list_starts(match: Match) -> list[Match]:
    """Return the match as it stands, and as it stood after the throw that can be taken back to."""
    first = match
    while first.before is not None:
        first = first.before
    return [match] if first is match else [first, match]


@dataclass(frozen=True, slots=True)
class _AskedBoard:
    """The board of a position that somebody asks about, by all ways in which it can be seen.

    It is taken for another on which so many men of each side stand elsewhere. `along` follows the
    ways of the men, whatever board they are on; `flat` is the board as it lies.
    """

    along: Sequence[View]
    flat: Sequence[View]
    strays: int

    @classmethod
    def build(cls, rules: Rules, position: Position, strays: int) -> Self:
        """Return the board of a position."""
        gold, black = (_list_along(rules, side, position.men(side)) for side in Side)
        flat = zip(*(_list_flat(rules, position.men(side)) for side in Side), strict=True)
        return cls(
            [(gold, black), (black, gold)],
            [each for one, other in flat for each in ((one, other), (other, one))],
            strays,
        )

    def is_near(self, rules: Rules, position: Position) -> bool:
        """Whether another position is the same but for the strays."""
        return self._is_within(rules, position, self.strays, self.strays)

    def is_in_reach(self, rules: Rules, position: Position) -> bool:
        """Whether another position may become the same by the numbers that are left there."""
        # Each number moves one man, but may hit any number of the others.
        others = sum(position.men(position.turn.other))
        return self._is_within(rules, position, self.strays + len(position.dice), others)

    def _is_within(self, rules: Rules, position: Position, movers: int, others: int) -> bool:
        """Whether so few men of the side to act, and of the other, stand elsewhere in some view."""
        mover, other = position.turn, position.turn.other
        mine, theirs = position.men(mover), position.men(other)
        # Whose men these are in a view makes no difference, since each is there both ways. The
        # other side's men come first: in a turn they mostly stay, and tell most boards apart.
        along = _list_along(rules, other, theirs)
        left = [view for view in self.along if _count_strays(view[1], along) <= others]
        if left:
            along = _list_along(rules, mover, mine)
            if any(_count_strays(view[0], along) <= movers for view in left):
                return True
        flat = _flatten(rules, theirs)
        # Boards of other shapes lie otherwise.
        alike = [view for view in self.flat if len(view[1]) == len(flat)]
        left = [view for view in alike if _count_strays(view[1], flat) <= others]
        if not left:
            return False
        flat = _flatten(rules, mine)
        return any(_count_strays(view[0], flat) <= movers for view in left)


def _walk_turn(match: Match, board: _AskedBoard) -> Iterator[tuple[Rules, Position]]:
    """Yield every position that the side to act can come to, as far as it may be the one asked."""
    yield match.rules, match.position
    if match.phase is Phase.CHOOSE:
        for die in dict.fromkeys(match.thrown):
            yield from _walk_turn(match.apply(Chosen(SIX, str(die))), board)
    elif match.phase is Phase.BREAK and match.choice is not None:
        for value in match.choice.values:
            after = match.apply(Chosen(match.choice.name, value.name))
            yield after.rules, after.position
    elif match.phase in PLAY_PHASES and board.is_in_reach(match.rules, match.position):
        # Also what the rules do not allow on the way, which takes less time than to tell.
        ends = list_legal_plays(match.rules, match.position, Duty.MAY).ends
        yield from ((match.rules, end) for end in ends)


@lru_cache(MAX_CACHED)
def _list_along(rules: Rules, side: Side, men: bytes) -> Placed:
    """Return a side's men along their way, from its end, so that shorter ways compare too."""
    return (_count_waiting(rules, men), *(men[place] for place in reversed(rules.course(side))))


@lru_cache(MAX_CACHED)
def _flatten(rules: Rules, men: bytes) -> Placed:
    """Return a side's men as the board lies."""
    return (_count_waiting(rules, men), *(men[place] for row in rules.board.rows for place in row))


def _list_flat(rules: Rules, men: bytes) -> list[Placed]:
    """Return a side's men as the board lies, and as it is seen in mirrors and turned round."""
    rows = rules.board.rows
    mirrored = [row[::-1] for row in rows]
    waiting = _count_waiting(rules, men)
    return [
        (waiting, *(men[place] for row in seen for place in row))
        for seen in (rows, rows[::-1], mirrored, mirrored[::-1])
    ]


def _count_waiting(rules: Rules, men: bytes) -> int:
    """Return how many men are to enter, for the first time or again."""
    return men[rules.board.hand] + rules.board.count_waiting(men)


@lru_cache(MAX_CACHED)
def _count_strays(men: Placed, others: Placed) -> int:
    """Return how many men of one side stand elsewhere."""
    # What is missing here is too much there, but for men that are borne off or not of the game.
    more = fewer = 0
    for one, other in zip_longest(men, others, fillvalue=0):
        if one > other:
            more += one - other
        else:
            fewer += other - one
    return max(more, fewer)
