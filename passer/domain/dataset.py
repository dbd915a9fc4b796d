"""Questions with reference answers: what a configuration is measured against."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from passer.domain.base import Frozen, added_field, digest_of

NAME_PATTERN = r"^[^/\\\x00-\x1f]+$"
"""Allowed names of datasets: they are used in addresses and on the command line."""
MOST_REFERENCES = 200
"""Right answers to a question besides the reference; each costs as much as scoring another answer."""
HEAVIEST = 1e9
"""Largest weight of a question: no dataset counts more requests for one question."""


class GoldPassage(Frozen):
    """A passage that contains the answer, independent of chunking: a verbatim quote from a document."""

    document: str = ""
    """Name of the document in the collection; empty if it is not known, and every document is searched."""
    quote: str = Field(min_length=1)
    """Verbatim text; matched to passages by overlapping character span."""


LARGEST_GRADE = 10
"""Largest grade of relevance: nDCG counts 2^grade - 1, which soon is no number of a computer."""


class RelevantDocument(Frozen):
    """A document that is relevant to a question, whichever of its passages are."""

    document: str = Field(min_length=1, max_length=500)
    """Name of the document in the collection."""
    grade: int = Field(default=1, ge=1, le=LARGEST_GRADE)
    """Grade of relevance: 1 is relevant, a larger grade is more relevant."""


Way = Literal["agentic", "inpars", "paragraph"]
"""Way of drafting questions: agentic (checked by a judge), inpars (many at a time) or paragraph (one of each)."""


class Origin(Frozen):
    """The model that drafted a question from a document."""

    model: str = Field(min_length=1, max_length=300)
    """Name of the model."""
    model_digest: str = "unknown"
    """Digest of its weights; `unknown` if its server reports none."""
    drafting: str
    """Digest of the drafting: documents, models, limits and seed."""
    way: Way
    """Way in which it was drafted."""
    edited: bool = False
    """True if a person edited question or answer."""


LONGEST_NAME, LONGEST_TEXT, MOST_METADATA = 100, 2000, 50
"""Characters of a name and of a text in the metadata of a question, and number of its names."""
ShortName = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
ShortText = Annotated[str, StringConstraints(max_length=LONGEST_TEXT)]


class Question(Frozen):
    """A question and its reference answer."""

    id: str = Field(min_length=1, max_length=200)
    """Unique within its dataset."""
    text: str = Field(min_length=1)
    """The question as it is asked."""
    reference: str
    """The reference answer; an empty one leaves the scores None with reason `empty_reference`."""
    gold_passages: tuple[GoldPassage, ...] = ()
    """Passages that contain the answer, where they are known."""
    cluster: str | None = added_field(None, min_length=1, max_length=200)
    """Group of questions that depend on each other, such as those of one source document; None: on its own."""
    group: str | None = added_field(None, min_length=1, max_length=200)
    """Part of the questions that figures are also computed for, such as the language of the question."""
    category: str | None = added_field(None, min_length=1, max_length=200)
    """Kind of question, such as `figure` or `no result`."""
    relevant: tuple[RelevantDocument, ...] | None = added_field(None)
    """Relevant documents. None: not known, or those of the gold passages; empty: no document answers the question."""
    weight: float | None = added_field(None, gt=0, le=HEAVIEST)
    """Weight of the question in means and tests, such as how often users ask it; only ratios matter. None: 1."""
    metadata: dict[ShortName, ShortText] | None = added_field(None, max_length=MOST_METADATA)
    """Other columns of the file, by name; prompt templates may show them."""
    origin: Origin | None = added_field(None)
    """The model that drafted the question; None if a person wrote it, or if that is not known."""
    other_references: tuple[Annotated[str, StringConstraints(min_length=1)], ...] | None = added_field(
        None, min_length=1, max_length=MOST_REFERENCES
    )
    """Other right answers: each metric keeps the best value of an answer over the reference and these. None: none."""

    @model_validator(mode="after")
    def _references_differ(self) -> Question:
        if self.other_references and (not self.reference or len(set(self.references)) != len(self.references)):
            raise ValueError("other references differ from the reference and from each other")
        return self

    @model_validator(mode="after")
    def _relevance_is_consistent(self) -> Question:
        names = [each.document for each in self.relevant or ()]
        if len(set(names)) != len(names):
            raise ValueError("relevant names a document twice")
        if self.is_unanswerable and self.gold_passages:
            raise ValueError("a question with gold passages has a relevant document")
        return self

    @property
    def references(self) -> tuple[str, ...]:
        """Return all right answers, the reference first."""
        return (self.reference, *(self.other_references or ()))

    @property
    def gold_documents(self) -> tuple[str, ...]:
        """Return the document of each gold passage; empty if one is not known, as the others are not all then."""
        names = tuple(each.document for each in self.gold_passages)
        return names if all(names) else ()

    @property
    def is_unanswerable(self) -> bool:
        """Return whether the dataset declares that no document answers the question, so that abstaining is right."""
        return self.relevant == ()


def repeated_texts(questions: Sequence[Question]) -> dict[str, str]:
    """Return the text of each question that occurs more than once, by id: such questions have the same answers."""
    texts = {each.id: " ".join(each.text.split()).casefold() for each in questions}
    counts = Counter(texts.values())
    return {id_: text for id_, text in texts.items() if counts[text] > 1}


def weights_of(questions: Sequence[Question]) -> dict[str, float]:
    """Return the weights of questions by id, 1 on average; empty if all are equal."""
    weights = {question.id: 1.0 if question.weight is None else question.weight for question in questions}
    if len(set(weights.values())) < 2:
        return {}
    mean = math.fsum(weights.values()) / len(weights)
    return {name: weight / mean for name, weight in weights.items()}


class Dataset(Frozen):
    """An ordered set of questions; its order is the order of every run."""

    name: str = Field(min_length=1, max_length=100, pattern=NAME_PATTERN)
    """Name within this installation: anything but slashes and control characters."""
    language: str = Field(default="en", min_length=2, max_length=35)
    """BCP 47 tag of the questions' language."""
    questions: tuple[Question, ...] = Field(min_length=1)
    """Questions in file order."""

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Dataset:
        if len({question.id for question in self.questions}) != len(self.questions):
            raise ValueError("question ids must be unique within a dataset")
        return self

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of language and questions in order, in hex; it does not depend on the name."""
        return digest_of({"language": self.language, "questions": [q.model_dump(mode="json") for q in self.questions]})


class EditedQuestion(Frozen):
    """A question that two versions of a dataset have under one id and with another content."""

    id: str
    """Its id in both versions."""
    fields: tuple[str, ...]
    """Names of the fields that differ, in the order of `Question`."""


class DatasetDifference(Frozen):
    """Difference of the questions of two versions of a dataset, by question id."""

    before: str
    """Digest of the earlier version."""
    after: str
    """Digest of the later version."""
    added: tuple[str, ...]
    """Ids that only the later version has, in its order."""
    removed: tuple[str, ...]
    """Ids that only the earlier version has, in its order."""
    changed: tuple[EditedQuestion, ...]
    """Questions of both versions with another content, in the order of the later version."""
    unchanged: int
    """Number of questions that are the same in both versions."""
    reordered: bool
    """True if the questions of both versions come in another order."""
    languages: tuple[str, str] | None
    """Languages of the two versions; None if they are the same."""


def difference(before: Dataset, after: Dataset) -> DatasetDifference:
    """Compare two versions of a dataset, question by question."""
    old = {question.id: question for question in before.questions}
    new = {question.id: question for question in after.questions}
    both = [name for name in new if name in old]
    fields = {
        name: tuple(field for field in Question.model_fields if getattr(old[name], field) != getattr(new[name], field))
        for name in both
    }
    changed = tuple(EditedQuestion(id=name, fields=found) for name, found in fields.items() if found)
    return DatasetDifference(
        before=before.digest,
        after=after.digest,
        added=tuple(name for name in new if name not in old),
        removed=tuple(name for name in old if name not in new),
        changed=changed,
        unchanged=len(both) - len(changed),
        reordered=[name for name in old if name in new] != both,
        languages=None if before.language == after.language else (before.language, after.language),
    )
