"""Two studies of different question sets (domains) on the same constants: RQ3 and the correlations that change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.analysis.gains import Spread, largest
from passer.domain.analysis.levels import threshold_of
from passer.domain.analysis.pool import Pool
from passer.domain.analysis.question_table import QuestionTable
from passer.domain.analysis.study_tables import SIGNIFICANT
from passer.domain.composite import coefficient_of_variation
from passer.domain.crossing.crossed import (
    AcrossDomains,
    BestInDomain,
    CrossDomain,
    DomainDifference,
    MovedCorrelation,
    SharedConstants,
)
from passer.domain.evidence.correlation import CorrelationTable
from passer.domain.evidence.families import Family
from passer.domain.evidence.permutation import DRAWS
from passer.domain.evidence.research_questions import domain_tests
from passer.domain.statistics import Floats, mean_of
from passer.domain.wording.sentence import Sentence, Value, number_sentence, sentence

MOST_MOVED = 20
"""Pairs of metrics listed whose correlation changes most."""

Where = tuple[str, float | None]
"""Model and threshold."""


@dataclass(frozen=True)
class StudiedDomain:
    """One side: its models with their questions, normalised with the applicable constants."""

    name: str
    table: QuestionTable
    """Table of scores; it may contain the other domain too."""
    models: tuple[Family, ...]
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
    """Compare what both domains have; figures that need shared constants are computed only with them."""
    shared = constants != "own"
    theirs = {model.model: model for model in second.models}
    pairs = [(model, theirs[model.model]) for model in first.models if model.model in theirs]
    differences = [item for pair in pairs if shared for item in _tested(first, second, *pair, seed=seed, draws=draws)]
    best = _ranked(first), _ranked(second)
    models = tuple(
        _across(
            best[0][model.model],
            best[1][model.model],
            model.model,
            [item for item in differences if item.model == model.model] if shared else None,
        )
        for model, _ in pairs
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


def _tested(
    first: StudiedDomain, second: StudiedDomain, one: Family, other: Family, *, seed: int, draws: int
) -> list[DomainDifference]:
    levels = one.shared(other)
    if not levels:
        return []
    gains = first.table.gains(one.at(levels)), second.table.gains(other.at(levels))
    test = domain_tests(*gains, seed=seed, draws=draws)
    if test is None:
        return []
    columns = zip(levels, test.differences, test.t, test.p, test.p_max_t, strict=True)
    return [
        DomainDifference(model=one.model, threshold=threshold, difference=difference, t=t, p=p, p_max_t=p_max_t)
        for levels, difference, t, p, p_max_t in columns
        if (threshold := threshold_of(levels)) is not None
    ]


@dataclass(frozen=True)
class _Best:
    """A model's best threshold in one domain; the baseline where none gains."""

    threshold: float | None
    gain: float | None
    values: Floats
    """CPS there, over the questions compared."""

    @classmethod
    def of(cls, domain: StudiedDomain, model: Family) -> _Best:
        pairs = [domain.table.pairs(*comparison) for comparison in model.comparisons]
        gains = [mean_of(pair.differences) for pair in pairs]
        place = largest(gains)
        if place is None:
            return cls(None, None, domain.table.column(model.baseline))
        return cls(threshold_of(model.levels[place]), gains[place], pairs[place].values)


def _ranked(domain: StudiedDomain) -> dict[str, BestInDomain]:
    """Rank the models by T-CPS at their best thresholds, or of their baselines where no threshold gains."""
    best = {model.model: _Best.of(domain, model) for model in domain.models}
    values = {name: Spread.of(found.values) for name, found in best.items()}
    # A model without T-CPS (too few questions, or a mean of 0 or less) ranks last; equal ones keep the study's order.
    ordered = sorted(values, key=lambda name: float("inf") if (value := values[name].tcps) is None else -value)
    return {
        model.model: BestInDomain(
            domain=domain.name,
            n_questions=best[model.model].values.size,
            best_threshold=best[model.model].threshold,
            gain=best[model.model].gain,
            baseline_cv=coefficient_of_variation(domain.table.column(model.baseline)),
            cv=values[model.model].cv,
            tcps=values[model.model].tcps,
            rank=ordered.index(model.model) + 1,
            mean_passages=domain.mean_passages.get((model.model, best[model.model].threshold)),
            similarity_percentile=domain.similarity_percentile.get((model.model, best[model.model].threshold)),
        )
        for model in domain.models
    }


def _change(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else second - first


def _across(
    first: BestInDomain, second: BestInDomain, model: str, tests: Sequence[DomainDifference] | None
) -> AcrossDomains:
    differing = tuple(item.threshold for item in tests or () if item.p_max_t is not None and item.p_max_t < SIGNIFICANT)
    return AcrossDomains(
        model=model,
        first=first,
        second=second,
        shift=_change(first.best_threshold, second.best_threshold),
        change_of_gain=None if tests is None else _change(first.gain, second.gain),
        differing=differing,
        statement=_statement(first, second, model, tests, differing),
    )


def _statement(
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
        at = tuple(number_sentence(threshold) for threshold in differing)
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
    """Return whether the order of the models by T-CPS at their best thresholds is the same."""
    if len(models) < 2:
        return []
    moved = [item.model for item in models if item.first.rank != item.second.rank]
    if not moved:
        return [sentence("crossing.same-order")]
    return [sentence("crossing.other-order", models=tuple(moved))]
