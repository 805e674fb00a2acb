"""Ladders: /ladder create, join, leave, standings, challenge, next and manage, and the buttons."""

import discord
from discord import app_commands

from bot.features.challenges.commands import LONGEST_NAME, LONGEST_OPTIONS, LONGEST_PACE
from bot.features.challenges.game_choice import offer_games, offer_paces
from bot.features.challenges.interactions import make_match_request
from bot.features.challenges.terms import choose_pace, is_rated, parse_options
from bot.features.contests.presses import build_reason_form, require_organiser
from bot.features.ladders import service
from bot.features.ladders import texts as words
from bot.features.ladders.cards import choices_card, ladder_card, ladder_manage_card
from bot.features.ladders.controls import (
    CHALLENGE,
    CLOSE,
    JOIN,
    LEAVE,
    MANAGE,
    NEXT,
    OUT,
    REMOVE,
    label_closing,
    label_removal,
    make_ladder_leave_button,
)
from bot.features.ladders.rows import LadderView
from bot.features.ladders.service import LONGEST_LADDER_NAME, MOST_LISTED, LadderTerms
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.platform.ui.access import require_seen_by, require_sight, require_use
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.controls import LONGEST_ENTRY, MOST_CHOICES
from bot.platform.ui.declarations import command, in_servers, press
from bot.platform.ui.forms import get_typed_text
from bot.platform.ui.ids import get_selection, parse_number
from bot.platform.ui.membership import require_current_member, require_member
from bot.platform.ui.places import require_permissions
from engine.folding import fold_text
from engine.games import find_game
from render.characters import shorten_text

ladder = in_servers(app_commands.Group(name="ladder", description="Climb this server's ladders"))
LADDER_DESCRIPTION = "The ladder; needed only where there are several"
"""What the option is for by which one of several ladders is meant."""


@command(group=ladder)
@app_commands.describe(
    name="What the ladder is called",
    game="The game to play",
    pace="The time control (default: three-days), or such as 5d+12h",
    rated="Rated? (default: this server's setting)",
    options="House rules, such as dice=two-and-six",
)
async def create(
    answer: InteractionAnswer,
    name: app_commands.Range[str, 1, LONGEST_LADDER_NAME],
    game: app_commands.Range[str, 1, LONGEST_NAME],
    pace: app_commands.Range[str, 0, LONGEST_PACE] = "three-days",
    rated: bool | None = None,
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
) -> None:
    """Open a ladder that people here can join at any time."""
    require_organiser(answer.interaction)
    require_permissions(answer.interaction)
    wanted = find_game(game)
    terms = LadderTerms(
        name=name,
        game=wanted,
        options=parse_options(wanted, options),
        rated=await is_rated(answer.app, answer.guild, wished=rated),
        pace=await choose_pace(answer.app, answer.guild, pace),
    )
    number = await service.organise_ladder(answer.app, make_match_request(answer), terms)
    with log_answer_failures(answer.interaction):
        view = await service.load_ladder(answer.app, number)
        await answer.send(text_only_card(words.format_ladder_created(answer.reader, view.ladder)))


create.autocomplete("game")(offer_games)


create.autocomplete("pace")(offer_paces)


@command(group=ladder)
@app_commands.describe(ladder=LADDER_DESCRIPTION)
async def join(
    answer: InteractionAnswer, ladder: app_commands.Range[str, 0, LONGEST_LADDER_NAME] = ""
) -> None:
    """Join a ladder, at the bottom."""
    await _join(answer, await service.find_ladder(answer.app, answer.guild, ladder))


@press(JOIN)
async def press_join_ladder(answer: InteractionAnswer, number: int) -> None:
    """Join the ladder whose message this is."""
    await _join(answer, await service.load_ladder(answer.app, number, answer.guild))


async def _join(answer: InteractionAnswer, view: LadderView) -> None:
    await require_sight(answer.interaction, view.ladder.channel)
    joined = await service.join_ladder(answer.app, view.ladder.id, answer.person)
    with log_answer_failures(answer.interaction):
        await answer.send(text_only_card(words.format_ladder_joined(answer.reader, joined)))


