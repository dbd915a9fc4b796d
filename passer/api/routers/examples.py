"""The example corpora that come with PaSSER, one click away."""

from __future__ import annotations

from fastapi import APIRouter, Response

from passer.api.deps import JobsDep, Page, ServicesDep
from passer.api.jobs import Accepted
from passer.services.examples import Example

router = APIRouter(prefix="/api/v1/examples", tags=["examples"])


@router.get("", operation_id="list_examples")
def list_examples(services: ServicesDep) -> Page[Example]:
    """What there is."""
    return Page(items=services.examples.all())


@router.post("/{name}", operation_id="load_example", status_code=202)
def load_example(name: str, services: ServicesDep, jobs: JobsDep, response: Response) -> Accepted:
    """Ingest an example's documents and take its questions, under its own name."""
    services.examples.find(name)
    accepted = jobs.start("example", lambda progress: services.examples.load(name, progress=progress))
    response.headers["Location"] = accepted.status_url
    return accepted
