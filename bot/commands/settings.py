"""How one's own boards look: /settings."""

from discord import app_commands

from bot.app import looks
from bot.commands.asking import Commands, answered
from bot.delivery.outlets import Answer, Interaction
from bot.views.sample import sample_card
from bot.words import pages as words
from render.theme import themes

THEMES = [
    app_commands.Choice(name="the one that suits each board", value=looks.NATURAL),
    *(app_commands.Choice(name=theme.title, value=theme.name) for theme in themes().values()),
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
)
@app_commands.choices(theme=THEMES, near=SEATS)
async def settings(
    interaction: Interaction, theme: str | None = None, near: str | None = None, numbers: bool | None = None
) -> None:
    """Choose, or see, how the boards that you alone see are drawn."""

    async def work(answer: Answer) -> None:
        person = interaction.user.id
        look = await looks.choose(interaction.client.app, looks.PERSON, person, theme, near, numbers)
        await answer.tell(sample_card(answer.reader, words.own_look(answer.reader, look), person))

    await answered(interaction, work)


COMMANDS: Commands = (settings,)
