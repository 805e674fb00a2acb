"""Slash commands as a person's Discord client fills them in, from what the bot registered."""

from collections.abc import Callable, Mapping

from .payloads import encode_channel, encode_member, encode_user
from .sessions import Json
from .world import Account, World, WorldChannel

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, NUMBER = 1, 2, 3, 4, 5, 6, 7, 10
PLAIN_TYPES: dict[int, tuple[type, ...]] = {
    STRING: (str,),
    INTEGER: (int,),
    BOOLEAN: (bool,),
    NUMBER: (int, float),
}
"""The Python types that the plain option types take."""

Value = str | int | float | bool | Account | WorldChannel
Values = Mapping[str, Value]


def find_command(world: World, name: str) -> Json:
    """Return a registered command, the guild's before the global one.

    Raises LookupError with the names there are.
    """
    known = {one["name"]: one for commands in world.commands.values() for one in commands}
    if name not in known:
        raise LookupError(f"no command /{name} is registered; there are {sorted(known)}")
    return known[name]


def make_command_data(world: World, name: str, values: Values, focused: str | None = None) -> Json:
    """Return an interaction's `data` for `name` with `values` by option name.

    In `name`, subcommands follow after spaces. With `focused` the command is still being typed:
    that option is marked, required ones may be missing. Raises LookupError for an unknown command
    or option, ValueError for a value that Discord's client would not let through.
    """
    first, *path = name.split()
    command = find_command(world, first)
    resolved: Json = {}
    options = _nest_options(
        command, path, lambda leaf: _fill_options(world, leaf, values, focused, resolved)
    )
    place = {"guild_id": command["guild_id"]} if "guild_id" in command else {}
    return {
        "id": command["id"],
        "name": first,
        "type": 1,
        "options": options,
        "resolved": resolved,
        **place,
    }


def _nest_options(node: Json, path: list[str], fill: Callable[[Json], list[Json]]) -> list[Json]:
    if not path:
        return fill(node)
    inner = next((option for option in node.get("options", []) if option["name"] == path[0]), None)
    if inner is None or inner["type"] not in (SUBCOMMAND, GROUP):
        raise LookupError(f"/{node['name']} has no subcommand {path[0]!r}")
    return [
        {"name": path[0], "type": inner["type"], "options": _nest_options(inner, path[1:], fill)}
    ]


def _fill_options(
    world: World, leaf: Json, values: Values, focused: str | None, resolved: Json
) -> list[Json]:
    specs = {option["name"]: option for option in leaf.get("options", [])}
    if unknown := set(values) - set(specs):
        raise LookupError(
            f"/{leaf['name']} has no option {sorted(unknown)}; there are {sorted(specs)}"
        )
    missing = {name for name, spec in specs.items() if spec.get("required")} - set(values)
    if missing and focused is None:
        raise ValueError(f"/{leaf['name']} needs {sorted(missing)}")
    return [
        _fill_option(world, specs[name], value, name == focused, resolved)
        for name, value in values.items()
    ]


def _fill_option(world: World, spec: Json, value: Value, focused: bool, resolved: Json) -> Json:
    option = {"name": spec["name"], "type": spec["type"]}
    if focused:
        if not spec.get("autocomplete"):
            raise ValueError(f"option {spec['name']!r} has no autocomplete")
        return {**option, "value": str(value), "focused": True}
    return {**option, "value": _convert_value(world, spec, value, resolved)}


def _convert_value(world: World, spec: Json, value: Value, resolved: Json) -> str | int | float:
    if isinstance(value, Account) and spec["type"] == USER:
        resolved.setdefault("users", {})[str(value.id)] = encode_user(value)
        resolved.setdefault("members", {})[str(value.id)] = encode_member(value)
        return str(value.id)
    if isinstance(value, WorldChannel) and spec["type"] == CHANNEL:
        resolved.setdefault("channels", {})[str(value.id)] = {
            **encode_channel(world, value),
            "permissions": "0",
        }
        return str(value.id)
    if isinstance(value, PLAIN_TYPES.get(spec["type"], ())) and isinstance(
        value, str | int | float
    ):
        _check_plain_value(spec, value)
        return value
    raise ValueError(f"option {spec['name']!r} does not take {value!r}")


def _check_plain_value(spec: Json, value: str | int | float) -> None:
    choices = [choice["value"] for choice in spec.get("choices", [])]
    if choices and value not in choices:
        raise ValueError(f"option {spec['name']!r} offers {choices}, not {value!r}")
    size = len(value) if isinstance(value, str) else value
    least = spec.get("min_length" if isinstance(value, str) else "min_value", size)
    most = spec.get("max_length" if isinstance(value, str) else "max_value", size)
    if not least <= size <= most:
        raise ValueError(f"option {spec['name']!r} lies between {least} and {most}, not at {size}")
