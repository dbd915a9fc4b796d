"""Shares of yes corrected by labels of another sweep that the same judge assessed; named as such wherever shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from passer.domain.base import Frozen
from passer.domain.judging.agreement import people_means
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.rogan_gladen import CarriedShare, JudgeErrors, LabelledAnswer, carried_share, labelled_share
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.metrics.judged import families_of
from passer.ports import JudgementStore, LabelStore
from passer.services.judging.answers import first_labels, first_values
from passer.services.judging.items import ItemSource


class CarriedRun(Frozen):
    """One run without labels."""

    run_id: str
    """Id of the run."""
    n: int
    """Number of questions with a judged value."""
    judge_mean: float
    """Share of these to which the judge says yes."""
    corrected: CarriedShare | None
    """Corrected share; None where the other labels are too few, or the judge is no better than chance there."""


class CarriedLabels(Frozen):
    """A column without labels, corrected by those of another sweep (Rogan-Gladen)."""

    assessment_id: str
    """Id of the assessment whose answers people have rated."""
    source: str
    """Name of its sweep."""
    errors: JudgeErrors
    """Decisions of the judge on those answers."""
    runs: tuple[CarriedRun, ...]
    """Runs of the assessment that is corrected, the baseline first."""
    warnings: tuple[LocalizedText, ...]
    """Assumptions of the correction."""


@dataclass(frozen=True)
class LabelsElsewhere:
    """Finds labels of other sweeps by which a judge without labels can be corrected; read-only."""

    judgements: JudgementStore
    labels: LabelStore
    items: ItemSource

    def of(
        self, assessment: Assessment, column: str, judged: Mapping[str, Mapping[int, float]]
    ) -> CarriedLabels | None:
        """Return the runs of a column corrected by the sweep with most labels of the same judge and task.

        `judged` holds the values by run and number of the question. None for a column with other values than 0 and 1,
        and where no other sweep has labels.
        """
        values = [value for own in judged.values() for value in own.values()]
        if not values or not set(values) <= {0.0, 1.0}:
            return None
        found: list[tuple[int, Assessment, JudgeErrors]] = []
        for other in self.judgements.assessments():
            if other.sweep_id not in (None, assessment.sweep_id) and _is_alike(assessment, other, column):
                errors = self._errors(other, column)
                found.append((errors.no.n + errors.yes.n, other, errors))
        if not found:
            return None
        n, other, errors = max(found, key=lambda each: each[0])
        if not n:
            return None
        runs = tuple(_run(run_id, own, errors) for run_id, own in judged.items() if own)
        name = self.items.sweep_of(other.spec.runs).sweep.name
        warnings = [sentence("labels.elsewhere", count=n, sweep=name)]
        if any(run.corrected is None for run in runs):
            warnings.append(sentence("labels.elsewhere-useless", sweep=name))
        return CarriedLabels(assessment_id=other.id, source=name, errors=errors, runs=runs, warnings=tuple(warnings))

    def _errors(self, assessment: Assessment, column: str) -> JudgeErrors:
        """Compare the judge with people where they said 0 or 1; answers on which raters differ are left out."""
        values = first_values(self.judgements, assessment.id, column)
        trained = set(assessment.spec.tuned.trained_on) if assessment.spec.tuned else set()
        judge = {item: value for item, value in values.items() if item not in trained}
        people = people_means(first_labels(self.labels, sorted(judge), column))
        weights = self._weights(sorted(people), column)
        question = {key.key: key.place.question_id for key in self.items.keys(assessment.spec.runs)}
        no, yes = (
            labelled_share([
                LabelledAnswer(judge[item] == said, weights.get(item, 1.0), question.get(item, item))
                for item in sorted(people)
                if people[item] == said
            ])
            for said in (0.0, 1.0)
        )  # fmt: skip
        return JudgeErrors(no=no, yes=yes)

    def _weights(self, items: Sequence[str], column: str) -> dict[str, float]:
        """Return 1 / inclusion probability of each item; empty, for equal weights, if a person chose one of them."""
        known = {
            each.item_key: each.inclusion for each in self.labels.labels(items, column=column) if each.revision == 1
        }
        return {item: 1 / each for item, each in known.items() if each} if all(known.values()) else {}


def _is_alike(one: Assessment, other: Assessment, column: str) -> bool:
    """Return whether two assessments ask the same judge the same about a column."""
    if column not in other.spec.columns or other.spec.judge.options != one.spec.judge.options:
        return False
    if _identity(one) != _identity(other):
        return False
    names = {task.name for family in families_of((column,), tuned=one.spec.tuned) for task in family.tasks}
    digests = ({task.name: task.digest for task in each.tasks if task.name in names} for each in (one, other))
    return next(digests) == next(digests)


def _identity(assessment: Assessment) -> tuple[str, str, str]:
    model, digest = assessment.spec.judge.model, assessment.spec.judge_info.digest
    return model.provider, model.name, digest if digest != "unknown" else str(model.base_url)


def _run(run_id: str, values: Mapping[int, float], errors: JudgeErrors) -> CarriedRun:
    yes, n = sum(value == 1 for value in values.values()), len(values)
    return CarriedRun(run_id=run_id, n=n, judge_mean=yes / n, corrected=carried_share(yes, n, errors))
