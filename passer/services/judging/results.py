"""Results of assessments: means, reasons for missing values, the judge's noise, single judgements."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from passer.domain.base import Frozen
from passer.domain.judging.agreement import people_means
from passer.domain.judging.assessment import Assessment, AssessmentSpec
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.kinship import assessment_warnings
from passer.domain.judging.marks import Mark
from passer.domain.judging.other_script import is_noted
from passer.domain.models.answer import Answer, Prompt
from passer.domain.score import ScoreTable
from passer.domain.share_intervals import column_interval
from passer.domain.statistics import mean_of, spearman_rho
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import ConflictError, NotFoundError
from passer.metrics.judged import families_of, info_of, only_measures
from passer.ports import EvaluationStore, JudgementStore, LabelStore, WorkStore
from passer.services.judging.answers import first_labels, first_marks, score_of
from passer.services.judging.items import ItemKey, ItemSource
from passer.services.judging.labelling import questions_trained_on
from passer.services.judging.leaked_criteria import leaked_criteria


class JudgedCell(Frozen):
    """Summary of one judged column of one run."""

    run_id: str
    """Id of the run, or name of the dataset."""
    column: str
    """Name of the judged metric."""
    questions: int
    """Number of questions of the run."""
    judged: int
    """Number of these questions that have a value."""
    mean: float | None
    """Mean of the values, weighted as the dataset states; None if there are none, or until the sweep ends."""
    low: float | None
    """Lower end of its 95 % interval over questions; None below two values."""
    high: float | None
    """Upper end of the interval."""
    reasons: dict[str, int]
    """Questions without a value, counted by reason; the counts and `judged` sum to `questions`."""


class JudgedColumn(Frozen):
    """Labels and noise of one column of an assessment."""

    column: str
    """Name of the judged metric."""
    labels: int
    """Judged items of this assessment that a person has labelled in this column."""
    rho: float | None
    """Spearman's rank correlation of judge and people over them, first labels only; None where it is not defined."""
    changed: float | None
    """Share of items whose value differs between repeats; None without repeats."""
    spread: float | None
    """Standard deviation within items over repeats (ddof 1, pooled); None without repeats."""
    warnings: tuple[LocalizedText, ...]
    """Warnings about the values of this column."""


class AssessmentTable(Frozen):
    """Results of an assessment as a table of runs and columns."""

    assessment: Assessment
    """The assessment: runs, judge and columns."""
    columns: tuple[JudgedColumn, ...]
    """Labels and noise of each column."""
    cells: tuple[JudgedCell, ...]
    """Cells in order of runs, then of columns."""
    warnings: tuple[LocalizedText, ...]
    """Warnings about the judge."""


class ReadJudgement(Frozen):
    """A judgement with its prompt and the judge's replies."""

    judgement: Judgement
    """The judgement as it was parsed."""
    prompt: Prompt | None
    """The prompt of the first attempt."""
    replies: tuple[Answer, ...]
    """The replies verbatim, with tokens and seconds."""


class _Values(NamedTuple):
    first: dict[tuple[str, str], Mark]
    """Marks of the first repeat, by item and column."""
    repeats: dict[str, dict[str, list[float]]]
    """Values of all repeats by column and item."""


