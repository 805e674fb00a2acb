"""What Discord demands of an application's emoji, and of those that messages name."""

import base64
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

MAX_EMOJI = 2000
MAX_BYTES = 256 * 1024
NAME = re.compile(r"[A-Za-z0-9_]{2,32}")
IMAGE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/=]+)")


def decode_image(image: str) -> bytes:
    """Return the picture of an upload; ValueError where it is none."""
    found = IMAGE.fullmatch(image)
    if not found:
        raise ValueError("not the data of a picture")
    return base64.b64decode(found[2])


def find_upload_problems(
    body: Mapping[str, Any], names: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a new emoji, or a new name of one, by the field that is wrong."""
    if not NAME.fullmatch(body.get("name", "")):
        yield "name", "String value did not match validation regex."
    if body.get("name") in names:
        yield "name", "Emoji name already taken."
    if "image" in body:
        try:
            size = len(decode_image(body["image"]))
        except ValueError:
            yield "image", "Invalid image data"
        else:
            if size > MAX_BYTES:
                yield "image", "File cannot be larger than 256.0 kb."


def find_unknown_emoji(
    value: Mapping[str, Any] | Sequence[Any], known: Collection[int], path: str = ""
) -> Iterator[str]:
    """Yield the paths of the emoji in components or a whole body that the application lacks."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        if key == "emoji":
            if part and part.get("id") and int(part["id"]) not in known:
                yield f"{path}.emoji.id".removeprefix(".")
            elif part and not part.get("id") and not part.get("name"):
                yield f"{path}.emoji.name".removeprefix(".")
        elif isinstance(part, dict | list):
            yield from find_unknown_emoji(part, known, f"{path}.{key}" if path else str(key))
