"""Calibration of a judge: its agreement with people, and means that their labels correct."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from passer.domain.agreement_measures import bias_test
from passer.domain.base import Frozen
from passer.domain.figures.figure import Figure
from passer.domain.figures.of_agreement import agreement_figures
from passer.domain.judging.agreement import Agreement, Ceiling, agreement, ceiling, people_means
from passer.domain.judging.assessment import AssessmentSpec
from passer.domain.judging.corrected import FEWEST, MOST_UNRATED, Corrected, corrected_by
from passer.domain.judging.draw import LabelDraw
from passer.domain.judging.length_slope import LengthSlope
from passer.domain.statistics import PairedTest
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.metrics.judged import reads_answers
from passer.ports import JudgementStore, LabelStore
from passer.services.analysis.comparability import check_ended
from passer.services.judging.answers import answer_length_slope, first_labels, first_values
from passer.services.judging.carried_labels import CarriedLabels, LabelsElsewhere
from passer.services.judging.items import ItemKey, ItemSource
from passer.services.judging.labelling import questions_trained_on

_ALPHA = 0.05


class LabelledAnswer(Frozen):
    """One answer with the people's and the judge's value."""

    run_id: str
    """Id of the first run with this answer; name of the dataset where no answers are judged."""
    number: int
    """Place of the question in the dataset, counted from 0."""
    human: float
    """Mean of the raters' first labels."""
    judge: float
    """The judge's value, of the first repetition."""


class RunCalibration(Frozen):
    """One run with its labels: the judge's bias, and corrected figures."""

    run_id: str
    """Id of the run."""
    n: int
    """Number of questions with a label and a judged value."""
    human_mean: float | None
    """Mean of the labels; None without any."""
    judge_mean: float | None
    """Mean of the judge's values of all questions of the run."""
    bias: PairedTest
    """Judge minus people on the labelled questions, with test and t interval; none if all differences are equal."""
    bias_difference: PairedTest | None
    """Bias minus that of the first run, paired by question; None for the first run."""
    corrected: Corrected | None
    """Corrected mean; None without 20 labels from one random draw."""
    gain: Corrected | None
    """Corrected difference from the first run; None where one of both is not corrected."""


class ColumnCalibration(Frozen):
    """Calibration of a judge in one column."""

    column: str
    """Name of the judged metric."""
    raters: tuple[str, ...]
    """Names of the people who rated answers."""
    agreement: Agreement | None
    """Agreement of judge and people; None without labels of judged answers."""
    ceiling: Ceiling | None
    """Agreement of the people with each other and of the judge with them; None below two raters."""
    length: LengthSlope | None
    """Change of the judge's value with the length of the answer; None for a column that is not about an answer, below
    20 answers with a reference, and where all values or lengths are the same."""
    draw: str | None
    """Id of the random draw that corrects the means; None if no draw is rated."""
    runs: tuple[RunCalibration, ...]
    """Runs of the assessment, the baseline first."""
    answers: tuple[LabelledAnswer, ...]
    """Answers that both have rated."""
    figures: tuple[Figure, ...]
    """These answers by both values, and their difference by the mean of both (Bland-Altman); none without answers."""
    elsewhere: CarriedLabels | None
    """Shares corrected by labels of another sweep; only of a column without labels whose values are 0 or 1."""
    warnings: tuple[LocalizedText, ...]
    """Remarks to read before the judge is relied on."""


class Calibration(Frozen):
    """Calibration of the judge of an assessment."""

    assessment_id: str
    """Id of the assessment."""
    judge: str
    """Name of the judge's model."""
    columns: tuple[ColumnCalibration, ...]
    """Columns of the assessment."""


class _Known(NamedTuple):
    """Values of one column, by run and number of the question."""

    judged: dict[str, dict[int, float]]
    human: dict[str, dict[int, float]]


