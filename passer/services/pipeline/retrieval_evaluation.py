"""Compares retrievers by retrieval alone: no model is asked, and nothing is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from passer.domain.dataset import Question, weights_of
from passer.domain.figures.of_retrieval import curves
from passer.domain.ranking_parts import RankingParts, ranking_parts
from passer.domain.retrieval import Ranking, Rewriting
from passer.domain.retrieval_at_k import By, GoldSpans, Grades, ranked_names
from passer.domain.retrieval_figures import Asked, Ranked, RankedNames, ranking_figures
from passer.domain.retrieval_inputs import InputSummary, StoredQrels, StoredRun, input_summary
from passer.domain.retrieval_quality import GoldIndex
from passer.domain.retrieval_report import QuestionRequest, RetrievalReport, RetrievalRequest
from passer.domain.retriever import Lexical, Retriever
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError, TooLargeError
from passer.ports import Collections, DatasetStore, PassageIndex, Progress, RetrievalInputStore
from passer.services.pipeline.ranker import WITHOUT_MODELS, Ranker
from passer.services.pipeline.retrieval import QUESTIONS_PER_SEARCH

T = TypeVar("T")

PASSAGES_PER_DOCUMENT = 4
"""First guess of the passages to search for each document wanted; the search goes deeper where it is too low."""
DEEPEST = 100_000
PASSAGES_AT_ONCE = 200_000


@dataclass(frozen=True)
class Imported:
    """What files say of the questions."""

    runs: Sequence[tuple[str, Ranked]] = ()
    """Rankings of other systems: a name, and names in order by question id."""
    grades: Mapping[str, Grades] | None = None
    """Relevance by question id; None takes the gold passages of the dataset."""
    graded_by: str = "qrels"
    """Name of the grades."""

    @property
    def summaries(self) -> tuple[InputSummary, ...]:
        """Return names and digests of all."""
        runs = [input_summary("run", name, {key: list(ids) for key, ids in run.items()}) for name, run in self.runs]
        if self.grades is None:
            return tuple(runs)
        grades = {question: dict(found) for question, found in self.grades.items()}
        return (*runs, input_summary("qrels", self.graded_by, grades))


@dataclass(frozen=True)
class RetrievalEvaluation:
    """Compares retrievers on a dataset."""

    datasets: DatasetStore
    collections: Collections
    inputs: RetrievalInputStore
    """Imported rankings and relevance grades."""
    ranker: Ranker = WITHOUT_MODELS

    def evaluate(
        self,
        request: RetrievalRequest,
        *,
        imported: Imported | None = None,
        progress: Progress | None = None,
        most: int | None = None,
    ) -> RetrievalReport:
        """Rank every question by every retriever; NotFoundError, InputError, IndexUnavailable.

        TooLargeError where more than `most` passages would be ranked.
        """
        imported = self._with_stored(imported or Imported(), request)
        questions = _chosen(self.datasets.load_dataset(request.dataset).questions, request)[: request.questions]
        if most is not None and len(questions) * len(request.retrievers) * max(request.ks) > most:
            given = {"questions": len(questions), "retrievers": len(request.retrievers), "k": max(request.ks)}
            raise TooLargeError(sentence("retrieval.too-much", **given, most=most), field="ks")
        index = self.collections.open(request.collection)
        # Fewer documents than the largest cut are all that a ranking can name: searching deeper finds no further one.
        most_names = max(request.ks)
        if request.by == "document":
            most_names = min(most_names, self._documents(request.collection))
        searches = [
            _Search(self.ranker, index, request.by, self.ranker.pinned(retriever)) for retriever in request.retrievers
        ]
        for search in searches:
            search.run(questions, most_names, progress)
        grades, spans = (
            _gold(index, request.by, questions)
            if imported.grades is None
            else (_known(imported.grades, questions), None)
        )
        foreign = [RankedNames(label, None, _known(names, questions)) for label, names in imported.runs]
        ranked = [*(search.found(questions) for search in searches), *foreign]
        asked = Asked(
            grades,
            groups={each.id: each.group for each in questions if each.group},
            weights=weights_of(questions) or {},
            spans=spans,
            unanswerable=frozenset(each.id for each in questions if each.relevant == ()),
        )
        judged = len(asked.judged)
        found = ranking_figures(ranked, asked, ks=request.ks)
        return RetrievalReport(
            dataset=request.dataset,
            collection=request.collection,
            by=request.by,
            ks=request.ks,
            n_questions=len(questions),
            n_judged=judged,
            rankings=found,
            curves=curves(found, request.ks, judged),
            grades={question: dict(grade) for question, grade in grades.items() if grade},
            inputs=imported.summaries,
            warnings=(
                *_warnings(judged, len(questions), searches),
                *((sentence("retrieval.weighted"),) if asked.weights else ()),
            ),
        )

    def side_by_side(self, request: QuestionRequest) -> tuple[RankingParts, ...]:
        """Rank one question by every retriever, with the rankings that each was made of; NotFoundError."""
        questions = [
            each for each in self.datasets.load_dataset(request.dataset).questions if each.id == request.question_id
        ]
        if not questions:
            raise NotFoundError(sentence("retrieval.no-question", question=request.question_id))
        index = self.collections.open(request.collection)
        known = dict(_gold(index, "passage", questions)[0][request.question_id])
        found = []
        for retriever in map(self.ranker.pinned, request.retrievers):
            [ranking] = self.ranker.rank(index, retriever, [questions[0].text], max(request.ks))
            parts = self.ranker.parts(index, retriever, questions[0].text, ranking)
            found.append(ranking_parts(retriever, ranking, parts, known or None))
        return tuple(found)

    def _with_stored(self, imported: Imported, request: RetrievalRequest) -> Imported:
        """Add what the request names; NotFoundError."""
        runs = [self.inputs.find(StoredRun, name) for name in request.runs]
        every = [*imported.runs, *((run.name, run.content) for run in runs)]
        if request.qrels is None:
            return replace(imported, runs=every)
        return Imported(every, self.inputs.find(StoredQrels, request.qrels).content, request.qrels)

    def _documents(self, collection: str) -> int:
        listed = next(documents for found, documents in self.collections.list() if found.name == collection)
        return len({document.name for document in listed})


@dataclass
class _Search:
    """The questions under one retriever."""

    ranker: Ranker
    index: PassageIndex
    by: By
    retriever: Retriever
    names: dict[str, list[str]] = field(default_factory=dict)
    """Names in order, by question id."""
    similarities: dict[str, list[float]] = field(default_factory=dict)
    """Similarity of each name, by question id: that of its first passage."""
    rewritings: dict[str, Rewriting] = field(default_factory=dict)
    """By question id; empty for a retriever that rewrites nothing."""

    unmatched: int = 0
    """Questions without any word of the collection, under BM25."""

    def run(self, questions: Sequence[Question], most: int, progress: Progress | None) -> None:
        """Rank all questions, with at least `most` names where there are that many."""
        for batch in _parts(questions, QUESTIONS_PER_SEARCH):
            self._rank(batch, most)
            if progress is not None:
                progress(self.retriever.label, len(self.names), len(questions))

    def found(self, questions: Sequence[Question]) -> RankedNames:
        """Return the ranking of the questions, in their order."""
        names = {question.id: self.names[question.id] for question in questions}
        return RankedNames(self.retriever.label, self.retriever, names, self.similarities, self.rewritings)

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


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _gold(index: PassageIndex, by: By, questions: Sequence[Question]) -> tuple[dict[str, Grades], GoldSpans | None]:
    """Return the gold passages of each question, or its relevant documents, and where the gold quotes are.

    A question of which nothing is known has no grades. Documents have no places.
    """
    if by == "document":
        return {each.id: _documents_of(each) for each in questions}, None
    has_gold = any(question.gold_passages for question in questions)
    passages = GoldIndex(index.passages() if has_gold else ())
    grades: dict[str, Grades] = {
        each.id: dict.fromkeys(sorted(passages.passage_ids(each.gold_passages) or ()), 1) for each in questions
    }
    quotes = {each.id: passages.places(each.gold_passages) for each in questions}
    return grades, GoldSpans(quotes, passages.spans()) if has_gold else None


def _documents_of(question: Question) -> Grades:
    """Return the documents that are declared relevant, with their grades, and those of the gold passages."""
    declared = {each.document: each.grade for each in question.relevant or ()}
    return {**dict.fromkeys(question.gold_documents, 1), **declared}


def _chosen(questions: Sequence[Question], request: RetrievalRequest) -> Sequence[Question]:
    """Return the questions of the group and category wanted; InputError naming the others where there are none."""
    found = questions
    for attribute in ("group", "category"):
        wanted: str | None = getattr(request, attribute)
        names = tuple(sorted({name for each in found if (name := getattr(each, attribute))}))
        found = [each for each in found if wanted in (None, getattr(each, attribute))]
        if not found:
            raise InputError(sentence(f"retrieval.no-{attribute}", name=wanted or "", names=names), field=attribute)
    return found


def _known(found: Mapping[str, T], questions: Sequence[Question]) -> dict[str, T]:
    """What a file says of the dataset's questions; InputError where it says something of none."""
    known = {question.id: found[question.id] for question in questions if question.id in found}
    if not known:
        raise InputError(sentence("rankings.other-dataset"), field="questions")
    return known


def _warnings(judged: int, questions: int, searches: Sequence[_Search]) -> tuple[str, ...]:
    found = [each for search in searches for each in _warnings_of(search)]
    if not judged:
        return (sentence("retrieval.nothing-judged"), *found)
    some = [] if judged == questions else [sentence("retrieval.some-judged", n=judged, total=questions)]
    return (*some, *found)


def _warnings_of(search: _Search) -> Iterator[str]:
    """Yield how many questions have no word to search for, and how many were not rewritten as wanted."""
    found, label = search.rewritings.values(), search.retriever.label
    if search.unmatched:
        yield sentence("retrieval.no-term", retriever=label, n=search.unmatched)
    reasons = Counter(each.reason for each in found if each.reason is not None)
    for reason, count in sorted(reasons.items()):
        why = sentence(f"rewriting.{reason}")
        yield sentence("retrieval.not-rewritten", retriever=label, n=count, total=len(found), reason=why)
    if dropped := sum(each.dropped for each in found):
        yield sentence("retrieval.dropped", retriever=label, n=dropped)
