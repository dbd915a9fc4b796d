"""Sentences of an analysis: how its figures were computed, and warnings about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from passer.domain.analysis.analysis import Alternative, SweepAnalysis
from passer.domain.analysis.choices import SEVERAL_POOLS
from passer.domain.analysis.composites import Rules
from passer.domain.analysis.pool import Pool
from passer.domain.dataset import Question
from passer.domain.panel import margin_caution
from passer.domain.retrieval.quality import FEWEST_KEPT
from passer.domain.wording.catalogue import catalogue
from passer.domain.wording.sentence import sentence
from passer.services.analysis.verdict.disagreement import disagreements


def statements(pools: Sequence[Pool], rules: Rules, comparisons: int, questions: Sequence[Question]) -> tuple[str, ...]:
    """Return sentences about the pool, the correction of p values, and questions with several right answers."""
    said = [
        sentence(
            "statement.cps-pinned" if rules.constants else "statement.cps",
            panel=rules.panel.name,
            pool=pools[0].name if len(pools) == 1 else sentence("pool.several", n=len(pools)),
            rows=sum(pool.rows for pool in pools),
            metrics=len(rules.panel.metrics),
        )
    ]
    said += [rules.constants.statement] if rules.constants else []
    if comparisons:
        said.append(sentence("statement.corrected", n=comparisons))
    if several := sum(each.other_references is not None for each in questions):
        said.append(sentence("statement.several-references", n=several))
    return tuple(said)


def warnings_of(
    analysis: SweepAnalysis, alternatives: Sequence[Alternative], *, asked_panel: str | None
) -> tuple[str, ...]:
    """Return all warnings about the figures."""
    return (
        *_panel_warnings(analysis, asked_panel),
        *_count_warnings(analysis),
        *_comparison_warnings(analysis),
        *_margin_warnings(analysis),
        *_scope_warnings(analysis),
        *_pool_warnings(analysis),
        *(said for _, said in disagreements(analysis.verdict, alternatives)),
    )


def _panel_warnings(analysis: SweepAnalysis, asked: str | None) -> Iterator[str]:
    if asked is None and "-no-meteor" in analysis.panel:
        yield sentence("warning.no-wordnet", panel=analysis.panel)
    if asked is None and "-no-bert-score" in analysis.panel:
        yield sentence("warning.no-encoder", panel=analysis.panel)


def _count_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    for result in analysis.configurations:
        name = result.name
        if not result.n:
            yield sentence("warning.no-question", name=name, failed=result.n_failed)
        coverage = result.retrieval.coverage
        if coverage is not None and coverage < FEWEST_KEPT and (result.k or result.threshold is not None):
            yield sentence("warning.mostly-nothing", name=name, share=1 - coverage)
        rows = {"unfinished": result.n_unfinished, "repeated": result.n_repeated}
        yield from (sentence(f"warning.{kind}", name=name, n=n) for kind, n in rows.items() if n)
        if result.n_worst_filled:
            reasons = _reasons(result.worst_filled)
            yield sentence("warning.worst", name=name, n=result.n_worst_filled, reasons=reasons)
        if result.n_excluded:
            yield sentence("warning.excluded", name=name, n=result.n_excluded, reasons=_reasons(result.excluded))
    # One sentence for all: a limit that is too low cuts the answers of every configuration.
    if cut := [(result.name, result.n_truncated) for result in analysis.configurations if result.n_truncated]:
        counts = tuple(sentence("warning.reason", reason=name, n=n) for name, n in cut)
        yield sentence("warning.cut", n=sum(n for _, n in cut), counts=counts)


def _named(code: str) -> str:
    return sentence(f"reason.{code}") if f"reason.{code}" in catalogue("en") else code


def _reasons(counts: dict[str, int]) -> tuple[str, ...]:
    return tuple(sentence("warning.reason", reason=_named(reason), n=count) for reason, count in sorted(counts.items()))


def _comparison_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    alone = tuple(r.name for r in analysis.configurations if r.n and r.comparison is None and not r.is_baseline)
    if alone and len(analysis.pools) > 1:
        yield sentence("warning.other-constants", names=alone)
    elif alone and len(analysis.configurations) > 1:
        yield sentence("warning.no-one-baseline", names=alone)
    for result in analysis.configurations:
        test = result.comparison
        if test and test.n_pairs and (test.only_here or test.only_baseline):
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


def _margin_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    said = margin_caution(analysis.rule.primary, analysis.rule.margin)
    if said is not None and analysis.rule.judged_by is None:
        yield said


def _scope_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    if analysis.scope in SEVERAL_POOLS:
        yield sentence(f"warning.scope-{analysis.scope}")


def _pool_warnings(analysis: SweepAnalysis) -> Iterator[str]:
    for pool in analysis.pools:
        for item in pool.metrics:
            if item.is_constant:
                yield sentence("warning.constant", metric=item.metric, pool=pool.name)
            if item.n_outside and not pool.is_clipped:
                yield sentence("warning.outside", metric=item.metric, n=item.n_outside)
