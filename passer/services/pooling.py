"""Rows of all configurations side by side, and their CPS within a pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.analysis import EvaluatedQuestion, Scope, TruncatedPolicy
from passer.domain.analysis.constants import Constants
from passer.domain.composite import (
    BY_MEASURING,
    BY_SYSTEM,
    PRESENT,
    MetricConstants,
    MissingPolicy,
    Panel,
    PanelScores,
    contributions,
    pool_constants,
    usable_rows,
)
from passer.domain.score import VECTOR_ORDER, MissingReason, Score, ScoreRow, ScoreTable
from passer.domain.statistics import ByQuestion, average_by_question
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import ConflictError, InputError
from passer.services.comparability import Group

_FAILED = ScoreRow.of(dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="generation_failed")))

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Rows:
    """Every scored or failed row of an analysis."""

    table: ScoreTable
    """All 24 columns; its ids are question ids."""
    groups: NDArray[np.intp]
    """Place of each row's configuration."""
    names: tuple[str, ...]
    """Names of the configurations."""
    models: tuple[str, ...]
    """Their models."""
    questions: NDArray[np.intp]
    """Number of each row's question."""
    truncated: Mask
    """Rows whose prompt or answer was cut."""

    @cached_property
    def present(self) -> Mask:
        """Where there is a value, shape (n, 24)."""
        return self.table.present

    def lost_everywhere(self, column: str, reason: MissingReason) -> bool:
        """Whether some configuration has no value of a column, for this reason at least once."""
        place = self.table.columns.index(column)
        kinds, kind_of = self.table.lacks
        because = np.array([row[place] == reason for row in kinds], dtype=bool)[kind_of]
        return any(
            bool(because[here].any()) and not self.present[here, place].any()
            for here in (self.groups == number for number in range(len(self.names)))
        )

    def any_missing(self, panel: Panel) -> bool:
        """Whether a score that the panel needs is missing anywhere."""
        return not bool(self.present[:, [self.table.columns.index(column) for column in panel.columns]].all())


def lay_out(groups: Sequence[Group]) -> Rows:
    """Lay scored and failed questions side by side; a configuration without a scored one has no rows. ConflictError."""
    finished = [list(_finished(group)) for group in groups]
    # A configuration that never answered (its model is not there) would take every question out with it.
    answered = [any(item.state == "scored" for item in items) for items in finished]
    flat = [(place, item) for place, items in enumerate(finished) if answered[place] for item in items]
    if not flat:
        raise ConflictError(sentence("problem.nothing-scored"))
    ids = [item.question_id for _, item in flat]
    codes = {question: code for code, question in enumerate(dict.fromkeys(ids))}
    return Rows(
        table=ScoreTable.of_score_rows(ids, [item.scores or _FAILED for _, item in flat]),
        groups=np.array([place for place, _ in flat], dtype=np.intp),
        names=tuple(group.first.name for group in groups),
        models=tuple(group.first.config.model.label for group in groups),
        questions=np.array([codes[question] for question in ids], dtype=np.intp),
        truncated=np.array([item.truncated is not None for _, item in flat], dtype=bool),
    )


def _finished(group: Group) -> Iterator[EvaluatedQuestion]:
    for run in group.runs:
        for item in run.questions:
            if item.state == "failed" or (item.state == "scored" and item.scores is not None):
                yield item


@dataclass(frozen=True)
class PoolRows:
    """The rows of one pool with the constants they give."""

    name: str
    groups: tuple[int, ...]
    rows: Mask
    constants: tuple[MetricConstants, ...]


@dataclass(frozen=True)
class Counts:
    """What happened to the rows of one configuration on the way to its composite."""

    n_excluded: int
    excluded: dict[str, int]
    n_worst_filled: int
    worst_filled: dict[str, int]


