"""Sentences that attribute a gain to questions with passages or without."""

from __future__ import annotations

from collections.abc import Iterator

from passer.domain.analysis.analysis import Comparison, SweepAnalysis
from passer.domain.analysis.gains import PartialGain
from passer.domain.wording.sentence import Sentence, sentence


def where_it_gains(analysis: SweepAnalysis) -> Iterator[Sentence]:
    """Return, for each model's largest gain, how many prompts changed, and the gain with and without passages."""
    for model in dict.fromkeys(item.model for item in analysis.configurations):
        own = [
            (item.name, item.comparison)
            for item in analysis.configurations
            if item.model == model and item.comparison is not None and item.comparison.gain is not None
        ]
        if own:
            name, test = max(own, key=lambda pair: pair[1].gain or 0.0)
            prompts, gains = _prompts_changed(test), _by_coverage(test)
            yield sentence("report.gains-where", model=model, name=name, prompts=prompts, gains=gains)


def _prompts_changed(test: Comparison) -> Sentence:
    if test.n_prompts_changed is None:
        return sentence("report.prompts-unknown")
    return sentence("report.prompts-changed", n=test.n_prompts_changed, of=test.n_pairs)


def _by_coverage(test: Comparison) -> Sentence:
    some, none = test.with_passages, test.without_passages
    if not some.n:
        return sentence("report.none-with-passages")
    if not none.n:
        return sentence("report.all-with-passages")
    return sentence(
        "report.gain-by-passages", some=some.n, none=none.n, gain_some=_points(some), gain_none=_points(none)
    )


def _points(part: PartialGain) -> Sentence:
    gain = 100 * (part.gain or 0)
    if part.ci is None:
        return sentence("report.points", gain=gain)
    return sentence("report.points-interval", gain=gain, low=100 * part.ci.low, high=100 * part.ci.high)
