"""A judged column as the primary metric of a verdict: by the judge alone, or corrected by people's ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from passer.domain.analysis.consistency import Consistency
from passer.domain.analysis.question_table import QuestionTable
from passer.domain.score import CAUSED_BY_SYSTEM, Score
from passer.domain.verdict.family import FamilyGain, FamilyRule
from passer.domain.verdict.judged_rule import JudgeBasis, JudgedColumn
from passer.domain.verdict.label_gains import label_corrected_gains, labelled_differences
from passer.domain.verdict.verdict import Verdict
from passer.domain.wording.sentence import Sentence, sentence
from passer.services.analysis.verdict.primary_metric import PrimaryMetric

WORST = 0.0
"""Value of an answer whose judged value the system itself lost, such as an empty one; judged columns are in [0, 1]."""


@dataclass(frozen=True)
class JudgedMetric(PrimaryMetric):
    """A judged column, question by question."""

    judged: JudgedColumn = field(kw_only=True)
    """The column with its scores and labels."""

    @cached_property
    def table(self) -> QuestionTable:
        """Return the judge's values; what the system lost counts as 0, what measuring lost is left out."""
        return self._tabulated({run: _values(scores) for run, scores in self.judged.scores.items()})

    @property
    def is_cps(self) -> bool:
        return False

    @property
    def is_by_question(self) -> bool:
        return self.judged.labels is None

    def family(self, comparisons: Sequence[tuple[int, int]], rule: FamilyRule) -> tuple[FamilyGain, ...]:
        """Judge comparisons as one family; with labels by the corrected gains."""
        labels = self.judged.labels
        if labels is None:
            return super().family(comparisons, rule)
        runs = [configuration.sources for configuration in self.found.rows.configurations]
        given = labelled_differences(
            self.gains(comparisons),
            labels,
            self.table.ids,
            [(runs[own], runs[base]) for own, base in comparisons],
            weights=self.weights,
        )
        return label_corrected_gains(given, rule, clusters=self.clusters)

    def consistency(self, place: int, right_from: float | None) -> Consistency | None:
        """Return None: how far a judged column varies from repeat to repeat is shown by its assessment."""
        return None

    def within_sd(self, place: int) -> float | None:
        return self.table.within_sd(place)

    @property
    def _column(self) -> int:
        return 0

    @property
    def _sign(self) -> float:
        # All judged columns are better when they are higher.
        return 1.0

    def _tabulated(self, by_run: Mapping[str, Mapping[str, float]]) -> QuestionTable:
        ids, places, values = [], [], []
        for place, configuration in enumerate(self.found.rows.configurations):
            for run_id in configuration.sources:
                for question, value in by_run.get(run_id, {}).items():
                    ids.append(question)
                    places.append(place)
                    values.append(value)
        return QuestionTable.averaged(
            ids,
            np.array(places, dtype=np.intp),
            np.array(values, dtype=np.float64).reshape(-1, 1),
            configurations=self.found.rows.configurations,
            metrics=(self.name,),
            weights=self.found.rows.weights,
        )

    def basis(self, verdict: Verdict) -> JudgeBasis:
        """Return the judge of a verdict in words."""
        column, labelled = self.judged, self._labelled
        scores = [score for own in column.scores.values() for score in own.values()]
        judged = sum(score.value is not None for score in scores)
        return JudgeBasis(
            **column.by.model_dump(),
            column=column.column,
            labelled=labelled,
            judged=judged,
            answers=len(scores),
            heading=self._heading(verdict),
            line=sentence(
                f"judge.{column.by.status}", judge=column.by.judge, judged=judged, answers=len(scores), n=labelled
            ),
        )

    def with_judge(self, line: Sentence) -> Sentence:
        """Return a comparison with the judge's name and how well it was calibrated."""
        return sentence("judge.says", judge=self.judged.by.judge, checked=self._checked, line=line)

    @property
    def _labelled(self) -> int:
        """Number of questions whose ratings correct the gains."""
        labels = self.judged.labels
        if labels is None:
            return 0
        return len({each for own in labels.values.values() for each in own} & set(labels.drawn))

    @property
    def _checked(self) -> Sentence:
        if self.judged.labels is None:
            return sentence("judge.by-nobody")
        return sentence("judge.by-labels", n=self._labelled)

    def _heading(self, verdict: Verdict) -> Sentence:
        judge = self.judged.by.judge
        if verdict.kind == "no_verdict":
            return sentence("judge.heading-no_verdict", judge=judge)
        return sentence(f"judge.heading-{verdict.kind}", judge=judge, checked=self._checked)


def _values(scores: Mapping[str, Score]) -> dict[str, float]:
    return {
        question: WORST if score.value is None else score.value
        for question, score in scores.items()
        if score.value is not None or score.reason in CAUSED_BY_SYSTEM
    }
