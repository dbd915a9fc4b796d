"""Questions with reference answers: what a configuration is measured against."""

from __future__ import annotations

from functools import cached_property

from pydantic import Field, model_validator

from passer.domain.base import Frozen, digest_of

NAME_PATTERN = r"^[^/\\\x00-\x1f]+$"
"""A dataset's name stands in addresses and on the command line."""


class GoldPassage(Frozen):
    """Where the answer stands, independent of chunking: a verbatim quote from a document."""

    document: str = Field(min_length=1)
    """Name of the document in the collection."""
    quote: str = Field(min_length=1)
    """Verbatim text; matched to passages by overlapping character span."""


class Question(Frozen):
    """A question and its reference answer."""

    id: str = Field(min_length=1, max_length=200)
    """Unique within its dataset."""
    text: str = Field(min_length=1)
    """The question as it is asked."""
    reference: str
    """The reference answer; an empty one leaves the scores None with reason `empty_reference`."""
    gold_passages: tuple[GoldPassage, ...] = ()
    """Passages that hold the answer, where they are known."""


class Dataset(Frozen):
    """An ordered set of questions; its order is the order of every run."""

    name: str = Field(min_length=1, max_length=100, pattern=NAME_PATTERN)
    """Name within this installation: anything but slashes and control characters."""
    language: str = Field(default="en", min_length=2, max_length=35)
    """BCP 47 tag of the questions' language."""
    questions: tuple[Question, ...] = Field(min_length=1)
    """In file order."""

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Dataset:
        if len({question.id for question in self.questions}) != len(self.questions):
            raise ValueError("question ids must be unique within a dataset")
        return self

    @cached_property
    def digest(self) -> str:
        """SHA-256 of language and questions in order; the name does not enter."""
        return digest_of({"language": self.language, "questions": [q.model_dump(mode="json") for q in self.questions]})
