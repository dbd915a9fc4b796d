"""CPS of every row within its pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.analysis import Scope, TruncatedPolicy
from passer.domain.analysis.constants import Constants, constants_of
from passer.domain.analysis.pool import Pool, pool_metrics
from passer.domain.analysis.question_table import QuestionTable
from passer.domain.analysis.score_rows import Mask, ScoreRows, number_of_each
from passer.domain.composite import (
    BY_MEASURING,
    BY_SYSTEM,
    CPS,
    PRESENT,
    PUBLISHED,
    MetricConstants,
    MissingPolicy,
    Normalisation,
    PanelScores,
    TcpsWeights,
    contributions,
    effective_weights,
    pool_constants,
    usable_rows,
)
from passer.domain.panel import Panel
from passer.domain.statistics import Floats
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import InputError


@dataclass(frozen=True)
class Rules:
    """Rules by which scores become composites."""

    panel: Panel
    scope: Scope = "all"
    constants: Constants | None = None
    """Constants of an earlier analysis, used instead of the pools' own; the scope is then `given`."""
    missing: MissingPolicy = "worst"
    truncated: TruncatedPolicy = "keep"
    normalisation: Normalisation = "min-max"
    """Normalisation of the pools' own constants."""
    stability: TcpsWeights = PUBLISHED
    """Weights of T-CPS."""

    @property
    def clips(self) -> bool:
        """Return whether values beyond the constants are cut to them."""
        return self.constants.is_clipped if self.constants else self.normalisation == "winsorised"


@dataclass(frozen=True)
class PoolRows:
    """The rows of one pool with the constants they give."""

    name: str
    places: tuple[int, ...]
    """Places of its configurations."""
    rows: Mask
    constants: tuple[MetricConstants, ...]


@dataclass(frozen=True)
class Counts:
    """Counts of rows of one configuration that enter or leave its composite."""

    n_excluded: int
    excluded: dict[str, int]
    n_worst_filled: int
    worst_filled: dict[str, int]


