"""A receiver of traces on loopback that speaks OTLP over HTTP and decodes what it gets."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


@dataclass(frozen=True)
class SpanSent:
    """One span, decoded."""

    name: str
    trace: bytes
    id: bytes
    parent: bytes
    began_ns: int
    ended_ns: int
    status: int
    said: str
    attributes: dict[str, Any]

    @property
    def kind(self) -> str:
        return str(self.attributes["openinference.span.kind"])


class OtlpReceiver(ThreadingHTTPServer):
    """`answers`: `ok`, `late` once it is released, `redirect` to `elsewhere`, or `never`."""

    daemon_threads = True

    def __init__(self, answers: str = "ok", elsewhere: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers, self.elsewhere = answers, elsewhere
        self.spans: list[SpanSent] = []
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.released = Event()
        self.url = f"http://127.0.0.1:{self.server_port}"

    def __enter__(self) -> OtlpReceiver:
        Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self.shutdown()
        self.server_close()

    def traces(self) -> list[list[SpanSent]]:
        """The spans of each trace, the one without a parent first."""
        found: dict[bytes, list[SpanSent]] = defaultdict(list)
        for span in self.spans:
            found[span.trace].append(span)
        return [sorted(spans, key=lambda each: bool(each.parent)) for spans in found.values()]


class _Handler(BaseHTTPRequestHandler):
    server: OtlpReceiver

    def do_POST(self) -> None:
        owner = self.server
        body = self.rfile.read(int(self.headers["content-length"]))
        owner.requests.append((self.path, self.headers["content-type"], dict(self.headers)))
        if owner.answers in ("late", "never"):
            owner.released.wait()
        if owner.answers == "never":
            return
        if owner.answers == "redirect":
            self._answer(307, b"", location=owner.elsewhere)
            return
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            named = {each.key: _value(each.value) for each in resource.resource.attributes}
            assert named["service.name"] == "passer"
            owner.spans += [_span(each) for scope in resource.scope_spans for each in scope.spans]
        self._answer(200, ExportTraceServiceResponse().SerializeToString())

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-type": "application/x-protobuf"}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        return


def _value(value: Any) -> Any:
    return getattr(value, value.WhichOneof("value"))


def _span(sent: Any) -> SpanSent:
    return SpanSent(
        name=sent.name,
        trace=sent.trace_id,
        id=sent.span_id,
        parent=sent.parent_span_id,
        began_ns=sent.start_time_unix_nano,
        ended_ns=sent.end_time_unix_nano,
        status=sent.status.code,
        said=sent.status.message,
        attributes={each.key: _value(each.value) for each in sent.attributes},
    )
