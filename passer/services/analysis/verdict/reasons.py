"""The verdict in one or two sentences, each number with the table in which it is computed."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.analysis.analysis import ConfigurationResult
from passer.domain.verdict.conclusion import RecommendedGain
from passer.domain.verdict.lines import SourcedNumber
from passer.domain.verdict.verdict import Missing, Verdict, VerdictRule
from passer.domain.wording.sentence import Sentence, Value, sentence

POINTS = 100
"""Points in one unit of CPS."""
CONFIGURATIONS, VERDICT, CHOICES = "configurations", "verdict", "choice_shares"
"""Names of the tables with the numbers of a conclusion."""
Reason = tuple[Sentence, tuple[SourcedNumber, ...]]


def numbers_in(table: str, **values: Value | None) -> tuple[SourcedNumber, ...]:
    """Return the numbers among some values, with the table that contains them."""
    return tuple(
        SourcedNumber(name=name, value=float(value), table=table)
        for name, value in values.items()
        if isinstance(value, int | float)
    )


def reason_of(
    verdict: Verdict, results: Sequence[ConfigurationResult], gain: RecommendedGain | None, rule: VerdictRule
) -> Reason:
    """Return the reason of a verdict on these configurations; `gain` is that of the recommended one."""
    if verdict.kind == "no_verdict":
        return _no_verdict(verdict, results, rule), ()
    tests = [result.comparison for result in results if result.comparison is not None]
    values: dict[str, Value] = {"baseline": tests[0].baseline, "n": max(test.judged.pairs for test in tests)}
    if verdict.kind == "keep_baseline":
        return sentence("verdict.keep", **values), numbers_in(CONFIGURATIONS, n=values["n"])
    if verdict.kind == "cannot_tell":
        return _cannot_tell(verdict, values)
    if gain is None:
        raise ValueError("a recommended configuration was compared with the baseline")
    return _recommends(verdict, gain, values, rule)


def _no_verdict(verdict: Verdict, results: Sequence[ConfigurationResult], rule: VerdictRule) -> Sentence:
    if verdict.missing == ("no_baseline",):
        scored = [result for result in results if result.tcps is not None]
        best = max(scored, key=lambda result: result.tcps or 0.0, default=None)
        if best is None or best.tcps is None:
            return sentence("verdict.no-baseline")
        return sentence("verdict.no-baseline-best", name=best.name, tcps=best.tcps)
    return sentence("verdict.none", why=tuple(_lacking(each, rule) for each in verdict.missing))


def _cannot_tell(verdict: Verdict, values: dict[str, Value]) -> Reason:
    pairs = numbers_in(CONFIGURATIONS, n=values["n"])
    detectable, needed = verdict.detectable, verdict.questions_needed
    if detectable is None or needed is None:
        return sentence("verdict.cannot-tell", **values), pairs
    said = sentence("verdict.cannot-tell-plan", **values, detectable=detectable * POINTS, needed=needed)
    return said, (*pairs, *numbers_in(VERDICT, detectable=detectable, needed=needed))


def _recommends(verdict: Verdict, gain: RecommendedGain, values: dict[str, Value], rule: VerdictRule) -> Reason:
    values |= {"name": verdict.recommended or "", "interval": _interval(gain, rule), "n": gain.pairs}
    numbers = numbers_in(CONFIGURATIONS, n=gain.pairs, gain=gain.gain, low=gain.low, high=gain.high)
    if verdict.kind == "as_good_cheaper":
        said = sentence(f"verdict.as-good-{verdict.cost}", **values, saved=(verdict.saved or 0.0) * 100)
        return said, (*numbers, *numbers_in(VERDICT, saved=verdict.saved))
    said = sentence("verdict.better", **values, gain=gain.gain * POINTS, primary=rule.primary)
    if gain.corrected is None:
        return said, numbers
    code = "verdict.corrected" if gain.is_stable else "verdict.corrected-unstable"
    said = sentence(code, reason=said, gain=gain.corrected * POINTS)
    return said, (*numbers, *numbers_in(CHOICES, corrected=gain.corrected, better_share=gain.better_share))


def _lacking(what: Missing, rule: VerdictRule) -> Sentence:
    if what == "failed_or_open":
        return sentence("verdict.lacks-questions", share=rule.most_missing * 100)
    if what == "too_few_pairs":
        return sentence("verdict.lacks-pairs", n=rule.fewest_pairs)
    if what == "too_few_clusters":
        return sentence("verdict.lacks-clusters", n=rule.fewest_clusters)
    return sentence("verdict.lacks-baseline")


def _interval(gain: RecommendedGain, rule: VerdictRule) -> Sentence:
    if gain.low is None or gain.high is None:
        return sentence("verdict.no-interval")
    level = round(100 * (1 - rule.alpha), 2)
    return sentence("verdict.interval", level=level, low=gain.low * POINTS, high=gain.high * POINTS)
