"""A message's components: what may hold what, and how Discord gives them back."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from .replies import ComponentKind, Json

ATTACHMENT = "attachment://"
CONTROLS = {
    ComponentKind.BUTTON,
    ComponentKind.STRING_SELECT,
    ComponentKind.USER_SELECT,
    ComponentKind.ROLE_SELECT,
    ComponentKind.MENTIONABLE_SELECT,
    ComponentKind.CHANNEL_SELECT,
}
IN_CONTAINER = {
    ComponentKind.ROW,
    ComponentKind.SECTION,
    ComponentKind.TEXT,
    ComponentKind.GALLERY,
    ComponentKind.FILE,
    ComponentKind.SEPARATOR,
}
AT_TOP = IN_CONTAINER | {ComponentKind.CONTAINER}
"""What may stand at the top of a message laid out by components."""
MAY_HOLD = {
    ComponentKind.ROW: CONTROLS | {ComponentKind.TEXT_INPUT},
    ComponentKind.CONTAINER: IN_CONTAINER,
    ComponentKind.SECTION: {ComponentKind.TEXT},
}
DEFAULTS: dict[int, Json] = {
    ComponentKind.STRING_SELECT: {"min_values": 1, "max_values": 1},
    ComponentKind.THUMBNAIL: {"description": None, "spoiler": False},
    ComponentKind.FILE: {"spoiler": False},
    ComponentKind.SEPARATOR: {"divider": True, "spacing": 1},
    ComponentKind.CONTAINER: {"accent_color": None, "spoiler": False},
}
"""What Discord adds to a component where the bot left it out."""
PICTURE_DEFAULTS: Json = {"description": None, "spoiler": False}
"""What Discord adds to a picture of a gallery."""


def find_references(value: Any) -> set[str]:
    """Return the names behind every `attachment://` in embeds or components."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return set().union(*map(find_references, value))
    named = isinstance(value, str) and value.startswith(ATTACHMENT)
    return {value.removeprefix(ATTACHMENT)} if named else set()


def expand_components(components: list[Json], media: Mapping[str, Json]) -> list[Json]:
    """Return components as Discord answers: numbered, with all defaults, files by address.

    `media` is Discord's description of each file of the message, by its `attachment://` address.
    """
    numbers = itertools.count(1)
    return [_expand_component(component, media, numbers) for component in components]


def _expand_component(component: Json, media: Mapping[str, Json], numbers: Iterator[int]) -> Json:
    shown = {
        **DEFAULTS.get(component["type"], {}),
        **component,
        "id": component.get("id") or next(numbers),
    }
    if "components" in component:
        shown["components"] = [
            _expand_component(inner, media, numbers) for inner in component["components"]
        ]
    for key in ("accessory", "component"):
        if key in component:
            shown[key] = _expand_component(component[key], media, numbers)
    for key in ("media", "file"):
        if key in component:
            shown[key] = _unfurl_media(component[key], media)
    if "items" in component:
        shown["items"] = [
            {**PICTURE_DEFAULTS, **item, "media": _unfurl_media(item["media"], media)}
            for item in component["items"]
        ]
    return shown


def _unfurl_media(item: Json, media: Mapping[str, Json]) -> Json:
    elsewhere = {"id": "0", "proxy_url": item["url"], **item}
    return media.get(item["url"], elsewhere)