@command(group=ladder)
@app_commands.describe(ladder=LADDER_DESCRIPTION)
async def leave(
    answer: InteractionAnswer, ladder: app_commands.Range[str, 0, LONGEST_LADDER_NAME] = ""
) -> None:
    """Leave a ladder; you forfeit your matches in progress on it."""
    view = await service.find_ladder(answer.app, answer.guild, ladder, answer.person.id)
    await _ask_or_leave(answer, view)


@press(LEAVE)
async def press_leave_ladder(answer: InteractionAnswer, number: int) -> None:
    """Leave the ladder whose message this is, or that was asked about."""
    view = await service.load_ladder(answer.app, number, answer.guild)
    if answer.is_private_message:
        await _leave(answer, view)
    else:
        await _ask_or_leave(answer, view)


async def _ask_or_leave(answer: InteractionAnswer, view: LadderView) -> None:
    service.require_open(view.ladder)
    service.require_rung(view, answer.person.id)
    running = sum(answer.person.id in each.people for each in view.running)
    if not running:
        await _leave(answer, view)
        return
    question = words.ask_before_leaving_ladder(answer.reader, view, running)
    button = make_ladder_leave_button(answer.reader, view.ladder.id)
    await answer.send(Card(texts=(question,), controls=(button,)))


async def _leave(answer: InteractionAnswer, view: LadderView) -> None:
    left = await service.leave_ladder(answer.app, view.ladder.id, answer.person.id)
    with log_answer_failures(answer.interaction):
        told = text_only_card(words.format_ladder_left(answer.reader, left))
        if answer.is_private_message:
            await answer.edit_message(told)
        else:
            await answer.send(told)


@command(group=ladder, public_option="share")
@app_commands.describe(
    ladder=LADDER_DESCRIPTION, share="Show it to everyone in this channel (default: only you)"
)
async def standings(
    answer: InteractionAnswer,
    ladder: app_commands.Range[str, 0, LONGEST_LADDER_NAME] = "",
    share: bool = False,
) -> None:
    """See how a ladder stands."""
    view = await service.find_ladder(answer.app, answer.guild, ladder, answer.person.id)
    names = await answer.app.store.people.load_names(view.rungs)
    await answer.send(ladder_card(answer.reader, view, names))


@command(group=ladder)
@app_commands.describe(opponent="A player up to three rungs above you", ladder=LADDER_DESCRIPTION)
async def challenge(
    answer: InteractionAnswer,
    opponent: discord.User,
    ladder: app_commands.Range[str, 0, LONGEST_LADDER_NAME] = "",
) -> None:
    """Challenge a player above you on a ladder."""
    require_permissions(answer.interaction)
    view = await service.find_ladder(answer.app, answer.guild, ladder, answer.person.id)
    await _challenge(answer, view, require_member(opponent))


@press(CHALLENGE)
async def choose_opponent(answer: InteractionAnswer, number: int) -> None:
    """Challenge the player who was chosen in the menu."""
    require_permissions(answer.interaction)
    view = await service.load_ladder(answer.app, number, answer.guild)
    known = await answer.app.load_person(parse_number(get_selection(answer.interaction)))
    if known is None:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    await _challenge(answer, view, await require_current_member(answer.interaction, known))


async def _challenge(answer: InteractionAnswer, view: LadderView, opponent: DiscordPerson) -> None:
    ladder = view.ladder
    # Its challenges and matches are in the ladder's channel, wherever they are asked for.
    await require_use(answer.interaction, ladder.channel)
    await require_seen_by(answer.client, ladder.guild, ladder.channel, {opponent.id: opponent.name})
    asked = make_match_request(answer)
    made = await service.challenge_above(answer.app, view.ladder.id, asked, opponent)
    with log_answer_failures(answer.interaction):
        told = words.format_ladder_challenged(answer.reader, ladder, opponent.id, made.expires)
        await answer.send(text_only_card(told))


@command(group=ladder)
@app_commands.describe(ladder=LADDER_DESCRIPTION)
async def next(  # noqa: A001 - the name of the command
    answer: InteractionAnswer, ladder: app_commands.Range[str, 0, LONGEST_LADDER_NAME] = ""
) -> None:
    """See whom you can challenge on a ladder now, and why not the others."""
    view = await service.find_ladder(answer.app, answer.guild, ladder, answer.person.id)
    await _show_choices(answer, view)


