"""The simulated Discord of the tests: patient on a busy machine, and quick in what it repeats."""

import asyncio
import contextvars
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from copy import deepcopy
from functools import partial, wraps
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from weakref import ref

import orjson
import pytest
import simcord
from discord import app_commands
from simcord import _dpy_internals, _runtime, _settlement, components, gateway, results
from simcord.backend import Backend, errors, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import GuildEmoji
from simcord.http import router
from simcord.types import HttpLogEntry

from bot.client import Tabula
from bot.platform.db.tables import now_ms
from bot.platform.jobs.runner import Runner
from tests.support.emoji import MAX_EMOJI, find_unknown_emoji, find_upload_problems

LOOK_S = 0.01
"""How long between two looks whether the bot is done, where none of its tasks ends before."""
PATIENCE_S = 120.0
"""How long the bot may work before a test calls it stuck; a busy machine is many times slower."""
HORIZON_S = 4.0
"""How far ahead the simulator waits for the bot's timers at first; never less than half of that."""


class AdjustableClock:
    """A clock whose hands a test moves on; else it goes as any clock, until it is stopped."""

    def __init__(self) -> None:
        self.ahead = 0
        self.skipped_ms = 0
        self._now = now_ms

    def __call__(self) -> int:
        return self.get_time_of_day() + self.ahead

    def get_time_of_day(self) -> int:
        """Return the time that went by, as it was waited for or at once, without a test's doing."""
        return self._now() + self.skipped_ms

    def stop(self) -> None:
        """Stand still from now on, however long a busy machine takes for the rest of a test."""
        now = self._now()
        self._now = lambda: now


