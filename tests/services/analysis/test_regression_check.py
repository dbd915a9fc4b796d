"""`passer check`: outcomes against the sweep's own baseline and a named one, by the rule of the verdict."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

import passer
from passer.cli import regressions
from passer.domain.sweeps.sweep import Sweep
from passer.errors import InputError
from passer.services.analysis.regression_check import CheckResult, RegressionCheck
from tests.analysis_rows import sweep
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


def check_of(primary: str, **heights: list[float | None]) -> CheckResult:
    """The check of a sweep of these heights, whose first configuration is the baseline."""
    rows = sweep(**heights)
    planned = Sweep(name="s", config=rows[0].config, primary=primary)
    results: Any = SimpleNamespace(
        at_rest=lambda _: SimpleNamespace(sweep=planned),
        rows=lambda _: rows,
        run_browser=SimpleNamespace(questions=lambda _: ()),
        recorded_column=lambda _: None,
    )
    return RegressionCheck(results).check("s")


@pytest.mark.parametrize(
    ("after", "reason", "is_lower"),
    [
        ([0.0] * 40, "no_spread", True),
        ([0.0] * 37 + [1.0] * 3, "one_amount", True),
        # Three losses are few, as everywhere in the rule.
        ([1.0] * 37 + [0.0] * 3, "few_changed", False),
        ([0.0] * 10, "no_spread", False),
    ],
)
def test_a_gate_is_not_passed_by_answers_that_are_wrong_nearly_everywhere(after, reason: str, is_lower: bool):
    """Right everywhere before: the differences are -1 or 0, and too few others are left for an interval."""
    found = check_of("F1 Score", base=[1.0] * len(after), other=after)
    [other] = found.configurations
    assert (other.gain.outcome, other.gain.reason) == ("undecided", reason)
    assert (found.worse, found.lower) == ((), ("other",) if is_lower else ())
    # With ten questions there is no verdict, and that is what the gate says.
    assert bool(found.lacking) is (len(after) < 20)


def test_the_command_fails_and_names_what_is_lower(monkeypatch: pytest.MonkeyPatch, capsys):
    found = check_of("F1 Score", base=[1.0] * 40, other=[0.0] * 40)
    built = SimpleNamespace(analysis=SimpleNamespace(regression_check=SimpleNamespace(check=lambda *_, **__: found)))
    monkeypatch.setattr(regressions, "services", lambda: nullcontext(built))
    with pytest.raises(typer.Exit) as ended:
        regressions.check("s")
    assert ended.value.exit_code == 1
    assert (
        "Lower by the same amount in nearly all questions, which gives no interval: other." in capsys.readouterr().err
    )


def test_a_gate_is_passed_where_nearly_all_questions_gain_the_same():
    found = check_of("F1 Score", base=[0.0] * 40, other=[1.0] * 37 + [0.0] * 3)
    assert (found.configurations[0].gain.reason, found.lower) == ("one_amount", ())


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
