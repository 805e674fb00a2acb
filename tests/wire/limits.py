"""Discord's limits on messages, modals and autocomplete choices that its API description does not or not fully say."""

from collections import Counter
from collections.abc import Iterable, Iterator

from .payloads import references
from .replies import File, parts, texts
from .sessions import Json
from .world import COMPONENTS_V2, ApiError, Message, invalid

Problem = tuple[str, str]

ROW, BUTTON, TEXT_DISPLAY, LABEL = 1, 2, 10, 18
EMBED_TEXTS = (("title", 256), ("description", 4096))
PART_TEXTS = {"label": 80, "placeholder": 150, "description": 1024}


def _length(path: str, text: str | None, most: int, least: int = 0) -> Iterator[Problem]:
    if text is not None and not least <= len(text) <= most:
        yield path, f"Must be between {least} and {most} in length."


def _count(path: str, things: Iterable[object], most: int, least: int = 0) -> Iterator[Problem]:
    number = len(list(things))
    if not least <= number <= most:
        yield path, f"Must be between {least} and {most} in number, not {number}."


def _embed(path: str, embed: Json) -> Iterator[Problem]:
    for key, most in EMBED_TEXTS:
        yield from _length(f"{path}.{key}", embed.get(key), most)
    yield from _length(f"{path}.footer", (embed.get("footer") or {}).get("text"), 2048)
    yield from _length(f"{path}.author", (embed.get("author") or {}).get("name"), 256)
    yield from _count(f"{path}.fields", embed.get("fields", []), 25)
    for row in embed.get("fields", []):
        yield from _length(f"{path}.fields.name", row["name"], 256, 1)
        yield from _length(f"{path}.fields.value", row["value"], 1024, 1)


def _part(part: Json) -> Iterator[Problem]:
    path = f"components[type {part['type']}]"
    yield from _length(f"{path}.custom_id", part.get("custom_id"), 100, 1)
    for key, most in PART_TEXTS.items():
        yield from _length(f"{path}.{key}", part.get(key), most)
    if "options" in part:
        yield from _count(f"{path}.options", part["options"], 25, 1)
    if part["type"] == BUTTON and not (part.get("label") or part.get("emoji")):
        yield path, "A button must have a label or an emoji."
    if part["type"] == ROW:
        most = 5 if all(held["type"] == BUTTON for held in part["components"]) else 1
        yield from _count(path, part["components"], most, 1)


def _components(components: list[Json]) -> Iterator[Problem]:
    found = list(parts(components))
    ids = Counter(part["custom_id"] for part in found if "custom_id" in part)
    yield from (("components.custom_id", f"{key!r} is duplicated.") for key, times in ids.items() if times > 1)
    for part in found:
        yield from _part(part)


def _laid_out(message: Message) -> Iterator[Problem]:
    found = list(parts(message.components))
    yield from _count("components", found, 40, 1)
    yield from _length("components", "".join(part["content"] for part in found if part["type"] == TEXT_DISPLAY), 4000)
    if message.content or message.embeds:
        yield "flags", "A message laid out by components has no content and no embeds."


def _classic(message: Message) -> Iterator[Problem]:
    yield from _length("content", message.content, 2000)
    yield from _count("embeds", message.embeds, 10)
    yield from _count("components", message.components, 5)
    if sum(map(len, texts(message.embeds))) > 6000:
        yield "embeds", "Embed size exceeds maximum size of 6000."
    if any(part["type"] != ROW for part in message.components):
        yield "components", "Only action rows may stand at the top without the components flag."
    for index, embed in enumerate(message.embeds):
        yield from _embed(f"embeds.{index}", embed)


def _files(message: Message) -> Iterator[Problem]:
    yield from _count("attachments", message.files, 10)
    for file in message.files:
        yield from _length("attachments.description", file.description, 1024)
    missing = (references(message.embeds) | references(message.components)) - {file.name for file in message.files}
    yield from (("attachment://", f"{name} is not attached.") for name in missing)


def check_message(message: Message) -> None:
    """Refuse a message that Discord would refuse.

    Raises ApiError 50006 when it is empty and 50035 with every broken limit. Stricter than Discord in one point: an
    embed that shows a file which is not attached is refused (Discord shows the embed without it).
    """
    if not (message.content or message.embeds or message.components or message.files):
        raise ApiError(400, 50006, "Cannot send an empty message")
    kind = _laid_out(message) if message.flags & COMPONENTS_V2 else _classic(message)
    refuse([*kind, *_components(message.components), *_files(message)])


def check_upload(files: Iterable[File], limit: int) -> None:
    """Refuse files above `limit` bytes with ApiError 40005."""
    if any(len(file.data) > limit for file in files):
        raise ApiError(413, 40005, "Request entity too large")


def check_modal(modal: Json) -> None:
    """Refuse a modal that Discord would refuse, with ApiError 50035."""
    title = _length("title", modal.get("title"), 45, 1)
    identity = _length("custom_id", modal.get("custom_id"), 100, 1)
    rows = _count("components", modal["components"], 5, 1)
    refuse([*title, *identity, *rows, *_components(modal["components"])])


def check_choices(choices: list[Json]) -> None:
    """Refuse more than 25 autocomplete choices or texts above 100 characters, with ApiError 50035."""
    problems = list(_count("choices", choices, 25))
    for choice in choices:
        problems += _length("choices.name", choice["name"], 100, 1)
        problems += _length("choices.value", str(choice["value"]), 100)
    refuse(problems)


def refuse(problems: list[Problem]) -> None:
    """Raise ApiError 50035 when there is any problem."""
    if problems:
        raise invalid(dict(problems))
