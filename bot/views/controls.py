"""Buttons and menus. Each carries in its id all that is needed to act on it, so it works after any restart.

The ids of a match's controls name the match and its version, so that one from an earlier moment is known as stale.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import discord
from discord import ButtonStyle, SelectOption

from bot.app.suggest import whole_plays_with_remarks
from bot.app.table import Table
from bot.store import Challenge
from engine.games import GAMES
from engine.games.unplayed import UNPLAYED
from engine.match import SIX, Phase
from engine.move import Move
from engine.notation import format_play
from engine.position import Side

Item: TypeAlias = discord.ui.Item[Any]

MOST_CHOICES = 25
"""Entries that one menu can have."""

MENU_IDS, MENUS = 1000, 10
"""Where the numbers of menus begin, clear of those that Discord gives other parts; and how many each version has."""

ACTION_ID = r"match:(?P<match>\d+):(?P<version>\d+):(?P<act>[a-z]+)(?::(?P<value>[\w-]+))?"
PLAYS_ID = r"plays:(?P<match>\d+):(?P<version>\d+):(?P<menu>\d+)"
INVITE_ID = r"invite:(?P<invitation>\d+):(?P<act>[a-z]+)"
RANKS_ID = r"ranks:(?P<scope>[a-z]+):(?P<pool>[\w-]+):(?P<page>\d+)"
RULES_ID = r"rules:(?:game|family)"
WHICH_ID = r"which:(?P<command>[a-z]+):(?P<text>.*)"


def turn_controls(table: Table) -> tuple[Item, ...]:
    """Return the buttons and menus for what the match waits for."""
    return (*_decisions(table), *_take_back(table))


def _decisions(table: Table) -> Iterator[Item]:
    match = table.match
    match match.phase:
        case Phase.BATTLE | Phase.CONTEST | Phase.THROW:
            yield _action(table, "roll", "Roll", ButtonStyle.primary)
        case Phase.OPENING | Phase.BREAK:
            assert match.choice is not None
            for value in match.choice.values:
                yield _action(table, match.choice.name, value.name, ButtonStyle.primary, value.name)
        case Phase.CHOOSE:
            for number in sorted(set(match.thrown)):
                yield _action(table, SIX, f"Turn the {number} into a six", ButtonStyle.primary, str(number))
        case Phase.PLAY:
            yield from _menus(table)
        case Phase.OFFER:
            yield from _menus(table)
            yield _action(table, "leave", "Leave it", ButtonStyle.secondary)


def _take_back(table: Table) -> Iterator[Item]:
    if table.match.may_take_back():
        yield _action(table, "back", "Take back", ButtonStyle.secondary)


def rematch_control(table: Table) -> Item:
    """Return the button that offers the same match again with sides swapped."""
    return _action(table, "rematch", "Rematch", ButtonStyle.primary)


def _action(table: Table, act: str, label: str, style: ButtonStyle, value: str | None = None) -> Item:
    custom_id = ":".join(filter(None, ("match", str(table.id), str(table.match.version), act, value)))
    return discord.ui.Button(label=label, style=style, custom_id=custom_id)


def _menus(table: Table) -> Iterator[Item]:
    """Whole plays where they fit in one menu, else the next moves, in a menu for each number if there are many."""
    if len(table.match.plays) <= MOST_CHOICES:
        plays = whole_plays_with_remarks(table.match)
        ways = "the one way" if len(plays) == 1 else f"one of {len(plays)} ways"
        yield _menu(table, 0, f"Play {ways}", plays)
        return
    moves = table.match.next_moves()
    if len(moves) <= MOST_CHOICES:
        yield _menu(table, 0, "Make a move", _texts(table, moves))
        return
    for number in sorted({move.number for move in moves}, reverse=True):
        with_it = [move for move in moves if move.number == number]
        yield _menu(table, number, f"Make a move with the {number}", _texts(table, with_it))


def _texts(table: Table, moves: Sequence[Move]) -> list[tuple[str, str]]:
    return [(format_play((move,), table.match.rules, table.match.position), "") for move in moves]


def _menu(table: Table, number: int, placeholder: str, entries: Sequence[tuple[str, str]]) -> Item:
    return discord.ui.Select(
        placeholder=placeholder,
        options=[SelectOption(label=text, value=text, description=remark or None) for text, remark in entries],
        custom_id=f"plays:{table.id}:{table.match.version}:{number}",
        # A client goes on showing what was chosen, and does not let it be chosen again, until the menu is another one.
        id=MENU_IDS + table.match.version * MENUS + number,
    )


def invitation_controls(invitation: Challenge) -> tuple[Item, ...]:
    """Return the buttons under a challenge: one to accept, or one a side between teams, to decline, and the rules."""
    answers = [("accept", "Accept")] if invitation.players == 1 else [(side.value, f"Join {side}") for side in Side]
    buttons = [
        discord.ui.Button[Any](label=label, style=ButtonStyle.success, custom_id=f"invite:{invitation.id}:{act}")
        for act, label in answers
    ]
    decline = "Decline" if invitation.opponent else "Withdraw"
    buttons.append(
        discord.ui.Button(label=decline, style=ButtonStyle.secondary, custom_id=f"invite:{invitation.id}:decline")
    )
    buttons.append(
        discord.ui.Button(label="Rules", style=ButtonStyle.secondary, custom_id=f"invite:{invitation.id}:rules")
    )
    return tuple(buttons)


def rules_menus(slug: str) -> tuple[Item, Item]:
    """Return the menus that lead to every rules page: the games beside this one, and the other families of games."""
    shelves = _shelves()
    beside = next(shelf for shelf in shelves.values() if slug in (entry.value for entry in shelf))
    families = [SelectOption(label=name, value=shelf[0].value) for name, shelf in shelves.items()]
    return (
        discord.ui.Select(placeholder="The rules of another game", options=list(beside), custom_id="rules:game"),
        discord.ui.Select(placeholder="Other games", options=families, custom_id="rules:family"),
    )


def _shelves() -> dict[str, list[SelectOption]]:
    shelves: dict[str, list[SelectOption]] = {}
    for game in GAMES.values():
        entry = SelectOption(label=game.title, value=game.slug, description=game.tagline[:100])
        shelves.setdefault(game.family.value, []).append(entry)
    shelves["Not playable from our sources"] = [SelectOption(label=page.title, value=page.slug) for page in UNPLAYED]
    return shelves


def rank_controls(scope: str, pool: str, number: int, pages: int) -> tuple[Item, ...]:
    """Return the buttons that turn a leaderboard's pages; none where there is one page."""
    turns = (("Back", number - 1), ("On", number + 1))
    return tuple(
        discord.ui.Button[Any](
            label=label, style=ButtonStyle.secondary, custom_id=f"ranks:{scope}:{pool}:{page}", disabled=False
        )
        for label, page in turns
        if 0 <= page < pages
    )


def which_menu(command: str, text: str, tables: Sequence[Table]) -> Item:
    """Return the menu that asks which match a command was meant for."""
    options = [
        SelectOption(
            label=f"Match {table.id}, {table.match.game.title}"[:100],
            value=str(table.id),
            description=f"{table.side_names(Side.GOLD)} against {table.side_names(Side.BLACK)}"[:100],
        )
        for table in tables[:MOST_CHOICES]
    ]
    return discord.ui.Select(placeholder="Which match?", options=options, custom_id=f"which:{command}:{text}")
