"""Retrieval alone over a collection in memory: what is read, and how deep it is searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from passer.domain.dataset import Dataset, GoldPassage, Question, RelevantDocument
from passer.domain.models.model import Model
from passer.domain.retrieval.passage_relevance import Graded
from passer.domain.retrieval.passages import Document, Passage
from passer.domain.retrieval.places import Places
from passer.domain.retrieval.refinements import PassageJudge
from passer.domain.retrieval.report import RetrievalRequest
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Reranked
from passer.errors import InputError
from passer.services.pipeline.imported_rankings import Imported
from passer.services.pipeline.ranker import Ranker
from passer.services.pipeline.retrieval_evaluation import RetrievalEvaluation
from tests.fake_material import MemoryDatasets
from tests.fake_retrieval_inputs import FakeRetrievalInputs
from tests.fakes import FakeCollections, FakeIndex, passages_of

TEXTS = {
    "hens": ("Hens need sand.", "Hens sleep."),
    "bees": ("Bees need water.", "Bees fly."),
    "soil": tuple(f"Soil rests {n}." for n in range(20)),
}


def unrated(_: str) -> Mapping[str, int]:
    """Nobody has rated anything."""
    return {}


class CountingIndex(FakeIndex):
    """Counts how often all passages are read, and the documents that each search of a question found."""

    read = 0

    def __init__(self, name: str, passages: Sequence[Passage]) -> None:
        super().__init__(name, passages)
        self.named: dict[str, list[int]] = {}

    def places(self, questions: Sequence[str], top_k: int, retriever: Dense | Lexical) -> list[Places]:
        found = super().places(questions, top_k, retriever)
        for question, places in zip(questions, found, strict=True):
            self.named.setdefault(question, []).append(len({passage.document for passage in places.found()}))
        return found

    def passages(self) -> Iterator[Passage]:
        self.read += 1
        return super().passages()


@pytest.fixture
def index() -> CountingIndex:
    return CountingIndex("farm", [])


@pytest.fixture
def evaluation(index: CountingIndex) -> RetrievalEvaluation:
    collections = FakeCollections(index)
    for name, texts in TEXTS.items():
        passages = passages_of(*texts, document=name)
        document = Document(name=name, digest=name.encode().hex().ljust(64, "0"), text=" ".join(texts))
        collections.add(index.collection, document, passages, np.zeros((len(passages), 4), dtype=np.float32))
    datasets = MemoryDatasets()
    questions = tuple(
        Question(
            id=f"q{number}",
            text=f"What do {name} need?",
            reference="-",
            gold_passages=(GoldPassage(document=name, quote=TEXTS[name][0]),),
        )
        for number, name in enumerate(["hens", "bees"] * 20)
    )
    datasets.save_dataset(Dataset(name="farm", questions=questions))
    return RetrievalEvaluation(
        datasets=datasets, collections=collections, inputs=FakeRetrievalInputs(), ratings=unrated
    )


def test_gold_passages_are_read_once_for_all_retrievers_and_questions(
    evaluation: RetrievalEvaluation, index: CountingIndex
) -> None:
    request = RetrievalRequest(dataset="farm", collection="farm", retrievers=(Dense(), Lexical()), ks=(1, 24))
    report = evaluation.evaluate(request)
    assert index.read == 1
    assert (report.n_questions, report.n_judged) == (40, 40)
    # All 24 passages are among the first 24, so each question finds its one gold passage.
    recall = {figure.name: figure.mean for figure in report.rankings[0].figures}
    assert recall["R@24"] == 1.0


def test_rankings_with_one_label_are_told_apart_in_every_table(evaluation: RetrievalEvaluation) -> None:
    fused = [Fused(of=(Dense(), Lexical()), k=k) for k in (60, 10)]
    request = RetrievalRequest(dataset="farm", collection="farm", retrievers=(*fused, Lexical()), ks=(1,), questions=2)
    foreign = {question: ["hens-0"] for question in ("q0", "q1")}
    report = evaluation.evaluate(request, imported=Imported([("BM25", foreign)]))
    labels = ["RRF (Dense, BM25), k 60", "RRF (Dense, BM25), k 10", "BM25", "BM25 (imported)"]
    assert [each.label for each in report.rankings] == labels
    assert [sorted(each.rankings) for each in report.questions] == [sorted(labels)] * 2


def test_a_reranker_without_readable_grades_is_reported(evaluation: RetrievalEvaluation) -> None:
    class Half:
        """Grades every second passage."""

        def pinned(self, by: PassageJudge) -> PassageJudge:
            return by

        def grades(self, by: PassageJudge, question: str, texts: Sequence[str]) -> list[Graded]:
            return [Graded(grade=None if place % 2 else 2) for place in range(len(texts))]

    by = PassageJudge(judge=Model(provider="ollama", name="m"))
    retrievers = (Reranked(of=Dense(), depth=10, by=by), Dense())
    request = RetrievalRequest(dataset="farm", collection="farm", retrievers=retrievers, ks=(24,), questions=3)
    judging = replace(evaluation, ranker=Ranker(judges=Half()))
    # Two of the three questions have the same text.
    said = "10 of 20 passages have no grade that can be read."
    [warning] = judging.evaluate(request).warnings
    assert warning.startswith(f"Dense reranked by m: {said}")
    # The first five all have grades; those without follow, and are not shown. Two documents need a deeper search.
    nested = Fused(of=(retrievers[0], Dense()))
    for fewer in ({"ks": (5,)}, {"ks": (2,), "by": "document"}, {"ks": (5,), "retrievers": (nested,)}):
        [warning] = judging.evaluate(request.model_copy(update=fewer)).warnings
        assert said in warning


def test_no_search_goes_deeper_once_every_document_is_ranked(
    evaluation: RetrievalEvaluation, index: CountingIndex
) -> None:
    # Nobody can name four of three documents; the first search for four reads 16 of the 24 passages.
    request = RetrievalRequest(dataset="farm", collection="farm", ks=(4,), by="document", questions=2)
    report = evaluation.evaluate(request)
    assert all(len(each.names) == 3 for each in report.rankings[0].questions)
    assert all(found.index(3) == len(found) - 1 for found in index.named.values())


def test_declared_relevant_documents_count_with_their_grades_and_groups_choose_questions() -> None:
    index = CountingIndex("farm", [])
    collections = FakeCollections(index)
    for name, texts in TEXTS.items():
        passages = passages_of(*texts, document=name)
        document = Document(name=name, digest=name.encode().hex().ljust(64, "0"), text=" ".join(texts))
        collections.add(index.collection, document, passages, np.zeros((len(passages), 4), dtype=np.float32))
    gold = (GoldPassage(document="hens", quote=TEXTS["hens"][0]),)
    relevant = (RelevantDocument(document="bees", grade=2),)
    questions = (
        Question(id="a", text="What do hens need?", reference="-", gold_passages=gold, relevant=relevant, group="en"),
        Question(id="b", text="What do bees need?", reference="-", relevant=relevant, group="bg", category="water"),
        Question(id="c", text="Who are you?", reference="-", relevant=(), group="bg"),
    )
    datasets = MemoryDatasets()
    datasets.save_dataset(Dataset(name="farm", questions=questions))
    evaluation = RetrievalEvaluation(
        datasets=datasets, collections=collections, inputs=FakeRetrievalInputs(), ratings=unrated
    )
    request = RetrievalRequest(dataset="farm", collection="farm", ks=(3,), by="document")
    report = evaluation.evaluate(request)
    # All three documents are ranked: P = 2/3 for a and 1/3 for b; c has no relevant document and is left out.
    means = {figure.name: figure.mean for figure in report.rankings[0].figures}
    assert (report.n_questions, report.n_judged) == (3, 2)
    assert means["P@3"] == pytest.approx((2 / 3 + 1 / 3) / 2)
    assert means["R@3"] == 1.0
    in_bulgarian = evaluation.evaluate(request.model_copy(update={"group": "bg"}))
    assert (in_bulgarian.n_questions, in_bulgarian.n_judged) == (2, 1)
    with pytest.raises(InputError, match=r"no questions of group “tl”\. Choose one of bg, en"):
        evaluation.evaluate(request.model_copy(update={"group": "tl"}))
    only = evaluation.evaluate(request.model_copy(update={"group": "bg", "category": "water"}))
    assert [each.question_id for each in only.rankings[0].questions] == ["b"]
    with pytest.raises(InputError, match=r"no questions of category “water” among those chosen"):
        evaluation.evaluate(request.model_copy(update={"group": "en", "category": "water"}))
    # Three documents for each question, one distance each: that of the nearest passage.
    bands = report.rankings[0].distances["3"]
    assert (bands.all.count + bands.all.dropped, set(bands.groups)) == (9, {"bg", "en"})


def test_a_search_goes_deeper_while_documents_are_missing(
    evaluation: RetrievalEvaluation, index: CountingIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passer.services.pipeline.retrieval_search.PASSAGES_PER_DOCUMENT", 2)
    request = RetrievalRequest(dataset="farm", collection="farm", ks=(2,), by="document", questions=1)
    [found] = evaluation.evaluate(request).rankings[0].questions
    depths = [depth for _, depth in index.searched]
    assert len(found.names) >= 2
    assert depths == [4 * 2**step for step in range(len(depths))]
