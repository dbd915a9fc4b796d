"""What routes ask for: the services of the project that a request names."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request
from pydantic import ConfigDict, Field

from passer.api.access import authorised
from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.services.work.worker import Worker

T = TypeVar("T")


def _services(request: Request, _: Annotated[None, Depends(authorised)]) -> Services:
    # Whoever gets this far is a member of the project, or asks for what belongs to no project.
    services: Services = getattr(request.state, "services", request.app.state.services)
    return services


def _worker(request: Request) -> Worker:
    worker: Worker = request.app.state.worker
    return worker


ServicesDep = Annotated[Services, Depends(_services)]
WorkerDep = Annotated[Worker, Depends(_worker)]


class Page(Frozen, Generic[T]):
    """A page of a list."""

    # For each kind of item, pydantic would look for the docstrings in every frame of the imports under way.
    model_config = ConfigDict(use_attribute_docstrings=False)

    items: tuple[T, ...] = Field(description="What is on it.")
    next: str | None = Field(default=None, description="Cursor of the next page; None at the end.")
