"""table.csv: the table of a study, one row for each configuration, every cell from records and verdict."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence, Set

import numpy as np

from passer.domain.analysis.gains import Spread
from passer.domain.analysis.run_rows import RunRows
from passer.domain.base import canonical_json
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.question_record import csv_cell, csv_quoted, formula_safe
from passer.domain.bundle.verdict_document import ConfigurationRecord, GainRecord, VerdictContent
from passer.domain.composite import CPS
from passer.domain.score import VECTOR_ORDER
from passer.domain.study.document import FORMAT, WITH_SETTINGS, StudyFormat
from passer.domain.study.run_records import StatedConfigs, setting_of

Cell = str | float | int | None
OWN = (
    "configuration", "model", "runs", "questions", "scored", "failed", "passages", "with_passages",
    "value", "cv", "t_cps", "gain", "low", "high", "p", "outcome", "cost",
)  # fmt: skip
"""Columns before the means of the 24 columns."""
COLUMNS = (*OWN, *VECTOR_ORDER)
"""Columns of versions 1 and 2."""
SETTINGS = ("retriever", "retrieval")
"""Columns of version 3 after the names: how the runs retrieve, as their manifests state it."""
_NAMES = 2
TOLERANCE = 2.0**-30
"""Numbers summed in another order agree within this (9.3e-10), relative above 1.

