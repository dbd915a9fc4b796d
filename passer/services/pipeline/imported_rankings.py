"""Rankings and relevance grades that come from files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from passer.domain.retrieval.at_k import Grades
from passer.domain.retrieval.figures import Ranked
from passer.domain.retrieval.inputs import Grader, InputSummary, input_summary

Ratings = Callable[[str], Mapping[str, int]]
"""Given the id of an assessment, the number of its items that people have rated, by column."""


def rated_of(grader: Grader | None, ratings: Ratings) -> int:
    """Return how many passages a judge graded that people have rated too; 0 where its assessment is not known."""
    return ratings(grader.assessment).get(grader.column, 0) if grader and grader.assessment else 0


@dataclass(frozen=True)
class Imported:
    """Rankings and grades of the questions in imported files."""

    runs: Sequence[tuple[str, Ranked]] = ()
    """Rankings of other systems: a name, and names in order by question id."""
    grades: Mapping[str, Grades] | None = None
    """Relevance by question id; None takes the gold passages of the dataset."""
    graded_by: str = "qrels"
    """Name of the grades."""
    grader: Grader | None = None
    """The judge whose grades they are; None where there is none, or it is not known."""
    rated: int = 0
    """Passages that this judge graded and people have rated too."""

    @property
    def summaries(self) -> tuple[InputSummary, ...]:
        """Return names and digests of all."""
        runs = [input_summary("run", name, {key: list(ids) for key, ids in run.items()}) for name, run in self.runs]
        if self.grades is None:
            return tuple(runs)
        grades = {question: dict(found) for question, found in self.grades.items()}
        summary = input_summary("qrels", self.graded_by, grades)
        return (*runs, summary.model_copy(update={"graded_by": self.grader, "rated": self.rated}))