class PatientEnv(simcord.Env):
    """A simulator that checks often whether the bot is done, and gives it time after a restart.

    Of itself it looks every 50 ms, though the bot's last task mostly ends just after a look, and a
    busy machine may take longer than its five seconds; what never ends is still found out. Its
    patience is also how far ahead it waits for timers, so that one as long as a busy machine needs
    would sit out every pause of the bot.
    """

    def _capture_errors(self) -> None:
        """Note a bot's errors from its start on, which goes on by a shorter way."""
        self._shorten_way()
        super()._capture_errors()

    def _shorten_way(self) -> None:
        """Let what goes on at once do so without a record, which took a tenth of most tests.

        It is in the loop's queue until it does, where `_is_loop_busy` sees it.
        """
        loop, runtime = self._loop, self._runtime
        assert loop is not None
        assert runtime is not None
        begin, scope_var = runtime.call_soon, _runtime._BOT_SCOPE  # noqa: SLF001
        own = (self, self._generation)

        def call_soon(
            callback: Any, *args: Any, context: contextvars.Context | None = None
        ) -> asyncio.Handle:
            task = getattr(callback, "__self__", None)
            if type(task) is asyncio.Task:
                return cast(asyncio.Handle, begin(callback, *args, context=context))
            scope = scope_var.get()
            if context is not None:
                scope = scope or context.get(scope_var)
                context = self._context_for_scope(context, scope)
            if scope == own:
                callback = partial(self._call, callback)
            return cast(asyncio.Handle, begin(callback, *args, context=context))

        loop.call_soon = call_soon  # type: ignore[method-assign, assignment]

    def _call(self, callback: Callable[..., object], *args: Any) -> None:
        try:
            callback(*args)
        except BaseException as error:
            self._record_error(error)
            raise

    @asynccontextmanager
    async def closing(self) -> AsyncIterator[None]:
        """Close the bot in the end, and detach it, whatever happens."""
        try:
            try:
                yield
            finally:
                await self.bot.close()
        finally:
            await self.shutdown()

    async def shutdown(self) -> None:
        """Detach the bot; where that fails, this process is as it was before all the same.

        Later tests of a worker would else wait for a Discord that is no more.
        """
        # What a test that failed was doing when it did is not going to end.
        self._operation_task, self._operation_depth = None, 0
        token = self._adapter_token
        try:
            await super().shutdown()
        finally:
            if token is not None:
                _dpy_internals.reset_webhook_adapter(token)
            _runtime._restore_loop(self)  # noqa: SLF001
            _dpy_internals.release_clocks(self)
            if self._loop is not None:
                _runtime._LIVE_LOOPS.pop(self._loop, None)  # noqa: SLF001

    def _context_for_scope(
        self, context: contextvars.Context, scope: tuple[Any, int] | None
    ) -> contextvars.Context:
        """Copy a context only where it is of another scope."""
        if context.get(_runtime._BOT_SCOPE) == scope:  # noqa: SLF001
            return context
        return super()._context_for_scope(context, scope)

    async def _settle_internal(self, **options: Any) -> None:
        if options.get("_deadline") is not None:
            await super()._settle_internal(**options)
            if self._is_loop_busy():
                # Not for as long as that is so: whoever waits for this keeps the loop busy, too.
                await asyncio.sleep(0)
                await super()._settle_internal(**options)
            return
        ends = time.perf_counter() + PATIENCE_S
        while True:
            began = time.perf_counter()
            await self.wait_while_busy(began + HORIZON_S)
            if skipped_s := self._skip_pause():
                # It counts as if it had been waited for, should the bot find no end.
                ends -= skipped_s
                if time.perf_counter() < ends:
                    continue
            try:
                await super()._settle_internal(**{**options, "timeout": HORIZON_S, "idle": LOOK_S})
            except TimeoutError:
                if time.perf_counter() > ends:
                    raise
                continue
            if time.perf_counter() - began < HORIZON_S / 2 and not self._is_loop_busy():
                return

    def _is_loop_busy(self) -> bool:
        return bool(self._loop._ready)  # type: ignore[union-attr] # noqa: SLF001

    async def wait_while_busy(self, until: float) -> None:
        """Wait as long as the bot has something to do, and not longer.

        The simulator finds so, too, but only looks again when a task ends, or after a while: the
        bot's runner and its connections end no sooner than the bot.
        """
        loop = asyncio.get_running_loop()
        while time.perf_counter() < until:
            # What has just been asked for begins, and what follows from it.
            await asyncio.sleep(0)
            if loop._ready:  # type: ignore[attr-defined] # noqa: SLF001
                continue
            awaited = self._find_awaited()
            if awaited is None:
                return
            await _wait_for(awaited, LOOK_S)

    def _find_awaited(self) -> asyncio.Future[Any] | None:
        """Return something that the bot waits for, and that comes by itself; None if nothing is."""
        work, state = self._work, self._settlement_state()
        deadline = asyncio.get_running_loop().time() + HORIZON_S
        for executor in work.executors:
            return executor
        # The task begun last is mostly the one that the others wait for.
        for task in reversed(work.tasks):
            awaited: asyncio.Future[Any] | None = getattr(task, "_fut_waiter", None)
            if awaited is not None and not _settlement._is_parked(state, task, deadline):  # noqa: SLF001
                return awaited
        return None

    def _skip_pause(self) -> float:
        """Let the seconds go by at once until the bot looks for jobs again, if it only waits.

        Of itself the simulator sits them out, and many a job is due a second or two later, so that
        several changes are shown together.
        """
        clock = self.bot.app.clock if isinstance(self.bot, Tabula) else None
        if not isinstance(clock, AdjustableClock):
            return 0
        assert self._loop is not None
        now = self._loop.time()
        horizon = now + HORIZON_S
        timers = [
            record
            for record in self._work.callbacks
            if record.label == Runner._wake.__qualname__  # noqa: SLF001
            and (timer := record.real_handle)
            and not timer.cancelled()
            and now < timer.when() <= horizon
        ]
        if not timers or self._work.executors:
            return 0
        state = self._settlement_state()
        tasks = [task for task in self._work.tasks if not task.done()]
        if not all(_settlement._is_parked(state, task, horizon) for task in tasks):  # noqa: SLF001
            return 0
        instant = min(record.when or 0 for record in timers)
        pause_s = instant - self._virtual_time
        clock.skipped_ms += math.ceil(1000 * pause_s)
        self._move_clock(instant)
        _settlement._run_due_virtual_callbacks(self._settlement_state(), horizon)  # noqa: SLF001
        return pause_s


async def _wait_for(awaited: asyncio.Future[Any], timeout_s: float) -> None:
    """Wait until something has come, or for so long; `asyncio.wait` takes more steps."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def end(*_: object) -> None:
        if not ended.done():
            ended.set_result(None)

    timer = loop.call_later(timeout_s, end)
    awaited.add_done_callback(end)
    try:
        await ended
    finally:
        timer.cancel()
        awaited.remove_done_callback(end)


_PLAIN = (
    orjson.OPT_PASSTHROUGH_SUBCLASS
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
)


def copy_json(value: Any) -> Any:
    """Copy what JSON can say by writing and reading it, in a small part of `deepcopy`'s time."""
    try:
        return orjson.loads(orjson.dumps(value, option=_PLAIN))
    except TypeError:
        return deepcopy(value)


def _hurry_simulator() -> None:
    """Have the simulator find the same as always, in half of the time.

    All that it gets and sends it copies, several times; and each time the bot goes on it looks for
    the bot's timers and callbacks among all others, by their values.
    """
    for module in (components, results, serializers):
        module.deepcopy = copy_json  # type: ignore[attr-defined]
    for module in (gateway, router):
        module.copy = SimpleNamespace(deepcopy=copy_json)  # type: ignore[attr-defined]
    _runtime._CallbackRecord.__eq__ = object.__eq__  # type: ignore[method-assign] # noqa: SLF001
    look = _dpy_internals._listener_wait_for_frame  # noqa: SLF001

    def find_listener(client: Any, task: Any) -> bool:
        return bool(_dpy_internals.listener_futures(client)) and look(client, task)

    _dpy_internals._listener_wait_for_frame = find_listener  # noqa: SLF001
    _dpy_internals._clock_monotonic = _get_monotonic  # noqa: SLF001
    _runtime._track_callback = _track_callback  # noqa: SLF001
    _runtime._WorkState.track_task = _track_task  # type: ignore[method-assign, assignment] # noqa: SLF001


