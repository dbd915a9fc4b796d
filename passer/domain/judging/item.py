"""The unit that is judged: one answer with its question, its reference answer and the passages of its prompt."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from passer.domain.base import Frozen, digest_of
from passer.domain.dataset import Question
from passer.domain.judging.ask import Given, references_given
from passer.domain.judging.criteria import Criterion
from passer.domain.judging.key_facts import KeyFact
from passer.domain.models.answer import Answer, Truncated
from passer.domain.retrieval.passages import Passage


class Item(Frozen):
    """One answer with everything that a metric may look at."""

    question_id: str
    """Id of the question that was answered."""
    question: str
    """The question as it was asked."""
    reference: str = ""
    """The reference answer; empty if the question has none."""
    other_references: tuple[str, ...] | None = None
    """Other right answers; people and judges read all of them."""
    answer: str
    """The answer that is judged."""
    passages: tuple[Passage, ...] = ()
    """Passages of the prompt, in its order."""
    gold: tuple[int, ...] | None = None
    """Places (from 0) of the passages that contain the answer; None if the dataset names no gold passages."""
    gold_quotes: tuple[str, ...] = ()
    """Texts of the dataset's gold passages, whether they were kept or not; empty if it names none."""
    language: str = Field(default="en", min_length=2, max_length=35)
    """Language of the question, as a BCP 47 tag."""
    group: str | None = None
    """Group of the question in its dataset; None if it has none."""
    abstained: bool = False
    """True if the model answered that the passages do not contain the answer."""
    truncated: Truncated | None = None
    """Truncation when it was answered; None without one."""
    criteria: tuple[Criterion, ...] = ()
    """Criteria of the assessment; empty if it has none."""
    key_facts: tuple[KeyFact, ...] | None = None
    """Key facts of the question that people chose; None where the judge lists them."""
    cites: bool = False
    """True if the prompt asked the model to cite passages by number."""
    whole_sentences: bool = False
    """Value of the assessment's field of this name."""

    @property
    def references(self) -> tuple[str, ...]:
        """Return all right answers, the reference first; one empty text if the question has none."""
        return (self.reference, *(self.other_references or ()))

    @property
    def right_answers(self) -> str:
        """Return all right answers, one a line, as people read them; empty if the question has none."""
        return "\n".join(self.references)

    @property
    def given_references(self) -> Given:
        """Return all right answers as a judge is given them."""
        return references_given(self.references)

    @property
    def key(self) -> str:
        """Content address: equal answers to a question from the same passages are one item, in all runs.

        Gold passages, other references, groups and what an assessment adds are left out: they do not describe the
        answer.
        """
        return item_key(
            question=self.question,
            reference=self.reference,
            answer=self.answer,
            passage_ids=[passage.id for passage in self.passages],
            language=self.language,
        )


def answer_item(
    question: Question,
    answer: Answer,
    passages: Sequence[Passage],
    language: str,
    *,
    gold_ids: Sequence[str] | None = None,
    cites: bool = False,
) -> Item:
    """Return an answer with the passages of its prompt; `gold_ids` are those of the passages that contain it."""
    gold = None if gold_ids is None else set(gold_ids)
    return Item(
        question_id=question.id,
        question=question.text,
        reference=question.reference,
        other_references=question.other_references,
        answer=answer.text,
        passages=tuple(passages),
        gold=None if gold is None else tuple(place for place, each in enumerate(passages) if each.id in gold),
        gold_quotes=tuple(each.quote for each in question.gold_passages),
        language=language,
        group=question.group,
        abstained=answer.abstained,
        truncated=answer.truncated,
        cites=cites,
    )


def passage_item(question_id: str, question: str, passage: Passage, language: str) -> Item:
    """Return one passage for one question, without an answer: what judges and people grade to measure retrievers."""
    return Item(question_id=question_id, question=question, answer="", passages=(passage,), language=language)


def passage_key(question: str, passage_id: str, language: str) -> str:
    """Return the content address of one passage for one question."""
    return item_key(question=question, reference="", answer="", passage_ids=[passage_id], language=language)


def item_key(*, question: str, reference: str, answer: str, passage_ids: Sequence[str], language: str) -> str:
    """Return the content address of an item, for which the texts of its passages are not needed."""
    return digest_of(
        {
            "question": question,
            "reference": reference,
            "answer": answer,
            "passages": list(passage_ids),
            "language": language,
        }
    )
