"""What an analysis says in words: recommendation, what its figures rest on, and what to beware of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passer.domain.analysis.analysis import Alternative, ConfigurationResult, Recommendation, SweepAnalysis
from passer.domain.analysis.choices import SEVERAL_POOLS
from passer.domain.analysis.constants import ON_THE_SAME, Constants
from passer.domain.composite import Panel
from passer.domain.statistics import Interval
from passer.services.pooling import Pooled

SIGNIFICANT = 0.05
"""Level of the corrected p below which a gain counts."""
NO_BETTER = "No threshold is better than the baseline"


def recommend(results: Sequence[ConfigurationResult]) -> tuple[Recommendation, ...]:
    """For each model: of the configurations significantly better than their baseline, the one with the highest T-CPS.

    Better is a positive gain in CPS with a Holm-corrected p below .05. Equal T-CPS: fewer passages, then sweep order.
    """
    models = dict.fromkeys(result.model for result in results)
    return tuple(_recommend(model, [result for result in results if result.model == model]) for model in models)


def _recommend(model: str, results: Sequence[ConfigurationResult]) -> Recommendation:
    compared = [result for result in results if result.comparison is not None]
    if not compared:
        best = max((r for r in results if r.tcps is not None), key=_rank, default=None)
        hint = f"; the highest T-CPS has {best.name} ({best.tcps:.4f})" if best else ""
        return Recommendation(model=model, name=None, reason=f"There is no baseline to compare with{hint}.")
    better = [result for result in compared if _is_better(result)]
    if not better:
        return Recommendation(model=model, name=None, reason=_none_better(compared))
    best = max(better, key=_rank)
    return Recommendation(model=model, name=best.name, reason=_why(best, better=len(better), of=len(compared)))


def _is_better(result: ConfigurationResult) -> bool:
    test = result.comparison
    return bool(test and test.gain and test.gain > 0 and test.p_holm is not None and test.p_holm < SIGNIFICANT)


def _rank(result: ConfigurationResult) -> tuple[float, float]:
    tcps = float("-inf") if result.tcps is None else round(result.tcps, 12)
    return tcps, -(result.retrieval.mean_passages or 0.0)


def _none_better(compared: Sequence[ConfigurationResult]) -> str:
    tests = [result.comparison for result in compared if result.comparison]
    p = [test.p_holm for test in tests if test.p_holm is not None and (test.gain or 0) > 0]
    smallest = f"smallest corrected p of a gain {min(p):.3g}" if p else "no gain with a p value"
    return (
        f"{NO_BETTER}: of {len(tests)} compared with {tests[0].baseline}, "
        f"none has a significantly higher CPS (Holm, {smallest})."
    )


def _why(best: ConfigurationResult, *, better: int, of: int) -> str:
    test = best.comparison
    if test is None or test.gain is None or best.tcps is None:
        raise ValueError("a recommended configuration has been compared")
    first = "it alone" if better == 1 else f"of {better} that do it has the highest T-CPS ({best.tcps:.4f}); it"
    return (
        f"{best.name}: of {of} compared with {test.baseline}, {first} gains significantly in CPS, "
        f"{test.gain * 100:+.2f} points ({_in_points(test.ci)}d {test.cohens_d or 0:.2f}, n {test.n_pairs}, "
        f"corrected p {test.p_holm:.3g})."
    )


def _in_points(interval: Interval | None) -> str:
    return f"95 % CI {interval.low * 100:+.2f} to {interval.high * 100:+.2f}, " if interval else ""


def statements(
    pool: Pooled,
    panel: Panel,
    results: Sequence[ConfigurationResult],
    recommendations: Sequence[Recommendation],
    *,
    constants: Constants | None = None,
) -> tuple[str, ...]:
    """Pool, correction and recommendation, one sentence each."""
    rows = sum(int(part.rows.sum()) for part in pool.pools)
    where = pool.pools[0].name if len(pool.pools) == 1 else f"{len(pool.pools)} pools"
    said = [
        f"CPS by the panel {panel.name}, relative to {where}: {rows:,} rows, "
        f"{len(panel.metrics)} metrics; it compares only {'within this pool' if constants is None else ON_THE_SAME}."
    ]
    said += [constants.statement] if constants else []
    tests = [result.comparison for result in results if result.comparison]
    if tests:
        sizes = sorted({test.family_size for test in tests})
        said.append(
            f"p values are of paired t-tests by question, corrected over {_counted(sizes[-1], 'comparison')}"
            f"{' per model' if len(sizes) > 1 or sizes[-1] < len(tests) else ''}."
        )
    several = len(recommendations) > 1
    said += [f"{item.model}: {item.reason}" if several else item.reason for item in recommendations]
    return tuple(said)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def warnings_of(
    analysis: SweepAnalysis,
    alternatives: Sequence[Alternative],
    *,
    asked_panel: str | None,
) -> tuple[str, ...]:
    """Everything a reader must know before believing the figures."""
    return (
        *_panel_warnings(analysis, asked_panel),
        *_count_warnings(analysis),
        *_comparison_warnings(analysis),
        *_scope_warnings(analysis),
        *_pool_warnings(analysis),
        *_alternative_warnings(analysis, alternatives),
    )


def _panel_warnings(analysis: SweepAnalysis, asked: str | None) -> Iterator[str]:
    if asked is None and analysis.panel.endswith("-no-meteor"):
        yield (
            f"METEOR could not be computed without WordNet: the panel is {analysis.panel}, "
            "whose values do not compare with phase3."
        )


def _count_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    for result in analysis.configurations:
        if not result.n:
            yield f"{result.name}: no question enters the composite ({_counted(result.n_failed, 'question')} failed)."
        if result.n_unfinished:
            yield f"{result.name}: {_counted(result.n_unfinished, 'question')} not scored yet; its figures will move."
        if result.n_repeated:
            yield f"{result.name}: {_counted(result.n_repeated, 'question')} more than once, averaged."
        if result.n_truncated:
            yield f"{result.name}: {_counted(result.n_truncated, 'prompt or answer')} cut."
        if result.n_worst_filled:
            yield (
                f"{result.name}: {_counted(result.n_worst_filled, 'row')} counted as the pool's worst value where the "
                f"answer has no score ({_reasons(result.worst_filled)})."
            )
        if result.n_excluded:
            yield f"{result.name}: {_counted(result.n_excluded, 'question')} left out ({_reasons(result.excluded)})."


def _reasons(counts: dict[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items()))


def _comparison_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    alone = [r.name for r in analysis.configurations if r.n and r.comparison is None and not r.is_baseline]
    if alone and len(analysis.pools) > 1:
        yield f"Not compared with a baseline, because constants differ: {', '.join(alone)}."
    elif alone and len(analysis.configurations) > 1:
        yield f"Not compared, because there is no one baseline for them: {', '.join(alone)}."
    for result in analysis.configurations:
        test = result.comparison
        if test and (test.only_here or test.only_baseline):
            yield (
                f"{result.name}: {test.n_pairs} questions paired with {test.baseline}; left out {test.only_here} that "
                f"only it has and {test.only_baseline} that only the baseline has."
            )
        if test and test.reason == "identical":
            yield f"{result.name}: every CPS is the same as {test.baseline}'s, so there is nothing to test."


def _scope_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    if (scope := analysis.scope) in SEVERAL_POOLS:
        yield (
            f"Scope {scope}: each {scope} has constants of its own, so CPS does not compare between {scope}s, and the "
            "permutation tests and half splits, which need one scale, are left out."
        )


def _pool_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    for pool in analysis.pools:
        for item in pool.metrics:
            if item.is_constant:
                yield f"{item.metric} is the same everywhere in {pool.name}: it is neutral and tells nothing apart."
            if item.n_outside:
                yield f"{item.metric} lies outside the constants in {_counted(item.n_outside, 'row')}, not clipped."


def _alternative_warnings(analysis: SweepAnalysis, alternatives: Sequence[Alternative]) -> Iterator[str]:
    for other in alternatives:
        for item, name in zip(analysis.recommendations, other.recommended, strict=True):
            if name != item.name:
                yield (
                    f"With {other.decision} another configuration would be recommended for {item.model}: "
                    f"{name or 'none'} instead of {item.name or 'none'}."
                )
