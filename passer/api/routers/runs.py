"""Runs: their questions, page by page, and one question whole."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from passer.api.deps import Page, ServicesDep
from passer.api.encoded import encoded
from passer.api.streaming import STREAM, streamed, wants_stream
from passer.domain.analysis.run_metrics import RunMetrics
from passer.domain.base import Frozen
from passer.domain.failures.report import FailureReport
from passer.domain.retrieval.cuts import RetrievalPolicy
from passer.domain.sweeps.question_list import NUMBER
from passer.domain.sweeps.run import Run
from passer.metrics.grounded.checks import GroundingLimits
from passer.ports import FoundRuns, RunQuery
from passer.services.analysis.failure_locator import FailureChoices
from passer.services.analysis.grounding_reader import GroundedAnswer
from passer.services.analysis.grounding_report import GroundingReport
from passer.services.judging.answers import JudgedAnswer
from passer.services.judging.thumbs import NewThumb, Thumbs
from passer.services.pipeline.single_question import AnsweredQuestion
from passer.services.runs.run_browser import EvaluationDetail, EvaluationPage
from passer.services.runs.run_list import SweepComposites

router = APIRouter(prefix="/api/v1/runs", tags=["runs"])


@router.get("", operation_id="list_runs")
def list_runs(services: ServicesDep, query: Annotated[RunQuery, Query()]) -> FoundRuns:
    """List runs of all sweeps: searched, filtered, sorted, one page at a time."""
    return services.runs.run_list.find(query)


@router.get("/composites/{sweep_id}", operation_id="list_run_composites")
def list_run_composites(sweep_id: str, services: ServicesDep) -> SweepComposites:
    """Return the CPS of each run of a sweep, relative to the pool of this sweep."""
    return services.runs.run_list.composites(sweep_id)


@router.get("/{run_id}", operation_id="show_run")
def show_run(run_id: str, services: ServicesDep) -> Run:
    """Return a run with its current state."""
    return services.runs.run_browser.run(run_id)[1]


@router.get("/{run_id}/metrics", operation_id="show_run_metrics", response_model=RunMetrics)
def show_run_metrics(run_id: str, services: ServicesDep, request: Request) -> Response:
    """Return mean and distribution of the 24 columns over all repetitions of a run."""
    found = services.runs.run_summaries.metrics(run_id)
    return encoded(request, (found,), lambda: found)


@router.get("/{run_id}/failures", operation_id="locate_run_failures")
def locate_run_failures(
    run_id: str, services: ServicesDep, choices: Annotated[FailureChoices, Query()]
) -> FailureReport:
    """Return the cause of each low score of a run."""
    return services.analysis.failure_locator.of_run(run_id, choices)


@router.get("/{run_id}/grounding", operation_id="ground_run")
def ground_run(run_id: str, services: ServicesDep, limits: Annotated[GroundingLimits, Query()]) -> GroundingReport:
    """Citations and grounding of the answers of a run, question by question, with the values expected by chance."""
    return services.analysis.grounding_reader.of_run(run_id, limits)


@router.get("/{run_id}/evaluations/{number}/grounding", operation_id="ground_evaluation")
def ground_evaluation(
    run_id: str,
    number: Annotated[int, Path(ge=0, le=2**31 - 1)],
    services: ServicesDep,
    limits: Annotated[GroundingLimits, Query()],
) -> GroundedAnswer:
    """Citations and sentences of one answer."""
    return services.analysis.grounding_reader.of_answer(run_id, number, limits)


@router.get("/{run_id}/evaluations/{number}/judged", operation_id="list_judged_answers")
def list_judged_answers(
    run_id: str, number: Annotated[int, Path(ge=0, le=2**31 - 1)], services: ServicesDep
) -> Page[JudgedAnswer]:
    """Return what each assessment says of one answer, the newest assessment first."""
    return Page(items=services.judging.answers.of_answer(run_id, number))


@router.get("/{run_id}/evaluations/{number}/thumbs", operation_id="show_thumbs")
def show_thumbs(run_id: str, number: Annotated[int, Path(ge=0, le=2**31 - 1)], services: ServicesDep) -> Thumbs:
    """Count the thumbs of an answer. Equal answers to a question from the same passages share them."""
    return services.judging.thumbs.of_answer(run_id, number)


@router.post("/{run_id}/evaluations/{number}/thumbs", operation_id="add_thumb")
def add_thumb(
    run_id: str, number: Annotated[int, Path(ge=0, le=2**31 - 1)], body: NewThumb, services: ServicesDep
) -> Thumbs:
    """Add a thumb to an answer, without the name of who gave it. It changes no score, and no calibration reads it."""
    return services.judging.thumbs.add(run_id, number, is_up=body.is_up)


@router.get("/{run_id}/evaluations", operation_id="list_evaluations")
def list_evaluations(
    run_id: str,
    services: ServicesDep,
    after: Annotated[int, Query(ge=-1, le=2**31 - 1)] = -1,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    failed_only: Annotated[bool, Query(description="Only questions without an answer.")] = False,
    find: Annotated[
        str, Query(max_length=200, description="Only questions whose text or reference contains these words.")
    ] = "",
    order: Annotated[str, Query(description="number, or one of the 24 metrics.")] = NUMBER,
    is_descending: bool = False,
) -> EvaluationPage:
    """List questions with answers and scores, in dataset order or by a metric; `after` is a position in that order."""
    return services.runs.run_browser.page(
        run_id, after=after, limit=limit, find=find, order=order, is_descending=is_descending, failed_only=failed_only
    )


@router.get("/{run_id}/evaluations/{number}", operation_id="show_evaluation")
def show_evaluation(
    run_id: str, number: Annotated[int, Path(ge=0, le=2**31 - 1)], services: ServicesDep
) -> EvaluationDetail:
    """Return one question: passages, prompt, answer, scores, timings."""
    return services.runs.run_browser.detail(run_id, number)


class OtherCut(Frozen):
    """Other cut of the passages of a question."""

    retrieval: RetrievalPolicy
    """Passages that the model gets: top-k or a similarity threshold."""


@router.post(
    "/{run_id}/evaluations/{number}/answers",
    operation_id="ask_again",
    response_model=AnsweredQuestion,
    responses={200: {"content": dict(STREAM)}},
)
def ask_again(
    run_id: str,
    number: Annotated[int, Path(ge=0, le=2**31 - 1)],
    body: OtherCut,
    services: ServicesDep,
    request: Request,
) -> AnsweredQuestion | StreamingResponse:
    """Ask a question of a run again with another cut of its passages; nothing is saved, and no score changes.

    With `Accept: text/event-stream` the answer is sent while it is written, as by `ask_question`.
    """
    again = services.runs.one_off_answers
    if wants_stream(request):
        return streamed(lambda retrieved: again.ask(run_id, number, body.retrieval, retrieved=retrieved), request)
    return again.ask(run_id, number, body.retrieval)
