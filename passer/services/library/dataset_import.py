"""Imports question files: a table of questions becomes a Dataset, or is refused whole with every bad row named."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Any

from passer.domain.base import Frozen
from passer.domain.dataset import NAME_PATTERN, Dataset, Question
from passer.domain.sweeps.cautions import language_cautions
from passer.domain.wording.sentence import sentence
from passer.errors import MOST_PROBLEMS, DatasetError, InputError, Problem, TooLargeError
from passer.ports import TableContent, TableReader, reader_of, rows_of
from passer.services.library.column_mapping import (
    ALIASES,
    OF_DEEPEVAL,
    ColumnMapping,
    data_in_header,
    header_below,
    other_file,
    proposed_mapping,
)
from passer.services.library.dataset_language import Recognise, language_of_rows, other_languages
from passer.services.library.nested_rows import examples, unnested
from passer.services.library.question_rows import NO_COLUMN, QuestionRows
from passer.services.library.summary_rows import Rows, without_summaries
from passer.services.library.trace_answers import OF_LANGSMITH, questions_of_traces, unquoted

MAX_BYTES = 50 * 1024 * 1024
"""Default limit of a file's size."""
MAX_COLUMNS = 1_000
"""More columns than any table of questions has."""


class DatasetCounts(Frozen):
    """Counts of a question file."""

    rows: int
    """Rows that are not blank."""
    questions: int
    """Rows that are valid questions."""
    with_reference: int
    """Valid questions with a reference answer."""
    with_gold: int
    """Valid questions with gold passages."""
    problems: int
    """Number of problems, listed or not."""
    skippable: int
    """Rows with a problem that an import can skip; 0 where none has one, or a problem concerns the whole file."""


class DatasetPreview(Frozen):
    """The dataset that a file would become; nothing is saved."""

    mapping: ColumnMapping
    """Mapping of its columns; send it back to confirm."""
    columns: tuple[str, ...]
    """Columns of the file, in its order."""
    meanings: tuple[str, ...]
    """Columns of a dataset, as which a column of the file can be read."""
    questions: tuple[Question, ...]
    """The first valid questions."""
    problems: tuple[Problem, ...]
    """The first 50 problems. A file with a problem is not imported, unless its bad rows are skipped."""
    counts: DatasetCounts
    """Counts over the whole file."""
    language: str
    """BCP 47 tag that the dataset would have."""

    @property
    def undecided(self) -> tuple[str, ...]:
        """Columns of the file that are neither read nor ignored."""
        decided = {*self.mapping.columns.values(), *self.mapping.ignored}
        return tuple(column for column in self.columns if column not in decided)


@dataclass(frozen=True)
class DatasetImport:
    """Imports question files with the given table readers."""

    readers: Sequence[TableReader]
    recognise: Recognise
    max_bytes: int = MAX_BYTES

    def preview(
        self,
        content: TableContent,
        filename: str,
        *,
        limit: int = 5,
        language: str | None = None,
        mapping: ColumnMapping | None = None,
        ignore_columns: Sequence[str] = (),
        base: Dataset | None = None,
    ) -> DatasetPreview:
        """Return what the file would become, or add to `base`; an error only if it cannot be read at all."""
        draft = self._draft(content, filename, language, mapping, ignore_columns, base)
        return DatasetPreview(
            mapping=draft.mapping,
            columns=draft.columns,
            meanings=tuple(ALIASES),
            questions=tuple(draft.questions[:limit]),
            problems=tuple(draft.problems[:MOST_PROBLEMS]),
            counts=DatasetCounts(
                rows=draft.rows,
                questions=len(draft.questions),
                with_reference=sum(1 for question in draft.questions if question.reference),
                with_gold=sum(1 for question in draft.questions if question.gold_passages),
                problems=len(draft.problems),
                skippable=draft.skippable,
            ),
            language=draft.language,
        )

    def load(
        self,
        content: TableContent,
        filename: str,
        *,
        name: str,
        language: str | None = None,
        mapping: ColumnMapping | None = None,
        ignore_columns: Sequence[str] = (),
        skip_bad_rows: bool = False,
        base: Dataset | None = None,
    ) -> Dataset:
        """Return the dataset; DatasetError names every bad row (50 are listed), and nothing is imported.

        With `base` it has the questions of that dataset first; a row that repeats one of them is a bad one.
        With `skip_bad_rows` the valid rows become the dataset. A file with a problem that concerns the whole file, or
        without any valid row, is refused all the same.
        """
        if not re.fullmatch(NAME_PATTERN, name.strip()) or len(name.strip()) > 100:
            raise InputError(sentence("dataset.name"), field="name")
        draft = self._draft(content, filename, language, mapping, ignore_columns, base)
        if draft.problems and not (skip_bad_rows and draft.skippable):
            raise _refusal(filename, draft.problems)
        kept = base.questions if base else ()
        return Dataset(name=name.strip(), language=draft.language, questions=(*kept, *draft.questions))

    def _draft(
        self,
        content: TableContent,
        filename: str,
        language: str | None,
        mapping: ColumnMapping | None,
        ignored: Sequence[str],
        base: Dataset | None,
    ) -> _Draft:
        size = len(content) if isinstance(content, bytes) else content.stat().st_size
        if size > self.max_bytes:
            raise TooLargeError(
                sentence("dataset.too-large", name=filename, size=size / 1e6, most=self.max_bytes / 1e6)
            )
        rows = rows_of(self.readers, content, filename)
        remarks = reader_of(self.readers, filename).remarks(content)
        draft = _draft_of(rows, filename, language, mapping, ignored, base, self.recognise)
        draft.mapping = draft.mapping.model_copy(update={"notes": (*remarks, *draft.mapping.notes)})
        return draft


