"""Streams answers while models write them; a disconnected client ends the requests to the models.

Uvicorn waits for open responses, so endless ones must end by themselves when the server stops.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
from collections.abc import AsyncIterator, Callable
from threading import Event, current_thread, main_thread
from types import FrameType
from typing import Literal, Protocol

from fastapi import Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from passer.api.problems import UNEXPECTED, problem_of
from passer.domain.base import Frozen, storable
from passer.domain.wording.sentence import LocalizedText
from passer.errors import PasserError
from passer.ports import Progress
from passer.ports.draft import Abort, Draft
from passer.services.pipeline.single_question import AnsweredQuestion, Retrieved, RetrievedQuestion

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def stopping() -> Event:
    """Event that is set when a signal asks the process to stop; earlier handlers still run."""
    asked = Event()
    if current_thread() is main_thread():
        for number in SIGNALS:
            _on_signal(number, asked)
    return asked


def _on_signal(number: signal.Signals, asked: Event) -> None:
    before = signal.getsignal(number)

    def on_signal(received: int, frame: FrameType | None) -> None:
        asked.set()
        if callable(before):
            before(received, frame)

    signal.signal(number, on_signal)


log = logging.getLogger(__name__)

EVENTS = "text/event-stream"
SENT_EVERY_S = 0.1
"""Seconds between two events with new text; one event for each token would only cost time."""
ALIVE_EVERY_S = 15.0
"""Seconds without news before a comment keeps the stream alive: proxies close silent ones."""
STREAM = {EVENTS: {"schema": {"type": "string"}}}
"""Description of the reply of an operation that can stream its answer."""

Stage = Literal["retrieving", "reading", "writing", "scoring"]
Ask = Callable[[Retrieved], AnsweredQuestion]
"""Asks, and reports the passages as soon as they are retrieved."""


def wants_stream(request: Request) -> bool:
    """Return whether the caller wants events instead of one JSON object."""
    return EVENTS in request.headers.get("accept", "")


def streamed(ask: Ask, request: Request) -> StreamingResponse:
    """Answer with events.

    `stage` (retrieving, reading, writing, scoring), `passages` (a RetrievedQuestion), `text` (what is new; `is_new` if
    it replaces what came before, because the model was asked again), and last either `answer` (an AnsweredQuestion) or
    `problem` (problem details).
    """
    return _response(_Asking(ask), request)


def counted(work: Callable[[Progress], BaseModel], request: Request) -> StreamingResponse:
    """Return a stream of events: `progress` with a `Step`, any number of times, then `answer` or `problem`."""
    return _response(_Counting(work), request)


class Step(Frozen):
    """Progress of some work."""

    message: LocalizedText
    """Step that is done now."""
    done: int
    """Items that are done."""
    total: int
    """Items in all."""


class _Watched(Protocol):
    """Work in another thread that can be followed and ended."""

    abort: Abort

    def answer(self) -> BaseModel:
        """Return the result."""

    def news(self) -> list[str]:
        """Return the events since the last call."""


class _Counting:
    """Work whose items are counted."""

    def __init__(self, work: Callable[[Progress], BaseModel]) -> None:
        self._work, self.abort = work, Abort()
        self._now: Step | None = None
        self._told: Step | None = None

    def answer(self) -> BaseModel:
        with self.abort.watching():
            return self._work(self._keep)

    def news(self) -> list[str]:
        now = self._now
        if now is None or now == self._told:
            return []
        self._told = now
        return [event("progress", now.model_dump_json())]

    def _keep(self, message: str, done: int, total: int) -> None:
        self._now = Step(message=message, done=done, total=total)


class _Asking:
    """One question that is answered in another thread."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._draft, self.abort = Draft(), Abort()
        self._retrieved: RetrievedQuestion | None = None
        self._stage: Stage | None = None
        self._text = ""
        self._has_passages = False

    def answer(self) -> AnsweredQuestion:
        """Ask, as a request that can be read and ended from outside."""
        with self._draft.watching(), self.abort.watching():
            return self._ask(self._keep)

    def news(self) -> list[str]:
        """Return the events since the last call."""
        text, found = storable(self._draft.text), []
        stage = self._now(text)
        if stage != self._stage:
            self._stage = stage
            found.append(event("stage", json.dumps(stage)))
        if self._retrieved is not None and not self._has_passages:
            self._has_passages = True
            found.append(event("passages", self._retrieved.model_dump_json()))
        if text and text != self._text:
            goes_on = text.startswith(self._text)
            new = text[len(self._text) :] if goes_on else text
            self._text = text
            found.append(event("text", json.dumps({"text": new, "is_new": not goes_on})))
        return found

    def _keep(self, retrieved: RetrievedQuestion) -> None:
        self._retrieved = retrieved

    def _now(self, text: str) -> Stage:
        if text:
            return "writing"
        if self._draft.is_sent:
            return "reading"
        return "scoring" if self._stage in ("reading", "writing", "scoring") else "retrieving"


def _response(asking: _Watched, request: Request) -> StreamingResponse:
    events = _events(asking, request.app.state.stopping)
    return StreamingResponse(events, media_type=EVENTS, headers={"Cache-Control": "no-store"})


async def _events(asking: _Watched, stopping: Event) -> AsyncIterator[str]:
    task = asyncio.ensure_future(run_in_threadpool(asking.answer))
    clock = asyncio.get_running_loop().time
    told_at = clock()
    try:
        while not task.done():
            if stopping.is_set():
                return
            for each in asking.news():
                yield each
                told_at = clock()
            if clock() - told_at >= ALIVE_EVERY_S:
                yield ": still here\n\n"
                told_at = clock()
            await asyncio.wait({task}, timeout=SENT_EVERY_S)
        yield _outcome(task)
    finally:
        # The client has disconnected: stop the model, and keep asyncio from logging the resulting error.
        asking.abort.ask()
        task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())


def _outcome(task: asyncio.Future[BaseModel]) -> str:
    try:
        return event("answer", task.result().model_dump_json())
    except PasserError as exc:
        return event("problem", problem_of(exc).model_dump_json())
    except Exception as exc:
        log.error("a streamed answer failed", exc_info=exc)
        return event("problem", UNEXPECTED.model_dump_json())


def event(name: str, data: str) -> str:
    """Return a server-sent event; an event without a name is a message."""
    return f"event: {name}\ndata: {data}\n\n" if name else f"data: {data}\n\n"
