"""Which parts are there, and what the model servers have."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Response

from passer import __version__
from passer.api.deps import Page, ServicesDep
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


@router.get("/api/v1/prompts", operation_id="list_prompts")
def list_prompts(services: ServicesDep) -> Page[str]:
    """Names of the prompt templates."""
    return Page(items=tuple(services.templates.list()))
