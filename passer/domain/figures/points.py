"""Points of figures and reports, from the configurations of sweeps and imported sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.analysis.analysis import ConfigurationResult, SweepAnalysis
from passer.domain.analysis.study_configuration import StudyConfiguration
from passer.domain.composite import CPS
from passer.domain.evidence.correlation import CorrelationTable
from passer.domain.sheets.procedures import StudyAnalysis, panel_title
from passer.domain.statistics import Interval, interval_of, stars
from passer.domain.verdict.amounts import level
from passer.domain.verdict.family import FamilyGain
from passer.domain.verdict.verdict import Cost
from passer.domain.wording.sentence import sentence


@dataclass(frozen=True)
class Gain:
    """A configuration against its baseline."""

    points: float | None
    """Mean difference in CPS points (.01)."""
    ci: Interval | None
    """Interval of the gain, in points."""
    improvement_pct: float | None
    tcps_improvement_pct: float | None
    cohens_d: float | None
    p: float | None
    n_pairs: int
    mark: str
    """Stars of the p value; empty where nothing is decided."""


@dataclass(frozen=True)
class Point:
    """One configuration."""

    model: str
    name: str
    threshold: float | None
    k: int | None
    is_baseline: bool
    n: int
    """Number of questions, or rows, of mean_cps."""
    mean_cps: float | None
    ci: Interval | None
    cv: float | None
    tcps: float | None
    gain: Gain | None
    mean_primary: float | None = None
    """Mean of the primary metric; higher is better."""
    judged: FamilyGain | None = None
    """Gain in the primary metric by the rule of the verdict."""
    coverage: float | None = None
    """Share of questions with at least one passage kept."""
    mean_passages: float | None = None
    median_s: float | None = None
    """Median seconds to generate an answer."""
    prompt_tokens: float | None = None
    output_tokens: float | None = None
    n_timed: int = 0
    costs: Mapping[Cost, float] = field(default_factory=dict, hash=False)
    """Mean cost of a question by measure, that of the verdict first."""


@dataclass(frozen=True)
class Study:
    """Data of all figures."""

    points: tuple[Point, ...]
    """Points by model, the baseline first."""
    correlations: tuple[tuple[str, CorrelationTable], ...] = ()
    """Spearman's rho of the metrics: pooled, then within each model."""
    pool: str = ""
    """Reference of CPS, one sentence."""
    test: str = ""
    """Meaning of intervals and stars, one sentence."""
    models: tuple[str, ...] = ()
    """Models in order."""
    primary: str = CPS
    """Metric that decides."""
    margin: float = 0.0
    """Smallest difference in the primary metric that matters; 0 where none is known."""
    currency: str = ""
    """Currency of costs in money."""
    level: float = 95.0
    """Level of the simultaneous intervals, percent."""
    tied: frozenset[tuple[str, str]] = frozenset()
    """Model and name of the configurations that cannot be distinguished from the best one."""
    recommended: frozenset[tuple[str, str]] = frozenset()
    """Model and name of the recommended configurations."""
    as_good: frozenset[tuple[str, str]] = frozenset()
    """Model and name of the configurations that are better than their baseline, or as good."""

    def name_of(self, point: Point) -> str:
        """Return the name of a configuration among those of all models: with its model if models share names.

        Runs of a sweep with several models have the model in their own names.
        """
        shares_names = len({each.name for each in self.points}) < len(self.points)
        if shares_names and len(self.models) > 1:
            return sentence("name.parts", parts=(point.model, point.name))
        return point.name


def study_of_sweep(analysis: SweepAnalysis, correlations: Sequence[tuple[str, CorrelationTable]] = ()) -> Study:
    """Return the points of a sweep; intervals and stars follow the verdict's rule."""
    sizes = [1 for item in analysis.configurations if item.comparison]
    rows = sum(pool.rows for pool in analysis.pools)
    where = analysis.pools[0].name if len(analysis.pools) == 1 else sentence("pool.several", n=len(analysis.pools))
    return Study(
        points=tuple(_of_result(item) for item in analysis.configurations if item.mean_cps is not None),
        correlations=tuple(correlations),
        pool=sentence("figure.pool", panel=analysis.panel or "-", pool=where, rows=rows),
        test=sentence("figure.simultaneous", n=sum(sizes)) if sizes else "",
        models=tuple(dict.fromkeys(item.model for item in analysis.configurations)),
        primary=analysis.rule.primary,
        margin=analysis.rule.margin,
        currency=analysis.rule.price.currency if analysis.rule.price else "",
        level=level(analysis.rule.alpha),
        tied=frozenset(
            (each.model, name) for each in analysis.verdict.conclusions if each.tied for name in each.tied.names
        ),
        recommended=frozenset((each.model, each.name) for each in analysis.verdict.conclusions if each.name),
        as_good=frozenset(
            (each.model, name)
            for each in analysis.verdict.conclusions
            for name in (*each.verdict.better, *each.verdict.as_good)
        ),
    )


