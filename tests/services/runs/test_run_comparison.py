"""Runs side by side: what differs between them, by how much, and in which questions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from passer.domain.analysis.run_comparison import differing, facts_of
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Answer
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy, RetrievalPolicy, ScorePolicy
from passer.domain.retrieval.passages import Chunking, Collection
from passer.domain.score import VECTOR_ORDER, Score
from passer.domain.sweeps.run import Evaluation, Run, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.family import FamilyRule, family_gains
from passer.errors import ConflictError, InputError, NotFoundError
from passer.ports import AnswerFact, EvaluationFact, PairFact, StoredSweep
from passer.services.runs.run_browser import RunBrowser
from passer.services.runs.run_comparison import RunComparer
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock, FakeCollections, FakeEncoder, FakeIndex

N = 12
IDENTITY = {"encoder_digest": "e"}


def a_run(number: int, policy: RetrievalPolicy | None = None, *, sweep: str = "s", **changes: object) -> Run:
    scored_by = changes.pop("scored_by", IDENTITY)
    config = RunConfig(dataset="d", collection="farm", retrieval=policy or NormalPolicy(k=3), **changes)
    return Run(
        id=f"{sweep}-{number:03d}",
        sweep_id=sweep,
        position=number,
        name=config.retrieval.label,
        config=config,
        is_baseline=number == 0,
        state=RunState.FINISHED,
        scored_by=scored_by,
        created_at=FakeClock().now(),
    )


class Study:
    """Runs whose every metric is the height given for each question; None is a failed one."""

    def __init__(self) -> None:
        self.store = MemoryStore(FakeClock())
        questions = tuple(Question(id=f"q{n}", text=f"Question {n}?", reference="R") for n in range(N))
        self.dataset = Dataset(name="d", language="en", questions=questions)
        self.store.save_dataset(self.dataset)
        index = FakeIndex("farm", [])
        self.sweep_results = RunComparer(
            run_browser=RunBrowser(runs=self.store, evaluations=self.store, datasets=self.store),
            runs=self.store,
            evaluations=self.store,
            collections=FakeCollections(index),
        )

    def add(self, *runs: tuple[Run, list[float | None]], sweep: str = "s") -> None:
        self.store.create_sweep(
            StoredSweep(
                id=sweep,
                sweep=Sweep(name=f"Sweep {sweep}", config=runs[0][0].config),
                dataset_digest=self.dataset.digest,
                questions=N,
                runs=tuple(run for run, _ in runs),
                created_at=FakeClock().now(),
            )
        )
        for run, heights in runs:
            for number, height in enumerate(heights):
                self._evaluate(run, number, height)

    def _evaluate(self, run: Run, number: int, height: float | None) -> None:
        key = f"{run.id}/{number}"
        item = {"run_id": run.id, "number": number, "question_id": f"q{number}", "kept": (0, number % 3)}
        if height is None:
            evaluation = Evaluation(**item, state="failed", reason="gone")
            self.store.record([EvaluationFact(evaluation=evaluation)])
            return
        scores = {name: Score(value=1 - height if "Perplexity" in name else height) for name in VECTOR_ORDER}
        answer = Answer(key=key, text=f"{height:.3f}", raw=f"{height:.3f}")
        evaluation = Evaluation(**item, state="scored", answer_key=key, pair_key=key)
        self.store.record(
            [
                AnswerFact(answer=answer),
                PairFact(key=key, scores=scores, scoring_s=0.0),
                EvaluationFact(evaluation=evaluation),
            ]
        )


BASE = [0.0, 1.0, *np.linspace(0.2, 0.8, N - 2)]
BETTER = [0.0, 1.0, *(np.linspace(0.2, 0.8, N - 2) + [0.1, 0.02] * ((N - 2) // 2))]


@pytest.fixture
def study() -> Study:
    study = Study()
    study.add((a_run(0), BASE), (a_run(1, ScorePolicy(min_similarity=0.5)), BETTER))
    return study


def test_differences_are_paired_by_question_and_agree_with_scipy(study):
    found = study.sweep_results.compare(["s-001", "s-000"])
    assert found.baseline == "s-000"
    [bleu] = [line for line in found.metrics if line.metric == "BLEU"]
    [difference] = bleu.differences
    assert difference.run_id == "s-001"
    assert difference.n_pairs == N
    assert difference.difference == pytest.approx(0.6 / N)
    # The first two questions have equal scores; of a perplexity the lower value is the better one.
    assert {(line.differences[0].n_improved, line.differences[0].n_worse) for line in found.metrics} == {(N - 2, 0)}
    assert bleu.family_size == 24
    assert difference.cohens_d == pytest.approx(stats.ttest_rel(BETTER, BASE).statistic / N**0.5)


def test_intervals_and_p_are_those_of_the_verdict_by_its_own_routine(study):
    found = study.sweep_results.compare(["s-000", "s-001"])
    lines = {line.metric: line.differences[0] for line in found.metrics}
    # 24 columns with the same differences, in two signs, and CPS alone: the families are judged apart.
    column = np.subtract(BETTER, BASE).round(12)[:, None]
    signs = np.array([-1.0 if "Perplexity" in name else 1.0 for name in VECTOR_ORDER])
    for family, names in ((column, ["CPS"]), (column * signs, VECTOR_ORDER)):
        for name, expected in zip(names, family_gains(family, FamilyRule()), strict=True):
            assert lines[name].p == pytest.approx(expected.p)
            assert (lines[name].ci.low, lines[name].ci.high) == pytest.approx((expected.low, expected.high))
    for each in lines.values():
        assert (each.p <= 0.05) == (each.ci.low > 0 or each.ci.high < 0)
        # Fewer than 20 questions: a verdict would decide nothing, and so nothing has stars.
        assert (each.n_pairs < 20, each.p <= 0.05, each.stars) == (True, True, "")
    assert found.too_few.startswith("With fewer than 20 questions, or from fewer than 6 sources, nothing is marked")


def test_runs_of_one_sweep_keep_its_pool_and_runs_of_several_have_their_own(study):
    wide = [-1.0, 2.0, *np.linspace(0.2, 0.8, N - 2)]
    study.add((a_run(0, sweep="t"), BASE), (a_run(1, sweep="t"), BETTER), (a_run(2, sweep="t"), wide), sweep="t")
    alone, whole = (study.sweep_results.compare(ids) for ids in (["s-000", "s-001"], ["t-000", "t-001"]))
    assert (alone.pool, alone.pool_rows, whole.pool, whole.pool_rows) == ("sweep", 2 * N, "sweep", 3 * N)
    # The third run of the sweep stretches its pool from -1 to 2: the same heights are a third as far apart.
    heights = [np.mean(BASE), np.mean(BETTER)]
    assert [mean.mean for mean in alone.metrics[0].means] == pytest.approx(heights)
    assert [mean.mean for mean in whole.metrics[0].means] == pytest.approx([(1 + height) / 3 for height in heights])
    across = study.sweep_results.compare(["s-000", "t-001"])
    assert (across.pool, across.pool_rows) == ("runs", 2 * N)
    assert [mean.mean for mean in across.metrics[0].means] == pytest.approx(heights)
    changed = study.sweep_results.changed(["t-000", "t-001"], of="t-001", baseline="t-000").items[0]
    assert changed.difference == pytest.approx(0.1 / 3)


def test_equal_names_are_told_apart_by_the_sweep(study):
    study.add((a_run(0, sweep="t"), BASE), sweep="t")
    compared = study.sweep_results.compare(["s-000", "t-000", "s-001"])
    assert [run.name for run in compared.runs] == ["Top-k 3, Sweep s", "Top-k 3, Sweep t", "Similarity ≥ 0.50"]


def test_cps_comes_first_and_is_relative_to_the_runs_compared(study):
    found = study.sweep_results.compare(["s-000", "s-001"])
    cps = found.metrics[0]
    assert (cps.metric, cps.family_size, found.panel, found.pool_rows) == ("CPS", 1, "phase3", 2 * N)
    # Every metric spans 0 to 1 in this pool, so that CPS is the height itself.
    assert [mean.mean for mean in cps.means] == pytest.approx([np.mean(BASE), np.mean(BETTER)])


def test_one_difference_is_controlled(study):
    found = study.sweep_results.compare(["s-000", "s-001"])
    assert [(item.factor, item.values) for item in found.factors] == [("retrieval", ("Top-k 3", "Similarity ≥ 0.50"))]


def test_a_question_that_failed_on_one_side_is_left_out_and_counted(study):
    study.add((a_run(0, sweep="t"), [None, *BASE[1:]]), sweep="t")
    found = study.sweep_results.compare(["t-000", "s-000"], baseline="s-000")
    [bleu] = [line for line in found.metrics if line.metric == "BLEU"]
    assert bleu.differences[0].n_pairs == N - 1
    assert (bleu.means[0].n, bleu.means[0].n_missing) == (N - 1, 1)
    assert found.sweep_names == ("Sweep t", "Sweep s")


def test_the_most_changed_questions_come_first_page_by_page(study):
    ask = {"of": "s-001", "baseline": "s-000", "metric": "BLEU"}
    first = study.sweep_results.changed(["s-000", "s-001"], limit=5, **ask)
    assert (first.total, first.next) == (N, 5)
    assert [item.number for item in first.items] == [2, 4, 6, 8, 10]
    assert [item.difference for item in first.items] == pytest.approx([0.1] * 5)
    assert first.items[0].question == "Question 2?"
    assert (first.items[0].here.answer, first.items[0].before.answer) == ("0.300", "0.200")
    assert first.items[0].here.n_kept == 2
    second = study.sweep_results.changed(["s-000", "s-001"], limit=50, after=5, **ask)
    assert second.next is None
    assert [item.number for item in second.items] == [3, 5, 7, 9, 11, 0, 1]
    fallen = study.sweep_results.changed(["s-000", "s-001"], order="fall", limit=2, **ask)
    assert [item.difference for item in fallen.items] == [0.0, 0.0]


def test_runs_whose_scores_do_not_mean_the_same_are_refused(study):
    study.add((a_run(0, sweep="t", scored_by={"encoder_digest": "other"}), BASE), sweep="t")
    with pytest.raises(ConflictError, match="encoder_digest"):
        study.sweep_results.compare(["s-000", "t-000"])


def test_too_few_runs_unknown_runs_and_unknown_metrics_are_refused(study):
    with pytest.raises(InputError, match="2 to 20"):
        study.sweep_results.compare(["s-000", "s-000"])
    with pytest.raises(NotFoundError):
        study.sweep_results.compare(["s-000", "s-009"])
    with pytest.raises(InputError, match="not part of this comparison"):
        study.sweep_results.compare(["s-000", "s-001"], baseline="s-009")
    with pytest.raises(InputError, match="no metric"):
        study.sweep_results.changed(["s-000", "s-001"], of="s-001", baseline="s-000", metric="Beauty")


def test_without_a_scored_question_there_is_no_cps_and_the_reason_is_said(study):
    study.add((a_run(0, sweep="t"), [None] * N), sweep="t")
    found = study.sweep_results.compare(["s-000", "t-000"])
    assert found.panel is None
    assert "no scored question" in found.no_cps
    assert found.no_cps.message.code == "problem.not-all-scored"
    assert found.metrics[0].metric == VECTOR_ORDER[0]
    assert found.metrics[0].differences[0].reason == "too_few"


def _facts(run: Run, collection: Collection | None = None, documents: str | None = None) -> dict[str, str]:
    return facts_of(run, dataset_digest="d" * 64, bound=collection, documents=documents)


def test_another_model_takes_its_weights_with_it():
    one, other = a_run(0), a_run(1, model=Model(provider="ollama", name="mistral"))
    assert [item.factor for item in differing([_facts(one), _facts(other)])] == ["model"]


def test_every_decision_that_differs_is_named():
    one = a_run(0)
    other = a_run(1, options=GenerationOptions(temperature=0.9, seed=1), prompt="brief")
    assert {item.factor for item in differing([_facts(one), _facts(other)])} == {"temperature", "seed", "prompt"}


def test_two_collections_of_the_same_documents_differ_only_in_how_they_were_made():
    embedding = FakeEncoder.model
    one = Collection(name="one", embedding=embedding)
    other = Collection(name="two", embedding=embedding, chunking=Chunking(chunk_size=256))
    runs = [a_run(0), a_run(1)]
    facts = [_facts(runs[0], one, "9" * 64), _facts(runs[1], other, "9" * 64)]
    assert [item.factor for item in differing(facts)] == ["chunking"]
    facts = [_facts(runs[0], one, "9" * 64), _facts(runs[1], other, "8" * 64)]
    assert [item.factor for item in differing(facts)] == ["chunking", "documents"]


def test_all_changed_questions_come_at_once_where_no_limit_is_set(study, monkeypatch):
    some = study.sweep_results.changed(["s-001", "s-000"], of="s-001", baseline="s-000", metric="BLEU", limit=3)
    monkeypatch.setattr("passer.services.runs.run_comparison.FEW", 3)
    everything = study.sweep_results.changed(
        ["s-001", "s-000"], of="s-001", baseline="s-000", metric="BLEU", limit=None
    )
    assert (len(everything.items), everything.next) == (N, None)
    assert everything.items[:3] == some.items, "read at once or one by one, they are the same"
