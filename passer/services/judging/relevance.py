"""Relevance judgements of an assessment: the grade of each judged or rated passage, for measures of retrieval."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Literal

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.assessment import AssessmentSpec
from passer.domain.judging.item import Item
from passer.domain.retrieval.inputs import Grader, InputKind, InputName, InputSummary, StoredQrels
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics.judged.relevance import HIGHEST, grade_in
from passer.ports import JudgementStore, LabelStore, RetrievalInputStore
from passer.services.judging.answers import first_marks, first_values
from passer.services.judging.items import ItemSource
from passer.services.pipeline.imported_rankings import rated_of

Grades = Mapping[str, Mapping[str, int]]
"""Grade of each passage id by question id."""
GradedBy = Literal["judge", "people"]
"""The judge of an assessment, or the people who rated its column."""
MOST_OF_A_NAME = 60


class QrelsRequest(Frozen):
    """Selection of the grades of an assessment that are saved as relevance grades."""

    name: InputName | None = None
    """Name of the grades in `passer retrieve --qrels`; None names column and judge."""
    column: str | None = Field(default=None, max_length=100)
    """Column of passage relevance; None for the first one of the assessment."""
    by: GradedBy = "judge"
    """Judge or people who graded."""


@dataclass(frozen=True)
class RelevanceReader:
    """Reads graded passages."""

    judgements: JudgementStore
    items: ItemSource

    def column(self, assessment_id: str, column: str | None = None) -> str:
        """Return the column of passage relevance of this name, by default the first one; InputError without one."""
        columns = self.judgements.assessment(assessment_id).spec.columns
        known = [name for name in columns if name in HIGHEST]
        name = column if column is not None else next(iter(known), None)
        if name is None or name not in known:
            said = sentence("judging.no-relevance", assessment=assessment_id, columns=", ".join(HIGHEST))
            raise InputError(said, field="column")
        return name

    def grades(self, assessment_id: str, column: str | None = None, *, only: Collection[str] | None = None) -> Grades:
        """Return the grade of each judged passage by question, of the first repetition of the judge.

        `only` limits them to the questions with these ids. Passages that no judged prompt contained have no grade, and
        neither have failed judgements. InputError for an assessment without a column of passage relevance.
        """
        name = self.column(assessment_id, column)
        spec = self.judgements.assessment(assessment_id).spec
        if spec.pool is not None:
            return self.of_pool(spec, first_values(self.judgements, assessment_id, name), HIGHEST[name])
        marks = first_marks(self.judgements.marks(assessment_id, column=name))
        found: dict[str, dict[str, int]] = {}
        for place, item in self.items.items(spec.runs, only=only):
            mark = marks.get((item.key, name))
            if mark is None:
                continue
            texts = dict.fromkeys(each.text for each in item.passages)
            grades = self._by_text(list(texts), list(dict.fromkeys(mark.judgement_keys)))
            own = {passage.id: grades[passage.text] for passage in item.passages if passage.text in grades}
            if own:
                found.setdefault(place.question_id, {}).update(own)
        return found

    def of_pool(self, spec: AssessmentSpec, values: Mapping[str, float], highest: int) -> Grades:
        """Return the grades of pooled passages, given the value in [0, 1] of each by its address."""
        found: dict[str, dict[str, int]] = {}
        for each in self.items.pooled(spec):
            if each.key in values:
                found.setdefault(each.question_id, {})[each.passage_id] = round(values[each.key] * highest)
        return found

    def _by_text(self, texts: Sequence[str], keys: Sequence[str]) -> dict[str, int]:
        """Return the grade of each text; equal texts of an item have one judgement. Keys are in the order of texts."""
        read = self.judgements.judgements(keys)
        replies = {text: read[key].value for text, key in zip(texts, keys, strict=False) if key in read}
        return {text: round(grade_in(reply, max(HIGHEST.values()))) for text, reply in replies.items() if reply}


@dataclass(frozen=True)
class RelevanceGrades:
    """Relevance grades by a judge or by people, to be written or saved."""

    reader: RelevanceReader
    labels: LabelStore
    inputs: RetrievalInputStore

    def of(self, assessment_id: str, column: str | None = None, by: GradedBy = "judge") -> Grades:
        """Return the grades of passages by question id; InputError where there are none.

        People rate all passages of a prompt by one value, in [0, 1]. It determines grades where the prompt has one
        passage, and where it is 0 or 1; the lower median counts where several people rated, first ratings only.
        """
        found = self.reader.grades(assessment_id, column) if by == "judge" else self._by_people(assessment_id, column)
        if not found:
            raise InputError(sentence(f"judging.no-grades-by-{by}", assessment=assessment_id), field="assessment")
        return found

    def save(self, assessment_id: str, request: QrelsRequest) -> InputSummary:
        """Save the grades under a name, replacing those of this name; InputError where there are none."""
        column = self.reader.column(assessment_id, request.column)
        grades = self.of(assessment_id, column, request.by)
        spec = self.reader.judgements.assessment(assessment_id).spec
        info = spec.judge_info
        judge = Grader(name=spec.judge.model.name, digest=info.digest, assessment=assessment_id, column=column)
        grader = judge if request.by == "judge" else None
        what = column if spec.pool is None else spec.datasets[0].name
        name = request.name or name_of_grades(what, grader.name if grader else "people")
        content = {question: dict(sorted(own.items())) for question, own in grades.items()}
        return self.inputs.save(StoredQrels(name=name, content=content, graded_by=grader))

    def listed(self, *kinds: InputKind) -> list[InputSummary]:
        """Return the inputs of these kinds, with the number of ratings of the same passages as a judge's grades."""
        found = self.inputs.list_inputs(*kinds)
        return [each.model_copy(update={"rated": rated_of(each.graded_by, self.labels.rated)}) for each in found]

    def _by_people(self, assessment_id: str, column: str | None) -> Grades:
        name = self.reader.column(assessment_id, column)
        spec = self.reader.judgements.assessment(assessment_id).spec
        if spec.pool is not None:
            rated = self._ratings([each.key for each in self.reader.items.pooled(spec)], name)
            return self.reader.of_pool(spec, rated, HIGHEST[name])
        items = [(place.question_id, item) for place, item in self.reader.items.items(spec.runs)]
        ratings = self._ratings([item.key for _, item in items], name)
        found: dict[str, dict[str, int]] = {}
        # Prompts of one passage come last: a rating of this passage alone counts before one of several together.
        for question, item in sorted(items, key=lambda each: len(each[1].passages) == 1):
            if item.key in ratings and (own := _grades_of(item, ratings[item.key], HIGHEST[name])):
                found.setdefault(question, {}).update(own)
        return found

    def _ratings(self, keys: Sequence[str], column: str) -> dict[str, float]:
        """Return the lower median of the first ratings of each item that people rated."""
        ratings: dict[str, list[float]] = defaultdict(list)
        for label in self.labels.labels(sorted(set(keys)), column=column):
            if label.revision == 1:
                ratings[label.item_key].append(label.value)
        return {key: median_low(values) for key, values in ratings.items()}


def name_of_grades(what: str, by: str) -> str:
    """Return the default name of saved grades: what was graded, and by whom."""
    return re.sub(r"[^\w .()-]", "-", f"{what} by {by}")[:MOST_OF_A_NAME]


def _grades_of(item: Item, value: float, highest: int) -> dict[str, int]:
    """Return the grade of each passage as far as the rating of all together determines it."""
    if len(item.passages) > 1 and value not in (0, 1):
        return {}
    return dict.fromkeys((passage.id for passage in item.passages), round(value * highest))
