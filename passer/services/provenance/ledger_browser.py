"""Lists and exports a ledger, and compares it with an earlier export or bundle."""

from __future__ import annotations

import math
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal

from pydantic import ValidationError

from passer.domain.base import Frozen
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.question_record import QuestionRecord
from passer.domain.ledger.entry import LEGACY_DIGEST, Entry, testid_of, vector_of
from passer.domain.ledger.of_run import EntryMaker, question_description, run_description
from passer.domain.score import VECTOR_ORDER
from passer.domain.sweeps.run_tally import mean_scores
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import Ledger, LedgerPage, LedgerQuery, LedgerRow, TableReader

PAGE = 1000
SEARCHED_RUNS = 10
"""Numbers beyond the last run of an export that are searched for in the ledger."""
Kind = Literal["bundle", "ledger", "sweep"]
COMPARED: dict[Kind, str] = {
    "bundle": "Compared: scores and digests of the run and its questions, which cover texts and configuration.",
    "ledger": "Compared: every field of every row.",
    "sweep": (
        "Compared: the 24 scores of each question, the questions of each run, and the runs of each sweep. Not "
        "compared: texts, configurations and other columns, which an export does not prove; a bundle does."
    ),
}


class Expected(Frozen):
    """A row as an export states it; None where the export has no value."""

    testid: str
    """Twelve-character id of the run."""
    description: str
    """Run and question."""
    results: tuple[float | None, ...] | None
    """Values as in the ledger."""
    run_digest: str | None = None
    """Leaf or manifest digest."""
    row: LedgerRow | None = None
    """The whole row, if the export is one of the ledger itself."""
    needed: bool = True
    """False for rows that a ledger may lack: question rows where only runs are recorded."""
    rounded: bool = False
    """True if a spreadsheet rounded the numbers to 15 digits."""


class LedgerComparison(Frozen):
    """Result of comparing an export with the ledger."""

    compared: str
    """Compared and omitted parts, in one sentence."""
    equal: int
    """Rows that are equal in the ledger."""
    differs: tuple[str, ...]
    """Rows that differ in the ledger."""
    missing: tuple[str, ...]
    """Rows that the ledger does not have."""
    extra: tuple[str, ...]
    """Rows of the same runs that the export does not have, for example of a run that finished twice."""
    unauthenticated: int
    """Equal rows of the published contract, which prove hardly anything."""
    repeated: tuple[str, ...] = ()
    """Rows that the export has more than once."""
    left_out: tuple[str, ...] = ()
    """Runs of the same sweep, and questions of the same runs, that the ledger has and the export has not."""

    @property
    def holds(self) -> bool:
        """Return whether the ledger contains every row of the export once and equal, and the export is complete."""
        return not (self.differs or self.missing or self.repeated or self.left_out) and self.equal > 0


@dataclass(frozen=True)
class LedgerBrowser:
    """Read-only access to a ledger."""

    ledger: Ledger
    tables: Sequence[TableReader]

    def page(self, query: LedgerQuery, *, run: str | None = None) -> LedgerPage:
        """Return a page of rows; `run` is a run's id or its twelve characters."""
        testid = None if run is None else testid_of(run) if "-" in run else run
        return self.ledger.list(query if testid is None else query.model_copy(update={"testid": testid}))

    def rows(self, query: LedgerQuery, *, run: str | None = None) -> Iterator[LedgerRow]:
        """Yield all rows from there on, page by page."""
        after = query.after
        while True:
            page = self.page(query.model_copy(update={"after": after, "limit": PAGE}), run=run)
            yield from page.items
            after = page.next
            if after is None:
                return

    def compare(self, content: bytes, *, name: str) -> LedgerComparison:
        """Compare a bundle, an export of a ledger (JSON Lines) or an export of a sweep with this ledger."""
        kind, rows = self._expected(content, name)
        expected = list(rows)
        if not expected:
            raise InputError(sentence("provenance.no-rows", name=name))
        found: dict[tuple[str, str], list[LedgerRow]] = {}
        for testid in dict.fromkeys(row.testid for row in expected):
            for row in self.rows(LedgerQuery(testid=testid)):
                found.setdefault((row.testid, _claimed(row)[0]), []).append(row)
        compared = _compared(expected, found).model_copy(update={"compared": COMPARED[kind]})
        if kind == "ledger":
            return compared
        known = {(row.testid, row.description) for row in expected}
        left_out = [description for testid, description in found if (testid, description) not in known]
        left_out += self._absent_runs(expected) if kind == "sweep" else []
        return compared.model_copy(update={"left_out": tuple(left_out)})

    def _absent_runs(self, expected: Iterable[Expected]) -> list[str]:
        """Return runs of the sweeps in an export that only the ledger has; runs are numbered from 000."""
        runs = {row.description.split()[1] for row in expected}
        absent = []
        for sweep_id in sorted({run_id.rpartition("-")[0] for run_id in runs} - {""}):
            last = max(int(number) for run_id in runs if (number := run_id.rpartition("-")[2]).isdigit())
            for place in range(last + SEARCHED_RUNS):
                run_id = f"{sweep_id}-{place:03d}"
                if run_id not in runs and self.ledger.list(LedgerQuery(testid=testid_of(run_id), limit=1)).items:
                    absent.append(run_description(run_id))
        return absent

    def _expected(self, content: bytes, name: str) -> tuple[Kind, Iterator[Expected]]:
        if zipfile.is_zipfile(BytesIO(content)) and not name.endswith(".xlsx"):
            return "bundle", _of_bundle(content, name)
        first = content.split(b"\n", 1)[0]
        if b'"testid"' in first and b'"results"' in first:
            return "ledger", _of_ledger(content, name)
        for reader in self.tables:
            if name.endswith(reader.suffixes):
                return "sweep", _of_sweep(reader.read(content), name)
        raise InputError(sentence("provenance.neither", name=name))


def _compared(expected: Sequence[Expected], found: Mapping[tuple[str, str], list[LedgerRow]]) -> LedgerComparison:
    equal: list[LedgerRow] = []
    differs, missing = [], []
    counted = Counter((wanted.testid, wanted.description, wanted.row and wanted.row.id) for wanted in expected)
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
        compared="",
        repeated=tuple(description for (_, description, _), count in counted.items() if count > 1),
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
    """Return description and digest; a legacy row has both in its description."""
    if row.authenticated:
        return row.description, row.run_digest
    description, mark, digest = row.description.rpartition(LEGACY_DIGEST)
    return (description, digest) if mark else (row.description, None)


def _of_ledger(content: bytes, name: str) -> Iterator[Expected]:
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            row = LedgerRow.model_validate_json(line)
        except ValidationError as exc:
            raise InputError(sentence("provenance.not-ledger-row", line=number, name=name)) from exc
        description = _claimed(row)[0]
        yield Expected(testid=row.testid, description=description, results=row.results, row=row)


def _of_bundle(content: bytes, name: str) -> Iterator[Expected]:
    try:
        with zipfile.ZipFile(BytesIO(content)) as bundle:
            manifest = Manifest.model_validate_json(bundle.read("manifest.json"))
            lines = bundle.read("questions.jsonl").splitlines()
        records = [QuestionRecord.model_validate_json(line) for line in lines]
    except (KeyError, zipfile.BadZipFile, ValidationError) as exc:
        raise InputError(sentence("provenance.named-not-bundle", name=name)) from exc
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
            raise InputError(sentence("provenance.row-without-run", row=number, name=name))
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
    """Return a cell's number; None for an empty cell."""
    try:
        return None if value in (None, "") else float(str(value))
    except ValueError:
        return None
