"""Compares retrievers by retrieval alone: no model generates answers, and nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from passer.domain.dataset import Question, weights_of
from passer.domain.figures.of_retrieval import curves
from passer.domain.judging.kinship import reranks
from passer.domain.judging.pool import MOST_POOLED, Pool, united
from passer.domain.retrieval.at_k import By, GoldSpans, Grades
from passer.domain.retrieval.figures import JudgedQuestions, RankedNames, ranking_figures
from passer.domain.retrieval.fusion import RankingParts, ranking_parts
from passer.domain.retrieval.inputs import Grader, StoredQrels, StoredRun
from passer.domain.retrieval.quality import GoldIndex
from passer.domain.retrieval.report import (
    Comparison,
    QuestionRequest,
    RankingFigures,
    RetrievalReport,
    RetrievalRequest,
    comparison_of,
)
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import InputError, NotFoundError, TooLargeError
from passer.ports import Collections, DatasetStore, PassageIndex, Progress, RetrievalInputStore
from passer.services.pipeline.imported_rankings import Imported, Ratings, applied, grade_warnings, grades_in, rated_of
from passer.services.pipeline.ranker import WITHOUT_MODELS, Ranker
from passer.services.pipeline.retrieval_search import Search, pinned, version_of, warnings_of

T = TypeVar("T")


@dataclass(frozen=True)
class _Ranked:
    """The questions of a comparison under every ranking."""

    questions: Sequence[Question]
    index: PassageIndex
    searches: Sequence[Search]
    imported: Imported
    """By the ids that the passages have in the collection."""
    lost: int
    """Number of grades that apply to no passage of the collection."""

    @property
    def rankings(self) -> list[RankedNames]:
        """Return those of the retrievers, then the imported ones."""
        found = [search.found(self.questions) for search in self.searches]
        labels = {each.label for each in found}
        for name, run in self.imported.runs:
            label = sentence("retrieval.imported", name=name) if name in labels else name
            found.append(RankedNames(label, None, _known(run, self.questions)))
        return found


@dataclass(frozen=True)
class RetrievalEvaluation:
    """Compares retrievers on a dataset."""

    datasets: DatasetStore
    collections: Collections
    inputs: RetrievalInputStore
    """Imported rankings and relevance grades."""
    ratings: Ratings
    """Ratings by people; without any the grades of a judge are uncalibrated."""
    ranker: Ranker = WITHOUT_MODELS

    def evaluate(
        self,
        request: RetrievalRequest,
        *,
        imported: Imported | None = None,
        progress: Progress | None = None,
        most: int | None = None,
    ) -> RetrievalReport:
        """Rank every question by every retriever.

        Raises NotFoundError if dataset or collection do not exist, InputError if the request does not fit them,
        IndexUnavailable if the vector store does not answer, and TooLargeError beyond `most` passages.
        """
        is_stored = imported is None or imported == Imported()
        imported = self._with_stored(imported or Imported(), request)
        ranked = self._ranked(request, imported, progress, most)
        questions = ranked.questions
        asked = _asked(ranked, request.by, ranked.imported.grades)
        judged = len(asked.judged)
        found = _with_conflicts(ranking_figures(ranked.rankings, asked, ks=request.ks), imported.grader)
        return RetrievalReport(
            id=self._made(request).id if is_stored else None,
            dataset=request.dataset,
            collection=request.collection,
            by=request.by,
            ks=request.ks,
            n_questions=len(questions),
            n_judged=judged,
            rankings=found,
            curves=curves(found, request.ks, judged),
            grades={question: dict(grade) for question, grade in asked.grades.items() if grade},
            inputs=imported.summaries,
            warnings=(
                *_conflicts(found, imported.grader),
                *grade_warnings(imported, request.collection, ranked.lost),
                *_left_out(request, imported, questions, judged),
                *(said for search in ranked.searches for said in warnings_of(search)),
                *((sentence("retrieval.weighted"),) if asked.weights else ()),
            ),
        )

    def again(self, comparison_id: str, *, check: Callable[[RetrievalRequest], None], most: int) -> RetrievalReport:
        """Return the comparison with this id, computed anew.

        Raises NotFoundError if it does not exist, and the errors of `evaluate`. `check` is given what would be asked,
        before it is. Warnings say what has changed since the comparison was made.
        """
        made = comparison_of(comparison_id)
        check(made.request)
        try:
            # Computed again instead of read: a comparison is a pure function of what is stored (decision 016).
            report, now = self.evaluate(made.request, most=most), self._made(made.request)
        except NotFoundError as exc:
            # An id of another project names what this one may not have, and is as unknown as any other.
            raise NotFoundError(sentence("retrieval.no-comparison")) from exc
        changed = [kind for kind in ("collection", "dataset") if getattr(now, kind) != getattr(made, kind)]
        said = tuple(sentence(f"retrieval.{kind}-changed", name=getattr(made.request, kind)) for kind in changed)
        return report.model_copy(update={"warnings": (*said, *report.warnings)})

    def _made(self, request: RetrievalRequest) -> Comparison:
        """Return a comparison as it is made now."""
        return Comparison(
            request=request,
            collection=version_of(self.collections, request.collection),
            dataset=self.datasets.load_dataset(request.dataset).digest,
        )

    def pool(self, request: RetrievalRequest, *, progress: Progress | None = None, most: int | None = None) -> Pool:
        """Return the pool of the first K passages of all retrievers and imported rankings, with K the largest cut.

        InputError if documents are counted, or no passage was found; TooLargeError beyond MOST_POOLED passages.
        """
        if request.by != "passage":
            raise InputError(sentence("pool.documents"), field="by")
        ranked = self._ranked(request, self._with_stored(Imported(), request), progress, most)
        k, rankings = max(request.ks), ranked.rankings
        known = {each.id for each in ranked.index.passages()} if request.runs else None
        found = {
            question.id: tuple(
                name
                for name in united([each.names.get(question.id, ()) for each in rankings], k)
                if known is None or name in known
            )
            for question in ranked.questions
        }
        passages = {question: names for question, names in found.items() if names}
        if not passages:
            raise InputError(sentence("pool.empty"), field="collection")
        if (count := sum(map(len, passages.values()))) > MOST_POOLED:
            raise TooLargeError(sentence("pool.too-much", n=count, most=MOST_POOLED), field="ks")
        retrievers = tuple(each.retriever for each in ranked.searches)
        labels = tuple(each.label for each in rankings)
        return Pool(collection=request.collection, k=k, retrievers=retrievers, labels=labels, passages=passages)

    def _ranked(
        self, request: RetrievalRequest, imported: Imported, progress: Progress | None, most: int | None
    ) -> _Ranked:
        """Rank the chosen questions by every retriever, together with the imported rankings."""
        questions = _chosen(self.datasets.load_dataset(request.dataset).questions, request)[: request.questions]
        if most is not None and len(questions) * len(request.retrievers) * max(request.ks) > most:
            given = {"questions": len(questions), "retrievers": len(request.retrievers), "k": max(request.ks)}
            raise TooLargeError(sentence("retrieval.too-much", **given, most=most), field="ks")
        index = self.collections.open(request.collection)
        # Fewer documents than the largest cut are all that a ranking can name: searching deeper finds no further one.
        most_names = max(request.ks)
        if request.by == "document":
            most_names = min(most_names, self._documents(request.collection))
        searches = [Search(self.ranker, index, request.by, *named) for named in pinned(self.ranker, request.retrievers)]
        for search in searches:
            search.run(questions, most_names, progress)
        return _Ranked(questions, index, searches, *applied(imported, request.by, index, self.inputs))

    def side_by_side(self, request: QuestionRequest) -> tuple[RankingParts, ...]:
        """Rank a question by every retriever, with what was merged. Raises NotFoundError for an unknown question."""
        questions = [
            each for each in self.datasets.load_dataset(request.dataset).questions if each.id == request.question_id
        ]
        if not questions:
            raise NotFoundError(sentence("retrieval.no-question", question=request.question_id))
        index = self.collections.open(request.collection)
        stored = None if request.qrels is None else self.inputs.find(StoredQrels, request.qrels).content
        every = _gold(index, "passage", questions)[0] if stored is None else grades_in(index, stored, self.inputs)[0]
        known = dict(every.get(request.question_id, {}))
        found = []
        for retriever, label in pinned(self.ranker, request.retrievers):
            [ranking] = self.ranker.rank(index, retriever, [questions[0].text], max(request.ks))
            parts = self.ranker.parts(index, retriever, questions[0].text, ranking)
            found.append(ranking_parts(retriever, label, ranking, parts, known or None))
        return tuple(found)

    def _with_stored(self, imported: Imported, request: RetrievalRequest) -> Imported:
        """Add the imported rankings and grades that the request names. Raises NotFoundError for an unknown one."""
        runs = [self.inputs.find(StoredRun, name) for name in request.runs]
        every = [*imported.runs, *((run.name, run.content) for run in runs)]
        if request.qrels is None:
            return replace(imported, runs=every)
        qrels = self.inputs.find(StoredQrels, request.qrels)
        rated = rated_of(qrels.graded_by, self.ratings)
        return Imported(every, qrels.content, request.qrels, qrels.graded_by, rated)

    def _documents(self, collection: str) -> int:
        listed = next(documents for found, documents in self.collections.list() if found.name == collection)
        return len({document.name for document in listed})


def _asked(ranked: _Ranked, by: By, imported: Mapping[str, Grades] | None) -> JudgedQuestions:
    """Return the questions with their imported grades, or else with the grades that follow from their gold passages."""
    questions = ranked.questions
    grades, spans = _gold(ranked.index, by, questions) if imported is None else (_known(imported, questions), None)
    return JudgedQuestions(
        grades,
        groups={each.id: each.group for each in questions if each.group},
        weights=weights_of(questions) or {},
        spans=spans,
        unanswerable=frozenset(each.id for each in questions if each.relevant == ()),
    )


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
            said = sentence(f"retrieval.no-{attribute}", name=wanted or "", names=names, n=len(names))
            raise InputError(said, field=attribute)
    return found


def _with_conflicts(found: Sequence[RankingFigures], grader: Grader | None) -> tuple[RankingFigures, ...]:
    """Mark the rankings that were reranked by the model whose grades measure them."""
    return tuple(
        each.model_copy(update={"is_by_grader": True})
        if grader and each.retriever and reranks(each.retriever, grader.name, grader.digest)
        else each
        for each in found
    )


def _conflicts(found: Sequence[RankingFigures], grader: Grader | None) -> Iterator[LocalizedText]:
    for each in found:
        if each.is_by_grader and grader:
            yield sentence("retrieval.by-grader", retriever=each.label, judge=grader.name)


def _known(found: Mapping[str, T], questions: Sequence[Question]) -> dict[str, T]:
    """Return the part of a file on the dataset's questions; InputError where it is on none of them."""
    known = {question.id: found[question.id] for question in questions if question.id in found}
    if not known:
        raise InputError(sentence("rankings.other-dataset"), field="questions")
    return known


def _left_out(
    request: RetrievalRequest, imported: Imported, questions: Sequence[Question], judged: int
) -> Iterator[LocalizedText]:
    """Yield notes on the questions that no figure counts, with the reason if these are all questions."""
    if 0 < judged < len(questions):
        yield sentence("retrieval.some-judged", n=judged, total=len(questions))
    elif judged == 0 and imported.grades is not None:
        yield sentence("retrieval.nothing-relevant", name=imported.graded_by)
    elif judged == 0 and request.by == "passage" and any(question.gold_passages for question in questions):
        yield sentence("retrieval.gold-absent", collection=request.collection)
    elif judged == 0:
        yield sentence("retrieval.nothing-judged")
