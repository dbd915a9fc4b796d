"""Question files in: any table of questions becomes a Dataset, or is refused whole with every bad row named."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from passer.domain.base import Frozen
from passer.domain.dataset import NAME_PATTERN, Dataset, Question
from passer.errors import DatasetError, InputError, Problem, TooLargeError
from passer.ports import TableReader
from passer.services.columns import ColumnMapping, proposed_mapping
from passer.services.question_rows import NO_COLUMN, QuestionRows

MAX_BYTES = 50 * 1024 * 1024
"""Largest file taken unless set otherwise."""
MAX_PROBLEMS = 50
"""Bad rows listed; all are counted."""


class DatasetCounts(Frozen):
    """What a file holds."""

    rows: int
    """Rows that are not blank."""
    questions: int
    """Rows that are good questions."""
    with_reference: int
    """Of these, with a reference answer."""
    with_gold: int
    """Of these, with gold passages."""
    problems: int
    """Problems found, listed or not."""


class DatasetPreview(Frozen):
    """What a file would become, before anything is kept."""

    mapping: ColumnMapping
    """How its columns are read; hand it back to confirm."""
    questions: tuple[Question, ...]
    """The first good ones."""
    problems: tuple[Problem, ...]
    """The first 50; while there is one, the file is not taken."""
    counts: DatasetCounts
    """Over the whole file."""
    language: str
    """BCP 47 tag that the dataset would get."""


@dataclass(frozen=True)
class Loading:
    """Loads question files with the table readers it is given."""

    readers: Sequence[TableReader]
    max_bytes: int = MAX_BYTES

    def preview(
        self,
        content: bytes,
        filename: str,
        *,
        limit: int = 5,
        language: str | None = None,
        mapping: ColumnMapping | None = None,
        ignore_columns: Sequence[str] = (),
    ) -> DatasetPreview:
        """What the file would become; DatasetError or TooLargeError only where it cannot be read at all."""
        draft = self._draft(content, filename, language, mapping, ignore_columns)
        return DatasetPreview(
            mapping=draft.mapping,
            questions=tuple(draft.questions[:limit]),
            problems=tuple(draft.problems[:MAX_PROBLEMS]),
            counts=DatasetCounts(
                rows=draft.rows,
                questions=len(draft.questions),
                with_reference=sum(1 for question in draft.questions if question.reference),
                with_gold=sum(1 for question in draft.questions if question.gold_passages),
                problems=len(draft.problems),
            ),
            language=draft.language,
        )

    def load(
        self,
        content: bytes,
        filename: str,
        *,
        name: str,
        language: str | None = None,
        mapping: ColumnMapping | None = None,
        ignore_columns: Sequence[str] = (),
    ) -> Dataset:
        """The dataset; DatasetError names every bad row (50 of them listed), and nothing is taken."""
        if not re.fullmatch(NAME_PATTERN, name.strip()) or len(name.strip()) > 100:
            raise InputError("Give the dataset a name of 1 to 100 characters, without slashes.", field="name")
        draft = self._draft(content, filename, language, mapping, ignore_columns)
        if draft.problems:
            raise _refusal(filename, draft.problems)
        return Dataset(name=name.strip(), language=draft.language, questions=tuple(draft.questions))

    def _draft(
        self,
        content: bytes,
        filename: str,
        language: str | None,
        mapping: ColumnMapping | None,
        ignored: Sequence[str],
    ) -> _Draft:
        if len(content) > self.max_bytes:
            raise TooLargeError(
                f"{filename} has {len(content) / 1e6:.1f} MB, more than the {self.max_bytes / 1e6:.1f} MB allowed: "
                "split it, or raise the limit in the settings."
            )
        try:
            rows = self._reader(filename).read(content)
        except DatasetError as exc:
            raise DatasetError(f"{filename}: {exc}", field=exc.field, problems=exc.problems[:MAX_PROBLEMS]) from exc
        return _draft_of(rows, filename, language, mapping, ignored)

    def _reader(self, filename: str) -> TableReader:
        suffix = PurePath(filename).suffix.lower()
        known = [suffix for reader in self.readers for suffix in reader.suffixes]
        for reader in self.readers:
            if suffix in reader.suffixes:
                return reader
        raise DatasetError(f"A question file is one of {', '.join(known)}, not {suffix or 'without a suffix'!r}.")


@dataclass
class _Draft:
    """A file on its way to becoming a dataset."""

    mapping: ColumnMapping
    questions: list[Question]
    problems: list[Problem]
    rows: int
    language: str


def _refusal(filename: str, problems: Sequence[Problem]) -> DatasetError:
    first = problems[0]
    reason = first.message if first.row is None else f"row {first.row}: {first.message}"
    count = ""
    if len(problems) > 1:
        listed = f"the first {MAX_PROBLEMS} are listed" if len(problems) > MAX_PROBLEMS else "all are listed"
        count = f" for {len(problems)} problems ({listed}), the first"
    message = f"{filename} was not taken{count}: {reason}"
    return DatasetError(message, field=first.field, problems=tuple(problems[:MAX_PROBLEMS]))


def _draft_of(
    rows: Sequence[Mapping[str, Any]],
    filename: str,
    language: str | None,
    given: ColumnMapping | None,
    ignored: Sequence[str],
) -> _Draft:
    filled = [(number, row) for number, row in enumerate(rows, start=1) if row]
    if not filled:
        raise DatasetError(f"{filename} holds no question: give it at least one row.")
    found = list(dict.fromkeys(column for _, row in filled for column in row if column != NO_COLUMN))
    mapping, problems = proposed_mapping(found, given=given, ignored=ignored)
    if problems:
        return _Draft(mapping, [], problems, len(filled), language or "en")
    reading = QuestionRows(mapping.columns)
    for number, row in filled:
        reading.add(number, row)
    tag, language_notes = reading.language(language)
    notes = (*mapping.notes, *language_notes, *reading.notes())
    mapping = mapping.model_copy(update={"notes": tuple(dict.fromkeys(notes))})
    return _Draft(mapping, reading.questions, sorted(reading.problems, key=_place), len(filled), tag)


def _place(problem: Problem) -> int:
    return problem.row or 0
