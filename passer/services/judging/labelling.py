"""Labels of people: draws random questions, writes a blind file to be rated, and imports it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen, storable
from passer.domain.judging.assessment import Assessment, AssessmentSpec
from passer.domain.judging.criteria import is_criteria, listed
from passer.domain.judging.draw import LabelDraw, draw_of_groups, draw_questions
from passer.domain.judging.item import Item
from passer.domain.judging.marks import Label, scale_of
from passer.domain.wording.sentence import number_sentence, sentence
from passer.errors import MOST_PROBLEMS, DatasetError, InputError, Problem
from passer.metrics.judged import info_of
from passer.ports import Clock, JudgementStore, LabelStore, TableContent, TableReader, TableWriter, rows_of, writer_of
from passer.services.judging.answers import first_marks
from passer.services.judging.items import ItemKey, ItemSource

COLUMNS = ("item", "question", "reference", "passages", "answer", "column", "scale", "value", "note")
"""Columns of a file to be rated; people fill in `value` and may fill in `note`."""
LABEL_COLUMNS = ("item", "column", "rater", "revision", "value", "note", "draw", "inclusion", "at", "imported_by")
"""Columns of an export of labels."""


class LabelDrawRequest(Frozen):
    """A request to draw questions for people to rate."""

    assessment: str = Field(min_length=1, max_length=48)
    """Id of the assessment whose judge the labels calibrate."""
    column: str = Field(min_length=1, max_length=100)
    """Name of the judged metric that people rate."""
    questions: int = Field(default=40, ge=1, le=10_000)
    """Number of questions to draw; all answers to a drawn question are rated."""
    per_group: int | None = Field(default=None, ge=1, le=10_000)
    """Number of questions to draw of each group of the dataset; a smaller group gives all. None draws `questions`."""
    runs: tuple[str, ...] = ()
    """Ids of the runs to rate; empty means all runs of the assessment."""
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    """Seed of the draw."""
    raters: int | None = Field(default=None, ge=1, le=20)
    """Number of people who rate each answer, so that more people share the work; None: all rate every answer."""


class ListedDraw(Frozen):
    """A draw with the progress of its raters."""

    draw: LabelDraw
    """The draw."""
    items: int
    """Number of distinct answers to rate."""
    rated: dict[str, int]
    """Number of answers that each rater has rated."""


class LabelImport(Frozen):
    """Result of importing rated answers."""

    labels: int
    """Labels that are new."""
    unchanged: int
    """Ratings that were imported before."""
    unrated: int
    """Rows without a value."""


@dataclass(frozen=True)
class Labelling:
    """Draws questions, writes files for people, and imports what they rated."""

    judgements: JudgementStore
    labels: LabelStore
    items: ItemSource
    readers: Sequence[TableReader]
    writers: Sequence[TableWriter]
    clock: Clock

    def draw(self, request: LabelDrawRequest) -> LabelDraw:
        """Draw questions and save the draw; InputError for a column or run that the assessment does not have."""
        assessment = self.judgements.assessment(request.assessment)
        if request.column not in assessment.spec.columns:
            columns = ", ".join(assessment.spec.columns)
            raise InputError(sentence("labels.no-column", column=request.column, columns=columns), field="column")
        if info_of(request.column).maximum is None:
            raise InputError(sentence("labels.no-scale", column=request.column), field="column")
        if not assessment.spec.runs:
            raise InputError(sentence("judging.no-runs"), field="assessment")
        runs = request.runs or assessment.spec.runs
        for run_id in runs:
            if run_id not in assessment.spec.runs:
                said = sentence("judging.run-not-judged", assessment=assessment.id, run=run_id)
                raise InputError(said, field="runs")
        numbers, apart = self._population(assessment, runs, request.column)
        if not numbers:
            raise InputError(sentence("labels.no-answers"), field="runs")
        if request.per_group is None:
            drawn, others = draw_questions(numbers, apart, count=request.questions, seed=request.seed)
        else:
            drawn, others = draw_of_groups(self._groups(numbers, runs), count=request.per_group, seed=request.seed)
        draw = LabelDraw(
            id=secrets.token_hex(8),
            assessment_id=assessment.id,
            runs=runs,
            column=request.column,
            seed=request.seed,
            questions=drawn,
            others=others,
            raters=request.raters,
            created_at=self.clock.now(),
        )
        self.labels.add_draw(draw)
        return draw

    def draws(self, assessment_id: str) -> tuple[ListedDraw, ...]:
        """Return the draws of an assessment with the progress of their raters, the newest first."""
        self.judgements.assessment(assessment_id)
        return tuple(self._listed(draw) for draw in self.labels.draws(assessment_id))

    def write_sheet(self, draw_id: str, stream: BinaryIO, suffix: str) -> None:
        """Write the answers of a draw in random order, to be rated; neither configurations nor the judge are named."""
        writer = writer_of(self.writers, suffix)
        writer.write(stream, COLUMNS, self._rows(self.labels.draw(draw_id)), reproducible=True)

    def write_labels(self, draw_id: str, stream: BinaryIO, suffix: str) -> None:
        """Write all labels of a draw's answers, of all raters and revisions."""
        writer = writer_of(self.writers, suffix)
        rows = ({**label.model_dump(mode="json"), "item": label.item_key} for label in self.labels_of(draw_id))
        writer.write(stream, LABEL_COLUMNS, ({name: row.get(name) for name in LABEL_COLUMNS} for row in rows))

    def import_labels(
        self, draw_id: str, content: TableContent, filename: str, *, rater: str, importer: str | None = None
    ) -> LabelImport:
        """Import the rated rows of a file; DatasetError lists every wrong row, and then nothing is imported.

        `importer` is the account that does it, which may be another one than the rater's, and is kept with each label.
        """
        draw = self.labels.draw(draw_id)
        rows = rows_of(self.readers, content, filename)
        inclusion = self._inclusion(draw)
        values, unrated = _ratings(rows, inclusion, _scale(draw.column))
        now = self.clock.now()
        labels = [
            Label(
                item_key=item, column=draw.column, rater=rater, value=value, note=note[:2000],
                draw=draw.id, inclusion=inclusion[item], at=now, imported_by=importer,
            )
            for item, (value, note) in values.items()
        ]  # fmt: skip
        new = self.labels.add_labels(labels)
        return LabelImport(labels=new, unchanged=len(labels) - new, unrated=unrated)

    def labels_of(self, draw_id: str) -> tuple[Label, ...]:
        """Return the labels of a draw's answers in its column, of all raters and revisions."""
        draw = self.labels.draw(draw_id)
        return tuple(self.labels.labels(sorted(self._inclusion(draw)), column=draw.column))

    def _population(self, assessment: Assessment, runs: Sequence[str], column: str) -> tuple[list[int], frozenset[int]]:
        """Questions that all runs answered and that tuned no task, and those on which the judge's values differ."""
        first = first_marks(self.judgements.marks(assessment.id, column=column))
        found: dict[int, list[str]] = {}
        keys = self.items.keys(runs)
        left_out = questions_trained_on(assessment.spec, keys)
        for key in keys:
            if key.key is not None and key.place.number not in left_out:
                found.setdefault(key.place.number, []).append(key.key)
        whole = {number: keys for number, keys in found.items() if len(keys) == len(runs)}
        marks = {number: [first.get((key, column)) for key in keys] for number, keys in whole.items()}
        apart = {
            number for number, own in marks.items() if len({None if mark is None else mark.value for mark in own}) > 1
        }
        return sorted(whole), frozenset(apart)

    def _groups(self, numbers: Sequence[int], runs: Sequence[str]) -> dict[str, list[int]]:
        questions = self.items.questions(runs)
        groups: dict[str, list[int]] = {}
        for number in numbers:
            groups.setdefault(questions[number].group or "", []).append(number)
        return groups

    def _inclusion(self, draw: LabelDraw) -> dict[str, float]:
        """Probability of each drawn item, by its key."""
        by_number = {question.number: question.inclusion for question in draw.questions}
        keys = self.items.keys(draw.runs)
        return {key.key: by_number[key.place.number] for key in keys if key.key and key.place.number in by_number}

    def _listed(self, draw: LabelDraw) -> ListedDraw:
        items = sorted(self._inclusion(draw))
        rated: dict[str, set[str]] = {}
        for label in self.labels.labels(items, column=draw.column):
            rated.setdefault(label.rater, set()).add(label.item_key)
        return ListedDraw(draw=draw, items=len(items), rated={name: len(keys) for name, keys in sorted(rated.items())})

    def _rows(self, draw: LabelDraw) -> Iterator[Mapping[str, Any]]:
        drawn = {question.number for question in draw.questions}
        spec = self.judgements.assessment(draw.assessment_id).spec
        column = f"{draw.column}: {listed(spec.criteria)}" if is_criteria(draw.column) else draw.column
        scale = "; ".join(f"{value:g} {sentence(f'rating.{name}')}" for value, name in scale_of(draw.column))
        items: dict[str, Item] = {}
        for place, item in self.items.items(draw.runs):
            if place.number in drawn:
                items.setdefault(item.key, item)
        keys = sorted(items)
        for position in np.random.default_rng(draw.seed).permutation(len(keys)):
            item = items[keys[position]]
            passages = "\n\n".join(f"[{n}] {passage.text}" for n, passage in enumerate(item.passages, 1))
            yield {
                "item": item.key,
                "question": item.question,
                "reference": item.right_answers,
                "passages": passages,
                "answer": item.answer,
                "column": column,
                "scale": scale,
                "value": None,
                "note": None,
            }