@dataclass(frozen=True, eq=False)
class Composites:
    """All rows with their CPS."""

    rows: ScoreRows
    rules: Rules
    scores: PanelScores
    """Scores of all rows, in the panel's columns."""
    usable: Mask
    """Rows that enter the composite."""
    cut_excluded: Mask
    """Rows of questions left out because an answer or prompt was cut."""
    weighted: Floats
    """Contributions, shape (rows, metrics); rows that do not enter hold 0."""
    pools: tuple[PoolRows, ...]

    @property
    def panel(self) -> Panel:
        """Return the panel of CPS: metrics and weights."""
        return self.rules.panel

    @cached_property
    def cps(self) -> Floats:
        """Return the CPS of each row, shape (rows,), from 0 to 1 within the pool; 0 for excluded rows."""
        return np.asarray(self.weighted.sum(axis=1))

    @cached_property
    def questions(self) -> QuestionTable:
        """CPS and the panel's metrics by question; a metric that the system lost is the pool's worst value."""
        ids = [self.rows.table.ids[row] for row in np.flatnonzero(self.usable)]
        return self._averaged(ids, self.cps, self.rows.weights)

    def rows_of(self, place: int, metric: int = 0) -> tuple[NDArray[np.intp], Floats]:
        """Return question number and value of each row of a configuration; repetitions are separate rows.

        `metric` 0 is CPS, the others follow the panel's order; a metric that the system lost has the pool's worst
        value.
        """
        here = self.usable & self.rows.of(place)
        values = self.cps if metric == 0 else self._filled[:, metric - 1]
        return self.rows.questions[here], values[here]

    def by_position(self, *, decimals: int | None, merged: bool = False) -> QuestionTable:
        """Return the table of the published procedure: rounded CPS, and the k-th usable row as the k-th question.

        With `merged` the rows of a question become their average at the position of its first row.
        """
        places, questions = self.rows.places[self.usable], self.rows.questions[self.usable]
        position = np.empty(len(places), dtype=np.intp)
        for place in range(len(self.rows.configurations)):
            here = places == place
            position[here] = number_of_each(questions[here].tolist()) if merged else np.arange(here.sum())
        cps = self.cps if decimals is None else np.round(self.cps, decimals)
        return self._averaged([str(number) for number in position], cps)

    def _averaged(self, ids: list[str], cps: Floats, weights: Mapping[str, float] | None = None) -> QuestionTable:
        return QuestionTable.averaged(
            ids,
            self.rows.places[self.usable],
            np.column_stack([cps, self._filled])[self.usable],
            configurations=self.rows.configurations,
            metrics=(CPS, *self.panel.columns),
            weights=weights,
        )

    @property
    def _filled(self) -> Floats:
        """The panel's scores; where the system lost one, its pool's worst value."""
        filled = self.scores.values.copy()
        for pool in self.pools:
            worst = [
                bounds.minimum if item.higher_is_better else bounds.maximum
                for item, bounds in zip(self.panel.metrics, pool.constants, strict=True)
            ]
            lost = pool.rows[:, None] & (self.scores.missing != PRESENT)
            filled = np.where(lost, np.array(worst), filled)
        return filled

    def shares_constants(self, one: int, other: int) -> bool:
        """Return whether two configurations are normalised with the same constants."""
        return any(one in pool.places and other in pool.places for pool in self.pools)

    def can_compare(self, one: int, other: int) -> bool:
        """Return whether two configurations share constants, or one of them has no rows left.

        The latter is compared without a pair, so that it does not disappear from the verdict.
        """
        there = {place for pool in self.pools for place in pool.places}
        return self.shares_constants(one, other) or not {one, other} <= there

    def shown_pools(self) -> tuple[Pool, ...]:
        """Return each pool with its constants and effective weights."""
        return tuple(self._shown(pool) for pool in self.pools)

    def own_constants(self, *, source: str, identity: Mapping[str, str]) -> Constants | None:
        """Return the constants that another analysis can use; None if there are several pools."""
        first = self.pools[0]
        return constants_of(
            [pool.constants for pool in self.pools],
            source=source,
            rows=int(first.rows.sum()),
            panel=self.panel.name,
            identity=identity,
            is_clipped=self.rules.clips,
        )

    def _shown(self, pool: PoolRows) -> Pool:
        outside = [self._n_outside(pool, place) for place in range(len(self.panel.metrics))]
        weights = effective_weights(self.weighted[pool.rows])
        return Pool(
            name=pool.name,
            run_ids=tuple(source for place in pool.places for source in self.rows.configurations[place].sources),
            rows=int(pool.rows.sum()),
            metrics=pool_metrics(self.panel, pool.constants, weights, n_outside=outside),
            is_clipped=self.rules.clips,
        )

    def _n_outside(self, pool: PoolRows, metric: int) -> int:
        """Return how many rows of a pool have a value of the panel's metrics beyond its constants."""
        bounds = pool.constants[metric]
        values = self.scores.values[pool.rows, metric]
        there = self.scores.missing[pool.rows, metric] == PRESENT
        return int((there & ((values < bounds.minimum) | (values > bounds.maximum))).sum())

    def counts(self, place: int) -> Counts:
        """Return the numbers of excluded questions and of scores counted as the worst, of one configuration."""
        here = self.rows.of(place)
        filled = here & self.usable & (self.scores.missing == BY_SYSTEM).any(axis=1)
        reasons = Counter(reason for row in np.flatnonzero(filled) for reason, _ in self._missing_of(row))
        kept = set(self.rows.questions[here & self.usable].tolist())
        out: dict[int, str] = {}
        for row in np.flatnonzero(here & ~self.usable):
            question = int(self.rows.questions[row])
            if question not in kept:
                out.setdefault(question, self._exclusion_reason(row))
        return Counts(
            n_excluded=len(out),
            excluded=dict(Counter(out.values())),
            n_worst_filled=int(filled.sum()),
            worst_filled=dict(reasons),
        )

    def _missing_of(self, row: np.intp) -> list[tuple[str, int]]:
        """Return the reasons of a row's missing panel scores, with their codes."""
        columns = [self.rows.table.columns.index(column) for column in self.panel.columns]
        reasons = [self.rows.table.reasons[row][column] for column in columns]
        return [(reason, int(code)) for reason, code in zip(reasons, self.scores.missing[row], strict=True) if reason]

    def _exclusion_reason(self, row: np.intp) -> str:
        lost = self._missing_of(row)
        decisive = [reason for reason, code in lost if code == BY_MEASURING or self.rules.missing == "drop"]
        if decisive:
            return decisive[0]
        return "truncated" if self.cut_excluded[row] and self.rows.truncated[row] else "another_configuration"