def _get_monotonic() -> float:
    """Return the time of the bot to the bot, and else that of the machine.

    The loop asks for it at each of its turns.
    """
    scope = _runtime._BOT_SCOPE.get()  # noqa: SLF001
    if scope is None:
        return _dpy_internals.real_monotonic()
    env = _runtime._selected_env(driver=False)  # noqa: SLF001
    return _dpy_internals.real_monotonic() if env is None else float(env._virtual_time)  # noqa: SLF001


_record_callback = _runtime._track_callback  # noqa: SLF001


def _track_callback(
    work: Any,
    original: Any,
    callback: Any,
    args: tuple[Any, ...],
    *,
    when: float | None,
    **how: Any,
) -> asyncio.Handle:
    """Let a task go on without a record of that: it is seen by the task that it can."""
    if when is None:
        task = getattr(callback, "__self__", None)
        if type(task) is asyncio.Task and task in work.tasks:
            return cast(asyncio.Handle, original(callback, *args, context=how["context"]))
    return _record_callback(work, original, callback, args, when=when, **how)


def _track_task(
    work: Any, task: asyncio.Task[Any], generation: int, label: str, loop: Any, record_error: Any
) -> None:
    """Forget a task as soon as it has ended well; only its failures are looked into later."""
    owner = _runtime._current_task()  # noqa: SLF001
    record = _runtime._TaskRecord(  # noqa: SLF001
        generation, label, None if owner is None else ref(owner)
    )
    work.tasks[task] = record

    def end(ended: asyncio.Task[Any]) -> None:
        if work.tasks.get(ended) is not record:
            return
        if ended.cancelled() or ended._exception is None:  # noqa: SLF001
            del work.tasks[ended]
        else:
            loop.call_soon(work.inspect_task, ended, record, loop, record_error)

    task.add_done_callback(end)


_hurry_simulator()


FIRST_EMOJI = 1 << 60
"""Where the ids of emoji begin, far from all others: the dice of a match depend on those."""


def _treat_emoji_as_discord() -> None:
    """Let the simulator refuse emoji as Discord does; of itself it takes any."""
    dispatch, ids = router.dispatch, count(FIRST_EMOJI)

    def create_emoji(backend: Backend, name: str) -> GuildEmoji:
        emoji = GuildEmoji(next(ids), name, backend.bot_user.id)
        backend.application_emojis[emoji.id] = emoji
        return emoji

    def check_first(backend: Backend, method: str, path: str, **request: Any) -> Any:
        body, emoji = request.get("json") or {}, backend.application_emojis
        problems = [(path, "Invalid emoji") for path in find_unknown_emoji(body, emoji)]
        if method in ("POST", "PATCH") and "/emojis" in path:
            if method == "POST" and len(emoji) >= MAX_EMOJI:
                raise BackendError(400, 30008, f"Maximum number of emojis reached ({MAX_EMOJI})")
            problems += find_upload_problems(body, {each.name for each in emoji.values()})
        if problems:
            # It is recorded, as those are that the simulator itself refuses.
            backend.http_requests.append(HttpLogEntry(method, path, {}, copy_json(body), None))
            wrong = {
                field: {"_errors": [{"code": "INVALID", "message": text}]}
                for field, text in problems
            }
            raise errors.invalid_form_body(errors=wrong)
        return dispatch(backend, method, path, **request)

    router.dispatch = check_first
    Backend.create_application_emoji = create_emoji  # type: ignore[method-assign, assignment]


_treat_emoji_as_discord()

_translated: dict[tuple[object, Path], bytes] = {}


@contextmanager
def remember_translations() -> Iterator[None]:
    """Let every command be translated once for all clubs.

    discord.py asks for every text in each of Discord's languages, twice when a club opens, which
    took half of the time that this takes.
    """
    with pytest.MonkeyPatch.context() as patch:
        for kind in (app_commands.Command, app_commands.Group, app_commands.ContextMenu):
            patch.setattr(kind, "get_translated_payload", _remember(kind.get_translated_payload))
        yield


def _remember(translate: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(translate)
    async def translate_once(command: Any, tree: Any, translator: Any) -> Any:
        known = (command, tree.client.locales)
        if known not in _translated:
            _translated[known] = orjson.dumps(await translate(command, tree, translator))
        # Each time again, for what is sent belongs to whoever gets it.
        return orjson.loads(_translated[known])

    return translate_once
