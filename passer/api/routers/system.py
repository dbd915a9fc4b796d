"""Which parts are there, and what the model servers have."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Response
from pydantic import Field

from passer import __version__
from passer.api.deps import JobsDep, Page, ServicesDep
from passer.api.jobs import Accepted
from passer.domain.base import Frozen
from passer.domain.run import Model, ModelInfo
from passer.ports import Part

router = APIRouter(tags=["system"])


class Health(Frozen):
    """That the process lives."""

    status: str = "ok"
    """Always `ok`."""
    version: str = __version__
    """Of PaSSER."""


class SystemParts(Frozen):
    """Which parts are there, and the command that adds each missing one."""

    version: str = __version__
    """Of PaSSER."""
    parts: tuple[Part, ...]
    """One by one."""


class NewModel(Frozen):
    """A model to pull."""

    name: str = Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/-]*$")
    """Tag in Ollama's registry, such as `mistral:7b`."""


@router.get("/health", operation_id="health")
def health() -> Health:
    """The process lives."""
    return Health()


@router.get("/ready", operation_id="ready", responses={503: {"model": SystemParts}})
def ready(services: ServicesDep, response: Response) -> SystemParts:
    """The parts without which nothing runs (database, Chroma, encoder) answer; 503 while one does not."""
    parts = tuple(part for part in services.diagnosing.parts() if part.required)
    if not all(part.ok for part in parts):
        response.status_code = 503
    return SystemParts(parts=parts)


@router.get("/api/v1/system", operation_id="show_system")
def show_system(services: ServicesDep) -> SystemParts:
    """Every part with what it says of itself."""
    return SystemParts(parts=services.diagnosing.parts())


@router.get("/api/v1/models", operation_id="list_models")
def list_models(
    services: ServicesDep, provider: Literal["extractive", "ollama", "openai"] = "ollama", base_url: str | None = None
) -> Page[ModelInfo]:
    """What a model server has."""
    model = Model(provider=provider, name="any", base_url=base_url)
    return Page(items=tuple(services.generator(model).models()))


@router.post("/api/v1/models", operation_id="pull_model", status_code=202)
def pull_model(body: NewModel, services: ServicesDep, jobs: JobsDep, response: Response) -> Accepted:
    """Have the Ollama server download a model; the job counts bytes, its result is a ModelInfo."""
    accepted = jobs.start(
        "pull", lambda progress: services.pulling.pull(body.name, progress=progress), lane=f"pull {body.name}"
    )
    response.headers["Location"] = accepted.status_url
    return accepted


@router.get("/api/v1/prompts", operation_id="list_prompts")
def list_prompts(services: ServicesDep) -> Page[str]:
    """Names of the prompt templates."""
    return Page(items=tuple(services.templates.list()))
