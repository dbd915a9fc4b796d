"""Two tables of one design side by side: the published one and the one that was run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from passer.domain.base import Frozen
from passer.domain.bundle.verification import StudyResult
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import InputError

COMPARED = ("value", "gain", "passages", "cost")
"""Numbers that are shown side by side; the outcome is compared as a word."""
HERE = ("base_url", "connection")
"""Members of a model that name servers: those of this installation are used, never addresses of a file."""


class ReproducedCell(Frozen):
    """A value of one configuration in both tables."""

    column: str
    """Column of table.csv."""
    published: float | None
    """The published value; None for an empty cell."""
    here: float | None
    """The value that was computed here."""
    is_within: bool
    """True if both are empty, or differ by at most the tolerance."""


class ReproducedRow(Frozen):
    """A configuration in both tables."""

    configuration: LocalizedText
    """Its name."""
    model: LocalizedText
    """Its model."""
    is_found: bool
    """True if both tables have it."""
    cells: tuple[ReproducedCell, ...]
    """Numbers side by side; empty where one table lacks it."""
    published_outcome: str
    """Outcome of the comparison with the baseline; empty for a baseline."""
    outcome: str
    """The same, here."""

    @property
    def agrees(self) -> bool:
        """Return whether everything is within the tolerance, with the same outcome."""
        is_same = self.is_found and self.published_outcome == self.outcome
        return is_same and all(cell.is_within for cell in self.cells if cell.column in ("value", "gain"))


class Reproduction(Frozen):
    """A published study and its repetition."""

    study: str
    """Study digest."""
    sweep_id: str
    """Sweep that ran it again."""
    primary: str
    """Primary metric of the study: CPS, or one column."""
    tolerance: float
    """Largest difference of values and gains that counts as equal, in units of the primary metric."""
    rows: tuple[ReproducedRow, ...]
    """Rows in the order of the published table."""
    published: StudyResult
    """Conclusions of the study."""
    here: StudyResult
    """Conclusions of the repetition."""
    differing: tuple[str, ...]
    """Differences from the study: collection, model, scorer."""

    @property
    def holds(self) -> bool:
        """Return whether every configuration agrees."""
        return all(row.agrees for row in self.rows)


def sweep_of(design: Mapping[str, Any], *, name: str) -> Sweep:
    """Return the sweep of a study's design, with this installation's servers; InputError if it has another form."""
    planned = {key: value for key, value in _local(dict(design)).items() if key != "hypothesis"}
    try:
        return Sweep.model_validate({**planned, "name": name[:200]})
    except ValidationError as exc:
        raise InputError(sentence("provenance.design-invalid")) from exc


def compared(
    published: Sequence[Sequence[str]], here: Sequence[Sequence[str]], *, tolerance: float
) -> tuple[ReproducedRow, ...]:
    """Return the rows of two tables with their headers side by side."""
    others = {(row["configuration"], row["model"]): row for row in _by_name(here)}
    return tuple(_row(row, others.get((row["configuration"], row["model"])), tolerance) for row in _by_name(published))


def _by_name(table: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """Return the rows with their cells by column; tables of two versions have different columns."""
    return [dict(zip(table[0], row, strict=True)) for row in table[1:]]


def _row(ours: Mapping[str, str], other: Mapping[str, str] | None, tolerance: float) -> ReproducedRow:
    cells = () if other is None else tuple(_cell(name, ours[name], other[name], tolerance) for name in COMPARED)
    return ReproducedRow(
        configuration=ours["configuration"],
        model=ours["model"],
        is_found=other is not None,
        cells=cells,
        published_outcome=ours["outcome"],
        outcome="" if other is None else other["outcome"],
    )


def _cell(name: str, shown: str, here: str, tolerance: float) -> ReproducedCell:
    one, two = (float(each) if each else None for each in (shown, here))
    is_within = one is two if one is None or two is None else abs(one - two) <= tolerance
    return ReproducedCell(column=name, published=one, here=two, is_within=is_within)


def _local(value: Any) -> Any:
    """Return a design without addresses and names of servers."""
    if isinstance(value, dict):
        return {name: _local(each) for name, each in value.items() if name not in HERE}
    return [_local(each) for each in value] if isinstance(value, list) else value
