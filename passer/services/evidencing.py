"""The evidence behind the gains of a sweep's similarity thresholds: its rows as arms, every test of every gain."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.analysis.analysis import RunRows, TruncatedPolicy
from passer.domain.analysis.constants import Constants
from passer.domain.composite import PRESENT, MissingPolicy
from passer.domain.evidence.arms import Arm, arm_of
from passer.domain.evidence.correlation import CorrelationTable, rank_correlations
from passer.domain.evidence.found import Evidence
from passer.domain.evidence.permutation import DRAWS
from passer.domain.evidence.weighing import SEED, weigh
from passer.domain.retrieval import ScorePolicy
from passer.domain.statistics import Floats
from passer.services.analysing import chosen_panel
from passer.services.comparability import Group, arm_labels, baselines, check_comparable, grouped, identity_of
from passer.services.pooling import Pooled, lay_out, pooled

_FEWEST_ROWS = 2


def evidence_of_runs(
    runs: Sequence[RunRows],
    *,
    panel: str | None = None,
    missing: MissingPolicy = "worst",
    truncated: TruncatedPolicy = "keep",
    constants: Constants | None = None,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Evidence:
    """Test each similarity threshold against its own baseline; other configurations only widen the pool.

    ConflictError where the runs cannot be compared, InputError where the panel cannot be computed or `constants` are
    not comparable.
    """
    groups, pool, labels = _laid_out(runs, panel=panel, missing=missing, truncated=truncated, constants=constants)
    arms = [arm for arm in arms_of_runs(groups, pool, labels) if arm is not None]
    return weigh(arms, pool.panel, correlations_of_pool(pool, labels), seed=seed, draws=draws)


def arms_of_runs(groups: Sequence[Group], pool: Pooled, labels: Sequence[str]) -> list[Arm | None]:
    """Each group as an arm of its model; None where it is neither a threshold with a baseline, nor such a baseline."""
    against = baselines(groups, None)
    thresholds = {
        place: policy.min_similarity
        for place in against
        if isinstance(policy := groups[place].first.config.retrieval, ScorePolicy)
    }
    used = {*thresholds, *(against[place] for place in thresholds)}
    scores = _filled(pool)
    return [
        _arm(pool, scores, place, label=labels[place], threshold=thresholds.get(place))
        if place in used and pool.by_question[place].ids
        else None
        for place in range(len(groups))
    ]


def correlations_of_runs(
    runs: Sequence[RunRows], *, panel: str | None = None, missing: MissingPolicy = "worst"
) -> list[tuple[str, CorrelationTable]]:
    """Spearman's rho of all metrics, pooled and within each model; ConflictError where runs cannot be compared.

    Of every row that has all values, whatever the composite leaves out: constants and truncation do not enter.
    """
    _, pool, labels = _laid_out(runs, panel=panel, missing=missing)
    return correlations_of_pool(pool, labels)


def _laid_out(
    runs: Sequence[RunRows],
    *,
    panel: str | None,
    missing: MissingPolicy,
    truncated: TruncatedPolicy = "keep",
    constants: Constants | None = None,
) -> tuple[tuple[Group, ...], Pooled, list[str]]:
    check_comparable(runs)
    if constants is not None:
        constants.check_comparable(identity_of(runs))
    groups = grouped(runs)
    rows = lay_out(groups)
    pool = pooled(
        rows,
        panel=chosen_panel(rows, panel),
        scope="given" if constants else "all",
        constants=constants,
        missing=missing,
        truncated=truncated,
    )
    return groups, pool, labels_of(groups)


def labels_of(groups: Sequence[Group]) -> list[str]:
    """Each group's model, with its collection where one label would stand for several arms."""
    labels = arm_labels(groups)
    arms: dict[str, set[str]] = {}
    for group, label in zip(groups, labels, strict=True):
        arms.setdefault(label, set()).add(group.arm)
    return [
        label if len(arms[label]) == 1 else f"{label}, {group.first.config.collection}"
        for group, label in zip(groups, labels, strict=True)
    ]


def _filled(pool: Pooled) -> Floats:
    """The panel's scores; where the system lost one, the pool's worst value."""
    constants = pool.pools[0].constants
    worst = [
        bounds.minimum if item.higher_is_better else bounds.maximum
        for item, bounds in zip(pool.panel.metrics, constants, strict=True)
    ]
    return np.where(pool.scores.missing == PRESENT, pool.scores.values, np.array(worst))


def _arm(pool: Pooled, scores: Floats, place: int, *, label: str, threshold: float | None) -> Arm:
    here = pool.usable & (pool.rows.groups == place)
    ids = [pool.rows.table.ids[row] for row in np.flatnonzero(here)]
    return arm_of(label, threshold, keys=ids, cps=pool.weighted[here].sum(axis=1), scores=scores[here])


def correlations_of_pool(pool: Pooled, labels: Sequence[str]) -> list[tuple[str, CorrelationTable]]:
    """Of all metrics that have values, over rows that have them all: pooled, then within each model."""
    present, table = pool.rows.present, pool.rows.table
    columns = [place for place in range(len(table.columns)) if present[:, place].any()]
    complete = present[:, columns].all(axis=1)
    names = [table.columns[place] for place in columns]
    found = []
    for name in ("all models", *dict.fromkeys(labels)):
        own = [place for place, label in enumerate(labels) if name in ("all models", label)]
        rows = complete & np.isin(pool.rows.groups, own)
        if rows.sum() >= _FEWEST_ROWS:
            found.append((name, rank_correlations(names, table.values[rows][:, columns])))
    return found
