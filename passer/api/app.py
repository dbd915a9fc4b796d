"""The HTTP application: routes over services, and the browser client from the same process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, HTTPException
from fastapi.responses import HTMLResponse

from passer import __version__
from passer.api import problems
from passer.api.guard import Guard
from passer.api.jobs import Jobs
from passer.api.problems import Problem
from passer.api.routers import (
    answers,
    collections,
    comparisons,
    crossings,
    datasets,
    examples,
    following,
    imports,
    ledger,
    provenance,
    runs,
    scores,
    sweeps,
    system,
    timings,
    transactions,
)
from passer.api.stopping import stopping
from passer.bootstrap import CLIENT, Services, build_services
from passer.services.conducting import Conducting
from passer.services.posting import Poster
from passer.settings import Settings

NO_CLIENT = "<!doctype html><title>PaSSER</title><p>The browser client is not built: run <code>make client</code>."


def create_app(services: Services | None) -> FastAPI:
    """The application over these services; without services only its description is of use."""
    app = FastAPI(
        title="PaSSER",
        version=__version__,
        lifespan=_lifespan,
        responses={"4XX": {"model": Problem, "description": "Refused, with the reason"}},
        separate_input_output_schemas=False,
    )
    app.state.services = services
    problems.install(app)
    for module in (
        system,
        collections,
        datasets,
        examples,
        sweeps,
        runs,
        imports,
        crossings,
        scores,
        comparisons,
        following,
        answers,
        timings,
        ledger,
        transactions,
        provenance,
    ):
        app.include_router(module.router)
    app.add_api_route("/api/{rest:path}", _no_such_route, include_in_schema=False, methods=["GET", "POST", "DELETE"])
    if (CLIENT / "index.html").is_file():
        app.frontend("/", directory=CLIENT)
    else:
        app.add_api_route("/", _no_client, include_in_schema=False, response_class=HTMLResponse)
    if services is not None:
        limits = services.settings
        app.add_middleware(
            Guard,
            allowed_hosts=limits.allowed_hosts,
            any_address=limits.insecure_listen,
            max_upload_bytes=limits.max_upload_bytes,
        )
    return app


def serving() -> FastAPI:
    """The application over the environment's settings: what `passer serve` runs."""
    services = build_services(Settings.of_environment())
    _ = services.ledger  # what is wrong with its settings is said before the server starts
    return create_app(services)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    app.state.jobs = Jobs()
    app.state.conducting = Conducting(services.running, services.leases)
    app.state.conducting.start()
    app.state.poster = Poster(services.posting)
    app.state.poster.start()
    app.state.stopping = stopping()
    services.warm()
    try:
        yield
    finally:
        app.state.conducting.stop()
        app.state.poster.stop()
        app.state.jobs.close()
        services.close()


def _no_such_route(rest: str) -> None:
    raise HTTPException(404, f"There is no /api/{rest}: see /docs for what there is.")


def _no_client() -> HTMLResponse:
    return HTMLResponse(NO_CLIENT, status_code=503)
