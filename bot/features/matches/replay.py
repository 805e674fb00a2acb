"""A match to take away: its replay as a film, and its record, score and `.mat` as files."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from textwrap import wrap

from bot.features.matches import loading, record
from bot.features.matches import texts as words
from bot.features.matches.cards import build_moment
from bot.features.matches.event_texts import join_throws
from bot.features.matches.proof import SecretOrigin
from bot.features.matches.scene import build_scene
from bot.features.matches.session import MatchSession, Transition
from bot.features.matches.texts import format_names, format_outcome, format_pace
from bot.platform.context import App
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.lines import Asker
from bot.platform.people import clean_text
from bot.platform.ui.card import REPLAY_FILE, Card, CardFile, Picture
from engine.clock import SECOND, parse_pace
from engine.events import (
    Battled,
    Chosen,
    Left,
    Passed,
    Played,
    SetUp,
    Thrown,
)
from engine.games.backgammon import BACKGAMMON
from engine.match import BREAK, SIDE, SIX, Match, Phase, drop_undone
from engine.move import Move
from engine.notation import format_play
from engine.plays import make_move
from engine.position import Side
from engine.strict_json import write_json
from render.characters import clip_text, shorten_text
from render.describe import MAX_ALT_TEXT, describe_scene
from render.replay import ReplayMoment, render_film
from render.scene import Scene, View

MAX_BYTES = 8_000_000
LINE_WIDTH = 79
_NUMBER_WIDTH, _GAP = 5, 2
COLUMN_WIDTH = (LINE_WIDTH - _NUMBER_WIDTH - _GAP) // 2
_NO_PLAY = "–"
BAR, OFF = 25, 0
_MAX_NAME_LENGTH = 24
_LEFT_NAME, _LEFT_TURN = 31, 27
"""How wide the left column is, where names and where turns stand."""
_GOLD_WINS, _BLACK_WINS = " " * 6, " " * 34
"""Under whose turns it says who wins."""


async def build_replay_card(
    app: App,
    asker: Asker,
    say: Reader,
    session: MatchSession,
    happened: Sequence[Transition],
    look: View,
) -> Card:
    """Return a match as a moving picture, which another process draws: it takes a second or two.

    Raises DeclinedError for somebody who asks for too much.
    """
    start = loading.build_initial_match(session.row)
    moments = await asyncio.to_thread(
        lambda: list(iter_moments(say, session, start, happened)),
    )
    # What happened and how it looks, and nothing of the dice, is all that the other process gets.
    drawn = await app.costly.run(asker, render_film, moments, look, MAX_BYTES)
    return _build_replay_card(say, session, drawn)


def _build_replay_card(say: Reader, session: MatchSession, drawn: bytes) -> Card:
    text = shorten_text(
        say(
            "The replay of match {number}. {board}",
            number=session.id,
            board=describe_scene(build_scene(say, session)),
        ),
        MAX_ALT_TEXT,
    )
    goes_on = say("This match is still in progress.")
    standing = words.format_result(say, session) if session.match.phase is Phase.OVER else goes_on
    return Card(
        texts=(words.format_heading(say, session), standing),
        picture=Picture(drawn, text, REPLAY_FILE),
        moment=build_moment(session),
    )


def iter_moments(
    say: Reader, session: MatchSession, start: Match, happened: Iterable[Transition]
) -> Iterator[ReplayMoment]:
    """Yield what happened in a match, a throw or a man's move at a time."""
    yield ReplayMoment(_build_scene_at(say, session, start, say("the starting position")))
    for each in drop_undone(happened):
        if isinstance(each.event, Played):
            yield from _iter_moves(say, session, each.before, each.event)
        elif _visible_state(each.before) != _visible_state(each.after):
            # Events that nobody sees on the board, such as an offered draw, get no image of their
            # own.
            turn = common.format_side(say, each.after.turn)
            yield ReplayMoment(
                _build_scene_at(say, session, each.after, say("{side} to play", side=turn))
            )
    yield ReplayMoment(build_scene(say, session))


def _iter_moves(
    say: Reader, session: MatchSession, match: Match, event: Played
) -> Iterator[ReplayMoment]:
    status = say("{side} plays", side=common.format_side(say, match.turn))
    for move in event.moves:
        position = make_move(match.rules, match.position, move)
        match = replace(match, position=position, moves=(*match.moves, move))
        scene = _build_scene_at(say, session, match, status)
        yield ReplayMoment(scene, scene.last[-1], match.turn)


def _visible_state(match: Match) -> tuple[bytes, bytes, tuple[int, ...]]:
    """Return what of a match a picture of it shows."""
    return match.position.gold, match.position.black, match.thrown


def _build_scene_at(say: Reader, session: MatchSession, match: Match, status: str) -> Scene:
    return build_scene(say, replace(session, match=match), status)


