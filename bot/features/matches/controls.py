"""Buttons and menus of a match, and playing by pressing: a button a move, a menu of whole plays."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial, reduce
from typing import Any, TypeAlias

import discord
from discord import ButtonStyle, SelectOption

from bot.features.matches.event_texts import describe_play
from bot.features.matches.service import list_plays_with_remarks
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import format_names
from bot.platform.features import ExtensionPoint
from bot.platform.i18n import common
from bot.platform.i18n.common import keep_together
from bot.platform.i18n.reader import Reader
from bot.platform.people import COMPUTERS
from bot.platform.ui.card import Item
from bot.platform.ui.controls import (
    MAX_CHOICES,
    MAX_ENTRY_LENGTH,
    MAX_LABEL_LENGTH,
    MenuEntry,
    MenuId,
    VerbScope,
    build_button,
    build_menu,
    declare_verb,
)
from bot.platform.ui.icons import IconEmoji
from engine.match import SIDE, SIX, Match, Phase
from engine.move import Move
from engine.notation import format_play
from engine.plays import list_one_man_plays, make_move
from engine.position import Side
from engine.rules import Option, OptionValue
from render.characters import shorten_text
from render.icons import DICE, name_bar, name_die, name_hit, name_man

ACT = declare_verb("match", VerbScope.ACTION)
"""Act in a match."""
PLAY = declare_verb("plays", VerbScope.ACTION)
"""Play from a menu."""
MAN = declare_verb("man", VerbScope.STATE)
"""Say which man moves, or go back to all of them."""
ASK = declare_verb("ask", VerbScope.NUMBER)
"""Ask about a match."""
MATCH_LIST = "matches"
"""List somebody's matches."""
ROUNDS = "rounds"
"""Go through the matches that wait for somebody."""
BRING = "bring"
"""Bring a match that can be shown nowhere to a channel."""
CHOOSE_MATCH = "which"
"""Say which match is meant."""
FIRST_MENU_ID = 1000
"""Where the numbers of menus begin, clear of those that Discord gives other parts."""
MENUS_PER_VERSION = 20
"""How many numbers of menus each version of a match has: more than three dice sum up to."""
MAX_MENU_PLAYS = 3 * MAX_CHOICES
"""Whole plays in the menus of a match's message: with more menus it would have no end."""
MAX_MOVES = (20, 18, 16, 15)
"""Buttons of moves on one message beside no menu of whole plays, one, two or three.

Rows and menus take room as well. Where there are more, one first says which man moves.
"""
_ALL_KEYCAPS = 9


class CardPart(StrEnum):
    """The messages of a match under which features put their buttons.

    `OPENING` is a turn's while the match is young. `MORE` is private, as is `PAST`, the same of a
    finished match.
    """

    TURN = "turn"
    OPENING = "opening"
    END = "end"
    MORE = "more"
    PAST = "past"


BuildControls: TypeAlias = Callable[[Reader, MatchSession], Iterable[Item]]

CARD_CONTROLS: Mapping[CardPart, ExtensionPoint[BuildControls]] = {
    part: ExtensionPoint() for part in CardPart
}
"""The buttons and menus that features put under the messages of a match."""

BuildGameControl: TypeAlias = Callable[[Reader, str], Item]

GAME_CONTROLS: ExtensionPoint[BuildGameControl] = ExtensionPoint()
"""Buttons for a game, by its slug, where people meet it outside of a match."""


def list_game_controls(say: Reader, slug: str) -> list[Item]:
    """Return what features put beside a game where people meet it outside of a match."""
    return [build(say, slug) for build in GAME_CONTROLS.list_functions()]


def card_controls(part: CardPart, order: int) -> Callable[[BuildControls], BuildControls]:
    """Declare what a feature puts under a message of a match; those of a low `order` come first."""
    return CARD_CONTROLS[part].add(order)


def build_card_controls(part: CardPart, say: Reader, session: MatchSession) -> tuple[Item, ...]:
    """Return the buttons and menus under a message of a match."""
    builders = CARD_CONTROLS[part].list_extensions()
    if part is CardPart.TURN and session.match.may_abort():
        builders += CARD_CONTROLS[CardPart.OPENING].list_extensions()
    return tuple(
        item
        for each in sorted(builders, key=lambda each: each.order)
        for item in each.function(say, session)
    )


