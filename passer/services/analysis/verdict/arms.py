"""Models and retrievers against the sweep's first baseline: a family of its own, at the same k or threshold."""

from __future__ import annotations

from passer.domain.analysis.confounds import differing_fields
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.family import FamilyGain
from passer.domain.verdict.lines import Line
from passer.domain.verdict.side_comparisons import ArmComparison
from passer.domain.wording.sentence import sentence
from passer.services.analysis.comparability import described
from passer.services.analysis.verdict.judged import Judged
from passer.services.analysis.verdict.reasons import numbers_in


def arm_comparisons(judged: Judged) -> tuple[ArmComparison, ...]:
    """Return the baseline of every other model, prompt or retriever against the first baseline, in their order.

    Only baselines with the same retrieval setting are compared: a model must not win by reading more passages.
    """
    bases = [place for place, group in enumerate(judged.groups) if group.first.is_baseline]
    if not bases:
        return ()
    named, *others = bases
    policy = judged.groups[named].first.config.retrieval
    members = [
        place
        for place in others
        if judged.groups[place].first.config.retrieval == policy and judged.found.shares_constants(place, named)
    ]
    if not members:
        return ()
    gains = judged.primary.family([(place, named) for place in members], judged.rule)
    return tuple(_compared(judged, place, named, gain) for place, gain in zip(members, gains, strict=True))


def _compared(judged: Judged, place: int, named: int, gain: FamilyGain) -> ArmComparison:
    here, base = judged.groups[place].first, judged.groups[named].first
    fields = tuple(item.field for item in differing_fields([described(here), described(base)]))
    model, other = judged.results[place].model, judged.results[named].model
    values = {"model": model, "baseline": other, "policy": here.config.retrieval.label}
    said = sentence(f"arm.{gain.outcome}", **values, gain=amount(judged.rule.primary, gain.gain or 0.0), n=gain.pairs)
    return ArmComparison(
        model=model,
        baseline=other,
        policy=here.config.retrieval.label,
        run_ids=judged.results[place].run_ids,
        differing=fields,
        gain=gain,
        line=Line(text=said, numbers=numbers_in("arms", gain=gain.gain, n=gain.pairs)),
    )
