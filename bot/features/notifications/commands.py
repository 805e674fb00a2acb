"""Choosing notifications: /match follow, and /notify with its panel and its button."""

from discord import app_commands

from bot.features.matches.interactions import MAX_NAME_LENGTH, list_game_choices
from bot.features.notifications import cards, service
from bot.features.notifications.delivery import confirm_follow
from bot.features.notifications.jobs import ANY_GAME, NotifyWhen, find_subject, is_subject
from bot.platform.i18n.reader import UnknownControlError
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.controls import MAX_CHOICES, MAX_ENTRY_LENGTH, get_selection
from bot.platform.ui.declarations import command, match_group, press
from engine.folding import fold_text
from render.characters import shorten_text


@command(group=match_group, order=10)
@app_commands.describe(match="The number of the match", how="When you get a message")
@app_commands.choices(
    how=[
        app_commands.Choice(name="at the end", value=NotifyWhen.END.value),
        app_commands.Choice(name="every turn", value=NotifyWhen.TURN.value),
    ]
)
async def follow(answer: InteractionAnswer, match: int, how: str | None = None) -> None:
    """Get direct messages about a match; use it again to stop."""
    client, say, person = answer.client, answer.reader, answer.person
    session, wanted = await service.follow_match(
        client.app, person, answer.guild, match, NotifyWhen(how) if how else None
    )
    if wanted is None or await confirm_follow(client, say, session, person.id, wanted):
        text = cards.format_follow_reply(say, session, wanted)
    else:
        text = cards.explain_unreachable(say)
    await answer.send(text_only_card(text))


@command()
@app_commands.describe(game="The game, or `any`; leave it out to see your subscriptions")
async def notify(
    answer: InteractionAnswer, game: app_commands.Range[str, 0, MAX_NAME_LENGTH] = ""
) -> None:
    """Get direct messages about open challenges here; use it again to stop."""
    say, remark = answer.reader, ""
    if game:
        subject = find_subject(game)
        is_on = await service.toggle_subscription(answer.app, answer.person, answer.guild, subject)
        remark = cards.format_unsubscribed(say, [subject])
        if is_on:
            remark = cards.format_subscribed(say, subject)
    with log_answer_failures(answer.interaction):
        await answer.send(await _build_panel(answer, remark))


@notify.autocomplete("game")
async def _list_subjects(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer any game, and the games whose names hold what was typed."""
    say = interaction.client.get_asker_reader(interaction)
    label = shorten_text(cards.format_subject(say, ANY_GAME), MAX_ENTRY_LENGTH)
    names = (ANY_GAME, fold_text(label))
    found = any(name.startswith(fold_text(typed)) for name in names)
    every = [app_commands.Choice(name=label, value=ANY_GAME)] if found else []
    return [*every, *list_game_choices(say, typed)][:MAX_CHOICES]


@press(cards.SUBSCRIBE)
async def subscribe_to_all(answer: InteractionAnswer, _: str) -> None:
    """Subscribe to challenges to any game."""
    await service.add_subscription(answer.app, answer.person, answer.guild, ANY_GAME)
    await _show_change(answer, cards.format_subscribed(answer.reader, ANY_GAME))


@press(cards.UNSUBSCRIBE)
async def end_subscription(answer: InteractionAnswer, _: str) -> None:
    """End the subscription that was picked."""
    subject = get_selection(answer.interaction)
    if not is_subject(subject):
        raise UnknownControlError
    ended = await service.end_subscriptions(answer.app, answer.person.id, answer.guild, subject)
    await _show_change(answer, cards.format_unsubscribed(answer.reader, ended))


@press(cards.UNSUBSCRIBE_ALL)
async def end_all_subscriptions(answer: InteractionAnswer, _: str) -> None:
    """End all subscriptions in the server."""
    ended = await service.end_subscriptions(answer.app, answer.person.id, answer.guild)
    await _show_change(answer, cards.format_unsubscribed(answer.reader, ended))


async def _show_change(answer: InteractionAnswer, remark: str) -> None:
    with log_answer_failures(answer.interaction):
        await answer.edit_message(await _build_panel(answer, remark))


async def _build_panel(answer: InteractionAnswer, remark: str) -> Card:
    subjects = await service.load_subscriptions(answer.app, answer.person.id, answer.guild)
    return cards.subscriptions_card(answer.reader, subjects, remark)


@press(cards.STOP_NOTICES, direct=True)
async def stop_notices(answer: InteractionAnswer, guild: int, game: str) -> None:
    """End the subscriptions that have led to a notice; pressed where it was sent."""
    if not is_subject(game):
        raise UnknownControlError
    ended = await service.end_matching_subscriptions(answer.app, answer.person.id, guild, game)
    await answer.confirm(cards.format_unsubscribed(answer.reader, ended))