@dataclass(frozen=True)
class AssessmentResults:
    """Reads the results of assessments."""

    judgements: JudgementStore
    evaluations: EvaluationStore
    labels: LabelStore
    items: ItemSource
    work: WorkStore

    def state(self, assessment_id: str) -> RunState | None:
        """Return the state of an assessment; None if its work was never queued."""
        with suppress(NotFoundError):
            return self.work.find(assessment_id).state
        return None

    def table(self, assessment_id: str) -> AssessmentTable:
        """Return means, reasons for missing values and noise of an assessment, also while it runs.

        Means are withheld until its sweep has ended, as all figures that compare configurations.
        """
        assessment = self.judgements.assessment(assessment_id)
        if assessment.spec.arena is not None:
            raise ConflictError(sentence("arena.is-arena", assessment=assessment_id))
        if assessment.spec.drafting is not None:
            raise ConflictError(sentence("drafts.is-drafting", assessment=assessment_id))
        if assessment.spec.tuning is not None:
            raise ConflictError(sentence("tuning.is-tuning", tuning=assessment_id))
        is_early = bool(assessment.spec.runs) and not self.items.sweep_of(assessment.spec.runs).state.is_final
        values, rated = _values(self.judgements.marks(assessment_id)), self.labels.rated(assessment_id)
        keys, weights = self.items.keys_of_spec(assessment.spec), self.items.weights_of_spec(assessment.spec)
        cells = tuple(
            _cell(run_id, column, [key for key in keys if key.place.run_id == run_id], values.first, weights[run_id])
            for run_id in assessment.spec.rows
            for column in assessment.spec.columns
        )
        return AssessmentTable(
            assessment=assessment,
            columns=tuple(
                _column(column, values, rated.get(column, 0), people=self._people(assessment.spec, keys, column))
                for column in assessment.spec.columns
            ),
            cells=tuple(map(_without_mean, cells)) if is_early else cells,
            warnings=(
                *((sentence("verdict.withheld"),) if is_early else ()),
                *self._warnings(assessment),
                *((sentence("judging.weighted"),) if any(weights.values()) else ()),
            ),
        )

    def scores(self, assessment_id: str, run_id: str) -> ScoreTable:
        """Return the judged columns of a run as a separate table, question by question."""
        assessment = self.judgements.assessment(assessment_id)
        values = _values(self.judgements.marks(assessment_id)).first
        keys = self.items.keys((run_id,))
        rows = [{column: score_of(key, column, values) for column in assessment.spec.columns} for key in keys]
        return ScoreTable.of([key.place.question_id for key in keys], rows, assessment.spec.columns)

    def judgement(self, key: str) -> ReadJudgement:
        """Return a judgement with its prompt and replies. Raises NotFoundError if it does not exist."""
        found = self.judgements.judgements([key]).get(key)
        if found is None:
            raise NotFoundError(sentence("judging.no-judgement", judgement=key))
        answers = self.evaluations.answers(found.answer_keys)
        return ReadJudgement(
            judgement=found,
            prompt=self.evaluations.prompt(found.prompt_digest),
            replies=tuple(answers[each] for each in found.answer_keys if each in answers),
        )

    def _people(self, spec: AssessmentSpec, keys: Sequence[ItemKey], column: str) -> dict[str, float]:
        """Return the mean of people's first labels by item; without the answers by which the judge's task was tuned."""
        trained = questions_trained_on(spec, keys)
        known = {key.key for key in keys if key.key is not None and key.place.number not in trained}
        return people_means(first_labels(self.labels, sorted(known), column))

    def _warnings(self, assessment: Assessment) -> tuple[LocalizedText, ...]:
        if assessment.spec.makes_marks and only_measures(families_of(assessment.spec.columns)):
            return ()
        spec, instructions = assessment.spec, [task.instruction for task in assessment.tasks]
        found = assessment_warnings(spec, self.items.answerers_of_spec(spec))
        return (*found, *leaked_criteria(self.items, spec.runs, instructions))


def _column(column: str, values: _Values, rated: int, *, people: Mapping[str, float]) -> JudgedColumn:
    judged = {item: mark.value for (item, name), mark in values.first.items() if name == column}
    own = [value for value in judged.values() if value is not None]
    both = [(people[item], value) for item, value in sorted(judged.items()) if value is not None and item in people]
    # Any label counts here; whether labels suffice to correct means is for the calibration.
    warnings = [] if rated else [sentence("judging.uncalibrated")]
    if len(own) > 1 and len(set(own)) == 1:
        warnings.append(sentence("judging.no-information"))
    notes = [mark.note for (_, name), mark in values.first.items() if name == column]
    if other := sum(map(is_noted, notes)):
        warnings.append(sentence("judging.other-script", count=other, total=len(notes)))
    changed, spread = _noise(values.repeats.get(column, {}))
    return JudgedColumn(
        column=column,
        labels=rated,
        rho=spearman_rho(*np.array(both, dtype=np.float64).T) if both else None,
        changed=changed,
        spread=spread,
        warnings=tuple(warnings),
    )


def _values(marks: Sequence[Mark]) -> _Values:
    repeats: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for mark in marks:
        if mark.value is not None:
            repeats[mark.column][mark.item_key].append(mark.value)
    return _Values(first_marks(marks), repeats)


def _cell(
    run_id: str,
    column: str,
    keys: Sequence[ItemKey],
    values: dict[tuple[str, str], Mark],
    weights: Mapping[str, float],
) -> JudgedCell:
    scores = [score_of(key, column, values) for key in keys]
    known = [place for place, score in enumerate(scores) if score.value is not None]
    found = np.array([scores[place].value for place in known], dtype=np.float64)
    own = np.array([weights[keys[place].place.question_id] for place in known]) if weights else None
    reasons = Counter(score.reason for score in scores if score.reason is not None)
    ci = column_interval(found, own, info_of(column).bounds)
    return JudgedCell(
        run_id=run_id,
        column=column,
        questions=len(keys),
        judged=len(found),
        mean=mean_of(found, own),
        low=ci.low if ci else None,
        high=ci.high if ci else None,
        reasons=dict(sorted(reasons.items())),
    )


def _without_mean(cell: JudgedCell) -> JudgedCell:
    return cell.model_copy(update={"mean": None, "low": None, "high": None})


def _noise(by_item: Mapping[str, Sequence[float]]) -> tuple[float | None, float | None]:
    """Return the share of items whose repeats differ, and the pooled standard deviation within items."""
    repeated = [values for values in by_item.values() if len(values) > 1]
    if not repeated:
        return None, None
    changed = sum(len(set(values)) > 1 for values in repeated) / len(repeated)
    squares = sum(float(np.var(values, ddof=1)) * (len(values) - 1) for values in repeated)
    return changed, float(np.sqrt(squares / sum(len(values) - 1 for values in repeated)))
