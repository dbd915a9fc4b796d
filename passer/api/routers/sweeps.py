"""Sweeps: planned, started, followed, steered, analysed, exported."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import HTMLResponse, StreamingResponse
from pydantic import Field

from passer.api.choices import SweepChoicesDep
from passer.api.deps import ConductingDep, Page, ServicesDep
from passer.api.files import SUFFIXES, ExportFormat, file_response, page_response
from passer.domain.analysis.analysis import SweepAnalysis
from passer.domain.analysis.result_tables import NamedTable, named_tables
from passer.domain.base import Frozen
from passer.domain.evidence.found import Evidence
from passer.domain.figures.figure import Figure
from passer.domain.preview import SweepPreview
from passer.domain.run import Run, RunConfig, RunState
from passer.domain.sweep import Savings, Sweep, SweepPlan
from passer.domain.wording.sentence import Worded
from passer.ports import StoredSweep, SweepProgress
from passer.services.comparing import ROW_TABLES

router = APIRouter(prefix="/api/v1", tags=["sweeps"])


class SweepDetail(Worded):
    """A sweep as it is now."""

    id: str
    """Unique."""
    state: RunState
    """The liveliest state among its runs."""
    sweep: Sweep
    """What is compared."""
    dataset_digest: str
    """The version of the dataset that it runs on."""
    questions: int
    """Questions of each configuration."""
    runs: tuple[Run, ...]
    """In order."""
    templates: dict[str, str]
    """SHA-256 of the prompt templates that it began with, by name; files that are edited later change nothing."""
    created_at: str
    """UTC, ISO 8601."""
    progress: SweepProgress | None
    """As last reported by the process that runs it."""
    savings: Savings | None = None
    """What a sweep that has come to its end did not do twice; None before, and in lists."""

    def telling(self) -> object:
        """Why runs stopped, and why questions failed of late."""
        return [run.reason for run in self.runs], self.progress and self.progress.failures

    @classmethod
    def of(cls, stored: StoredSweep, *, savings: Savings | None = None) -> SweepDetail:
        """A stored sweep, with its state."""
        return cls(
            **{name: getattr(stored, name) for name in ("id", "state", "sweep", "dataset_digest", "questions", "runs")},
            templates={template.name: template.digest for template in stored.templates},
            created_at=stored.created_at.isoformat(),
            progress=stored.progress,
            savings=savings,
        )


class NewRun(Frozen):
    """One configuration alone."""

    name: str = Field(default="Run", min_length=1, max_length=200)
    """Shown in tables."""
    config: RunConfig
    """What to do."""


@router.post("/sweeps/plans", operation_id="plan_sweep")
def plan_sweep(body: Sweep, services: ServicesDep, questions: Annotated[int | None, Query(ge=1)] = None) -> SweepPlan:
    """What a sweep will take, before it starts; `questions` stands in for a dataset that is not here."""
    return services.sweeping.plan(body, questions=questions)


@router.post("/sweeps/previews", operation_id="preview_sweep")
def preview_sweep(body: Sweep, services: ServicesDep) -> SweepPreview:
    """The plan with what only retrieval can tell: every question is looked up, nothing is generated or kept.

    Takes as long as embedding the questions; a sweep that is then started here takes the rankings over.
    """
    return services.planning.preview(body)


@router.post("/sweeps", operation_id="create_sweep", status_code=201)
def create_sweep(
    body: Sweep,
    services: ServicesDep,
    conducting: ConductingDep,
    response: Response,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> SweepDetail:
    """Start a sweep; the same Idempotency-Key again gives the same sweep."""
    stored = services.sweeping.create(body, idempotency_key=idempotency_key)
    conducting.wake()
    response.headers["Location"] = f"/api/v1/sweeps/{stored.id}"
    return SweepDetail.of(stored)


@router.post("/runs", operation_id="create_run", status_code=201)
def create_run(
    body: NewRun,
    services: ServicesDep,
    conducting: ConductingDep,
    response: Response,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> Run:
    """Start a run alone: a sweep of one."""
    sweep = Sweep(name=body.name, config=body.config)
    stored = services.sweeping.create(sweep, idempotency_key=idempotency_key)
    conducting.wake()
    response.headers["Location"] = f"/api/v1/runs/{stored.runs[0].id}"
    return stored.runs[0]


@router.get("/sweeps", operation_id="list_sweeps")
def list_sweeps(
    services: ServicesDep, limit: Annotated[int, Query(ge=1, le=200)] = 50, cursor: str | None = None
) -> Page[SweepDetail]:
    """Newest first."""
    found = services.runs.list_sweeps(limit=limit + 1, before=cursor)
    items = tuple(SweepDetail.of(stored) for stored in found[:limit])
    return Page(items=items, next=items[-1].id if len(found) > limit else None)


@router.get("/sweeps/{sweep_id}", operation_id="show_sweep")
def show_sweep(sweep_id: str, services: ServicesDep) -> SweepDetail:
    """A sweep with its runs and progress; with what it saved once it has come to its end."""
    stored = services.runs.load_sweep(sweep_id)
    ended = stored.state.is_final
    return SweepDetail.of(stored, savings=services.sweeping.savings(stored) if ended else None)


@router.post("/sweeps/{sweep_id}/{act}", operation_id="steer_sweep")
def steer_sweep(
    sweep_id: str,
    act: Literal["cancel", "pause", "resume", "retry"],
    services: ServicesDep,
    conducting: ConductingDep,
    run_id: Annotated[list[str] | None, Query()] = None,
) -> SweepDetail:
    """Cancel, pause, resume, or retry what failed: the whole sweep, or the runs named."""
    acts = {
        "cancel": services.steering.cancel,
        "pause": services.steering.pause,
        "resume": services.steering.resume,
        "retry": services.steering.retry,
    }
    stored = acts[act](sweep_id, run_ids=run_id or ())
    conducting.wake()
    return SweepDetail.of(stored)


@router.get("/sweeps/{sweep_id}/analysis", operation_id="analyse_sweep")
def analyse_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep) -> SweepAnalysis:
    """Composite scores, paired comparisons and retrieval quality of what is there so far."""
    return services.comparing.analyse(sweep_id, choices)


@router.get("/sweeps/{sweep_id}/evidence", operation_id="weigh_sweep")
def weigh_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep) -> Evidence:
    """Every test of every threshold's gain, and what the result hangs on; takes some seconds for a large sweep."""
    return services.comparing.evidence(sweep_id, choices)


