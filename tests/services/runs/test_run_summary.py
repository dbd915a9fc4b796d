"""Means and distributions of a run's 24 columns, against what the analysis says and what can be counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.analysis.run_metrics import MetricSpread, RunMetrics
from passer.domain.analysis.run_rows import EvaluatedQuestion, RunRows
from passer.domain.dataset import Dataset, Question
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.score import VECTOR_ORDER, Score, ScoreRow
from passer.domain.sweeps.run import Evaluation, Run, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.errors import NotFoundError
from passer.ports import EvaluationFact, Fact, PairFact, StoredSweep
from passer.services.analysis.sweep_analysis import analyse
from passer.services.runs.run_browser import RunBrowser
from passer.services.runs.run_summary import RunSummaries
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock

LOST = Score(value=None, reason="no_tokens")
Row = dict[str, Score] | None
"""Scores of one question; None of a failed one."""


def a_run(number: int, *, k: int | None = None, repeat: int = 1) -> Run:
    policy = NormalPolicy(k=k) if k else ScorePolicy(min_similarity=0.5)
    config = RunConfig(dataset="d", collection="farm", retrieval=policy, repeat=repeat)
    return Run(
        id=f"s-{number:03d}",
        sweep_id="s",
        position=number,
        name=config.retrieval.label,
        config=config,
        is_baseline=k is not None,
        state=RunState.FINISHED,
        created_at=FakeClock().now(),
    )


def a_row(height: float, **others: Score) -> dict[str, Score]:
    return dict.fromkeys(VECTOR_ORDER, Score(value=height)) | others


def kept(*runs: tuple[Run, list[Row]], weights: tuple[float, ...] = ()) -> RunSummaries:
    """Runs of one sweep, in a store; `weights` are those of the first questions."""
    store = MemoryStore(FakeClock())
    first, asked = runs[0][0], max(len(rows) for _, rows in runs)
    own = dict(enumerate(weights))
    dataset = Dataset(
        name="d",
        questions=tuple(Question(id=f"q{n}", text="?", reference="!", weight=own.get(n)) for n in range(asked)),
    )
    store.save_dataset(dataset)
    store.create_sweep(
        StoredSweep(
            id="s",
            sweep=Sweep(name="S", config=first.config),
            dataset_digest=dataset.digest,
            questions=asked,
            runs=tuple(run for run, _ in runs),
            created_at=first.created_at,
        )
    )
    facts: list[Fact] = []
    for run, rows in runs:
        for number, row in enumerate(rows):
            known = Evaluation(run_id=run.id, number=number, question_id=f"q{number}", state="failed", reason="gone")
            if row is not None:
                key = f"{run.position:032d}{number:032d}"
                facts.append(PairFact(key, row, scoring_s=0.0))
                known = known.model_copy(update={"state": "scored", "reason": None, "pair_key": key})
            facts.append(EvaluationFact(known))
    store.record(facts)
    browser = RunBrowser(runs=store, evaluations=store, datasets=store)
    return RunSummaries(runs=store, evaluations=store, run_browser=browser)


def test_weights_are_said_not_to_count_here():
    rows: list[Row] = [a_row(0.2), a_row(0.8)]
    heavy = kept((a_run(0, k=3), rows), weights=(3.0, 1.0)).metrics("s-000")
    assert of(heavy, "BLEU").mean == pytest.approx(0.5)
    assert any("count each question once" in said for said in heavy.scoring)
    assert kept((a_run(0, k=3), rows)).metrics("s-000").scoring == ()


def of(found: RunMetrics, metric: str) -> MetricSpread:
    return next(item for item in found.metrics if item.metric == metric)


def test_means_are_those_of_the_analysis_repetitions_together():
    heights = np.random.default_rng(3).uniform(0, 1, (3, 40, 24))
    rows: list[list[Row]] = [
        [dict(zip(VECTOR_ORDER, (Score(value=float(value)) for value in line), strict=True)) for line in run]
        for run in heights
    ]
    rows[1][5] = rows[1][5] | {"BLEU": LOST}
    rows[2][7] = None
    runs = [a_run(0, k=3), a_run(1), a_run(2, repeat=2)]
    run_summaries = kept(*zip(runs, rows, strict=True))
    analysed = analyse(
        [
            RunRows(
                run_id=run.id,
                sweep_id="s",
                name=run.name,
                config=run.config,
                is_baseline=run.is_baseline,
                questions=tuple(
                    EvaluatedQuestion(
                        question_id=f"q{n}", state="scored" if row else "failed", scores=row and ScoreRow.of(row)
                    )
                    for n, row in enumerate(lines)
                ),
            )
            for run, lines in zip(runs, rows, strict=True)
        ]
    )
    for result in analysed.configurations:
        for run_id in result.run_ids:
            found = run_summaries.metrics(run_id)
            assert found.run_ids == result.run_ids
            for ours, theirs in zip(found.metrics, result.metrics, strict=True):
                assert ours.mean == pytest.approx(theirs.mean, abs=1e-12)
                assert (ours.metric, ours.n, ours.missing) == (theirs.metric, theirs.n, theirs.missing)
    assert run_summaries.metrics("s-002").baseline_id == "s-000"
    assert run_summaries.metrics("s-000").baseline_id is None


def test_values_are_counted_in_twenty_parts_of_what_is_possible():
    found = kept((a_run(0, k=3), [a_row(0.0), a_row(0.049), a_row(0.05), a_row(1.0), a_row(0.5, BLEU=LOST), None]))
    f1 = of(found.metrics("s-000"), "F1 Score")
    assert (f1.low, f1.high, len(f1.bins)) == (0.0, 1.0, 20)
    assert {place: count for place, count in enumerate(f1.bins) if count} == {0: 2, 1: 1, 10: 1, 19: 1}
    assert (f1.minimum, f1.median, f1.maximum, f1.n) == (0.0, 0.05, 1.0, 5)
    assert f1.missing == {"generation_failed": 1}
    assert of(found.metrics("s-000"), "BLEU").missing == {"no_tokens": 1, "generation_failed": 1}
    assert sum(of(found.metrics("s-000"), "BLEU").bins) == 4


def test_a_metric_without_an_upper_bound_is_counted_up_to_its_largest_value():
    rows: list[Row] = [a_row(0.5, **{"Laplace Perplexity": Score(value=value)}) for value in (10.0, 21.0, 20.0, 1.0)]
    found = of(kept((a_run(0, k=3), rows)).metrics("s-000"), "Laplace Perplexity")
    assert (found.low, found.high) == (1.0, 21.0)
    assert {place: count for place, count in enumerate(found.bins) if count} == {0: 1, 9: 1, 19: 2}
    alike = of(kept((a_run(0, k=3), rows[3:] * 3)).metrics("s-000"), "Laplace Perplexity")
    assert (alike.low, alike.high, alike.bins[-1], sum(alike.bins)) == (1.0, 1.0, 3, 3)


def test_a_run_without_scores_has_no_means():
    found = kept((a_run(0, k=3), [None, None]))
    assert {(item.mean, item.n, item.bins) for item in found.metrics("s-000").metrics} == {(None, 0, ())}
    for unknown in ("s-001", "nothing", "-"):
        with pytest.raises(NotFoundError, match="There is no"):
            found.metrics(unknown)


def test_a_run_says_how_its_pairs_were_scored():
    exact = {"METEOR": Score(value=0.4, note="meteor_exact"), "BLEU": Score(value=0.2, note="unicode-1")}
    unknown = {"Cosine similarity": Score(value=None, reason="unknown_script")}
    rows: list[Row] = [a_row(0.5), a_row(0.5, **exact), a_row(0.5, **exact, **unknown), None]
    first = kept((a_run(0, k=3), rows)).metrics("s-000")
    assert of(first, "METEOR").notes == {"meteor_exact": 2}
    assert of(first, "F1 Score").notes == {}
    assert [line.split(":")[0] for line in first.scoring] == [
        "2 of 3 pairs by unicode-1",
        "METEOR (exact) in 2 of 3 pairs",
        "1 of 3 pairs have no encoder scores",
        "PaSSER recognises abstentions in Arabic, Bulgarian, Chinese, English, Filipino, French, German, Greek, "
        "Italian, Japanese, Korean, Polish, Portuguese, Russian, Spanish, Turkish and Ukrainian. In other languages it "
        "recognises only the sentence from the prompt template.",
    ]
    together = kept((a_run(0, k=3), []), (a_run(1), rows), (a_run(2, repeat=2), rows)).metrics("s-001")
    assert of(together, "METEOR").notes == {"meteor_exact": 4}
    assert together.scoring[0].startswith("4 of 6 pairs by unicode-1")
    assert kept((a_run(0, k=3), [a_row(0.5)])).metrics("s-000").scoring == ()
