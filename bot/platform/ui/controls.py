"""Buttons and menus, which work after any restart.

Each carries in its id all that is needed to act on it. An id begins with its verb. Those of a
match's controls name the match and its version, so that one from an earlier moment is known as
stale. After the verb comes the mark of the database's generation where it is not the first:
`match.3fa9c1:8:12:roll`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import discord
from discord import ButtonStyle, SelectOption

from bot.features.computer.players import COMPUTERS, DEFAULT_LEVEL
from bot.features.hints.service import has_free_hints, may_decide
from bot.features.matches.session import MatchSession
from bot.features.matches.suggestions import list_plays_with_remarks
from bot.features.substitution.service import SeatOffer
from bot.features.trying.service import Trial
from bot.platform.i18n import common
from bot.platform.i18n.catalogue_texts import FAMILY, game_context, option_context
from bot.platform.i18n.endings import format_remark
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.store import Challenge
from engine.games import GAMES
from engine.games.unplayed import UNPLAYED
from engine.match import SIDE, SIX, Match, Phase
from engine.move import Move
from engine.notation import format_play
from engine.position import Side
from engine.rules import Game, Option, OptionValue
from render.characters import shorten_text

MOST_CHOICES = 25
"""Entries that one menu can have."""
LONGEST_LABEL = 80
LONGEST_ENTRY = 100
FIRST_MENU_ID = 1000
"""Where the numbers of menus begin, clear of those that Discord gives other parts."""
MENUS_PER_VERSION = 20
"""How many numbers of menus each version of a match has: more than three dice sum up to."""


class MenuId(NamedTuple):
    """By what a menu is known: what it does, to us, and its number, to Discord."""

    custom_id: str
    id: int


FIRST_GAME = "zeno"
"""A race with something to decide in every turn, of which one needs to know little."""
OFFERED_GAMES = (FIRST_GAME, "tabula", "backgammon", "laquet", "twelve-dogs")
"""Games that are offered against the computer, each unlike the others."""

ACT = "match"
"""Act in a match."""
PLAY = "plays"
"""Play from a menu."""
PLAY_TRIAL = "tried"
"""Play what was tried."""
NOT_YET = "notyet"
"""Leave unplayed what was to be confirmed."""
ASK = "ask"
"""Ask about a match."""
REMATCH = "rematch"
"""Offer a match again."""
ANSWER = "challenge"
"""Answer a challenge."""
WITHDRAW = "withdraw"
"""Withdraw or decline an open challenge, wherever its message is."""
DRAFT = "draft"
"""Choose a house rule."""
POST_DRAFT = "send"
"""Make a challenge with the house rules chosen."""
BEGIN = "begin"
"""Offer a first game."""
PLAY_COMPUTER = "against"
"""Begin a match against the computer."""
HINT = "hint"
"""Ask for a hint, or allow hints."""
PUZZLE = "puzzle"
"""Open a puzzle, play in it, tell of it."""
REPORT = "report"
"""Ask how a match was played."""
RULES = "rules"
"""Turn to another game's rules."""
RULES_PAGE = "howto"
"""Turn to a game's rules."""
ORIGINS_PAGE = "origins"
"""Turn to a game's house rules and sources."""
RANKS = "ranks"
"""Turn a leaderboard's pages."""
SEAT = "seat"
"""Take a seat that is offered, or not."""
LOG = "log"
"""Turn the pages of a server's log."""
ROUNDS = "rounds"
"""Go through the matches that wait for somebody."""
BRING = "bring"
"""Bring a match that can be shown nowhere to a channel."""
CHOOSE_MATCH = "which"
"""Say which match is meant."""

STATE_VERBS = frozenset({ACT, PLAY, PLAY_TRIAL, SEAT})
"""Verbs of controls that fit one state of a match.

Another generation of the database does not have that state.
"""
NUMBER_VERBS = frozenset({ASK, REMATCH, HINT, REPORT, ANSWER})
"""Verbs of what names a match or a challenge, of which another generation may have another one."""


