"""A button that acts in a match, in the state in which it was shown."""

from typing import Any

import discord
from discord import ButtonStyle

from bot.features.matches.session import MatchSession
from bot.platform.ui.controls import LONGEST_LABEL, VerbScope, declare_verb
from render.characters import shorten_text

ACT = declare_verb("match", VerbScope.ACTION)
"""Act in a match."""


def make_action_button(
    session: MatchSession, act: str, label: str, style: ButtonStyle, value: str | None = None
) -> discord.ui.Button[Any]:
    """Return the button for an act, with the value that it settles where it settles one."""
    custom_id = ":".join(
        filter(None, (ACT, str(session.id), str(session.match.version), act, value))
    )
    return discord.ui.Button(
        label=shorten_text(label, LONGEST_LABEL), style=style, custom_id=custom_id
    )
