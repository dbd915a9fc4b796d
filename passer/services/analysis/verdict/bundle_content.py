"""The verdict of a finished sweep with the values that it follows from, for the bundles of its runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from passer.domain.analysis.choices import AS_USUAL
from passer.domain.analysis.composites import Composites, composed
from passer.domain.analysis.run_rows import RunRows
from passer.domain.bundle.judged_document import JudgedRecord, JudgedRunRecord, MarkRecord, RatingsRecord
from passer.domain.bundle.ratings import drawn_labels, ratings_record
from passer.domain.bundle.verdict_document import (
    BoundRecord,
    CompositeRecord,
    ConclusionRecord,
    ConfigurationRecord,
    CorrectedRecord,
    GainRecord,
    LookRecord,
    RuleRecord,
    RunRecord,
    VerdictContent,
)
from passer.domain.bundle.verdict_versions import format_of, old_format
from passer.domain.dataset import Question
from passer.domain.score import Score
from passer.domain.verdict.judged_rule import DrawnLabels, JudgedBy, JudgedColumn
from passer.domain.verdict.label_gains import label_corrected_means, labelled_values
from passer.domain.verdict.verdict import Verdict, VerdictRule
from passer.services.analysis.comparability import Group
from passer.services.analysis.verdict.judged_column_reader import NO_REPLIES, JudgeReplies
from passer.services.analysis.verdict.judgement import Judgement, Study, prepare
from passer.services.analysis.verdict.model_verdicts import costs_of, counts_of
from passer.services.analysis.verdict.primary_metric import PrimaryMetric

RunDigest = Callable[[str], str | None]
"""Returns the digest of a run's recorded manifest; None where it is not recorded."""


@dataclass(frozen=True)
class VerdictSource:
    """What the verdict of a finished sweep, or of an import, follows from."""

    sweep_id: str
    conclusion_digest: str
    """The digest that the sweep's page states."""
    rows: Sequence[RunRows]
    questions: Sequence[Question]
    recorded: VerdictRule
    judged: JudgedColumn | None = None
    """The judged column that is the primary metric; None for CPS and the 24 columns."""
    replies: JudgeReplies = NO_REPLIES
    """The judge's replies that the judged column follows from."""

    def content(self, digest_of_run: RunDigest) -> VerdictContent:
        """Return what verdict.json states; errors as in `analyse`."""
        prepared = prepare(self.rows, AS_USUAL, recorded=self.recorded, questions=self.questions, judged=self.judged)
        study = prepared.study
        judgement = study.judged(composed(prepared.rows, prepared.rules))
        primary = judgement.primary
        weights = None if primary.weights is None else tuple(primary.weights.tolist())
        gains = _gains(judgement)
        return VerdictContent(
            format=(
                old_format(is_judged=self.judged is not None, is_weighted=weights is not None)
                if self.recorded.old_rank
                else format_of(
                    study.rule.cost,
                    is_judged=self.judged is not None,
                    is_rated=self.judged is not None and self.judged.labels is not None,
                    has_one_amount=any(each.reason == "one_amount" for each in gains),
                )
            ),
            sweep_id=self.sweep_id,
            conclusion_digest=self.conclusion_digest,
            exploratory=prepared.exploratory,
            rule=RuleRecord(**study.rule.model_dump(include=set(RuleRecord.model_fields))),
            composite=_composite(primary.found),
            questions=primary.table.ids,
            clusters=primary.clusters,
            weights=weights,
            judged=self._judged(study, primary),
            look=_look(primary),
            configurations=_configurations(study.groups, judgement, study.rule, digest_of_run),
            gains=gains,
            conclusions=tuple(_conclusion(model, verdict) for model, verdict in judgement.verdicts.items()),
        )

    def _judged(self, study: Study, primary: PrimaryMetric) -> JudgedRecord | None:
        column = self.judged
        if column is None or column.by.status == "waiting":
            return None
        places: dict[str, int] = {}
        runs = [run.run_id for group in study.groups for run in group.runs]
        marks = {run_id: tuple(self._mark(column, run_id, each, places) for each in study.asked) for run_id in runs}
        judgements = [self.replies.judgements[key] for key in places]
        used = {each.task for each in judgements}
        return JudgedRecord(
            **column.by.model_dump(),
            column=column.column,
            questions=tuple(study.asked),
            tasks=tuple(task for task in self.replies.tasks if task.name in used),
            runs=tuple(JudgedRunRecord(id=run_id, marks=own) for run_id, own in marks.items()),
            judgements=tuple(judgements),
            ratings=None if column.labels is None else _ratings(column.labels, study, primary, runs),
        )

    def _mark(self, column: JudgedColumn, run_id: str, question: str, places: dict[str, int]) -> MarkRecord:
        """Return a mark; judgements that it is the first to use get the next place."""
        score = column.scores.get(run_id, {}).get(question, Score(value=None, reason="not_requested"))
        keys = column.judgement_keys.get(run_id, {}).get(question, ())
        if any(key not in self.replies.judgements for key in keys):
            # A request that the server failed is not kept, so that the other replies alone lead to nothing.
            keys = ()
        positions = tuple(places.setdefault(key, len(places)) for key in keys)
        return MarkRecord(value=score.value, reason=score.reason, judgements=positions)


