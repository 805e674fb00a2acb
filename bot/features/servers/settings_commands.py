"""What server managers choose for their server: /server settings."""

import discord
from discord import app_commands

from bot.features.challenges.commands import LONGEST_PACE
from bot.features.preferences import board_style as board_styles
from bot.features.preferences.controls import require_near_side, require_theme
from bot.features.servers import service as servers
from bot.features.servers.commands import server
from bot.features.servers.delivery import load_missing_permissions
from bot.features.servers.names import BOARD_CHOICES, ServerChoice, ServerPanel
from bot.features.servers.panel_cards import board_panel_card, match_panel_card
from bot.features.servers.panel_controls import (
    OTHER_PACE,
    SERVER_CHOICE,
    SERVER_PANEL,
    make_choice_id,
)
from bot.features.servers.service import MOST_CHANNELS, ServerChange
from bot.features.servers.texts import format_server_language
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.quiet_hours import parse_quiet_hours
from bot.platform.time_zones import LONGEST_ZONE, parse_zone
from bot.platform.ui import views
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import AppClient, Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.declarations import command, press
from bot.platform.ui.forms import build_text_form, get_typed_text
from bot.platform.ui.ids import get_selected_ids, get_selection, list_selection, parse_switch
from bot.platform.ui.languages import (
    LONGEST_LANGUAGE,
    format_language,
    offer_languages,
    parse_language,
)
from bot.platform.ui.membership import get_server_permissions, require_server
from bot.platform.ui.places import find_missing_permissions
from bot.platform.ui.time_zones import build_zone_form
from engine.clock import parse_pace

LONGEST_QUIET = 20 + LONGEST_ZONE


