"""What of a server and of oneself is on public pages: rows of their settings, and the words."""

from collections.abc import Sequence

from bot.features.pages import service
from bot.features.pages.service import has_pages, request_pages
from bot.features.preferences.cards import SECTION_ROWS as OWN_ROWS
from bot.features.preferences.cards import OwnSection
from bot.features.preferences.commands import show_section as show_own_section
from bot.features.servers.cards import SECTION_ROWS, ServerPanel
from bot.features.servers.commands import show_section
from bot.platform.i18n.common import join_sentences
from bot.platform.i18n.reader import Reader
from bot.platform.ui.access import require_manager
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import PanelRow
from bot.platform.ui.channels import SIGHT_CHANGES
from bot.platform.ui.controls import build_switch, parse_switch
from bot.platform.ui.declarations import press
from bot.platform.ui.panels import format_saved

SERVER_PAGES = "serverpages"
"""Choose whether a server has public pages."""
OWN_PAGES = "ownpages"
"""Choose whether public pages name oneself."""


@SECTION_ROWS[ServerPanel.PUBLIC].add(20)
async def load_server_row(answer: InteractionAnswer) -> Sequence[PanelRow]:
    """Return whether a server has public pages, to be chosen."""
    say = answer.reader
    are_on = await service.has_server_pages(answer.app, answer.guild)
    text = (
        say("**Public pages**: on\n-# Results and names on this bot's website, for everyone")
        if are_on
        else say("**Public pages**: off\n-# Results and names on this bot's website, for everyone")
    )
    return [PanelRow(text, build_switch(say, SERVER_PAGES, is_on=are_on))]


@press(SERVER_PAGES)
async def choose_server_pages(answer: InteractionAnswer, state: str) -> None:
    """Choose whether results of a server are on public web pages."""
    require_manager(answer.interaction)
    are_on = parse_switch(state)
    await service.choose_server_pages(answer.app, answer.guild, are_on=are_on)
    say = answer.reader
    text = format_server_pages(say, are_on=are_on, is_written=has_pages(answer.app))
    await show_section(answer, ServerPanel.PUBLIC, format_saved(say, text))


@OWN_ROWS[OwnSection.PRIVACY].add(20)
async def load_own_row(answer: InteractionAnswer) -> Sequence[PanelRow]:
    """Return whether public pages name somebody, to be chosen."""
    say = answer.reader
    is_named = await service.is_named_on_pages(answer.app, answer.person.id)
    text = (
        say("**My name on public pages**: on\n-# Of servers that publish their results")
        if is_named
        else say("**My name on public pages**: off\n-# Of servers that publish their results")
    )
    return [PanelRow(text, build_switch(say, OWN_PAGES, is_on=is_named))]


@press(OWN_PAGES, everywhere=True)
async def choose_own_pages(answer: InteractionAnswer, state: str) -> None:
    """Choose whether public web pages of servers name somebody."""
    is_named = parse_switch(state)
    await service.choose_own_pages(answer.app, answer.person, is_named=is_named)
    say = answer.reader
    text = format_own_pages(say, is_named=is_named, is_written=has_pages(answer.app))
    await show_own_section(answer, OwnSection.PRIVACY, format_saved(say, text))


@SIGHT_CHANGES.add()
async def follow_sight(client: AppClient, _: int) -> None:
    """Write the pages anew, which show only what everybody sees."""
    request_pages(client.app)


def format_server_pages(say: Reader, *, are_on: bool, is_written: bool) -> str:
    """Say whether a server has public pages; `is_written` is whether there is a place for any."""
    if not are_on:
        return say(
            "This server has no public pages. Turned on, they show leaderboards, leagues, "
            "tournaments, ladders and finished matches, with the members' names, to everyone who "
            "reads the website of this bot."
        )
    text = say(
        "This server has public pages: its leaderboards, leagues, tournaments, ladders and "
        "finished matches can be read outside Discord. What happens in channels that some members "
        "can't see is left out. Members who don't want to be named there turn "
        "that off in `/me settings`."
    )
    return text if is_written else join_sentences(say, text, _say_unwritten(say))


def format_own_pages(say: Reader, *, is_named: bool, is_written: bool) -> str:
    """Tell somebody whether public pages name them."""
    if is_named:
        text = say("Where a server has public pages, they name you.")
        return text if is_written else join_sentences(say, text, _say_unwritten(say))
    return say(
        "Public pages don't name you: you're “a player” there, and records with a word that you "
        "gave to the dice are left out. Pages that named you are replaced within minutes; copies "
        "that others made of them are out of my reach."
    )


def _say_unwritten(say: Reader) -> str:
    return say(
        "At present this bot writes no pages: the person who runs it hasn't set a place for them."
    )
