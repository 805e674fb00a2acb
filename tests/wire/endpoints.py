"""The HTTP side: decoding bodies, faults, rate-limit headers, and the record of every request."""

import hashlib
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web

from .faults import CUT, Fault
from .replies import File
from .world import ApiError, Request, World

PREFIX = "/api/v10"
OPEN = re.compile(r"/(webhooks|interactions)/")
"""Paths that carry their own token and need no Authorization."""
FILE_PART = re.compile(r"files\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Call:
    """A decoded request: path parameters, query, JSON body and files.

    The body may come from `payload_json`; the files are by their index.
    """

    params: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    files: Mapping[int, File]


Answer = tuple[int, Any]
Handler = Callable[[World, Call], Awaitable[Answer]]
Route = tuple[str, str, Handler]


async def _multipart(request: web.Request) -> tuple[Any, dict[int, File]]:
    body: Any = {}
    files: dict[int, File] = {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = bytes(await part.read())
        if part.name == "payload_json":
            body = json.loads(data)
        elif found := FILE_PART.fullmatch(part.name or ""):
            files[int(found[1])] = File(part.filename or "unknown", data)
    return body, files


async def _decoded(request: web.Request) -> tuple[Any, dict[int, File]]:
    if request.content_type == "multipart/form-data":
        return await _multipart(request)
    raw = await request.read()
    try:
        return (json.loads(raw) if raw else None), {}
    except ValueError:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None


def _refuse_strangers(world: World, request: web.Request, path: str) -> None:
    if not OPEN.match(path) and request.headers.get("Authorization") != f"Bot {world.token}":
        raise ApiError(401, 0, "401: Unauthorized")


def _failed(fault: Fault, status: int) -> Answer:
    body: dict[str, Any] = {"message": fault.message, "code": fault.code}
    if fault.retry_after is not None:
        body |= {"retry_after": fault.retry_after, "global": False}
    return status, body


async def _act(world: World, handler: Handler, call: Call, fault: Fault | None) -> Answer:
    if fault is None:
        return await handler(world, call)
    done = await handler(world, call) if fault.after else None
    world.changes.note()
    await fault.pass_time()
    if fault.status is not None:
        return _failed(fault, fault.status)
    return done or await handler(world, call)


def _limits(method: str, template: str, fault: Fault | None) -> dict[str, str]:
    bucket = hashlib.sha256(f"{method} {template}".encode()).hexdigest()[:32]
    headers = {"Via": "1.1 stand-in", "X-RateLimit-Bucket": bucket, "X-RateLimit-Limit": "50"}
    if fault is None or fault.retry_after is None:
        return headers | {"X-RateLimit-Remaining": "49", "X-RateLimit-Reset-After": "1.0"}
    wait = str(fault.retry_after)
    headers |= {"Retry-After": wait, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": wait}
    return headers | {"X-RateLimit-Scope": "user"}


def _response(request: web.Request, answer: Answer, headers: dict[str, str]) -> web.Response:
    status, body = answer
    if status == CUT and request.transport is not None:
        request.transport.abort()
        return web.Response()
    if status == 204:
        return web.Response(status=204, headers=headers)
    # The client compares the header with ==:
    # aiohttp's own json_response adds a charset and would break it.
    return web.Response(
        status=status,
        body=json.dumps(body).encode(),
        headers=headers | {"Content-Type": "application/json"},
    )


def _endpoint(
    world: World, template: str, handler: Handler
) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        path = request.path.removeprefix(PREFIX)
        fault = world.faults.meet(request.method, path)
        body, files = None, dict[int, File]()
        try:
            body, files = await _decoded(request)
            _refuse_strangers(world, request, path)
            answer = await _act(
                world, handler, Call(request.match_info, request.query, body, files), fault
            )
        except ApiError as refused:
            answer = refused.status, refused.body
        seen = Request(
            request.method, path, dict(request.query), body, files, *answer, time.monotonic()
        )
        world.requests.append(seen)
        world.changes.note()
        limits = (
            {} if OPEN.match(path) and fault is None else _limits(request.method, template, fault)
        )
        return _response(request, answer, limits)

    return serve


async def _unknown(world: World, call: Call) -> Answer:
    raise ApiError(404, 0, "404: Not Found")


def add_routes(app: web.Application, world: World, routes: list[Route]) -> None:
    """Serve the routes under `/api/v10`; any other path there is recorded and answered with 404."""
    for method, template, handler in [*routes, ("*", "/{rest:.*}", _unknown)]:
        app.router.add_route(method, PREFIX + template, _endpoint(world, template, handler))
