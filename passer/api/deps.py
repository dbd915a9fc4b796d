"""Dependencies of routes: the services of the project that a request names."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request

from passer.api.access import authorised
from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.services.work.worker import Worker

T = TypeVar("T")


# These are coroutines because they do not block: a plain function would wait for a thread of the pool.
async def _services(request: Request, _: Annotated[None, Depends(authorised)]) -> Services:
    # `authorised` has checked that the caller is a member of the project, if the route belongs to one.
    services: Services = getattr(request.state, "services", request.app.state.services)
    return services


async def _worker(request: Request) -> Worker:
    worker: Worker = request.app.state.worker
    return worker


ServicesDep = Annotated[Services, Depends(_services)]
WorkerDep = Annotated[Worker, Depends(_worker)]


class Page(Frozen, Generic[T]):
    """A page of a list."""

    items: tuple[T, ...]
    """Entries of this page."""
    next: str | None = None
    """Cursor of the next page; None at the end."""
