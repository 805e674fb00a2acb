"""The groups of slash commands to which several features add."""

from discord import app_commands

from bot.platform.ui.declarations import in_all_contexts

match_group = in_all_contexts(
    app_commands.Group(name="match", description="Everything else about one match")
)
me_group = in_all_contexts(
    app_commands.Group(name="me", description="Your results and preferences")
)
