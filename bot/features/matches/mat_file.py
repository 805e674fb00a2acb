"""A finished match of backgammon in Jellyfish's match format (`.mat`), for other programs.

`docs/record.md` names the source of the format.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from bot.features.matches.score import ScoreTurn, list_turns
from bot.features.matches.session import MatchSession, Transition
from bot.platform.people import clean_text
from engine.clock import SECOND
from engine.events import SetUp
from engine.games.backgammon import BACKGAMMON
from engine.match import Match
from engine.move import Move
from engine.position import Side
from render.characters import clip_text

BAR, OFF = 25, 0
_LONGEST_NAME = 24
_LEFT_NAME, _LEFT_TURN = 31, 27
"""How wide the left column is, where names and where turns stand."""
_GOLD_WINS, _BLACK_WINS = " " * 6, " " * 34
"""Under whose turns it says who wins."""


def write_mat(session: MatchSession, happened: Sequence[Transition]) -> str | None:
    """Return a match in Jellyfish's format, gold in the left column.

    None where that format can't say it: another game, other rules, or another starting position.
    """
    match = session.match
    if match.game is not BACKGAMMON or match.rules != BACKGAMMON.rules:
        return None
    if any(isinstance(each.event, SetUp) for each in happened):
        return None
    began = datetime.fromtimestamp(session.row.created // SECOND, UTC)
    gold, black = (_format_name(session, side) for side in Side)
    left = f"{gold} : 0"
    return "\n".join(
        (
            '; [Site "Tabula"]',
            f'; [EventDate "{began:%Y.%m.%d}"]',
            "",
            # Without a length, as for money: a gammon counts, and there is no match to win.
            " 0 point match",
            "",
            " Game 1",
            f" {left:{_LEFT_NAME}}{black} : 0",
            *_write_turns(list_turns(happened)),
            *_write_result(match),
            "",
        )
    )


def _format_name(session: MatchSession, side: Side) -> str:
    """Return the name of a side's player without the sign that ends a name in the format."""
    names = " / ".join(session.names[person] for person in session.list_players(side))
    return clip_text(" ".join(clean_text(names).replace(":", ".").split()), _LONGEST_NAME)


def _write_turns(turns: Iterable[ScoreTurn]) -> list[str]:
    rows: list[list[str]] = []
    for turn in turns:
        # A throw that was not played to its end would be read as an illegal play.
        if not turn.is_complete:
            continue
        if turn.side is Side.GOLD or not rows or len(rows[-1]) == 2:
            rows.append([] if turn.side is Side.GOLD else [""])
        rows[-1].append(_format_turn(turn))
    return [
        f"{number:3}) {row[0]:{_LEFT_TURN}} {''.join(row[1:])}".rstrip()
        for number, row in enumerate(rows, 1)
    ]


def _format_turn(turn: ScoreTurn) -> str:
    rolled = "".join(map(str, sorted(turn.dice, reverse=True)))
    moves = " ".join(_format_move(move, turn.side) for move in turn.moves)
    return f"{rolled}: {moves}".rstrip()


def _format_move(move: Move, side: Side) -> str:
    source, target = (_number_place(place, side) for place in (move.source, move.target))
    return f"{source}/{target}{'*' * move.hit}"


def _number_place(place: int, side: Side) -> int:
    """Return the number of a point as the side counts it: 1 is the last before home."""
    rules = BACKGAMMON.rules
    if place in rules.board.bars:
        return BAR
    if place == rules.board.off:
        return OFF
    course = rules.course(side)
    return len(course) - course.index(place)


def _write_result(match: Match) -> list[str]:
    outcome = match.outcome
    if outcome is None or outcome.winner is None:
        return []
    points = f"Wins {outcome.points} point{'s' * (outcome.points > 1)}"
    return [f"{_GOLD_WINS if outcome.winner is Side.GOLD else _BLACK_WINS}{points}"]
