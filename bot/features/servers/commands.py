"""What server managers choose for their server: /server settings."""

from dataclasses import replace

import discord

from bot.features.preferences.service import change_style, load_style
from bot.features.servers import cards, service
from bot.features.servers.cards import ServerPanel
from bot.features.servers.delivery import load_missing_permissions
from bot.platform.db.preferences import SERVER_STYLE
from bot.platform.i18n.reader import Reader
from bot.platform.ui.access import require_manager
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, PanelRow
from bot.platform.ui.controls import get_selection, parse_choice
from bot.platform.ui.declarations import command, press, server_group
from bot.platform.ui.layout import load_view
from bot.platform.ui.panels import build_language_menu, format_language, format_saved, read_language


@command(group=server_group, order=50)
async def settings(answer: InteractionAnswer) -> None:
    """See and change this server's settings, and check my permissions."""
    require_manager(answer.interaction)
    await answer.send(await _build_section(answer, ServerPanel.MATCHES))


@press(cards.SERVER_PANEL)
async def show_server_panel(answer: InteractionAnswer, panel: str = "") -> None:
    """Show another section of the server's settings in place of this one."""
    require_manager(answer.interaction)
    # Messages of earlier versions have a button for each.
    section = parse_choice(ServerPanel, panel or get_selection(answer.interaction))
    await show_section(answer, section)


def _build_form(interaction: Interaction, name: str, value: str = "") -> discord.ui.Modal | None:
    return cards.MATCH_SETTINGS.build_form(interaction, name)


@press(cards.SERVER_CHOICE, modal=_build_form)
async def choose_for_server(answer: InteractionAnswer, name: str, value: str = "") -> None:
    """Save what was chosen in a section of a server's settings, and show it there."""
    require_manager(answer.interaction)
    app, guild, interaction, say = answer.app, answer.guild, answer.interaction, answer.reader
    if name in cards.BOARD_SETTINGS:
        restyle = cards.BOARD_SETTINGS.read_change(interaction, name, value)
        await change_style(app, SERVER_STYLE, guild, restyle)
        style = await load_style(app, SERVER_STYLE, guild)
        saved = cards.BOARD_SETTINGS.format_saved(say, name, style)
    else:
        change = cards.MATCH_SETTINGS.read_change(interaction, name, value)
        after = await service.update_server(app, guild, change)
        saved = cards.MATCH_SETTINGS.format_saved(say, name, after)
    await show_section(answer, cards.find_section(name), saved)


async def show_section(answer: InteractionAnswer, section: ServerPanel, saved: str = "") -> None:
    """Show a section of the server's settings in place of the pressed message.

    `saved` says what was just chosen. Raises DeclinedError unless the person may manage the server.
    """
    require_manager(answer.interaction)
    await answer.edit_message(await _build_section(answer, section, saved))


async def _build_section(answer: InteractionAnswer, section: ServerPanel, saved: str = "") -> Card:
    app, guild, say = answer.app, answer.guild, answer.reader
    if section is ServerPanel.BOARDS:
        style = await load_style(app, SERVER_STYLE, guild)
        view = await load_view(app, SERVER_STYLE, guild, {})
        return cards.board_section_card(say, style, view, saved)
    chosen = await service.load_settings(app, guild)
    rows: list[PanelRow] = []
    if names := cards.SECTION_SETTINGS.get(section):
        rows += cards.MATCH_SETTINGS.build_rows(say, chosen, *names)
    for load in cards.SECTION_ROWS[section].list_functions():
        rows += await load(answer)
    lacks = None
    if section is not ServerPanel.PUBLIC:
        lacks = await load_missing_permissions(answer.client, guild, chosen)
    reset = None
    if section is ServerPanel.MATCHES:
        reset = cards.MATCH_SETTINGS.build_reset_button(say, chosen)
    return cards.section_card(say, rows, saved, lacks=lacks, reset=reset)


@cards.SECTION_ROWS[ServerPanel.PUBLIC].add(10)
async def _load_language_row(answer: InteractionAnswer) -> list[PanelRow]:
    chosen = (await service.load_settings(answer.app, answer.guild)).language
    say = answer.reader
    menu = build_language_menu(answer.client, say, f"{cards.SERVER_LANGUAGE}:", chosen)
    return [PanelRow(say("**Language**\n-# Of what everyone here sees"), menu)]


@press(cards.SERVER_LANGUAGE)
async def choose_server_language(answer: InteractionAnswer) -> None:
    """Save the language of what everyone in a server sees."""
    require_manager(answer.interaction)
    chosen = read_language(answer.interaction)
    await service.update_server(
        answer.app, answer.guild, lambda before: replace(before, language=chosen)
    )
    name = format_language(answer.client, chosen) if chosen else None
    saved = format_saved(answer.reader, _format_language(answer.reader, name))
    await show_section(answer, ServerPanel.PUBLIC, saved)


def _format_language(say: Reader, language: str | None) -> str:
    """Say which language everyone in a server reads, by its name; None is as Discord says."""
    if language is None:
        return say(
            "What everyone here sees is in the language that Discord names for this server. Only "
            "Community servers can choose it there; every server can choose one here."
        )
    return say(
        "What everyone here sees is in this language from now on: {language}. What is only for "
        "one person is in theirs.",
        language=language,
    )
