"""Playing against the computer: /play, and the buttons that begin such a match."""

from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.features.challenges import computer_seats
from bot.features.challenges import service as challenges
from bot.features.challenges.commands import LONGEST_NAME, LONGEST_OPTIONS
from bot.features.challenges.delivery import can_start_match
from bot.features.challenges.game_choice import LEVEL_CHOICES, offer_games
from bot.features.challenges.interactions import make_match_request
from bot.features.challenges.terms import LONGEST_WORD, MatchTerms, parse_options
from bot.features.computer.controls import PICK_GAME, PLAY_COMPUTER
from bot.features.computer.texts import format_direct_match, format_direct_opening
from bot.features.rulebook.pages import no_opponent_card
from bot.platform.computers import DEFAULT_LEVEL
from bot.platform.direct import NO_SERVER, DirectReader, DirectReaders
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.access import can_use
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import text_only_card
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.declarations import command, press
from bot.platform.ui.ids import get_selection
from bot.platform.ui.membership import is_bot_member
from bot.platform.ui.places import build_link, is_direct, require_permissions
from bot.store import Challenge, JoinResult
from engine.events import SetUp
from engine.games import find_game
from engine.players.level import Level
from engine.position import Side
from engine.rules import Game


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
    level=LEVEL_CHOICES,
    side=[app_commands.Choice(name=side.value, value=side.value) for side in Side],
)
async def play(
    answer: InteractionAnswer,
    game: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
    level: str = DEFAULT_LEVEL.value,
    side: str = Side.GOLD.value,
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
    rated: bool = False,
    word: app_commands.Range[str, 0, LONGEST_WORD] = "",
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


play.autocomplete("game")(offer_games)


async def _join_challenge(answer: InteractionAnswer, word: str) -> None:
    """Seat somebody at the challenge that has waited longest here.

    Where none waits, offer the computer.
    """
    joined = None
    if is_bot_member(answer.interaction):
        asked = make_match_request(answer, word)
        joined = await challenges.accept_oldest(answer.app, asked, partial(_can_join, answer))
    if joined is None:
        await answer.send(no_opponent_card(answer.reader))
    else:
        await _finish_join(answer, joined)


async def _can_join(answer: InteractionAnswer, challenge: Challenge) -> bool:
    """Whether a match can begin in a challenge's channel, and whoever asks can play it there."""
    is_usable = await can_use(answer.interaction, challenge.channel)
    return is_usable and await can_start_match(answer.client, challenge)


async def _finish_join(answer: InteractionAnswer, joined: JoinResult) -> None:
    """End the answer to an acceptance: a challenge of another channel is played there."""
    challenge = joined.challenge
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
    asked = make_match_request(answer, word)
    if is_bot_member(answer.interaction) or is_direct(answer.interaction):
        await computer_seats.play_computer(answer.app, asked, terms, level, opening=opening)
        await answer.finish()
        return
    channel = await open_direct_messages(answer, terms.game)
    direct = replace(asked, guild=NO_SERVER, channel=channel, parent=None)
    await computer_seats.play_computer(answer.app, direct, terms, level, opening=opening)
    with log_answer_failures(answer.interaction):
        there = build_link(NO_SERVER, channel, None)
        await answer.send(text_only_card(format_direct_match(answer.reader, there)))


async def open_direct_messages(answer: InteractionAnswer, game: Game) -> int:
    """Write to somebody that their match is in these direct messages, and return their channel.

    Raises DeclinedError if they take none. A match cannot be shown where the bot is no member: it
    could only answer there, each time for a quarter of an hour.
    """
    client, interaction = answer.client, answer.interaction
    channel = await client.create_dm(discord.Object(interaction.user.id))
    reader = DirectReader(interaction.user.id, client.get_locale(interaction))
    answer.app.get_part(DirectReaders).note(channel.id, reader)
    card = text_only_card(format_direct_opening(answer.reader, game))
    try:
        await ServerChannel(client, NO_SERVER, channel.id).post(
            card, f"direct match of {interaction.id}"
        )
    except discord.Forbidden:
        raise DeclinedError(DeclineReason.DIRECT_CLOSED) from None
    return channel.id
