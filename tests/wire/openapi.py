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
UNDESCRIBED_KEYS = {("commands", "nsfw"), ("embeds", "flags"), ("body", "tts"), ("data", "tts")}
"""Keys that discord.py sends and Discord takes, though its description does not name them there."""
NUMERIC_IDS = {
    ("allowed_mentions", "users"),
    ("allowed_mentions", "roles"),
    ("attachments", "id"),
    ("body", "recipient_id"),
    ("default_values", "id"),
    ("emoji", "id"),
}
NUMERIC_IDS |= {("message_reference", key) for key in ("message_id", "channel_id", "guild_id")}
"""Ids that discord.py sends as numbers and Discord takes, though its description wants strings."""
MEDIA_CHANNEL = {"title": "GUILD_MEDIA", "const": 16}
"""A type of channel that discord.py sends with forums, after Discord's "Channel Types"."""
needs_description = pytest.mark.skipif(
    not DESCRIPTION.exists(), reason="Discord's API description is not at hand"
)


@cache
def _load_description() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(DESCRIPTION.read_text("utf-8"))
    read["components"]["schemas"]["ChannelTypes"]["oneOf"].append(MEDIA_CHANNEL)
    return read


@cache
def _load_strict_description() -> dict[str, Any]:
    closed = deepcopy(_load_description())
    for schema in closed["components"]["schemas"].values():
        _forbid_unknown_keys(schema)
    return closed


def _forbid_unknown_keys(schema: object) -> None:
    """Forbid keys that an object schema does not name.

    The description itself would let misspelt ones pass.
    """
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for inner in schema.values():
            _forbid_unknown_keys(inner)
    elif isinstance(schema, list):
        for inner in schema:
            _forbid_unknown_keys(inner)


@cache
def _make_registry(description: Callable[[], dict[str, Any]]) -> Any:
    return Registry().with_resource(ROOT, DRAFT202012.create_resource(description()))


@cache
def _make_validator(description: Callable[[], dict[str, Any]], *steps: str) -> Any:
    pointer = "/".join(
        quote(step.replace("~", "~0").replace("/", "~1"), safe="~") for step in steps
    )
    schema = {"$ref": f"{ROOT}#/{pointer}"}
    return jsonschema.Draft202012Validator(schema, registry=_make_registry(description))


def _find_template(method: str, path: str) -> str | None:
    steps = path.split("/")
    fitting = [
        template
        for template, operations in _load_description()["paths"].items()
        if method in operations and _is_fitting(template.split("/"), steps)
    ]
    return min(fitting, key=lambda template: template.count("{"), default=None)


def _is_fitting(template: list[str], steps: list[str]) -> bool:
    pairs = zip(template, steps, strict=False)
    return len(template) == len(steps) and all(
        known.startswith("{") or known == step for known, step in pairs
    )


def _normalise_body(value: Any, place: str) -> Any:
    """Return a body without the known differences between Discord and its description."""
    if isinstance(value, list):
        return [_normalise_body(inner, place) for inner in value]
    if not isinstance(value, dict):
        return value
    kept = {key: inner for key, inner in value.items() if (place, key) not in UNDESCRIBED_KEYS}
    return {
        key: _convert_ids(inner) if (place, key) in NUMERIC_IDS else _normalise_body(inner, key)
        for key, inner in kept.items()
    }


def _convert_ids(value: Any) -> Any:
    if isinstance(value, list):
        return [_convert_ids(inner) for inner in value]
    return str(value) if isinstance(value, int) else value


def _find_cause(error: Any) -> Any:
    """Return the error that explains the failure.

    Of a choice of schemas, that is the error of the branch that the value's type means.
    """
    while error.context:
        branches = [
            list(found)
            for _, found in groupby(error.context, key=lambda inner: inner.relative_schema_path[0])
        ]
        error = min(branches, key=_rank_branch)[0]
    return error


def _rank_branch(branch: list[Any]) -> tuple[bool, bool, int]:
    null = any(error.validator == "type" and error.validator_value == "null" for error in branch)
    other = any(
        list(error.relative_path) in ([], ["type"]) and error.validator in ("type", "enum")
        for error in branch
    )
    return null, other, len(branch)


def _format_errors(errors: Iterable[Any]) -> Iterator[str]:
    for error in map(_find_cause, errors):
        where = ".".join(map(str, error.absolute_path)) or "body"
        yield f"{where}: {error.message[:300]}"


def check_request(method: str, path: str, body: Any) -> list[str]:
    """Return what is wrong with a request by Discord's description, empty when nothing is.

    `path` is without `/api/v10`, as both this server and simcord record it; `body` the JSON or
    `payload_json`.
    """
    template = _find_template(method.lower(), path)
    if template is None:
        return [f"Discord has no {method} {path}"]
    described = _load_description()["paths"][template][method.lower()].get("requestBody")
    if described is None or (body is None and not described.get("required")):
        return [] if body is None else [f"{method} {path} takes no body"]
    place = "commands" if template.endswith("/commands") else "body"
    validator = _make_validator(
        _load_strict_description, "paths", template, method.lower(), "requestBody", *JSON_SCHEMA
    )
    return list(_format_errors(validator.iter_errors(_normalise_body(body, place))))


def check_answer(method: str, path: str, status: int, answer: Any) -> list[str]:
    """Return what is wrong with an answer by Discord's description, empty when nothing is.

    Discord may add what it likes to an answer, so keys that it does not describe are no mistake;
    nor does it describe how it answers during an outage.
    """
    template = _find_template(method.lower(), path)
    if template is None or status not in range(200, 500):
        return []
    described = _load_description()["paths"][template][method.lower()]["responses"]
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
    fields = (
        {key: value for key, value in answer.items() if key != "errors"}
        if status >= 400
        else answer
    )
    return list(
        _format_errors(_make_validator(_load_description, *steps, *JSON_SCHEMA).iter_errors(fields))
    )
