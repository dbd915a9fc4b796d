"""Comparison of two studies of different question sets (domains), and its tables."""

from __future__ import annotations

from typing import Literal

from passer.domain.analysis.pool import Pool
from passer.domain.analysis.study_table import Cell, StudyTable, tabulate, with_rows
from passer.domain.base import Frozen
from passer.domain.wording.sentence import LocalizedText

SharedConstants = Literal["joint", "first", "own"]
"""Minimum and maximum of each metric: from both domains together, pinned to the first domain's, or each one's own."""
NOT_COMPARABLE = "not comparable: different constants"
DOMAINS, RQ3, MOVED = "domains", "differences_between_domains", "moved_correlations"
_SHIFT, _CHANGE = "shift_of_threshold", "change_of_gain"
_COLUMNS = (
    "model", "domain", "n", "best_threshold", "gain", "baseline_cv", "cv", "tcps", "rank", "mean_passages",
    "similarity_percentile", "shift_of_threshold", "change_of_gain",
)  # fmt: skip


class BestInDomain(Frozen):
    """One model in one domain: its best threshold."""

    domain: str
    """Name of the study."""
    n_questions: int
    """Questions compared at the best threshold."""
    best_threshold: float | None
    """Threshold with the largest gain in CPS; None where none gains."""
    gain: float | None
    """Gain in CPS at the best threshold; None without one."""
    baseline_cv: float | None
    """CV of the baseline's CPS."""
    cv: float | None
    """CV of CPS at the best threshold."""
    tcps: float | None
    """T-CPS at the best threshold; that of the baseline where none gains."""
    rank: int
    """Rank of the model within the domain by that T-CPS, from 1."""
    mean_passages: float | None
    """Mean number of passages kept at the best threshold."""
    similarity_percentile: float | None
    """Share of the similarities of all retrieved passages below the best threshold; comparable between corpora."""


class AcrossDomains(Frozen):
    """One model in both domains."""

    model: LocalizedText
    """Label."""
    first: BestInDomain
    """The model in the first domain."""
    second: BestInDomain
    """The model in the second domain."""
    shift: float | None
    """Best threshold of the second minus that of the first; None where one has none."""
    change_of_gain: float | None
    """Gain in the second minus gain in the first; None on different constants."""
    differing: tuple[float, ...]
    """Thresholds at which the gain differs significantly (max-T); empty where that was not tested."""
    statement: LocalizedText
    """Conclusion, one sentence."""


class DomainDifference(Frozen):
    """RQ3 for one model at one threshold: the gain in the first domain minus that in the second."""

    model: LocalizedText
    """Label."""
    threshold: float
    """Smallest similarity kept."""
    difference: float
    """Difference of the mean gains, in CPS."""
    t: float | None
    """Welch's t statistic; None where it is not defined."""
    p: float | None
    """p value by Welch's approximation."""
    p_max_t: float | None
    """Permutation of the domain labels, corrected over the model's thresholds."""


class MovedCorrelation(Frozen):
    """A pair of metrics that correlates differently."""

    metric: str
    """Column name."""
    other_metric: str
    """Column name."""
    first: float
    """Spearman's rho in the first domain."""
    second: float
    """Spearman's rho in the second domain."""


class CrossDomain(Frozen):
    """Comparison of two domains."""

    first: str
    """Name of the first study."""
    second: str
    """Name of the second."""
    constants: SharedConstants
    """Pool that determines minimum and maximum."""
    is_comparable: bool
    """True if both are on the same constants; if not, gains are not compared."""
    pools: tuple[Pool, ...]
    """Rows and constants that CPS is relative to."""
    models: tuple[AcrossDomains, ...]
    """Models that both domains have."""
    differences: tuple[DomainDifference, ...]
    """RQ3, by model and threshold that both have; empty on different constants."""
    moved: tuple[MovedCorrelation, ...]
    """The pairs of metrics whose rank correlation changes most."""
    only_first: tuple[LocalizedText, ...]
    """Models that the second domain lacks."""
    only_second: tuple[LocalizedText, ...]
    """Models that the first domain lacks."""
    differing: tuple[str, ...] = ()
    """Differences between the studies besides questions and documents."""
    control: LocalizedText = ""
    """`controlled: ...` or `confounded by ...`; empty where that is not known."""
    statements: tuple[LocalizedText, ...]
    """Summary."""


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
