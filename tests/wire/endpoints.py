"""The HTTP side: decoding bodies, faults, rate-limit headers, and the record of every request."""

import asyncio
import hashlib
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import BodyPartReader, web

from .faults import CUT, RequestFault
from .replies import MessageFile
from .world import ApiError, Request, World

PREFIX = "/api/v10"
TOKEN_PATHS = re.compile(r"/(webhooks|interactions)/")
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
    files: Mapping[int, MessageFile]


ApiAnswer = tuple[int, Any]
Handler = Callable[[World, Call], Awaitable[ApiAnswer]]
Route = tuple[str, str, Handler]


async def _parse_multipart(request: web.Request) -> tuple[Any, dict[int, MessageFile]]:
    body: Any = {}
    files: dict[int, MessageFile] = {}
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = bytes(await part.read())
        if part.name == "payload_json":
            body = json.loads(data)
        elif found := FILE_PART.fullmatch(part.name or ""):
            files[int(found[1])] = MessageFile(part.filename or "unknown", data)
    return body, files


async def _decode_request(request: web.Request) -> tuple[Any, dict[int, MessageFile]]:
    if request.content_type == "multipart/form-data":
        return await _parse_multipart(request)
    raw = await request.read()
    try:
        return (json.loads(raw) if raw else None), {}
    except ValueError:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from None


def _check_authorisation(world: World, request: web.Request, path: str) -> None:
    if not TOKEN_PATHS.match(path) and request.headers.get("Authorization") != f"Bot {world.token}":
        raise ApiError(401, 0, "401: Unauthorized")


def _make_fault_answer(fault: RequestFault, status: int) -> ApiAnswer:
    body: dict[str, Any] = {"message": fault.message, "code": fault.code}
    if fault.retry_after is not None:
        body |= {"retry_after": fault.retry_after, "global": False}
    return status, body


async def _apply_handler(
    world: World, handler: Handler, call: Call, fault: RequestFault | None
) -> ApiAnswer:
    if fault is None:
        return await handler(world, call)
    done = await handler(world, call) if fault.after else None
    world.changes.notify()
    await fault.apply_delay()
    if fault.status is not None:
        return _make_fault_answer(fault, fault.status)
    return done or await handler(world, call)


def _make_limit_headers(method: str, template: str, fault: RequestFault | None) -> dict[str, str]:
    bucket = hashlib.sha256(f"{method} {template}".encode()).hexdigest()[:32]
    headers = {"Via": "1.1 stand-in", "X-RateLimit-Bucket": bucket, "X-RateLimit-Limit": "50"}
    if fault is None or fault.retry_after is None:
        return headers | {"X-RateLimit-Remaining": "49", "X-RateLimit-Reset-After": "1.0"}
    wait = str(fault.retry_after)
    headers |= {"Retry-After": wait, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": wait}
    return headers | {"X-RateLimit-Scope": "user"}


def _make_response(
    request: web.Request, answer: ApiAnswer, headers: dict[str, str]
) -> web.Response:
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


async def _travel(world: World) -> None:
    """Let a request, or the answer to one, be on its way."""
    if world.way_s:
        await asyncio.sleep(world.way_s)


def _make_endpoint(
    world: World, template: str, handler: Handler
) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def serve(request: web.Request) -> web.Response:
        path = request.path.removeprefix(PREFIX)
        fault = world.faults.find_fault(request.method, path)
        body, files = None, dict[int, MessageFile]()
        try:
            body, files = await _decode_request(request)
            await _travel(world)
            _check_authorisation(world, request, path)
            answer = await _apply_handler(
                world, handler, Call(request.match_info, request.query, body, files), fault
            )
        except ApiError as refused:
            answer = refused.status, refused.body
        seen = Request(
            request.method, path, dict(request.query), body, files, *answer, time.monotonic()
        )
        world.requests.append(seen)
        world.changes.notify()
        limits = (
            {}
            if TOKEN_PATHS.match(path) and fault is None
            else _make_limit_headers(request.method, template, fault)
        )
        await _travel(world)
        return _make_response(request, answer, limits)

    return serve


async def _refuse_unknown_path(world: World, call: Call) -> ApiAnswer:
    raise ApiError(404, 0, "404: Not Found")


def add_routes(app: web.Application, world: World, routes: list[Route]) -> None:
    """Serve the routes under `/api/v10`; any other path there is recorded and answered with 404."""
    for method, template, handler in [*routes, ("*", "/{rest:.*}", _refuse_unknown_path)]:
        app.router.add_route(method, PREFIX + template, _make_endpoint(world, template, handler))
