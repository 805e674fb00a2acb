"""A finished match as a printed score: who, when, what, and the turns in two columns."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from textwrap import wrap

from bot.features.matches.clock_texts import format_pace
from bot.features.matches.name_texts import format_names
from bot.features.matches.score import ScoreTurn, list_turns
from bot.features.matches.session import MatchSession, Transition
from bot.features.matches.texts import format_outcome
from bot.platform.i18n.common import (
    format_dice,
    format_house_rules,
    format_side_title,
    format_title,
    use_plain_hyphens,
)
from bot.platform.i18n.reader import Reader
from engine.clock import SECOND, parse_pace
from engine.events import Chosen
from engine.position import Side

LINE_WIDTH = 79
_NUMBER_WIDTH, _GAP = 5, 2
COLUMN_WIDTH = (LINE_WIDTH - _NUMBER_WIDTH - _GAP) // 2
_NO_PLAY = "–"


def write_score(say: Reader, session: MatchSession, happened: Sequence[Transition]) -> str:
    """Return a match as a text of lines of at most 79 characters, but for long names."""
    lines = [*_write_head(say, session), "", *_write_turns(say, list_turns(happened)), ""]
    lines += wrap(_format_result(say, session), LINE_WIDTH)
    return use_plain_hyphens("\n".join(lines)) + "\n"


def _write_head(say: Reader, session: MatchSession) -> Iterator[str]:
    match, row = session.match, session.row
    yield say("{game}, match {number}", game=format_title(say, match.game), number=session.id)
    for side in Side:
        names = format_names(say, session, side)
        # Translators: gold or black, and who plays that side.
        yield say("{side}: {people}", side=format_side_title(say, side), people=names)
    yield say(
        "{began} to {ended} (UTC)",
        began=_format_minute(row.created),
        ended=_format_minute(row.ended or row.touched),
    )
    # Translators: said of one match.
    rated = say("rated") if row.rated else say("not rated")
    yield say(
        "{pace}, {rated}, rules edition {edition}",
        pace=format_pace(say, parse_pace(row.pace)),
        rated=rated,
        edition=row.edition,
    )
    for rule in format_house_rules(say, match.game, row.options):
        yield from wrap(rule, LINE_WIDTH)
    if match.battle:
        gold, black = (format_side_title(say, side) for side in Side)
        throws = "; ".join(
            f"{gold} {format_dice(each.gold)}, {black} {format_dice(each.black)}"
            for each in match.battle
        )
        yield from wrap(say("Opening roll: {throws}.", throws=throws), LINE_WIDTH)


def _format_minute(instant: int) -> str:
    return f"{datetime.fromtimestamp(instant // SECOND, UTC):%Y-%m-%d %H:%M}"


def _write_turns(say: Reader, turns: Iterable[ScoreTurn]) -> Iterator[str]:
    gold, black = (format_side_title(say, side) for side in Side)
    yield f"{'':{_NUMBER_WIDTH}}{gold:{COLUMN_WIDTH + _GAP}}{black}"
    for number, row in enumerate(_pair_turns(turns), 1):
        cells = [
            wrap(_format_turn(turn), COLUMN_WIDTH, subsequent_indent="  ") if turn else []
            for turn in row
        ]
        for at in range(max(map(len, cells))):
            left, right = (cell[at] if at < len(cell) else "" for cell in cells)
            head = f"{number:>3}." if at == 0 else ""
            yield f"{head:{_NUMBER_WIDTH}}{left:{COLUMN_WIDTH + _GAP}}{right}".rstrip()


def _pair_turns(
    turns: Iterable[ScoreTurn],
) -> Iterator[tuple[ScoreTurn | None, ScoreTurn | None]]:
    """Yield gold's turn and black's that follows it.

    A side that throws again, or whose other player follows, has a line of its own.
    """
    gold: ScoreTurn | None = None
    for turn in turns:
        if turn.side is Side.BLACK:
            yield gold, turn
            gold = None
            continue
        if gold:
            yield gold, None
        gold = turn
    if gold:
        yield gold, None


def _format_turn(turn: ScoreTurn) -> str:
    dice = format_dice(turn.dice)
    if dice:
        dice = f"({dice})" if turn.is_offer else f"{dice}:"
    chosen = " ".join(f"[{each.what} {each.value}]" for each in turn.choices)
    # A choice may come before a throw, and the match may end before a throw is played.
    is_idle = any(not isinstance(each.event, Chosen) for each in turn.decisions)
    play = turn.format_play() or (_NO_PLAY if is_idle else "")
    return " ".join(filter(None, (dice, chosen, play)))


def _format_result(say: Reader, session: MatchSession) -> str:
    outcome = session.match.outcome
    assert outcome is not None
    people = {side: format_names(say, session, side) for side in Side}
    # The marks for bold type belong to messages.
    return format_outcome(say, session.match, outcome, people).replace("**", "")