def build_action_button(
    session: MatchSession,
    act: str,
    label: str,
    style: ButtonStyle,
    value: str | None = None,
    emoji: IconEmoji | None = None,
) -> discord.ui.Button[Any]:
    """Return the button for an act, with the value that it settles where it settles one."""
    custom_id = ":".join(
        filter(None, (ACT, str(session.id), str(session.match.version), act, value))
    )
    return discord.ui.Button(
        label=shorten_text(label, MAX_LABEL_LENGTH), style=style, custom_id=custom_id, emoji=emoji
    )


def timeout_controls(say: Reader, session: MatchSession) -> tuple[Item, ...]:
    """Return the buttons for those who wait for a side that is out of time."""
    return (
        build_action_button(session, "claim", say("Claim the win"), ButtonStyle.danger),
        build_action_button(session, "grant", say("Give more time"), ButtonStyle.secondary),
    )


def bring_control(say: Reader, session: MatchSession, channel: int, name: str) -> Item:
    """Return the button by which a match is brought to a channel."""
    return discord.ui.Button(
        label=shorten_text(say("Continue in #{channel}", channel=name), MAX_LABEL_LENGTH),
        style=ButtonStyle.primary,
        custom_id=f"{BRING}:{session.id}:{channel}",
    )


@card_controls(CardPart.TURN, 20)
def _draw_offer_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.match.drawing is not None and not session.is_computer_acting:
        yield build_action_button(session, "agree", say("Accept the draw"), ButtonStyle.success)
        yield build_action_button(
            session, "decline", say("Decline the draw"), ButtonStyle.secondary
        )


def build_decision_controls(
    say: Reader, session: MatchSession, man: int | None = None
) -> Iterator[Item]:
    """Yield the controls for what is to be decided: to play it, the moves of all men or of one."""
    if session.is_computer_acting:
        return
    match = session.match
    match match.phase:
        case Phase.BATTLE | Phase.BREAK_ROLL | Phase.THROW if not session.is_throw_coming:
            # Translators: button: throws the dice (verb).
            label = say("Roll")
            yield build_action_button(
                session, "roll", label, ButtonStyle.primary, emoji=IconEmoji(DICE)
            )
        case Phase.OPENING | Phase.BREAK:
            assert match.choice is not None
            for value in match.choice.values:
                label = _format_choice(say, match.choice, value)
                yield build_action_button(
                    session,
                    match.choice.name,
                    label,
                    ButtonStyle.primary,
                    value.name,
                    IconEmoji(name_man(Side(value.name))) if match.choice is SIDE else None,
                )
        case Phase.CHOOSE:
            for number in sorted(set(match.thrown)):
                label = say("Turn the {number} into a six", number=number)
                if number == match.rules.dice.presumed:
                    label = say("Keep the six")
                yield build_action_button(
                    session,
                    SIX,
                    label,
                    ButtonStyle.primary,
                    str(number),
                    IconEmoji(name_die(match.turn, number)),
                )
        case Phase.PLAY | Phase.OFFER:
            yield from build_play_controls(say, session, man)
            if match.phase is Phase.OFFER:
                # Translators: button: doesn't play the number that the other side couldn't play.
                yield build_action_button(
                    session, "leave", say("Leave the number"), ButtonStyle.secondary
                )


def _format_choice(say: Reader, choice: Option, value: OptionValue) -> str:
    """Write a choice's value: a side by its name, anything else as it is typed."""
    return common.format_side(say, value.name) if choice is SIDE else value.name


@card_controls(CardPart.TURN, 40)
def _take_back_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.person_to_take_back is not None and session.person_to_take_back not in COMPUTERS:
        yield build_action_button(session, "back", say("Take back"), ButtonStyle.secondary)
    elif session.is_solo and session.find_turn_to_take_back(session.human_players[0]) is not None:
        yield build_action_button(session, "back", say("Take back my turn"), ButtonStyle.secondary)


@card_controls(CardPart.TURN, 30)
def _late_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.late:
        yield from timeout_controls(say, session)


@card_controls(CardPart.TURN, 60)
def _more_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    # Translators: button: shows what else can be done in a match.
    yield build_ask_button(session, "more", say("More…"))


@card_controls(CardPart.MORE, 20)
def _board_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    """Yield the buttons that show a match in other ways, and how its dice fall."""
    yield build_ask_button(session, "text", say("Board as text"))
    yield build_ask_button(session, "flip", say("From the other side"))
    yield build_ask_button(session, "dice", say("Fair dice"))


@card_controls(CardPart.END, 30)
def _end_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    """Yield the buttons that show a finished match once more, and lead to what few ask for."""
    # Translators: button: shows a finished match as a moving picture (verb).
    yield build_ask_button(session, "replay", say("Watch again"))
    yield from _more_control(say, session)


