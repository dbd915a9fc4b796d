"""By hand, and against ir-measures (trec_eval's arithmetic)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from passer.domain.dataset import GoldPassage
from passer.domain.retrieval.passages import Passage
from passer.domain.retrieval.quality import GoldIndex, QuestionRetrieval, RetrievalQuality, ndcg, retrieval_quality


def test_one_question_by_hand() -> None:
    # Kept x, g1, y, g2 of the gold passages g1, g2, g3.
    item = QuestionRetrieval.of(["x", "g1", "y", "g2"], {"g1", "g2", "g3"})
    assert (item.kept, item.gold, item.gold_ranks) == (4, 3, (2, 4))
    quality = retrieval_quality([item])
    assert quality.hit_rate == 1
    assert quality.recall == pytest.approx(2 / 3)
    assert quality.precision == pytest.approx(2 / 4)
    assert quality.mrr == pytest.approx(1 / 2)
    # DCG 1/log2(3) + 1/log2(5); ideal 1 + 1/log2(3) + 1/2
    assert quality.ndcg == pytest.approx((0.6309298 + 0.4306766) / (1 + 0.6309298 + 0.5), abs=1e-6)


def test_only_questions_with_gold_passages_count_and_the_counts_say_so() -> None:
    quality = retrieval_quality(
        [
            QuestionRetrieval.of(["g"], {"g"}, abstained=False),
            QuestionRetrieval.of([], {"g"}, abstained=True),
            QuestionRetrieval.of(["x", "y", "z"], None, abstained=False),
            QuestionRetrieval.of(["x"], set(), abstained=None),
        ]
    )
    shares = {"hit_rate_ci": (1, 2), "coverage_ci": (3, 4), "abstention_ci": (1, 3)}
    for name, (successes, n) in shares.items():
        expected = binomtest(successes, n).proportion_ci(method="wilson")
        assert getattr(quality, name).low == pytest.approx(expected.low)
        assert getattr(quality, name).high == pytest.approx(expected.high)
    assert quality.model_copy(update=dict.fromkeys(shares)) == RetrievalQuality(
        n_questions=4,
        n_gold=2,
        n_gold_absent=1,
        hit_rate=0.5,
        recall=0.5,
        precision=1.0,
        n_precision=1,
        mrr=0.5,
        ndcg=0.5,
        coverage=0.75,
        abstention_rate=1 / 3,
        n_answered=3,
        mean_passages=1.25,
    )


@pytest.mark.parametrize(
    ("items", "reason"),
    [
        ([], "no_questions"),
        ([QuestionRetrieval(kept=2)], "no_gold_passages"),
        ([QuestionRetrieval(kept=2, gold=0)], "gold_passages_absent"),
    ],
)
def test_what_cannot_be_counted_is_none_with_a_reason(items: list[QuestionRetrieval], reason: str) -> None:
    quality = retrieval_quality(items)
    assert quality.reason == reason
    assert (quality.hit_rate, quality.recall, quality.precision, quality.mrr, quality.ndcg) == (None,) * 5


@pytest.mark.parametrize(
    "wrong", [{"kept": 1, "gold": 1, "gold_ranks": (2,)}, {"kept": 3, "gold": 1, "gold_ranks": (1, 2)}, {"kept": -1}]
)
def test_ranks_that_do_not_fit_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        QuestionRetrieval(**wrong)


def test_all_figures_are_those_of_ir_measures() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own dependencies warn at import
        import ir_measures
        from ir_measures import RR, P, R, Success, nDCG
    random = np.random.default_rng(7)
    qrels, run, items, precisions = [], [], [], []
    for number in range(40):
        ranking = [f"p{i}" for i in random.permutation(60)[: random.integers(1, 25)]]
        gold = {f"p{i}" for i in random.permutation(60)[: random.integers(1, 6)]}
        items.append(QuestionRetrieval.of(ranking, gold))
        judged = [ir_measures.Qrel(str(number), passage, 1) for passage in gold]
        kept = [ir_measures.ScoredDoc(str(number), p, float(-rank)) for rank, p in enumerate(ranking)]
        k = len(ranking)
        precisions.append(ir_measures.calc_aggregate([P @ k], judged, kept)[P @ k])
        qrels += judged
        run += kept
    theirs = ir_measures.calc_aggregate([Success @ 100, R @ 100, RR, nDCG], qrels, run)
    ours = retrieval_quality(items)
    assert ours.hit_rate == pytest.approx(theirs[Success @ 100])
    assert ours.recall == pytest.approx(theirs[R @ 100])
    assert ours.mrr == pytest.approx(theirs[RR])
    assert ours.ndcg == pytest.approx(theirs[nDCG])
    assert ours.precision == pytest.approx(np.mean(precisions))


def test_a_perfect_ranking_has_ndcg_1() -> None:
    assert ndcg(gold=3, gold_ranks=(1, 2, 3)) == pytest.approx(1)


TEXT = "Bees forage widely.\nOrganic hives stand within\nthree kilometres of clean forage. Bees forage widely."


def passages(size: int) -> list[Passage]:
    cut = [(start, TEXT[start : start + size]) for start in range(0, len(TEXT), size)]
    return [
        Passage(id=f"{size}-{n}", document="bees.md", number=n, text=text, start=start, end=start + len(text))
        for n, (start, text) in enumerate(cut)
    ]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (10, {"10-2", "10-3", "10-4", "10-5"}),  # whole within the quote; 10-6 shares 3 of its 10 characters
        (23, {"23-1", "23-2"}),  # 23-0 shares 3 of 23, 23-2 shares 17
        (40, {"40-0", "40-1"}),  # 20 and 23 of 40
        (500, {"500-0"}),
    ],
)
def test_a_quote_is_found_however_the_document_was_cut(size: int, expected: set[str]) -> None:
    quote = GoldPassage(document="bees.md", quote="Organic hives  stand within three kilometres")
    assert (TEXT.index("Organic"), TEXT.index("kilometres") + len("kilometres")) == (20, 63)
    assert GoldIndex(passages(size)).passage_ids([quote]) == expected


def test_every_occurrence_counts_and_absence_is_told_from_ignorance() -> None:
    whole = Passage(id="all", document="bees.md", number=0, text=TEXT, start=0, end=len(TEXT))
    index = GoldIndex([whole])
    assert index.passage_ids([]) is None
    assert index.passage_ids([GoldPassage(document="bees.md", quote="Wasps forage")]) == frozenset()
    assert index.passage_ids([GoldPassage(document="ants.md", quote="Bees forage")]) == frozenset()
    both = GoldIndex(passages(20)).passage_ids([GoldPassage(document="bees.md", quote="Bees forage widely.")])
    assert both == {"20-0", "20-4"}  # characters 0 to 19, and 81 to 100


def test_a_quote_without_a_document_is_searched_in_every_document() -> None:
    other = "Ants walk.\n\nBees forage widely. Wasps  do not."
    ants = Passage(id="ants-0", document="ants.md", number=0, text=other, start=0, end=len(other))
    index = GoldIndex([*passages(20), ants])
    everywhere = GoldPassage(quote="Bees forage\nwidely.")
    assert index.passage_ids([everywhere]) == {"20-0", "20-4", "ants-0"}
    # Of one quote all occurrences: two in bees.md and one in ants.md, at "Bees" after two line breaks.
    assert [[(each.document, each.start, each.end) for each in places] for places in index.places([everywhere])] == [
        [("bees.md", 0, 19), ("bees.md", 81, 100), ("ants.md", 12, 31)]
    ]
    assert index.passage_ids([GoldPassage(quote="Wasps do not.")]) == {"ants-0"}
    assert index.passage_ids([GoldPassage(quote="No such text.")]) == frozenset()