@router.get("/sweeps/{sweep_id}/figures", operation_id="draw_sweep")
def draw_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep) -> Page[Figure]:
    """Its figures as data, of what is there so far."""
    return Page(items=services.reporting.figures_of_sweep(sweep_id, choices))


@router.get("/sweeps/{sweep_id}/tables", operation_id="tabulate_sweep")
def tabulate_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep) -> Page[NamedTable]:
    """Every table of an analysis, of what is there so far; takes some seconds for a large sweep."""
    return Page(items=named_tables(services.reporting.tables_of_sweep(sweep_id, choices)))


@router.get("/sweeps/{sweep_id}/report", operation_id="report_sweep", response_class=HTMLResponse)
def report_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep) -> HTMLResponse:
    """A report as one HTML page that needs nothing beside itself, of what is there so far."""
    report = services.reporting.report_of_sweep(sweep_id, choices)
    return page_response(services.reporting.page(report), name=f"{sweep_id}.html")


@router.get("/sweeps/{sweep_id}/export", operation_id="export_sweep", response_class=StreamingResponse)
def export_sweep(
    sweep_id: str,
    services: ServicesDep,
    choices: SweepChoicesDep,
    format: ExportFormat = "csv",
    table: Annotated[
        str, Query(description="evaluations, composites, or a table that /tables names, such as configurations.")
    ] = "evaluations",
    reproducible: bool = False,
) -> StreamingResponse:
    """A table as a file."""
    suffix = SUFFIXES[format]
    if table in ROW_TABLES:
        content = services.comparing.export(
            sweep_id, table=ROW_TABLES[table], suffix=suffix, choices=choices, reproducible=reproducible
        )
    else:
        tables = services.reporting.tables_of_sweep(sweep_id, choices)
        content = services.reporting.export(
            tables, table, suffix=suffix, constants=choices.constants, reproducible=reproducible
        )
    return file_response(content, name=f"{sweep_id}-{table}{suffix}")


@router.get("/sweeps/{sweep_id}/sheets", operation_id="export_sheets", response_class=StreamingResponse)
def export_sheets(
    sweep_id: str, services: ServicesDep, shifted_labels: bool = False, reproducible: bool = False
) -> StreamingResponse:
    """A zip of its runs in the published sheet layout, under right labels unless the published ten wrong are asked."""
    content = services.comparing.sheets(sweep_id, shifted=shifted_labels, reproducible=reproducible)
    return file_response(content, name=f"{sweep_id}-sheets.zip")
