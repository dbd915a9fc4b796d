"""Rankings, relevance grades and term maps that retrieval uses by name."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from passer.api.deps import Page, ServicesDep
from passer.domain.base import Frozen
from passer.domain.retrieval.inputs import InputName, InputSummary, RankingKind, StoredQrels, StoredRun, StoredTerms
from passer.domain.retrieval.refinements import Terms, TermWords
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

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