class ControlId(NamedTuple):
    """What an id says: its verb, the mark of the generation in which it was made, and the rest."""

    verb: str
    mark: str
    rest: str


def parse_control_id(custom_id: str) -> ControlId:
    """Return what an id says."""
    head, _, rest = custom_id.partition(":")
    verb, _, mark = head.partition(".")
    return ControlId(verb, mark, rest)


def strip_mark(custom_id: str) -> str:
    """Return an id without the mark of its generation."""
    verb, _, rest = parse_control_id(custom_id)
    return f"{verb}:{rest}"


def mark_controls(controls: Sequence[Item], mark: str) -> None:
    """Put the mark of a generation into the ids of the controls that only mean something there."""
    for control in controls:
        custom_id = getattr(control, "custom_id", None)
        if custom_id is None:
            continue
        verb, _, rest = parse_control_id(custom_id)
        if mark and verb in STATE_VERBS | NUMBER_VERBS:
            # `Item` has no such attribute, buttons and menus have.
            control.custom_id = f"{verb}.{mark}:{rest}"  # type: ignore[attr-defined]


def turn_controls(say: Reader, session: MatchSession) -> tuple[Item, ...]:
    """Return the buttons and menus for what the match waits for."""
    decisions = () if session.is_computer_acting else _decision_controls(say, session)
    late = timeout_controls(say, session) if session.late else ()
    besides = (
        *_take_back_controls(say, session),
        *_hint_controls(say, session),
        _make_ask_button(session, "dice", say("Dice")),
    )
    return (*decisions, *_draw_offer_controls(say, session), *late, *besides)


def timeout_controls(say: Reader, session: MatchSession) -> tuple[Item, ...]:
    """Return the buttons for those who wait for a side that is out of time."""
    return (
        _make_action_button(session, "claim", say("Claim the win"), ButtonStyle.danger),
        _make_action_button(session, "grant", say("Give more time"), ButtonStyle.secondary),
    )


def bring_control(say: Reader, session: MatchSession, channel: int, name: str) -> Item:
    """Return the button by which a match is brought to a channel."""
    return discord.ui.Button(
        label=shorten_text(say("Continue in #{channel}", channel=name), LONGEST_LABEL),
        style=ButtonStyle.primary,
        custom_id=f"{BRING}:{session.id}:{channel}",
    )


def _draw_offer_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.match.drawing is not None and not session.is_computer_acting:
        yield _make_action_button(session, "agree", say("Accept the draw"), ButtonStyle.success)
        yield _make_action_button(
            session, "decline", say("Decline the draw"), ButtonStyle.secondary
        )


def _hint_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if has_free_hints(session) and may_decide(session.match) and not session.is_computer_acting:
        yield _make_hint_button(session, "ask", say("Hint"), ButtonStyle.secondary)


def allow_hints_control(say: Reader, session: MatchSession) -> Item:
    """Return the button by which hints are allowed in a match."""
    return _make_hint_button(session, "allow", say("Allow hints"), ButtonStyle.primary)