def _ratings(labels: DrawnLabels, study: Study, primary: PrimaryMetric, runs: Sequence[str]) -> RatingsRecord:
    values, of_each = (
        primary.values(range(len(study.groups))),
        [[run.run_id for run in each.runs] for each in study.groups],
    )
    given = labelled_values(values, labels, primary.table.ids, of_each, weights=primary.weights)
    return ratings_record(labels, study.asked, runs, label_corrected_means(given, clusters=primary.clusters))


def judged_column_of(judged: JudgedRecord) -> JudgedColumn:
    """Return the judged column that a whole document states; ValueError where it cannot be one."""
    by_run = {run.id: dict(zip(judged.questions, run.marks, strict=True)) for run in judged.runs}
    return JudgedColumn(
        by=JudgedBy(assessment=judged.assessment, judge=judged.judge, status=judged.status),
        column=judged.column,
        scores={
            run: {each: Score(value=mark.value, reason=mark.reason) for each, mark in marks.items()}
            for run, marks in by_run.items()
        },
        labels=drawn_labels(judged),
        judgement_keys={
            run: {each: tuple(judged.judgements[place].key for place in mark.judgements) for each, mark in own.items()}
            for run, own in by_run.items()
        },
        is_recorded=True,
    )


def replies_of(judged: JudgedRecord) -> JudgeReplies:
    """Return the replies that a document states."""
    return JudgeReplies({each.key: each for each in judged.judgements}, judged.tasks)


def _composite(found: Composites) -> CompositeRecord:
    bounds = {each.metric: each for each in found.pools[0].constants}
    metrics = (
        BoundRecord(
            **each.model_dump(), minimum=bounds[each.metric].minimum, maximum=bounds[each.metric].maximum
        )
        for each in found.panel.metrics
    )  # fmt: skip
    return CompositeRecord(panel=found.panel.name, clips=found.rules.clips, metrics=tuple(metrics))


def _look(primary: PrimaryMetric) -> LookRecord | None:
    looks = primary.looks
    if looks is None:
        return None
    return LookRecord(is_planned=looks.is_planned, in_first=primary.in_first, share=looks.first / looks.second)


def _configurations(
    groups: Sequence[Group], judgement: Judgement, rule: VerdictRule, digest_of_run: RunDigest
) -> tuple[ConfigurationRecord, ...]:
    results, costs = judgement.results, _costs(groups, judgement, rule)
    values = judgement.primary.values(range(len(groups)))
    found = []
    for place, (group, result) in enumerate(zip(groups, results, strict=True)):
        planned, failed, waiting = counts_of(group)
        found.append(
            ConfigurationRecord(
                name=result.name,
                model=result.model,
                runs=tuple(RunRecord(id=each, run_digest=digest_of_run(each)) for each in result.run_ids),
                is_baseline=result.is_baseline,
                baseline=judgement.against.get(place),
                planned=planned,
                failed=failed,
                open=waiting,
                cost=costs.get(place),
                values=tuple(None if math.isnan(value) else value for value in values[:, place].tolist()),
            )
        )
    return tuple(found)


def _costs(groups: Sequence[Group], judgement: Judgement, rule: VerdictRule) -> Mapping[int, float]:
    found: dict[int, float] = {}
    for model in judgement.verdicts:
        members = [place for place, result in enumerate(judgement.results) if result.model == model]
        found |= costs_of(groups, members, rule, judgement.found.rows.weights)[1]
    return found


def _gains(judgement: Judgement) -> tuple[GainRecord, ...]:
    found = []
    for place in judgement.against:
        comparison = judgement.results[place].comparison
        if comparison is not None:
            found.append(GainRecord(configuration=place, **comparison.judged.model_dump()))
    return tuple(found)


def _conclusion(model: str, verdict: Verdict) -> ConclusionRecord:
    stated = verdict.model_dump(include=set(ConclusionRecord.model_fields) - {"corrected"})
    return ConclusionRecord(model=model, corrected=_corrected(verdict), **stated)


def _corrected(verdict: Verdict) -> CorrectedRecord | None:
    found = verdict.corrected
    if found is None:
        return None
    return CorrectedRecord(gain=found.gain, better_share=found.better_share, splits=found.splits)
