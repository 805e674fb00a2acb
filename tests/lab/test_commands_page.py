"""docs/generated/commands.md lists every command with its options."""

from bot.platform.ui.declarations import collect_commands
from lab.commands_page import build_page, list_commands


def test_every_command_and_option_is_listed() -> None:
    page = build_page()
    names = {command.qualified_name for command in list_commands()}
    assert {command.name for command in collect_commands()} == {name.split()[0] for name in names}
    for command in list_commands():
        section = page.partition(f"\n## `/{command.qualified_name}")[2].partition("\n## ")[0]
        for option in command.parameters:
            assert f"- `{option.display_name}`: " in section


def test_options_appear_under_the_names_that_discord_shows() -> None:
    assert "## `/server substitute match from to reason`" in build_page()


def test_commands_say_who_may_use_them_and_where() -> None:
    sections = build_page().split("\n## ")
    log = next(each for each in sections if each.startswith("`/server log"))
    assert "For members who may manage the server." in log
    settings = next(each for each in sections if each.startswith("`/me settings"))
    assert "Also works in direct messages" in settings
    assert "direct messages" not in log