def _make_hint_button(session: MatchSession, what: str, label: str, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{HINT}:{session.id}:{what}")


def _decision_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    match = session.match
    match match.phase:
        case Phase.BATTLE | Phase.CONTEST | Phase.THROW:
            yield _make_action_button(session, "roll", say("Roll"), ButtonStyle.primary)
        case Phase.OPENING | Phase.BREAK:
            assert match.choice is not None
            for value in match.choice.values:
                label = _format_choice(say, match.choice, value)
                yield _make_action_button(
                    session, match.choice.name, label, ButtonStyle.primary, value.name
                )
        case Phase.CHOOSE:
            for number in sorted(set(match.thrown)):
                label = say("Turn the {number} into a six", number=number)
                if number == match.rules.dice.presumed:
                    label = say("Keep the six")
                yield _make_action_button(session, SIX, label, ButtonStyle.primary, str(number))
        case Phase.PLAY:
            yield from _session_menus(say, session)
        case Phase.OFFER:
            yield from _session_menus(say, session)
            yield _make_action_button(session, "leave", say("Leave it"), ButtonStyle.secondary)


def _format_choice(say: Reader, choice: Option, value: OptionValue) -> str:
    """Write a choice's value: a side by its name, anything else as it is typed."""
    return common.format_side(say, value.name) if choice is SIDE else value.name


def _take_back_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.person_to_take_back is not None and session.person_to_take_back not in COMPUTERS:
        yield _make_action_button(session, "back", say("Take back"), ButtonStyle.secondary)


def end_controls(say: Reader, session: MatchSession) -> tuple[Item, ...]:
    """Return the buttons under a finished match: play again, and look at what its dice were."""
    return (
        discord.ui.Button(
            label=say("Rematch"), style=ButtonStyle.primary, custom_id=f"{REMATCH}:{session.id}"
        ),
        _make_ask_button(session, "replay", say("Replay")),
        _make_ask_button(session, "verify", say("Verify")),
        _make_ask_button(session, "dice", say("Dice")),
        _make_ask_button(session, "record", say("Record")),
        _make_report_button(session, say("Report")),
    )


def error_controls(say: Reader, session: MatchSession, count: int) -> tuple[Item, ...]:
    """Return the buttons that show the worst errors of a match, so many."""
    return tuple(
        _make_report_button(session, say("Error {number}", number=number), number)
        for number in range(1, count + 1)
    )


def _make_report_button(session: MatchSession, label: str, error: int | None = None) -> Item:
    custom_id = f"{REPORT}:{session.id}" if error is None else f"{REPORT}:{session.id}:{error}"
    return discord.ui.Button(label=label, style=ButtonStyle.secondary, custom_id=custom_id)


def _make_action_button(
    session: MatchSession, act: str, label: str, style: ButtonStyle, value: str | None = None
) -> Item:
    custom_id = ":".join(
        filter(None, (ACT, str(session.id), str(session.match.version), act, value))
    )
    return discord.ui.Button(
        label=shorten_text(label, LONGEST_LABEL), style=style, custom_id=custom_id
    )


def _make_ask_button(session: MatchSession, what: str, label: str) -> Item:
    return discord.ui.Button(
        label=label, style=ButtonStyle.secondary, custom_id=f"{ASK}:{session.id}:{what}"
    )


def _session_menus(say: Reader, session: MatchSession) -> Iterator[Item]:
    return play_menus(say, session.match, partial(_make_menu_id, session))


def _make_menu_id(session: MatchSession, number: int) -> MenuId:
    version = session.match.version
    # A client keeps showing a choice, and won't allow it again, until the menu is another one.
    return MenuId(
        f"{PLAY}:{session.id}:{version}:{number}",
        FIRST_MENU_ID + version * MENUS_PER_VERSION + number,
    )


def play_menus(say: Reader, match: Match, named: Callable[[int], MenuId]) -> Iterator[Item]:
    """Return whole plays where they fit in one menu, else the next moves.

    If there are many, each number has its own menu. `named` names the menu for a number, or with 0
    the only one.
    """
    if len(match.plays) <= MOST_CHOICES:
        plays = [
            (text, format_remark(say, match.game, told))
            for text, told in list_plays_with_remarks(match)
        ]
        yield make_menu(
            named(0),
            say.plural("Play the only legal play", "Choose one of {n} plays", len(plays)),
            plays,
        )
        return
    moves = match.list_next_moves()
    if len(moves) <= MOST_CHOICES:
        yield make_menu(named(0), say("Make a move"), _menu_entries(match, moves))
        return
    for number in sorted({move.number for move in moves}, reverse=True):
        with_it = [move for move in moves if move.number == number]
        placeholder = say("Move with the {number}", number=number)
        yield make_menu(named(number), placeholder, _menu_entries(match, with_it))


def _menu_entries(match: Match, moves: Sequence[Move]) -> list[tuple[str, str]]:
    return [(format_play((move,), match.rules, match.position), "") for move in moves]


def make_menu(name: MenuId, placeholder: str, entries: Sequence[tuple[str, str]]) -> Item:
    """Return a menu of things to type, each with a note, or none."""
    return discord.ui.Select(
        placeholder=placeholder,
        options=[
            SelectOption(label=text, value=text, description=note or None) for text, note in entries
        ],
        custom_id=name.custom_id,
        id=name.id,
    )


def play_trial_control(say: Reader, trial: Trial) -> Item:
    """Return the button that plays what was tried."""
    session = trial.before
    custom_id = f"{PLAY_TRIAL}:{session.id}:{session.match.version}:{trial.text}"
    return discord.ui.Button(label=say("Play it"), style=ButtonStyle.success, custom_id=custom_id)


def dismiss_trial_control(say: Reader, trial: Trial) -> Item:
    """Return the button that leaves a play unplayed."""
    return discord.ui.Button(
        label=say("Not yet"), style=ButtonStyle.secondary, custom_id=f"{NOT_YET}:{trial.text}"
    )


def challenge_controls(say: Reader, challenge: Challenge) -> tuple[Item, ...]:
    """Return the buttons under a challenge.

    They accept (one a side between teams), decline, and open the rules.
    """
    buttons = [
        _make_answer_button(challenge, act, label, ButtonStyle.success)
        for act, label in _acceptance_labels(say, challenge).items()
    ]
    refusal = say("Decline") if challenge.opponent else say("Withdraw")
    buttons.append(_make_answer_button(challenge, "decline", refusal, ButtonStyle.secondary))
    buttons.append(_make_answer_button(challenge, "rules", say("Rules"), ButtonStyle.secondary))
    buttons.append(
        _make_answer_button(
            challenge, "word", say("Accept with a secret word"), ButtonStyle.secondary
        )
    )
    if challenge.opponent is None:
        label = say("Play with Tabula") if challenge.players == 1 else say("Fill with Tabula")
        buttons.append(_make_answer_button(challenge, "fill", label, ButtonStyle.secondary))
    return tuple(buttons)


def withdrawal_menu(say: Reader, challenges: Sequence[Challenge], person: int) -> tuple[Item, ...]:
    """Return the menu by which a person withdraws or declines one of these challenges.

    There is none where there are no challenges.
    """
    concerning = [each for each in challenges if person in (each.challenger, each.opponent)]
    if not concerning:
        return ()
    return (
        discord.ui.Select[Any](
            placeholder=say("Withdraw or decline a challenge"),
            options=[
                _withdrawal_option(say, challenge, person)
                for challenge in concerning[:MOST_CHOICES]
            ],
            custom_id=f"{WITHDRAW}:",
        ),
    )


def _withdrawal_option(say: Reader, challenge: Challenge, person: int) -> SelectOption:
    game = common.format_title(say, GAMES[challenge.game])
    parts = {"game": game, "number": challenge.id}
    label = say("Withdraw {game}, challenge {number}", **parts)
    if challenge.challenger != person:
        label = say("Decline {game}, challenge {number}", **parts)
    return SelectOption(label=shorten_text(label, LONGEST_ENTRY), value=str(challenge.id))


def _acceptance_labels(say: Reader, challenge: Challenge) -> Mapping[str, str]:
    if challenge.players == 1:
        return {"accept": say("Accept")}
    return {side.value: say("Join {side}", side=common.format_side(say, side)) for side in Side}


def _make_answer_button(challenge: Challenge, act: str, label: str, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{ANSWER}:{challenge.id}:{act}")


def rules_menus(say: Reader, slug: str) -> tuple[Item, Item]:
    """Return the menus that lead to every rules page.

    One lists the games beside this one, the other the other families of games.
    """
    shelves = _rules_by_family(say)
    beside = next(shelf for shelf in shelves.values() if slug in (entry.value for entry in shelf))
    # A family has no page of its own: its entry leads to its first game.
    families = [
        SelectOption(label=shorten_text(name, LONGEST_ENTRY), value=shelf[0].value)
        for name, shelf in shelves.items()
    ]
    return (
        discord.ui.Select(
            placeholder=say("Rules of another game"), options=beside, custom_id=f"{RULES}:game"
        ),
        discord.ui.Select(
            placeholder=say("Other games"), options=families, custom_id=f"{RULES}:family"
        ),
    )


def rules_page_control(verb: str, slug: str, label: str) -> Item:
    """Return the button that turns to the other page of a game."""
    return discord.ui.Button(label=label, style=ButtonStyle.secondary, custom_id=f"{verb}:{slug}")


def _rules_by_family(say: Reader) -> dict[str, list[SelectOption]]:
    shelves: dict[str, list[SelectOption]] = {}
    for game in GAMES.values():
        tagline = shorten_text(say.in_context(game_context(game.slug), game.tagline), LONGEST_ENTRY)
        entry = SelectOption(
            label=shorten_text(common.format_title(say, game), LONGEST_ENTRY),
            value=game.slug,
            description=tagline,
        )
        shelves.setdefault(say.in_context(FAMILY, game.family.value), []).append(entry)
    unplayed = [
        SelectOption(
            label=shorten_text(say.in_context(game_context(page.slug), page.title), LONGEST_ENTRY),
            value=page.slug,
        )
        for page in UNPLAYED
    ]
    shelves[say("Not playable from our sources")] = unplayed
    return shelves


def leaderboard_controls(
    say: Reader, scope: str, pool: str, number: int, pages: int
) -> tuple[Item, ...]:
    """Return the buttons that turn a leaderboard's pages; none where there is one page."""
    turns = ((say("Back"), number - 1), (say("On"), number + 1))
    return tuple(
        discord.ui.Button[Any](
            label=label, style=ButtonStyle.secondary, custom_id=f"{RANKS}:{scope}:{pool}:{page}"
        )
        for label, page in turns
        if 0 <= page < pages
    )


def log_controls(say: Reader, number: int, pages: int) -> tuple[Item, ...]:
    """Return the buttons that turn the pages of a server's log; none where there is one page."""
    turns = ((say("Newer"), number - 1), (say("Older"), number + 1))
    return tuple(
        discord.ui.Button[Any](label=label, style=ButtonStyle.secondary, custom_id=f"{LOG}:{page}")
        for label, page in turns
        if 0 <= page < pages
    )


def seat_controls(say: Reader, offer: SeatOffer) -> tuple[Item, ...]:
    """Return the buttons that take a seat, or leave it to its holder."""
    return (
        discord.ui.Button(
            label=say("Take the seat"), style=ButtonStyle.success, custom_id=f"{SEAT}:take:{offer}"
        ),
        discord.ui.Button(
            label=say("Leave it"), style=ButtonStyle.secondary, custom_id=f"{SEAT}:leave:{offer}"
        ),
    )


def start_rounds_controls(say: Reader) -> tuple[Item, ...]:
    """Return the button that leads to the first match that waits for somebody."""
    return (_make_rounds_button(say("Next match waiting for me"), "next", 0, ButtonStyle.primary),)


def match_link_control(say: Reader, link: str) -> Item:
    """Return the button that leads to a match's message."""
    return discord.ui.Button(label=say("Go to match"), url=link)


def round_controls(say: Reader, session: MatchSession, link: str | None) -> tuple[Item, ...]:
    """Return the buttons that lead from a match that waits to its message and to its neighbours.

    Without a `link` there is no message, since the match can be shown nowhere.
    """
    return (
        *([match_link_control(say, link)] if link else []),
        _make_rounds_button(say("Back"), "back", session.id, ButtonStyle.secondary),
        _make_rounds_button(say("Next"), "next", session.id, ButtonStyle.primary),
    )


def _make_rounds_button(label: str, way: str, match: int, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{ROUNDS}:{way}:{match}")


def match_choice_menus(
    say: Reader, command: str, text: str, sessions: Sequence[MatchSession]
) -> tuple[Item, ...]:
    """Return the menus that ask which match a command was meant for.

    There are as many as all the matches need.
    """
    entries = [_match_option(say, session) for session in sessions]
    shelves = [entries[at : at + MOST_CHOICES] for at in range(0, len(entries), MOST_CHOICES)]
    return tuple(
        discord.ui.Select[Any](
            placeholder=say("Which match?"),
            options=shelf,
            # Numbered, as no two controls of a message may have the same id. What was typed comes
            # last, since it may have colons in it.
            custom_id=f"{CHOOSE_MATCH}:{number}:{command}:{text}",
        )
        for number, shelf in enumerate(shelves)
    )


def _match_option(say: Reader, session: MatchSession) -> SelectOption:
    game = common.format_title(say, session.match.game)
    gold, black = (common.format_names(say, session, side) for side in Side)
    return SelectOption(
        label=shorten_text(
            say("Match {number}, {game}", number=session.id, game=game), LONGEST_ENTRY
        ),
        value=str(session.id),
        description=shorten_text(
            say("{gold} against {black}", gold=gold, black=black), LONGEST_ENTRY
        ),
    )


def option_menus(say: Reader, game: Game, chosen: Mapping[str, str]) -> tuple[Item, ...]:
    """Return a menu for each house rule that can be agreed on beforehand.

    Each shows what is chosen.
    """
    return tuple(
        discord.ui.Select[Any](
            options=[
                _option_value(say, option, value, chosen) for value in option.values[:MOST_CHOICES]
            ],
            custom_id=f"{DRAFT}:{option.name}",
        )
        for option in game.options
        if not option.starter_chooses
    )


def _option_value(
    say: Reader, option: Option, value: OptionValue, chosen: Mapping[str, str]
) -> SelectOption:
    return SelectOption(
        label=shorten_text(f"{option.name}: {value.name}", LONGEST_ENTRY),
        value=value.name,
        description=shorten_text(
            say.in_context(option_context(option.name), value.meaning), LONGEST_ENTRY
        ),
        default=chosen.get(option.name, option.default_value.name) == value.name,
    )


def first_game_controls(say: Reader) -> tuple[Item, ...]:
    """Return the buttons that lead to a first game in one press, and to its rules."""
    offers = [
        discord.ui.Button[Any](
            label=say("Play me now"),
            style=ButtonStyle.success,
            custom_id=_computer_control_id(FIRST_GAME),
        ),
        *(
            discord.ui.Button[Any](
                label=label, style=ButtonStyle.primary, custom_id=f"{BEGIN}:{slug}"
            )
            for slug, label in (
                ("twelve-dogs", say("Offer a quick game")),
                (FIRST_GAME, say("Offer a race")),
            )
        ),
    ]
    return (*offers, all_games_control(say))


def all_games_control(say: Reader) -> Item:
    """Return the button that leads to the rules of every game, which works anywhere."""
    return discord.ui.Button(
        label=say("All games"), style=ButtonStyle.secondary, custom_id=f"{BEGIN}:rules"
    )


def computer_controls(say: Reader) -> tuple[Item, ...]:
    """Return the buttons that begin a match against the computer."""
    return tuple(
        discord.ui.Button[Any](
            label=shorten_text(common.format_title(say, GAMES[slug]), LONGEST_LABEL),
            style=ButtonStyle.primary,
            custom_id=_computer_control_id(slug),
        )
        for slug in OFFERED_GAMES
    )


def _computer_control_id(slug: str) -> str:
    return f"{PLAY_COMPUTER}:{slug}:{DEFAULT_LEVEL.value}"
