"""Results of sweeps: analysed, compared question by question, drawn, exported."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse

from passer.api.choices import SweepChoicesDep
from passer.api.deps import Page, ServicesDep
from passer.api.encoded import encoded
from passer.api.files import TYPES, ZIP_FILE, described_files, file_response, page_response
from passer.domain.analysis.analysis import SweepAnalysis, SweepSummary
from passer.domain.analysis.question_across import QuestionAcross
from passer.domain.analysis.question_matrix import MatrixFilter, MatrixOrder, MatrixPage
from passer.domain.analysis.result_tables import NamedTable
from passer.domain.composite import CPS
from passer.domain.dataset import Dataset
from passer.domain.evidence.results import Evidence
from passer.domain.failures.report import FailureReport
from passer.domain.figures.figure import Figure
from passer.domain.verdict.conclusion import linked
from passer.metrics.grounded.checks import GroundingLimits
from passer.ports.tables import SUFFIXES, ExportFormat
from passer.services.analysis.cps_check import AnswerPairs, CpsAgreement, PairChoices
from passer.services.analysis.failure_locator import FailureChoices
from passer.services.analysis.grounding_report import GroundingReport
from passer.services.analysis.question_matrix import MatrixQuery, area_of, matrix_page
from passer.services.exports.sweep_exporter import ROW_TABLES, TREC
from passer.services.judging.tables import JUDGED_ANSWERS

router = APIRouter(prefix="/api/v1", tags=["sweeps"])


@router.get("/sweeps/{sweep_id}/analysis", operation_id="analyse_sweep", response_model=SweepAnalysis)
def analyse_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep, request: Request) -> Response:
    """Analyse a sweep at rest: composite scores, paired comparisons, verdict and retrieval quality.

    Refused while the sweep is queued, running or paused: looks before the planned end make wrong verdicts more likely.
    """
    found = services.analysis.sweep_results.analyse(sweep_id, choices)
    return encoded(request, (found,), lambda: found.model_copy(update={"verdict": linked(found.verdict)}))


@router.get("/sweeps/{sweep_id}/summary", operation_id="summarise_sweep")
def summarise_sweep(sweep_id: str, services: ServicesDep) -> SweepSummary:
    """Return the verdicts of a finished, cancelled or failed sweep, for a list.

    Those of a sweep with more than 20,000 evaluations are computed in the background first: `is_computing`.
    """
    return services.analysis.sweep_summaries.of(sweep_id)


@router.get("/sweeps/{sweep_id}/questions", operation_id="list_sweep_questions", response_model=MatrixPage)
def list_sweep_questions(
    sweep_id: str,
    services: ServicesDep,
    request: Request,
    metric: Annotated[str, Query(description="CPS or one of the 24 columns.")] = CPS,
    order: MatrixOrder = "spread",
    only: Annotated[
        list[MatrixFilter] | None, Query(description="Only questions that match all of these filters. Repeatable.")
    ] = None,
    find: Annotated[str, Query(max_length=200)] = "",
    of: Annotated[
        str | None,
        Query(description="Run that `rise`, `fall` and the filters abstained, failed and gold_lost refer to."),
    ] = None,
    baseline: Annotated[str | None, Query(description="Baseline of the gains, as a run id.")] = None,
    area: Annotated[
        str | None,
        Query(
            max_length=300,
            description="Only questions in a rectangle of the figure of pairs: RUN,FROM,TO,FROM,TO, first the scores "
            "of the run's baseline, then its own.",
        ),
    ] = None,
    after: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """Return every question under every configuration of a sweep that has ended, a page at a time."""
    found = None if area is None else area_of(area)
    query = MatrixQuery(order, only or (), find, of, baseline, found, after, limit)
    matrix, dataset = services.analysis.sweep_results.matrix_and_dataset(sweep_id, metric)
    return encoded(request, (matrix, dataset), lambda: matrix_page(matrix, _texts(dataset), query))


@router.get("/sweeps/{sweep_id}/questions/{number}", operation_id="show_sweep_question")
def show_sweep_question(
    sweep_id: str, number: Annotated[int, Path(le=2**31 - 1, ge=0)], services: ServicesDep
) -> QuestionAcross:
    """Return one question, counted from 0, with its answer under every configuration of the sweep."""
    return services.analysis.sweep_results.question(sweep_id, number)


@router.get("/sweeps/{sweep_id}/failures", operation_id="locate_sweep_failures")
def locate_sweep_failures(
    sweep_id: str, services: ServicesDep, choices: Annotated[FailureChoices, Query()]
) -> FailureReport:
    """Count the causes of low scores for each run of a sweep that has ended."""
    return services.analysis.failure_locator.of_sweep(sweep_id, choices)


@router.get("/sweeps/{sweep_id}/grounding", operation_id="ground_sweep")
def ground_sweep(sweep_id: str, services: ServicesDep, limits: Annotated[GroundingLimits, Query()]) -> GroundingReport:
    """Return citations and grounding by run of a sweep that is not running, with the values expected by chance."""
    return services.analysis.grounding_reader.of_sweep(sweep_id, limits)


@router.get("/sweeps/{sweep_id}/pairs", operation_id="pair_sweep", response_model=Page[Figure])
def pair_sweep(
    sweep_id: str,
    of: str,
    services: ServicesDep,
    request: Request,
    metric: Annotated[str, Query(max_length=100, description="CPS or one of the 24 columns.")] = CPS,
) -> Response:
    """Return two figures: the questions of run `of` against those of its baseline, and their differences."""
    found = services.analysis.sweep_results.pairs(sweep_id, of, metric)
    return encoded(request, found, lambda: Page[Figure](items=found))


@router.get("/sweeps/{sweep_id}/answer-pairs", operation_id="draw_answer_pairs")
def draw_answer_pairs(sweep_id: str, services: ServicesDep) -> AnswerPairs:
    """Return up to 20 pairs of answers that differ most in CPS, without configurations and scores."""
    return services.analysis.cps_check.pairs(sweep_id)


@router.post("/sweeps/{sweep_id}/answer-pairs/choices", operation_id="compare_answer_pairs")
def compare_answer_pairs(sweep_id: str, body: PairChoices, services: ServicesDep) -> CpsAgreement:
    """Compare a person's choices with CPS: share of agreement, and the pairs of disagreement. Stores nothing."""
    return services.analysis.cps_check.compare(sweep_id, body)


