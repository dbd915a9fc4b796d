"""What is judged: one answer with its question, its reference, and the passages that it was given."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from passer.domain.base import Frozen, digest_of
from passer.domain.retrieval import Passage


class Item(Frozen):
    """One answer with everything that a metric may look at."""

    question_id: str
    """Id of its question."""
    question: str
    """The question as it was asked."""
    reference: str = ""
    """The reference answer; empty if there is none."""
    answer: str
    """What is judged."""
    passages: tuple[Passage, ...] = ()
    """Passages in the order of the prompt."""
    gold: tuple[int, ...] | None = None
    """Places (from 0) of the passages that hold the answer; None where that is not known."""
    language: str = Field(default="en", min_length=2, max_length=35)
    """BCP 47 tag of the question."""
    group: str | None = None
    """Group of the question in its dataset; None if it has none."""
    abstained: bool = False
    """Whether the answer says that the passages do not hold it."""
    cites: bool = False
    """Whether the prompt asked the model to cite passages by number."""

    @property
    def key(self) -> str:
        """Content address: equal answers to a question from the same passages are one item, whatever run gave them.

        Gold passages and groups are left out, because they describe the dataset and not the answer.
        """
        return item_key(
            question=self.question,
            reference=self.reference,
            answer=self.answer,
            passage_ids=[passage.id for passage in self.passages],
            language=self.language,
        )


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