No decimal fraction lies at this distance from another: at 1e-9 a cell whose ninth decimal was changed by one passed or
failed by the last bit of a sum, and verifiers that add in another order disagreed.
"""
BOUND_TOLERANCE = 1e-8
"""Bounds and p lie on a grid of 2^-30, as in verdict.json."""
_BOUNDS = frozenset(("low", "high", "p"))
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?\Z")
"""A number in a cell: Python and JavaScript read more spellings, and not the same ones."""


def table_rows(
    verdict: VerdictContent, runs: Sequence[RunRows], *, version: StudyFormat, configs: StatedConfigs | None
) -> list[tuple[Cell, ...]]:
    """Return a row of cells for each configuration of the verdict, in the order of `columns_of`.

    `version` is that of the study: version 1 has outcomes also where there is no verdict. Without `configs`, as of
    imported sheets, the cells about passages are empty.
    """
    by_id = {run.run_id: run for run in runs}
    without = frozenset[str]() if version == FORMAT else verdict.models_without_verdict
    gains = {each.configuration: each for each in verdict.gains}
    rows = [
        _row(
            verdict,
            here,
            gains.get(place),
            [by_id[each] for each in dict.fromkeys(run.id for run in here.runs) if each in by_id],
            without,
        )
        for place, here in enumerate(verdict.configurations)
    ]
    if configs is not None:
        return rows if version != WITH_SETTINGS else list(_with_settings(rows, verdict, configs))
    unknown = {COLUMNS.index(name) for name in ("passages", "with_passages")}
    return [tuple(None if place in unknown else cell for place, cell in enumerate(row)) for row in rows]


def decided_cells(cells: Sequence[Sequence[str]], verdict: VerdictContent) -> list[list[str]]:
    """Return the cells of table.csv, of any version, without outcomes where there is no verdict."""
    place, found = cells[0].index("outcome"), [list(row) for row in cells]
    for row, here in zip(found[1:], verdict.configurations, strict=True):
        row[place] = _outcome(row[place], here.model, verdict.models_without_verdict)
    return found


def columns_of(version: StudyFormat) -> tuple[str, ...]:
    """Return the columns of table.csv in this version."""
    return COLUMNS if version != WITH_SETTINGS else (*COLUMNS[:_NAMES], *SETTINGS, *COLUMNS[_NAMES:])


def table_bytes(rows: Sequence[Sequence[Cell]], version: StudyFormat) -> bytes:
    """Return the table as CSV (RFC 4180): numbers as RFC 8785 writes them, empty for None."""
    return _lines((columns_of(version), *(map(_token, row) for row in rows))).encode()


def read_table(content: bytes, version: StudyFormat) -> list[list[str]] | None:
    """Return the cells of table.csv with its header; None where it is not such a table of this version."""
    columns = columns_of(version)
    try:
        text = content.decode("utf-8")
        cells = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (csv.Error, UnicodeDecodeError):
        return None
    is_whole = bool(cells) and cells[0] == list(columns) and all(len(row) == len(columns) for row in cells)
    # CSV has many forms, and readers differ in which they accept (a lone line feed, a quote inside a cell): only the
    # form that is written counts, so that every verifier reads the same cells.
    return cells if is_whole and _lines(map(csv_quoted, row) for row in cells) == text else None


def _lines(rows: Iterable[Iterable[str]]) -> str:
    return "".join(f"{','.join(row)}\r\n" for row in rows)


def differing_cell(stated: Sequence[Sequence[str]], follows: Sequence[Sequence[Cell]]) -> Violation | None:
    """Return the first cell that does not follow from records and verdict; `stated` has the header as its first row."""
    if len(stated) - 1 != len(follows):
        return Violation(f"It has {len(stated) - 1} rows for {len(follows)} configurations.", field="rows")
    for number, (cells, row) in enumerate(zip(stated[1:], follows, strict=True), start=2):
        for column, cell, value in zip(stated[0], cells, row, strict=True):
            if not _is_same(column, cell, value):
                shown = "empty" if value is None else value
                detail = f"Row {number}, column {column}: {cell or 'empty'} does not follow, it is {shown}."
                return Violation(detail, field=f"row {number}, {column}")
    return None


def _with_settings(
    rows: Iterable[tuple[Cell, ...]], verdict: VerdictContent, configs: StatedConfigs
) -> Iterator[tuple[Cell, ...]]:
    for row, here in zip(rows, verdict.configurations, strict=True):
        config = configs.get(here.runs[0].id, {})
        retriever = canonical_json(config["retriever"]).decode() if "retriever" in config else None
        yield (*row[:_NAMES], retriever, setting_of(config) if config else None, *row[_NAMES:])


def _row(
    verdict: VerdictContent,
    here: ConfigurationRecord,
    gain: GainRecord | None,
    runs: Sequence[RunRows],
    without_verdict: Set[str],
) -> tuple[Cell, ...]:
    items = [item for run in runs for item in run.questions]
    base = here if here.baseline is None else verdict.configurations[here.baseline]
    ours, theirs = (np.array(each.values, dtype=np.float64) for each in (here, base))
    paired = ~np.isnan(ours) & ~np.isnan(theirs)
    weights = None if verdict.weights is None else np.array(verdict.weights)[paired]
    spread, is_cps = Spread.of(ours[paired], weights), verdict.rule.primary == CPS
    states = [item.state for item in items]
    own: tuple[Cell, ...] = (
        here.name,
        here.model,
        len(runs),
        len(items),
        states.count("scored"),
        states.count("failed"),
        sum(item.retrieval.kept for item in items) / len(items) if items else None,
        sum(item.retrieval.kept > 0 for item in items),
        spread.mean,
        spread.cv if is_cps else None,
        spread.tcps if is_cps else None,
        *((None,) * 4 if gain is None else (gain.gain, gain.low, gain.high, gain.p)),
        None if gain is None else _outcome(gain.outcome, here.model, without_verdict),
        here.cost,
    )
    return (*own, *_means(runs))


def _outcome(outcome: str, model: str, without_verdict: Set[str]) -> str:
    """Return an outcome, undecided where its model has no verdict; that nothing differs is no conclusion."""
    return "undecided" if model in without_verdict and outcome not in ("", "identical") else outcome


def _means(runs: Sequence[RunRows]) -> list[float | None]:
    """Return the mean of each column over all scored answers that have a value."""
    rows = [item.scores for run in runs for item in run.questions if item.scores is not None]
    found: list[float | None] = []
    for place in range(len(VECTOR_ORDER)):
        values = [float(row.values[place]) for row in rows if row.reasons[place] is None]
        found.append(math.fsum(values) / len(values) if values else None)
    return found


def _token(value: Cell) -> str:
    if value is None:
        return ""
    return csv_cell(value) if isinstance(value, str) else canonical_json(value).decode()


def _is_same(column: str, cell: str, value: Cell) -> bool:
    if value is None or isinstance(value, str):
        return cell == formula_safe(value or "")
    within = BOUND_TOLERANCE if column in _BOUNDS else TOLERANCE
    return bool(NUMBER.match(cell)) and math.isclose(float(cell), value, rel_tol=within, abs_tol=within)