def record_card(
    say: Reader,
    session: MatchSession,
    happened: Sequence[Transition],
    origin: SecretOrigin | None = None,
) -> Card:
    """Return a finished match's record as a file, and as a score to read.

    The record has the dice's secret and where it is from. A match of backgammon is a file for other
    programs, too.
    """
    events = record.encode_events(session, happened)
    file = write_json(record.build_record(session, events, origin), indent=1).encode()
    text = say(
        "The record of match {number}, with the secret of its dice. Verify it with "
        "`tabula verify`.",
        number=session.id,
    )
    score = say("The text file is the same record, as a score to read.")
    name = f"match-{session.id}"
    others = [CardFile(f"{name}.txt", _encode(write_score(say, session, happened)))]
    lines = [text, score]
    if (mat := write_mat(session, happened)) is not None:
        others.append(CardFile(f"{name}.mat", _encode(mat)))
        lines.append(say("Other backgammon programs read the `.mat` file."))
    return Card(
        texts=(common.join_sentences(say, *lines),),
        file=CardFile(f"{name}.json", file),
        other_files=tuple(others),
    )


def _encode(text: str) -> bytes:
    # Half a character, of which some names consist, has no UTF-8.
    return text.encode(errors="replace")


@dataclass(frozen=True, slots=True)
class Decision:
    """What a side did with a throw, with the match before and after it."""

    before: Match
    event: Chosen | Played | Left | Passed
    after: Match


