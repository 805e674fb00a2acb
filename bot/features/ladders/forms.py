"""Opening a ladder: the form in which its terms are chosen."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum, auto
from typing import Any

import discord
from discord import ButtonStyle

from bot.features.challenges.commands import build_match_request
from bot.features.challenges.terms import choose_pace, is_rated
from bot.features.contests import drafts
from bot.features.contests.competitions import require_organiser
from bot.features.ladders import service
from bot.features.matches.interactions import OTHER_PACE, build_pace_form
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader, escape_text
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.channels import require_permissions
from bot.platform.ui.controls import build_button, list_selection, require_message
from bot.platform.ui.declarations import press
from engine.clock import parse_pace

FORM = "ladderform"
"""The id of the form in which the terms of a new ladder are chosen; it carries them."""
RATED = "rated"


class LadderField(StrEnum):
    """What a control of the form is for, by its part of the id."""

    NAMES = auto()
    PACE = auto()
    SWITCHES = auto()
    CREATE = auto()


async def open_ladder_form(answer: InteractionAnswer, options: service.LadderOptions) -> None:
    """Show an organiser the form for a ladder of that name and game."""
    require_organiser(answer.interaction)
    require_permissions(answer.interaction)
    draft = replace(
        options,
        pace=(await choose_pace(answer.app, answer.guild, options.pace)).name,
        rated=await is_rated(answer.app, answer.guild, wished=options.rated),
    )
    await answer.send(_build_form_card(answer.reader, draft))


def _build_modal(
    interaction: Interaction, field: LadderField, piece: str
) -> discord.ui.Modal | None:
    """Return the form for what is typed; None where something was picked or pressed."""
    say, custom_id = interaction.client.get_asker_reader(interaction), f"{FORM}:{field}:{piece}"
    if field is LadderField.NAMES:
        draft = _read_draft(require_message(interaction))
        return drafts.build_names_form(
            say,
            custom_id,
            say("A new ladder"),
            name=draft.name,
            games="\n".join(filter(None, (draft.game, draft.options))),
            hint=say("House rules go on a second line."),
        )
    if list_selection(interaction) == [OTHER_PACE]:
        return build_pace_form(say, custom_id)
    return None


@press(FORM, modal=_build_modal)
async def change_ladder_form(
    answer: InteractionAnswer, field: LadderField, piece: str = ""
) -> None:
    """Show the form with what was chosen on it, or create what it says."""
    draft = _read_draft(require_message(answer.interaction))
    if field is LadderField.CREATE:
        await _create(answer, draft)
        return
    draft = replace(draft, **_read_changes(answer.interaction, field))
    await answer.edit_message(_build_form_card(answer.reader, draft))


async def _create(answer: InteractionAnswer, draft: service.LadderOptions) -> None:
    """Open a ladder, and tell its organiser in place of the form what they can do with it."""
    require_organiser(answer.interaction)
    require_permissions(answer.interaction)
    number = await service.organise_ladder(answer.app, build_match_request(answer), draft)
    say, opened = answer.reader, await service.load_ladder(answer.app, number)
    text = say(
        "{ladder} is open: people join it with its button, here or in `/ladder standings`. "
        "With `/ladder manage` you can remove a player or close it.",
        ladder=escape_text(opened.ladder.name),
    )
    with log_answer_failures(answer.interaction):
        await answer.edit_message(text_only_card(text))


def _build_form_card(say: Reader, draft: service.LadderOptions) -> Card:
    terms = service.check_terms(draft)
    rated = common.capitalise_first(common.format_matches_rated(say, rated=True))
    switches = [(RATED, rated, terms.rated)]
    rows = (
        drafts.build_pace_row(say, LadderField.PACE, draft.pace),
        drafts.build_switches_row(say, LadderField.SWITCHES, switches),
    )
    controls = (
        # Translators: button: opens the ladder of which the form says the terms (verb).
        build_button(say("Create"), LadderField.CREATE, ButtonStyle.success),
        # Translators: button: asks for the name and the game of a ladder.
        build_button(say("Name and game…"), LadderField.NAMES),
    )
    settled = replace(draft, name=" ".join(draft.name.split()), game=terms.game.slug)
    drafts.carry_draft(FORM, settled, [*(row.control for row in rows), *controls])
    lines = (
        say("Game: {game}", game=common.format_title(say, terms.game)),
        *common.format_house_rules(say, terms.game, terms.options),
    )
    return Card(
        texts=(
            say("### A new ladder: {name}", name=escape_text(settled.name)),
            "\n".join(lines),
            say("Nothing is posted until you press **Create**."),
        ),
        panel=rows,
        controls=controls,
    )


def _read_changes(interaction: Interaction, field: LadderField) -> Mapping[str, Any]:
    """Return the terms of a draft that were picked or typed; raises Refusal for what can't be."""
    match field:
        case LadderField.NAMES:
            name, game, house_rules = drafts.read_names(interaction)
            return {"name": name, "game": game, "options": house_rules}
        case LadderField.PACE:
            return {"pace": parse_pace(drafts.get_value(interaction)).name}
    return {"rated": RATED in list_selection(interaction)}


def _read_draft(message: discord.Message) -> service.LadderOptions:
    return service.LadderOptions(**drafts.read_draft(FORM, service.LadderOptions, message))
