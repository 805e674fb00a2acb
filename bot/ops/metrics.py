"""The program's notes as Prometheus reads them."""

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from bot.platform.measures import Measures, RequestOutcome
from bot.store import DatabaseLoad

_QUICK_BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0)
"""Seconds up to those after which Discord gives up."""
_SLOW_BUCKETS_S = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
_LAG_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)


class Metrics(Measures):
    """Keeps what is noted, and writes it down when it is asked."""

    def __init__(self) -> None:
        # Its own, since the library's global registry refuses a second measure of the same name.
        self._registry = CollectorRegistry()
        # The memory and the processor time of this process.
        ProcessCollector(registry=self._registry)
        self._answers = self._make_counter(
            "tabula_answers", "What became of what was asked", "command", "outcome"
        )
        self._acknowledged = self._make_histogram(
            "tabula_acknowledged_seconds", "Until an answer was promised", _QUICK_BUCKETS_S
        )
        self._shown = self._make_histogram(
            "tabula_shown_seconds", "From saving to the match's message", _SLOW_BUCKETS_S
        )
        self._saved = self._make_histogram(
            "tabula_saved_seconds", "Until a change was on the disk", _QUICK_BUCKETS_S
        )
        self._late = self._make_histogram(
            "tabula_loop_late_seconds", "How late the event loop was", _LAG_BUCKETS_S
        )
        self._waiting = self._make_gauge("tabula_jobs_waiting", "Jobs that are due now or later")
        self._failing = self._make_gauge(
            "tabula_jobs_failing", "Jobs that have failed, and are tried on"
        )
        self._given_up = self._make_gauge("tabula_jobs_given_up", "Jobs that are tried no more")
        self._oldest = self._make_gauge(
            "tabula_jobs_oldest_due_seconds", "Since when a job has been due, at most"
        )
        self._matches = self._make_gauge("tabula_matches_open", "Matches that go on")
        self._latency = self._make_gauge(
            "tabula_gateway_latency_seconds", "Between a heartbeat and its answer"
        )
        self._refused = self._make_gauge(
            "tabula_refused_requests",
            "Requests that Discord refused with 401, 403 or 429 within ten minutes",
        )

    def _make_counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(name, what, labels, registry=self._registry)

    def _make_histogram(self, name: str, what: str, buckets: tuple[float, ...]) -> Histogram:
        return Histogram(name, what, buckets=buckets, registry=self._registry)

    def _make_gauge(self, name: str, what: str) -> Gauge:
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

    def export_metrics(
        self, load: DatabaseLoad, oldest_due_s: float, latency_s: float, refused: int = 0
    ) -> bytes:
        """Write all measures, with the database's load, Discord's latency and refused requests."""
        self._waiting.set(load.waiting)
        self._failing.set(load.failing)
        self._given_up.set(load.given_up)
        self._matches.set(load.matches)
        self._oldest.set(oldest_due_s)
        self._latency.set(latency_s)
        self._refused.set(refused)
        return generate_latest(self._registry)