@card_controls(CardPart.PAST, 10)
def _past_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    """Yield the buttons that ask how the dice of a finished match fell, and for its record."""
    # Translators: button: checks that the dice of a match were fair (verb).
    yield build_ask_button(session, "verify", say("Verify"))
    yield build_ask_button(session, "dice", say("Fair dice"))
    # Translators: button: gives a file in which a finished match is written down (noun).
    yield build_ask_button(session, "record", say("Record"))


def build_ask_button(session: MatchSession, what: str, label: str) -> Item:
    """Return the button that asks about a match."""
    return discord.ui.Button(
        label=label, style=ButtonStyle.secondary, custom_id=f"{ASK}:{session.id}:{what}"
    )


def start_rounds_controls(say: Reader) -> tuple[Item, ...]:
    """Return the button that leads to the first match that waits for somebody."""
    return (_build_rounds_button(say("Next match waiting for me"), "next", 0, ButtonStyle.primary),)


def match_list_control(say: Reader) -> Item:
    """Return the button that lists somebody's matches."""
    return build_button(say("My matches"), MATCH_LIST)


def match_link_control(say: Reader, link: str) -> Item:
    """Return the button that leads to a match's message."""
    return discord.ui.Button(label=say("Go to match"), url=link)


def round_controls(say: Reader, session: MatchSession, link: str | None) -> tuple[Item, ...]:
    """Return the buttons that lead from a match that waits to its message and to its neighbours.

    Without a `link` there is no message, since the match can be shown nowhere.
    """
    return (
        *([match_link_control(say, link)] if link else []),
        # Translators: button: shows the previous one of the matches that wait for the reader.
        _build_rounds_button(say("Back"), "back", session.id, ButtonStyle.secondary),
        # Translators: button: shows the next one of the matches that wait for the reader.
        _build_rounds_button(say("Next"), "next", session.id, ButtonStyle.primary),
    )


