"""Gains of a configuration over its baseline: the same formulas for sweeps and imported sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.base import Frozen
from passer.domain.composite import PUBLISHED, TcpsWeights, balance, coefficient_of_variation, improvement_pct, tcps
from passer.domain.statistics import Floats, Interval, NoTestReason, PairedTest, mean_of, paired_t_test

PRINTED_PCT, PRINTED_CV = 2, 3
"""Decimals of the published tables, from which their Balance is computed."""
COVERAGE_COLUMNS: dict[str, str] = {
    name.format(which): f"{which}.{path}"
    for which in ("with_passages", "without_passages")
    for name, path in (("n_{}", "n"), ("gain_{}", "gain"), ("gain_{}_ci_low", "ci.low"), ("gain_{}_ci_high", "ci.high"))
}
"""Columns of a table that gives both gains, and where a comparison has them."""


@dataclass(frozen=True)
class Spread:
    """Mean, CV and T-CPS of some values of CPS; None where they cannot be computed."""

    mean: float | None
    cv: float | None
    tcps: float | None

    @classmethod
    def of(cls, values: Floats, weights: Floats | None = None, *, stability: TcpsWeights = PUBLISHED) -> Spread:
        """Return mean, CV and T-CPS of values of shape (n,); `weights` are those of the questions."""
        mean, cv = mean_of(values, weights), coefficient_of_variation(values, weights)
        return cls(mean=mean, cv=cv, tcps=None if mean is None else tcps(mean=mean, cv=cv, weights=stability))


@dataclass(frozen=True)
class Gain:
    """Comparison of a configuration with its baseline."""

    test: PairedTest
    here: Spread
    """Spread of the paired values."""
    baseline: Spread
    """Spread of the baseline's values."""
    improvement_pct: float | None
    """Gain of the mean, in percent of the baseline's."""
    tcps_improvement_pct: float | None
    """Gain of T-CPS, in percent of the baseline's."""
    balance: float | None
    """(T-CPS improvement % / 100) / CV."""

    @classmethod
    def of(
        cls,
        values: Floats,
        baseline: Floats,
        weights: Floats | None = None,
        *,
        printed: tuple[Spread, Spread] | None = None,
        stability: TcpsWeights = PUBLISHED,
    ) -> Gain:
        """Return the comparison of paired values, both of shape (n,), weighted if weights are given.

        `printed` is of all rows of both sides, paired or not: then T-CPS is compared over them, and Balance computed
        from the rounded parts, as the published tables do.
        """
        here, base = (Spread.of(side, weights, stability=stability) for side in (values, baseline))
        ours, theirs = printed or (here, base)
        gain, cv = improvement_pct(value=ours.tcps, baseline=theirs.tcps), ours.cv
        parts = (gain, cv)
        if printed:
            parts = (_rounded(gain, PRINTED_PCT), _rounded(cv, PRINTED_CV))
        return cls(
            test=paired_t_test(values, baseline, weights),
            here=here,
            baseline=base,
            improvement_pct=improvement_pct(value=here.mean, baseline=base.mean),
            tcps_improvement_pct=gain,
            balance=balance(tcps_improvement_pct=parts[0], cv=parts[1]),
        )


def largest(gains: Sequence[float | None]) -> int | None:
    """Return the index of the largest gain, the first of equal ones; None if none is positive."""
    known = [(gain, -place) for place, gain in enumerate(gains) if gain is not None and gain > 0]
    return -max(known)[1] if known else None


def _rounded(value: float | None, decimals: int) -> float | None:
    return None if value is None else round(value, decimals)


class PartialGain(Frozen):
    """The gain over some of the pairs."""

    n: int
    """Pairs among them."""
    gain: float | None
    """Mean difference in CPS; None without a pair."""
    ci: Interval | None
    """95 % interval of the gain; None below two pairs."""
    reason: NoTestReason | None
    """Reason why there is no interval."""