@press(NEXT)
async def press_next(answer: InteractionAnswer, number: int) -> None:
    """Show whom one can challenge on the ladder whose message this is."""
    await _show_choices(answer, await service.load_ladder(answer.app, number, answer.guild))


async def _show_choices(answer: InteractionAnswer, view: LadderView) -> None:
    person = answer.person.id
    service.require_open(view.ladder)
    service.require_rung(view, person)
    rules = await service.load_rules(answer.app, view, person)
    names = await answer.app.store.people.load_names(view.rungs)
    await answer.send(choices_card(answer.reader, view, rules, person, names))


@command(group=ladder)
@app_commands.describe(ladder=LADDER_DESCRIPTION)
async def manage(
    answer: InteractionAnswer, ladder: app_commands.Range[str, 0, LONGEST_LADDER_NAME] = ""
) -> None:
    """For organisers: remove a player from a ladder, or close it."""
    require_organiser(answer.interaction)
    await _manage(answer, await service.find_ladder(answer.app, answer.guild, ladder))


@press(MANAGE)
async def press_manage(answer: InteractionAnswer, number: int) -> None:
    """Show organisers what they can do to the ladder whose message this is."""
    require_organiser(answer.interaction)
    await _manage(answer, await service.load_ladder(answer.app, number, answer.guild))


async def _manage(answer: InteractionAnswer, view: LadderView) -> None:
    await answer.send(await _prepare_manage_card(answer, view))


async def _prepare_manage_card(answer: InteractionAnswer, view: LadderView) -> Card:
    names = await answer.app.store.people.load_names(view.rungs)
    return ladder_manage_card(answer.reader, view, names)


def _ask_for_closing_reason(interaction: Interaction, number: int) -> discord.ui.Modal:
    say = interaction.client.get_asker_reader(interaction)
    return build_reason_form(interaction, f"{CLOSE}:{number}", label_closing(say))


@press(CLOSE, modal=_ask_for_closing_reason)
async def close_ladder(answer: InteractionAnswer, number: int) -> None:
    """Close a ladder, with the reason that was typed."""
    require_organiser(answer.interaction)
    await service.load_ladder(answer.app, number, answer.guild)
    reason = get_typed_text(answer.interaction)
    after = await service.close_ladder(answer.app, number, answer.person, reason)
    await _show_ruled(answer, after)


def _ask_for_player_reason(interaction: Interaction, number: int, first: int) -> discord.ui.Modal:
    say = interaction.client.get_asker_reader(interaction)
    # Under another id, since the form brings back no selection.
    person = parse_number(get_selection(interaction))
    return build_reason_form(interaction, f"{OUT}:{number}:{person}", label_removal(say))


@press(REMOVE, modal=_ask_for_player_reason)
async def press_player_removal(answer: InteractionAnswer, number: int, first: int) -> None:
    """Ask why somebody is to be removed: the form does all that follows."""
    raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)


# The form of a menu, of which its own id names the entry: no message shows it.
@press(OUT, shown=False)
async def remove_ladder_player(answer: InteractionAnswer, number: int, person: int) -> None:
    """Remove somebody from a ladder, with the reason that was typed."""
    require_organiser(answer.interaction)
    await service.load_ladder(answer.app, number, answer.guild)
    reason = get_typed_text(answer.interaction)
    after = await service.remove_player(answer.app, number, answer.person, reason, person)
    await _show_ruled(answer, after)


async def _show_ruled(answer: InteractionAnswer, after: LadderView) -> None:
    with log_answer_failures(answer.interaction):
        await answer.edit_message(await _prepare_manage_card(answer, after))


async def offer_ladders(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the ladders of this server whose names hold what was typed."""
    ladders = interaction.client.app.store.ladders
    wanted = fold_text(typed)
    return [
        app_commands.Choice(name=shorten_text(each.name, LONGEST_ENTRY), value=str(each.id))
        for each in await ladders.load_latest(interaction.guild_id or 0, MOST_LISTED)
        if wanted in fold_text(each.name)
    ][:MOST_CHOICES]


for each in (join, leave, standings, challenge, next, manage):
    each.autocomplete("ladder")(offer_ladders)