@dataclass(frozen=True)
class Pooled:
    """All rows with their CPS."""

    rows: Rows
    panel: Panel
    policy: MissingPolicy
    scores: PanelScores
    """Of all rows, in the panel's columns."""
    usable: Mask
    """Rows that enter the composite."""
    cut_excluded: Mask
    """Rows of questions left out because an answer or prompt was cut."""
    weighted: NDArray[np.float64]
    """Contributions, shape (n, m); rows that do not enter hold 0."""
    pools: tuple[PoolRows, ...]
    by_question: tuple[ByQuestion, ...]
    """CPS of each configuration, question by question."""

    def shares_constants(self, one: int, other: int) -> bool:
        """Whether two configurations are normalised alike."""
        return any(one in pool.groups and other in pool.groups for pool in self.pools)

    def n_outside(self, pool: PoolRows, metric: int) -> int:
        """Rows of a pool with a value of the panel's metric beyond its constants."""
        bounds = pool.constants[metric]
        values = self.scores.values[pool.rows, metric]
        there = self.scores.missing[pool.rows, metric] == PRESENT
        return int((there & ((values < bounds.minimum) | (values > bounds.maximum))).sum())

    def within_sd(self, place: int) -> float | None:
        """Noise of generation: standard deviation over repetitions of a question, pooled; None without them."""
        here = self.usable & (self.rows.groups == place)
        cps = self.weighted[here].sum(axis=1)
        _, codes, counts = np.unique(self.rows.questions[here], return_inverse=True, return_counts=True)
        freedom = len(cps) - len(counts)
        if freedom < 1:
            return None
        means = np.bincount(codes, weights=cps) / counts
        return float(np.sqrt(((cps - means[codes]) ** 2).sum() / freedom))

    def counts(self, place: int) -> Counts:
        """Questions left out, and scores counted as the worst, of one configuration."""
        here = self.rows.groups == place
        filled = here & self.usable & (self.scores.missing == BY_SYSTEM).any(axis=1)
        reasons = Counter(reason for row in np.flatnonzero(filled) for reason, _ in self._missing_of(row))
        kept = set(self.rows.questions[here & self.usable].tolist())
        out: dict[int, str] = {}
        for row in np.flatnonzero(here & ~self.usable):
            question = int(self.rows.questions[row])
            if question not in kept:
                out.setdefault(question, self._why_out(row))
        return Counts(
            n_excluded=len(out),
            excluded=dict(Counter(out.values())),
            n_worst_filled=int(filled.sum()),
            worst_filled=dict(reasons),
        )

    def _missing_of(self, row: np.intp) -> list[tuple[str, int]]:
        """Reasons of a row's missing panel scores, with their codes."""
        columns = [self.rows.table.columns.index(column) for column in self.panel.columns]
        reasons = [self.rows.table.reasons[row][column] for column in columns]
        return [(reason, int(code)) for reason, code in zip(reasons, self.scores.missing[row], strict=True) if reason]

    def _why_out(self, row: np.intp) -> str:
        lost = self._missing_of(row)
        decisive = [reason for reason, code in lost if code == BY_MEASURING or self.policy == "drop"]
        if decisive:
            return decisive[0]
        return "truncated" if self.cut_excluded[row] and self.rows.truncated[row] else "another_configuration"


def pooled(
    rows: Rows,
    *,
    panel: Panel,
    scope: Scope,
    missing: MissingPolicy,
    truncated: TruncatedPolicy,
    constants: Constants | None = None,
) -> Pooled:
    """Normalise and weigh all rows, by `constants` where the scope is `given`.

    InputError where the panel cannot be computed, nothing is left, or the constants lack a metric.
    """
    scores = PanelScores.of(rows.table, panel)
    _check_columns(rows, panel, scores)
    cut = np.zeros(len(rows.table), dtype=bool)
    if truncated == "exclude":
        cut = np.isin(rows.questions, rows.questions[rows.truncated])
    usable = usable_rows(scores, rows.questions, policy=missing) & ~cut
    if not usable.any():
        raise InputError(
            "Every question lost a score that the panel needs in some configuration: choose another panel, "
            "or missing=drop."
        )
    pools = tuple(_pools(rows, scores, panel, scope, constants, usable))
    weighted = np.zeros_like(scores.values)
    for pool in pools:
        part = PanelScores(values=scores.values[pool.rows], missing=scores.missing[pool.rows])
        weighted[pool.rows] = contributions(part, panel, pool.constants)
    cps = weighted.sum(axis=1)
    ids = np.array(rows.table.ids, dtype=object)
    by_question = tuple(
        average_by_question(list(ids[here]), cps[here])
        for here in (usable & (rows.groups == place) for place in range(len(rows.names)))
    )
    return Pooled(rows, panel, missing, scores, usable, cut, weighted, pools, by_question)


def _check_columns(rows: Rows, panel: Panel, scores: PanelScores) -> None:
    """A metric that nothing has leaves only by choosing a panel without it."""
    for place, column in enumerate(panel.columns):
        if (scores.missing[:, place] == PRESENT).any():
            continue
        column_place = rows.table.columns.index(column)
        reasons = sorted({row[column_place] or "" for row in rows.table.reasons})
        raise InputError(
            f"No answer has a value of {column} ({', '.join(reasons)}), so the panel {panel.name} cannot be computed: "
            "choose a panel without it, or score the runs again.",
            field="panel",
        )


def _pools(
    rows: Rows,
    scores: PanelScores,
    panel: Panel,
    scope: Scope,
    given: Constants | None,
    usable: Mask,
) -> Iterator[PoolRows]:
    """The pools of a scope; a configuration of which nothing is left is in none."""
    members: dict[str | int, list[int]] = {}
    for place, model in enumerate(rows.models):
        if usable[rows.groups == place].any():
            key = place if scope == "run" else model if scope == "model" else ""
            members.setdefault(key, []).append(place)
    for key, places in members.items():
        here = usable & np.isin(rows.groups, places)
        if scope == "given":
            if given is None:
                raise InputError(
                    "The scope is given, but no constants are: give them, or choose another.", field="scope"
                )
            yield PoolRows(given.words, tuple(places), here, given.of_panel(panel))
            continue
        yield PoolRows(_name(key, rows, scope), tuple(places), here, pool_constants(scores, panel, here))


def _name(key: str | int, rows: Rows, scope: Scope) -> Sentence:
    if isinstance(key, int):
        return sentence("pool.run", run=rows.names[key])
    return sentence("pool.model", model=key) if scope == "model" else sentence("pool.all")
