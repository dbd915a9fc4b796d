"""A sweep followed as it moves: one line of news whenever something has changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from threading import Event

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from passer.api.deps import ServicesDep
from passer.api.routers.sweeps import SweepDetail
from passer.bootstrap import Services

router = APIRouter(prefix="/api/v1", tags=["sweeps"])

LOOK_EVERY_S = 1.0
STEP_S = 0.1
"""How soon a stream ends when the server is asked to stop."""
ALIVE_EVERY = 15
"""Looks without news before a comment says that the stream lives: proxies close silent ones."""


@router.get(
    "/sweeps/{sweep_id}/events",
    operation_id="follow_sweep",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def follow_sweep(sweep_id: str, request: Request, services: ServicesDep) -> StreamingResponse:
    """Follow a sweep by server-sent events: a SweepDetail at once and after each change, until it pauses or ends."""
    first = await run_in_threadpool(_look, services, sweep_id)
    stream = _news(services, sweep_id, first, request.app.state.stopping)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _news(services: Services, sweep_id: str, first: SweepDetail, stopping: Event) -> AsyncIterator[str]:
    now, told, silent = first, "", 0
    while not stopping.is_set():
        text = now.model_dump_json()
        silent = 0 if text != told else silent + 1
        if text != told:
            yield f"data: {text}\n\n"
            told = text
        elif silent % ALIVE_EVERY == 0:
            yield ": still here\n\n"
        if now.state.is_final:
            return
        await _pause(stopping)
        now = await run_in_threadpool(_look, services, sweep_id)


async def _pause(stopping: Event) -> None:
    for _ in range(round(LOOK_EVERY_S / STEP_S)):
        if stopping.is_set():
            return
        await asyncio.sleep(STEP_S)


def _look(services: Services, sweep_id: str) -> SweepDetail:
    return SweepDetail.of(services.adapters.runs.load_sweep(sweep_id))
