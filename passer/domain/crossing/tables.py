"""Two domains side by side as tables."""

from __future__ import annotations

from passer.domain.analysis.study_table import Cell, StudyTable, tabulate, with_rows
from passer.domain.crossing.crossed import NOT_COMPARABLE, AcrossDomains, BestInDomain, CrossDomain

DOMAINS, RQ3, MOVED = "domains", "differences_between_domains", "moved_correlations"

_SHIFT, _CHANGE = "shift_of_threshold", "change_of_gain"
_COLUMNS = (
    "model", "domain", "n", "best_threshold", "gain", "baseline_cv", "cv", "tcps", "rank", "mean_passages",
    "similarity_percentile", "shift_of_threshold", "change_of_gain",
)  # fmt: skip


def crossing_tables(crossed: CrossDomain) -> dict[str, StudyTable]:
    """Return the tables of a domain comparison that have rows, by name."""
    sides = [(item, side) for item in crossed.models for side in (item.first, item.second)]
    return with_rows(
        {
            DOMAINS: StudyTable(columns=_COLUMNS, rows=tuple(_row(item, side, crossed) for item, side in sides)),
            RQ3: tabulate(
                ("model", "threshold", "difference_of_gains", "t", "p", "p_max_t"),
                crossed.differences,
                {"difference_of_gains": "difference"},
            ),
            MOVED: tabulate(
                ("metric", "other_metric", "rho_first", "rho_second", "change"),
                crossed.moved,
                {"rho_first": "first", "rho_second": "second", "change": lambda item: item.second - item.first},
            ),
        }
    )


def _row(item: AcrossDomains, side: BestInDomain, crossed: CrossDomain) -> tuple[Cell, ...]:
    """Change and shift stand in the second domain's row; on different constants the change says why there is none."""
    own: dict[str, Cell] = {"model": item.model, "n": side.n_questions, _SHIFT: None, _CHANGE: None}
    if side is item.second:
        own |= {_SHIFT: item.shift, _CHANGE: item.change_of_gain if crossed.is_comparable else NOT_COMPARABLE}
    return tuple(own[name] if name in own else getattr(side, name) for name in _COLUMNS)
