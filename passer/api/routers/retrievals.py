"""Retrieval compared alone, and passages rated by people."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from passer.api.access import check_own_name
from passer.api.deps import Page, ServicesDep
from passer.api.files import ZIP_FILE, file_response
from passer.api.streaming import STREAM, counted, wants_stream
from passer.bootstrap import Services
from passer.domain.retrieval.fusion import RankingParts
from passer.domain.retrieval.inputs import InputSummary
from passer.domain.retrieval.refinements import CrossEncoder
from passer.domain.retrieval.report import QuestionRequest, RankedByAll, RetrievalReport, RetrievalRequest
from passer.ports import Progress
from passer.services.judging.passage_ratings import PassageGrades, PassageRating

MOST_RANKED = 2_000_000
"""Passages that one request may rank; the command line has no limit, because nobody else waits for it."""

router = APIRouter(prefix="/api/v1/retrievals", tags=["retrievals"])


@router.post(
    "", operation_id="compare_retrievers", response_model=RetrievalReport, responses={200: {"content": dict(STREAM)}}
)
def compare_retrievers(
    body: RetrievalRequest, services: ServicesDep, request: Request
) -> RetrievalReport | StreamingResponse:
    """Compare retrievers: rank passages for the questions of a dataset with each retriever.

    No model is called, except by retrievers that ask one; its replies are stored, so a repeated request asks nothing.
    With `Accept: text/event-stream` the questions are counted: events `progress` with `message` (the retriever), `done`
    and `total`, then `answer` or `problem`. A client that closes the connection ends the requests to the models.
    """
    if wants_stream(request):
        return counted(lambda progress: _compared(body, services, progress), request)
    return _compared(body, services)


@router.post("/question", operation_id="rank_question")
def rank_question(body: QuestionRequest, services: ServicesDep) -> Page[RankingParts]:
    """Rank one question by each retriever, with the rankings that were merged or reordered, side by side."""
    services.library.model_servers.check_named(body.models)
    return Page(items=services.pipeline.retrieval_evaluation.side_by_side(body))


@router.post("/trec", operation_id="export_trec", response_class=StreamingResponse, responses=ZIP_FILE)
def export_trec(body: RetrievalRequest, services: ServicesDep) -> StreamingResponse:
    """Return the rankings of a comparison as TREC runs, and what they were judged by as TREC qrels, as a zip."""
    from passer.adapters.trec import comparison_files, zipped

    return file_response(zipped(comparison_files(_compared(body, services))), name="trec.zip")


@router.post("/ratings", operation_id="rate_passage")
def rate_passage(body: PassageRating, services: ServicesDep, request: Request) -> InputSummary:
    """Save how relevant a person finds a passage; the grades of people for a dataset measure retrievers (`qrels`)."""
    check_own_name(body.rater, request)
    return services.judging.passage_ratings.rate(body)


@router.get("/ratings", operation_id="list_passage_ratings")
def list_passage_ratings(
    dataset: str, question_id: str, services: ServicesDep, collection: str | None = None
) -> PassageGrades:
    """Return the grades that people gave to the passages of a question, as they apply to a collection if given."""
    return services.judging.passage_ratings.of_question(dataset, question_id, collection)


@router.get("/rerankers", operation_id="list_rerankers")
def list_rerankers(services: ServicesDep) -> Page[CrossEncoder]:
    """List the cross-encoders of this installation."""
    return Page(items=tuple(CrossEncoder(name=name) for name in services.adapters.cross_encoders.names()))


@router.get("/{retrieval_id}", operation_id="show_retrieval")
def show_retrieval(retrieval_id: str, services: ServicesDep) -> RetrievalReport:
    """Return a comparison by its id. It is computed anew: warnings say if collection or dataset have changed since."""
    return _again(retrieval_id, services)


@router.get("/{retrieval_id}/questions", operation_id="list_retrieval_questions")
def list_retrieval_questions(retrieval_id: str, services: ServicesDep) -> Page[RankedByAll]:
    """Return the questions of a comparison, each with all rankings side by side."""
    return Page(items=_again(retrieval_id, services).questions)


def _again(retrieval_id: str, services: Services) -> RetrievalReport:
    def check(body: RetrievalRequest) -> None:
        services.library.model_servers.check_named(body.models)

    return services.pipeline.retrieval_evaluation.again(retrieval_id, check=check, most=MOST_RANKED)


def _compared(body: RetrievalRequest, services: Services, progress: Progress | None = None) -> RetrievalReport:
    services.library.model_servers.check_named(body.models)
    return services.pipeline.retrieval_evaluation.evaluate(body, progress=progress, most=MOST_RANKED)
