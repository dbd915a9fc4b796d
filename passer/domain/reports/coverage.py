"""Where a gain comes from, in sentences: questions with passages or questions without any."""

from __future__ import annotations

from collections.abc import Iterator

from passer.domain.analysis.analysis import Comparison, SweepAnalysis
from passer.domain.analysis.partial_gain import PartialGain


def where_it_gains(analysis: SweepAnalysis) -> Iterator[str]:
    """Of each model's largest gain: how many prompts changed at all, and what it is with and without passages."""
    for model in dict.fromkeys(item.model for item in analysis.configurations):
        own = [
            (item.name, item.comparison)
            for item in analysis.configurations
            if item.model == model and item.comparison is not None and item.comparison.gain is not None
        ]
        if own:
            name, test = max(own, key=lambda pair: pair[1].gain or 0.0)
            yield f"{model}: at {name}, {_prompts_changed(test)}; {_by_coverage(test)}."


def _prompts_changed(test: Comparison) -> str:
    if test.n_prompts_changed is None:
        return f"of {test.n_pairs:,} questions it is not known how many prompts changed (several repetitions)"
    return f"{test.n_prompts_changed:,} of {test.n_pairs:,} prompts differ from the baseline's"


def _by_coverage(test: Comparison) -> str:
    some, none = test.with_passages, test.without_passages
    if not some.n:
        return "no question has a passage, so all of the gain comes without"
    if not none.n:
        return "every question has at least one passage, so all of the gain comes with them"
    return (
        f"over the {some.n:,} questions with at least one passage the gain in CPS points is {_points(some)}, "
        f"over the {none.n:,} with none {_points(none)}"
    )


def _points(part: PartialGain) -> str:
    interval = f" (95 % CI {100 * part.ci.low:+.2f} to {100 * part.ci.high:+.2f})" if part.ci else ""
    return f"{100 * (part.gain or 0):+.2f}{interval}"
