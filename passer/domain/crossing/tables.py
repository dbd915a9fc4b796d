"""Two domains side by side as tables."""

from __future__ import annotations

from passer.domain.analysis.study_tables import Cell, StudyTable
from passer.domain.crossing.crossed import NOT_COMPARABLE, AcrossDomains, BestInDomain, CrossDomain

DOMAINS, RQ3, MOVED = "domains", "differences_between_domains", "moved_correlations"

_COLUMNS = (
    "model", "domain", "n", "best_threshold", "gain", "baseline_cv", "cv", "tcps", "rank", "mean_passages",
    "similarity_percentile", "shift_of_threshold", "change_of_gain",
)  # fmt: skip


def crossing_tables(crossed: CrossDomain) -> dict[str, StudyTable]:
    """Those with rows, by name."""
    differences = [
        tuple(getattr(item, name) for name in ("model", "threshold", "difference", "t", "p", "p_max_t"))
        for item in crossed.differences
    ]
    moved = [
        (item.metric, item.other_metric, item.first, item.second, item.second - item.first) for item in crossed.moved
    ]
    made = {
        DOMAINS: StudyTable(
            columns=_COLUMNS,
            rows=tuple(
                row
                for item in crossed.models
                for row in (_row(item, item.first, crossed), _row(item, item.second, crossed))
            ),
        ),
        RQ3: StudyTable(
            columns=("model", "threshold", "difference_of_gains", "t", "p", "p_max_t"), rows=tuple(differences)
        ),
        MOVED: StudyTable(columns=("metric", "other_metric", "rho_first", "rho_second", "change"), rows=tuple(moved)),
    }
    return {name: table for name, table in made.items() if table.rows}


def _row(item: AcrossDomains, side: BestInDomain, crossed: CrossDomain) -> tuple[Cell, ...]:
    """Change and shift stand in the second domain's row; on different constants the change says why there is none."""
    is_second = side is item.second
    change: Cell = item.change_of_gain if crossed.is_comparable else NOT_COMPARABLE
    return (
        item.model,
        side.domain,
        side.n_questions,
        side.best_threshold,
        side.gain,
        side.baseline_cv,
        side.cv,
        side.tcps,
        side.rank,
        side.mean_passages,
        side.similarity_percentile,
        item.shift if is_second else None,
        change if is_second else None,
    )
