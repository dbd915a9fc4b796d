"""How a cell of a table reads: one way everywhere that people read, in reports and in LaTeX."""

from __future__ import annotations

import re

from passer.domain.analysis.study_tables import Cell

NOTHING = "-"
"""Where there is no value."""

_PERCENT = ("_pct",)
_P = ("p", "p_value")
_THREE = (
    "cohens_d", "cv", "within_cv", "between_cv", "baseline_cv", "balance_score", "balance", "spearman_rho", "f",
    "t_statistic", "t",
)  # fmt: skip
_POINTS = (
    "gain", "gain_ci_low", "gain_ci_high", "difference_of_gains", "confirmed_gain", "confirmed_low",
    "confirmed_high", "optimism", "detectable", "spread", "change_of_gain",
    "gain_with_passages", "gain_with_passages_ci_low", "gain_with_passages_ci_high",
    "gain_without_passages", "gain_without_passages_ci_low", "gain_without_passages_ci_high",
)  # fmt: skip
_SHARES = ("chosen_share", "best_share", "alpha_share", "weight", "effective_weight", "coverage", "abstention_rate",
           "similarity_percentile")  # fmt: skip
_SUMMED_UP = re.compile(r"(?P<what>\w+)_(?P<part>median|q1|q3)")
_HEADINGS = {
    "cps_improvement_pct": "CPS gain (%)",
    "improvement_pct": "CPS gain (%)",
    "tcps_improvement_pct": "T-CPS gain (%)",
    "mean_cps": "CPS",
    "mean_cps_all_rows": "CPS, all rows",
    "tcps": "T-CPS",
    "cv": "CV",
    "within_sd": "SD within questions",
    "within_cv": "CV within questions",
    "between_sd": "SD between questions",
    "between_cv": "CV between questions",
    "cohens_d": "d",
    "n_pairs": "pairs",
    "p_t": "p (t)",
    "p_value": "p",
    "p_wilcoxon": "p (Wilcoxon)",
    "p_permutation": "p (sign flips)",
    "p_max_t": "p (max-T)",
    "p_max_f": "p (max-F)",
    "p_holm": "p (Holm)",
    "p_bonferroni": "p (Bonferroni)",
    "p_benjamini_hochberg": "p (BH)",
    "f": "F",
    "t_statistic": "t",
    "spearman_rho": "Spearman's rho",
    "balance_score": "Balance",
    "balance": "Balance",
    "median_s": "median time (s)",
    "questions_for_a_point": "n for a point",
    "ci_low": "CI low",
    "ci_high": "CI high",
    "gain_ci_low": "gain from (points)",
    "gain_ci_high": "gain to (points)",
    "gain": "gain (points)",
    "n_prompts_changed": "prompts changed",
    "n_with_passages": "with passages",
    "gain_with_passages": "gain with passages (points)",
    "gain_with_passages_ci_low": "with passages from (points)",
    "gain_with_passages_ci_high": "with passages to (points)",
    "n_without_passages": "without passages",
    "gain_without_passages": "gain without passages (points)",
    "gain_without_passages_ci_low": "without passages from (points)",
    "gain_without_passages_ci_high": "without passages to (points)",
    "spread": "SD of differences (points)",
    "detectable": "detectable (points)",
    "difference_of_gains": "difference of gains (points)",
    "confirmed_gain": "confirmed gain (points)",
    "confirmed_low": "confirmed from (points)",
    "confirmed_high": "confirmed to (points)",
    "optimism": "optimism (points)",
    "mrr": "MRR",
    "baseline_cv": "CV of the baseline",
    "change_of_gain": "change of gain (points)",
    "similarity_percentile": "similarities below",
}


def heading(column: str) -> str:
    """A column's name in words, with its unit."""
    if found := _SUMMED_UP.fullmatch(column):
        what = re.sub("_s$", " (s)", re.sub("_per_s$", "/s", found["what"]))
        return f"{what.replace('_', ' ')}, {found['part']}"
    return _HEADINGS.get(column, column.replace("_", " "))


def cell_text(column: str, value: Cell) -> str:
    """A cell by the column it stands in: scores 4 decimals, gains in points and percent 2 with sign, p as .012."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return _number(column, value)


def _number(column: str, value: float) -> str:
    if column in _P or column.startswith("p_"):
        return p_text(value)
    if _is_threshold(column):
        return f"{value:.2f}"
    if column.endswith(_PERCENT) or "(%" in column or "(points)" in column:
        is_gain = column.endswith(_PERCENT) or "gain" in column.lower() or "(points)" in column
        return f"{_unsigned_zero(value, 2):{'+' if is_gain else ''}.2f}"
    if column in _POINTS:
        signed = column not in ("detectable", "spread")
        return f"{_unsigned_zero(100 * value, 2):{'+' if signed else ''}.2f}"
    if column in _SHARES:
        return f"{value:.1%}"
    return f"{_unsigned_zero(value, 3):.3f}" if column in _THREE else f"{_unsigned_zero(value, 4):.4f}"


def p_text(value: float) -> str:
    """A p value as papers print it: .012, < .001."""
    return "< .001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def is_number(column: str, value: Cell) -> bool:
    """Whether a cell is aligned as a number."""
    return value is None or not isinstance(value, str) or _is_threshold(column)


def _is_threshold(column: str) -> bool:
    return column.lower().endswith("threshold")


def _unsigned_zero(value: float, digits: int) -> float:
    return round(value, digits) + 0.0
