"""What people do in the club, by what they see there."""

import re
from typing import Any

import discord
import simcord

from tests.bot.conftest import Club


def labels(message: discord.Message | None) -> list[str]:
    """The labels of a message's buttons."""
    return [child.label or "" for child in _children(message) if isinstance(child, discord.Button)]


def menus(message: discord.Message | None) -> list[discord.SelectMenu]:
    """The menus of a message."""
    return [child for child in _children(message) if isinstance(child, discord.SelectMenu)]


def _children(message: discord.Message | None) -> list[Any]:
    rows = message.components if message else []
    return [child for row in rows if isinstance(row, discord.ActionRow) for child in row.children]


def newest(club: Club) -> discord.Message:
    """The newest message that everyone sees."""
    seen = [message for message in club.channel.history() if not message.flags.ephemeral]
    return seen[-1]


def called(club: Club) -> simcord.MemberActor:
    """The one whom the newest message's last line calls."""
    last = newest(club).content.splitlines()[-1]
    found = re.search(r"<@(\d+)>", last)
    assert found, last
    return next(person for person in (club.ana, club.ben, club.cyn) if person.id == int(found[1]))


async def begin(club: Club, game: str, **options: Any) -> None:
    """Ana challenges Ben, who accepts."""
    await club.ana.slash(club.channel, "challenge", game=game, opponent=club.ben, **options)
    await club.ben.click(newest(club), label="Accept")


async def step(club: Club) -> bool:
    """Do the next thing that somebody is asked for, by its button or menu; False when the match is over."""
    message, names = newest(club), labels(newest(club))
    if "Rematch" in names:
        return False
    person = called(club)
    if menus(message):
        menu = menus(message)[0]
        await person.select(message, custom_id=menu.custom_id, values=[menu.options[0].value])
    else:
        await person.click(message, label=next(name for name in names if name != "Take back"))
    return True
