"""The fuzz targets: each takes bytes in a format of its own.

It fails by any error but a refusal.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any, TypeAlias

from bot.features.challenges.terms import parse_options
from bot.features.matches.record import FORMATS, verify_record
from bot.features.matches.service import suggest_plays
from bot.platform.i18n.common import format_code, format_quotation, format_typed_name
from bot.platform.i18n.reader import DeclinedError, Reader, escape_text
from bot.platform.i18n.refusals import build_sentence_formatter, explain_refusal
from bot.platform.people import clean_text
from bot.platform.time_zones import find_quiet_end, find_zone_or_utc, parse_quiet_hours, parse_zone
from bot.platform.ui.controls import parse_number, split_id
from engine import dice
from engine.clock import parse_pace
from engine.ending import find_outcome
from engine.events import Battled, Thrown, to_record
from engine.games import GAMES, find_game
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.notation import format_play, parse_play
from engine.players.requests import PLAYERS
from engine.playout import choose_event
from engine.plays import list_legal_plays, make_move
from engine.position_text import format_position, parse_position
from engine.protocol import REQUESTS, respond_to_line
from engine.refusal import Refusal

SLUGS = tuple(GAMES)
MAX_TEXT_LENGTH = 300
"""Characters that are tried of a text; Discord lets no option be longer than the bot asks for."""
MAX_RANDOM = 2
"""Random games that one request may ask for here, where many requests are to be tried."""
MAX_THROWS = 60
"""Throws after which a game is left, as somewhere in its midst."""

Target: TypeAlias = Callable[[bytes], None]


def play(data: bytes) -> None:
    """Read a typed play at some moment of some game: as moves that can be made, or refused."""
    match = _choose_moment(data[:2])
    text = _decode_text(data[2:])
    suggest_plays(match, text)
    try:
        moves = parse_play(text, match.rules, match.position, match.duty)
    except Refusal as refusal:
        explain_refusal(Reader.ENGLISH, refusal)
        return
    end = match.position
    for move in moves:
        end = make_move(match.rules, end, move)
    assert parse_play(
        format_play(moves, match.rules, match.position), match.rules, match.position, match.duty
    )


def position(data: bytes) -> None:
    """Read a position's text in some game, write it alike and list its plays; or refuse it."""
    rules = GAMES[_choose_slug(data)].resolve_rules({})
    try:
        found = parse_position(_decode_text(data[1:]), rules)
    except Refusal as refusal:
        explain_refusal(Reader.ENGLISH, refusal)
        return
    assert parse_position(format_position(found, rules), rules) == found
    if find_outcome(rules, found):
        return
    for listed in list_legal_plays(rules, found)[:3]:
        format_play(listed.moves, rules, found)


def record(data: bytes) -> None:
    """A match's record, changed in places: found to be right, wrong, or no record."""
    first = data[0] if data else 0
    changed = json.loads(_build_record(SLUGS[first % len(SLUGS)], of_league=first >= 128))
    edits = data[1:]
    for at in range(0, len(edits) - 3, 4):
        if changed:
            _edit_record(changed, edits[at : at + 4])
    try:
        verify_record(changed)
    except Refusal as refusal:
        explain_refusal(Reader.ENGLISH, refusal)
    except ValueError:
        pass


def protocol(data: bytes) -> None:
    """A line of the engine protocol: answered by one line of JSON, whatever it asks."""
    line = data.decode("utf-8", "replace")
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        asked = None
    if (
        isinstance(asked, dict)
        and isinstance(asked.get("games"), int)
        and asked["games"] > MAX_RANDOM
    ):
        return
    json.dumps(
        respond_to_line(
            line, lambda: 0.0, build_sentence_formatter(Reader.ENGLISH), {**REQUESTS, **PLAYERS}
        )
    )


def setting(data: bytes) -> None:
    """What is typed into options and stands in ids: read, or refused."""
    text = _decode_text(data[1:])
    readers: tuple[Callable[[str], object], ...] = (
        find_game,
        parse_pace,
        parse_zone,
        _check_quiet_hours,
        parse_number,
        lambda written: split_id(written, 3),
        lambda written: parse_options(GAMES[_choose_slug(data)], written),
    )
    for read in readers:
        try:
            read(text)
        except Refusal as refusal:
            explain_refusal(Reader.ENGLISH, refusal)
        except DeclinedError:
            pass
    for sentence in (
        escape_text(text),
        format_code(text),
        format_typed_name(text),
        format_quotation(Reader.ENGLISH, text),
    ):
        assert clean_text(sentence) == sentence
        assert "@everyone" not in sentence
        assert "@here" not in sentence


