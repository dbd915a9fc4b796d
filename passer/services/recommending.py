"""What an analysis says in words: recommendation, what its figures rest on, and what to beware of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passer.domain.analysis.analysis import Alternative, ConfigurationResult, Recommendation, SweepAnalysis
from passer.domain.analysis.choices import SEVERAL_POOLS
from passer.domain.analysis.constants import Constants
from passer.domain.composite import Panel
from passer.domain.statistics import Interval
from passer.domain.wording.sentence import Sentence, Value, sentence
from passer.services.pooling import Pooled

SIGNIFICANT = 0.05
"""Level of the corrected p below which a gain counts."""


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
        return Recommendation(model=model, name=None, reason=_no_baseline(best))
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


def _no_baseline(best: ConfigurationResult | None) -> Sentence:
    if best is None or best.tcps is None:
        return sentence("recommendation.no-baseline")
    return sentence("recommendation.no-baseline-best", name=best.name, tcps=best.tcps)


def _none_better(compared: Sequence[ConfigurationResult]) -> Sentence:
    tests = [result.comparison for result in compared if result.comparison]
    p = [test.p_holm for test in tests if test.p_holm is not None and (test.gain or 0) > 0]
    if not p:
        return sentence("recommendation.none-untested", n=len(tests), baseline=tests[0].baseline)
    return sentence("recommendation.none", n=len(tests), baseline=tests[0].baseline, p=min(p))


def _why(best: ConfigurationResult, *, better: int, of: int) -> Sentence:
    test = best.comparison
    if test is None or test.gain is None or test.p_holm is None or best.tcps is None:
        raise ValueError("a recommended configuration has been compared")
    found: dict[str, Value] = {
        "name": best.name,
        "of": of,
        "baseline": test.baseline,
        "gain": test.gain * 100,
        "interval": _in_points(test.ci),
        "d": test.cohens_d or 0.0,
        "n": test.n_pairs,
        "p": test.p_holm,
    }
    if better == 1:
        return sentence("recommendation.only", **found)
    return sentence("recommendation.best", better=better, tcps=best.tcps, **found)


def _in_points(interval: Interval | None) -> Sentence:
    if interval is None:
        return sentence("recommendation.no-interval")
    return sentence("recommendation.interval", low=interval.low * 100, high=interval.high * 100)


def statements(
    pool: Pooled,
    panel: Panel,
    results: Sequence[ConfigurationResult],
    recommendations: Sequence[Recommendation],
    *,
    constants: Constants | None = None,
) -> tuple[str, ...]:
    """Pool, correction and recommendation, one sentence each."""
    said = [
        sentence(
            "statement.cps" if constants is None else "statement.cps-pinned",
            panel=panel.name,
            pool=pool.pools[0].name if len(pool.pools) == 1 else sentence("pool.several", n=len(pool.pools)),
            rows=sum(int(part.rows.sum()) for part in pool.pools),
            metrics=len(panel.metrics),
        )
    ]
    said += [constants.statement] if constants else []
    tests = [result.comparison for result in results if result.comparison]
    if tests:
        sizes = sorted({test.family_size for test in tests})
        by_model = len(sizes) > 1 or sizes[-1] < len(tests)
        said.append(sentence("statement.corrected-by-model" if by_model else "statement.corrected", n=sizes[-1]))
    several = len(recommendations) > 1
    return (
        *said,
        *(
            sentence("recommendation.of-model", model=item.model, reason=item.reason) if several else item.reason
            for item in recommendations
        ),
    )


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
        yield sentence("warning.no-wordnet", panel=analysis.panel)


def _count_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    for result in analysis.configurations:
        name = result.name
        if not result.n:
            yield sentence("warning.no-question", name=name, failed=result.n_failed)
        if result.n_unfinished:
            yield sentence("warning.unfinished", name=name, n=result.n_unfinished)
        if result.n_repeated:
            yield sentence("warning.repeated", name=name, n=result.n_repeated)
        if result.n_truncated:
            yield sentence("warning.cut", name=name, n=result.n_truncated)
        if result.n_worst_filled:
            reasons = _reasons(result.worst_filled)
            yield sentence("warning.worst", name=name, n=result.n_worst_filled, reasons=reasons)
        if result.n_excluded:
            yield sentence("warning.excluded", name=name, n=result.n_excluded, reasons=_reasons(result.excluded))


def _reasons(counts: dict[str, int]) -> tuple[str, ...]:
    return tuple(sentence("warning.reason", reason=reason, n=count) for reason, count in sorted(counts.items()))


def _comparison_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    alone = tuple(r.name for r in analysis.configurations if r.n and r.comparison is None and not r.is_baseline)
    if alone and len(analysis.pools) > 1:
        yield sentence("warning.other-constants", names=alone)
    elif alone and len(analysis.configurations) > 1:
        yield sentence("warning.no-one-baseline", names=alone)
    for result in analysis.configurations:
        test = result.comparison
        if test and (test.only_here or test.only_baseline):
            yield sentence(
                "warning.unpaired",
                name=result.name,
                n=test.n_pairs,
                baseline=test.baseline,
                only_here=test.only_here,
                only_baseline=test.only_baseline,
            )
        if test and test.reason == "identical":
            yield sentence("warning.identical", name=result.name, baseline=test.baseline)


def _scope_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    if analysis.scope in SEVERAL_POOLS:
        yield sentence(f"warning.scope-{analysis.scope}")


def _pool_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    for pool in analysis.pools:
        for item in pool.metrics:
            if item.is_constant:
                yield sentence("warning.constant", metric=item.metric, pool=pool.name)
            if item.n_outside:
                yield sentence("warning.outside", metric=item.metric, n=item.n_outside)


def _alternative_warnings(analysis: SweepAnalysis, alternatives: Sequence[Alternative]) -> Iterator[str]:
    for other in alternatives:
        for item, name in zip(analysis.recommendations, other.recommended, strict=True):
            if name != item.name:
                yield sentence(
                    "warning.otherwise",
                    decision=other.decision,
                    model=item.model,
                    other=name or sentence("decision.none"),
                    here=item.name or sentence("decision.none"),
                )
