"""HTTP endpoints: `/health` for the supervisor that restarts the bot, `/metrics` to watch it."""

import asyncio
import errno
import importlib
import math
from pathlib import Path

from aiohttp import web
from discord.ext import tasks

from bot.features.matches.store.inspection import Inspection
from bot.ops.checked_backups import list_copies
from bot.platform.context import Gauges, Measures
from bot.platform.db.errors import StoreError
from bot.platform.db.rows import DatabaseLoad
from bot.platform.extras import advise_installation
from bot.platform.ui.app_client import AppClient
from bot.settings import SettingsError

OVERDUE_S = 600.0
"""Seconds after which a job that is due has been forgotten."""
LAG_INTERVAL_S = 1.0
"""Seconds between two looks at how late the event loop is."""
MAX_SAVE_AGE_S = 60.0
"""Seconds after which something should have been saved: a heartbeat is every 20."""
MAX_FAILING_S = 120.0
"""Seconds for which every request to Discord may fail; retries take some."""
METRICS_CONTENT_TYPE = "text/plain; version=0.0.4"


def build_measures() -> Measures:
    """Return the recorder for `/metrics`; it records nothing without the extra `metrics`."""
    try:
        # By its name, since it needs a package that is there only with the extra.
        module = importlib.import_module("bot.ops.metrics")
    except ModuleNotFoundError:
        return Measures()
    kept: Measures = module.Metrics()
    return kept


class Endpoint:
    """Answers for a bot while it runs; use as an async context manager."""

    def __init__(self, host: str, port: int, bot: AppClient, copies: Path | None = None) -> None:
        self._host = host
        self._port = port
        self._bot = bot
        self._copies = copies
        app = web.Application()
        app.router.add_get("/health", self._handle_health)
        app.router.add_get("/metrics", self._handle_metrics)
        self._runner = web.AppRunner(app, access_log=None)

    async def __aenter__(self) -> None:
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            # asyncio says before it which address was tried.
            reason = (error.strerror or str(error)).rpartition(": ")[2]
            shared = "; give each process an address of its own"
            raise SettingsError(
                f"TABULA_HEALTH cannot be served at {self._host}:{self._port}: {reason}"
                f"{shared if error.errno == errno.EADDRINUSE else ''}"
            ) from None
        self._measure_lag.start()

    async def __aexit__(self, *_: object) -> None:
        self._measure_lag.cancel()
        await self._runner.cleanup()

    @tasks.loop(seconds=LAG_INTERVAL_S)
    async def _measure_lag(self) -> None:
        """Note how late the loop is for something that it was to do at a certain instant."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        # Half the interval, so that this is over before the next measurement is due.
        await asyncio.sleep(LAG_INTERVAL_S / 2)
        self._bot.app.measures.record_loop_lag(loop.time() - begun - LAG_INTERVAL_S / 2)

    async def _handle_health(self, _: web.Request) -> web.Response:
        """Answer 200 where all is well, and otherwise 503."""
        app = self._bot.app
        ready = app.reached.issuperset(app.shards.numbers)
        fields = {"ready": ready, "gateway_latency_s": self._get_latency_s(), "database": "ok"}
        overdue_s = 0.0
        try:
            overdue_s = self._get_overdue_s(await self._load_database_load())
        except StoreError as error:
            fields["database"] = str(error)
        save_age_s = app.store.get_save_age_s()
        failing_s = self._bot.exchanges.get_failing_s()
        fields["oldest_due_job_s"] = round(overdue_s, 1)
        fields["last_save_s"] = round(save_age_s, 1)
        fields["requests_failing_s"] = round(failing_s, 1)
        well = (
            ready
            and fields["database"] == "ok"
            and overdue_s < OVERDUE_S
            and save_age_s < MAX_SAVE_AGE_S
            and failing_s < MAX_FAILING_S
        )
        return web.json_response(fields, status=200 if well else 503)

    async def _handle_metrics(self, _: web.Request) -> web.Response:
        try:
            load = await self._load_database_load()
        except StoreError as error:
            return web.Response(status=503, text=f"{error}\n")
        gauges = Gauges(
            load,
            self._get_overdue_s(load),
            self._get_latency_s() or math.nan,
            self._bot.exchanges.count_refusals(),
            self._bot.app.store.get_save_age_s(),
            self._bot.exchanges.get_failing_s(),
            await asyncio.to_thread(self._get_copy_age_s),
        )
        written = self._bot.app.measures.export_metrics(gauges)
        if written is None:
            return web.Response(
                status=404, text=f"this needs prometheus_client; {advise_installation('metrics')}\n"
            )
        return web.Response(body=written, headers={"Content-Type": METRICS_CONTENT_TYPE})

    async def _load_database_load(self) -> DatabaseLoad:
        return await self._bot.app.store.get(Inspection).measure_load(self._bot.app.clock())

    def _get_overdue_s(self, load: DatabaseLoad) -> float:
        """Return for how many seconds the job that is due the longest has been so."""
        return (
            0.0
            if load.oldest_due is None
            else max(self._bot.app.clock() - load.oldest_due, 0) / 1000
        )

    def _get_copy_age_s(self) -> float:
        """Return the seconds since the newest nightly copy was made; NaN without one."""
        copies = list_copies(self._copies) if self._copies else []
        return self._bot.app.clock() / 1000 - copies[-1].stat().st_mtime if copies else math.nan

    def _get_latency_s(self) -> float | None:
        """Return the seconds between a heartbeat and its answer; None where Discord is away."""
        # Without a connection discord.py says NaN or infinity, and JSON knows neither.
        return self._bot.latency if math.isfinite(self._bot.latency) else None
