"""Output of plans, previews and savings of sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.cli.output import number, print_table, share
from passer.domain.defaults import THRESHOLDS
from passer.domain.wording.counted import counted, grouped

if TYPE_CHECKING:
    from passer.domain.sweeps.plan import Savings, SweepPlan
    from passer.domain.sweeps.preview import CollectionPreview, Quantiles, SweepPreview

USUAL_THRESHOLDS = ":".join(f"{value:.2f}" for value in THRESHOLDS)
"""Used if the retrieval of the questions suggests no range."""


def plan_lines(plan: SweepPlan) -> list[str]:
    """Return counts, expected time, missing parts and warnings as lines."""
    found = [size_line(plan)]
    if plan.distinct_prompts is not None:
        cached = "unknown" if plan.cached is None else str(plan.cached)
        found.append(
            f"  distinct generations: {plan.distinct_prompts} ({cached} of them cached); "
            f"fixed answers without a model: {plan.fixed}"
        )
    found += [
        f"  {model.model.label}: about {counted(model.prompt_tokens, 'token')} in the prompts, of which about "
        f"{grouped(model.read_tokens)} are read, because prompts that begin alike are read once"
        for model in plan.models
        if model.prompt_tokens and model.read_tokens is not None
    ]
    most = "at most " if plan.distinct_prompts is None else ""
    time = "unknown until each model has been measured" if plan.expected_s is None else most + duration(plan.expected_s)
    found.append(f"  expected generation time: {time}")
    found += [f"  {plan.decision.line}"] if plan.decision else []
    found += [f"  {line}" for line in plan.judging.lines] if plan.judging else []
    found += [f"  {line}" for line in plan.budget]
    found += [f"  {each.line}" for each in plan.missing]
    return found + [f"  {warning}" for warning in plan.warnings]


def size_line(plan: SweepPlan) -> str:
    """Return the size of a sweep: 3 configurations x 60 questions = 180 evaluations."""
    size = f"{counted(plan.configurations, 'configuration')} x {counted(plan.questions, 'question')}"
    return f"{size} = {counted(plan.evaluations, 'evaluation')}"


def print_preview(preview: SweepPreview) -> None:
    """Print the plan, the passages that each setting keeps, and the suggested thresholds."""
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
                share(kept.coverage, kept.coverage_ci),
                share(kept.hit_rate, kept.hit_rate_ci),
                number(kept.recall, 3),
                number(tokens.mean if tokens else None, 0),
                str(tokens.most) if tokens else "-",
                str(tokens.overflowing) if tokens else "-",
            )
        )
    columns = [
        "configuration", "collection", "prompt", "passages", "most", "with passages (95 %)",
        "hit rate (95 %)", "recall", "tokens", "longest", "too long",
    ]  # fmt: skip
    print_table(columns, rows)
    for found in preview.collections:
        for line in _similarities(found):
            print(line)


def savings_line(savings: Savings) -> str:
    """Return naive and actual counts as one line."""
    parts = [
        f"{saved.made} of {saved.naive} {name}"
        for name, saved in (
            ("retrievals", savings.retrievals),
            ("generations", savings.generations),
            ("scorings", savings.scorings),
        )
    ]
    return f"Computed: {', '.join(parts)}. The others were reused."


def duration(seconds: float) -> str:
    """Format seconds: 45 s, 12 min, 3.5 h, 2.1 days."""
    for unit, length, below in (("s", 1, 90), ("min", 60, 90), ("h", 3600, 48)):
        if seconds / length < below:
            return f"{seconds / length:.0f} {unit}" if unit != "h" else f"{seconds / length:.1f} h"
    return f"{seconds / 86_400:.1f} days"


def _similarities(found: CollectionPreview) -> list[str]:
    if found.nearest is None or found.proposed is None:
        return [f"{found.collection}: no passages were retrieved."]
    proposed = found.proposed
    tenth = f", of the tenth {_spread(found.tenth)}" if found.tenth else ""
    return [
        f"{found.collection}: similarity of the nearest passage {_spread(found.nearest)}{tenth} (5 %, median, 95 %)",
        f"  suggested thresholds: {proposed.start:g}:{proposed.stop:g}:{proposed.step:g}",
    ]


def _spread(found: Quantiles) -> str:
    return f"{found.p05:.3f} / {found.p50:.3f} / {found.p95:.3f}"
