"""A message's components: what may hold what, and how Discord gives them back."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from .replies import Json, Kind

ATTACHMENT = "attachment://"
CONTROLS = {
    Kind.BUTTON,
    Kind.STRING_SELECT,
    Kind.USER_SELECT,
    Kind.ROLE_SELECT,
    Kind.MENTIONABLE_SELECT,
    Kind.CHANNEL_SELECT,
}
IN_CONTAINER = {Kind.ROW, Kind.SECTION, Kind.TEXT, Kind.GALLERY, Kind.FILE, Kind.SEPARATOR}
AT_TOP = IN_CONTAINER | {Kind.CONTAINER}
"""What may stand at the top of a message laid out by components."""
MAY_HOLD = {
    Kind.ROW: CONTROLS | {Kind.TEXT_INPUT},
    Kind.CONTAINER: IN_CONTAINER,
    Kind.SECTION: {Kind.TEXT},
}
DEFAULTS: dict[int, Json] = {
    Kind.STRING_SELECT: {"min_values": 1, "max_values": 1},
    Kind.THUMBNAIL: {"description": None, "spoiler": False},
    Kind.FILE: {"spoiler": False},
    Kind.SEPARATOR: {"divider": True, "spacing": 1},
    Kind.CONTAINER: {"accent_color": None, "spoiler": False},
}
"""What Discord adds to a component where the bot left it out."""
PICTURE: Json = {"description": None, "spoiler": False}
"""What Discord adds to a picture of a gallery."""


def references(value: Any) -> set[str]:
    """Return the names behind every `attachment://` in embeds or components."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return set().union(*map(references, value))
    named = isinstance(value, str) and value.startswith(ATTACHMENT)
    return {value.removeprefix(ATTACHMENT)} if named else set()


def given_back(components: list[Json], media: Mapping[str, Json]) -> list[Json]:
    """Return components as Discord answers: numbered, with all defaults, files by address.

    `media` is Discord's description of each file of the message, by its `attachment://` address.
    """
    numbers = itertools.count(1)
    return [_shown(component, media, numbers) for component in components]


def _shown(component: Json, media: Mapping[str, Json], numbers: Iterator[int]) -> Json:
    shown = {
        **DEFAULTS.get(component["type"], {}),
        **component,
        "id": component.get("id") or next(numbers),
    }
    if "components" in component:
        shown["components"] = [_shown(inner, media, numbers) for inner in component["components"]]
    for key in ("accessory", "component"):
        if key in component:
            shown[key] = _shown(component[key], media, numbers)
    for key in ("media", "file"):
        if key in component:
            shown[key] = _unfurled(component[key], media)
    if "items" in component:
        shown["items"] = [
            {**PICTURE, **item, "media": _unfurled(item["media"], media)}
            for item in component["items"]
        ]
    return shown


def _unfurled(item: Json, media: Mapping[str, Json]) -> Json:
    elsewhere = {"id": "0", "proxy_url": item["url"], **item}
    return media.get(item["url"], elsewhere)
