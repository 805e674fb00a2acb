"""The names of commands and their options in a language, also where a text mentions them.

Translators leave what stands in backticks as it is, so that it is written in one place what a
command is called: `/challenge` becomes `/herausfordern` wherever it is named.
"""

import re
from gettext import NullTranslations

COMMAND_NAME = "command name"
"""The context of a command's name; its text is the command with its group, as `match draw`."""
OPTION_NAME = "option name"
"""The context of an option's name, in whatever commands it is found."""

_CODE = re.compile(r"`(/?)([a-z]+)( [a-z]+)?([^`]*)`")
_OPTION = re.compile(r"([a-z]+):")


def localise_commands(catalogue: NullTranslations, text: str) -> str:
    """Return a text with the commands and options in it as that language calls them."""
    # Where a group is named alone, its commands may be listed by their own names.
    groups = re.findall(r"`/([a-z]+)`", text)

    def replace(found: re.Match[str]) -> str:
        slash, first, second, rest = found[1], found[2], found[3] or "", found[4]
        if slash:
            name, follows = _name_command(catalogue, first, second)
            named = _OPTION.sub(lambda at: _name_option(catalogue, at[1]) + ":", follows + rest)
            return f"`/{name}{named}`"
        if second or rest:
            return found[0]
        paths = [f"{group} {first}" for group in groups]
        names = [catalogue.pgettext(COMMAND_NAME, path) for path in paths]
        known = [name for path, name in zip(paths, names, strict=True) if name != path]
        return f"`{known[0] if known else _name_option(catalogue, first)}`"

    return _CODE.sub(replace, text)


def _name_command(catalogue: NullTranslations, first: str, second: str) -> tuple[str, str]:
    """Return how a command is called, and what stands after it."""
    name = catalogue.pgettext(COMMAND_NAME, first)
    path = first + second
    below = catalogue.pgettext(COMMAND_NAME, path) if second else path
    # A word that is no command is a part of what is typed.
    return (f"{name} {below}", "") if below != path else (name, second)


def _name_option(catalogue: NullTranslations, name: str) -> str:
    return catalogue.pgettext(OPTION_NAME, name)
