"""A match from its transitions to the film that its replay shows."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bot.features.matches import loading, record
from bot.features.matches import texts as words
from bot.features.matches.mat_file import write_mat
from bot.features.matches.scene import build_scene
from bot.features.matches.score_text import write_score
from bot.features.matches.secret_origin import SecretOrigin
from bot.features.matches.session import MatchSession, Transition
from bot.platform.context import App
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.lines import Asker
from bot.platform.ui.card import REPLAY_FILE, Card, CardFile, Picture
from engine.events import Played
from engine.match import Match, Phase
from engine.plays import make_move
from engine.strict_json import write_json
from render.characters import shorten_text
from render.describe import MAX_ALT_TEXT, describe_scene
from render.replay import ReplayMoment, render_film
from render.scene import Scene, View

MOST_BYTES = 8_000_000


async def prepare_replay_card(
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
    drawn = await app.costly.run(asker, render_film, moments, look, MOST_BYTES)
    return _build_replay_card(say, session, drawn)


def _build_replay_card(say: Reader, session: MatchSession, drawn: bytes) -> Card:
    told = shorten_text(
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
        picture=Picture(drawn, told, REPLAY_FILE),
    )


def iter_moments(
    say: Reader, session: MatchSession, start: Match, happened: Iterable[Transition]
) -> Iterator[ReplayMoment]:
    """Yield what happened in a match, a throw or a man's move at a time."""
    yield ReplayMoment(_build_scene_at(say, session, start, say("the starting position")))
    for each in happened:
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
        shown = _build_scene_at(say, session, match, status)
        yield ReplayMoment(shown, shown.last[-1], match.turn)


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
    told = say(
        "The record of match {number}, with the secret of its dice. Verify it with "
        "`tabula verify`.",
        number=session.id,
    )
    score = say("The text file is the same as a score to read.")
    name = f"match-{session.id}"
    others = [CardFile(f"{name}.txt", _encode(write_score(say, session, happened)))]
    lines = [told, score]
    if (mat := write_mat(session, happened)) is not None:
        others.append(CardFile(f"{name}.mat", _encode(mat)))
        lines.append(say("Other backgammon programs read the `.mat` file."))
    return Card(
        texts=(" ".join(lines),),
        file=CardFile(f"{name}.json", file),
        other_files=tuple(others),
    )


def _encode(text: str) -> bytes:
    # Half a character, of which some names consist, has no UTF-8.
    return text.encode(errors="replace")