TARGETS: Mapping[str, Target] = {
    each.__name__: each for each in (play, position, record, protocol, setting)
}


def _choose_slug(data: bytes) -> str:
    return SLUGS[data[0] % len(SLUGS)] if data else SLUGS[0]


def _decode_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")[:MAX_TEXT_LENGTH]


def _check_quiet_hours(text: str) -> None:
    hours, zone = parse_quiet_hours(text)
    for now in (0, 1_700_000_000_000):
        until = find_quiet_end(hours, find_zone_or_utc(zone), now)
        assert until is None or until > now


def _choose_moment(data: bytes) -> Match:
    found = _list_moments(_choose_slug(data))
    return found[data[1] % len(found)] if len(data) > 1 else found[0]


@cache
def _list_moments(slug: str) -> tuple[Match, ...]:
    """Moments of a random game at which something is to be played."""
    chance = Random(slug)
    match = new_match(GAMES[slug], {})
    found: list[Match] = []
    while match.phase is not Phase.OVER and match.drawn < MAX_THROWS:
        match = apply_unchecked(match, choose_event(match, chance))
        if match.phase in (Phase.PLAY, Phase.OFFER):
            found.append(match)
    return tuple(found)


@cache
def _build_record(slug: str, *, of_league: bool) -> str:
    """The record of a random game's first throws, with the dice that its secret gives."""
    league = bytes(32)
    secret = dice.derive_match_secret(league, 1) if of_league else bytes(32)
    contributions = ("1", "2")
    commitment = dice.compute_commitment(secret)
    chance = Random(slug)
    match = new_match(GAMES[slug], {})
    events = []
    while match.phase is not Phase.OVER and match.drawn < MAX_THROWS:
        event = choose_event(match, chance)
        thrown = partial(dice.derive_throw, secret, commitment, contributions)
        if isinstance(event, Thrown):
            event = replace(event, dice=thrown(match.drawn, match.due_dice))
        elif isinstance(event, Battled):
            gold, black = (thrown(match.drawn + offset, match.due_dice) for offset in range(2))
            event = Battled(gold, black)
        events.append(to_record(event, match.rules.board))
        match = apply_unchecked(match, event)
    whole = {
        "tabula": FORMATS[-1],
        "match": 1,
        "game": slug,
        "rules": GAMES[slug].edition,
        "options": {},
        "commitment": commitment,
        "posted": dice.COMMITMENT_DIGITS,
        "secret": secret.hex(),
        "contributions": contributions,
        "events": events,
    }
    if of_league:
        whole["league"] = {
            "commitment": dice.compute_commitment(league),
            "posted": dice.COMMITMENT_DIGITS,
            "pairing": 1,
            "secret": league.hex(),
        }
    return json.dumps(whole)


ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    1,
    -1,
    7,
    2**63,
    1e308,
    "",
    "a",
    "off",
    "gold",
    "\ud800",
    "x" * 300,
    [],
    [[]],
    {},
    {"v": 1},
    [1, 2, 3],
)
"""What is put in the place of a part of a record."""


def _edit_record(whole: Any, edit: bytes) -> None:
    """Put something odd in the place of one part of a record, or take the part away."""
    places = list(_walk_places(whole))
    holder, key = places[int.from_bytes(edit[:2]) % len(places)]
    if edit[2] % 8 == 0:
        del holder[key]
    else:
        holder[key] = edit[3] if edit[2] % 8 == 1 else ODD_VALUES[edit[3] % len(ODD_VALUES)]


def _walk_places(whole: Any) -> Iterator[tuple[Any, Any]]:
    """Yield where every part of some JSON stands: in what, and under which key."""
    keys = (
        list(whole)
        if isinstance(whole, dict)
        else range(len(whole))
        if isinstance(whole, list)
        else ()
    )
    for key in keys:
        yield whole, key
        yield from _walk_places(whole[key])