def questions_trained_on(spec: AssessmentSpec, keys: Sequence[ItemKey]) -> frozenset[int]:
    """Return the numbers of the questions by whose answers the judge's task was tuned; they cannot test it."""
    trained = set(spec.tuned.trained_on) if spec.tuned else set()
    return frozenset(key.place.number for key in keys if key.key in trained)


def _scale(column: str) -> tuple[float, float]:
    info = info_of(column)
    return info.minimum if info.minimum is not None else 0.0, info.maximum if info.maximum is not None else 1.0


def _ratings(
    rows: Sequence[Mapping[str, Any]], inclusion: Mapping[str, float], scale: tuple[float, float]
) -> tuple[dict[str, tuple[float, str]], int]:
    """Return value and note of each rated item, and the number of unrated ones; DatasetError lists every wrong row."""
    lowest, highest = scale
    problems: list[Problem] = []
    values: dict[str, tuple[float, str]] = {}
    unrated = 0
    for number, row in enumerate(rows, start=1):
        if not row:
            continue
        item, given = str(row.get("item") or "").strip(), row.get("value")
        if item not in inclusion:
            problems.append(Problem(sentence("labels.unknown-item"), row=number, field="item"))
        elif item in values:
            problems.append(Problem(sentence("labels.repeated-item"), row=number, field="item"))
        elif given is None or str(given).strip() == "":
            unrated += 1
        elif (value := _value(given)) is None or not lowest <= value <= highest:
            said = sentence("labels.wrong-value", lowest=number_sentence(lowest), highest=number_sentence(highest))
            problems.append(Problem(said, row=number, field="value"))
        else:
            values[item] = (value, storable(str(row.get("note") or "")))
    if problems:
        raise DatasetError(sentence("labels.refused", count=len(problems)), problems=tuple(problems[:MOST_PROBLEMS]))
    if not values:
        raise DatasetError(sentence("labels.nothing-rated"))
    return values, unrated


def _value(given: Any) -> float | None:
    try:
        value = float(str(given).strip().replace(",", "."))
    except ValueError:
        return None
    return value if np.isfinite(value) else None
