"""Small analyses worked by hand, and the public record through the whole analysis."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from passer.domain.analysis.choices import SweepChoices
from passer.domain.analysis.run_rows import EvaluatedQuestion, RunRows
from passer.domain.models.decoding import GenerationOptions
from passer.domain.panel import panel_named
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.score import VECTOR_ORDER, Score, ScoreRow
from passer.domain.statistics import stars
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.errors import InputError
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import by_name, noisy, question, run, sweep
from tests.phase3_sheets import TRUE_LABELS, expected, read_sheets

PHASE3 = panel_named("phase3")


def test_cps_tcps_and_comparison_by_hand() -> None:
    # Pool from 0 to 1. base: 0, .2, .4; better: .5, .7, 1.
    analysis = analyse(sweep(base=[0.0, 0.2, 0.4], better=[0.5, 0.7, 1.0]), SweepChoices(panel="phase3"))
    base, better = analysis.configurations
    assert base.mean_cps == pytest.approx(0.2)
    assert base.cv == pytest.approx(1.0)  # sd .2
    assert base.tcps == pytest.approx(0.2 * 1.0 - 0.05)
    assert base.comparison is None
    mean, sd = 2.2 / 3, (((0.5 - 2.2 / 3) ** 2 + (0.7 - 2.2 / 3) ** 2 + (1 - 2.2 / 3) ** 2) / 2) ** 0.5
    assert better.mean_cps == pytest.approx(mean)
    assert better.tcps == pytest.approx(mean * (1 + 0.1 * (1 - sd / mean)) - 0.05 * (sd / mean) ** 2)
    test = better.comparison
    assert test is not None
    # Differences .5, .5, .6
    assert test.gain == pytest.approx(1.6 / 3)
    assert test.cohens_d == pytest.approx((1.6 / 3) / (0.1 / 3**0.5))
    assert test.improvement_pct == pytest.approx(1.6 / 3 / 0.2 * 100)
    assert test.tcps_improvement_pct == pytest.approx((better.tcps - 0.15) / 0.15 * 100)
    assert test.balance == pytest.approx((better.tcps - 0.15) / 0.15 / (sd / mean))
    assert (test.n_pairs, test.family_size, test.effect) == (3, 1, "large")


def test_the_pool_is_stated_with_its_constants() -> None:
    analysis = analyse(sweep(base=[0.0, 0.2], better=[0.5, 1.0]))
    (pool,) = analysis.pools
    assert (pool.name, pool.rows, pool.run_ids) == ("all runs", 4, ("base", "better"))
    assert [item.metric for item in pool.metrics] == list(PHASE3.columns)
    assert {(item.minimum, item.maximum) for item in pool.metrics} == {(0.0, 1.0)}
    shares = [item.effective_weight for item in pool.metrics]
    assert shares == pytest.approx([item.weight for item in PHASE3.metrics])  # all move together
    assert "panel phase3" in analysis.statements[0]
    assert "4 rows" in analysis.statements[0]


def test_the_best_significant_threshold_is_recommended() -> None:
    runs = sweep(base=noisy(0.4), same=noisy(0.4, seed=2), good=noisy(0.5, seed=3), best=noisy(0.6, seed=4))
    analysis = analyse(runs)
    (recommendation,) = analysis.verdict.conclusions
    assert recommendation.name == "best"
    assert recommendation.verdict.better == ("good", "best")
    assert recommendation.reason.startswith("best is better than base: CPS gain +")
    assert "Corrected for the selection" in recommendation.reason
    assert [item.comparison.judged.outcome for item in analysis.configurations[2:]] == ["better", "better"]
    p = [item.comparison.p for item in analysis.configurations[1:] if item.comparison]
    holm = [item.comparison.p_holm for item in analysis.configurations[1:] if item.comparison]
    smallest, middle, largest = sorted(value for value in p if value is not None)
    assert sorted(value for value in holm if value is not None) == pytest.approx([smallest * 3, middle * 2, largest])


def test_no_threshold_better_is_an_answer() -> None:
    analysis = analyse(sweep(base=noisy(0.5), same=noisy(0.5, seed=2), worse=noisy(0.3, seed=3)))
    (recommendation,) = analysis.verdict.conclusions
    assert (recommendation.name, recommendation.verdict.kind) == (None, "cannot_tell")
    start = "60 questions are not enough to tell whether a configuration is better than"
    assert recommendation.reason.startswith(start)


def test_equal_tcps_goes_to_fewer_passages() -> None:
    def passages(rows: RunRows, kept: int) -> RunRows:
        items = [replace(q, retrieval=QuestionRetrieval(kept=kept)) for q in rows.questions]
        return rows.model_copy(update={"questions": tuple(items)})

    base, many, few = sweep(base=noisy(0.4), many=noisy(0.6, seed=2), few=noisy(0.6, seed=2))
    assert analyse([base, passages(many, 9), passages(few, 3)]).verdict.conclusions[0].name == "few"
    assert analyse([base, passages(many, 3), passages(few, 9)]).verdict.conclusions[0].name == "many"


def test_without_a_baseline_nothing_is_recommended() -> None:
    runs = [row.model_copy(update={"is_baseline": False}) for row in sweep(a=[0.1, 0.2], b=[0.4, 0.9])]
    analysis = analyse(runs)
    assert analysis.verdict.conclusions[0].name is None
    assert analysis.verdict.conclusions[0].reason == (
        f"There is no baseline. b has the highest T-CPS ({by_name(analysis)['b'].tcps:.4f})."
    )
    assert any("no common baseline" in warning for warning in analysis.warnings)
    named = analyse(runs, baseline="a")
    assert by_name(named)["b"].comparison.baseline == "a"
    with pytest.raises(InputError, match="no configuration “zzz”"):
        analyse(runs, baseline="zzz")


def test_a_constant_metric_is_named() -> None:
    analysis = analyse(sweep(base=[0.5, 0.5], other=[0.5, 0.5]))
    assert all(item.is_constant for item in analysis.pools[0].metrics)
    assert any(warning.startswith("METEOR is constant in") for warning in analysis.warnings)
    other = by_name(analysis)["other"]
    assert (other.mean_cps, other.comparison.reason, other.comparison.p) == (0.5, "identical", None)


def test_repetitions_are_one_configuration_with_its_noise() -> None:
    base = run("base", [question(0, 0.0), question(1, 1.0)], baseline=True)
    policy = ScorePolicy(min_similarity=0.5)
    first = run("one", [question(0, 0.4), question(1, 0.6)], retrieval=policy)
    second = run("two", [question(0, 0.6), question(1, 0.6)], retrieval=policy, repeat=2)
    analysis = analyse([base, first, second])
    result = by_name(analysis)["one"]
    assert (result.run_ids, result.n) == (("one", "two"), 2)
    assert result.mean_cps == pytest.approx((0.5 + 0.6) / 2)
    # Within: sum of squares .02 + 0 over 4 - 2 degrees of freedom, so sd .1; mean .55
    assert result.within_cv == pytest.approx(0.1 / 0.55)
    assert by_name(analysis)["base"].within_cv is None


def test_each_model_has_its_own_baseline_and_the_family_is_a_choice() -> None:
    runs = [
        run(f"{model}-{kind}", [question(n, height + n / 10) for n in range(4)], model=model, **more)
        for model in ("a", "b")
        for kind, height, more in (
            ("base", 0.2, {"baseline": True}),
            ("0.5", 0.4, {"retrieval": ScorePolicy(min_similarity=0.5)}),
        )
    ]
    wobbly = runs[3].model_copy(update={"questions": (*runs[3].questions[:3], question(3, 0.9))})
    runs[3] = wobbly
    analysis = analyse(runs)
    assert [item.comparison and item.comparison.baseline for item in analysis.configurations] == [
        None,
        "a-base",
        None,
        "b-base",
    ]
    assert {item.comparison.family_size for item in analysis.configurations if item.comparison} == {2}
    per_model = analyse(runs, family="model")
    assert {item.comparison.family_size for item in per_model.configurations if item.comparison} == {1}
    assert [item.model for item in analysis.verdict.conclusions] == ["a", "b"]


def test_choosing_among_systems_is_said_not_to_be_corrected() -> None:
    outcomes = {"base": 0.4, "one": 0.6, "other": 0.62}
    runs = [
        run(
            name,
            [question(n, value) for n, value in enumerate(noisy(mean, seed=seed)) if value is not None],
            model=name,
            baseline=name == "base",
        )
        for seed, (name, mean) in enumerate(outcomes.items(), 1)
    ]
    _, *systems = analyse(runs, baseline="base").verdict.conclusions
    assert [each.verdict.kind for each in systems] == ["better", "better"]
    for each in systems:
        # Each is the only configuration of its model: nothing was selected from.
        assert each.gain is not None
        assert each.gain.corrected is None
        assert "Corrected for the selection" not in each.reason
        assert "The gain corrected for the selection" not in str(each.basis.line)
        assert each.reason.endswith(
            "No correction covers the choice among the 2 models or systems that have a verdict of their own."
        )
    [alone] = [each for each in analyse(runs[:2], baseline="base").verdict.conclusions if each.name == "one"]
    assert "No correction covers" not in alone.reason


def test_scopes() -> None:
    runs = [
        run(f"{model}-{kind}", [question(0, low), question(1, high)], model=model, **more)
        for model, low, high in (("a", 0.2, 0.4), ("b", 0.0, 1.0))
        for kind, more in (("base", {"baseline": True}), ("0.5", {"retrieval": ScorePolicy(min_similarity=0.5)}))
    ]
    by_all, by_model, by_run = (analyse(runs, SweepChoices(scope=scope)) for scope in ("all", "model", "run"))
    assert [item.mean_cps for item in by_all.configurations] == pytest.approx([0.3, 0.3, 0.5, 0.5])
    assert [item.mean_cps for item in by_model.configurations] == pytest.approx([0.5, 0.5, 0.5, 0.5])
    assert [pool.name for pool in by_model.pools] == ["all runs of a", "all runs of b"]
    assert len(by_run.pools) == 4
    assert all(item.comparison is None for item in by_run.configurations)
    assert any("because the constants differ" in warning for warning in by_run.warnings)
    across = analyse(runs, SweepChoices(scope="model"), baseline="a-base")
    assert by_name(across)["b-0.5"].comparison is None
    assert by_name(across)["a-0.5"].comparison is not None


def test_retrieval_and_metric_means_cover_all_rows() -> None:
    base, other = sweep(base=[0.0, 0.5], other=[0.2, 0.6])
    seen = QuestionRetrieval.of(["x", "g"], {"g"}, abstained=False)
    items = (
        replace(other.questions[0], retrieval=seen),
        replace(other.questions[1], retrieval=QuestionRetrieval.of([], {"g"}, abstained=True)),
    )
    result = by_name(analyse([base, other.model_copy(update={"questions": items})]))["other"]
    quality = result.retrieval
    assert (quality.coverage, quality.abstention_rate, quality.mean_passages) == (0.5, 0.5, 1.0)
    assert (quality.hit_rate, quality.mrr, quality.precision) == (0.5, 0.25, 0.5)
    means = {item.metric: item for item in result.metrics}
    assert list(means) == list(VECTOR_ORDER)
    assert means["METEOR"].mean == pytest.approx(0.4)
    assert means["Laplace Perplexity"].mean == pytest.approx(0.6)


def test_how_many_prompts_changed() -> None:
    base, other = sweep(base=[0.0, 0.5, 0.9], other=[0.2, 0.6, 0.7])
    before = tuple(replace(q, prompt_digest=d) for q, d in zip(base.questions, "abc", strict=True))
    after = tuple(replace(q, prompt_digest=d) for q, d in zip(other.questions, ("a", "x", None), strict=True))
    runs = [base.model_copy(update={"questions": before}), other.model_copy(update={"questions": after})]
    assert by_name(analyse(runs))["other"].comparison.n_prompts_changed == 2


def test_one_run_with_one_question_has_no_spread_and_says_nothing_false() -> None:
    analysis = analyse([run("a", [question(0, 0.3)])])
    (result,) = analysis.configurations
    assert (result.n, result.mean_cps, result.cv, result.tcps, result.ci) == (1, 0.5, None, None, None)


def test_the_same_model_with_two_temperatures_is_told_apart() -> None:
    rows = [question(0, 0.1), question(1, 0.2)]
    warm = run("b", rows, options=GenerationOptions(temperature=1))
    labels = [item.model for item in analyse([run("a", rows), warm]).configurations]
    assert labels == ["m (default, temperature 0.2)", "m (default, temperature 1)"]


def test_the_public_record_through_the_whole_analysis(test_data: Path) -> None:
    """The `corrected` procedure on 22 real sheets, with their repeated and missing questions."""
    names = {column: TRUE_LABELS.get(column, column) for column in PHASE3.columns}
    runs = []
    for (model, threshold), (keys, rows) in read_sheets(test_data).items():
        items = [
            EvaluatedQuestion(
                question_id=key,
                scores=ScoreRow.of({column: Score(value=float(row[name])) for column, name in names.items()}),
            )
            for key, row in zip(keys, rows, strict=True)
        ]
        policy = NormalPolicy() if threshold is None else ScorePolicy(min_similarity=threshold)
        name = f"{model} {threshold}"
        runs.append(run(name, items, retrieval=policy, baseline=threshold is None, model=model))
    analysis = analyse(runs, SweepChoices(panel="phase3"))
    results = by_name(analysis)
    for row in expected(test_data, "corrected"):
        result = results[f"{row['model']} {row['threshold']}"]
        test = result.comparison
        got = {"n": result.n, "mean_cps": result.mean_cps, "cv": result.cv, "tcps": result.tcps}
        if row["threshold"] is not None:
            got |= {
                "n_pairs": test.n_pairs,
                "cps_improvement_pct": test.improvement_pct,
                "tcps_improvement_pct": test.tcps_improvement_pct,
                "t_statistic": test.t,
                "p_value": test.p,
                "cohens_d": test.cohens_d,
                "balance_score": test.balance,
            }
            assert stars(test.p) == row["significance"]
        for field, value in got.items():
            assert value == pytest.approx(row[field], rel=1e-9), (result.name, field)
    assert results["Mistral 7B v0.3 0.95"].n_repeated == 185
    assert {item.model: item.name for item in analysis.verdict.conclusions} == {
        "Mistral 7B v0.3": "Mistral 7B v0.3 0.95",
        "DeepSeek R1 8B": "DeepSeek R1 8B 0.9",
    }  # best_tcps_threshold of the record's table `agreement`
    json.loads(analysis.model_dump_json())


def test_repeats_with_seeds_of_their_own_are_one_configuration():
    wanted = Sweep(
        name="s",
        config=RunConfig(dataset="d", collection="c", retrieval=NormalPolicy(k=5)),
        axes=Axes(min_similarity=(0.5,), repeat=3),
        baseline=NormalPolicy(k=5),
        repeat_seeds=True,
    )
    runs = []
    for place, (config, is_baseline) in enumerate(wanted.configurations()):
        items = [question(number, height) for number, height in enumerate(noisy(0.4, seed=place))]
        runs.append(run(f"r{place}", items, baseline=is_baseline).model_copy(update={"config": config}))
    found = analyse(runs)
    assert [len(item.run_ids) for item in found.configurations] == [3, 3]
    assert found.configurations[1].comparison is not None
    assert "controlled" in found.control
    assert "seed" not in {item.field.rpartition(".")[2] for item in found.differing}
    assert found.configurations[0].within_sd is not None
