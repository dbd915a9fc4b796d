"""Retrieval compared alone, passages rated by people, and rankings, grades and term maps that are used by name."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from passer.api.access import check_own_name
from passer.api.deps import Page, ServicesDep
from passer.api.files import ZIP_FILE, file_response
from passer.api.streaming import STREAM, counted, wants_stream
from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.domain.retrieval.fusion import RankingParts
from passer.domain.retrieval.inputs import InputName, InputSummary, RankingKind, StoredQrels, StoredRun, StoredTerms
from passer.domain.retrieval.refinements import CrossEncoder, Terms, TermWords
from passer.domain.retrieval.report import QuestionRequest, RankedByAll, RetrievalReport, RetrievalRequest
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import Progress
from passer.services.judging.passage_ratings import PassageGrades, PassageRating

MOST_CHARACTERS = 20_000_000
"""Length of an imported file."""

router = APIRouter(prefix="/api/v1", tags=["retrievals"])


class RankingFile(Frozen):
    """A file of another system."""

    file: str = Field(min_length=1, max_length=200)
    """File name. With the suffix .csv, .json or .jsonl it is a table of documents or of judgements, such as RAGElo's;
    with any other, TREC's."""
    text: str = Field(max_length=MOST_CHARACTERS)
    """Its content."""


class TermMap(Frozen):
    """A map of terms without its name."""

    terms: TermWords
    """Words and phrases to add, by the word or phrase of the question that they are added for."""


@router.get("/rankings", operation_id="list_rankings")
def list_rankings(services: ServicesDep) -> Page[InputSummary]:
    """List the imported rankings and relevance grades."""
    return Page(items=tuple(services.judging.relevance_grades.listed("qrels", "run")))


@router.put("/rankings/{kind}/{name}", operation_id="import_ranking")
def import_ranking(kind: RankingKind, name: InputName, body: RankingFile, services: ServicesDep) -> InputSummary:
    """Import a TREC run or qrels, or a table of documents or judgements; replaces the one of this name.

    A file with a wrong line is refused whole, with the line.
    """
    if "\0" in body.text:
        raise InputError(sentence("rankings.binary", file=body.file), field="text")
    content = body.text.encode()
    if kind == "run":
        ranked = services.library.read_run(content, body.file)[1]
        return services.adapters.retrieval_inputs.save(StoredRun(name=name, content=ranked))
    return services.adapters.retrieval_inputs.save(
        StoredQrels(name=name, content=services.library.read_qrels(content, body.file))
    )


@router.delete("/rankings/{kind}/{name}", operation_id="delete_ranking", status_code=204)
def delete_ranking(kind: RankingKind, name: str, services: ServicesDep) -> None:
    """Delete an imported ranking, or relevance grades."""
    services.adapters.retrieval_inputs.delete(kind, name)


@router.get("/term-maps", operation_id="list_term_maps")
def list_term_maps(services: ServicesDep) -> Page[InputSummary]:
    """List the term maps for query expansion."""
    return Page(items=tuple(services.adapters.retrieval_inputs.list_inputs("terms")))


@router.get("/term-maps/{name}", operation_id="show_term_map")
def show_term_map(name: str, services: ServicesDep) -> Terms:
    """Show a term map as a retriever uses it."""
    return Terms(name=name, terms=services.adapters.retrieval_inputs.find(StoredTerms, name).content)


@router.put("/term-maps/{name}", operation_id="save_term_map")
def save_term_map(name: InputName, body: TermMap, services: ServicesDep) -> InputSummary:
    """Save a term map, or replace the one of this name. Sweeps that used it keep the map that they have."""
    return services.adapters.retrieval_inputs.save(StoredTerms(name=name, content=body.terms))


@router.delete("/term-maps/{name}", operation_id="delete_term_map", status_code=204)
def delete_term_map(name: str, services: ServicesDep) -> None:
    """Delete a term map. Sweeps that used it keep the map that they have."""
    services.adapters.retrieval_inputs.delete("terms", name)


MOST_RANKED = 2_000_000
"""Passages that one request may rank; the command line has no limit, because nobody else waits for it."""


@router.post(
    "/retrievals",
    operation_id="compare_retrievers",
    response_model=RetrievalReport,
    responses={200: {"content": dict(STREAM)}},
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


@router.post("/retrievals/question", operation_id="rank_question")
def rank_question(body: QuestionRequest, services: ServicesDep) -> Page[RankingParts]:
    """Rank one question by each retriever, with the rankings that were merged or reordered, side by side."""
    services.library.model_servers.check_named(body.models)
    return Page(items=services.pipeline.retrieval_evaluation.side_by_side(body))


@router.post("/retrievals/trec", operation_id="export_trec", response_class=StreamingResponse, responses=ZIP_FILE)
def export_trec(body: RetrievalRequest, services: ServicesDep) -> StreamingResponse:
    """Return the rankings of a comparison as TREC runs, and what they were judged by as TREC qrels, as a zip."""
    from passer.adapters.trec import comparison_files, zipped

    return file_response(zipped(comparison_files(_compared(body, services))), name="trec.zip")


@router.post("/retrievals/ratings", operation_id="rate_passage")
def rate_passage(body: PassageRating, services: ServicesDep, request: Request) -> InputSummary:
    """Save how relevant a person finds a passage; the grades of people for a dataset measure retrievers (`qrels`)."""
    check_own_name(body.rater, request)
    return services.judging.passage_ratings.rate(body)


@router.get("/retrievals/ratings", operation_id="list_passage_ratings")
def list_passage_ratings(
    dataset: str, question_id: str, services: ServicesDep, collection: str | None = None
) -> PassageGrades:
    """Return the grades that people gave to the passages of a question, as they apply to a collection if given."""
    return services.judging.passage_ratings.of_question(dataset, question_id, collection)


@router.get("/retrievals/rerankers", operation_id="list_rerankers")
def list_rerankers(services: ServicesDep) -> Page[CrossEncoder]:
    """List the cross-encoders of this installation."""
    return Page(items=tuple(CrossEncoder(name=name) for name in services.adapters.cross_encoders.names()))


@router.get("/retrievals/{retrieval_id}", operation_id="show_retrieval")
def show_retrieval(retrieval_id: str, services: ServicesDep) -> RetrievalReport:
    """Return a comparison by its id. It is computed anew: warnings say if collection or dataset have changed since."""
    return _again(retrieval_id, services)


@router.get("/retrievals/{retrieval_id}/questions", operation_id="list_retrieval_questions")
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