@dataclass(frozen=True)
class Calibrator:
    """Compares judged values with labels; read-only."""

    judgements: JudgementStore
    labels: LabelStore
    items: ItemSource

    def of(self, assessment_id: str) -> Calibration:
        """Return the calibration of each column of an assessment.

        Raises NotFoundError if it does not exist, and ConflictError before its end. For questions of datasets and
        pooled passages it contains only the agreement with existing labels: they are no random draw, so no mean is
        corrected.
        """
        assessment = self.judgements.assessment(assessment_id)
        names = self._names(assessment.spec)
        runs = list(names)
        found_keys = self.items.keys(runs) if runs else self.items.keys_of_spec(assessment.spec)
        keys = [key for key in found_keys if key.key is not None]
        draws = self.labels.draws(assessment_id)
        trained = {key.key for key in keys if key.place.number in questions_trained_on(assessment.spec, keys)}
        is_weighted = any(self.items.weights_of_spec(assessment.spec).values())
        notes = [sentence("labels.unweighted")] if is_weighted else []
        notes += [sentence("labels.tuned", count=len(trained))] if trained else []
        elsewhere = LabelsElsewhere(self.judgements, self.labels, self.items)
        places: dict[str, tuple[str, int]] = {}
        for key in keys:
            places.setdefault(key.key or "", (key.place.run_id, key.place.number))
        columns = []
        for column in assessment.spec.columns:
            # A tuned judge has seen the answers of its tuning with their labels: agreement on them would be too good.
            raters = first_labels(self.labels, sorted({key.key for key in keys if key.key} - trained), column)
            human = people_means(raters)
            judge = first_values(self.judgements, assessment_id, column)
            known = _known(keys, runs, judge, human)
            own = [draw for draw in draws if draw.column == column]
            found = _column(column, names, raters, human, judge, places, known, _best(own, known))
            length = answer_length_slope(keys, judge) if runs and reads_answers(column) else None
            needs = found.agreement is None and bool(runs)
            carried = elsewhere.of(assessment, column, known.judged) if needs else None
            given = {"length": length, "elsewhere": carried, "warnings": (*found.warnings, *notes)}
            columns.append(found.model_copy(update=given))
        return Calibration(assessment_id=assessment_id, judge=assessment.spec.judge.model.name, columns=tuple(columns))

    def _names(self, spec: AssessmentSpec) -> dict[str, str]:
        """Return the names of an assessment's runs by id, the baseline first; ConflictError before their sweep ends."""
        if not spec.runs:
            return {}
        sweep = self.items.sweep_of(spec.runs)
        check_ended(sweep)
        stored = {run.id: run for run in sweep.runs}
        ordered = sorted(spec.runs, key=lambda run_id: not stored[run_id].is_baseline)
        return {run_id: stored[run_id].name for run_id in ordered}

    def people(self, item_keys: Sequence[str], column: str) -> dict[str, float]:
        """Return the mean of the raters' first labels of each of these items that has one."""
        return people_means(first_labels(self.labels, item_keys, column))

    def first_labels(self, item_keys: Sequence[str], column: str) -> dict[str, dict[str, float]]:
        """Return the first label of each rater, by item."""
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for rater, values in first_labels(self.labels, item_keys, column).items():
            for item, value in values.items():
                found[item][rater] = value
        return dict(found)


def _known(
    keys: Sequence[ItemKey], runs: Sequence[str], judge: Mapping[str, float], human: Mapping[str, float]
) -> _Known:
    """Return the values of one column, without any where no runs are judged."""
    known = _Known({run_id: {} for run_id in runs}, {run_id: {} for run_id in runs})
    for key in keys if runs else ():
        item, (run_id, number, _) = key.key or "", key.place
        if item in judge:
            known.judged[run_id][number] = judge[item]
        if item in human:
            known.human[run_id][number] = human[item]
    return known


def _best(draws: Sequence[LabelDraw], known: _Known) -> LabelDraw | None:
    """The newest draw of which nearly all answers are rated."""
    for draw in draws:
        wanted = [(run_id, question.number) for run_id in draw.runs for question in draw.questions]
        rated = sum(number in known.human[run_id] for run_id, number in wanted)
        if rated >= (1 - MOST_UNRATED) * len(wanted):
            return draw
    return None


