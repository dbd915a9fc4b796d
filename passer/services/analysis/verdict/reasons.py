"""The verdict in one or two sentences, each number with the table in which it is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passer.domain.analysis.analysis import ConfigurationResult
from passer.domain.composite import CPS
from passer.domain.judging.corrected import FEWEST
from passer.domain.panel import higher_is_better
from passer.domain.verdict.amounts import amount, level
from passer.domain.verdict.conclusion import RecommendedGain
from passer.domain.verdict.lines import SourcedNumber
from passer.domain.verdict.verdict import Lacking, Verdict, VerdictRule
from passer.domain.wording.sentence import Sentence, Value, sentence

CONFIGURATIONS, VERDICT, CHOICES, COUNTS = "configurations", "verdict", "choice_shares", "counts"
"""Names of the tables with the numbers of a conclusion."""
Progress = Mapping[str, tuple[int, int, int]]
"""Planned, failed and open questions of each configuration by name."""
Reason = tuple[Sentence, tuple[SourcedNumber, ...]]


def numbers_in(table: str, **values: Value | None) -> tuple[SourcedNumber, ...]:
    """Return the numbers among some values, with the table that contains them."""
    return tuple(
        SourcedNumber(name=name, value=float(value), table=table)
        for name, value in values.items()
        if isinstance(value, int | float)
    )


def reason_of(
    verdict: Verdict,
    results: Sequence[ConfigurationResult],
    gain: RecommendedGain | None,
    rule: VerdictRule,
    progress: Progress,
) -> Reason:
    """Return the reason of a verdict on these configurations; `gain` is that of the recommended one."""
    if verdict.kind == "no_verdict":
        return _no_verdict(verdict, results, rule, progress)
    tests = [result.comparison for result in results if result.comparison is not None]
    values: dict[str, Value] = {"baseline": tests[0].baseline, "n": max(test.judged.pairs for test in tests)}
    if verdict.kind == "keep_baseline":
        return sentence("verdict.keep", **values), numbers_in(CONFIGURATIONS, n=values["n"])
    if verdict.kind == "cannot_tell":
        return _cannot_tell(verdict, values, rule)
    if gain is None:
        raise ValueError("a recommended configuration was compared with the baseline")
    return _recommends(verdict, gain, values, rule)


def _no_verdict(
    verdict: Verdict, results: Sequence[ConfigurationResult], rule: VerdictRule, progress: Progress
) -> Reason:
    if verdict.missing == ("no_baseline",):
        scored = [result for result in results if result.tcps is not None]
        best = max(scored, key=lambda result: result.tcps or 0.0, default=None)
        if best is None or best.tcps is None:
            return sentence("verdict.no-baseline"), ()
        said = sentence("verdict.no-baseline-best", name=best.name, tcps=best.tcps)
        return said, numbers_in(CONFIGURATIONS, tcps=best.tcps)
    missing = verdict.missing
    if "failed_or_open" in missing and max(planned for planned, _, _ in progress.values()) >= rule.fewest_pairs:
        # Few pairs are then only a consequence: the questions that failed or are open would be enough.
        missing = tuple(each for each in missing if each != "too_few_pairs")
    why = [_lacking(each, results, rule, progress) for each in missing]
    if "failed_or_open" in missing and "too_few_pairs" in missing:
        # Pairs are counted once all questions are done: what can be said now is that there are too few questions.
        why[missing.index("too_few_pairs")] = _too_few_planned(rule, progress)
    numbers = tuple(number for _, found in why for number in found)
    said = why[0][0]
    for more, _ in why[1:]:
        said = sentence("verdict.lacks-more", first=said, more=more)
    return sentence("verdict.none", why=said), numbers


def _too_few_planned(rule: VerdictRule, progress: Progress) -> Reason:
    n = max(planned for planned, _, _ in progress.values())
    return sentence("verdict.lacks-questions", n=n, fewest=rule.fewest_pairs), numbers_in(COUNTS, planned=n)


def _cannot_tell(verdict: Verdict, values: dict[str, Value], rule: VerdictRule) -> Reason:
    pairs = numbers_in(CONFIGURATIONS, n=values["n"])
    detectable, needed = verdict.detectable, verdict.questions_needed
    if detectable is None or needed is None:
        return sentence("verdict.cannot-tell", **values), pairs
    is_planned = rule.looks is not None and rule.looks.is_planned
    said = sentence(
        "verdict.cannot-tell-plan" if is_planned else "verdict.cannot-tell-new",
        **values,
        detectable=amount(rule.primary, detectable, "size"),
        needed=needed,
        margin=amount(rule.primary, rule.margin, "size"),
    )
    return said, (*pairs, *numbers_in(VERDICT, detectable=detectable, needed=needed))


def _recommends(verdict: Verdict, gain: RecommendedGain, values: dict[str, Value], rule: VerdictRule) -> Reason:
    values |= {"name": verdict.recommended or "", "interval": _interval(gain, rule), "n": gain.pairs}
    values |= {"gain": amount(rule.primary, gain.gain)}
    numbers = numbers_in(CONFIGURATIONS, n=gain.pairs, gain=gain.gain, low=gain.low, high=gain.high)
    if verdict.kind == "as_good_cheaper":
        values |= {"saved": (verdict.saved or 0.0) * 100, "margin": amount(rule.primary, rule.margin, "size")}
        said = sentence(f"verdict.as-good-{verdict.cost}", **values)
        return said, (*numbers, *numbers_in(VERDICT, saved=verdict.saved))
    said = sentence("verdict.better", **values, primary=_primary_text(rule))
    if gain.corrected is None:
        return said, numbers
    code = "verdict.corrected" if gain.is_stable else "verdict.corrected-unstable"
    said = sentence(code, reason=said, gain=amount(rule.primary, gain.corrected))
    return said, (*numbers, *numbers_in(CHOICES, corrected=gain.corrected, better_share=gain.better_share))


def _primary_text(rule: VerdictRule) -> str:
    """Return the name of the primary metric, with a note where lower values are better."""
    if rule.primary == CPS or higher_is_better(rule.primary):
        return rule.primary
    return sentence("verdict.lower-is-better", metric=rule.primary)


def _lacking(what: Lacking, results: Sequence[ConfigurationResult], rule: VerdictRule, progress: Progress) -> Reason:
    if what == "failed_or_open":
        name, (planned, failed, waiting) = max(progress.items(), key=lambda item: _share(*item[1]))
        code = "both" if failed and waiting else "failed" if failed else "open"
        said = sentence(f"verdict.lacks-{code}", name=name, n=failed + waiting, of=planned)
        return said, numbers_in(COUNTS, planned=planned, failed=failed, open=waiting)
    if what == "too_few_pairs":
        compared = [result.comparison.judged.pairs for result in results if result.comparison is not None]
        fewest = min(compared, default=0)
        return sentence("verdict.lacks-pairs", n=fewest, fewest=rule.fewest_pairs), numbers_in(CONFIGURATIONS, n=fewest)
    if what == "too_few_clusters":
        return sentence("verdict.lacks-clusters", n=rule.fewest_clusters), ()
    if what == "judge_waits":
        return sentence("verdict.lacks-judgements", judge=rule.judged_by.judge if rule.judged_by else ""), ()
    if what == "judge_bias":
        judge = rule.judged_by.judge if rule.judged_by else ""
        return sentence("verdict.lacks-judge", judge=judge, fewest=FEWEST), ()
    return sentence("verdict.lacks-baseline"), ()


def _share(planned: int, failed: int, waiting: int) -> float:
    return (failed + waiting) / planned if planned else 0.0


def _interval(gain: RecommendedGain, rule: VerdictRule) -> Sentence:
    if gain.low is None or gain.high is None:
        return sentence("verdict.no-interval")
    low, high = amount(rule.primary, gain.low, "bound"), amount(rule.primary, gain.high, "bound")
    return sentence("verdict.interval", level=level(rule.alpha), low=low, high=high)


def basis_text(rule: VerdictRule, *, panel: str, pool: str, n: int, comparisons: int) -> Sentence:
    """Return the basis of the verdict; a single metric has neither a panel nor a pool."""
    intervals: str = ""
    if comparisons:
        intervals = sentence("basis.intervals", level=level(rule.alpha), comparisons=comparisons)
    if rule.primary == CPS:
        return sentence("verdict.basis", panel=panel, pool=pool, n=n, intervals=intervals)
    return sentence("verdict.basis-own", primary=_primary_text(rule), n=n, intervals=intervals)
