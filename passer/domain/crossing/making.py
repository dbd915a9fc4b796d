"""Two studies of different question sets (domains) side by side, on the same constants: RQ3 and what moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.analysis.pool import Pool
from passer.domain.analysis.study_tables import SIGNIFICANT
from passer.domain.composite import coefficient_of_variation, tcps
from passer.domain.crossing.crossed import (
    AcrossDomains,
    BestInDomain,
    CrossDomain,
    DomainDifference,
    MovedCorrelation,
    SharedConstants,
)
from passer.domain.evidence.arms import ModelArms
from passer.domain.evidence.correlation import CorrelationTable
from passer.domain.evidence.permutation import DRAWS
from passer.domain.evidence.research_questions import domain_tests, gains_by_question
from passer.domain.statistics import ByQuestion, pair_by_question
from passer.domain.wording.sentence import Sentence, Value, sentence

MOST_MOVED = 20
"""Pairs of metrics listed whose correlation changes most."""

Where = tuple[str, float]
"""Model and threshold."""


@dataclass(frozen=True)
class StudiedDomain:
    """One side: its models with their questions, on the constants that hold for it."""

    name: str
    models: tuple[ModelArms, ...]
    correlations: CorrelationTable | None
    mean_passages: Mapping[Where, float] = field(default_factory=dict)
    """Passages kept, where that is known."""
    similarity_percentile: Mapping[Where, float] = field(default_factory=dict)
    """Share of the retrieved similarities that lie below the threshold, where that is known."""


def cross(
    first: StudiedDomain,
    second: StudiedDomain,
    pools: Sequence[Pool],
    *,
    constants: SharedConstants,
    seed: int,
    draws: int = DRAWS,
) -> CrossDomain:
    """Compare what both have; nothing that needs shared constants is computed without them."""
    shared = constants != "own"
    theirs = {model.model: model for model in second.models}
    pairs = [(model, theirs[model.model]) for model in first.models if model.model in theirs]
    differences = [item for pair in pairs for item in _tested(*pair, seed=seed, draws=draws)] if shared else []
    ranks = _ranks(first), _ranks(second)
    models = tuple(
        _across(
            _best(first, one, ranks[0][one.model]),
            _best(second, other, ranks[1][one.model]),
            one.model,
            [item for item in differences if item.model == one.model] if shared else None,
        )
        for one, other in pairs
    )
    return CrossDomain(
        first=first.name,
        second=second.name,
        constants=constants,
        is_comparable=shared,
        pools=tuple(pools),
        models=models,
        differences=tuple(differences),
        moved=_moved(first.correlations, second.correlations),
        only_first=tuple(model.model for model in first.models if model.model not in theirs),
        only_second=tuple(name for name in theirs if name not in {model.model for model in first.models}),
        statements=(*(item.statement for item in models), *_ranking_statement(models)),
    )


def _gains(model: ModelArms, thresholds: Sequence[float]) -> list[ByQuestion]:
    arms = dict(zip(model.thresholds, model.arms, strict=True))
    return [gains_by_question(arms[threshold].cps, model.baseline.cps) for threshold in thresholds]


def _tested(first: ModelArms, second: ModelArms, *, seed: int, draws: int) -> list[DomainDifference]:
    thresholds = [threshold for threshold in first.thresholds if threshold in second.thresholds]
    if not thresholds:
        return []
    test = domain_tests(_gains(first, thresholds), _gains(second, thresholds), seed=seed, draws=draws)
    if test is None:
        return []
    columns = zip(thresholds, test.differences, test.t, test.p, test.p_max_t, strict=True)
    return [
        DomainDifference(model=first.model, threshold=threshold, difference=difference, t=t, p=p, p_max_t=p_max_t)
        for threshold, difference, t, p, p_max_t in columns
    ]


def _best_place(model: ModelArms) -> tuple[int | None, list[float | None]]:
    """Place of the threshold with the largest gain, if any gains, and all mean gains."""
    gains = [float(gain.values.mean()) if gain.ids else None for gain in _gains(model, model.thresholds)]
    known = [(gain, -place) for place, gain in enumerate(gains) if gain is not None and gain > 0]
    return (-max(known)[1] if known else None), gains


def _tcps_at_best(model: ModelArms) -> float | None:
    place, _ = _best_place(model)
    values = model.baseline.cps.values
    if place is not None:
        values = pair_by_question(model.arms[place].cps, model.baseline.cps).values
    return tcps(mean=float(values.mean()), cv=coefficient_of_variation(values)) if values.size else None


def _ranks(domain: StudiedDomain) -> dict[str, int]:
    values = {model.model: _tcps_at_best(model) for model in domain.models}
    ordered = sorted(values, key=lambda name: float("inf") if (value := values[name]) is None else -value)
    return {name: rank for rank, name in enumerate(ordered, start=1)}


def _best(domain: StudiedDomain, model: ModelArms, rank: int) -> BestInDomain:
    place, gains = _best_place(model)
    arm = model.baseline if place is None else model.arms[place]
    pairs = pair_by_question(arm.cps, model.baseline.cps)
    threshold = None if place is None else model.thresholds[place]
    where = (model.model, threshold if threshold is not None else -1.0)
    return BestInDomain(
        domain=domain.name,
        n_questions=len(pairs.ids),
        best_threshold=threshold,
        gain=None if place is None else gains[place],
        baseline_cv=coefficient_of_variation(model.baseline.cps.values),
        cv=coefficient_of_variation(pairs.values),
        tcps=_tcps_at_best(model),
        rank=rank,
        mean_passages=domain.mean_passages.get(where),
        similarity_percentile=domain.similarity_percentile.get(where),
    )


def _across(
    first: BestInDomain, second: BestInDomain, model: str, tests: Sequence[DomainDifference] | None
) -> AcrossDomains:
    shift = None
    if first.best_threshold is not None and second.best_threshold is not None:
        shift = second.best_threshold - first.best_threshold
    differing = tuple(item.threshold for item in tests or () if item.p_max_t is not None and item.p_max_t < SIGNIFICANT)
    change = None
    if tests is not None and first.gain is not None and second.gain is not None:
        change = second.gain - first.gain
    return AcrossDomains(
        model=model,
        first=first,
        second=second,
        shift=shift,
        change_of_gain=change,
        differing=differing,
        statement=_said(first, second, model, tests, differing),
    )


def _said(
    first: BestInDomain,
    second: BestInDomain,
    model: str,
    tests: Sequence[DomainDifference] | None,
    differing: Sequence[float],
) -> Sentence:
    best: dict[str, Value] = {
        "model": model,
        "one": _named(first),
        "first": first.domain,
        "other": _named(second),
        "second": second.domain,
    }
    if tests is None:
        return sentence("crossing.not-comparable", **best)
    if not tests:
        return sentence("crossing.untested", **best)
    if differing:
        at = tuple(f"{threshold:g}" for threshold in differing)
        return sentence("crossing.differs", at=at, n=len(tests), **best)
    return sentence("crossing.does-not-differ", n=len(tests), **best)


def _named(best: BestInDomain) -> Sentence:
    if best.best_threshold is None or best.gain is None:
        return sentence("crossing.no-best")
    return sentence("crossing.best", threshold=best.best_threshold, gain=100 * best.gain)


def _moved(first: CorrelationTable | None, second: CorrelationTable | None) -> tuple[MovedCorrelation, ...]:
    if first is None or second is None:
        return ()
    known = {
        (one, other): rho
        for one, line in zip(second.columns, second.rho, strict=True)
        for other, rho in zip(second.columns, line, strict=True)
    }
    found = [
        MovedCorrelation(metric=one, other_metric=other, first=rho, second=there)
        for place, (one, line) in enumerate(zip(first.columns, first.rho, strict=True))
        for other, rho in zip(first.columns[place + 1 :], line[place + 1 :], strict=True)
        if rho is not None and (there := known.get((one, other))) is not None
    ]
    return tuple(sorted(found, key=lambda item: -abs(item.first - item.second))[:MOST_MOVED])


def _ranking_statement(models: Sequence[AcrossDomains]) -> list[Sentence]:
    """Whether the order of the models by T-CPS at their best thresholds is the same."""
    if len(models) < 2:
        return []
    moved = [item.model for item in models if item.first.rank != item.second.rank]
    if not moved:
        return [sentence("crossing.same-order")]
    return [sentence("crossing.other-order", models=tuple(moved))]
