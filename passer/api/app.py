"""The HTTP application: routes over services, and the browser client from the same process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware

from passer import __version__
from passer.api import problems
from passer.api.access import Access, authorised
from passer.api.client_files import ASSETS, RevalidatedPages, hashed_files
from passer.api.description import described, described_page
from passer.api.encoded import COMPRESS_LEVEL, EncodedAnswers
from passer.api.files import TYPES
from passer.api.guard import Guard, refuse_nul
from passer.api.headers import WALLET_RELAY, SecurityHeaders, content_policy
from passer.api.language import ReaderLanguage
from passer.api.monitoring import Monitoring, MonitoringMiddleware
from passer.api.problems import Problem
from passer.api.project_paths import ProjectPaths
from passer.api.routers import (
    accounts,
    activity,
    answers,
    arena,
    collections,
    comparisons,
    crossings,
    datasets,
    drafting,
    examples,
    following,
    identities,
    imports,
    jobs,
    judging,
    labels,
    ledger,
    models,
    people,
    projects,
    provenance,
    retrievals,
    runs,
    scores,
    sweep_results,
    sweeps,
    system,
    timings,
)
from passer.api.routing import QuickRouter
from passer.api.rules import RequestLimiter, limit_costly
from passer.api.streaming import stopping
from passer.bootstrap import CLIENT, Services, build_services
from passer.bootstrap.signing_in import first_account
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.settings import Settings

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]


class _App(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """Return the description, with the refusals of every operation."""
        if self.openapi_schema is None:
            self.openapi_schema = described(super().openapi())
        return self.openapi_schema


# In the order in which the description of the API lists them.
ROUTERS = (
    system, accounts, identities, projects, activity, models, collections, datasets, examples, sweeps, sweep_results,
    runs, imports, jobs, arena, people, judging, drafting, labels, crossings, scores, comparisons, following, answers,
    retrievals, timings, ledger, provenance,
)  # fmt: skip


def create_app(services: Services | None) -> FastAPI:
    """Return the application over all projects of these services; without services, only its description works."""
    services = services and services.default
    app = _App(
        title="PaSSER",
        version=__version__,
        lifespan=_lifespan,
        responses={"4XX": {"model": Problem, "description": "Refused, with the reason"}},
        separate_input_output_schemas=False,
        # FastAPI's own documentation pages load their scripts from another server.
        docs_url=None,
        redoc_url=None,
    )
    app.state.services = services
    app.state.request_limiter = RequestLimiter()
    app.state.encoded = EncodedAnswers()
    app.state.looks = following.shared_looks()
    problems.install(app)
    for module in ROUTERS:
        app.include_router(
            QuickRouter(module.router), dependencies=[Depends(authorised), Depends(refuse_nul), Depends(limit_costly)]
        )
    app.add_api_route("/docs", _documentation, include_in_schema=False, response_model=None)
    app.add_api_route("/api/{rest:path}", _no_such_route, include_in_schema=False, methods=METHODS)
    # Files are looked for with each request: in development, a build may write them after this start.
    app.mount(ASSETS, hashed_files(CLIENT))
    if CLIENT.is_dir():
        app.frontend("/", directory=CLIENT, check_dir=False)
    app.add_middleware(RevalidatedPages, client=CLIENT)
    # It leaves out server-sent events and files that are compressed already. For 110 kB, level 3 took .9 ms and gave
    # 13.7 kB; a higher level took 1.4 ms and gave 12.2 kB.
    app.add_middleware(
        GZipMiddleware,
        compresslevel=COMPRESS_LEVEL,
        exclude_content_types=(*DEFAULT_EXCLUDED_CONTENT_TYPES, TYPES[".xlsx"]),
    )
    if services is not None:
        app.add_middleware(Access, services=services)
        limits = services.settings
        app.add_middleware(
            Guard,
            allowed_hosts=limits.allowed_hosts,
            any_address=limits.insecure_listen,
            max_upload_bytes=limits.max_upload_bytes,
        )
    # Outside of the guard, whose refusals are texts too.
    app.add_middleware(ReaderLanguage)
    if services is not None:
        limits = services.settings
        chain = (*limits.chain_urls, limits.wallet_relay or WALLET_RELAY) if limits.ledger == "antelope" else ()
        app.add_middleware(SecurityHeaders, policy=content_policy(chain))
        app.state.monitoring = Monitoring(services.server_worker.waiting)
        app.add_middleware(MonitoringMiddleware, monitoring=app.state.monitoring)
    app.add_middleware(ProjectPaths)
    return app


def serving() -> FastAPI:
    """The application over the environment's settings: what `passer serve` runs."""
    services = build_services(Settings.of_environment().of_project(DEFAULT_PROJECT))
    _ = services.adapters.ledgers.chosen  # Build the ledger now, so that an error in its settings stops the start.
    _ = services.adapters.traces  # Likewise: without its packages no sweep could begin.
    _ = services.signing_in.provider
    first_account(services)
    return create_app(services)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    app.state.worker = services.server_worker.worker()
    app.state.worker.start()
    app.state.stopping = stopping()
    services.warm()
    try:
        yield
    finally:
        app.state.worker.stop()
        services.close()


def _no_such_route(rest: str, request: Request) -> None:
    allowed = sorted(_methods_of(request))
    if allowed:
        detail = sentence("problem.no-method", method=request.method, path=rest, allowed=", ".join(allowed))
        raise HTTPException(405, detail, headers={"Allow": ", ".join(allowed)})
    raise NotFoundError(sentence("problem.no-path", path=rest))


def _methods_of(request: Request) -> set[str]:
    """Return the methods that the path of a request has."""
    # Read from the routers: building the OpenAPI description takes seconds, and the first wrong address would wait.
    return {
        method
        for module in ROUTERS
        for route in module.router.routes
        if isinstance(route, APIRoute) and route.path_regex.match(request.url.path)
        for method in route.methods or ()
    }


def _documentation(request: Request) -> HTMLResponse:
    # A module function: FastAPI caches route functions for ever, and a closure would keep its application in memory.
    return described_page(request.app.openapi())
