"""`passer check`: outcomes against the sweep's own baseline and a named one, by the rule of the verdict."""

from __future__ import annotations

import pytest

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
