"""Configurations against their baselines: paired by question, tested, corrected for their number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from passer.domain.analysis.analysis import Comparison
from passer.domain.analysis.partial_gain import PartialGain
from passer.domain.composite import balance, coefficient_of_variation, improvement_pct, tcps
from passer.domain.statistics import (
    PairedTest,
    Pairs,
    adjusted_p_values,
    effect_band,
    mean_interval,
    paired_t_test,
    stars,
)
from passer.services.comparability import Group


def compared(
    groups: Sequence[Group], pairs: dict[int, Pairs], against: dict[int, int], *, families: Sequence[str] | None
) -> dict[int, Comparison]:
    """All comparisons by place, corrected over one family, or over those of each label in `families`."""
    tests = {place: paired_t_test(pair.values, pair.baseline) for place, pair in pairs.items()}
    members_of: dict[str, list[int]] = {}
    for place in tests:
        members_of.setdefault(families[place] if families else "", []).append(place)
    found = {}
    for members in members_of.values():
        p = [tests[place].p for place in members]
        corrected = zip(
            members,
            adjusted_p_values(p, "holm"),
            adjusted_p_values(p, "bonferroni"),
            adjusted_p_values(p, "benjamini-hochberg"),
            strict=True,
        )
        for place, *adjusted in corrected:
            here, base = groups[place], groups[against[place]]
            found[place] = _comparison(here, base, pairs[place], tests[place], adjusted, len(members))
    return found


def _comparison(
    here: Group, base: Group, pairs: Pairs, test: PairedTest, adjusted: Sequence[float | None], family_size: int
) -> Comparison:
    mean, base_mean = mean_of(pairs.values), mean_of(pairs.baseline)
    cv, base_cv = coefficient_of_variation(pairs.values), coefficient_of_variation(pairs.baseline)
    base_tcps = None if base_mean is None else tcps(mean=base_mean, cv=base_cv)
    covered = _covered(here, pairs.ids)
    tcps_gain = improvement_pct(value=None if mean is None else tcps(mean=mean, cv=cv), baseline=base_tcps)
    return Comparison(
        baseline=base.first.name,
        n_pairs=test.n_pairs,
        only_here=pairs.only_here,
        only_baseline=pairs.only_baseline,
        n_prompts_changed=_prompts_changed(here, base, pairs.ids),
        baseline_mean_cps=base_mean,
        baseline_tcps=base_tcps,
        gain=test.mean_difference,
        ci=test.ci,
        with_passages=_partial_gain(pairs, covered),
        without_passages=_partial_gain(pairs, ~covered),
        improvement_pct=improvement_pct(value=mean, baseline=base_mean),
        tcps_improvement_pct=tcps_gain,
        balance=balance(tcps_improvement_pct=tcps_gain, cv=cv),
        t=test.t,
        p=test.p,
        p_holm=adjusted[0],
        p_bonferroni=adjusted[1],
        p_benjamini_hochberg=adjusted[2],
        family_size=family_size,
        cohens_d=test.cohens_d,
        effect=effect_band(test.cohens_d),
        stars=stars(adjusted[0]),
        reason=test.reason,
    )


def mean_of(values: NDArray[np.float64]) -> float | None:
    """Mean, or None of nothing."""
    return float(values.mean()) if values.size else None


def _covered(group: Group, ids: Sequence[str]) -> NDArray[np.bool_]:
    """Of each of these questions whether at least one passage was kept for it, shape (len(ids),)."""
    found = {item.question_id for run in group.runs for item in run.questions if item.retrieval.kept}
    return np.array([question in found for question in ids], dtype=bool)


def _partial_gain(pairs: Pairs, members: NDArray[np.bool_]) -> PartialGain:
    differences = (pairs.values - pairs.baseline)[members]
    ci = mean_interval(differences)
    return PartialGain(n=differences.size, gain=mean_of(differences), ci=ci, reason="too_few" if ci is None else None)


def _prompts_changed(here: Group, base: Group, ids: Sequence[str]) -> int | None:
    """Of these questions, those that the two configurations asked differently."""
    if len(here.runs) > 1 or len(base.runs) > 1:
        return None
    asked = {item.question_id: item.prompt_digest for item in here.first.questions}
    before = {item.question_id: item.prompt_digest for item in base.first.questions}
    return sum(1 for question in ids if asked[question] != before[question])
