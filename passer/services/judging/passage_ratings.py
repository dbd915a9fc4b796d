"""Ratings of single passages by people: labels, and the relevance grades that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median_low
from threading import Lock
from typing import Any

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.dataset import Question
from passer.domain.judging.item import passage_key
from passer.domain.judging.marks import Label
from passer.domain.retrieval.inputs import InputSummary, StoredQrels
from passer.domain.retrieval.passages import Passage
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError, PasserError
from passer.metrics.judged.relevance import HIGHEST, UMBRELA
from passer.ports import Clock, Collections, DatasetStore, LabelStore, RetrievalInputStore
from passer.services.judging.relevance import name_of_grades
from passer.services.pipeline.imported_rankings import grades_in, same_passages


class PassageRating(Frozen):
    """Relevance grade of a passage for a question, by a person."""

    dataset: str = Field(min_length=1)
    """Name of the dataset."""
    question_id: str = Field(min_length=1)
    """Question of the dataset."""
    collection: str = Field(min_length=1)
    """Name of the collection."""
    passage_id: str = Field(min_length=1, max_length=300)
    """Passage of the collection."""
    rater: str = Field(min_length=1, max_length=100)
    """Name of the person who rates: that of the account, if one is used."""
    grade: int = Field(ge=0, le=HIGHEST[UMBRELA])
    """0: about something else; 1: related, no answer; 2: a part of the answer; 3: the whole answer (UMBRELA)."""


class PassageGrades(Frozen):
    """The grades that people gave to the passages of one question."""

    name: str
    """Name under which the grades of the dataset are saved; `qrels` of a comparison of retrievers."""
    grades: dict[str, int]
    """Lower median of the raters' newest ratings, by passage id; empty before the first."""


@dataclass(frozen=True)
class PassageRatings:
    """Keeps ratings as labels of the column of UMBRELA, the judge's scale, and their medians as relevance grades."""

    datasets: DatasetStore
    collections: Collections
    labels: LabelStore
    inputs: RetrievalInputStore
    clock: Clock
    _saving: Any = field(default_factory=Lock, init=False, repr=False, compare=False)

    def rate(self, rating: PassageRating) -> InputSummary:
        """Save a rating, and with it the grade of its passage: the lower median of the raters' newest ratings.

        The grades of a dataset are saved under its name. NotFoundError for an unknown question or passage.
        """
        dataset = self.datasets.load_dataset(rating.dataset)
        question = _question(dataset.questions, rating.question_id)
        passage = self._passage(rating)
        key = passage_key(question.text, passage.id, dataset.language)
        value = rating.grade / HIGHEST[UMBRELA]
        label = Label(item_key=key, column=UMBRELA, rater=rating.rater, value=value, at=self.clock.now())
        # Two people may rate at the same moment, and the grades of a dataset are saved as a whole.
        with self._saving:
            self.labels.add_labels([label])
            self.inputs.keep_passages([passage])
            name = name_of_grades(dataset.name, "people")
            content = self._content(name)
            own = content.get(question.id, {})
            # The same text, rated when the collection had it under another id: the ratings are of one passage.
            same = [passage.id, *same_passages(self.inputs.kept_passages(sorted(own)), [passage])]
            grade = self._grade([passage_key(question.text, each, dataset.language) for each in same])
            graded = {**own, **dict.fromkeys(same, grade)}
            return self.inputs.save(StoredQrels(name=name, content={**content, question.id: graded}))

    def of_question(self, dataset: str, question_id: str, collection: str | None = None) -> PassageGrades:
        """Return the grades of a question's passages, by the ids that they have in a collection if one is given."""
        name = name_of_grades(dataset, "people")
        grades: Mapping[str, Mapping[str, int]] = {question_id: self._content(name).get(question_id, {})}
        if collection is not None and grades[question_id]:
            grades, _ = grades_in(self.collections.open(collection), grades, self.inputs)
        return PassageGrades(name=name, grades=dict(grades[question_id]))

    def keep_graded(self, collection: str) -> None:
        """Keep the graded passages of a collection that is about to be deleted, so that grades apply when it returns.

        Nothing is kept of a collection that cannot be opened: it may be deleted for that reason.
        """
        names = [each.name for each in self.inputs.list_inputs("qrels")]
        graded = {key for name in names for own in self._content(name).values() for key in own}
        if graded:
            with suppress(PasserError):
                found = [each for each in self.collections.open(collection).passages() if each.id in graded]
                self.inputs.keep_passages(found)

    def _passage(self, rating: PassageRating) -> Passage:
        for each in self.collections.open(rating.collection).passages():
            if each.id == rating.passage_id:
                return each
        given = {"passage": rating.passage_id, "collection": rating.collection}
        raise NotFoundError(sentence("rating.no-passage", **given))

    def _grade(self, keys: Sequence[str]) -> int:
        ratings = sorted(self.labels.labels(keys, column=UMBRELA), key=lambda each: each.at)
        newest = {each.rater: each.value for each in ratings}
        return round(median_low(newest.values()) * HIGHEST[UMBRELA])

    def _content(self, name: str) -> dict[str, dict[str, int]]:
        try:
            return self.inputs.find(StoredQrels, name).content
        except NotFoundError:
            return {}


def _question(questions: tuple[Question, ...], question_id: str) -> Question:
    for each in questions:
        if each.id == question_id:
            return each
    raise NotFoundError(sentence("retrieval.no-question", question=question_id))
