"""Printing what a sweep will take, what it will retrieve, and what it saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.cli.output import number, print_table

if TYPE_CHECKING:
    from passer.domain.preview import CollectionPreview, Quantiles, SweepPreview
    from passer.domain.sweep import Savings, SweepPlan


def plan_lines(plan: SweepPlan) -> list[str]:
    """Counts, time, what is missing, and warnings."""
    found = [f"{plan.configurations} configurations x {plan.questions} questions = {plan.evaluations} evaluations"]
    if plan.distinct_prompts is not None:
        cached = "unknown" if plan.cached is None else str(plan.cached)
        found.append(
            f"  {plan.distinct_prompts} distinct generations ({cached} of them cached), {plan.fixed} fixed abstentions"
        )
    most = "at most " if plan.distinct_prompts is None else ""
    time = "unknown, until each model was measured" if plan.expected_s is None else most + duration(plan.expected_s)
    found.append(f"  expected time of generation: {time}")
    found += [f"  {each.name} is missing; to make it: {each.command}" for each in plan.missing]
    return found + [f"  {warning}" for warning in plan.warnings]


def print_preview(preview: SweepPreview) -> None:
    """The plan, then what each policy keeps, then the thresholds proposed."""
    for line in plan_lines(preview.plan):
        print(line)
    rows = []
    for each in preview.policies:
        kept, tokens = each.retrieval, each.tokens
        rows.append(
            (
                each.name + (" (baseline)" if each.is_baseline else ""),
                each.collection,
                each.prompt,
                number(kept.mean_passages, 1),
                str(each.most_passages),
                number(kept.coverage, 3),
                number(kept.hit_rate, 3),
                number(kept.recall, 3),
                number(tokens.mean if tokens else None, 0),
                str(tokens.most) if tokens else "-",
                str(tokens.overflowing) if tokens else "-",
            )
        )
    columns = [
        "configuration", "collection", "prompt", "passages", "most", "coverage", "hit rate", "recall", "tokens",
        "longest", "too long",
    ]  # fmt: skip
    print_table(columns, rows)
    for found in preview.collections:
        for line in _similarities(found):
            print(line)


def savings_line(savings: Savings) -> str:
    """Naive counts and what was done."""
    parts = [
        f"{saved.made} of {saved.naive} {name}"
        for name, saved in (
            ("retrievals", savings.retrievals),
            ("generations", savings.generations),
            ("scorings", savings.scorings),
        )
    ]
    return f"Made {', '.join(parts)}; the rest were the same again."


def duration(seconds: float) -> str:
    """For a person: 45 s, 12 min, 3.5 h, 2.1 days."""
    for unit, length, below in (("s", 1, 90), ("min", 60, 90), ("h", 3600, 48)):
        if seconds / length < below:
            return f"{seconds / length:.0f} {unit}" if unit != "h" else f"{seconds / length:.1f} h"
    return f"{seconds / 86_400:.1f} days"


def _similarities(found: CollectionPreview) -> list[str]:
    if found.nearest is None or found.tenth is None or found.proposed is None:
        return [f"{found.collection}: nothing was retrieved."]
    proposed = found.proposed
    return [
        f"{found.collection}: similarity of the nearest passage {_spread(found.nearest)}, "
        f"of the tenth {_spread(found.tenth)} (5 %, median, 95 %)",
        f"  thresholds worth comparing: {proposed.start:g}:{proposed.stop:g}:{proposed.step:g}",
    ]


def _spread(found: Quantiles) -> str:
    return f"{found.p05:.3f} / {found.p50:.3f} / {found.p95:.3f}"
