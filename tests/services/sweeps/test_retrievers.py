"""A sweep of retrievers: one ranking for each question and retriever, stored, shared, and shown by name."""

from __future__ import annotations

from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, RankedBy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.ports import StoredSweep
from tests.services.study import QUESTIONS, Study

HYBRID = Fused(of=(Dense(), Lexical()))


def run(study: Study, *retrievers: Dense | Lexical | Fused) -> StoredSweep:
    axes = Axes(retriever=retrievers, k=(1, 2))
    sweep = Sweep(
        name="retrievers", config=RunConfig(dataset="farm", collection="books"), axes=axes, baseline=NormalPolicy(k=3)
    )
    return study.running.run(study.planner.create(sweep).id)


def test_every_question_is_ranked_once_by_each_retriever() -> None:
    study = Study()
    sweep = run(study, Dense(), Lexical(), HYBRID)
    assert {run.name: run.counts.answered for run in sweep.runs} == {
        f"Top-k {k}, {name}": len(QUESTIONS) for name in ("Dense", "BM25", "RRF (Dense, BM25)") for k in (1, 2, 3)
    }
    # Hybrid searches both for itself, as deep as it merges.
    assert sorted(depth for _, depth in study.index.searched) == [3, 3, 100, 100]
    again = run(study, Lexical(), HYBRID)
    assert len(study.index.searched) == 4, "a second sweep finds the rankings of the first"
    for retriever in (Lexical(), HYBRID):
        books = RankedBy("books", retriever.key)
        assert study.store.rankings(sweep.id, books) == study.store.rankings(again.id, books)


def test_bm25_ranks_by_words_and_keeps_the_similarity_beside_its_score() -> None:
    study = Study()
    sweep = run(study, Dense(), Lexical())
    found = study.store.rankings(sweep.id, RankedBy("books", Lexical().key))["q1"]
    assert found.passages[0].text.startswith("copper")
    assert found.passages[0].score is not None
    assert found.passages[0].score > 0 == found.passages[1].score
    assert study.store.rankings(sweep.id, RankedBy("books"))["q1"].passages[0].score is None
