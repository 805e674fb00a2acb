"""The check against Discord's own API description, of request bodies and of this server's answers.

A request's body must be one that Discord takes, and an answer one that Discord gives.

The description is looked for beside the repository and is no part of it; without it, tests marked
`needs_description` are skipped. It knows nothing of totals (6000 characters of embeds, five rows,
duplicate ids): `limits` does.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema  # type: ignore[import-untyped, unused-ignore]
import pytest
from referencing import Registry
from referencing.jsonschema import DRAFT202012

DESCRIPTION = Path(__file__).resolve().parents[3] / "shared" / "discord" / "openapi.json"
ROOT = "urn:discord"
JSON_SCHEMA = ("content", "application/json", "schema")
UNDESCRIBED = {("commands", "nsfw"), ("embeds", "flags"), ("body", "tts"), ("data", "tts")}
"""Keys that discord.py sends and Discord takes, though its description does not name them there."""
IDS = {
    ("allowed_mentions", "users"),
    ("allowed_mentions", "roles"),
    ("attachments", "id"),
    ("body", "recipient_id"),
}
IDS |= {("message_reference", key) for key in ("message_id", "channel_id", "guild_id")}
"""Ids that discord.py sends as numbers and Discord takes, though its description wants strings."""
MEDIA = {"title": "GUILD_MEDIA", "const": 16}
"""A type of channel that discord.py sends with forums, after Discord's "Channel Types"."""
needs_description = pytest.mark.skipif(
    not DESCRIPTION.exists(), reason="Discord's API description is not at hand"
)


@cache
def _description() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(DESCRIPTION.read_text("utf-8"))
    read["components"]["schemas"]["ChannelTypes"]["oneOf"].append(MEDIA)
    return read


@cache
def _closed() -> dict[str, Any]:
    closed = deepcopy(_description())
    for schema in closed["components"]["schemas"].values():
        _close(schema)
    return closed


def _close(schema: object) -> None:
    """Forbid keys that an object schema does not name.

    The description itself would let misspelt ones pass.
    """
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for inner in schema.values():
            _close(inner)
    elif isinstance(schema, list):
        for inner in schema:
            _close(inner)


@cache
def _registry(description: Callable[[], dict[str, Any]]) -> Any:
    return Registry().with_resource(ROOT, DRAFT202012.create_resource(description()))


@cache
def _validator(description: Callable[[], dict[str, Any]], *steps: str) -> Any:
    pointer = "/".join(
        quote(step.replace("~", "~0").replace("/", "~1"), safe="~") for step in steps
    )
    schema = {"$ref": f"{ROOT}#/{pointer}"}
    return jsonschema.Draft202012Validator(schema, registry=_registry(description))


def _template(method: str, path: str) -> str | None:
    steps = path.split("/")
    fitting = [
        template
        for template, operations in _description()["paths"].items()
        if method in operations and _fits(template.split("/"), steps)
    ]
    return min(fitting, key=lambda template: template.count("{"), default=None)


def _fits(template: list[str], steps: list[str]) -> bool:
    pairs = zip(template, steps, strict=False)
    return len(template) == len(steps) and all(
        known.startswith("{") or known == step for known, step in pairs
    )


def _normal(value: Any, place: str) -> Any:
    """Return a body without the known differences between Discord and its description."""
    if isinstance(value, list):
        return [_normal(inner, place) for inner in value]
    if not isinstance(value, dict):
        return value
    kept = {key: inner for key, inner in value.items() if (place, key) not in UNDESCRIBED}
    return {
        key: _text(inner) if (place, key) in IDS else _normal(inner, key)
        for key, inner in kept.items()
    }


def _text(value: Any) -> Any:
    if isinstance(value, list):
        return [_text(inner) for inner in value]
    return str(value) if isinstance(value, int) else value


def _telling(error: Any) -> Any:
    """Return the error that explains the failure.

    Of a choice of schemas, that is the error of the branch that the value's type means.
    """
    while error.context:
        branches = [
            list(found)
            for _, found in groupby(error.context, key=lambda inner: inner.relative_schema_path[0])
        ]
        error = min(branches, key=_unlikely)[0]
    return error


def _unlikely(branch: list[Any]) -> tuple[bool, bool, int]:
    null = any(error.validator == "type" and error.validator_value == "null" for error in branch)
    other = any(
        list(error.relative_path) in ([], ["type"]) and error.validator in ("type", "enum")
        for error in branch
    )
    return null, other, len(branch)


def _sentences(errors: Iterable[Any]) -> Iterator[str]:
    for error in map(_telling, errors):
        where = ".".join(map(str, error.absolute_path)) or "body"
        yield f"{where}: {error.message[:300]}"


def check(method: str, path: str, body: Any) -> list[str]:
    """Return what is wrong with a request by Discord's description, empty when nothing is.

    `path` is without `/api/v10`, as both this server and simcord record it; `body` the JSON or
    `payload_json`.
    """
    template = _template(method.lower(), path)
    if template is None:
        return [f"Discord has no {method} {path}"]
    described = _description()["paths"][template][method.lower()].get("requestBody")
    if described is None or (body is None and not described.get("required")):
        return [] if body is None else [f"{method} {path} takes no body"]
    place = "commands" if template.endswith("/commands") else "body"
    validator = _validator(_closed, "paths", template, method.lower(), "requestBody", *JSON_SCHEMA)
    return list(_sentences(validator.iter_errors(_normal(body, place))))


def check_answer(method: str, path: str, status: int, answer: Any) -> list[str]:
    """Return what is wrong with an answer by Discord's description, empty when nothing is.

    Discord may add what it likes to an answer, so keys that it does not describe are no mistake;
    nor does it describe how it answers during an outage.
    """
    template = _template(method.lower(), path)
    if template is None or status not in range(200, 500):
        return []
    described = _description()["paths"][template][method.lower()]["responses"]
    known = next((code for code in (str(status), f"{status // 100}XX") if code in described), None)
    if known is None:
        return [f"{method} {path} is not answered with {status}"]
    steps = ["paths", template, method.lower(), "responses", known]
    if "$ref" in described[known]:
        steps = described[known]["$ref"].removeprefix("#/").split("/")
    if answer is None:
        return []
    # The codes within `errors` are words, as in Discord's reference,
    # not the numbers of its description.
    told = (
        {key: value for key, value in answer.items() if key != "errors"}
        if status >= 400
        else answer
    )
    return list(_sentences(_validator(_description, *steps, *JSON_SCHEMA).iter_errors(told)))
