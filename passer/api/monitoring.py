"""Prometheus metrics of a server: requests by operation, work by kind, and the process itself."""

from __future__ import annotations

import time
from collections import Counter as CounterOf
from collections.abc import Callable, Iterable, Sequence

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passer.ports import Work

MEDIA_TYPE = CONTENT_TYPE_LATEST
OTHER = "other"
"""Operation of requests that no route of the API answers: files of the pages, and refusals before a route is known."""
SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


class Monitoring:
    """Counts of one server since its start. They name operations, never paths, people, projects or data."""

    def __init__(self, waiting: Callable[[], Sequence[Work]]) -> None:
        """`waiting` returns the queued and running work of all projects."""
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "passer_http_requests",
            "Requests that were answered.",
            ("operation", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "passer_http_request_seconds",
            "Seconds until an answer begins.",
            ("operation",),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._registry.register(_WaitingWork(waiting))
        ProcessCollector(registry=self._registry)

    def count(self, scope: Scope, status: int, seconds: float) -> None:
        """Count an answer that begins."""
        operation = getattr(scope.get("route"), "operation_id", None) or OTHER
        self._requests.labels(operation, str(status)).inc()
        self._seconds.labels(operation).observe(seconds)

    def text(self) -> bytes:
        """Return all counts in the text format of Prometheus."""
        return generate_latest(self._registry)


class MonitoringMiddleware:
    """ASGI middleware that counts every answer."""

    def __init__(self, app: ASGIApp, *, monitoring: Monitoring) -> None:
        self._app, self._monitoring = app, monitoring

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._monitoring.count(scope, message["status"], time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, counted)


class _WaitingWork(Collector):
    """Work by kind and state, read when it is asked for."""

    def __init__(self, waiting: Callable[[], Sequence[Work]]) -> None:
        self._waiting = waiting

    def collect(self) -> Iterable[GaugeMetricFamily]:
        [found] = self.describe()
        counts = CounterOf((work.kind, work.state.value) for work in self._waiting())
        for labels, count in sorted(counts.items()):
            found.add_metric(labels, count)
        yield found

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Return the family without values: the registry asks for its name while the server is built."""
        return (GaugeMetricFamily("passer_work", "Queued and running work, sweeps too.", labels=("kind", "state")),)
