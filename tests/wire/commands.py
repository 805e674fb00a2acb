"""Command registration (`tree.sync`) and what Discord demands of commands."""

import re
from collections.abc import Iterator
from typing import Any

from .endpoints import ApiAnswer, Call
from .limits import Problem, raise_problems
from .sessions import Json
from .world import World

NAME = re.compile(r"[-_'\w]{1,32}")
SUBCOMMAND, GROUP = 1, 2
GLOBAL = 0
"""The key of global commands in `World.commands`; guild commands have their guild's id."""


def _check_name(path: str, thing: Json) -> Iterator[Problem]:
    name, description = thing.get("name", ""), thing.get("description", "")
    if thing.get("type", 1) == 1 and not (NAME.fullmatch(name) and name == name.lower()):
        yield f"{path}.name", "Command name is invalid."
    if thing.get("type", 1) == 1 and not 1 <= len(description) <= 100:
        yield f"{path}.description", "Must be between 1 and 100 in length."


def _check_options(path: str, options: list[Json]) -> Iterator[Problem]:
    if len(options) > 25:
        yield f"{path}.options", "Must be 25 or fewer in number."
    if len({option["name"] for option in options}) < len(options):
        yield f"{path}.options", "Option names must be unique."
    needed = [option.get("required", False) for option in options if option["type"] > GROUP]
    if needed != sorted(needed, reverse=True):
        yield f"{path}.options", "Required options must be placed before non-required options."
    for option in options:
        yield from _check_option(f"{path}.{option['name']}", option)


def _check_option(path: str, option: Json) -> Iterator[Problem]:
    yield from _check_name(path, {**option, "type": 1})
    yield from _check_options(path, option.get("options", []))
    choices = option.get("choices", [])
    if len(choices) > 25:
        yield f"{path}.choices", "Must be 25 or fewer in number."
    if choices and option.get("autocomplete"):
        yield f"{path}.autocomplete", "An option has choices or autocomplete, not both."


def _count_characters(thing: Json) -> int:
    own = sum(len(str(thing.get(key, ""))) for key in ("name", "description"))
    choices = sum(
        len(choice["name"]) + len(str(choice["value"])) for choice in thing.get("choices", [])
    )
    return own + choices + sum(map(_count_characters, thing.get("options", [])))


def find_problems(commands: list[Json]) -> Iterator[Problem]:
    """Yield what Discord would refuse in a bulk overwrite."""
    slash = [command["name"] for command in commands if command.get("type", 1) == 1]
    if len(slash) > 100:
        yield "commands", "At most 100 commands."
    if len(set(slash)) < len(slash):
        yield "commands", "Command names must be unique."
    for command in commands:
        yield from _check_name(command["name"], command)
        yield from _check_options(command["name"], command.get("options", []))
        if _count_characters(command) > 8000:
            yield command["name"], "Command exceeds maximum size of 8000."


def _get_scope(call: Call) -> int:
    return int(call.params.get("guild", GLOBAL))


async def overwrite_commands(world: World, call: Call) -> ApiAnswer:
    """Replace all commands of a scope; commands keep their id while they keep their name."""
    raise_problems(list(find_problems(call.body)))
    scope = _get_scope(call)
    ids = {command["name"]: command["id"] for command in world.commands.get(scope, [])}
    world.commands[scope] = [_register_command(world, scope, command, ids) for command in call.body]
    return 200, world.commands[scope]


def _register_command(world: World, scope: int, command: Json, ids: dict[str, str]) -> Json:
    identity = {
        "id": ids.get(command["name"]) or str(world.build_id()),
        "version": str(world.build_id()),
    }
    place: dict[str, Any] = {"guild_id": str(scope)} if scope != GLOBAL else {"contexts": None}
    defaults: Json = {
        "type": 1,
        "description": "",
        "default_member_permissions": None,
        "dm_permission": True,
    }
    options = {key: value for key, value in command.items() if value is not None}
    return {
        **defaults,
        **place,
        "nsfw": False,
        **options,
        **identity,
        "application_id": str(world.bot.id),
    }


async def list_commands(world: World, call: Call) -> ApiAnswer:
    """Return the commands of a scope."""
    return 200, world.commands.get(_get_scope(call), [])


ROUTES = [
    ("PUT", "/applications/{app}/commands", overwrite_commands),
    ("GET", "/applications/{app}/commands", list_commands),
    ("PUT", "/applications/{app}/guilds/{guild}/commands", overwrite_commands),
    ("GET", "/applications/{app}/guilds/{guild}/commands", list_commands),
]
