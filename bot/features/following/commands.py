"""Watching: /follow."""

from discord import app_commands

from bot.features.following import service as following
from bot.features.following.delivery import confirm_follow
from bot.features.following.texts import explain_unreachable, format_follow_reply
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import command
from bot.platform.ui.groups import match_group
from bot.store import NotifyWhen


@command(group=match_group)
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
    session, wanted = await following.follow_match(
        client.app, person, answer.guild, match, NotifyWhen(how) if how else None
    )
    if wanted is None or await confirm_follow(client, say, session, person.id, wanted):
        told = format_follow_reply(say, session, wanted)
    else:
        told = explain_unreachable(say)
    await answer.send(text_only_card(told))
