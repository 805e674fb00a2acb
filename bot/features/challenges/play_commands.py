"""Playing against the computer: /play, and the buttons that begin such a match."""

from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.features.challenges.commands import build_match_request
from bot.features.challenges.computer_seats import (
    play_computer,
)
from bot.features.challenges.delivery import can_start_match
from bot.features.challenges.service import (
    accept_oldest,
)
from bot.features.challenges.tables import Challenge, JoinResult
from bot.features.challenges.terms import MAX_WORD_LENGTH, MatchTerms, parse_options
from bot.features.computer.controls import PICK_GAME, PLAY_COMPUTER, PLAY_WAITING
from bot.features.matches import interactions
from bot.features.rulebook.cards import no_opponent_card
from bot.platform.context import NO_SERVER, DirectReader, DirectReaders
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.people import DEFAULT_LEVEL
from bot.platform.ui.access import can_use, is_bot_member
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import text_only_card
from bot.platform.ui.channels import ServerChannel, build_link, is_direct, require_permissions
from bot.platform.ui.controls import get_selection
from bot.platform.ui.declarations import command, press
from engine.events import SetUp
from engine.games import find_game
from engine.players.level import Level
from engine.position import Side
from engine.rules import Game


class DirectMessagesClosedError(DeclinedError):
    sentence = mark_text(
        "I can't show matches here, and you don't take direct messages from me. Allow them in "
        "Discord's privacy settings, or use `/play` in a server that has invited me."
    )


@command(everywhere=True)
@app_commands.describe(
    game="The game; leave it out to play somebody who is waiting for an opponent",
    level="How well the computer plays (default: companion)",
    side="Your side (default: gold)",
    options="House rules, such as dice=two-and-six",
    rated="Rated? (separate leaderboard; default: no)",
    word="A secret word mixed into the dice, so nobody can predict them",
)
@app_commands.choices(
    level=interactions.LEVEL_CHOICES,
    side=[app_commands.Choice(name=side.value, value=side.value) for side in Side],
)
async def play(
    answer: InteractionAnswer,
    game: app_commands.Range[str, 1, interactions.MAX_NAME_LENGTH] | None = None,
    level: str = DEFAULT_LEVEL.value,
    side: str = Side.GOLD.value,
    options: app_commands.Range[str, 0, interactions.MAX_OPTIONS_LENGTH] = "",
    rated: bool = False,
    word: app_commands.Range[str, 0, MAX_WORD_LENGTH] = "",
) -> None:
    """Play the computer now; without a game, whoever waits for an opponent."""
    if is_bot_member(answer.interaction):
        require_permissions(answer.interaction)
    if game is None:
        await _join_challenge(answer, word)
        return
    wanted = find_game(game)
    terms = MatchTerms(wanted, parse_options(wanted, options), Side(side), rated)
    await _start_match(answer, terms, Level(level), word)


play.autocomplete("game")(interactions.offer_games)


@press(PLAY_WAITING, everywhere=True)
async def play_waiting(answer: InteractionAnswer) -> None:
    """Play whoever waits for an opponent, or offer the computer."""
    if is_bot_member(answer.interaction):
        require_permissions(answer.interaction)
    await _join_challenge(answer, "")


async def _join_challenge(answer: InteractionAnswer, word: str) -> None:
    """Seat somebody at the challenge that has waited longest here, or offer the computer."""
    joined = None
    in_server = is_bot_member(answer.interaction)
    if in_server:
        request = build_match_request(answer, word)
        joined = await accept_oldest(answer.app, request, partial(_can_join, answer))
    if joined is None:
        await answer.send(no_opponent_card(answer.reader, in_server=in_server))
    else:
        await _finish_join(answer, joined)


async def _can_join(answer: InteractionAnswer, challenge: Challenge) -> bool:
    """Whether a match can begin in a challenge's channel, and whoever asks can play it there."""
    is_usable = await can_use(answer.interaction, challenge.channel)
    return is_usable and await can_start_match(answer.client, challenge)


async def _finish_join(answer: InteractionAnswer, result: JoinResult) -> None:
    """End the answer to an acceptance: a challenge of another channel is played there."""
    challenge = result.challenge
    there = build_link(challenge.guild, challenge.channel, challenge.message)
    say = answer.reader
    elsewhere = text_only_card(say("You have an opponent. Your match is here: {link}", link=there))
    await answer.finish_in(challenge.channel, elsewhere)


@press(PICK_GAME, everywhere=True)
async def start_picked_game(answer: InteractionAnswer) -> None:
    """Begin a match against the computer at the game that was picked."""
    await _start_unrated_match(answer, get_selection(answer.interaction), DEFAULT_LEVEL)


@press(PLAY_COMPUTER, everywhere=True)
async def start_against_computer(answer: InteractionAnswer, slug: str, level: Level) -> None:
    """Begin a match against the computer."""
    await _start_unrated_match(answer, slug, level)


async def _start_unrated_match(answer: InteractionAnswer, slug: str, level: Level) -> None:
    if is_bot_member(answer.interaction):
        require_permissions(answer.interaction)
    await _start_match(answer, MatchTerms(find_game(slug), {}, rated=False), level)


async def start_in_position(
    answer: InteractionAnswer, terms: MatchTerms, level: Level, opening: SetUp
) -> None:
    """Begin an unrated match against the computer in a position."""
    if is_bot_member(answer.interaction):
        require_permissions(answer.interaction)
    await _start_match(answer, replace(terms, rated=False), level, opening=opening)


async def _start_match(
    answer: InteractionAnswer,
    terms: MatchTerms,
    level: Level,
    word: str = "",
    opening: SetUp | None = None,
) -> None:
    """Begin a match against the computer here, or in direct messages where the bot is no member."""
    request = build_match_request(answer, word)
    if is_bot_member(answer.interaction) or is_direct(answer.interaction):
        await play_computer(answer.app, request, terms, level, opening=opening)
        await answer.finish()
        return
    channel = await open_direct_messages(answer, terms.game)
    direct = replace(request, guild=NO_SERVER, channel=channel, parent=None)
    await play_computer(answer.app, direct, terms, level, opening=opening)
    say, link = answer.reader, build_link(NO_SERVER, channel, None)
    await answer.confirm(
        say("I'm not a member here, so your match is in our direct messages: {link}", link=link)
    )


async def open_direct_messages(answer: InteractionAnswer, game: Game) -> int:
    """Write to somebody that their match is in these direct messages, and return their channel.

    Raises DeclinedError if they take none. A match cannot be shown where the bot is no member: it
    could only answer there, each time for a quarter of an hour.
    """
    client, interaction = answer.client, answer.interaction
    channel = await client.create_dm(discord.Object(interaction.user.id))
    reader = DirectReader(interaction.user.id, client.get_locale(interaction))
    answer.app.get_part(DirectReaders).note(channel.id, reader)
    say = answer.reader
    text = say(
        "Your match of {game} is here, since I can only show matches where I'm a member.",
        game=format_title(say, game),
    )
    try:
        await ServerChannel(client, NO_SERVER, channel.id).post(
            text_only_card(text), f"direct match of {interaction.id}"
        )
    except discord.Forbidden:
        raise DirectMessagesClosedError from None
    return channel.id
