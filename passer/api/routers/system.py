"""Components of the installation."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from passer import __version__
from passer.api.access import caller_of
from passer.api.defaults import DEFAULTS, Defaults
from passer.api.deps import Page, ServicesDep
from passer.api.monitoring import MEDIA_TYPE
from passer.domain.base import Frozen
from passer.ports import Part

router = APIRouter(tags=["system"])


class Health(Frozen):
    """State of the process."""

    status: str = "ok"
    """Always `ok`."""
    version: str = __version__
    """Version of PaSSER."""
    max_upload_bytes: int
    """Largest upload, so that a page can refuse a larger one before sending it."""


class SystemParts(Frozen):
    """Available and missing components, with the command that installs each missing one."""

    version: str = __version__
    """Version of PaSSER."""
    parts: tuple[Part, ...]
    """One by one."""


@router.get("/health", operation_id="health")
def health(services: ServicesDep) -> Health:
    """Report that the process is running."""
    return Health(max_upload_bytes=services.settings.max_upload_bytes)


@router.get("/ready", operation_id="ready", responses={503: {"model": SystemParts}})
def ready(services: ServicesDep, request: Request, response: Response) -> SystemParts:
    """Report whether the required components (database, Chroma, encoder) respond; 503 if one does not."""
    parts = services.diagnostics.parts(only_required=True)
    if not all(part.ok for part in parts):
        response.status_code = 503
    if caller_of(request) is None:
        # Unknown callers must not see addresses and folders.
        parts = tuple(part.model_copy(update={"detail": "", "command": None}) for part in parts)
    return SystemParts(parts=parts)


@router.get("/metrics", operation_id="show_monitoring", response_class=PlainTextResponse)
def show_monitoring(request: Request) -> PlainTextResponse:
    """Return what Prometheus reads: requests by operation and status, their seconds, work by kind, and the process."""
    return PlainTextResponse(request.app.state.monitoring.text(), media_type=MEDIA_TYPE)


@router.get("/api/v1/system", operation_id="show_system")
def show_system(services: ServicesDep) -> SystemParts:
    """List every component with its state."""
    return SystemParts(parts=services.diagnostics.parts())


# The page is built with this example, so that its forms need no request for their defaults.
@router.get(
    "/api/v1/defaults",
    operation_id="show_defaults",
    responses={200: {"content": {"application/json": {"example": DEFAULTS.model_dump(mode="json")}}}},
)
def show_defaults() -> Defaults:
    """Return the settings that apply where a person names none."""
    return DEFAULTS


@router.get("/api/v1/prompts", operation_id="list_prompts")
def list_prompts(services: ServicesDep) -> Page[str]:
    """List the names of the prompt templates."""
    return Page(items=tuple(services.adapters.templates.list()))
