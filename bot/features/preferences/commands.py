"""What is chosen for oneself: /me settings, and /me vacation to stop one's clocks."""

from discord import app_commands

from bot.features.preferences import board_style as board_styles
from bot.features.preferences import service as preferences
from bot.features.preferences.cards import sample_card
from bot.features.preferences.texts import format_preferences, format_vacation
from bot.features.rulebook import page_texts as words
from bot.platform.time_zones import LONGEST_ZONE, parse_zone
from bot.platform.ui import views
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import command
from bot.platform.ui.groups import me_group
from bot.platform.ui.time_zones import offer_zones
from bot.store import Reminder
from render.theme import load_themes

THEMES = [
    app_commands.Choice(name="the one that suits each board", value=board_styles.NATURAL),
    *(app_commands.Choice(name=theme.title, value=theme.name) for theme in load_themes().values()),
]
REMINDERS = [
    app_commands.Choice(name="in the match's channel", value=Reminder.CHANNEL.value),
    app_commands.Choice(name="by direct message", value=Reminder.DIRECT.value),
    app_commands.Choice(name="never", value=Reminder.NEVER.value),
]
NEAR_SIDE_CHOICES = [
    app_commands.Choice(name="gold", value="gold"),
    app_commands.Choice(name="black", value="black"),
    app_commands.Choice(name="my own side", value=views.MINE),
]


@command(group=me_group, everywhere=True)
@app_commands.describe(
    theme="What your boards look like",
    near="The side at the bottom",
    numbers="Number the points by their distance from the end for the side to move?",
    reminders="How you're reminded before your time runs out",
    throw="Roll your dice automatically?",
    confirm="Ask you to confirm before your turn ends?",
    zone="Your time zone, such as Europe/Berlin, for vacation days",
)
@app_commands.choices(theme=THEMES, near=NEAR_SIDE_CHOICES, reminders=REMINDERS)
async def settings(
    answer: InteractionAnswer,
    theme: str | None = None,
    near: str | None = None,
    numbers: bool | None = None,
    reminders: str | None = None,
    throw: bool | None = None,
    confirm: bool | None = None,
    zone: app_commands.Range[str, 1, LONGEST_ZONE] | None = None,
) -> None:
    """See or change your boards and preferences."""
    app, say, person = answer.app, answer.reader, answer.person
    chosen = parse_zone(zone) if zone else None
    look = await board_styles.update_style(app, views.PERSON, person.id, theme, near, numbers)
    reminder = Reminder(reminders) if reminders else None
    habit = await preferences.update_preferences(
        app, person, reminder=reminder, throws=throw, confirms=confirm, zone=chosen
    )
    told = (
        words.format_own_board_style(say, look),
        format_preferences(say, habit),
    )
    await answer.send(sample_card(say, "\n".join(told), person.id))


settings.autocomplete("zone")(offer_zones)


@command(group=me_group, everywhere=True)
@app_commands.describe(days="How many days to stop your clocks; 0 ends your vacation")
async def vacation(
    answer: InteractionAnswer,
    days: app_commands.Range[int, 0, preferences.DAYS_A_YEAR] | None = None,
) -> None:
    """Stop your clocks for some days, or see your vacation."""
    app, person = answer.app, answer.person
    if days is None:
        found = await preferences.load_vacation(app, person.id)
    elif days:
        found = await preferences.start_vacation(app, person, days)
    else:
        found = await preferences.end_vacation(app, person)
    await answer.send(text_only_card(format_vacation(answer.reader, found)))
