"""The published profile against the published record: what its exports hold, computed again from their texts.

The sheets were stored with every character outside ASCII removed, and nothing marks the rows that lost one. A lost dash
or curly apostrophe changes few white-space tokens but always a word token, so it shows in Laplace, which alone reads
them all. Every row that differs is put down to a cause: a reference that was changed since, characters that were lost
(the stored value is that of the text with them), or none that is known. The list is printed (pytest -s).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from passer.adapters.wordnet import find_wordnet
from passer.metrics import score_pairs
from tests.metrics.lost_characters import Restored, wholes

EVERY = 21
"""Every 21st row: 454 of 9,530, from all 36 sheets."""

SHIFTED = {
    "METEOR": "METEOR",
    "Rouge-1.r": "BLEU",
    "Rouge-1.p": "Rouge-1.r",
    "Rouge-1.f": "Rouge-1.p",
    "Rouge-2.r": "Rouge-1.f",
    "Rouge-2.p": "Rouge-2.r",
    "Rouge-2.f": "Rouge-2.p",
    "Rouge-l.r": "Rouge-2.f",
    "Rouge-l.p": "Rouge-l.r",
    "Rouge-l.f": "Rouge-l.p",
    "BLEU": "Rouge-l.f",
    "Laplace Perplexity": "Laplace Perplexity",
    "Lidstone Perplexity": "Lidstone Perplexity",
    "F1 score": "F1 Score",
}
COLUMNS = tuple(SHIFTED.values())
LAPLACE = "Laplace Perplexity"
OTHER_REFERENCES = range(276, 280)
"""Questions (from 1) whose references were changed after the sheets were made."""


@dataclass(frozen=True)
class Row:
    place: str
    number: int
    reference: str
    answer: str
    stored: dict[str, float]


def _rows(folder: Path) -> Iterator[Row]:
    from python_calamine import CalamineWorkbook

    questions = json.loads((folder / "questions" / "sourcebook-371.json").read_text(encoding="utf-8"))
    numbers = {" ".join(row["question"].split()): number for number, row in enumerate(questions, start=1)}
    for path in sorted((folder / "phase3-sheets").glob("*/*.xlsx")) + sorted((folder / "phase2-sheets").glob("*.xlsx")):
        lines = CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()
        for line, cells in enumerate(lines[1:], start=2):
            row: dict[Any, Any] = dict(zip(lines[0], cells, strict=False))
            question, found, answer = (row["Description"] or "").partition(", answer: ")
            number = numbers.get(" ".join(question.removeprefix("question:").split()))
            if found and number is not None:
                stored = {SHIFTED[label]: float(row[label]) for label in SHIFTED}
                place = f"{path.parent.name}/{path.stem} row {line}, question {number}"
                yield Row(place, number, questions[number - 1]["answer"], answer, stored)


@dataclass(frozen=True)
class Record:
    rows: list[Row]
    differing: dict[str, list[Row]]
    """By column."""
    lost: list[Row]
    """Of those that differ in Laplace: the ones whose stored value is that of the text with what it lost."""


@pytest.fixture(scope="module")
def record(test_data: Path) -> Record:
    wordnet = find_wordnet()
    if wordnet is None:
        pytest.skip("WordNet absent: apt-get install wordnet-base")
    everything = list(_rows(test_data))
    rows = everything[::EVERY]
    pairs = [(row.reference, row.answer) for row in rows]
    scored = score_pairs(pairs, profile="published", encoder=None, wordnet=wordnet, columns=COLUMNS)
    found: dict[str, list[Row]] = {column: [] for column in COLUMNS}
    for row, scores in zip(rows, scored, strict=True):
        for column in COLUMNS:
            if scores[column].value != pytest.approx(row.stored[column], abs=1e-6):
                found[column].append(row)
    restored = Restored(row.answer for row in everything)
    lost = [row for row in found[LAPLACE] if row.number not in OTHER_REFERENCES and _lost(row, restored)]
    for column in COLUMNS:
        for row in found[column]:
            why = (
                "reference changed"
                if row.number in OTHER_REFERENCES
                else "characters lost"
                if row in lost
                else "unknown"
            )
            sys.stdout.write(f"{column}: {row.place} ({why})\n")
    return Record(rows, found, lost)


def _lost(row: Row, restored: Restored) -> bool:
    """Whether the value is that of the answer with what it lost."""
    # All by one engine, which reads the reference once and no more answers than it is asked for.
    pairs = ((row.reference, whole) for whole in wholes(row.answer, known=row.reference, restored=restored))
    scored = score_pairs(pairs, profile="published", encoder=None, wordnet=None, columns=(LAPLACE,))
    return any(scores[LAPLACE].value == pytest.approx(row.stored[LAPLACE], abs=1e-6) for scores in scored)


def test_there_are_rows_of_every_sheet(record: Record) -> None:
    assert len({row.place.split(" row")[0] for row in record.rows}) == 36
    assert len(record.rows) > 430


@pytest.mark.parametrize("column", [column for column in COLUMNS if column != LAPLACE])
def test_column_is_reproduced(record: Record, column: str) -> None:
    assert len(record.differing[column]) <= 0.03 * len(record.rows)


def test_laplace_is_reproduced_but_for_what_the_storage_lost(record: Record) -> None:
    differing = record.differing[LAPLACE]
    assert len(differing) <= 0.05 * len(record.rows)
    assert len(differing) - len(record.lost) <= 0.03 * len(record.rows)


def test_a_text_that_lost_nothing_is_explained_by_no_loss() -> None:
    row = Row("", 1, "Soil holds carbon.", "Soil keeps carbon and water near roots.", {LAPLACE: 7.0})
    assert not _lost(row, Restored([row.answer] * 20))
    restored = Restored(["weather events", "droughts and floods", "they are"] * 20)
    assert restored("Events like eventsdroughts in 20082012: theyre hard, but weather isnt.") == (
        "Events like events\u2014droughts in 2008\u20132012: they\u2019re hard, but weather isn\u2019t."
    )
