"""Reads a judged column of a sweep as the primary metric of its verdict, with the labels that correct it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256

import numpy as np

from passer.domain.analysis.question_across import JudgedValue
from passer.domain.bundle.judged_document import JudgementRecord
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.corrected import FEWEST
from passer.domain.judging.judgement import JUDGE_OPTIONS, NamedJudge
from passer.domain.lru_cache import LruCache
from passer.domain.models.model import is_same_model
from passer.domain.score import Score
from passer.domain.statistics import mean_of
from passer.domain.sweeps.run import RunState
from passer.domain.verdict.judged_rule import DrawnLabels, JudgedBy, JudgedColumn, JudgeStatus
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics.judged import check_decides, decides
from passer.ports import JudgementStore, LabelStore, MarkSum, StoredSweep
from passer.services.analysis.verdict.judged_column_reader import JudgedScores, JudgeReplies
from passer.services.judging.answers import first_marks, score_of
from passer.services.judging.calibration import Calibrator, ColumnCalibration
from passer.services.judging.items import AT_ONCE, ItemKey, ItemSource

MOST_KEPT = 64
"""Assessments whose means are kept in memory."""
BIAS_ALPHA = 0.05
"""Level of the test that the judge's bias differs between a configuration and the first one."""


@dataclass(frozen=True)
class JudgedColumns:
    """Reads judged columns."""

    judgements: JudgementStore
    labels: LabelStore
    items: ItemSource
    calibrator: Calibrator
    kept_means: LruCache[tuple[str, tuple[MarkSum, ...]], tuple[JudgedValue, ...]] = field(
        default_factory=lambda: LruCache(MOST_KEPT), compare=False
    )
    """Cached means of assessments, valid as long as their marks stay: readers go from question to question."""

    def of(self, sweep_id: str, assessment_id: str, column: str | None) -> JudgedColumn:
        """Return a column of an assessment, by default its first one that can decide.

        Raises InputError if it cannot decide a verdict, and NotFoundError if the assessment does not exist.
        """
        assessment = self.judgements.assessment(assessment_id)
        if assessment.sweep_id != sweep_id:
            said = sentence("judging.other-sweep", assessment=assessment_id, sweep=assessment.sweep_id or "")
            raise InputError(said, field="assessment")
        columns = assessment.spec.columns
        name = column or next(filter(decides, columns), columns[0])
        if name not in columns:
            raise InputError(sentence("labels.no-column", column=name, columns=", ".join(columns)), field="primary")
        check_decides(name, field="primary")
        return self._of(assessment, name)

    def recorded(self, stored: StoredSweep) -> JudgedColumn | None:
        """Return the column that the sweep recorded as its primary metric; None if it recorded no judge.

        It has no values, and says that it waits, until every answer of the finished sweep is judged.
        """
        sweep = stored.sweep
        if sweep.judge is None or sweep.primary is None:
            return None
        assessment = recorded_assessment(stored, self.judgements.assessments(stored.id))
        runs = tuple(run.id for run in stored.runs)
        if assessment is not None and self._is_complete(assessment.id, runs, sweep.primary):
            return replace(self._of(assessment, sweep.primary), is_recorded=True)
        return JudgedColumn(
            by=JudgedBy(
                assessment="" if assessment is None else assessment.id, judge=sweep.judge.name, status="waiting"
            ),
            column=sweep.primary,
            scores={},
            labels=None,
            is_recorded=True,
        )

    def version(self, stored: StoredSweep) -> Hashable:
        """Return a value that changes with the recorded column and the labels of its answers; None without a judge."""
        if stored.sweep.judge is None:
            return None
        found = recorded_assessment(stored, self.judgements.assessments(stored.id))
        if found is None:
            return ""
        draws = tuple(draw.id for draw in self.labels.draws(found.id))
        return found.id, self.judgements.mark_sums(found.id), tuple(self.labels.rated(found.id).items()), draws

    def of_question(self, sweep_id: str, run_ids: Sequence[str], number: int) -> Mapping[str, tuple[JudgedValue, ...]]:
        """Return the newest value of each judged column for a question (counted from 0) of runs of a sweep, by run."""
        assessments = self.judgements.assessments(sweep_id)
        if not assessments:
            return {}
        keys = {found.place.run_id: found.key for found in self.items.keys(run_ids, number=number)}
        by_key: dict[str, dict[str, JudgedValue]] = {key: {} for key in keys.values() if key is not None}
        rated = {each.id: self.labels.rated(each.id) for each in assessments}
        for key, values in by_key.items():
            for assessment in assessments:
                judge = assessment.spec.judge.model.name
                for mark in self.judgements.marks(assessment.id, item_key=key):
                    value = JudgedValue(
                        column=mark.column,
                        judge=judge,
                        rated=rated[assessment.id].get(mark.column, 0),
                        value=mark.value,
                        reason=mark.reason,
                    )
                    if mark.repeat == 1:
                        values.setdefault(mark.column, value)
        return {run_id: tuple(by_key[key].values()) for run_id, key in keys.items() if key is not None}

    def means(self, sweep_id: str) -> tuple[JudgedValue, ...]:
        """Return the newest mean of each judged column over all answers of a sweep."""
        found: dict[str, JudgedValue] = {}
        for assessment in self.judgements.assessments(sweep_id):
            key, rated = (assessment.id, self.judgements.mark_sums(assessment.id)), self.labels.rated(assessment.id)
            for each in self.kept_means.get_or_compute(key, partial(self._means_of, assessment)):
                # Ratings may have come since the means were kept.
                found.setdefault(each.column, each.model_copy(update={"rated": rated.get(each.column, 0)}))
        return tuple(found.values())

    def _means_of(self, assessment: Assessment) -> tuple[JudgedValue, ...]:
        marks, judge = first_marks(self.judgements.marks(assessment.id)), assessment.spec.judge.model.name
        keys = [key.key for key in self.items.keys(assessment.spec.runs) if key.key is not None]
        values = {
            name: np.array([mark.value for key in keys if (mark := marks.get((key, name))) and mark.value is not None])
            for name in dict.fromkeys(name for _, name in marks)
        }
        return tuple(
            JudgedValue(column=name, judge=judge, rated=0, value=mean_of(own), reason=None)
            for name, own in values.items()
        )

    def newest(self, sweep_id: str, run_ids: Sequence[str], column: str) -> JudgedScores | None:
        """Return a column of the newest assessment that has judged every answer of these runs of a sweep."""
        found = self._judged(sweep_id, run_ids, column)
        return next((each for each in found if len(each.scores) == len(set(run_ids))), None)

    def newest_by_run(self, sweep_id: str, run_ids: Sequence[str], column: str) -> Mapping[str, JudgedScores]:
        """Return a column of the newest assessment that has judged every answer of a run, by run of a sweep."""
        found: dict[str, JudgedScores] = {}
        for each in self._judged(sweep_id, run_ids, column):
            found = {**dict.fromkeys(each.scores, each), **found}
        return found

    def _judged(self, sweep_id: str, run_ids: Sequence[str], column: str) -> Iterator[JudgedScores]:
        """Yield a column of each assessment, the newest first, of those runs of which it has judged every answer."""
        for assessment in self.judgements.assessments(sweep_id):
            spec = assessment.spec
            if column not in spec.columns:
                continue
            marks = first_marks(self.judgements.marks(assessment.id, column=column))
            scores: dict[str, dict[int, Score]] = {run_id: {} for run_id in run_ids if run_id in spec.runs}
            for each in self.items.keys(list(scores)) if scores else ():
                if each.key is None or (each.key, column) in marks:
                    scores.get(each.place.run_id, {})[each.place.number] = score_of(each, column, marks)
                else:
                    scores.pop(each.place.run_id, None)
            judge = NamedJudge(spec.judge.model.name, self.labels.rated(assessment.id).get(column, 0))
            yield JudgedScores(judge, column, scores)

    def _is_complete(self, assessment_id: str, runs: Sequence[str], column: str) -> bool:
        marked = {key for key, _ in first_marks(self.judgements.marks(assessment_id, column=column))}
        return all(found.key is None or found.key in marked for found in self.items.keys(runs))

    def _of(self, assessment: Assessment, name: str) -> JudgedColumn:
        assessment_id = assessment.id
        keys = self.items.keys(assessment.spec.runs)
        marks = first_marks(self.judgements.marks(assessment_id, column=name))
        scores: dict[str, dict[str, Score]] = {run_id: {} for run_id in assessment.spec.runs}
        judgement_keys: dict[str, dict[str, tuple[str, ...]]] = {run_id: {} for run_id in assessment.spec.runs}
        for key in keys:
            scores[key.place.run_id][key.place.question_id] = score_of(key, name, marks)
            mark = marks.get((key.key or "", name))
            if mark is not None:
                judgement_keys[key.place.run_id][key.place.question_id] = mark.judgement_keys
        calibration = next(each for each in self.calibrator.of(assessment_id).columns if each.column == name)
        labels = self._labels(calibration, keys, assessment.spec.runs, name)
        status: JudgeStatus = "corrected" if labels else "biased" if _is_biased(calibration) else "unchecked"
        judge = assessment.spec.judge.model.name
        return JudgedColumn(
            by=JudgedBy(assessment=assessment_id, judge=judge, status=status),
            column=name,
            scores=scores,
            labels=labels,
            judgement_keys=judgement_keys,
        )

    def judge_replies(self, column: JudgedColumn) -> JudgeReplies:
        """Return the judge's replies that a column follows from; a request that failed has none."""
        keys = dict.fromkeys(
            key for own in column.judgement_keys.values() for several in own.values() for key in several
        )
        found = self.judgements.judgements(list(keys))
        last = {key: each.answer_keys[-1] for key, each in found.items() if each.answer_keys}
        answers: dict[str, str] = {}
        wanted = list(dict.fromkeys(last.values()))
        for start in range(0, len(wanted), AT_ONCE):
            read = self.items.evaluations.answers(wanted[start : start + AT_ONCE])
            answers |= {key: answer.raw for key, answer in read.items()}
        records = {
            key: JudgementRecord(
                **each.model_dump(include=set(JudgementRecord.model_fields)),
                reply_digest=_digest_of_reply(answers.get(last.get(key, ""))),
            )
            for key, each in found.items()
        }
        return JudgeReplies(records, self.judgements.assessment(column.by.assessment).tasks)

    def _labels(
        self, calibration: ColumnCalibration, keys: Sequence[ItemKey], runs: Sequence[str], column: str
    ) -> DrawnLabels | None:
        """Return the labels of a rated draw that covers all runs; None without one, or with too few labels."""
        if calibration.draw is None:
            return None
        draw = self.labels.draw(calibration.draw)
        if set(draw.runs) != set(runs):
            return None
        human = self.calibrator.first_labels(sorted({key.key for key in keys if key.key}), column)
        drawn = {each.number for each in draw.questions}
        ratings: dict[str, dict[str, dict[str, float]]] = {run_id: {} for run_id in runs}
        ids: dict[int, str] = {}
        for key in keys:
            ids[key.place.number] = key.place.question_id
            # Answers that a person chose to rate are no random sample, so they estimate no others.
            if key.place.number in drawn and (own := human.get(key.key or "")):
                ratings[key.place.run_id][key.place.question_id] = own
        if min(len(own) for own in ratings.values()) < FEWEST:
            return None
        return DrawnLabels(
            ratings=ratings,
            drawn=_by_id(ids, {each.number: each.inclusion for each in draw.questions}),
            others=_by_id(ids, {each.number: each.inclusion for each in draw.others}),
            seed=draw.seed,
        )


