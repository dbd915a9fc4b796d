"""Model servers: those of the settings and those that were connected, and the models that they have."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field

from passer.api.activity import note_subject
from passer.api.deps import Page, ServicesDep
from passer.api.routers.jobs import Accepted, SubmitDep
from passer.domain.base import Frozen
from passer.domain.models.connection import Connection, NewConnection
from passer.services.library.model_servers import ModelServer
from passer.services.work.kinds import PullSpec

router = APIRouter(prefix="/api/v1", tags=["models"])


class NewModel(Frozen):
    """A model to pull."""

    name: str = Field(min_length=1, max_length=200, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/-]*$")
    """Tag in Ollama's registry, such as `mistral:7b`."""


@router.get("/models", operation_id="list_models")
def list_models(services: ServicesDep) -> Page[ModelServer]:
    """List the models of every model server; for a server that does not respond, the problem."""
    return Page(items=services.library.model_servers.list())


@router.post("/models", operation_id="pull_model", status_code=202)
def pull_model(body: NewModel, request: Request, submit: SubmitDep) -> Accepted:
    """Download a model to the Ollama server. The progress of the job is in bytes; its result is a ModelInfo."""
    note_subject(request, body.name)
    return submit(PullSpec(name=body.name), ())


@router.post("/connections", operation_id="connect_server", status_code=201)
def connect_server(body: NewConnection, request: Request, services: ServicesDep) -> Connection:
    """Connect a model server, or replace the connection of this name. The key is encrypted and never returned."""
    note_subject(request, body.name)
    return services.library.model_servers.connect(body)


@router.post("/connections/tests", operation_id="test_server")
def test_server(body: NewConnection, services: ServicesDep) -> ModelServer:
    """Test a connection: request the list of models. Nothing is saved."""
    return services.library.model_servers.test(body)


@router.delete("/connections/{name}", operation_id="disconnect_server", status_code=204)
def disconnect_server(name: str, services: ServicesDep) -> None:
    """Disconnect a model server and delete its key. Sweeps that used it keep their results."""
    services.library.model_servers.store.delete(name)
