"""Relevance judgements of an assessment: the grade of each passage that was judged, for measures of retrieval."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics.judged.relevance import GRADE, HIGHEST
from passer.ports import JudgementStore
from passer.services.judging.answers import first_marks
from passer.services.judging.items import ItemSource

Grades = Mapping[str, Mapping[str, int]]
"""Grade of each passage id by question id."""


@dataclass(frozen=True)
class RelevanceReader:
    """Reads graded passages; changes nothing."""

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
        marks = first_marks(self.judgements.marks(assessment_id, column=name))
        found: dict[str, dict[str, int]] = {}
        for place, item in self.items.items(self.judgements.assessment(assessment_id).spec.runs, only=only):
            mark = marks.get((item.key, name))
            if mark is None:
                continue
            grades = self._by_text(list(dict.fromkeys(each.text for each in item.passages)), mark.judgement_keys)
            own = {passage.id: grades[passage.text] for passage in item.passages if passage.text in grades}
            if own:
                found.setdefault(place.question_id, {}).update(own)
        return found

    def _by_text(self, texts: Sequence[str], keys: Sequence[str]) -> dict[str, int]:
        """Return the grade of each text; equal texts of an item have one judgement. Keys are in the order of texts."""
        read = self.judgements.judgements(keys)
        replies = {text: read[key].value for text, key in zip(texts, keys, strict=False) if key in read}
        return {
            text: grade
            for text, reply in replies.items()
            if isinstance(reply, dict) and isinstance(grade := reply.get(GRADE), int)
        }
