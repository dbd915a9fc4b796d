"""Imported rankings and relevance grades."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from passer.domain.retrieval.at_k import By, Grades
from passer.domain.retrieval.figures import Ranked
from passer.domain.retrieval.inputs import Grader, InputSummary, input_summary
from passer.domain.retrieval.passages import Passage
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.ports import PassageIndex, RetrievalInputStore

_ID = re.compile(r"[0-9a-f]{24}-\d{5,}")
"""Ids of passages; grades of other systems have names of their own."""

Ratings = Callable[[str], Mapping[str, int]]
"""Function of the id of an assessment that returns the number of its rated items, by column."""


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


def grade_warnings(imported: Imported, collection: str, lost: int) -> Iterator[LocalizedText]:
    """Yield warnings about grades of a judge that nobody has rated, and about grades that apply to no passage."""
    if imported.grader and imported.rated == 0:
        yield sentence("retrieval.uncalibrated", name=imported.graded_by, judge=imported.grader.name)
    if lost:
        yield sentence("retrieval.not-applied", n=lost, name=imported.graded_by, collection=collection)


def applied(imported: Imported, by: By, index: PassageIndex, inputs: RetrievalInputStore) -> tuple[Imported, int]:
    """Return imported rankings and grades by the ids of a collection's passages, and how many grades apply to none.

    Names that a ranking has and the collection has not stay, in grades too: that ranking found what was graded.
    """
    if by == "document":
        return imported, 0
    ranked = {name for _, run in imported.runs for names in run.values() for name in names}
    gone, now = _gone(ranked | _names(imported.grades or {}), index, inputs)
    runs = [(label, _with_ids_of_now(run, now)) for label, run in imported.runs]
    if imported.grades is None:
        return replace(imported, runs=runs), 0
    grades, lost = _moved(imported.grades, gone - (ranked - now.keys()), now)
    return replace(imported, runs=runs, grades=grades), lost


def grades_in(
    index: PassageIndex, grades: Mapping[str, Grades], inputs: RetrievalInputStore
) -> tuple[Mapping[str, Grades], int]:
    """Return grades by the ids that a collection's passages have, and how many grades apply to none of them.

    A document that is added again has passages with other ids if its text changed anywhere. The grade of a passage
    applies to that of the same document with the same text. Names that are no ids stay.
    """
    return _moved(grades, *_gone(_names(grades), index, inputs))


def _names(grades: Mapping[str, Grades]) -> set[str]:
    return {name for own in grades.values() for name in own}


def _gone(names: Set[str], index: PassageIndex, inputs: RetrievalInputStore) -> tuple[Set[str], Mapping[str, str]]:
    """Return the ids that a collection does not have, and for each the id of the same text in it."""
    ids = set(filter(_ID.fullmatch, names))
    passages = list(index.passages()) if ids else []
    gone = ids - {each.id for each in passages}
    return gone, same_passages(inputs.kept_passages(sorted(gone)), passages) if gone else {}


def _with_ids_of_now(run: Ranked, now: Mapping[str, str]) -> Ranked:
    """Return a ranking by current ids; a text with two ids keeps the better rank."""
    if not now:
        return run
    return {question: tuple(dict.fromkeys(now.get(name, name) for name in names)) for question, names in run.items()}


def _moved(grades: Mapping[str, Grades], gone: Set[str], now: Mapping[str, str]) -> tuple[Mapping[str, Grades], int]:
    if not gone:
        return grades, 0
    lost = sum(name in gone and name not in now for own in grades.values() for name in own)
    return {question: _renamed(own, gone, now) for question, own in grades.items()}, lost


def same_passages(earlier: Mapping[str, Passage], passages: Iterable[Passage]) -> dict[str, str]:
    """Return the id among `passages` of each earlier one: same document, same text, the nearest of repeated texts."""
    alike: dict[tuple[str, str], list[Passage]] = defaultdict(list)
    for each in passages:
        alike[each.document, each.text].append(each)
    found = {key: (each.number, alike.get((each.document, each.text), [])) for key, each in earlier.items()}
    return {
        key: min(several, key=lambda each: abs(each.number - number)).id
        for key, (number, several) in found.items()
        if several
    }


def _renamed(own: Grades, gone: Set[str], now: Mapping[str, str]) -> Grades:
    """Return the grades of a question by current ids; a passage that has a grade under its own id keeps it."""
    moved = {now[name]: grade for name, grade in own.items() if name in now}
    return moved | {name: grade for name, grade in own.items() if name not in gone}
