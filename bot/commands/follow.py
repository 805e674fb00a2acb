"""Watching: /follow."""

from discord import app_commands

from bot.app import following
from bot.commands.asking import Commands, get_person, in_servers, respond
from bot.delivery.following import confirm_follow
from bot.delivery.outlets import Interaction, InteractionAnswer
from bot.store import NotifyWhen
from bot.views.card import text_only_card
from bot.words.following import explain_unreachable, format_follow_reply


@app_commands.command()
@in_servers
@app_commands.describe(match="The number of the match", how="When you get a message")
@app_commands.choices(
    how=[
        app_commands.Choice(name="at the end", value=NotifyWhen.END.value),
        app_commands.Choice(name="every turn", value=NotifyWhen.TURN.value),
    ]
)
async def follow(interaction: Interaction, match: int, how: str | None = None) -> None:
    """Get direct messages about a match; use it again to stop."""

    async def work(answer: InteractionAnswer) -> None:
        client = interaction.client
        person = get_person(interaction)
        often = NotifyWhen(how) if how else None
        session, wanted = await following.follow_match(
            client.app, person, interaction.guild_id or 0, match, often
        )
        if wanted is None or await confirm_follow(
            client, answer.reader, session, person.id, wanted
        ):
            await answer.send(text_only_card(format_follow_reply(answer.reader, session, wanted)))
        else:
            await answer.send(text_only_card(explain_unreachable(answer.reader)))

    await respond(interaction, work)


COMMANDS: Commands = (follow,)