def _of_result(result: ConfigurationResult) -> Point:
    test, latency = result.comparison, result.latency
    return Point(
        model=result.model,
        name=result.name,
        threshold=result.threshold,
        k=result.k,
        is_baseline=result.is_baseline,
        n=test.n_pairs if test else result.n,
        mean_cps=result.mean_cps,
        ci=result.ci,
        cv=result.cv,
        tcps=result.tcps,
        gain=Gain(
            points=_hundredfold(test.gain),
            ci=_in_points(test.ci),
            improvement_pct=test.improvement_pct,
            tcps_improvement_pct=test.tcps_improvement_pct,
            cohens_d=test.cohens_d,
            p=test.judged.p,
            n_pairs=test.n_pairs,
            mark=test.stars,
        )
        if test
        else None,
        mean_primary=result.mean_primary,
        judged=test.judged if test else None,
        coverage=result.retrieval.coverage,
        mean_passages=result.retrieval.mean_passages,
        median_s=latency.median_s,
        prompt_tokens=latency.mean_prompt_tokens,
        output_tokens=latency.mean_output_tokens,
        n_timed=latency.n,
        costs=result.costs,
    )


def study_of_sheets(analysis: StudyAnalysis) -> Study:
    """Return the points of imported sheets; `corrected` uses intervals and stars of the verdict's rule."""
    evidence = analysis.evidence
    judged = sum(1 for item in analysis.configurations if item.judged)
    rows = sum(pool.rows for pool in analysis.pools)
    where = analysis.pools[0].name if len(analysis.pools) == 1 else sentence("pool.each-sheet", n=len(analysis.pools))
    test = sentence("figure.simultaneous", n=judged) if judged else sentence("figure.stars-published")
    return Study(
        points=tuple(_of_sheet(item) for item in analysis.configurations if item.mean_cps is not None),
        correlations=evidence.correlations if evidence else (),
        pool=sentence(
            "figure.pool-procedure",
            panel=panel_title(analysis.panel),
            procedure=sentence(f"procedure.name-{analysis.procedure}"),
            pool=where,
            rows=rows,
        ),
        test=test if any(item.n_pairs is not None for item in analysis.configurations) else "",
        models=tuple(dict.fromkeys(item.model for item in analysis.configurations)),
    )


def _sheet_name(threshold: float | None) -> str:
    if threshold is None:
        return sentence("cell.baseline")
    return sentence("figure.threshold-of", threshold=f"{threshold:.2f}")


def _of_sheet(item: StudyConfiguration) -> Point:
    # Where rows were paired by position, the spread is known of all rows alone.
    by_position = item.mean_cps_all_rows is not None
    n = item.n if by_position or item.n_pairs is None else item.n_pairs
    mean = item.mean_cps_all_rows if by_position else item.mean_cps
    spread = None if mean is None or item.cv is None else item.cv * mean
    compared = item.level is not None and item.n_pairs is not None
    return Point(
        model=item.model,
        name=item.strategy or _sheet_name(item.threshold),
        threshold=item.threshold,
        k=None,
        is_baseline=item.level is None,
        n=n,
        mean_cps=item.mean_cps,
        ci=interval_of(mean=item.mean_cps, spread=spread, n=n),
        cv=item.cv,
        tcps=item.tcps,
        gain=_gain_of_sheet(item) if compared else None,
        judged=item.judged,
    )


def _gain_of_sheet(item: StudyConfiguration) -> Gain:
    if item.judged is not None:
        points, ci, p = _hundredfold(item.judged.gain), _in_points(item.judged.interval), item.judged.p
    else:
        points, p = _points_from_pct(item.mean_cps, item.cps_improvement_pct), item.p_value
        spread = abs(points / item.cohens_d) if points is not None and item.cohens_d else None
        ci = interval_of(mean=points, spread=spread, n=item.n_pairs or 0)
    return Gain(
        points=points,
        ci=ci,
        improvement_pct=item.cps_improvement_pct,
        tcps_improvement_pct=item.tcps_improvement_pct,
        cohens_d=item.cohens_d,
        p=p,
        n_pairs=item.n_pairs or 0,
        mark=stars(p) if item.judged is None else item.significance or "",
    )


def _points_from_pct(mean: float | None, pct: float | None) -> float | None:
    """Return the gain in points of a mean, from its gain in percent of the baseline."""
    return None if mean is None or pct is None or pct <= -100 else 100 * mean * pct / (100 + pct)


def _hundredfold(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _in_points(interval: Interval | None) -> Interval | None:
    return Interval(low=100 * interval.low, high=100 * interval.high) if interval else None
