"""Looking for a game: /notify, its panel, and the button below a notice."""

from discord import app_commands

from bot.features.challenges.commands import LONGEST_NAME
from bot.features.challenges.game_choice import list_game_choices
from bot.features.looking import service
from bot.features.looking import texts as words
from bot.features.looking.cards import subscriptions_card
from bot.features.looking.controls import STOP_NOTICES, SUBSCRIBE, UNSUBSCRIBE, UNSUBSCRIBE_ALL
from bot.features.looking.store import ANY_GAME
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.controls import LONGEST_ENTRY, MOST_CHOICES
from bot.platform.ui.declarations import command, press
from bot.platform.ui.ids import get_selection
from engine.folding import fold_text
from render.characters import shorten_text


@command()
@app_commands.describe(game="The game, or `any`; leave it out to see your subscriptions")
async def notify(
    answer: InteractionAnswer, game: app_commands.Range[str, 0, LONGEST_NAME] = ""
) -> None:
    """Get direct messages about open challenges here; use it again to stop."""
    say, remark = answer.reader, ""
    if game:
        subject = service.find_subject(game)
        is_on = await service.toggle_subscription(answer.app, answer.person, answer.guild, subject)
        remark = words.format_unsubscribed(say, [subject])
        if is_on:
            remark = words.format_subscribed(say, subject)
    with log_answer_failures(answer.interaction):
        await answer.send(await _prepare_panel(answer, remark))


@notify.autocomplete("game")
async def _list_subjects(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer any game, and the games whose names hold what was typed."""
    say = interaction.client.get_asker_reader(interaction)
    label = shorten_text(words.format_subject(say, ANY_GAME), LONGEST_ENTRY)
    names = (ANY_GAME, fold_text(label))
    found = any(name.startswith(fold_text(typed)) for name in names)
    every = [app_commands.Choice(name=label, value=ANY_GAME)] if found else []
    return [*every, *list_game_choices(say, typed)][:MOST_CHOICES]


@press(SUBSCRIBE)
async def subscribe_to_all(answer: InteractionAnswer, _: str) -> None:
    """Subscribe to challenges to any game."""
    await service.add_subscription(answer.app, answer.person, answer.guild, ANY_GAME)
    await _show_change(answer, words.format_subscribed(answer.reader, ANY_GAME))


@press(UNSUBSCRIBE)
async def end_subscription(answer: InteractionAnswer, _: str) -> None:
    """End the subscription that was picked."""
    subject = get_selection(answer.interaction)
    if not service.is_subject(subject):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    ended = await service.end_subscriptions(answer.app, answer.person.id, answer.guild, subject)
    await _show_change(answer, words.format_unsubscribed(answer.reader, ended))


@press(UNSUBSCRIBE_ALL)
async def end_all_subscriptions(answer: InteractionAnswer, _: str) -> None:
    """End all subscriptions in the server."""
    ended = await service.end_subscriptions(answer.app, answer.person.id, answer.guild)
    await _show_change(answer, words.format_unsubscribed(answer.reader, ended))


async def _show_change(answer: InteractionAnswer, remark: str) -> None:
    with log_answer_failures(answer.interaction):
        await answer.edit_message(await _prepare_panel(answer, remark))


async def _prepare_panel(answer: InteractionAnswer, remark: str) -> Card:
    subjects = await service.load_subscriptions(answer.app, answer.person.id, answer.guild)
    return subscriptions_card(answer.reader, subjects, remark)


@press(STOP_NOTICES, direct=True)
async def stop_notices(answer: InteractionAnswer, guild: int, game: str) -> None:
    """End the subscriptions that have led to a notice; pressed where it was sent."""
    if not service.is_subject(game):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    ended = await service.end_matching_subscriptions(answer.app, answer.person.id, guild, game)
    with log_answer_failures(answer.interaction):
        await answer.send(text_only_card(words.format_unsubscribed(answer.reader, ended)))
