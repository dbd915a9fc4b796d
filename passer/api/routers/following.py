"""A sweep followed as it moves: what has changed, and what models write now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from threading import Event

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from passer.api.access import is_still_allowed
from passer.api.deps import ServicesDep
from passer.api.streaming import ALIVE_EVERY_S, EVENTS, STREAM, event
from passer.api.sweep_detail import SweepDetail, detail_of
from passer.bootstrap import Services
from passer.domain.lru_cache import LruCache
from passer.services.sweeps.live_answers import SweepNow

router = APIRouter(prefix="/api/v1", tags=["sweeps"])

Looks = LruCache[tuple[str, str], SweepDetail]
"""Latest looks at sweeps, by project and id."""

LOOK_EVERY_S = 1.0
"""Seconds between two events with the state of a sweep."""
ANSWERS_EVERY_S = 0.5
"""Seconds between two updates of unfinished answers: shorter than one reads, longer than models need for a word."""
MOST_LOOKS = 100
"""Sweeps whose latest look is kept."""
STEP_S = 0.1
"""Longest delay, in seconds, between a request to stop the server and the end of a stream."""


def shared_looks() -> Looks:
    """Return looks that all who follow a sweep share: counting its evaluations takes longer the more there are."""
    # Kept for half the interval between two looks, so that no stream gets the same look twice.
    return LruCache(MOST_LOOKS, max_age_s=LOOK_EVERY_S / 2)


@router.get(
    "/sweeps/{sweep_id}/events",
    operation_id="follow_sweep",
    response_class=StreamingResponse,
    responses={200: {"content": dict(STREAM)}},
)
async def follow_sweep(sweep_id: str, request: Request, services: ServicesDep) -> StreamingResponse:
    """Follow a sweep by server-sent events, until it ends or the caller's session does.

    Events without a name are a SweepDetail, at once and after each change; events named `now` are a SweepNow, at most
    two a second, while this server runs the sweep.
    """
    first = await run_in_threadpool(_look, services, sweep_id)
    stream = _news(_Follower(services, request, sweep_id), first, request.app.state.stopping)
    return StreamingResponse(stream, media_type=EVENTS, headers={"Cache-Control": "no-store"})


@router.get("/sweeps/{sweep_id}/now", operation_id="show_sweep_now")
def show_sweep_now(sweep_id: str, services: ServicesDep) -> SweepNow:
    """Return the answers that models write now, for a sweep that this server runs."""
    services.adapters.runs.load_sweep(sweep_id, counted=False)
    return services.sweeps.live_answers.now(sweep_id)


@dataclass
class _Follower:
    """An open page that follows a sweep."""

    services: Services
    request: Request
    sweep_id: str
    sent: dict[str, str] = field(default_factory=dict)
    """Last message of each event."""

    def load(self) -> SweepDetail | None:
        """Return the present state of the sweep; None if the caller may not see it any more."""
        # A stream can outlast the session that opened it: after a sign-out or loss of the role it must end.
        if not is_still_allowed(self.services, self.request):
            return None
        looks: Looks = self.request.app.state.looks
        key = self.services.settings.project, self.sweep_id
        return looks.get_or_compute(key, lambda: _look(self.services, self.sweep_id))

    def now(self) -> SweepNow:
        """Return what models write."""
        return self.services.sweeps.live_answers.now(self.sweep_id)

    def news(self, name: str, text: str) -> str | None:
        """Return a message; None if it was sent before."""
        if self.sent.get(name) == text:
            return None
        self.sent[name] = text
        return event(name, text)


async def _news(follower: _Follower, first: SweepDetail, stopping: Event) -> AsyncIterator[str]:
    detail: SweepDetail | None = first
    sent_at = looked_at = asyncio.get_running_loop().time()
    while detail is not None and not stopping.is_set():
        writing = await run_in_threadpool(follower.now)
        texts = [follower.news("", detail.model_dump_json())]
        if writing.is_here or "now" in follower.sent:
            texts.append(follower.news("now", writing.model_dump_json()))
        now = asyncio.get_running_loop().time()
        for text in filter(None, texts):
            yield text
            sent_at = now
        if detail.state.is_final:
            return
        if now - sent_at >= ALIVE_EVERY_S:
            yield ": still here\n\n"
            sent_at = now
        await _pause(stopping)
        if asyncio.get_running_loop().time() - looked_at >= LOOK_EVERY_S:
            detail = await run_in_threadpool(follower.load)
            looked_at = asyncio.get_running_loop().time()


async def _pause(stopping: Event) -> None:
    for _ in range(round(ANSWERS_EVERY_S / STEP_S)):
        if stopping.is_set():
            return
        await asyncio.sleep(STEP_S)


def _look(services: Services, sweep_id: str) -> SweepDetail:
    return detail_of(services, services.adapters.runs.load_sweep(sweep_id))
