"""The questions of a comparison ranked by one retriever, deep enough for its largest cut; searches of a sweep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import NamedTuple, TypeVar

from passer.domain.base import digest_of
from passer.domain.dataset import Question
from passer.domain.retrieval.at_k import By, ranked_names
from passer.domain.retrieval.figures import RankedNames
from passer.domain.retrieval.passage_relevance import Graded
from passer.domain.retrieval.passages import Ranking, Rewriting
from passer.domain.retrieval.ranking_source import RankingSource
from passer.domain.retrieval.refinements import PassageJudge
from passer.domain.retrieval.retriever import Lexical, RankedBy, Retriever
from passer.domain.retrieval.retriever_names import distinct_labels
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import sentence
from passer.ports import Collections, DocumentSummary, PassageIndex, Progress
from passer.services.pipeline.ranker import QUESTIONS_PER_SEARCH, Judges, Ranker


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


T = TypeVar("T")

PASSAGES_PER_DOCUMENT = 4
"""First guess of the passages to search for each document wanted; the search goes deeper where it is too low."""
DEEPEST = 100_000
PASSAGES_AT_ONCE = 200_000


@dataclass
class Search:
    """The questions under one retriever."""

    ranker: Ranker
    index: PassageIndex
    by: By
    retriever: Retriever
    label: str
    """Label that distinguishes it from the other compared retrievers."""
    names: dict[str, list[str]] = field(default_factory=dict)
    """Names in order, by question id."""
    similarities: dict[str, list[float]] = field(default_factory=dict)
    """Similarity of each name, by question id: that of its first passage."""
    rewritings: dict[str, Rewriting] = field(default_factory=dict)
    """Rewritings by question id; empty for a retriever that rewrites nothing."""

    unmatched: int = 0
    """Questions without any word of the collection, under BM25."""
    graded: dict[int, bool] = field(default_factory=dict)
    """Whether a passage that a model was asked to grade for a question got a grade, by the hash of both."""

    def __post_init__(self) -> None:
        if self.ranker.judges is not None:
            self.ranker = replace(self.ranker, judges=_RecordingJudges(self.ranker.judges, self.graded))

    def run(self, questions: Sequence[Question], most: int, progress: Progress | None) -> None:
        """Rank all questions, with at least `most` names where there are that many."""
        for batch in _parts(questions, QUESTIONS_PER_SEARCH):
            if progress is not None:
                self.ranker = replace(self.ranker, counted=_after(len(self.names), len(questions), progress))
            self._rank(batch, most)
            if progress is not None:
                progress(self.label, len(self.names), len(questions))

    def found(self, questions: Sequence[Question]) -> RankedNames:
        """Return the ranking of the questions, in their order."""
        names = {question.id: self.names[question.id] for question in questions}
        return RankedNames(self.label, self.retriever, names, self.similarities, self.rewritings)

    def _rank(self, questions: Sequence[Question], most: int) -> None:
        """Rank deep enough for the largest cut: K passages, or as many as it takes to see K documents."""
        depth = most if self.by == "passage" else most * PASSAGES_PER_DOCUMENT
        left = questions
        while left:
            deeper: list[Question] = []
            # Deep rankings of many questions at once would take gigabytes; only their names are kept.
            for batch in _parts(left, max(1, PASSAGES_AT_ONCE // depth)):
                texts = [question.text for question in batch]
                for question, ranking in zip(
                    batch, self.ranker.rank(self.index, self.retriever, texts, depth), strict=True
                ):
                    self._keep(question, ranking)
                    if len(self.names[question.id]) < most and len(ranking.passages) >= depth:
                        deeper.append(question)
            left = deeper if depth < DEEPEST else []
            depth *= PASSAGES_PER_DOCUMENT

    def _keep(self, question: Question, ranking: Ranking) -> None:
        if question.id not in self.names and isinstance(self.retriever, Lexical):
            self.unmatched += all(passage.score == 0 for passage in ranking.passages)
        near = ranked_names(ranking.passages, self.by)
        self.names[question.id], self.similarities[question.id] = list(near), list(near.values())
        if ranking.rewriting is not None:
            self.rewritings[question.id] = ranking.rewriting


@dataclass(frozen=True)
class _RecordingJudges:
    """Judges that record whether each passage got a grade: a ranking contains only the first of them."""

    judges: Judges
    graded: dict[int, bool]

    def pinned(self, by: PassageJudge) -> PassageJudge:
        return self.judges.pinned(by)

    def grades(self, by: PassageJudge, question: str, texts: Sequence[str]) -> list[Graded]:
        found, name = self.judges.grades(by, question, texts), by.model_dump_json()
        self.graded.update(
            (hash((name, question, text)), each.grade is not None) for text, each in zip(texts, found, strict=True)
        )
        return found


def pinned(ranker: Ranker, retrievers: Sequence[Retriever]) -> Iterator[tuple[Retriever, str]]:
    """Return each retriever with the digests of the models that it asks, and its label among the others."""
    found = [ranker.pinned(each) for each in retrievers]
    return zip(found, distinct_labels(found), strict=True)


def _after(done: int, total: int, progress: Progress) -> Callable[[str, int], None]:
    """Count the questions that a model is done with after those of earlier batches."""
    return lambda label, more: progress(label, done + more, total)


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def warnings_of(search: Search) -> Iterator[str]:
    """Yield how many questions have no word to search for or were not rewritten, and how many passages no grade."""
    found, label = search.rewritings.values(), search.label
    if search.unmatched:
        yield sentence("retrieval.no-term", retriever=label, n=search.unmatched)
    if ungraded := list(search.graded.values()).count(False):
        yield sentence("retrieval.ungraded", retriever=label, n=ungraded, total=len(search.graded))
    reasons = Counter(each.reason for each in found if each.reason is not None)
    for reason, count in sorted(reasons.items()):
        why = sentence(f"rewriting.{reason}")
        yield sentence("retrieval.not-rewritten", retriever=label, n=count, total=len(found), reason=why)
    if dropped := sum(each.dropped for each in found):
        yield sentence("retrieval.dropped", retriever=label, n=dropped)