def recorded_assessment(stored: StoredSweep, assessments: Iterable[Assessment]) -> Assessment | None:
    """Return the assessment that decides the verdict of a sweep with a recorded judge; None while there is none.

    It is the first one of all finished runs by the recorded judge with its default options: a later one with other
    seeds, with a window of another size, with a tuned task or with key facts of people would be a second draw.
    """
    wanted, finished = stored.sweep.judge, [run.finished_at for run in stored.runs]
    if wanted is None or stored.state is not RunState.FINISHED:
        return None
    since = max((at for at in finished if at is not None), default=stored.created_at)
    runs = {run.id for run in stored.runs}
    found = (
        each
        for each in assessments
        if each.created_at >= since
        and set(each.spec.runs) == runs
        and stored.sweep.primary in each.spec.columns
        and is_same_model(each.spec.judge.model, wanted)
        and each.spec.judge.options == JUDGE_OPTIONS
        and each.spec.tuned is None
        and not each.spec.key_facts
    )
    return min(found, key=lambda each: each.created_at, default=None)


def _digest_of_reply(text: str | None) -> str | None:
    return None if text is None else sha256(text.encode()).hexdigest()


def _by_id(ids: Mapping[int, str], inclusion: Mapping[int, float]) -> dict[str, float]:
    return {ids[number]: share for number, share in inclusion.items() if number in ids}


def _is_biased(calibration: ColumnCalibration) -> bool:
    differences = (run.bias_difference for run in calibration.runs)
    return any(each is not None and each.p is not None and each.p < BIAS_ALPHA for each in differences)
