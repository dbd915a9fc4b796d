"""Compares models and retrievers with the sweep's first baseline, as a separate family at the same k or threshold."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.analysis.confounds import differing_fields
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.family import FamilyGain
from passer.domain.verdict.lines import Line
from passer.domain.verdict.side_comparisons import ArmComparison
from passer.domain.verdict.verdict import Baseline, Candidate, missing_for_verdict
from passer.domain.wording.sentence import Value, sentence
from passer.services.analysis.comparability import described
from passer.services.analysis.verdict.compared_sweep import ComparedSweep
from passer.services.analysis.verdict.judged_metric import JudgedMetric
from passer.services.analysis.verdict.model_verdicts import counts_of
from passer.services.analysis.verdict.reasons import Reason, all_of, counted_clusters, lacking, numbers_in


def arm_comparisons(sweep: ComparedSweep) -> tuple[ArmComparison, ...]:
    """Return the baseline of every other model, prompt or retriever against the first baseline, in their order.

    Only baselines with the same retrieval setting are compared: a model must not win by reading more passages.
    """
    bases = [place for place, group in enumerate(sweep.groups) if group.first.is_baseline]
    if not bases:
        return ()
    named, *others = bases
    policy = sweep.groups[named].first.config.retrieval
    members = [
        place
        for place in others
        if sweep.groups[place].first.config.retrieval == policy and sweep.found.shares_constants(place, named)
    ]
    if not members:
        return ()
    pairs = [(place, named) for place in members]
    lacks = {
        place: _missing(sweep, place, named, gain)
        for place, gain in zip(members, sweep.primary.family(pairs, sweep.rule), strict=True)
    }
    # One that allows no verdict must not widen the intervals of the others either.
    able = [pair for pair in pairs if not lacks[pair[0]]]
    gains = dict(zip(able, sweep.primary.family(able, sweep.rule), strict=True)) if able else {}
    return tuple(_compared(sweep, pair, gains.get(pair), lacks[pair[0]]) for pair in pairs)


def _missing(sweep: ComparedSweep, place: int, named: int, gain: FamilyGain) -> Sequence[Reason]:
    """Return why there is no verdict on two configurations, by the conditions of any other verdict."""
    planned, failed, waiting = counts_of(sweep.groups[place])
    asked, lost, left = counts_of(sweep.groups[named])
    candidate = Candidate(id="", gain=gain, planned=planned, missing=failed + waiting)
    found = missing_for_verdict([candidate], sweep.rule, baseline=Baseline(planned=asked, failed=lost, open=left))
    names = [sweep.results[each].model for each in (place, named)]
    progress = dict(zip(names, ((planned, failed, waiting), (asked, lost, left)), strict=True))
    return [lacking(each, [gain], sweep.rule, progress) for each in found]


def _compared(
    sweep: ComparedSweep, pair: tuple[int, int], found: FamilyGain | None, lacks: Sequence[Reason]
) -> ArmComparison:
    (place, named), primary = pair, sweep.primary
    here, base = sweep.groups[place].first, sweep.groups[named].first
    fields = tuple(item.field for item in differing_fields([described(here), described(base)]))
    gain = found or FamilyGain(gain=None, outcome="undecided", reason="too_few", pairs=0, clusters=0, changed=0)
    model, other = sweep.results[place].model, sweep.results[named].model
    values: dict[str, Value] = {"model": model, "baseline": other, "policy": here.config.cut_label}
    if lacks:
        why, numbers = all_of(lacks)
        said = sentence("arm.lacks", **values, why=why)
    else:
        values |= {"gain": amount(sweep.rule.primary, gain.gain or 0.0), "n": gain.pairs}
        values |= {"changed": gain.changed, "margin": amount(sweep.rule.primary, sweep.rule.margin, "size")}
        if gain.reason == "one_amount":
            values |= {"amount": amount(sweep.rule.primary, gain.amount or 0.0), "same": gain.alike or 0}
            values["of"] = counted_clusters(primary, gain.clusters)
        # Without an interval there was no comparison: "cannot be distinguished" would be a finding.
        code = gain.reason if gain.reason in ("few_changed", "one_amount", "no_spread") else gain.outcome
        said = sentence(f"arm.{code}", **values)
        numbers = numbers_in("arms", gain=gain.gain, n=gain.pairs)
    return ArmComparison(
        model=model,
        baseline=other,
        policy=here.config.cut_label,
        run_ids=sweep.results[place].run_ids,
        differing=fields,
        gain=gain,
        line=Line(text=primary.with_judge(said) if isinstance(primary, JudgedMetric) else said, numbers=numbers),
    )
