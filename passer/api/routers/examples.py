"""The example corpora and experiment files that come with PaSSER, one click away."""

from __future__ import annotations

from fastapi import APIRouter

from passer.api.deps import Page, ServicesDep
from passer.api.routers.jobs import Accepted, SubmitDep
from passer.services.library.examples import Example, Experiment
from passer.services.work.kinds import ExampleSpec

router = APIRouter(prefix="/api/v1", tags=["examples"])


@router.get("/examples", operation_id="list_examples")
def list_examples(services: ServicesDep) -> Page[Example]:
    """List the example corpora."""
    return Page(items=services.library.examples.all())


@router.post("/examples/{name}", operation_id="load_example", status_code=202)
def load_example(name: str, services: ServicesDep, submit: SubmitDep) -> Accepted:
    """Load an example: ingest its documents and import its questions, both under its name."""
    services.library.examples.find(name)
    return submit(ExampleSpec(name=name), ())


@router.get("/experiments", operation_id="list_experiments")
def list_experiments(services: ServicesDep) -> Page[Experiment]:
    """List the experiments that come with PaSSER, among them the phases of the published study."""
    return Page(items=services.library.experiments.all())
