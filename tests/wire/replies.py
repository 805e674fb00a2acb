"""What a person sees of a message: the snapshot that tests read."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

Json = dict[str, Any]


class ComponentKind(IntEnum):
    """The types of components."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18


@dataclass(frozen=True, slots=True)
class MessageFile:
    """A file on a message.

    `description` is its alternative text; `id` is 0 until Discord has stored it.
    """

    name: str
    data: bytes
    description: str | None = None
    id: int = 0


def walk_components(components: list[Json]) -> Iterator[Json]:
    """Yield every component, nested ones after what holds them."""
    for component in components:
        yield component
        single = [component[key] for key in ("component", "accessory") if key in component]
        yield from walk_components(component.get("components", []) + single)


def walk_embed_texts(embeds: list[Json]) -> Iterator[str]:
    """Yield every text of embeds that counts towards Discord's 6000 characters."""
    for embed in embeds:
        yield from (embed[key] for key in ("title", "description") if embed.get(key))
        yield from (
            embed[key][name]
            for key, name in (("footer", "text"), ("author", "name"))
            if embed.get(key)
        )
        for row in embed.get("fields", []):
            yield from (row["name"], row["value"])


@dataclass(frozen=True, slots=True)
class Reply:
    """A message, or a modal, as one person saw it at one moment.

    `embeds` and `components` are Discord's JSON with `attachment://` replaced by addresses; `files`
    are the files that can be seen, also those inside an embed or a gallery; `pings` are the ids of
    those it notified. With `modal` set it is a form, and `message_id` the message whose button
    opened it (None for a slash command). A deleted answer has neither.
    """

    channel_id: int
    message_id: int | None = None
    content: str = ""
    embeds: tuple[Json, ...] = ()
    components: tuple[Json, ...] = ()
    files: tuple[MessageFile, ...] = ()
    pings: tuple[int, ...] = ()
    ephemeral: bool = False
    loading: bool = False
    edited: bool = False
    modal: Json | None = None

    @property
    def text(self) -> str:
        """All words on it: content, embeds, text displays, one a line."""
        shown = [
            part["content"]
            for part in walk_components(list(self.components))
            if part["type"] == ComponentKind.TEXT
        ]
        return "\n".join(filter(None, [self.content, *walk_embed_texts(list(self.embeds)), *shown]))

    @property
    def alt_texts(self) -> list[str | None]:
        """What each picture of its galleries says to those who cannot see it."""
        galleries = (
            part
            for part in walk_components(list(self.components))
            if part["type"] == ComponentKind.GALLERY
        )
        return [item["description"] for gallery in galleries for item in gallery["items"]]

    def find_controls(self) -> dict[str, Json]:
        """Return the buttons and menus that can be used, by custom_id."""
        found = walk_components(list(self.components))
        return {
            part["custom_id"]: part
            for part in found
            if "custom_id" in part and not part.get("disabled")
        }

    def list_labels(self) -> list[str | None]:
        """Return the labels of what can be used; menus have none."""
        return [part.get("label") for part in self.find_controls().values()]

    def find_custom_id(self, label: str) -> str:
        """Return the custom_id of the usable button with this label.

        Raises LookupError with the labels there are.
        """
        labels = {part.get("label"): key for key, part in self.find_controls().items()}
        if label not in labels:
            raise LookupError(f"no button {label!r}; there are {sorted(filter(None, labels))}")
        return labels[label]
