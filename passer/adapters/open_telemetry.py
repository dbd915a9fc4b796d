"""Traces of questions for an OpenTelemetry receiver, with the attribute names of OpenInference.

Names: https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from threading import Thread
from typing import TYPE_CHECKING, Literal

from passer.domain.extras import requires_extra
from passer.domain.score import Scores
from passer.domain.wording.sentence import sentence
from passer.ports import Generation, QuestionTrace, Retrieval, Scoring, Span

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span as SentSpan

log = logging.getLogger(__name__)

SEND_S = 5.0
"""Longest time for sending one batch, all attempts included."""
CLOSE_S = 2.0
"""Longest wait at the end for what is not sent yet."""
MOST_WAITING = 2048
"""Spans that wait to be sent; further ones are dropped."""
MOST_PASSAGES = 50
MOST_CHARACTERS = 10_000
QUIET = "opentelemetry.exporter.otlp.proto.http.trace_exporter", "opentelemetry.sdk._shared_internal"
"""Loggers that repeat one message for each batch that cannot be sent and each span that is dropped."""

Attributes = dict[str, str | int | float | bool]
Kind = Literal["CHAIN", "RETRIEVER", "LLM", "EVALUATOR"]


class OtlpTraces:
    """ports.Traces: spans, sent in batches by a thread of their own to one address.

    UnavailableError if the packages are not installed. Texts are left out unless `with_texts`.
    """

    def __init__(self, endpoint: str, *, with_texts: bool, version: str) -> None:
        self._with_texts = with_texts
        with requires_extra("telemetry", sentence("extra.traces")):
            self._exporter, self._provider = _sender(endpoint, version)
        self._tracer = self._provider.get_tracer("passer", version)

    def record(self, trace: QuestionTrace) -> None:
        try:
            self._record(trace)
        except Exception:
            # A failing trace must never make its question fail.
            log.exception("a trace could not be made")

    def close(self) -> None:
        """Send what waits, for two seconds at most."""
        # The provider joins its thread for up to 30 s; nobody who stops a server waits for a receiver that is gone.
        ending = Thread(target=self._provider.shutdown, name="last traces", daemon=True)
        ending.start()
        ending.join(CLOSE_S)
        if ending.is_alive():
            self._exporter.shutdown()

    def _record(self, trace: QuestionTrace) -> None:
        from opentelemetry.context import Context
        from opentelemetry.trace import set_span_in_context

        # A context of its own: no trace becomes part of another one.
        chain = self._span("question", "CHAIN", trace.span, self._chain(trace), Context())
        within = set_span_in_context(chain, Context())
        if trace.retrieval:
            given = self._texts({"input.value": trace.question}) | self._retrieval(trace.retrieval)
            self._ended(self._span("retrieve", "RETRIEVER", trace.retrieval.span, given, within), trace.retrieval.span)
        if trace.generation:
            given = self._generation(trace.generation, trace)
            self._ended(self._span("generate", "LLM", trace.generation.span, given, within), trace.generation.span)
        if trace.scoring:
            given = self._scoring(trace.scoring, trace)
            self._ended(self._span("score", "EVALUATOR", trace.scoring.span, given, within), trace.scoring.span)
        self._set_status(chain, trace.failure)
        self._ended(chain, trace.span)

    def _span(self, name: str, kind: Kind, span: Span, given: Attributes, context: Context) -> SentSpan:
        attributes = {"openinference.span.kind": kind, **given}
        return self._tracer.start_span(name, context=context, attributes=attributes, start_time=_ns(span.began))

    def _ended(self, sent: SentSpan, span: Span) -> None:
        sent.end(end_time=_ns(span.ended))

    def _set_status(self, chain: SentSpan, failure: str | None) -> None:
        from opentelemetry.trace import Status, StatusCode

        if failure is None:
            chain.set_status(Status(StatusCode.OK))
        else:
            # The sentence may quote the reply of a model server.
            chain.set_status(Status(StatusCode.ERROR, str(failure) if self._with_texts else None))

    def _texts(self, texts: Mapping[str, str]) -> Attributes:
        return {**texts} if self._with_texts else {}

    def _chain(self, trace: QuestionTrace) -> Attributes:
        texts = {"input.value": trace.question}
        if trace.generation:
            texts["output.value"] = trace.generation.answer.text
        if trace.asked is None:
            return self._texts(texts)
        place = {"run": trace.asked.run_id, "question": trace.asked.question_id}
        return {"session.id": trace.asked.sweep_id, "metadata": json.dumps(place), **self._texts(texts)}

    def _retrieval(self, retrieval: Retrieval) -> Attributes:
        found: Attributes = {}
        for place, passage in enumerate(retrieval.passages[:MOST_PASSAGES]):
            document = f"retrieval.documents.{place}.document"
            found[f"{document}.id"] = passage.id
            found[f"{document}.score"] = passage.similarity if passage.score is None else passage.score
            found |= self._texts({f"{document}.content": passage.text})
        return found

    def _generation(self, generation: Generation, trace: QuestionTrace) -> Attributes:
        answer, model = generation.answer, trace.model
        tokens = {
            "llm.token_count.prompt": answer.timings.prompt_eval_count,
            "llm.token_count.completion": answer.timings.eval_count,
        }
        known = {} if generation.is_reused else {name: count for name, count in tokens.items() if count is not None}
        texts: dict[str, str] = {"output.value": answer.text}
        for place, message in enumerate(generation.messages):
            texts[f"llm.input_messages.{place}.message.role"] = message.role
            texts[f"llm.input_messages.{place}.message.content"] = message.content
        if generation.messages:
            texts["input.value"] = generation.messages[-1].content
        named: Attributes = {
            "llm.model_name": model.name,
            "llm.provider": model.provider,
            "passer.reused": generation.is_reused,
        }
        return {**named, **known, **self._texts(texts)}

    def _scoring(self, scoring: Scoring, trace: QuestionTrace) -> Attributes:
        text = self._texts({"input.value": trace.generation.answer.text}) if trace.generation else {}
        return {**text, "output.value": _values(scoring.scores), "output.mime_type": "application/json"}


def _values(scores: Scores) -> str:
    return json.dumps({column: score.value for column, score in scores.items()}, allow_nan=False)


def _ns(moment: datetime) -> int:
    return int(moment.timestamp() * 1e6) * 1000


def _sender(endpoint: str, version: str) -> tuple[SpanExporter, TracerProvider]:
    """Return what sends spans, and what makes them."""
    import requests
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult

    class WarnOnceExporter(OTLPSpanExporter):
        """Logs a warning once when traces cannot be sent; logs again only after a success."""

        _has_warned = False

        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            sent = super().export(spans)
            if sent is not SpanExportResult.SUCCESS and not self._has_warned:
                log.warning("traces cannot be sent to %s; questions are asked without them", endpoint)
            self._has_warned = sent is not SpanExportResult.SUCCESS
            return sent

    for name in QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    session = requests.Session()
    # No proxy and no password from the environment: traces are sent to this address only.
    session.trust_env = False
    whole = f"{endpoint.rstrip('/').removesuffix('/v1/traces')}/v1/traces"
    exporter = WarnOnceExporter(endpoint=whole, timeout=SEND_S, session=session)
    limits = SpanLimits(max_span_attributes=SpanLimits.UNSET, max_span_attribute_length=MOST_CHARACTERS)
    resource = Resource.create({"service.name": "passer", "service.version": version})
    provider = TracerProvider(resource=resource, span_limits=limits, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=MOST_WAITING))
    return exporter, provider
