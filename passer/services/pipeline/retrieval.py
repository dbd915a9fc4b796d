"""Searches of a sweep, and the version of the collection that each of them reads."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from passer.domain.base import digest_of
from passer.domain.retrieval.ranking_source import RankingSource
from passer.domain.retrieval.retriever import RankedBy, Retriever
from passer.domain.sweeps.sweep import Sweep
from passer.ports import Collections, DocumentSummary


def source_of(collections: Collections, name: str, retriever: Retriever) -> RankingSource:
    """Return the source of rankings for the current state of a collection."""
    return RankingSource(version=version_of(collections, name), retriever=retriever)


def version_of(collections: Collections, name: str) -> str:
    """Return the digest of a collection's binding and documents; it changes with every document and extracted text."""
    for collection, documents in collections.list():
        if collection.name == name:
            return digest_of(
                {
                    "collection": collection.model_dump(mode="json"),
                    # Sorted: no search depends on the order in which documents were added (decision 002).
                    "documents": sorted(map(_address, documents)),
                }
            )
    return digest_of({"missing": name})


def _address(document: DocumentSummary) -> str:
    """Return what identifies documents: another version of PaSSER may extract another text from the same bytes."""
    return document.digest if document.text is None else f"{document.digest}:{document.text}"


class PlannedSearch(NamedTuple):
    """A ranking that a sweep needs of every question."""

    ranked_by: RankedBy
    retriever: Retriever
    depth: int
    """Passages per question: the most that any policy needs."""


def planned_searches(sweep: Sweep) -> list[PlannedSearch]:
    """Return the rankings that a sweep needs: one for each collection and retriever."""
    depth = max(policy.depth for policy, _ in sweep.policies())
    return [
        PlannedSearch(RankedBy(planned.name, retriever.key), retriever, depth)
        for planned, retriever in product(sweep.collections(), sweep.retrievers)
    ]