def require_manager(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks may manage the server at this moment."""
    require_server(interaction)
    if not get_server_permissions(interaction).manage_guild:
        raise DeclinedError(DeclineReason.NOT_A_MANAGER)


@command(group=server)
async def settings(answer: InteractionAnswer) -> None:
    """See and change this server's settings, and check my permissions."""
    require_manager(answer.interaction)
    await answer.send(await _prepare_match_panel(answer))


@command(group=server)
@app_commands.describe(language="A language; leave it out to see the present one")
async def language(
    answer: InteractionAnswer, language: app_commands.Range[str, 0, LONGEST_LANGUAGE] = ""
) -> None:
    """Choose the language of what everyone in this server sees."""
    require_manager(answer.interaction)
    if language:
        chosen = parse_language(answer.client, language)
        await servers.choose_server_language(answer.app, answer.guild, chosen)
    else:
        chosen = (await answer.app.store.servers.get(answer.guild)).language
    name = format_language(answer.client, chosen) if chosen else None
    await answer.send(text_only_card(format_server_language(answer.reader, name)))


language.autocomplete("language")(offer_languages)


@press(SERVER_PANEL)
async def show_server_panel(answer: InteractionAnswer, panel: ServerPanel) -> None:
    """Show another panel of the server's settings in place of this one."""
    require_manager(answer.interaction)
    prepare = _prepare_board_panel if panel is ServerPanel.BOARDS else _prepare_match_panel
    await answer.edit_message(await prepare(answer))


def _build_form(
    interaction: Interaction, choice: ServerChoice, value: str = ""
) -> discord.ui.Modal | None:
    """Return the form in which something is typed, for what has no menu or is not in it."""
    say = interaction.client.get_asker_reader(interaction)
    if choice is ServerChoice.ZONE:
        return build_zone_form(interaction, make_choice_id(choice))
    if choice is ServerChoice.QUIET:
        return build_text_form(
            make_choice_id(choice),
            title=say("Quiet hours"),
            label=say("From and until, or none"),
            hint=say("22-7, 22:30-7:15 or none"),
            longest=LONGEST_QUIET,
        )
    if choice is ServerChoice.PACE and list_selection(interaction) == [OTHER_PACE]:
        return build_text_form(
            make_choice_id(choice),
            # Translators: title of a form: how much time each player has in a match (noun).
            title=say("Pace"),
            label=say("Time in all, plus per turn"),
            hint=say("30m+20s"),
            longest=LONGEST_PACE,
        )
    return None


@press(SERVER_CHOICE, modal=_build_form)
async def choose_for_server(
    answer: InteractionAnswer, choice: ServerChoice, value: str = ""
) -> None:
    """Save what was chosen on a panel of a server's settings, and show it there."""
    require_manager(answer.interaction)
    if choice in BOARD_CHOICES:
        await _change_boards(answer, choice, value)
        await answer.edit_message(await _prepare_board_panel(answer, choice))
        return
    await _change_matches(answer, choice, value)
    await answer.edit_message(await _prepare_match_panel(answer, choice))


async def _change_boards(answer: InteractionAnswer, choice: ServerChoice, value: str) -> None:
    app, guild, interaction = answer.app, answer.guild, answer.interaction
    if choice is ServerChoice.THEME:
        theme = require_theme(get_selection(interaction))
        await board_styles.update_style(app, views.SERVER, guild, theme=theme)
    elif choice is ServerChoice.NEAR:
        # A public board has no side that is everybody's own.
        seat = require_near_side(get_selection(interaction), own=False)
        await board_styles.update_style(app, views.SERVER, guild, seat=seat)
    elif choice is ServerChoice.NUMBERS:
        numbered = parse_switch(value)
        await board_styles.update_style(app, views.SERVER, guild, numbered=numbered)
    else:
        await board_styles.reset_style(app, views.SERVER, guild)


async def _change_matches(answer: InteractionAnswer, choice: ServerChoice, value: str) -> None:
    app, guild = answer.app, answer.guild
    if choice is ServerChoice.RESET_MATCHES:
        await servers.reset_server(app, guild)
    elif choice is ServerChoice.NEWS:
        channel = next(iter(get_selected_ids(answer.interaction, "channels")), None)
        _require_news_permissions(answer.client, guild, channel)
        await servers.update_news_channel(app, guild, channel)
    else:
        await servers.update_server(app, guild, _read_change(answer, choice, value))


def _read_change(answer: InteractionAnswer, choice: ServerChoice, value: str) -> ServerChange:
    """Return what is to change; raises DeclinedError or Refusal for what can't be chosen."""
    interaction = answer.interaction
    match choice:
        case ServerChoice.PACE:
            picked = list_selection(interaction)
            return ServerChange(
                pace=parse_pace(picked[0] if picked else get_typed_text(interaction))
            )
        case ServerChoice.CHANNELS:
            channels = get_selected_ids(interaction, "channels")
            if len(channels) > MOST_CHANNELS:
                raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
            return ServerChange(channels=channels)
        case ServerChoice.ROLE:
            # Discord gives the role of everyone the server's own id.
            role = next(iter(get_selected_ids(interaction, "roles")), answer.guild)
            return ServerChange(role=role)
        case ServerChoice.QUIET:
            hours, zone = parse_quiet_hours(get_typed_text(interaction))
            return ServerChange(quiet=hours, zone=zone)
        case ServerChoice.ZONE:
            return ServerChange(zone=parse_zone(get_typed_text(interaction)))
        case ServerChoice.RATED:
            return ServerChange(rated=parse_switch(value))
        case ServerChoice.THREADS:
            return ServerChange(threads=parse_switch(value))
        case ServerChoice.SINGLE:
            return ServerChange(single=parse_switch(value))
    raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)


def _require_news_permissions(client: AppClient, guild: int, channel: int | None) -> None:
    """Raise DeclinedError naming the permissions that the bot lacks to announce matches there."""
    if channel is None:
        return
    # A line of news has no picture.
    missing = tuple(
        name for name in find_missing_permissions(client, guild, channel) if name != "attach_files"
    )
    if missing:
        raise DeclinedError(DeclineReason.MISSING_PERMISSIONS, permissions=missing, channel=channel)


async def _prepare_match_panel(
    answer: InteractionAnswer, changed: ServerChoice | None = None
) -> Card:
    chosen = await answer.app.store.servers.get(answer.guild)
    lacks = await load_missing_permissions(answer.client, answer.guild, chosen)
    return match_panel_card(answer.reader, chosen, lacks, changed)


async def _prepare_board_panel(
    answer: InteractionAnswer, changed: ServerChoice | None = None
) -> Card:
    style = await answer.app.store.board_styles.get(views.SERVER, answer.guild)
    view = await views.load_view(answer.app, views.SERVER, answer.guild, {})
    return board_panel_card(answer.reader, style, view, changed)