@router.get("/sweeps/{sweep_id}/evidence", operation_id="weigh_sweep")
def weigh_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep) -> Evidence:
    """Return all tests of all gains, and the sensitivity of the result. Takes some seconds for a large sweep."""
    return services.analysis.sweep_results.evidence(sweep_id, choices)


@router.get("/sweeps/{sweep_id}/figures", operation_id="draw_sweep", response_model=Page[Figure])
def draw_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep, request: Request) -> Response:
    """Return the figures of a sweep that has ended, as data."""
    found = services.exports.report_builder.figures_of_sweep(sweep_id, choices)
    return encoded(request, found, lambda: Page[Figure](items=found))


@router.get("/sweeps/{sweep_id}/tables", operation_id="tabulate_sweep", response_model=Page[NamedTable])
def tabulate_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep, request: Request) -> Response:
    """Return all tables of a sweep that has ended. Takes some seconds for a large sweep."""
    found = services.exports.report_builder.named_tables_of_sweep(sweep_id, choices)
    return encoded(request, found, lambda: Page[NamedTable](items=found))


@router.get("/sweeps/{sweep_id}/report", operation_id="report_sweep", response_class=HTMLResponse)
def report_sweep(sweep_id: str, services: ServicesDep, choices: SweepChoicesDep) -> HTMLResponse:
    """Return a self-contained HTML report of a sweep that has ended."""
    return page_response(services.exports.report_builder.page_of_sweep(sweep_id, choices), name=f"{sweep_id}.html")


@router.get(
    "/sweeps/{sweep_id}/export",
    operation_id="export_sweep",
    response_class=StreamingResponse,
    responses=described_files(*TYPES),
)
def export_sweep(
    sweep_id: str,
    services: ServicesDep,
    choices: SweepChoicesDep,
    format: ExportFormat = "csv",
    table: Annotated[
        str,
        Query(
            description="evaluations, composites, judged_answers (the judged value of each answer), trec (runs and "
            "qrels in a zip, whatever the format), or a table listed by /tables, such as configurations."
        ),
    ] = "evaluations",
    reproducible: bool = False,
) -> StreamingResponse:
    """Export a table as a file."""
    suffix = SUFFIXES[format]
    if table == TREC:
        from passer.adapters.trec import sweep_files, zipped

        files = sweep_files(services.exports.sweep_exporter.rankings(sweep_id))
        return file_response(zipped(files), name=f"{sweep_id}-trec.zip")
    if table in ROW_TABLES:
        content = services.exports.sweep_exporter.export(
            sweep_id, table=ROW_TABLES[table], suffix=suffix, choices=choices, reproducible=reproducible
        )
    elif table == JUDGED_ANSWERS:
        content = services.exports.report_builder.judged_answers(sweep_id, suffix=suffix, reproducible=reproducible)
    else:
        tables = services.exports.report_builder.tables_of_sweep(sweep_id, choices)
        content = services.exports.report_builder.export(
            tables, table, suffix=suffix, constants=choices.constants, reproducible=reproducible
        )
    return file_response(content, name=f"{sweep_id}-{table}{suffix}")


@router.get(
    "/sweeps/{sweep_id}/sheets", operation_id="export_sheets", response_class=StreamingResponse, responses=ZIP_FILE
)
def export_sheets(
    sweep_id: str, services: ServicesDep, shifted_labels: bool = False, reproducible: bool = False
) -> StreamingResponse:
    """Export the runs as a zip in the published sheet layout, with correct labels or with the ten shifted ones."""
    content = services.exports.sweep_exporter.sheets(sweep_id, shifted=shifted_labels, reproducible=reproducible)
    return file_response(content, name=f"{sweep_id}-sheets.zip")


def _texts(dataset: Dataset) -> list[tuple[str, ...]]:
    return [(question.text, *question.references) for question in dataset.questions]
