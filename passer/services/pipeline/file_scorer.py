"""Scores answers of other systems from a table file with references and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from math import isfinite
from pathlib import PurePath
from typing import Any, NamedTuple

from passer.domain.models.outside import ONLY_ANSWERS
from passer.domain.references import best_scores
from passer.domain.score import ScoreTable, VectorProfile
from passer.domain.texts.damage import spelling_differences
from passer.domain.texts.words import ENGLISH
from passer.domain.texts.written_numbers import number_text
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import MOST_PROBLEMS, DatasetError, Problem
from passer.metrics import MetricScorer
from passer.ports import TableReader, TableWriter, rows_of, writer_of
from passer.services.library.answer_notes import answer_notes
from passer.services.library.column_mapping import ALIASES
from passer.services.library.column_names import plain_name, renamed
from passer.services.library.listed_texts import NO_VALUES, answer_texts, single_text

ANSWER_NAMES = (*ONLY_ANSWERS, "output")
MEANINGS = {
    "answer": ANSWER_NAMES,
    "reference": (*ALIASES["reference"], *ALIASES["references"]),
    **{name: ALIASES[name] for name in ("id", "references", "other_references")},
}
"""Names under which a column can be read, with the names by which it is found."""


class ScoredFile(NamedTuple):
    """Scores of the rows of a file."""

    table: ScoreTable
    notes: tuple[Sentence, ...]
    """What to know of the texts, one sentence each."""


class _Row(NamedTuple):
    number: int
    id: str
    answer: str
    references: list[str]


@dataclass(frozen=True)
class FileScorer:
    """Scores the rows of a file."""

    readers: Sequence[TableReader]
    writers: Sequence[TableWriter]
    scorer: MetricScorer

    def score(
        self,
        content: bytes,
        filename: str,
        *,
        profile: VectorProfile,
        language: str = ENGLISH,
        columns: Mapping[str, str] | None = None,
    ) -> ScoredFile:
        """Return the scores of every row, in order; DatasetError if a column or a cell is missing.

        Of several right answers, in columns such as `references` and `other_references`, each metric keeps the best
        value. `columns` maps names of `MEANINGS` to columns of the file; the others are found by their names.
        """
        read = self._read(renamed(rows_of(self.readers, content, filename), columns or {}, MEANINGS), filename)
        pairs = ((text, said) for _, _, said, texts in read for text in texts)
        found = self.scorer.stream(pairs, profile=profile, language=language)
        scores = [best_scores(list(islice(found, len(texts)))) for *_, texts in read]
        table = ScoreTable.of([each.id for each in read], scores, self.scorer.columns)
        return ScoredFile(table, tuple(_notes(read)))

    def _read(self, rows: Sequence[Mapping[str, Any]], filename: str) -> list[_Row]:
        numbered = [(number, row) for number, row in enumerate(rows, 1) if row]
        if not numbered:
            raise DatasetError(sentence("scores.no-rows", file=filename))
        columns = list(dict.fromkeys(name for _, row in numbered for name in row))
        reference = _column(columns, MEANINGS["reference"], what="reference", filename=filename)
        answer = _column(columns, ANSWER_NAMES, what="answer", filename=filename)
        lists = [name for name in columns if plain_name(name) in (*ALIASES["references"], *ALIASES["other_references"])]
        text_of = answer_texts if reference in lists else single_text
        numbered = [
            (
                n,
                {
                    **row,
                    reference: text_of(row.get(reference)),
                    **{name: answer_texts(row.get(name)) for name in lists},
                },
            )
            for n, row in numbered
        ]
        problems = tuple(_problems(numbered, reference, answer, lists))
        if problems:
            raise DatasetError(
                sentence("scores.empty-cells", file=filename, count=len(problems)),
                problems=problems[:MOST_PROBLEMS],
            )
        identity = next((name for name in columns if plain_name(name) in ALIASES["id"]), None)
        return [
            _Row(
                number,
                _written(row.get(identity)) if identity else str(number),
                _written(row[answer]),
                _references(row, reference, lists),
            )
            for number, row in numbered
        ]

    def content(self, table: ScoreTable, filename: str) -> bytes:
        """Return all scores as a file of this name; InputError for an unknown suffix.

        The column `missing_scores` has the reasons of missing values, `notes` what to know of others.
        """
        stream = BytesIO()
        self.writer(filename).write(stream, ("id", *table.columns, "missing_scores", "notes"), _cells(table))
        return stream.getvalue()

    def writer(self, filename: str) -> TableWriter:
        """Return what writes a file of this name; InputError for an unknown suffix."""
        return writer_of(self.writers, PurePath(filename).suffix)


def _notes(rows: Sequence[_Row]) -> Iterator[Sentence]:
    yield from answer_notes((each.number, each.answer, each.references) for each in rows)
    references = ((each.number, text, [each.answer]) for each in rows for text in each.references)
    yield from spelling_differences(references, of="reference")


def _column(columns: Sequence[str], names: Sequence[str], *, what: str, filename: str) -> str:
    matches = [column for column in columns if plain_name(column) in names]
    if len(matches) > 1:
        # Next to `response`, `answer` is often the reference: every score would be 1.
        said = sentence("scores.two-columns", file=filename, column=what, columns=", ".join(matches))
        raise DatasetError(said, field=matches[1])
    if matches:
        return matches[0]
    found = ", ".join(columns)
    raise DatasetError(sentence("scores.no-column", file=filename, column=what, found=found), field=what)


def _problems(
    rows: Sequence[tuple[int, Mapping[str, Any]]], reference: str, answer: str, lists: Sequence[str]
) -> Iterator[Problem]:
    for number, row in rows:
        for column in dict.fromkeys((reference, answer, *lists)):
            value = row.get(column)
            # A list may have several texts only if it lists right answers; it may be empty next to a reference.
            texts = value if column in lists and isinstance(value, list) else [value]
            if not all(map(_is_text, texts)) or not (texts or column != reference):
                yield Problem(message=sentence("scores.no-text", column=column), row=number, field=column)


def _is_text(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return is_number or (isinstance(value, str) and value.strip().lower() not in NO_VALUES)


def _references(row: Mapping[str, Any], reference: str, lists: Sequence[str]) -> list[str]:
    """Return the right answers of a row, the reference first."""
    first = [] if reference in lists else [_written(row[reference])]
    return list(dict.fromkeys((*first, *(text for name in lists for text in row[name]))))


def _written(value: Any) -> str:
    """Return the text of a cell; 12 and 12.0 are one number."""
    return number_text(value) if isinstance(value, float) else str(value)


def _cells(table: ScoreTable) -> Iterator[dict[str, Any]]:
    for key, row in zip(table.ids, table.rows(), strict=True):
        values: dict[str, Any] = {name: score.value for name, score in row.items()}
        missing = _listed({name: score.reason for name, score in row.items()})
        yield {"id": key, **values, "missing_scores": missing, "notes": _listed({n: s.note for n, s in row.items()})}


def _listed(said: Mapping[str, str | None]) -> str | None:
    return "; ".join(f"{name}: {what}" for name, what in said.items() if what) or None
