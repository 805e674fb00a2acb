"""What follows from a declaration: a command's options and contexts, and the parts of an id."""

import ast
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

from bot import features
from bot.features.matches.controls import CARD_CONTROLS, MENUS_PER_VERSION, CardPart
from bot.features.matches.interactions import match_command
from bot.platform.i18n.reader import UnknownControlError
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.controls import list_scoped_verbs, parse_parts
from bot.platform.ui.declarations import (
    ORDER,
    collect_commands,
    collect_presses,
    command,
    index_presses,
    match_group,
    me_group,
    press,
    server_group,
)
from engine.players.level import Level

FEATURES = Path(features.__file__).parent
SHOWING = {"cards", "commands", "controls", "presses", "texts"}
"""How the names of modules end that show something or are pressed."""
NUMBER, TEXT = discord.AppCommandOptionType.integer, discord.AppCommandOptionType.string


@command(everywhere=True, name="greet")
@app_commands.rename(times="often")
@app_commands.describe(words="What to say", times="How many times")
@app_commands.choices(words=[app_commands.Choice(name="hello", value="hi")])
async def say_words(
    answer: InteractionAnswer,
    words: str,
    times: "app_commands.Range[int, 1, 9] | None" = None,
) -> None:
    """Say some words."""


@match_command(name="wave")
@app_commands.describe(how="In which way")
async def wave_in_match(answer: InteractionAnswer, match: int, how: str = "") -> None:
    """Wave to those who play."""


@command()
async def ring(answer: InteractionAnswer) -> None:
    """Call everybody."""


group = app_commands.Group(name="club", description="For a club")


@command(group=group)
async def bell(answer: InteractionAnswer) -> None:
    """Ring the bell."""


@press("try")
async def press_all(
    answer: InteractionAnswer, match: int, level: Level, text: str, number: int = 0
) -> None:
    """Take parts of every kind."""


@press("any")
async def press_any(answer: InteractionAnswer) -> None:
    """Take no parts."""


def list_options(declared: app_commands.Command[Any, ..., None]) -> list[tuple[Any, ...]]:
    """The options as Discord shows them: name, description, type, whether it must be given."""
    return [
        (each.display_name, str(each.description), each.type, each.required)
        for each in declared.parameters
    ]


def test_a_command_is_what_its_function_says() -> None:
    assert (say_words.name, say_words.description) == ("greet", "Say some words.")
    assert list_options(say_words) == [
        ("words", "What to say", TEXT, True),
        ("often", "How many times", NUMBER, False),
    ]
    words, times = say_words.parameters
    assert [choice.value for choice in words.choices] == ["hi"]
    assert (times.min_value, times.max_value) == (1, 9)
    assert say_words.module == __name__


def test_a_command_is_offered_where_it_says() -> None:
    assert say_words.allowed_contexts
    assert wave_in_match.allowed_contexts
    assert ring.allowed_contexts
    # Servers, direct messages with the bot, and those between people.
    assert say_words.allowed_contexts.to_array() == [0, 1, 2]
    assert wave_in_match.allowed_contexts.to_array() == [0, 1]
    assert ring.allowed_contexts.to_array() == [0]
    assert not say_words.guild_only
    assert not wave_in_match.guild_only
    assert ring.guild_only


def test_the_match_is_the_last_option_and_can_be_left_out() -> None:
    assert list_options(wave_in_match) == [
        ("how", "In which way", TEXT, False),
        ("match", "The number of the match, if you have several here", NUMBER, False),
    ]


def test_a_command_of_a_group_belongs_to_it() -> None:
    assert group.commands == [bell]
    assert bell.qualified_name == "club bell"


@pytest.mark.parametrize("group", [match_group, me_group, server_group])
def test_the_order_in_a_group_of_several_features_depends_on_no_import(
    group: app_commands.Group,
) -> None:
    collect_commands()
    orders = [each.extras[ORDER] for each in group.commands]
    assert orders == sorted(set(orders))


def test_the_parts_of_an_id_are_what_the_function_takes() -> None:
    assert parse_parts("3:master:a-b", press_all.parts) == [3, Level.MASTER, "a-b"]
    assert parse_parts("3:master:a-b:8", press_all.parts) == [3, Level.MASTER, "a-b", 8]
    assert parse_parts("whatever:it:says", press_any.parts) == []


@pytest.mark.parametrize(
    "rest", ["", "3", "3:master", "x:master:a", "3:expert:a", "3:master:a:", "3:master:a:b:8"]
)
def test_an_id_that_none_of_our_messages_shows_is_refused(rest: str) -> None:
    with pytest.raises(UnknownControlError):
        parse_parts(rest, press_all.parts)


def test_every_control_of_a_match_or_a_challenge_has_its_press() -> None:
    presses = collect_presses()
    assert presses.keys() > list_scoped_verbs() > {"match", "plays", "ask", "challenge"}


@pytest.mark.parametrize("part", CardPart)
def test_no_two_controls_of_a_card_have_the_same_place(part: CardPart) -> None:
    orders = [each.order for each in CARD_CONTROLS[part].list_extensions()]
    # With equal places it would be the names of modules that decide.
    assert orders == sorted(set(orders))
    assert orders


def test_two_presses_for_one_verb_are_refused() -> None:
    other = press("try")(press_all.handler)
    assert index_presses([press_all, press()(press_all.handler)]) == {"try": press_all}
    with pytest.raises(TypeError, match="both declare “try”"):
        index_presses([press_all, other])


def test_a_press_that_edits_public_messages_must_be_shown() -> None:
    with pytest.raises(ValueError, match="do not show it"):
        press("try", shown=False, edits_public=True)


def test_no_menu_has_the_number_of_one_of_the_next_version() -> None:
    # A man may go by the sum of three sixes, and 0 is the menu of whole plays.
    assert MENUS_PER_VERSION > 3 * 6


def test_commands_and_cards_reach_no_store() -> None:
    reached = [
        f"{file.relative_to(FEATURES)}:{node.lineno}"
        for file in sorted(FEATURES.rglob("*.py"))
        if file.stem.rpartition("_")[2] in SHOWING
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "store"
    ]
    assert not reached
