"""Dependencies of routes: the services of the project that a request names."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request

from passer.api.access import authorised
from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.services.work.worker import Worker

T = TypeVar("T")


# Neither of them blocks: as coroutines they need no thread, for which a request would wait while a sweep runs.
async def _services(request: Request, _: Annotated[None, Depends(authorised)]) -> Services:
    # The caller is a member of the project here, or the route belongs to no project.
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
