"""What routes ask for: the services of this server."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request
from pydantic import Field

from passer.api.jobs import Jobs
from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.services.conducting import Conducting
from passer.services.posting import Poster

T = TypeVar("T")


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


def _conducting(request: Request) -> Conducting:
    conducting: Conducting = request.app.state.conducting
    return conducting


def _poster(request: Request) -> Poster:
    poster: Poster = request.app.state.poster
    return poster


ServicesDep = Annotated[Services, Depends(_services)]
JobsDep = Annotated[Jobs, Depends(_jobs)]
ConductingDep = Annotated[Conducting, Depends(_conducting)]
PosterDep = Annotated[Poster, Depends(_poster)]


class Page(Frozen, Generic[T]):
    """A page of a list."""

    items: tuple[T, ...]
    """What is on it."""
    next: str | None = Field(default=None)
    """Cursor of the next page; None at the end."""
