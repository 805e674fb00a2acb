"""What is chosen: /settings for oneself, /server for everyone there, /vacation to stop one's clocks."""

import discord
from discord import Permissions, app_commands

from bot.app import habits, looks
from bot.app.errors import Declined, Why
from bot.commands.asking import Commands, answered, person_of
from bot.commands.challenge import LONGEST_PACE
from bot.commands.games import pace_choices
from bot.delivery.outlets import Answer, Interaction, missing_permissions
from bot.store import Reminder
from bot.views.card import said
from bot.views.sample import sample_card
from bot.words import clock
from bot.words import pages as words
from bot.words.following import news_channel
from engine.clock import read_pace
from render.theme import themes

THEMES = [
    app_commands.Choice(name="the one that suits each board", value=looks.NATURAL),
    *(app_commands.Choice(name=theme.title, value=theme.name) for theme in themes().values()),
]
REMINDERS = [
    app_commands.Choice(name="in the match's channel", value=Reminder.CHANNEL.value),
    app_commands.Choice(name="by direct message", value=Reminder.DIRECT.value),
    app_commands.Choice(name="never", value=Reminder.NEVER.value),
]
SEATS = [
    app_commands.Choice(name="gold", value="gold"),
    app_commands.Choice(name="black", value="black"),
    app_commands.Choice(name="my own side", value=looks.MINE),
]


@app_commands.command()
@app_commands.describe(
    theme="What your boards look like",
    near="Which side sits below, near you",
    numbers="Whether points show how far they are from the end, for the side to move",
    reminders="How you are told that your time runs out",
    throw="Whether your dice are thrown for you",
    confirm="Whether you are asked before a turn of yours ends",
)
@app_commands.choices(theme=THEMES, near=SEATS, reminders=REMINDERS)
async def settings(
    interaction: Interaction,
    theme: str | None = None,
    near: str | None = None,
    numbers: bool | None = None,
    reminders: str | None = None,
    throw: bool | None = None,
    confirm: bool | None = None,
) -> None:
    """See or choose how your own boards look and how you play."""

    async def work(answer: Answer) -> None:
        app = interaction.client.app
        person = person_of(interaction)
        look = await looks.choose(app, looks.PERSON, person.id, theme, near, numbers)
        reminder = Reminder(reminders) if reminders else None
        habit = await habits.choose(app, person, reminder=reminder, throws=throw, confirms=confirm)
        told = words.own_look(answer.reader, look), clock.habit(answer.reader, habit)
        await answer.tell(sample_card(answer.reader, "\n".join(told), person.id))

    await answered(interaction, work)


@app_commands.command()
@app_commands.guild_only()
@app_commands.default_permissions(Permissions(manage_guild=True))
@app_commands.describe(
    theme="What this server's boards look like",
    near="Which side sits below",
    numbers="Whether points show how far they are from the end, for the side to move",
    pace="How much time matches have: live, day, week, none..., or 30m+20s",
    news="Where it is told that matches begin and end; the same again stops that",
)
@app_commands.choices(theme=THEMES, near=SEATS[:2])
async def server(
    interaction: Interaction,
    theme: str | None = None,
    near: str | None = None,
    numbers: bool | None = None,
    pace: app_commands.Range[str, 1, LONGEST_PACE] | None = None,
    news: discord.TextChannel | None = None,
) -> None:
    """See or choose the look of public boards here, and the pace."""

    async def work(answer: Answer) -> None:
        app = interaction.client.app
        guild = interaction.guild_id or 0
        chosen = read_pace(pace or await app.store.habits.pace(guild))
        look = await looks.choose(app, looks.SERVER, guild, theme, near, numbers)
        if pace:
            await app.store.habits.set_pace(guild, chosen.name)
        told = await _news(interaction, guild, news.id if news else None)
        say = answer.reader
        await answer.tell(said(words.server_look(say, look), clock.server_pace(say, chosen), news_channel(say, told)))

    await answered(interaction, work)


async def _news(interaction: Interaction, guild: int, chosen: int | None) -> int | None:
    """Choose where a server's news are told, or stop that where it is told there already; return where it is then.

    Raises Declined naming the permissions that the bot lacks there.
    """
    client = interaction.client
    before = await client.app.store.habits.news(guild)
    if chosen is None:
        return before
    if chosen == before:
        await client.app.store.habits.set_news(guild, None)
        return None
    # A line of news has no picture.
    missing = tuple(name for name in missing_permissions(client, guild, chosen) if name != "attach_files")
    if missing:
        raise Declined(Why.MISSING_PERMISSIONS, permissions=missing, channel=chosen)
    await client.app.store.habits.set_news(guild, chosen)
    return chosen


@server.autocomplete("pace")
async def _paces_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the paces that begin as was typed, each with what it gives."""
    return pace_choices(interaction.client.reader(interaction.locale), typed)


@app_commands.command()
@app_commands.describe(days="For how many days your clocks stand still; 0 brings you back")
async def vacation(
    interaction: Interaction, days: app_commands.Range[int, 0, habits.DAYS_A_YEAR] | None = None
) -> None:
    """Stop your clocks for some days, or see whether they stand."""

    async def work(answer: Answer) -> None:
        app = interaction.client.app
        person = person_of(interaction)
        if days is None:
            found = await habits.vacation(app, person.id)
        elif days:
            found = await habits.go_away(app, person, days)
        else:
            found = await habits.come_back(app, person)
        await answer.tell(said(clock.vacation(answer.reader, found)))

    await answered(interaction, work)


COMMANDS: Commands = (settings, server, vacation)
