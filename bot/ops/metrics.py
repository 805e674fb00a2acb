"""The program's notes as Prometheus reads them."""

from collections.abc import Iterator

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.platform.context import Gauges, Measures, RequestOutcome
from render.ground import GROUNDS

_QUICK_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0)
"""Seconds up to those after which Discord gives up."""
_SLOW_BUCKETS_S = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
_LAG_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)


class _GroundCollector(Collector):
    """Reads what the pictures' grounds count themselves, in whatever thread they are drawn."""

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily(
            "tabula_grounds_drawn", "Empty boards drawn, including those redrawn", GROUNDS.drawn
        )
        yield CounterMetricFamily(
            "tabula_grounds_redrawn",
            "Empty boards redrawn because memory was short",
            GROUNDS.redrawn,
        )
        yield GaugeMetricFamily(
            "tabula_grounds_bytes",
            "Memory held by empty boards and their parts",
            GROUNDS.kept_bytes,
        )


class Metrics(Measures):
    """Keeps what is noted, and writes it down when it is asked."""

    def __init__(self) -> None:
        # Its own, since the library's global registry refuses a second measure of the same name.
        self._registry = CollectorRegistry()
        # The memory and the processor time of this process.
        ProcessCollector(registry=self._registry)
        self._registry.register(_GroundCollector())
        self._answers = self._build_counter(
            "tabula_answers", "Answers by command and outcome", "command", "outcome"
        )
        self._acknowledged = self._build_histogram(
            "tabula_acknowledged_seconds",
            "Time until an interaction was acknowledged",
            _QUICK_BUCKETS_S,
        )
        self._shown = self._build_histogram(
            "tabula_shown_seconds",
            "Time from saving a change until the match's message shows it",
            _SLOW_BUCKETS_S,
        )
        self._saved = self._build_histogram(
            "tabula_saved_seconds", "Time to save a change", _QUICK_BUCKETS_S
        )
        self._late = self._build_histogram(
            "tabula_loop_late_seconds", "Lag of the event loop", _LAG_BUCKETS_S
        )
        self._waiting = self._build_gauge("tabula_jobs_waiting", "Jobs that are due now or later")
        self._failing = self._build_gauge(
            "tabula_jobs_failing", "Jobs that have failed and are retried"
        )
        self._given_up = self._build_gauge("tabula_jobs_given_up", "Jobs that were given up")
        self._oldest = self._build_gauge(
            "tabula_jobs_oldest_due_seconds", "How long the oldest job has been due"
        )
        self._matches = self._build_gauge("tabula_matches_open", "Running matches")
        self._latency = self._build_gauge(
            "tabula_gateway_latency_seconds", "Time between a heartbeat and its acknowledgement"
        )
        self._refused = self._build_gauge(
            "tabula_refused_requests",
            "Requests that Discord refused with 401, 403 or 429 within ten minutes",
        )

        self._save_age = self._build_gauge(
            "tabula_last_save_age_seconds", "Age of the last save; there is one every 20 seconds"
        )
        self._requests_failing = self._build_gauge(
            "tabula_requests_failing_seconds", "Time for which every request to Discord has failed"
        )
        self._copy_age = self._build_gauge(
            "tabula_last_copy_age_seconds", "Age of the newest nightly backup; NaN if there is none"
        )

    def _build_counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(name, what, labels, registry=self._registry)

    def _build_histogram(self, name: str, what: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(name, what, buckets=buckets, registry=self._registry)

    def _build_gauge(self, name: str, what: str) -> Gauge:
        return Gauge(name, what, registry=self._registry)

    def record_answer(self, command: str, outcome: RequestOutcome) -> None:
        """Count what became of something that was asked."""
        self._answers.labels(command, outcome.value).inc()

    def record_acknowledgement(self, seconds: float) -> None:
        """Keep how long it took to promise an answer."""
        self._acknowledged.observe(seconds)

    def record_show_delay(self, seconds: float) -> None:
        """Keep how long it took until a match's message showed what happened."""
        self._shown.observe(seconds)

    def record_save(self, seconds: float) -> None:
        """Keep how long something took to be saved."""
        self._saved.observe(seconds)

    def record_loop_lag(self, seconds: float) -> None:
        """Keep how late the event loop was."""
        self._late.observe(seconds)

    def export_metrics(self, gauges: Gauges) -> bytes:
        """Write all measures, with what is read now."""
        self._waiting.set(gauges.load.waiting)
        self._failing.set(gauges.load.failing)
        self._given_up.set(gauges.load.given_up)
        self._matches.set(gauges.load.matches)
        self._oldest.set(gauges.oldest_due_s)
        self._latency.set(gauges.latency_s)
        self._refused.set(gauges.refused)
        self._save_age.set(gauges.save_age_s)
        self._requests_failing.set(gauges.requests_failing_s)
        self._copy_age.set(gauges.copy_age_s)
        return generate_latest(self._registry)
