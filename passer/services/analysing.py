"""Composites, comparisons with the baseline, retrieval quality, and a recommendation, from the rows of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from passer.domain.analysis.analysis import (
    Alternative,
    Comparison,
    ConfigurationResult,
    Family,
    MetricMean,
    RunRows,
    Scope,
    SweepAnalysis,
    TruncatedPolicy,
)
from passer.domain.analysis.choices import check_scope
from passer.domain.analysis.confounds import differing_fields
from passer.domain.analysis.constants import Constants, constants_of
from passer.domain.analysis.effort import Latency
from passer.domain.analysis.pool import Pool, pool_metrics
from passer.domain.analysis.profile_label import profile_label
from passer.domain.composite import (
    PANELS,
    MissingPolicy,
    Panel,
    coefficient_of_variation,
    effective_weights,
    panel_named,
    tcps,
)
from passer.domain.retrieval import NormalPolicy, ScorePolicy
from passer.domain.retrieval_quality import retrieval_quality
from passer.domain.score import missing_by_reason
from passer.domain.statistics import Pairs, mean_interval, pair_by_question
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import InputError
from passer.services.comparability import (
    Group,
    arm_labels,
    baselines,
    check_comparable,
    control_of,
    described,
    grouped,
    identity_of,
    study_of,
)
from passer.services.pairing import compared, mean_of
from passer.services.pooling import Pooled, Rows, lay_out, pooled
from passer.services.recommending import recommend, statements, warnings_of

DEFAULT_PANEL = "phase3"
WITHOUT_METEOR = "phase3-no-meteor"


@dataclass(frozen=True)
class Decisions:
    """How an analysis is made."""

    panel: Panel
    scope: Scope = "all"
    constants: Constants | None = None
    missing: MissingPolicy = "worst"
    truncated: TruncatedPolicy = "keep"
    family: Family = "analysis"


def analyse(
    runs: Sequence[RunRows],
    *,
    panel: str | None = None,
    scope: Scope = "all",
    constants: Constants | None = None,
    baseline: str | None = None,
    missing: MissingPolicy = "worst",
    truncated: TruncatedPolicy = "keep",
    family: Family = "analysis",
) -> SweepAnalysis:
    """Analyse runs together; without a panel, phase3, or phase3-no-meteor where METEOR could not be computed.

    `baseline` names one configuration for all by name or run id; without it each model's own baseline counts.
    `constants` pin it to an earlier analysis: the scope is `given`, and CPS is not clipped by them.
    ConflictError where the runs cannot be compared, InputError where the panel cannot be computed, or the constants
    are not comparable or stand beside another scope.
    """
    check_scope(scope, pinned=constants is not None)
    check_comparable(runs)
    identity = identity_of(runs)
    if constants is not None:
        constants.check_comparable(identity)
    groups = grouped(runs)
    rows = lay_out(groups)
    decisions = Decisions(
        panel=chosen_panel(rows, panel),
        scope="given" if constants else scope,
        constants=constants,
        missing=missing,
        truncated=truncated,
        family=family,
    )
    against = baselines(groups, baseline)
    analysis = _analysed(groups, rows, decisions, against)
    others, notes = _alternatives(groups, rows, decisions, against)
    warnings = (*warnings_of(analysis, others, asked_panel=panel), *notes)
    return analysis.model_copy(
        update={
            "constants": constants or _own_constants(analysis, identity, study_of(runs)),
            "alternatives": others,
            "differing": differing_fields([described(run) for run in runs]),
            "control": control_of(groups, against),
            "warnings": warnings,
        }
    )


def _own_constants(analysis: SweepAnalysis, identity: dict[str, str], study: str) -> Constants | None:
    """What another analysis can be pinned to; None where several pools share none."""
    return constants_of(
        [[item.bounds for item in pool.metrics] for pool in analysis.pools],
        source=study,
        rows=analysis.pools[0].rows,
        panel=analysis.panel,
        identity=identity,
    )


def _alternatives(
    groups: Sequence[Group], rows: Rows, decisions: Decisions, against: dict[int, int]
) -> tuple[tuple[Alternative, ...], list[str]]:
    """The analysis with other decisions; a note where one leaves nothing."""
    found: list[Alternative] = []
    notes: list[str] = []
    for words, changed in _other_decisions(rows, decisions):
        try:
            other = _analysed(groups, rows, changed, against)
        except InputError:
            notes.append(sentence("warning.nothing-left", decision=words))
            continue
        found.append(
            Alternative(
                decision=words,
                mean_cps=tuple(item.mean_cps for item in other.configurations),
                recommended=tuple(item.name for item in other.recommendations),
            )
        )
    return tuple(found), notes


def chosen_panel(rows: Rows, name: str | None) -> Panel:
    """The panel asked for; by default phase3, unless a configuration has no METEOR at all for want of WordNet."""
    if name is not None:
        return panel_named(name)
    lost = rows.lost_everywhere("METEOR", "wordnet_unavailable")
    return PANELS[WITHOUT_METEOR if lost else DEFAULT_PANEL]


def _other_decisions(rows: Rows, decisions: Decisions) -> list[tuple[Sentence, Decisions]]:
    """What could be decided otherwise and would change something."""
    others = []
    if rows.any_missing(decisions.panel):
        other: MissingPolicy = "drop" if decisions.missing == "worst" else "worst"
        others.append((sentence(f"decision.missing-{other}"), replace(decisions, missing=other)))
    if rows.truncated.any():
        cut: TruncatedPolicy = "exclude" if decisions.truncated == "keep" else "keep"
        others.append((sentence(f"decision.truncated-{cut}"), replace(decisions, truncated=cut)))
    return others


def _analysed(groups: Sequence[Group], rows: Rows, decisions: Decisions, against: dict[int, int]) -> SweepAnalysis:
    """One pass with one set of decisions; alternatives and warnings are added by the caller."""
    pool = pooled(
        rows,
        panel=decisions.panel,
        scope=decisions.scope,
        constants=decisions.constants,
        missing=decisions.missing,
        truncated=decisions.truncated,
    )
    labels = arm_labels(groups)
    pairs = {
        place: pair_by_question(pool.by_question[place], pool.by_question[base])
        for place, base in against.items()
        if pool.shares_constants(place, base)
    }
    comparisons = compared(groups, pairs, against, families=labels if decisions.family == "model" else None)
    results = tuple(
        _result(group, labels[place], place, pool, pairs.get(place), comparisons.get(place))
        for place, group in enumerate(groups)
    )
    recommendations, profile = recommend(results), groups[0].first.config.profile
    return SweepAnalysis(
        profile=profile,
        profile_label=profile_label(profile, identity_of([run for group in groups for run in group.runs])),
        panel=decisions.panel.name,
        scope=decisions.scope,
        missing=decisions.missing,
        truncated=decisions.truncated,
        pools=tuple(pool_of(pool, place, groups) for place in range(len(pool.pools))),
        configurations=results,
        recommendations=recommendations,
        alternatives=(),
        statements=statements(pool, decisions.panel, results, recommendations, constants=decisions.constants),
        warnings=(),
    )


def _result(
    group: Group, label: str, place: int, pool: Pooled, pairs: Pairs | None, comparison: Comparison | None
) -> ConfigurationResult:
    """One configuration: over the paired questions where there are any, else over all of its own."""
    own, counts = pool.by_question[place], pool.counts(place)
    values = pairs.values if pairs is not None and pairs.ids else own.values
    mean, cv, within_sd = mean_of(values), coefficient_of_variation(values), pool.within_sd(place)
    questions = [item for run in group.runs for item in run.questions]
    states = Counter(item.state for item in questions)
    policy = group.first.config.retrieval
    return ConfigurationResult(
        name=group.first.name,
        model=label,
        policy=policy.label,
        threshold=policy.min_similarity if isinstance(policy, ScorePolicy) else None,
        k=policy.k if isinstance(policy, NormalPolicy) else policy.depth or None,
        is_baseline=group.first.is_baseline,
        run_ids=tuple(run.run_id for run in group.runs),
        n=len(own.ids),
        n_excluded=counts.n_excluded,
        excluded=counts.excluded,
        n_worst_filled=counts.n_worst_filled,
        worst_filled=counts.worst_filled,
        n_failed=states["failed"],
        n_unfinished=states["pending"] + states["answered"],
        n_truncated=sum(1 for item in questions if item.truncated),
        n_repeated=sum(_repeated(run) for run in group.runs),
        mean_cps=mean,
        ci=mean_interval(values),
        cv=cv,
        tcps=None if mean is None else tcps(mean=mean, cv=cv),
        within_sd=within_sd,
        within_cv=_part_of(within_sd, mean_of(own.values)),
        between_sd=float(own.values.std(ddof=1)) if len(own.ids) > 1 else None,
        between_cv=coefficient_of_variation(own.values),
        comparison=comparison,
        retrieval=retrieval_quality([q.retrieval for q in questions if q.state in ("answered", "scored", "failed")]),
        latency=Latency.of([item.effort for item in questions if item.effort]),
        metrics=_metric_means(pool.rows, place),
    )


def _part_of(spread: float | None, mean: float | None) -> float | None:
    return None if spread is None or mean is None or mean <= 0 else spread / mean


def _repeated(run: RunRows) -> int:
    return sum(1 for count in Counter(item.question_id for item in run.questions).values() if count > 1)


def _metric_means(rows: Rows, place: int) -> tuple[MetricMean, ...]:
    here = rows.groups == place
    values, present = rows.table.values[here], rows.present[here]
    kinds, kind_of = rows.table.lacks
    lacking = {kinds[kind]: count for kind, count in Counter(kind_of[here].tolist()).items()}
    totals, counts = (values * present).sum(axis=0), present.sum(axis=0)
    return tuple(
        MetricMean(
            metric=column,
            mean=float(total / count) if count else None,
            n=int(count),
            missing=missing_by_reason(lacking, position),
        )
        for position, (column, total, count) in enumerate(zip(rows.table.columns, totals, counts, strict=True))
    )


def pool_of(pool: Pooled, number: int, groups: Sequence[Group]) -> Pool:
    """One pool with its constants and effective weights, as it is shown."""
    found, panel = pool.pools[number], pool.panel
    outside = [pool.n_outside(found, place) for place in range(len(panel.metrics))]
    return Pool(
        name=found.name,
        run_ids=tuple(run.run_id for place in found.groups for run in groups[place].runs),
        rows=int(found.rows.sum()),
        metrics=pool_metrics(panel, found.constants, effective_weights(pool.weighted[found.rows]), n_outside=outside),
    )
