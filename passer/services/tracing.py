"""What a ledger holds: listed, exported, and compared with an export or a bundle of earlier."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pydantic import ValidationError

from passer.domain.base import Frozen
from passer.domain.ledger.entry import Entry, testid_of, vector_of
from passer.domain.ledger.of_run import EntryMaker, question_description, run_description
from passer.domain.manifest import Manifest, mean_scores
from passer.domain.question_record import QuestionRecord
from passer.domain.score import VECTOR_ORDER
from passer.errors import InputError
from passer.ports import Ledger, LedgerPage, LedgerQuery, LedgerRow, TableReader

PAGE = 1000
LEGACY_MARK = " digest "
"""In the published contract the digest stands in the description, after this."""


class Expected(Frozen):
    """What an export says a ledger holds; None is not said."""

    testid: str
    """The run."""
    description: str
    """Run and question."""
    results: tuple[float | None, ...] | None
    """As in the ledger."""
    run_digest: str | None = None
    """Leaf or manifest digest."""
    row: LedgerRow | None = None
    """The whole row, where the export is one of the ledger itself."""
    needed: bool = True
    """False for what a ledger may leave out: question rows where only runs are recorded."""
    rounded: bool = False
    """Whether the numbers went through a spreadsheet, which keeps 15 digits."""


class LedgerComparison(Frozen):
    """An export beside the ledger."""

    equal: int
    """Rows that the ledger holds just so."""
    differs: tuple[str, ...]
    """Rows of which it holds something else."""
    missing: tuple[str, ...]
    """Rows that it does not hold."""
    extra: tuple[str, ...]
    """Rows of the same runs that the export does not have; those of a run that finished more than once stay."""
    unauthenticated: int
    """Of the equal ones, rows of the published contract, which prove next to nothing."""

    @property
    def holds(self) -> bool:
        """Whether the ledger holds all that the export has, and nothing else of it."""
        return not (self.differs or self.missing) and self.equal > 0


@dataclass(frozen=True)
class Tracing:
    """Reads a ledger; changes nothing."""

    ledger: Ledger
    tables: Sequence[TableReader]

    def page(self, query: LedgerQuery, *, run: str | None = None) -> LedgerPage:
        """A page of rows; `run` is a run's id, or its twelve characters."""
        testid = None if run is None else testid_of(run) if "-" in run else run
        return self.ledger.list(query if testid is None else query.model_copy(update={"testid": testid}))

    def rows(self, query: LedgerQuery, *, run: str | None = None) -> Iterator[LedgerRow]:
        """All rows from there on, page by page."""
        after = query.after
        while True:
            page = self.page(query.model_copy(update={"after": after, "limit": PAGE}), run=run)
            yield from page.items
            after = page.next
            if after is None:
                return

    def compare(self, content: bytes, *, name: str) -> LedgerComparison:
        """A bundle, an export of a ledger (JSON Lines), or an export of a sweep, beside this ledger."""
        expected = list(self._expected(content, name))
        if not expected:
            raise InputError(f"{name} holds no rows to compare: give a bundle, or an export with rows.")
        found: dict[tuple[str, str], list[LedgerRow]] = {}
        for testid in dict.fromkeys(row.testid for row in expected):
            for row in self.rows(LedgerQuery(testid=testid)):
                found.setdefault((row.testid, _claimed(row)[0]), []).append(row)
        return _compared(expected, found)

    def _expected(self, content: bytes, name: str) -> Iterator[Expected]:
        if zipfile.is_zipfile(BytesIO(content)) and not name.endswith(".xlsx"):
            return _of_bundle(content, name)
        first = content.split(b"\n", 1)[0]
        if b'"testid"' in first and b'"results"' in first:
            return _of_ledger(content, name)
        for reader in self.tables:
            if name.endswith(reader.suffixes):
                return _of_sweep(reader.read(content), name)
        raise InputError(f"{name} is no bundle and no export: give what `passer bundle` or `passer export` wrote.")


