"""The tidy table that every analysis begins with: a row for each question of each configuration, a column a metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.levels import Levels, threshold_of
from passer.domain.panel import Panel
from passer.domain.score import VECTOR_ORDER, MissingReason, ScoreTable
from passer.domain.wording.sentence import Sentence, sentence

Mask = NDArray[np.bool_]
Unit = Literal["runs", "sheets"]
_FAILED: MissingReason = "generation_failed"
_EMPTY: MissingReason = "empty_answer"


@dataclass(frozen=True, eq=False)
class Configuration:
    """Configuration that the rows of a table share."""

    name: str
    """Shown in tables; the path of a result sheet."""
    model: str
    """Model that answered: a pool of one model contains all its configurations."""
    label: str
    """The model, with the other settings that distinguish configurations of the same model."""
    sources: tuple[str, ...]
    """Ids of its runs, or the path of its sheet."""
    levels: Levels = field(default_factory=dict)
    """Value of each factor."""
    baseline: int | None = None
    """Place of the configuration that it is compared with; None without one."""

    @property
    def threshold(self) -> float | None:
        """Return the similarity threshold; None for a baseline, or if another factor varies."""
        return threshold_of(self.levels)


@dataclass(frozen=True, eq=False)
class ScoreRows:
    """Scores of all configurations: question x configuration x metric, with repetitions as separate rows."""

    table: ScoreTable
    """Scores by the id of the question."""
    configurations: tuple[Configuration, ...]
    """Configurations in the order of the analysis."""
    places: NDArray[np.intp]
    """Configuration of each row."""
    truncated: Mask
    """Rows whose prompt or answer was cut."""
    unit: Unit = "runs"
    """Runs or sheets of a configuration."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Weight of each question by id; empty where all are equal."""

    @classmethod
    def stacked(
        cls,
        parts: Sequence[tuple[int, ScoreTable]],
        configurations: Sequence[Configuration],
        *,
        truncated: Mask | None = None,
        unit: Unit = "runs",
        weights: Mapping[str, float] | None = None,
    ) -> ScoreRows:
        """Stack tables of the 24 columns, given with the index of their configuration."""
        tables = [table for _, table in parts]
        ids = tuple(question for table in tables for question in table.ids)
        reasons = tuple(row for table in tables for row in table.reasons)
        return cls(
            table=ScoreTable(ids, VECTOR_ORDER, np.concatenate([table.values for table in tables]), reasons),
            configurations=tuple(configurations),
            places=np.repeat([place for place, _ in parts], [len(table) for table in tables]),
            truncated=np.zeros(len(ids), dtype=bool) if truncated is None else truncated,
            unit=unit,
            weights=weights or {},
        )

    def beside(self, other: ScoreRows) -> ScoreRows:
        """Return both tables as one; questions of the two tables are never paired, and have no weights."""
        n = len(self.configurations)
        moved = [
            item if item.baseline is None else replace(item, baseline=item.baseline + n)
            for item in other.configurations
        ]
        tables = [
            replace(rows.table, ids=tuple(f"{number}:{question}" for question in rows.table.ids))
            for number, rows in enumerate((self, other))
        ]
        both = ScoreRows.stacked(
            list(enumerate(tables)),
            [*self.configurations, *moved],
            truncated=np.concatenate([self.truncated, other.truncated]),
            unit=self.unit,
        )
        return replace(both, places=np.concatenate([self.places, other.places + n]))

    @property
    def pool_name(self) -> Sentence:
        """Return the name of a pool of all rows."""
        if self.unit == "runs":
            return sentence("pool.all")
        if len(self.configurations) == 1:
            return sentence("pool.run", run=self.configurations[0].name)
        return sentence("pool.sheets", n=len(self.configurations))

    @cached_property
    def questions(self) -> NDArray[np.intp]:
        """Return the question number of each row, by first appearance, shape (rows,)."""
        return number_of_each(self.table.ids)

    @cached_property
    def present(self) -> Mask:
        """Return the mask of existing values, shape (rows, metrics)."""
        return self.table.present

    def of(self, place: int) -> Mask:
        """Return the rows of one configuration."""
        return np.asarray(self.places == place)

    def lost_everywhere(self, column: str, reason: MissingReason) -> bool:
        """Return whether some configuration has no value of a column, for this reason at least once."""
        place = self.table.columns.index(column)
        kinds, kind_of = self.table.lacks
        because = np.array([row[place] == reason for row in kinds], dtype=bool)[kind_of]
        return any(
            bool(because[here].any()) and not self.present[here, place].any()
            for here in map(self.of, range(len(self.configurations)))
        )

    @property
    def any_failed(self) -> bool:
        """Return whether a question failed, so that it has no answer."""
        return any(_FAILED in kind for kind in self.table.lacks[0])

    def with_failed_as_worst(self) -> ScoreRows:
        """Return the rows with failed questions as if their answers were empty.

        Questions fail where they are hard for a configuration, as often as anywhere: without them it looks better.
        """
        kinds, _ = self.table.lacks
        emptied = {kind: tuple(_EMPTY if reason == _FAILED else reason for reason in kind) for kind in kinds}
        return replace(self, table=replace(self.table, reasons=tuple(emptied[kind] for kind in self.table.reasons)))

    def has_values(self, panel: Panel) -> bool:
        """Return whether every metric of the panel has a value somewhere."""
        return bool(self.present[:, [self.table.columns.index(column) for column in panel.columns]].any(axis=0).all())

    def none_complete(self, panel: Panel, lost: Mask) -> Sentence:
        """Return why no question is left, by the score that is `lost` most often, shape (rows, panel's columns)."""
        if not lost.any():
            return sentence("analysis.no-complete-question")
        column = panel.columns[int(lost.sum(axis=0).argmax())]
        rows = np.flatnonzero(lost[:, panel.columns.index(column)])
        place = int(np.bincount(self.places[rows]).argmax())
        here, at = rows[self.places[rows] == place], self.table.columns.index(column)
        reason, _ = Counter(self.table.reasons[row][at] for row in here).most_common(1)[0]
        name, why = self.configurations[place].name, sentence(f"reason.{reason}")
        return sentence("analysis.no-complete-question-mostly", column=column, name=name, reason=why)

    def any_missing(self, panel: Panel) -> bool:
        """Return whether a score that the panel needs is missing anywhere."""
        return not bool(self.present[:, [self.table.columns.index(column) for column in panel.columns]].all())


def number_of_each(ids: Sequence[Hashable]) -> NDArray[np.intp]:
    """Return a number for each id, by first appearance, shape (len(ids),)."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(ids))}
    return np.fromiter((numbers[name] for name in ids), dtype=np.intp, count=len(ids))
