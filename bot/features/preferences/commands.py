"""What is chosen for oneself: /me settings, and /me vacation to stop one's clocks."""

import discord
from discord import app_commands

from bot.features.preferences import board_style as board_styles
from bot.features.preferences import service as preferences
from bot.features.preferences.cards import settings_card
from bot.features.preferences.controls import (
    PREFERENCE,
    require_near_side,
    require_theme,
)
from bot.features.preferences.names import PreferenceName
from bot.features.preferences.texts import format_own_language, format_vacation
from bot.platform.time_zones import parse_zone
from bot.platform.ui import views
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.declarations import command, press
from bot.platform.ui.forms import get_typed_text
from bot.platform.ui.groups import me_group
from bot.platform.ui.ids import get_selection, parse_choice, parse_switch
from bot.platform.ui.languages import (
    LONGEST_LANGUAGE,
    format_language,
    offer_languages,
    parse_language,
)
from bot.platform.ui.time_zones import build_zone_form
from bot.store import Reminder


@command(group=me_group, everywhere=True)
async def settings(answer: InteractionAnswer) -> None:
    """See and change your boards, reminders and other preferences."""
    await answer.send(await _prepare_settings_card(answer))


async def _prepare_settings_card(
    answer: InteractionAnswer, changed: PreferenceName | None = None
) -> Card:
    person = answer.person.id
    style = await answer.app.store.board_styles.get(views.PERSON, person)
    chosen = await answer.app.store.preferences.get(person)
    return settings_card(answer.reader, style, chosen, person, changed)


def _build_zone_form(
    interaction: Interaction, name: PreferenceName, value: str = ""
) -> discord.ui.Modal | None:
    """Return the form in which a time zone is typed, for the button that opens it."""
    if name is not PreferenceName.ZONE:
        return None
    return build_zone_form(interaction, f"{PREFERENCE}:{name}")


@press(PREFERENCE, everywhere=True, modal=_build_zone_form)
async def choose_preference(
    answer: InteractionAnswer, name: PreferenceName, value: str = ""
) -> None:
    """Save what was chosen on the panel, and show it there."""
    app, person, interaction = answer.app, answer.person, answer.interaction
    match name:
        case PreferenceName.THEME:
            theme = require_theme(get_selection(interaction))
            await board_styles.update_style(app, views.PERSON, person.id, theme=theme)
        case PreferenceName.NEAR:
            seat = require_near_side(get_selection(interaction), own=True)
            await board_styles.update_style(app, views.PERSON, person.id, seat=seat)
        case PreferenceName.NUMBERS:
            numbered = parse_switch(value)
            await board_styles.update_style(app, views.PERSON, person.id, numbered=numbered)
        case PreferenceName.RESET:
            await board_styles.reset_style(app, views.PERSON, person.id)
            await preferences.reset_preferences(app, person)
        case PreferenceName.REMINDERS:
            reminder = parse_choice(Reminder, get_selection(interaction))
            await preferences.update_preferences(app, person, reminder=reminder)
        case PreferenceName.THROWS:
            await preferences.update_preferences(app, person, throws=parse_switch(value))
        case PreferenceName.CONFIRMS:
            await preferences.update_preferences(app, person, confirms=parse_switch(value))
        case PreferenceName.SHARES:
            await preferences.update_preferences(app, person, shares=parse_switch(value))
        case PreferenceName.EVERYWHERE:
            await preferences.update_preferences(app, person, everywhere=parse_switch(value))
        case PreferenceName.ZONE:
            zone = parse_zone(get_typed_text(interaction))
            await preferences.update_preferences(app, person, zone=zone)
    await answer.edit_message(await _prepare_settings_card(answer, name))


@command(group=me_group, everywhere=True)
@app_commands.describe(language="A language; leave it out to see yours")
async def language(
    answer: InteractionAnswer, language: app_commands.Range[str, 0, LONGEST_LANGUAGE] = ""
) -> None:
    """Choose the language of what only you see."""
    if language:
        chosen = parse_language(answer.client, language)
        await preferences.choose_language(answer.app, answer.person, chosen)
    else:
        chosen = (await answer.app.store.preferences.get(answer.person.id)).language
    name = format_language(answer.client, chosen) if chosen else None
    # The reader is the one of the language that has just been chosen.
    await answer.send(text_only_card(format_own_language(answer.reader, name)))


language.autocomplete("language")(offer_languages)


@command(group=me_group, everywhere=True)
@app_commands.describe(days="How many days to stop your clocks; 0 ends your vacation")
async def vacation(
    answer: InteractionAnswer,
    days: app_commands.Range[int, 0, preferences.DAYS_A_YEAR] | None = None,
) -> None:
    """Stop your clocks for some days, or see your vacation."""
    app, person = answer.app, answer.person
    if days is None:
        found = await preferences.load_vacation(app, person.id)
    elif days:
        found = await preferences.start_vacation(app, person, days)
    else:
        found = await preferences.end_vacation(app, person)
    await answer.send(text_only_card(format_vacation(answer.reader, found)))