def _column(
    column: str,
    names: Mapping[str, str],
    raters: Mapping[str, Mapping[str, float]],
    human: Mapping[str, float],
    judge: Mapping[str, float],
    places: Mapping[str, tuple[str, int]],
    known: _Known,
    draw: LabelDraw | None,
) -> ColumnCalibration:
    # Sorted by content address: the same labels give the same figures, in whatever order they were read.
    both = sorted(item for item in human if item in judge)
    mine, theirs = np.array([human[item] for item in both]), np.array([judge[item] for item in both])
    found = agreement(mine, theirs, [str(places[item][1]) for item in both], labelled=len(human))
    calibrated = tuple(_run(run_id, next(iter(names)), known, draw) for run_id in names)
    return ColumnCalibration(
        column=column,
        raters=tuple(raters),
        agreement=found,
        ceiling=ceiling(raters, judge),
        length=None,
        elsewhere=None,
        draw=None if draw is None else draw.id,
        runs=calibrated,
        answers=tuple(
            LabelledAnswer(run_id=places[item][0], number=places[item][1], human=human[item], judge=judge[item])
            for item in both
        ),
        figures=agreement_figures(column, mine, theirs, [places[item][1] for item in both], found),
        warnings=_warnings(found, draw, calibrated, names),
    )


def _run(run_id: str, first: str, known: _Known, draw: LabelDraw | None) -> RunCalibration:
    judged, human = known.judged[run_id], known.human[run_id]
    both = [number for number in human if number in judged]
    is_drawn = draw is not None and run_id in draw.runs
    own = {number: (human.get(number), judged[number]) for number in judged}
    difference = gain = None
    if run_id != first:
        paired = {
            number: (
                None if number not in human or number not in known.human[first] else
                human[number] - known.human[first][number],
                judged[number] - known.judged[first][number],
            )
            for number in judged
            if number in known.judged[first]
        }  # fmt: skip
        labelled = [(label, value) for label, value in paired.values() if label is not None]
        theirs, mine = (np.array([pair[side] for pair in labelled]) for side in (1, 0))
        difference = bias_test(theirs, mine)
        if draw is not None and is_drawn and first in draw.runs:
            gain = corrected_by(draw, paired, is_share=False)
    return RunCalibration(
        run_id=run_id,
        n=len(both),
        human_mean=float(np.mean([human[number] for number in both])) if both else None,
        judge_mean=float(np.mean(list(judged.values()))) if judged else None,
        bias=bias_test(np.array([judged[number] for number in both]), np.array([human[number] for number in both])),
        bias_difference=difference,
        corrected=corrected_by(draw, own, is_share=True) if draw is not None and is_drawn else None,
        gain=gain,
    )


def _warnings(
    found: Agreement | None, draw: LabelDraw | None, runs: Sequence[RunCalibration], names: Mapping[str, str]
) -> tuple[LocalizedText, ...]:
    if found is None:
        return (sentence("judging.uncalibrated"),)
    warnings = []
    # Each configuration has a separate mean: twenty ratings of two configurations together correct neither.
    rated = [run.n for run in runs if run.n]
    if rated and min(rated) < FEWEST:
        warnings.append(sentence("labels.few-of-run", n=min(rated), fewest=FEWEST))
    elif not rated and found.n < FEWEST:
        warnings.append(sentence("labels.few", n=found.n, fewest=FEWEST))
    if draw is None:
        warnings.append(sentence("labels.no-draw"))
    if found.rho is None:
        warnings.append(sentence("labels.constant"))
    differing = [
        (abs(by.mean_difference or 0.0), run)
        for run in runs
        if (by := run.bias_difference) is not None and by.p is not None and by.p < _ALPHA
    ]
    if differing:
        _, most = max(differing, key=lambda each: each[0])
        named = {"name": names[most.run_id], "baseline": names[runs[0].run_id]}
        biases = {"bias": most.bias.mean_difference or 0.0, "first": runs[0].bias.mean_difference or 0.0}
        warnings.append(sentence("labels.bias-differs", count=len(differing), **named, **biases))
    return tuple(warnings)
