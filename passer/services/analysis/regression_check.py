"""Regression check of a sweep against a baseline, by the rule of the verdict: a gate for continuous integration."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from pydantic import Field

from passer.domain.analysis.analysis import SweepAnalysis
from passer.domain.analysis.choices import SweepChoices
from passer.domain.analysis.run_rows import RunRows
from passer.domain.base import Frozen
from passer.domain.sweeps.run_names import current_name
from passer.domain.verdict.family import FamilyGain
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import InputError, NotFoundError
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.verdict.primary_metric import recorded_rule


class CheckedConfiguration(Frozen):
    """A configuration compared with the baseline."""

    name: LocalizedText
    """Name in the sweep."""
    model: LocalizedText
    """Its model."""
    gain: FamilyGain
    """Difference from the baseline, its simultaneous interval, and the outcome."""
    is_lower_by_one_amount: bool = False
    """True if it has a verdict, and is lower by the same amount in nearly all questions. Such a difference has no
    interval and no outcome, but a baseline that is right everywhere beside answers that are wrong everywhere is one."""


class CheckResult(Frozen):
    """Outcome of a check."""

    sweep_id: str
    """Id of the sweep."""
    baseline: LocalizedText | None
    """The named baseline; None where each model was compared with its own."""
    primary: str
    """CPS, or one column."""
    margin: float
    """Smallest difference that matters."""
    configurations: tuple[CheckedConfiguration, ...] = Field(min_length=1)
    """The configurations that were compared."""
    too_few: bool
    """True if some comparison has fewer questions than a verdict needs."""
    lacking: tuple[LocalizedText, ...] = ()
    """Why there is no verdict, for each model without one: too few questions, or too many that failed."""

    @property
    def worse(self) -> tuple[str, ...]:
        """Return the configurations whose interval is completely below 0."""
        return tuple(each.name for each in self.configurations if each.gain.outcome == "worse")

    @property
    def lower(self) -> tuple[str, ...]:
        """Return the configurations that have no interval, and are lower in nearly all questions."""
        return tuple(each.name for each in self.configurations if each.is_lower_by_one_amount)

    @property
    def not_as_good(self) -> tuple[str, ...]:
        """Return the configurations that may be worse by the margin: neither better nor as good nor identical."""
        return tuple(each.name for each in self.configurations if each.gain.outcome in ("worse", "undecided"))


@dataclass(frozen=True)
class RegressionCheck:
    """Compares every configuration of a sweep with one baseline."""

    sweep_results: SweepResults

    def check(self, sweep_id: str, *, against: str | None = None, margin: float | None = None) -> CheckResult:
        """Return the outcome for each configuration.

        `against` names a configuration of the sweep, or is the id of a run of this or another sweep of the same
        dataset; without it each model's own baseline counts. `margin` replaces the recorded one. ConflictError where
        the runs cannot be compared or the sweep is not at rest, InputError where there is no such baseline or nothing
        to compare.
        """
        stored = self.sweep_results.at_rest(sweep_id)
        rows = self.sweep_results.rows(sweep_id)
        if against is not None and not any(current_name(against) in (row.name, row.run_id) for row in rows):
            rows = [*rows, *self._other_run(against)]
        found = analyse(
            rows,
            SweepChoices(margin=margin),
            baseline=against,
            recorded=recorded_rule(stored.sweep),
            questions=self.sweep_results.run_browser.questions(stored),
            judged=self.sweep_results.recorded_column(stored),
        )
        lacking = {each.model: each.headed for each in found.verdict.conclusions if each.verdict.kind == "no_verdict"}
        compared = _checked(found, lacking)
        if not compared:
            raise InputError(sentence("analysis.nothing-to-compare", sweep=sweep_id), field="against")
        models = {each.model for each in compared}
        return CheckResult(
            sweep_id=sweep_id,
            baseline=against,
            primary=found.rule.primary,
            margin=found.rule.margin,
            configurations=compared,
            too_few=any(each.gain.pairs < found.rule.fewest_pairs for each in compared),
            lacking=tuple(reason for model, reason in lacking.items() if model in models),
        )

    def _other_run(self, against: str) -> list[RunRows]:
        other = against.rpartition("-")[0]
        try:
            found = [row for row in self.sweep_results.rows(other) if row.run_id == against] if other else []
        except NotFoundError:
            found = []
        if not found:
            raise InputError(
                sentence("analysis.no-configuration-or-run", name=against),
                field="against",
            )
        return found


def _checked(found: SweepAnalysis, lacking: Container[str]) -> tuple[CheckedConfiguration, ...]:
    """Return what is compared; the models that are `lacking` have no verdict."""
    return tuple(
        CheckedConfiguration(
            name=each.name,
            model=each.model,
            gain=each.comparison.judged,
            is_lower_by_one_amount=each.model not in lacking and _is_lower(each.comparison.judged),
        )
        for each in found.configurations
        if each.comparison is not None
    )


def _is_lower(gain: FamilyGain) -> bool:
    """Return whether a gain without an interval, because most questions differ by one amount, is a loss."""
    if gain.reason not in ("one_amount", "no_spread"):
        return False
    # Without any spread the mean is the amount.
    amount = gain.gain if gain.amount is None else gain.amount
    return (gain.gain or 0.0) < 0 and (amount or 0.0) < 0