@dataclass(slots=True)
class ScoreTurn:
    """One throw of a side, or the numbers that the other side left over for it.

    `dice` are the numbers that it gave, and none where a side could not even throw.
    """

    side: Side
    dice: tuple[int, ...]
    is_offer: bool = False
    decisions: list[Decision] = field(default_factory=list)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that were made, in order."""
        return tuple(
            move
            for each in self.decisions
            if isinstance(each.event, Played)
            for move in each.event.moves
        )

    @property
    def is_complete(self) -> bool:
        """Whether the side was done with the throw, or the match was won by it."""
        if not self.decisions:
            return False
        after = self.decisions[-1].after
        return after.turn is not self.side or after.phase not in (Phase.PLAY, Phase.CHOOSE)

    @property
    def choices(self) -> tuple[Chosen, ...]:
        """What was chosen: a die to turn, a point to break, an option."""
        return tuple(each.event for each in self.decisions if isinstance(each.event, Chosen))

    def format_play(self) -> str:
        """Return the moves as they are typed; nothing where there are none."""
        first = next((each for each in self.decisions if isinstance(each.event, Played)), None)
        if first is None:
            return ""
        return format_play(self.moves, first.before.rules, first.before.position)


def list_turns(happened: Iterable[Transition]) -> list[ScoreTurn]:
    """Return the turns of a match, without those that were taken back."""
    turns: list[ScoreTurn] = []
    for each in drop_undone(happened):
        match each.event:
            case SetUp() | Battled() | Thrown():
                _begin_turn(turns, each)
            case Chosen() | Played() | Left() | Passed():
                _add_decision(turns, Decision(each.before, each.event, each.after))
    return turns


def _begin_turn(turns: list[ScoreTurn], transition: Transition) -> None:
    before, after = transition.before, transition.after
    # The throws for who begins are those of the first turn where they are played; others, such as
    # for a bound table, are no turn.
    if isinstance(transition.event, Thrown) or (after.thrown and not before.thrown):
        turns.append(ScoreTurn(after.thrower or after.turn, after.thrown))


def _add_decision(turns: list[ScoreTurn], decision: Decision) -> None:
    before = decision.before
    last = turns[-1] if turns else None
    is_offer = before.phase is Phase.OFFER
    # What is chosen or passed before a throw begins a turn without dice.
    has_thrown = before.phase in (Phase.PLAY, Phase.CHOOSE)
    if last is None or last.side is not before.turn or last.is_offer is not is_offer:
        dice = before.position.dice if is_offer else before.thrown if has_thrown else ()
        turns.append(ScoreTurn(before.turn, dice, is_offer=is_offer))
    elif not is_offer and not has_thrown:
        turns.append(ScoreTurn(before.turn, ()))
    turns[-1].decisions.append(decision)


def write_score(say: Reader, session: MatchSession, happened: Sequence[Transition]) -> str:
    """Return a match as a text of lines of at most 79 characters, but for long names."""
    lines = [*_write_head(say, session), "", *_write_score_turns(say, list_turns(happened)), ""]
    lines += wrap(_format_score_result(say, session), LINE_WIDTH)
    return common.use_plain_hyphens("\n".join(lines)) + "\n"


def _write_head(say: Reader, session: MatchSession) -> Iterator[str]:
    match, row = session.match, session.row
    yield say(
        "{game}, match {number}", game=common.format_title(say, match.game), number=session.id
    )
    for side in Side:
        names = format_names(say, session, side)
        # Translators: gold or black, and who plays that side.
        yield say("{side}: {people}", side=common.format_side_title(say, side), people=names)
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
    for rule in common.format_house_rules(say, match.game, row.options):
        yield from wrap(rule, LINE_WIDTH)
    if match.battle:
        gold, black = (common.format_side_title(say, side) for side in Side)
        throws = common.join_clauses(
            say,
            (join_throws(say, ((gold, each.gold), (black, each.black))) for each in match.battle),
        )
        yield from wrap(say("Opening roll: {throws}.", throws=throws), LINE_WIDTH)


def _format_minute(instant: int) -> str:
    return f"{datetime.fromtimestamp(instant // SECOND, UTC):%Y-%m-%d %H:%M}"


def _write_score_turns(say: Reader, turns: Iterable[ScoreTurn]) -> Iterator[str]:
    gold, black = (common.format_side_title(say, side) for side in Side)
    yield f"{'':{_NUMBER_WIDTH}}{gold:{COLUMN_WIDTH + _GAP}}{black}"
    for number, row in enumerate(_pair_score_turns(turns), 1):
        cells = [
            wrap(_format_score_turn(say, turn), COLUMN_WIDTH, subsequent_indent="  ")
            if turn
            else []
            for turn in row
        ]
        for at in range(max(map(len, cells))):
            left, right = (cell[at] if at < len(cell) else "" for cell in cells)
            head = f"{number:>3}." if at == 0 else ""
            yield f"{head:{_NUMBER_WIDTH}}{left:{COLUMN_WIDTH + _GAP}}{right}".rstrip()


def _pair_score_turns(
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


def _format_score_turn(say: Reader, turn: ScoreTurn) -> str:
    dice = common.format_dice(turn.dice)
    if dice:
        dice = f"({dice})" if turn.is_offer else f"{dice}:"
    chosen = " ".join(f"[{_format_choice(say, each)}]" for each in turn.choices)
    # A choice may come before a throw, and the match may end before a throw is played.
    is_idle = any(not isinstance(each.event, Chosen) for each in turn.decisions)
    play = turn.format_play() or (_NO_PLAY if is_idle else "")
    return " ".join(filter(None, (dice, chosen, play)))


def _format_choice(say: Reader, chosen: Chosen) -> str:
    if chosen.what == SIX:
        return f"{chosen.value}→6"
    if chosen.what == SIDE.name:
        return common.format_side(say, chosen.value)
    if chosen.what == BREAK:
        return say.in_context(
            "a choice, in the score of a match", "breaks {point}", point=chosen.value
        )
    # Of all games only Twelve Dogs has another choice.
    return say.in_context("a choice, in the score of a match", "table {table}", table=chosen.value)


def _format_score_result(say: Reader, session: MatchSession) -> str:
    outcome = session.match.outcome
    assert outcome is not None
    people = {side: format_names(say, session, side) for side in Side}
    # The marks for bold type belong to messages.
    return format_outcome(say, session.match, outcome, people).replace("**", "")


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
            *_write_mat_turns(list_turns(happened)),
            *_write_mat_result(match),
            "",
        )
    )


def _format_name(session: MatchSession, side: Side) -> str:
    """Return the name of a side's player without the sign that ends a name in the format."""
    names = " / ".join(session.names[person] for person in session.list_players(side))
    return clip_text(" ".join(clean_text(names).replace(":", ".").split()), _MAX_NAME_LENGTH)


def _write_mat_turns(turns: Iterable[ScoreTurn]) -> list[str]:
    rows: list[list[str]] = []
    for turn in turns:
        # A throw that was not played to its end would be read as an illegal play.
        if not turn.is_complete:
            continue
        if turn.side is Side.GOLD or not rows or len(rows[-1]) == 2:
            rows.append([] if turn.side is Side.GOLD else [""])
        rows[-1].append(_format_mat_turn(turn))
    return [
        f"{number:3}) {row[0]:{_LEFT_TURN}} {''.join(row[1:])}".rstrip()
        for number, row in enumerate(rows, 1)
    ]


def _format_mat_turn(turn: ScoreTurn) -> str:
    rolled = "".join(map(str, sorted(turn.dice, reverse=True)))
    moves = " ".join(_format_mat_move(move, turn.side) for move in turn.moves)
    return f"{rolled}: {moves}".rstrip()


def _format_mat_move(move: Move, side: Side) -> str:
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


def _write_mat_result(match: Match) -> list[str]:
    outcome = match.outcome
    if outcome is None or outcome.winner is None:
        return []
    points = f"Wins {outcome.points} point{'s' * (outcome.points > 1)}"
    return [f"{_GOLD_WINS if outcome.winner is Side.GOLD else _BLACK_WINS}{points}"]
