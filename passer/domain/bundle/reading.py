"""The members of a bundle with a row for each question, read strictly, with every problem."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from typing import TypeVar

from passer.domain.bundle.documents import Violation, read_document
from passer.domain.bundle.judged_texts import AnsweredTexts, texts_of
from passer.domain.bundle.merkle import Hash, leaf_hash, root_of
from passer.domain.bundle.question_record import QuestionRecord, TimingRecord
from passer.domain.bundle.zip_form import Buffer
from passer.domain.models.answer import ModelTimings
from passer.domain.wording.counted import counted

MOST_WRONG = 1000
"""Damaged lines after which reading of a member stops, so that valid records bound the memory of a verifier."""
Line = TypeVar("Line", QuestionRecord, TimingRecord)
_SCORES_ROW = re.compile(r'(?:\A|\r\n)([0-9]{1,15}),(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*)),([0-9a-f]{64}),')
_FORMULA_MARK = re.compile(r"'(?=[=+\-@\t\r])")


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """The parts of a question record that later steps need."""

    id: str
    state: str
    reason: str | None
    scores: dict[str, float | None] | None
    timings: ModelTimings
    texts: AnsweredTexts


@dataclass
class ReadRecords:
    """questions.jsonl."""

    records: list[ReadRecord | None] = field(default_factory=list)
    """None where a line is broken."""
    leaves: list[Hash] = field(default_factory=list)
    """Leaves of every line, broken or not; stated, not computed, where the texts are withheld."""
    violations: list[Violation] = field(default_factory=list)
    has_texts: bool = True
    """False where the first record has no texts; then no other has them."""

    @cached_property
    def root(self) -> str:
        """Root of the tree over the leaves, in hex."""
        return root_of(self.leaves).hex()

    @property
    def whole(self) -> list[ReadRecord] | None:
        """Return all records; None if one is damaged or has the number of another record."""
        return None if self.violations else [record for record in self.records if record is not None]


@dataclass
class ReadTimings:
    """timings.jsonl."""

    timings: list[TimingRecord | None]
    violations: list[Violation]
    digest: str
    """SHA-256 of its bytes, in hex."""


@dataclass(frozen=True)
class StatedLeaf:
    """Id and leaf of a question in scores.csv."""

    id: str
    leaf: str


def read_records(data: Buffer, see: Callable[[QuestionRecord], object]) -> ReadRecords:
    """Read questions.jsonl line by line; `see` is called with each record that can be read, in order."""
    found, seen = ReadRecords(), set[str]()
    for number, (line, is_ended) in enumerate(_lines(data)):
        # Also for a broken line: the root covers bytes, so that it still shows whether anything else was changed.
        record, wrong = _line(QuestionRecord, line, number)
        is_withheld = record is not None and record.withheld is not None
        found.leaves.append(record.leaf if record is not None and is_withheld else leaf_hash(line))
        if number == 0:
            found.has_texts = not is_withheld
        elif wrong is None and found.has_texts == is_withheld:
            wrong = Violation("Some records have their texts and others do not.", field="withheld", number=number)
        if wrong is None and record is not None and record.id in seen:
            wrong = Violation(f"Its id “{record.id}” also occurs in an earlier record.", number=number)
        # Without the last line break, a file that was cut after a line would look complete.
        wrong = wrong or (None if is_ended else Violation("Its line does not end with a line break.", number=number))
        if wrong is not None:
            found.violations.append(wrong)
        if record is None:
            found.records.append(None)
        else:
            seen.add(record.id)
            see(record)
            found.records.append(
                ReadRecord(record.id, record.state, record.reason, record.scores, record.timings, texts_of(record))
            )
        if len(found.violations) == MOST_WRONG:
            break
    if not found.records:
        found.violations.append(Violation("It has no record."))
    return found


def read_timings(data: Buffer, records: ReadRecords) -> ReadTimings:
    """Read timings.jsonl and compare its ids with those of the records."""
    timings: list[TimingRecord | None] = []
    wrong: list[Violation] = []
    for number, (line, is_ended) in enumerate(_lines(data)):
        record = records.records[number] if number < len(records.records) else None
        timing, problem = _line(TimingRecord, line, number)
        if timing is not None and record is not None and timing.id != record.id:
            problem = Violation("It belongs to another question.", number=number)
        if problem is None and not is_ended:
            problem = Violation("Its line does not end with a line break.", number=number)
        if problem is not None:
            wrong.append(problem)
        timings.append(timing)
        if len(wrong) == MOST_WRONG:
            break
    if len(timings) != len(records.records):
        detail = f"It has {counted(len(timings), 'line')} for {counted(len(records.records), 'question')}."
        wrong.append(Violation(detail, number=min(len(timings), len(records.records))))
    return ReadTimings(timings, wrong, hashlib.sha256(data).hexdigest())


def read_ids_and_leaves(content: bytes) -> dict[int, StatedLeaf]:
    """Return ids and leaves by question number from scores.csv, unchecked; used only to name a question."""
    found: dict[int, StatedLeaf] = {}
    for number, quoted, plain, leaf in _SCORES_ROW.findall(content.decode("utf-8", "replace")):
        cell = quoted.replace('""', '"') or plain
        # The writer marks cells that a spreadsheet would compute; the id has no such mark.
        found.setdefault(int(number), StatedLeaf(cell[1:] if _FORMULA_MARK.match(cell) else cell, leaf))
    return found


def _line(model: type[Line], line: bytes, number: int) -> tuple[Line | None, Violation | None]:
    read = read_document(model, line)
    if read.violation is not None:
        return None, Violation(read.violation.detail, field=read.violation.field, number=number)
    if read.value is not None and read.value.number != number:
        detail = f"The line of number {read.value.number} is in its position."
        return read.value, Violation(detail, field="number", number=number)
    return read.value, None


def _lines(data: Buffer) -> Iterator[tuple[bytes, bool]]:
    """Yield lines without their breaks, and whether each had one."""
    for line in BytesIO(data):
        yield line.removesuffix(b"\n"), line.endswith(b"\n")
