"""Discord's limits that its API description lacks or states only in part.

They are on messages, modals and autocomplete choices.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from tests.support.emoji import find_unknown_emoji

from .layout import AT_TOP, MAY_HOLD, find_references
from .replies import ComponentKind, MessageFile, walk_components, walk_embed_texts
from .sessions import Json
from .world import COMPONENTS_V2, ApiError, Message, make_form_error

Problem = tuple[str, str]

EMBED_TEXTS = (("title", 256), ("description", 4096))
PART_TEXTS = {"label": 80, "placeholder": 150, "description": 1024}
OPTION_TEXTS = {"label": 100, "value": 100, "description": 100}


def _check_length(path: str, text: str | None, most: int, least: int = 0) -> Iterator[Problem]:
    if text is not None and not least <= len(text) <= most:
        yield path, f"Must be between {least} and {most} in length."


def _check_count(
    path: str, things: Iterable[object], most: int, least: int = 0
) -> Iterator[Problem]:
    number = len(list(things))
    if not least <= number <= most:
        yield path, f"Must be between {least} and {most} in number, not {number}."


def _check_embed(path: str, embed: Json) -> Iterator[Problem]:
    for key, most in EMBED_TEXTS:
        yield from _check_length(f"{path}.{key}", embed.get(key), most)
    yield from _check_length(f"{path}.footer", (embed.get("footer") or {}).get("text"), 2048)
    yield from _check_length(f"{path}.author", (embed.get("author") or {}).get("name"), 256)
    yield from _check_count(f"{path}.fields", embed.get("fields", []), 25)
    for row in embed.get("fields", []):
        yield from _check_length(f"{path}.fields.name", row["name"], 256, 1)
        yield from _check_length(f"{path}.fields.value", row["value"], 1024, 1)


def _check_component(part: Json) -> Iterator[Problem]:
    path = f"components[type {part['type']}]"
    yield from _check_length(f"{path}.custom_id", part.get("custom_id"), 100, 1)
    for key, most in PART_TEXTS.items():
        yield from _check_length(f"{path}.{key}", part.get(key), most)
    if part["type"] == ComponentKind.BUTTON and not (part.get("label") or part.get("emoji")):
        yield path, "A button must have a label or an emoji."
    if part["type"] == ComponentKind.ROW:
        most = 5 if all(held["type"] == ComponentKind.BUTTON for held in part["components"]) else 1
        yield from _check_count(path, part["components"], most, 1)
    if part["type"] == ComponentKind.SECTION:
        yield from _check_count(path, part["components"], 3, 1)
    if part["type"] == ComponentKind.TEXT:
        yield from _check_length(f"{path}.content", part["content"], 4000, 1)
    misplaced = {held["type"] for held in part.get("components", [])} - MAY_HOLD.get(
        part["type"], set()
    )
    yield from ((path, f"It cannot hold components of type {one}.") for one in misplaced)
    yield from _check_menu(path, part.get("options"))
    yield from _check_gallery(path, part.get("items"))


def _check_menu(path: str, options: list[Json] | None) -> Iterator[Problem]:
    if options is None:
        return
    yield from _check_count(f"{path}.options", options, 25, 1)
    for option in options:
        for key, most in OPTION_TEXTS.items():
            yield from _check_length(f"{path}.options.{key}", option.get(key), most, 1)
    if len({option["value"] for option in options}) < len(options):
        yield f"{path}.options", "The values of a menu must be unique."


def _check_gallery(path: str, items: list[Json] | None) -> Iterator[Problem]:
    if items is None:
        return
    yield from _check_count(f"{path}.items", items, 10, 1)
    for item in items:
        yield from _check_length(f"{path}.items.description", item.get("description"), 1024)


def _check_components(components: list[Json]) -> Iterator[Problem]:
    found = list(walk_components(components))
    ids = Counter(part["custom_id"] for part in found if "custom_id" in part)
    yield from (
        ("components.custom_id", f"{key!r} is duplicated.")
        for key, times in ids.items()
        if times > 1
    )
    for part in found:
        yield from _check_component(part)


def _check_layout(message: Message) -> Iterator[Problem]:
    found = list(walk_components(message.components))
    yield from _check_count("components", found, 40, 1)
    yield from _check_length(
        "components",
        "".join(part["content"] for part in found if part["type"] == ComponentKind.TEXT),
        4000,
    )
    misplaced = {part["type"] for part in message.components} - AT_TOP
    yield from (
        ("components", f"A component of type {one} cannot stand at the top.") for one in misplaced
    )
    if message.content or message.embeds:
        yield "flags", "A message laid out by components has no content and no embeds."


def _check_classic(message: Message) -> Iterator[Problem]:
    yield from _check_length("content", message.content, 2000)
    yield from _check_count("embeds", message.embeds, 10)
    yield from _check_count("components", message.components, 5)
    if sum(map(len, walk_embed_texts(message.embeds))) > 6000:
        yield "embeds", "Embed size exceeds maximum size of 6000."
    if any(part["type"] != ComponentKind.ROW for part in message.components):
        yield "components", "Only action rows may stand at the top without the components flag."
    for index, embed in enumerate(message.embeds):
        yield from _check_embed(f"embeds.{index}", embed)


def _check_files(message: Message) -> Iterator[Problem]:
    yield from _check_count("attachments", message.files, 10)
    for file in message.files:
        yield from _check_length("attachments.description", file.description, 1024)
    missing = (find_references(message.embeds) | find_references(message.components)) - {
        file.name for file in message.files
    }
    yield from (("attachment://", f"{name} is not attached.") for name in missing)


def check_message(message: Message) -> None:
    """Refuse a message that Discord would refuse.

    Raises ApiError 50006 when it is empty and 50035 with every broken limit. Stricter than Discord
    in one point: an embed that shows a file which is not attached is refused (Discord shows the
    embed without it). A file that no component shows is no mistake: it is just not seen, as
    `payloads.find_visible_files` tells.
    """
    if not (message.content or message.embeds or message.components or message.files):
        raise ApiError(400, 50006, "Cannot send an empty message")
    kind = _check_layout(message) if message.flags & COMPONENTS_V2 else _check_classic(message)
    raise_problems([*kind, *_check_components(message.components), *_check_files(message)])


def check_emoji(components: list[Json], known: Collection[int]) -> None:
    """Refuse components with an emoji that is not among those of the application, with 50035."""
    unknown = find_unknown_emoji(components, known, "components")
    raise_problems([(path, "Invalid emoji") for path in unknown])


def check_mentions(allowed: Json) -> None:
    """Refuse more than 100 people, or all people and some of them at once, with ApiError 50035."""
    users = allowed.get("users") or []
    problems = list(_check_count("allowed_mentions.users", users, 100))
    if users and "users" in (allowed.get("parse") or []):
        problems.append(("allowed_mentions", "users and parse:users exclude each other."))
    raise_problems(problems)


def check_nonce(nonce: str | int | None) -> None:
    """Refuse a nonce above 25 characters with ApiError 50035."""
    raise_problems(list(_check_length("nonce", None if nonce is None else str(nonce), 25)))


def check_upload(files: Iterable[MessageFile], limit: int) -> None:
    """Refuse files above `limit` bytes with ApiError 40005."""
    if any(len(file.data) > limit for file in files):
        raise ApiError(413, 40005, "Request entity too large")


def check_modal(modal: Json) -> None:
    """Refuse a modal that Discord would refuse, with ApiError 50035."""
    title = _check_length("title", modal.get("title"), 45, 1)
    identity = _check_length("custom_id", modal.get("custom_id"), 100, 1)
    rows = _check_count("components", modal["components"], 5, 1)
    raise_problems([*title, *identity, *rows, *_check_components(modal["components"])])


def check_choices(choices: list[Json]) -> None:
    """Refuse more than 25 choices or texts above 100 characters, with ApiError 50035.

    These are autocomplete choices.
    """
    problems = list(_check_count("choices", choices, 25))
    for choice in choices:
        problems += _check_length("choices.name", choice["name"], 100, 1)
        problems += _check_length("choices.value", str(choice["value"]), 100)
    raise_problems(problems)


def raise_problems(problems: list[Problem]) -> None:
    """Raise ApiError 50035 when there is any problem."""
    if problems:
        raise make_form_error(dict(problems))