def composed(rows: ScoreRows, rules: Rules) -> Composites:
    """Normalise and weight all rows.

    InputError if the panel cannot be computed, no rows are left, or the constants lack a metric.
    """
    scores = PanelScores.of(rows.table, rules.panel)
    _check_columns(rows, rules.panel, scores)
    cut = np.zeros(len(rows.table), dtype=bool)
    if rules.truncated == "exclude":
        cut = np.isin(rows.questions, rows.questions[rows.truncated])
    usable = usable_rows(scores, rows.questions, policy=rules.missing) & ~cut
    if not usable.any():
        least = BY_MEASURING if rules.missing == "worst" else BY_SYSTEM
        raise InputError(rows.none_complete(rules.panel, scores.missing >= least))
    pools = tuple(_pools(rows, scores, rules, usable))
    return Composites(rows, rules, scores, usable, cut, _weighted(scores, rules, pools), pools)


def _weighted(scores: PanelScores, rules: Rules, pools: Sequence[PoolRows]) -> Floats:
    """Return the contribution of each metric to the CPS of each row, by the constants of the row's pool."""
    weighted = np.zeros_like(scores.values)
    for pool in pools:
        part = PanelScores(values=scores.values[pool.rows], missing=scores.missing[pool.rows])
        weighted[pool.rows] = contributions(part, rules.panel, pool.constants, clip=rules.clips)
    return weighted


def _check_columns(rows: ScoreRows, panel: Panel, scores: PanelScores) -> None:
    """Raise InputError for a metric of the panel that no row has."""
    # A metric without any value is left out only by choosing a panel without it.
    for place, column in enumerate(panel.columns):
        if (scores.missing[:, place] == PRESENT).any():
            continue
        column_place = rows.table.columns.index(column)
        found = sorted({reason for row in rows.table.reasons if (reason := row[column_place])})
        reasons = tuple(sentence(f"reason.{reason}") for reason in found)
        raise InputError(sentence("panel.no-value", column=column, reasons=reasons, panel=panel.name), field="panel")


def _pools(rows: ScoreRows, scores: PanelScores, rules: Rules, usable: Mask) -> Iterator[PoolRows]:
    """Return the pools of a scope; a configuration without rows belongs to none."""
    members: dict[str | int, list[int]] = {}
    for place, item in enumerate(rows.configurations):
        if usable[rows.of(place)].any():
            key = place if rules.scope == "run" else item.model if rules.scope == "model" else ""
            members.setdefault(key, []).append(place)
    for key, places in members.items():
        here = usable & np.isin(rows.places, places)
        if rules.constants is not None:
            yield PoolRows(rules.constants.words, tuple(places), here, rules.constants.of_panel(rules.panel))
            continue
        constants = pool_constants(scores, rules.panel, here, rules.normalisation)
        yield PoolRows(_name(key, rows, rules), tuple(places), here, constants)


def _name(key: str | int, rows: ScoreRows, rules: Rules) -> Sentence:
    name = rows.pool_name
    if isinstance(key, int):
        name = sentence("pool.run", run=rows.configurations[key].name)
    elif rules.scope == "model":
        name = sentence("pool.model", model=key)
    return sentence("pool.winsorised", pool=name) if rules.clips else name
