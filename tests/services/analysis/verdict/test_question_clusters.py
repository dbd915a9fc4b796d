"""Clusters of questions, and models against one another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from passer.domain.analysis.analysis import SweepAnalysis
from passer.domain.analysis.choices import SweepChoices
from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.retrieval.retriever import Dense, Fused, Lexical
from passer.domain.verdict.verdict import VerdictRule
from passer.domain.wording.sentence import reading, shown
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.verdict.question_clusters import measured_design_effect, numbered
from tests.analysis_rows import noisy, question, run, scores, sweep


def asked(n: int = 60, *, cluster: int | None = None, document: int | None = None) -> list[Question]:
    """Questions of which so many in a row share a cluster or a document."""
    return [
        Question(
            id=f"q{number}",
            text=f"What is {number}?",
            reference="!",
            cluster=f"c{number // cluster}" if cluster else None,
            gold_passages=(GoldPassage(document=f"d{number // document}", quote="q"),) if document else (),
        )
        for number in range(n)
    ]


def judged(questions: list[Question], **choices: object) -> SweepAnalysis:
    runs = sweep(base=noisy(0.4), good=noisy(0.6, seed=3))
    return analyse(runs, SweepChoices.model_validate(choices), questions=questions)


def test_declared_clusters_are_resampled_together():
    alone, together = judged(asked()), judged(asked(cluster=4))
    (first,), (second,) = alone.verdict.conclusions, together.verdict.conclusions
    assert (first.basis.clusters, second.basis.clusters) == (60, 15)
    assert first.basis.clustering is None
    assert second.basis.clustering is not None
    assert second.basis.clustering.text == "Questions are resampled in 15 clusters."
    # 1 - .05^(1/15): the clusters are the sample that may contain no loss, not the 60 questions.
    assert "15 clusters of questions can miss losses that occur in up to 18.1 %" in second.basis.line.text.replace(
        "\N{NO-BREAK SPACE}", " "
    )
    assert first.gain is not None
    assert second.gain is not None
    assert first.gain.gain == pytest.approx(second.gain.gain)
    assert first.gain.low != second.gain.low


def test_clusters_of_very_different_sizes_are_fewer_than_they_seem():
    """30 questions in one cluster and 30 alone: 60^2 / (30^2 + 30) = 3.87. Equal ones are 15, of four each."""
    unequal = [each.model_copy(update={"cluster": "c"}) if n < 30 else each for n, each in enumerate(asked())]
    for questions, effective in ((unequal, 60**2 / 930), (asked(cluster=4), 15)):
        (found,) = judged(questions).verdict.conclusions
        line = found.basis.clustering
        assert line is not None
        assert {each.name: each.value for each in line.numbers}["effective_clusters"] == pytest.approx(effective)
        assert ("as informative as 3.9 equal ones, so the intervals may be too narrow" in line.text) is (effective < 10)


def test_five_clusters_give_no_verdict():
    (found,) = judged(asked(cluster=12)).verdict.conclusions
    assert (found.number, found.verdict.missing) == (0, ("too_few_clusters",))
    # Five clusters cannot reach p < .05, and nine have no interval.
    assert "fewer than 6 sources, and an interval needs 10 that differ" in found.reason


def test_documents_are_used_only_where_they_are_chosen_and_the_design_effect_says_what_they_change():
    (found,) = judged(asked(document=4)).verdict.conclusions
    assert found.basis.clusters == 60
    assert found.basis.clustering is not None
    assert "15 documents" in found.basis.clustering.text
    differences = np.array(noisy(0.6, seed=3)) - np.array(noisy(0.4))
    centred = differences - differences.mean()
    by_document = centred.reshape(15, 4).sum(axis=1)
    expected = (15 / 14 * (by_document**2).sum()) / (60 / 59 * (centred**2).sum())
    assert found.basis.design_effect == pytest.approx(expected)
    explored = judged(asked(document=4), clusters="documents")
    assert explored.verdict.exploratory == ("clusters",)
    assert explored.verdict.conclusions[0].basis.clusters == 15


def test_a_design_effect_by_hand():
    # Standard errors .57735 alone and .66667 with the first two together.
    effect = measured_design_effect(np.array([1.0, 2.0, 3.0]), [0, 0, 1])
    assert effect == pytest.approx(0.66667**2 / 0.57735**2, rel=1e-4)
    assert measured_design_effect(np.array([1.0, np.nan]), [0, 1]) is None


def test_a_question_without_a_cluster_is_on_its_own():
    assert numbered(["a", "b", "c", "d"], {"a": "x", "c": "x", "d": "b"}) == (0, 1, 0, 2)


def test_a_cluster_changes_the_digest_only_where_it_is_declared():
    plain, clustered = Dataset(name="d", questions=asked(3)), Dataset(name="d", questions=asked(3, cluster=2))
    assert "cluster" not in plain.questions[0].model_dump(mode="json")
    assert plain.digest != clustered.digest


def test_other_models_are_compared_with_the_first_baseline_at_the_same_k():
    runs = [
        run(
            f"{model}-{kind}",
            [question(n, height) for n, height in enumerate(noisy(mean + more, seed=seed))],
            model=model,
            retrieval=policy,
            baseline=kind == "base",
        )
        for model, mean, seed in (("a", 0.4, 1), ("b", 0.5, 7), ("c", 0.4, 11))
        for kind, more, policy in (("base", 0.0, NormalPolicy(k=5)), ("cut", 0.2, ScorePolicy(min_similarity=0.5)))
    ]
    arms = analyse(runs).verdict.arms
    names = [(arm.model, arm.baseline, arm.policy) for arm in arms]
    assert names == [("b", "a", "Top-k 5"), ("c", "a", "Top-k 5")]
    assert [arm.gain.outcome for arm in arms] == ["better", "undecided"]
    assert arms[0].differing == ("model.name",)
    assert arms[0].line.text.startswith("b is better than a (Top-k 5, +")
    assert analyse(runs[:2]).verdict.arms == ()


def test_a_model_that_reads_more_passages_is_not_compared_with_one_that_reads_fewer():
    runs = [
        run(
            model,
            [question(n, height) for n, height in enumerate(noisy(0.4))],
            model=model,
            baseline=True,
            retrieval=NormalPolicy(k=k),
        )
        for model, k in (("a", 5), ("b", 10))
    ]
    assert analyse(runs).verdict.arms == ()


def test_each_collection_of_a_model_has_its_name_and_its_verdict():
    """Once, both had one: an improvement in one of them was said of the other, and no gain was corrected."""
    runs = [
        run(
            f"{collection}-{kind}",
            [question(n, height) for n, height in enumerate(noisy(0.4 + more, seed=seed + round(10 * more)))],
            collection=collection,
            retrieval=policy,
            baseline=kind == "base",
        )
        for collection, better, seed in (("books-512-50", 0.2, 1), ("books-1024-50", -0.2, 7))
        for kind, more, policy in (("base", 0.0, NormalPolicy(k=5)), ("cut", better, ScorePolicy(min_similarity=0.5)))
    ]
    found = analyse(runs)
    models = ["m (default, temperature 0.2, books-512-50)", "m (default, temperature 0.2, books-1024-50)"]
    assert [item.model for item in found.configurations] == [models[0], models[0], models[1], models[1]]
    first, second = found.verdict.conclusions
    assert [first.model, second.model] == models
    assert (first.verdict.kind, first.name, second.verdict.kind) == ("better", "books-512-50-cut", "keep_baseline")
    assert first.gain is not None
    assert None not in (first.verdict.corrected, first.tied)
    (arm,) = found.verdict.arms
    assert (arm.model, arm.baseline, arm.differing) == (models[1], models[0], ("collection",))
    (once,) = analyse(runs, recorded=VerdictRule(shares_names=True)).verdict.conclusions
    assert (once.model, once.tied) == ("m (default, temperature 0.2)", None)


def test_retrievers_with_one_label_are_told_apart_by_number():
    heights = [question(n, height) for n, height in enumerate(noisy(0.4))]
    runs = [run(f"k{k}", heights, retriever=Fused(of=(Dense(), Lexical()), k=k), baseline=True) for k in (60, 30)]
    named = "m (RRF (Dense, BM25), default, temperature 0.2, variant {})"
    found = [item.model for item in analyse(runs).configurations]
    assert found == [named.format(1), named.format(2)]
    with reading("bg"):
        assert shown(found[1]) == "m (RRF (Векторно, BM25), default, температура 0,2, вариант 2)"


def test_questions_with_the_same_text_are_named_with_what_they_change():
    """12 texts, each asked five times: the variance of a mean of equal fives is five times that of 60 questions."""
    heights = np.repeat(noisy(0.4, 12), 5)
    gains = np.repeat(noisy(0.1, 12, seed=5), 5)
    rows = sweep(base=list(heights), other=list(heights + gains))
    asked = [Question(id=f"q{n}", text=f"What is {n // 5} ?", reference="a") for n in range(60)]
    (found,) = analyse(rows, recorded=VerdictRule(primary="METEOR"), questions=asked).verdict.conclusions
    line = found.basis.clustering
    assert line is not None
    assert line.text.startswith("The 60 questions have only 12 different texts and were treated as independent, so the")
    # 12 / 11 of the mean square of 12 fives, beside 60 / 59 of that of 60 questions.
    assert found.basis.design_effect == pytest.approx(5 * 12 / 11 / (60 / 59), rel=1e-6)
    different = [Question(id=f"q{n}", text=f"What is {n}?", reference="a") for n in range(60)]
    (found,) = analyse(rows, recorded=VerdictRule(primary="METEOR"), questions=different).verdict.conclusions
    assert found.basis.clustering is None


def test_a_basis_says_how_many_questions_have_no_value_and_what_few_can_miss():
    lost = [question(n, None, scored=scores(0.5, METEOR="too_long")) for n in range(20)]
    rows = [
        each.model_copy(update={"questions": (*lost, *each.questions[20:])})
        for each in sweep(base=noisy(0.4), other=noisy(0.6, seed=4))
    ]
    (found,) = analyse(rows, recorded=VerdictRule(primary="METEOR")).verdict.conclusions
    assert found.name == "other"
    assert "; 40 of 60 questions, the others lack a value; 95 % intervals" in found.basis.line.text
    # 1 - .05^(1/40) = 7.2 %: about 3 / 40 (Hanley and Lippman-Hand 1983).
    assert found.basis.line.text.endswith(
        "40 questions can miss losses that occur in up to 7.2 % of all questions (95 % confidence)."
    )


@pytest.mark.parametrize(("gain", "is_undone"), [(0.012, True), (0.03, False)])
def test_a_small_gain_says_that_losses_without_a_sample_could_undo_it(gain: float, is_undone: bool):
    """100 questions can miss losses in 1 - .05^(1/100) = 2.95 % of all: of a mean of .5 that is .0148."""
    base = noisy(0.5, 100)
    rows = sweep(base=base, other=[value + gain + 0.004 * (place % 2) for place, value in enumerate(base)])
    (found,) = analyse(rows, recorded=VerdictRule(primary="METEOR")).verdict.conclusions
    assert (found.verdict.kind, found.name) == ("better", "other")
    said = (
        "100 questions can miss losses that occur in up to 3.0 % of all questions (95 % confidence). If the score of "
        "each of these fell to 0, no gain would be left."
    )
    assert found.basis.line.text.endswith(said) is is_undone
    assert ("can miss losses" in found.basis.line.text) is is_undone


@pytest.mark.parametrize("n", [60, 90])
def test_as_good_says_that_losses_without_a_sample_could_exceed_the_margin(n: int):
    """60 questions can miss losses in 4.87 %, 90 in 3.27 %: of a mean of .5 that is .0243, .0164; the margin is .02."""
    base = noisy(0.5, n)
    other = [value + 0.004 * (-1) ** place for place, value in enumerate(base)]
    rows = []
    for run_rows, kept in zip(sweep(base=base, other=other), ("abcd", "a"), strict=True):
        items = [replace(each, retrieval=QuestionRetrieval.of(tuple(kept), None)) for each in run_rows.questions]
        rows.append(run_rows.model_copy(update={"questions": tuple(items)}))
    (found,) = analyse(rows, recorded=VerdictRule(primary="METEOR")).verdict.conclusions
    assert (found.verdict.kind, found.name) == ("as_good_cheaper", "other")
    # (1 - .02 / .5)^n is below .05 from n = ln .05 / ln .96 = 73.4 on.
    limit = (
        "But 60 questions can miss losses that occur in up to 4.9 % of all questions (95 % confidence): if the score "
        "of each of these fell to 0, the loss would exceed 0.02. About 74 questions would exclude this."
    )
    assert found.reason.replace("\N{NO-BREAK SPACE}", " ").endswith(limit) is (n == 60)
    assert ("can miss losses" in found.reason) is (n == 60)
    assert "can miss losses" not in found.basis.line.text, "it is said once"
