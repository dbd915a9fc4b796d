"""The key facts that an assessment uses: those that its judge listed, or those that people chose before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from passer.domain.base import Frozen
from passer.domain.judging.formulas import NUGGETS, listed_nuggets
from passer.domain.judging.item import Item
from passer.domain.judging.key_facts import FACT_COLUMNS, KeyFact, QuestionFacts, facts_of_rows
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.metrics.judged import families_of
from passer.metrics.judged.nuggets import VITAL_SHARE, listing
from passer.ports import JudgementStore, TableReader, TableWriter, rows_of, writer_of
from passer.services.judging.asker import JudgeContext, prepare
from passer.services.judging.items import ItemSource

OF_FACTS = frozenset({*NUGGETS, VITAL_SHARE})
"""Columns that list key facts."""


class ListedFacts(Frozen):
    """The key facts of the questions of an assessment."""

    assessment_id: str
    """Id of the assessment."""
    questions: tuple[QuestionFacts, ...]
    """Questions whose key facts are known, in the order of the dataset."""
    right_answers: tuple[str, ...]
    """Right answers to each of these questions, one per line; empty if it has none."""
    unlisted: int
    """Number of questions whose key facts are not known: not asked yet, or the judge's reply could not be read."""
    by_people: bool
    """True if people chose them."""


@dataclass(frozen=True)
class KeyFactReader:
    """Shows key facts, and reads and writes files of them."""

    judgements: JudgementStore
    items: ItemSource
    readers: Sequence[TableReader]
    writers: Sequence[TableWriter]

    def of(self, assessment_id: str) -> ListedFacts:
        """Return the key facts of each question; InputError for an assessment without a column of nuggets."""
        assessment = self.judgements.assessment(assessment_id)
        columns = tuple(OF_FACTS & set(assessment.spec.columns))
        if not columns:
            raise InputError(sentence("facts.no-column"), field="assessment")
        families = families_of(columns, tuned=assessment.spec.tuned)
        context = JudgeContext.of(assessment.spec, [task for family in families for task in family.tasks])
        items: dict[str, Item] = {}
        for found in self.items.of_spec(assessment.spec):
            items.setdefault(found.item.question, found.item)
        keys = {question: prepare(context, listing(item)).key for question, item in items.items()}
        replies = self.judgements.judgements(list(keys.values()))
        known = []
        for question, item in items.items():
            facts, reply = item.key_facts, replies.get(keys[question])
            if facts is None and reply is not None and reply.reason is None:
                listed = listed_nuggets(reply.value).items()
                facts = tuple(
                    KeyFact(text=text, importance="vital" if importance == "vital" else "okay")
                    for text, importance in listed
                )
            if facts is not None:
                known.append(QuestionFacts(question=question, facts=facts))
        return ListedFacts(
            assessment_id=assessment_id,
            questions=tuple(known),
            right_answers=tuple(items[each.question].right_answers for each in known),
            unlisted=len(items) - len(known),
            by_people=bool(assessment.spec.key_facts),
        )

    def write(self, assessment_id: str, stream: BinaryIO, suffix: str) -> ListedFacts:
        """Write the key facts as a table, one a row, whose `importance` people may change to vital, okay or drop."""
        found = self.of(assessment_id)
        rows = (
            {"question": each.question, "importance": fact.importance, "fact": fact.text}
            for each in found.questions
            for fact in each.facts
        )
        writer_of(self.writers, suffix).write(stream, FACT_COLUMNS, rows)
        return found

    def read(self, content: bytes, filename: str) -> tuple[QuestionFacts, ...]:
        """Read a table of key facts; DatasetError lists every wrong row, InputError for another kind of file."""
        return facts_of_rows(rows_of(self.readers, content, filename))