def _compared(expected: Iterable[Expected], found: Mapping[tuple[str, str], list[LedgerRow]]) -> LedgerComparison:
    equal: list[LedgerRow] = []
    differs, missing = [], []
    matched: set[tuple[str, str]] = set()
    for wanted in expected:
        rows = found.get((wanted.testid, wanted.description), [])
        if wanted.results is None:
            matched.update((row.testid, row.id) for row in rows)
            continue
        same = [row for row in rows if _is_same(wanted, row)]
        if same:
            equal.append(same[0])
            matched.update((row.testid, row.id) for row in same)
        elif rows:
            differs.append(wanted.description)
            matched.update((row.testid, row.id) for row in rows)
        elif wanted.needed:
            missing.append(wanted.description)
    extra = [row for rows in found.values() for row in rows if (row.testid, row.id) not in matched]
    return LedgerComparison(
        equal=len(equal),
        differs=tuple(differs),
        missing=tuple(missing),
        extra=tuple(f"{row.id}: {row.description}" for row in extra),
        unauthenticated=sum(not row.authenticated for row in equal),
    )


def _is_same(wanted: Expected, row: LedgerRow) -> bool:
    if wanted.row is not None:
        return wanted.row == row
    digest = _claimed(row)[1]
    return _are_same(wanted, row.results) and wanted.run_digest in (None, digest)


def _are_same(wanted: Expected, results: tuple[float | None, ...]) -> bool:
    if not wanted.rounded or wanted.results is None or len(wanted.results) != len(results):
        return wanted.results == results
    pairs = zip(wanted.results, results, strict=True)
    return all(a == b or (a is not None and b is not None and math.isclose(a, b, rel_tol=1e-14)) for a, b in pairs)


def _claimed(row: LedgerRow) -> tuple[str, str | None]:
    """Description and digest; in a legacy row both stand in the description."""
    if row.authenticated:
        return row.description, row.run_digest
    description, mark, digest = row.description.rpartition(LEGACY_MARK)
    return (description, digest) if mark else (row.description, None)


def _of_ledger(content: bytes, name: str) -> Iterator[Expected]:
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            row = LedgerRow.model_validate_json(line)
        except ValidationError as exc:
            raise InputError(f"Line {number} of {name} is no row of a ledger: export it again.") from exc
        description = _claimed(row)[0]
        yield Expected(testid=row.testid, description=description, results=row.results, row=row)


def _of_bundle(content: bytes, name: str) -> Iterator[Expected]:
    try:
        with zipfile.ZipFile(BytesIO(content)) as bundle:
            manifest = Manifest.model_validate_json(bundle.read("manifest.json"))
            lines = bundle.read("questions.jsonl").splitlines()
        records = [QuestionRecord.model_validate_json(line) for line in lines]
    except (KeyError, zipfile.BadZipFile, ValidationError) as exc:
        raise InputError(f"{name} is no bundle: `passer verify {name}` says what is wrong with it.") from exc
    maker = EntryMaker(manifest.run.id, manifest.config_digest)
    for record in records:
        entry = maker.of_question("addtest", record.vector, question_id=record.id, leaf=record.leaf.hex())
        yield _of_entry(entry, needed=False)
    yield _of_entry(maker.of_run("addtest", mean_scores(manifest.means), run_digest=manifest.digest), needed=True)


def _of_entry(entry: Entry, *, needed: bool) -> Expected:
    return Expected(
        testid=entry.testid,
        description=entry.description,
        results=entry.results,
        run_digest=entry.run_digest,
        needed=needed,
    )


def _of_sweep(rows: Sequence[Mapping[str, Any]], name: str) -> Iterator[Expected]:
    runs = set()
    for number, row in enumerate(rows, start=1):
        run_id, question_id = row.get("run_id"), row.get("question_id")
        if not run_id or not question_id:
            raise InputError(f"Row {number} of {name} names no run and question: export the evaluations of a sweep.")
        values = tuple(_number(row.get(column)) for column in VECTOR_ORDER)
        yield Expected(
            testid=testid_of(str(run_id)),
            description=question_description(str(run_id), str(question_id)),
            results=vector_of(values),
            rounded=name.endswith(".xlsx"),
        )
        runs.add(str(run_id))
    for run_id in sorted(runs):
        # The run's own row has means, which are in no table of questions.
        yield Expected(testid=testid_of(run_id), description=run_description(run_id), results=None)


def _number(value: object) -> float | None:
    """A cell's number; None where it is empty."""
    try:
        return None if value in (None, "") else float(str(value))
    except ValueError:
        return None