@dataclass
class _Draft:
    """A file while it becomes a dataset."""

    mapping: ColumnMapping
    columns: tuple[str, ...]
    questions: list[Question]
    problems: list[Problem]
    rows: int
    language: str

    @property
    def skippable(self) -> int:
        """Rows with a problem; 0 where a problem concerns the whole file, or no row is valid."""
        rows = {problem.row for problem in self.problems}
        return 0 if None in rows or not self.questions else len(rows)


def _refusal(filename: str, problems: Sequence[Problem]) -> DatasetError:
    first = problems[0]
    reason = first.message if first.row is None else sentence("dataset.of-row", row=first.row, problem=first.message)
    several = "first" if len(problems) > MOST_PROBLEMS else "all" if len(problems) > 1 else "one"
    message = sentence(f"dataset.refused-{several}", name=filename, n=len(problems), most=MOST_PROBLEMS, problem=reason)
    return DatasetError(message, field=first.field, problems=tuple(problems[:MOST_PROBLEMS]))


def _draft_of(
    rows: Sequence[Mapping[str, Any]],
    filename: str,
    language: str | None,
    given: ColumnMapping | None,
    ignored: Sequence[str],
    base: Dataset | None,
    recognise: Recognise,
) -> _Draft:
    filled = [(number, row) for number, row in enumerate(rows, start=1) if row]
    if not filled:
        raise DatasetError(sentence("dataset.no-question", name=filename))
    filled = unnested(examples(filled) or unquoted(filled))
    traces = questions_of_traces(filled)
    if traces:
        filled = traces[0]
    found = _columns_of(filled, filename)
    if len(found) > MAX_COLUMNS:
        raise DatasetError(sentence("dataset.many-columns", name=filename, columns=len(found), most=MAX_COLUMNS))
    other = other_file(found, PurePath(filename).stem)
    if other and not (given and given.columns):
        raise DatasetError(sentence("dataset.of-file", name=filename, problem=sentence(other)))
    mapping, problems = proposed_mapping(found, given=given, ignored=ignored, has_references=not traces)
    if problems:
        problems = _explained(problems, mapping, found, filled)
        return _Draft(mapping, tuple(found), [], problems, len(filled), language or "en")
    known = base.questions if base else ()
    reading = QuestionRows(mapping.columns, joins_contexts=set(found) >= OF_DEEPEVAL, known=known)
    questions, remarks = without_summaries(filled, mapping.columns)
    for number, row in questions:
        reading.add(number, row)
    references = [text for each in reading.questions for text in each.references]
    texts = [*(each.text for each in reading.questions), *references]
    own = base.language if base else None
    spoken = language_of_rows(reading.languages, given=language, base=own, recognise=partial(recognise, texts))
    added = [sentence("dataset.added", n=len(known))] if base else []
    if not (language or base or any(reading.languages)):
        pairs = [" ".join((each.text, *each.references)) for each in reading.questions]
        added += other_languages(pairs, spoken.tag, recognise)
    cautions = language_cautions(references, language=spoken.tag)
    name = data_in_header(found)
    remarks += [] if name is None else [sentence("dataset.no-header", name=name)]
    remarks = [*([traces[1]] if traces else []), *remarks, *mapping.notes]
    notes = dict.fromkeys((*remarks, *spoken.notes, *added, *reading.notes(), *cautions))
    mapping = mapping.model_copy(update={"notes": tuple(notes)})
    problems = sorted((*reading.problems, *spoken.problems), key=_place)
    return _Draft(mapping, tuple(found), reading.questions, problems, len(filled), spoken.tag)


def _columns_of(rows: Rows, filename: str) -> list[str]:
    """Return the columns of a file in their order, without the empty titles of BEIR's queries.

    On Hugging Face these have the same columns as its corpus.
    """
    found = dict.fromkeys(column for _, row in rows for column in row if column != NO_COLUMN)
    is_queries = "quer" in filename.lower() and not any(row.get("title") for _, row in rows)
    return [column for column in found if not (is_queries and column == "title")]


def _explained(problems: list[Problem], mapping: ColumnMapping, found: Sequence[str], filled: Rows) -> list[Problem]:
    """Return the problems of columns after, or replaced by, what in the file causes them."""
    below = None if "question" in mapping.columns else header_below(filled)
    if below is not None:
        problems = [Problem(sentence("dataset.header-below", names=", ".join(below[1])), row=below[0])]
    if (name := data_in_header(found)) is not None:
        problems = [Problem(sentence("dataset.no-header", name=name)), *problems]
    if set(found) >= OF_LANGSMITH:
        problems = [Problem(sentence("dataset.langsmith")), *problems]
    return problems


def _place(problem: Problem) -> int:
    return problem.row or 0
