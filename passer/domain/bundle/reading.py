"""The members of a bundle that have a row for each question, read strictly, with everything that is wrong."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import BaseModel, ValidationError

from passer.domain.answer import ModelTimings
from passer.domain.bundle.documents import Wrong, value_of_form, what_is_not_of_the_form
from passer.domain.bundle.members import id_of_scores_row
from passer.domain.bundle.zip_form import Buffer
from passer.domain.canonical import NotCanonical, path_at, read_canonical
from passer.domain.merkle import Hash, leaf_hash, root_of
from passer.domain.question_record import QuestionRecord, TimingRecord

_BLOCK = 1 << 20
_SCORES_ROW = re.compile(rb'(?:\A|\r\n)(\d{1,15}),(?:"(?:[^"]|"")*"|[^",\r\n]*),([0-9a-f]{64}),')


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """What is kept of a question record while a bundle is checked."""

    id: str
    state: str
    reason: str | None
    scores: dict[str, float | None] | None
    timings: ModelTimings
    tokens: tuple[str, ...]
    """The scores as they are written, in vector order; empty for None."""


@dataclass
class ReadRecords:
    """questions.jsonl."""

    records: list[ReadRecord | None] = field(default_factory=list)
    """None where a line is broken."""
    leaves: list[Hash] = field(default_factory=list)
    """Of every line as it stands."""
    wrong: list[Wrong] = field(default_factory=list)

    @cached_property
    def root(self) -> str:
        """What the lines lead to."""
        return root_of(self.leaves).hex()

    @property
    def whole(self) -> list[ReadRecord] | None:
        """All records; None where one is broken or in another's place."""
        return None if self.wrong else [record for record in self.records if record is not None]


@dataclass
class ReadTimings:
    """timings.jsonl."""

    timings: list[TimingRecord | None]
    wrong: list[Wrong]
    digest: str
    """SHA-256 of its bytes, in hex."""


@dataclass(frozen=True)
class NotedLeaf:
    """What scores.csv notes of a question."""

    id: str | None
    leaf: str
    offset: int
    """Where its row begins."""


def read_records(data: Buffer) -> ReadRecords:
    """questions.jsonl, line by line."""
    found, seen = ReadRecords(), set[str]()
    for number, (line, is_ended) in enumerate(_lines(data)):
        found.leaves.append(leaf_hash(line))
        record, wrong = _record(line, number)
        if wrong is None and record is not None and record.id in seen:
            wrong = Wrong(f"Its id {record.id!r} stands in an earlier record too.", number=number)
        if wrong is None and not is_ended:
            wrong = Wrong("Its line is not ended.", number=number)
        if record is not None:
            seen.add(record.id)
        if wrong is not None:
            found.wrong.append(wrong)
        found.records.append(record)
    if not found.records:
        found.wrong.append(Wrong("It holds no record."))
    return found


def read_timings(data: Buffer, records: ReadRecords) -> ReadTimings:
    """timings.jsonl, held against the records."""
    timings: list[TimingRecord | None] = []
    wrong: list[Wrong] = []
    for number, (line, is_ended) in enumerate(_lines(data)):
        record = records.records[number] if number < len(records.records) else None
        timing, problem = _timing(line, number)
        if timing is not None and record is not None and timing.id != record.id:
            problem = Wrong("It is not of the question that stands in this place.", number=number)
        if problem is None and not is_ended:
            problem = Wrong("Its line is not ended.", number=number)
        if problem is not None:
            wrong.append(problem)
        timings.append(timing)
    if len(timings) != len(records.records):
        counted = f"It has {len(timings)} lines for {len(records.records)} questions."
        wrong.append(Wrong(counted, number=min(len(timings), len(records.records))))
    return ReadTimings(timings, wrong, hashlib.sha256(data).hexdigest())


def read_noted(content: bytes) -> dict[int, NotedLeaf]:
    """Ids and leaves as scores.csv notes them; only to name a question, so nothing is checked."""
    found: dict[int, NotedLeaf] = {}
    for row in _SCORES_ROW.finditer(content):
        start = row.start(1)
        noted = NotedLeaf(id_of_scores_row(content[start : row.end()]), row[2].decode("ascii"), start)
        found.setdefault(int(row[1]), noted)
    return found


def _record(line: bytes, number: int) -> tuple[ReadRecord | None, Wrong | None]:
    record = value_of_form(QuestionRecord, line)
    if record is None or record.line != line:
        return None, _broken(QuestionRecord, line, number)
    read = ReadRecord(record.id, record.state, record.reason, record.scores, record.timings, record.tokens)
    if record.number != number:
        return read, Wrong(f"The record of number {record.number} stands in its place.", field="number", number=number)
    return read, None


def _timing(line: bytes, number: int) -> tuple[TimingRecord | None, Wrong | None]:
    timing = value_of_form(TimingRecord, line)
    if timing is None or timing.line != line:
        return None, _broken(TimingRecord, line, number)
    if timing.number != number:
        wrong = Wrong(f"The line of number {timing.number} stands in its place.", field="number", number=number)
        return timing, wrong
    return timing, None


def _lines(data: Buffer) -> Iterator[tuple[bytes, bool]]:
    """Lines without their breaks, and whether each had one; nothing is read twice."""
    begun: list[bytes] = []
    for start in range(0, len(data), _BLOCK):
        first, *others = bytes(data[start : start + _BLOCK]).split(b"\n")
        begun.append(first)
        for part in others:
            yield b"".join(begun), True
            begun = [part]
    if any(begun):
        yield b"".join(begun), False


def _broken(model: type[BaseModel], line: bytes, number: int) -> Wrong:
    """Why a line is not the canonical form of a record."""
    try:
        canonical = read_canonical(line)
        model.model_validate_json(line, strict=True)
    except NotCanonical as exc:
        return Wrong(str(exc), field=path_at(line, exc.position) or None, number=number)
    except ValidationError as exc:
        wrong = what_is_not_of_the_form(exc, canonical.value)
        return Wrong(wrong.detail, field=wrong.field, number=number)
    return Wrong("A member is missing, or a number is too large.", number=number)
