"""The configurations of a study, question by question: what all tests of a study begin with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passer.domain.statistics import ByQuestion, Floats, average_by_question


@dataclass(frozen=True, eq=False)
class Arm:
    """One configuration, a question's rows averaged."""

    model: str
    """Label."""
    threshold: float | None
    """None is the baseline."""
    cps: ByQuestion
    """CPS of each question."""
    scores: Floats
    """The panel's metrics of the same questions, shape (questions, metrics), not normalised."""
    noise: float | None = None
    """Standard deviation of CPS over repetitions of a question; None where most questions are asked once."""


@dataclass(frozen=True, eq=False)
class ModelArms:
    """A model with its baseline and thresholds, ascending."""

    model: str
    baseline: Arm
    arms: tuple[Arm, ...]

    @property
    def thresholds(self) -> tuple[float, ...]:
        """Of the arms."""
        return tuple(arm.threshold for arm in self.arms if arm.threshold is not None)

    def complete(self) -> Floats:
        """Scores of the questions that all configurations have, shape (1 + arms, questions, metrics)."""
        lookups = [{q: place for place, q in enumerate(arm.cps.ids)} for arm in (self.baseline, *self.arms)]
        shared = [question for question in self.baseline.cps.ids if all(question in lookup for lookup in lookups)]
        return np.stack(
            [
                arm.scores[[lookup[question] for question in shared]].reshape(len(shared), arm.scores.shape[1])
                for arm, lookup in zip((self.baseline, *self.arms), lookups, strict=True)
            ]
        )


def arm_of(model: str, threshold: float | None, *, keys: Sequence[str], cps: Floats, scores: Floats) -> Arm:
    """From rows: `cps` of shape (rows,) and `scores` of shape (rows, metrics)."""
    by_question = average_by_question(keys, cps)
    columns = [average_by_question(keys, scores[:, place]).values for place in range(scores.shape[1])]
    noise = _noise(keys, cps, by_question)
    return Arm(model=model, threshold=threshold, cps=by_question, scores=np.column_stack(columns), noise=noise)


def _noise(keys: Sequence[str], cps: Floats, averages: ByQuestion) -> float | None:
    """Pooled over the questions; a few that stand twice by accident are no repetition."""
    if not averages.ids or 2 * averages.repeated < len(averages.ids):
        return None
    means = dict(zip(averages.ids, averages.values, strict=True))
    rest = cps - np.array([means[key] for key in keys])
    return float(np.sqrt((rest**2).sum() / (len(keys) - len(averages.ids))))


def by_model(arms: Sequence[Arm]) -> list[ModelArms]:
    """Models that have a baseline and at least one threshold, in the order of their first arm."""
    found = []
    for model in dict.fromkeys(arm.model for arm in arms):
        baselines = [arm for arm in arms if arm.model == model and arm.threshold is None]
        others = [arm for arm in arms if arm.model == model and arm.threshold is not None]
        if len(baselines) == 1 and others:
            ordered = tuple(sorted(others, key=lambda arm: arm.threshold or 0.0))
            found.append(ModelArms(model=model, baseline=baselines[0], arms=ordered))
    return found


def side_by_side(gains: Sequence[ByQuestion]) -> tuple[Floats, NDArray[np.bool_]]:
    """Gains of several comparisons over all questions, shape (questions, comparisons), and where there is one."""
    places = {question: place for place, question in enumerate(dict.fromkeys(q for gain in gains for q in gain.ids))}
    differences = np.zeros((len(places), len(gains)))
    present = np.zeros(differences.shape, dtype=bool)
    for column, gain in enumerate(gains):
        rows = [places[question] for question in gain.ids]
        differences[rows, column] = gain.values
        present[rows, column] = True
    return differences, present
