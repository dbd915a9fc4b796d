"""Named inputs of retrieval from other systems and people: rankings, relevance grades, term maps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, StringConstraints

from passer.domain.base import Count, Frozen, digest_of
from passer.domain.judging.judgement import NamedJudge
from passer.domain.retrieval.refinements import TermWords
from passer.domain.wording.sentence import sentence


def _check_name(name: str) -> str:
    if not re.fullmatch(r"\w[\w .()-]*", name):
        raise ValueError(sentence("input.name"))
    return name


InputName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=60),
    AfterValidator(_check_name),
]
"""Letters of any script, digits, spaces, dots, dashes and parentheses."""
RankingKind = Literal["run", "qrels"]
"""The passages that a system ranked for each question; or how relevant each passage is for a question."""
InputKind = Literal["run", "qrels", "terms"]
"""A ranking, relevance grades, or a map of terms."""


class Grader(Frozen):
    """The model that graded passages."""

    name: str
    """Its name."""
    digest: str = "unknown"
    """Digest of its weights, as its server gives it."""
    assessment: str = ""
    """Id of the assessment that has the grades; empty for grades that were saved before this was kept."""
    column: str = ""
    """Column of that assessment; empty if it is not known."""


class StoredInput(Frozen):
    """An input of retrieval under its name."""

    kind: ClassVar[InputKind]
    name: InputName
    """Name in tables and commands."""
    content: Any
    """Content of the input."""
    graded_by: Grader | None = None
    """The judge whose grades these are; None for grades of people, and where it is not known."""

    @property
    def summary(self) -> InputSummary:
        """Return what a list shows of it."""
        found = input_summary(self.kind, self.name, self.model_dump(mode="json")["content"])
        return found.model_copy(update={"graded_by": self.graded_by})


class StoredRun(StoredInput):
    """The ranking of another system."""

    kind = "run"
    content: dict[str, tuple[str, ...]] = Field(min_length=1)
    """Names of passages or documents, best first, by question id."""


class StoredQrels(StoredInput):
    """Relevance grades of passages or documents for questions."""

    kind = "qrels"
    content: dict[str, dict[str, Count]] = Field(min_length=1)
    """Grade of each name by question id; 0 is not relevant."""


class StoredTerms(StoredInput):
    """A map of terms for query expansion. A retriever holds a copy, so that it never changes with the stored one."""

    kind = "terms"
    content: TermWords
    """Words and phrases to add, by the word or phrase of the question that they are added for."""


class InputSummary(Frozen):
    """A stored input in a list."""

    kind: InputKind
    """Kind of the input."""
    name: str
    """Its name among those of its kind."""
    digest: str
    """SHA-256, hex, of its content."""
    entries: Count
    """Number of its questions, or of its terms."""
    graded_by: Grader | None = None
    """The judge whose grades these are; None for grades of people, and where it is not known."""
    rated: Count = 0
    """Passages that it graded and people have rated too; with a judge and 0 the grades are uncalibrated."""

    @property
    def judge(self) -> str | None:
        """Return the judge's name, with the word `uncalibrated` if people rated no passage; None without a judge."""
        return None if self.graded_by is None else NamedJudge(self.graded_by.name, self.rated).label


def input_summary(kind: InputKind, name: str, content: Mapping[str, Any]) -> InputSummary:
    """Return what a list shows of a content in JSON's types, stored or not."""
    return InputSummary(kind=kind, name=name, digest=digest_of(content), entries=len(content))
