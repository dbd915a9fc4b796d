"""The tables and the digest of a verdict, equal configurations, and repeats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from passer.domain.analysis.choices import SweepChoices
from passer.domain.analysis.result_tables import tables_of_sweep
from passer.domain.analysis.run_rows import RunRows
from passer.domain.analysis.verdict_tables import verdict_tables
from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import noisy, question, run, sweep


def test_the_tables_have_every_line_and_every_number_of_the_verdict():
    analysis = analyse(sweep(base=noisy(0.4), low=noisy(0.3, seed=2), good=noisy(0.6, seed=3)))
    tables = verdict_tables(analysis)
    (found,) = analysis.verdict.conclusions
    assert [row[1:3] for row in tables["verdict"].rows] == [(part, line.text) for part, line in found.lines]
    assert tables["verdict"].rows[0][3].startswith("n = 60 (configurations); gain = ")
    shares = {row[1]: row[2] for row in tables["choice_shares"].rows}
    assert shares == {"low": 0.0, "good": 1.0}
    (profile,) = tables["threshold_profiles"].rows
    # Thresholds .1 (worse) and .2 (better): gains and losses by the rule of the verdict.
    assert profile[1:] == ("mixed", "0.2", 1, 2, "yes", "0.1")


def test_the_digest_of_a_verdict_is_of_its_numbers_not_of_its_words():
    runs = sweep(base=noisy(0.4), good=noisy(0.6, seed=3))
    first, again, other = analyse(runs), analyse(runs), analyse(sweep(base=noisy(0.4), good=noisy(0.6, seed=4)))
    assert first.verdict.digest == again.verdict.digest != other.verdict.digest
    worded = first.verdict.conclusions[0].model_copy(update={"reason": "Other words."})
    assert first.verdict.model_copy(update={"conclusions": (worded,)}).digest == first.verdict.digest


def test_configurations_with_the_same_prompts_are_named_as_one():
    def asking(rows: RunRows, digest: str) -> RunRows:
        items = [replace(each, prompt_digest=f"{digest}{n}") for n, each in enumerate(rows.questions)]
        return rows.model_copy(update={"questions": tuple(items)})

    base, low, middle, high = sweep(base=noisy(0.4), low=noisy(0.5), middle=noisy(0.5), high=noisy(0.6))
    runs = [asking(base, "a"), asking(low, "b"), asking(middle, "b"), asking(high, "c")]
    (same,) = analyse(runs).verdict.identical
    assert same.names == ("low", "middle")
    assert (
        same.line.text == "These configurations have the same prompts for all questions and count as one: low, middle."
    )
    changed = analyse(runs, SweepChoices(margin=0.05))
    *_, explored, last = verdict_tables(changed)["verdict"].rows
    assert explored[:2] == ("", "exploratory")
    assert explored[2].startswith("Exploratory: ")
    assert last == ("", "identical", same.line.text, "")


def test_thresholds_that_keep_nothing_ask_nothing_and_are_named_and_counted_as_one():
    silent = [0.05 + 0.1 * (n % 3) for n in range(60)]
    found = analyse(sweep(base=noisy(0.4), good=noisy(0.6, seed=2), high=silent, higher=silent, other=silent[::-1]))
    (same,) = found.verdict.identical
    assert same.names == ("high", "higher")
    assert same.line.text == "These configurations keep no passages for any question and count as one: high, higher."
    # Four configurations have an interval, two of them are one.
    assert found.verdict.conclusions[0].basis.comparisons == 3
    assert [text for text in found.statements if "bootstrap of whole questions for 3 comparisons." in text]


def test_a_configuration_under_two_names_is_tested_once_and_widens_no_family():
    base, low, high = noisy(0.4), noisy(0.5, seed=4), noisy(0.45, seed=5)
    alone = analyse(sweep(base=base, low=low, high=high)).configurations
    twice = analyse(sweep(base=base, low=low, same=low, again=low, high=high)).configurations
    assert [result.name for result in twice] == ["base", "low", "same", "again", "high"]
    for one, other in ((alone[1], twice[1]), (alone[1], twice[3]), (alone[2], twice[4])):
        here, there = one.comparison, other.comparison
        assert here is not None
        assert there is not None
        assert here.judged == there.judged, "interval and p of the verdict"
        assert (here.p_holm, here.p_bonferroni, here.family_size) == (there.p_holm, there.p_bonferroni, 2)
        assert there.family_size == 2


def test_repeats_that_differ_are_traded_against_questions_and_compared_with_each_other():
    rng = np.random.default_rng(10)
    level = np.clip(rng.normal(0.5, 0.15, 40), 0.1, 0.9)

    def repeats(name: str, shift: float, *, baseline: bool = False) -> list[RunRows]:
        policy = NormalPolicy() if baseline else ScorePolicy(min_similarity=0.5)
        return [
            run(
                f"{name}{place}",
                [question(n, float(height)) for n, height in enumerate(np.clip(level + shift + own, 0, 1))],
                retrieval=policy, baseline=baseline, repeat=place + 1, name=name,
            )
            for place, own in enumerate(rng.normal(0, 0.15, (3, 40)))
        ]  # fmt: skip

    analysis = analyse([*repeats("base", 0.0, baseline=True), *repeats("one", 0.03)])
    (found,) = analysis.verdict.conclusions
    assert found.verdict.kind == "cannot_tell"
    assert found.repeats is not None
    planned = {number.name: number.value for number in found.repeats.numbers}
    assert list(planned) == ["questions_1", "questions_2", "questions_3", "questions_5"]
    # Three repeats are what the sweep has: the plan for them is the verdict's own.
    of_verdict = next(number.value for number in found.numbers if number.name == "questions_to_ask")
    assert planned["questions_3"] == pytest.approx(of_verdict, abs=1)
    assert planned["questions_1"] > planned["questions_2"] > planned["questions_3"] > planned["questions_5"]
    for result in analysis.configurations:
        assert result.consistency is not None
        assert (result.consistency.repeats, result.consistency.questions) == (3, 40)
        assert 0 < result.consistency.flipped.value < 1
    table = tables_of_sweep(analysis, None, questions=40)["consistency"]
    assert [row[1] for row in table.rows] == ["base", "one"]
    once = analyse([repeats("base", 0.0, baseline=True)[0], repeats("one", 0.03)[0]])
    assert once.verdict.conclusions[0].repeats is None
    assert {result.consistency for result in once.configurations} == {None}