def _build_rounds_button(label: str, way: str, match: int, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{ROUNDS}:{way}:{match}")


def match_choice_menus(
    say: Reader, command: str, text: str, sessions: Sequence[MatchSession]
) -> tuple[Item, ...]:
    """Return the menus that ask which match a command was meant for.

    There are as many as all the matches need.
    """
    entries = [_match_option(say, session) for session in sessions]
    shelves = [entries[at : at + MAX_CHOICES] for at in range(0, len(entries), MAX_CHOICES)]
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
    gold, black = (format_names(say, session, side) for side in Side)
    return SelectOption(
        label=shorten_text(
            say("Match {number}, {game}", number=session.id, game=game), MAX_ENTRY_LENGTH
        ),
        value=str(session.id),
        description=shorten_text(
            say("{gold} against {black}", gold=gold, black=black), MAX_ENTRY_LENGTH
        ),
    )


def build_play_controls(say: Reader, session: MatchSession, man: int | None) -> Iterator[Item]:
    """Yield the controls by which the throw is played.

    They are the moves of all men, or of the man on a place; or first the men, where their moves are
    too many.
    """
    match = session.match
    menus = _count_play_menus(match)
    room = MAX_MOVES[menus]
    buttons = list_button_plays(match, room)
    if man is not None:
        yield from _build_move_buttons(session, [each for each in buttons if each[0][0] == man])
        yield _build_man_button(session, say("Another man"), "")
        return
    if len(buttons) <= room:
        yield from _build_move_buttons(session, buttons)
    else:
        for source in sorted({play[0].source for play in buttons}):
            name = match.rules.board.place_names[source]
            find_icon = name_bar if source in match.rules.board.bars else name_man
            yield _build_man_button(
                session, keep_together(f"{name}-…"), name, IconEmoji(find_icon(match.turn))
            )
    if menus:
        yield from _build_play_menus(say, match, lambda number: _build_menu_id(session, number))


def count_button_room(match: Match) -> int:
    """Return how many buttons of moves a match's message has room for."""
    return MAX_MOVES[_count_play_menus(match)]


def _count_play_menus(match: Match) -> int:
    plays = match.plays
    # Where each play is one move, the buttons have them all.
    if len(plays) > MAX_MENU_PLAYS or all(len(play.moves) <= 1 for play in plays):
        return 0
    return -(-len(plays) // MAX_CHOICES)


def list_button_plays(match: Match, limit: int | None = None) -> list[tuple[Move, ...]]:
    """List what has a button: each next move, and whole plays if there is room beside the moves.

    They are all whole plays, or else those that one man makes alone. `limit` is how many buttons
    there is room for, if not as many as a match's message has.
    """
    limit = count_button_room(match) if limit is None else limit
    moves: list[tuple[Move, ...]] = [(move,) for move in sorted(match.list_next_moves())]
    if len(moves) > limit:
        return moves
    by_one = list_one_man_plays(match.rules, match.position, match.duty)
    # There may be thousands of plays, which are not to be written out in vain.
    if len(match.plays) <= limit:
        # Of the plays that end alike, the one by a single man is the shortest to read.
        ends = {reduce(partial(make_move, match.rules), each, match.position) for each in by_one}
        whole = [play.moves for play in match.plays if len(play.moves) > 1 and play.end not in ends]
        if len(moves) + len(by_one) + len(whole) <= limit:
            return sorted([*moves, *by_one, *whole])
    return sorted([*moves, *by_one]) if len(moves) + len(by_one) <= limit else moves


def _build_move_buttons(session: MatchSession, plays: Sequence[tuple[Move, ...]]) -> Iterator[Item]:
    match = session.match
    for play in plays:
        text = format_play(play, match.rules, match.position)
        yield build_action_button(
            session,
            "move",
            keep_together(text),
            ButtonStyle.primary,
            text,
            build_play_emoji(match, play),
        )


def build_play_emoji(match: Match, play: Sequence[Move]) -> IconEmoji:
    """Return the icon of a play's button; without icons a move has its number, a sum nothing."""
    number = play[0].number
    has_keycap = len(play) == 1 and number <= _ALL_KEYCAPS
    keycap = f"{number}\N{VARIATION SELECTOR-16}\u20e3" if has_keycap else ""
    return IconEmoji(_find_play_icon(match, play), keycap)


def _find_play_icon(match: Match, play: Sequence[Move]) -> str:
    """Return the name of a move's die; of several the hit, or else the bar; "" for none."""
    if len(play) == 1 and not play[0].added:
        return name_die(match.turn, play[0].number, hits=play[0].hit)
    if any(move.hit for move in play):
        return name_hit(match.turn.other)
    if any(move.source in match.rules.board.bars for move in play):
        return name_bar(match.turn)
    return ""


def _build_man_button(
    session: MatchSession, label: str, place: str, emoji: IconEmoji | None = None
) -> Item:
    return discord.ui.Button(
        label=label,
        emoji=emoji,
        style=ButtonStyle.primary if place else ButtonStyle.secondary,
        custom_id=f"{MAN}:{session.id}:{session.match.version}:{place}",
    )


def _build_menu_id(session: MatchSession, number: int) -> MenuId:
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
    if len(match.plays) <= MAX_CHOICES:
        yield from _build_play_menus(say, match, named)
        return
    moves = match.list_next_moves()
    if len(moves) <= MAX_CHOICES:
        yield build_menu(named(0), say("Make a move"), _menu_entries(match, moves))
        return
    for number in sorted({move.number for move in moves}, reverse=True):
        with_it = [move for move in moves if move.number == number]
        placeholder = say("Move with the {number}", number=number)
        yield build_menu(named(number), placeholder, _menu_entries(match, with_it))


def _build_play_menus(say: Reader, match: Match, named: Callable[[int], MenuId]) -> Iterator[Item]:
    """Yield menus of all whole plays in their order, as many in each as in the others."""
    plays = list_plays_with_remarks(match)
    count = -(-len(plays) // MAX_CHOICES)
    for number in range(count):
        start, end = len(plays) * number // count, len(plays) * (number + 1) // count
        shelf = plays[start:end]
        entries = [
            MenuEntry(
                text,
                describe_play(say, match, play, remark),
                _find_play_icon(match, play.moves) if play.moves else "",
            )
            for text, play, remark in shelf
        ]
        if count == 1:
            placeholder = say.plural(
                "Play the only legal play", "Choose one of {n} plays", len(plays)
            )
        else:
            # Translators: what a menu holds, of a list in several menus: "Plays 1 to 20 of 40".
            placeholder = say(
                "Plays {first} to {last} of {n}", first=start + 1, last=end, n=len(plays)
            )
        yield build_menu(named(number), placeholder, entries)


def _menu_entries(match: Match, moves: Sequence[Move]) -> list[MenuEntry]:
    return [
        MenuEntry(
            format_play((move,), match.rules, match.position),
            icon=_find_play_icon(match, (move,)),
        )
        for move in moves
    ]
