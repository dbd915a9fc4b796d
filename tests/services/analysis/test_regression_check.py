"""`passer check`: outcomes against the sweep's own baseline and a named one, by the rule of the verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import passer
from passer.errors import InputError
from passer.services.analysis.regression_check import RegressionCheck
from tests.studies import PublishedSweep


@pytest.fixture(scope="module")
def made() -> PublishedSweep:
    return PublishedSweep()


def test_the_outcomes_are_those_of_the_verdict(made: PublishedSweep):
    found = RegressionCheck(made.composer.sweep_results).check(made.sweep.id)
    judged = made.composer.sweep_results.analyse(made.sweep.id)
    expected = {each.name: each.comparison.judged for each in judged.configurations if each.comparison}
    assert {each.name: each.gain for each in found.configurations} == expected
    assert found.worse == tuple(name for name, gain in expected.items() if gain.outcome == "worse")
    assert (found.margin, found.too_few) == (0.02, False)


def test_a_baseline_is_named_by_name_or_run(made: PublishedSweep):
    check, last = RegressionCheck(made.composer.sweep_results), made.stored.runs[-1]
    by_name = check.check(made.sweep.id, against=last.name, margin=0.1)
    by_run = check.check(made.sweep.id, against=last.id, margin=0.1)
    assert by_name.configurations == by_run.configurations
    assert {each.name for each in by_name.configurations} == {run.name for run in made.stored.runs[:-1]}
    assert by_name.margin == 0.1
    with pytest.raises(InputError, match="no run with this id"):
        check.check(made.sweep.id, against="ffffffffffff-000")


def test_a_gate_is_not_passed_by_answers_that_failed(tmp_path: Path):
    """The 20 answers that are left are as good, and nobody knows the others."""
    asked = {f"What is fact {n}?": f"Fact {n} is number {n}." for n in range(40)}
    rows = [{"question": question, "reference": reference} for question, reference in asked.items()]
    (tmp_path / "facts.json").write_text(json.dumps(rows))

    def fragile(question: str) -> str:
        if int(question.split()[-1][:-1]) % 2:
            raise RuntimeError("no answer")
        return asked[question]

    with passer.open(tmp_path / "home") as home:
        home.import_dataset(tmp_path / "facts.json")
        sweep = home.evaluate({"before": asked.__getitem__, "after": fragile}, "facts")
        found = home.services.analysis.regression_check.check(sweep)
    assert (found.worse, found.not_as_good, found.too_few) == ((), (), False)
    assert found.lacking == ("No verdict yet. 20 of 40 questions failed with after.",)
