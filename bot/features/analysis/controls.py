"""Buttons of an analysis: look at another of the best plays, share it, propose, reveal."""

from collections.abc import Iterator

import discord
from discord import ButtonStyle

from bot.features.analysis.service import Analysis, Findings
from bot.features.hints.controls import prospect_controls
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import VerbScope, declare_verb

ANALYSIS = declare_verb("analysis", VerbScope.NUMBER)
"""Act in an analysis."""
SHOW, SHARE, PROPOSE, PLAY, REVEAL = "show", "share", "propose", "play", "reveal"
"""What the controls of an analysis do."""


def analysis_controls(say: Reader, found: Findings, *, shareable: bool) -> Iterator[Item]:
    """Yield the buttons of an analysis that one person sees."""
    if found.advice:
        yield from prospect_controls(found.advice, make_id(found.analysis, SHOW, ""))
    if shareable and found.analysis.is_question:
        # Translators: button: posts the analysis in the channel, where everyone can see it (verb).
        yield make_button(found.analysis, SHARE, say("Share"), ButtonStyle.success)


def make_button(analysis: Analysis, act: str, label: str, style: ButtonStyle) -> Item:
    """Return a button of an analysis."""
    return discord.ui.Button(label=label, style=style, custom_id=make_id(analysis, act))


def make_id(analysis: Analysis, act: str, *rest: object) -> str:
    """Return the id of a control of an analysis."""
    return ":".join((ANALYSIS, str(analysis.row.id), act, *map(str, rest)))
