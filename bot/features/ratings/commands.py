"""What one asks of a rating: /rating."""

import discord
from discord import app_commands

from bot.features.challenges.commands import LONGEST_NAME
from bot.features.challenges.game_choice import offer_games
from bot.features.matches.reach import find_match_link
from bot.features.ratings.cards import explanation_card
from bot.features.ratings.explanation import explain_last_change
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.declarations import command


@command()
@app_commands.describe(
    game="One game only (default: the last rated match of any game)",
    player="The player (default: you)",
)
async def rating(
    answer: InteractionAnswer,
    game: app_commands.Range[str, 0, LONGEST_NAME] = "",
    player: discord.User | None = None,
) -> None:
    """See why a player's rating changed in their last rated match."""
    person = answer.person.id
    who = player.id if player else person
    found = await explain_last_change(answer.app, answer.guild, game or None, who, person)
    link = await find_match_link(answer.client, found.row)
    await answer.send(explanation_card(answer.reader, found, person, link))


rating.autocomplete("game")(offer_games)
