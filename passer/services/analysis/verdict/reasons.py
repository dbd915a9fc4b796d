"""The verdict in one or two sentences, each number with the table in which it is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passer.domain.analysis.analysis import ConfigurationResult
from passer.domain.composite import CPS
from passer.domain.judging.corrected import FEWEST
from passer.domain.panel import higher_is_better
from passer.domain.verdict.amounts import amount, level
from passer.domain.verdict.conclusion import RecommendedGain
from passer.domain.verdict.family import FEWEST_CHANGED, FamilyGain
from passer.domain.verdict.lines import SourcedNumber
from passer.domain.verdict.verdict import Lacking, Verdict, VerdictRule
from passer.domain.wording.sentence import Sentence, Value, sentence
from passer.services.analysis.verdict.primary_metric import PrimaryMetric

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


def counted_clusters(primary: PrimaryMetric, n: int) -> Sentence:
    """Return the number of clusters of a gain in words: questions where none are declared."""
    if primary.clusters is not None:
        return sentence("verdict.clusters", n=n)
    return sentence("verdict.questions" if primary.is_by_question else "verdict.rated-questions", n=n)


def reason_of(
    verdict: Verdict,
    results: Sequence[ConfigurationResult],
    gain: RecommendedGain | None,
    rule: VerdictRule,
    progress: Progress,
) -> Reason:
    """Return the reason of a verdict on these configurations; `gain` is that of the recommended one.

    The reason of an open verdict is its `outlook`.
    """
    if verdict.kind == "no_verdict":
        return _no_verdict(verdict, results, rule, progress)
    tests = [result.comparison for result in results if result.comparison is not None]
    values: dict[str, Value] = {"baseline": tests[0].baseline, "n": max(test.judged.pairs for test in tests)}
    if verdict.kind == "keep_baseline":
        is_equal = any(test.judged.outcome == "identical" for test in tests)
        return sentence(f"verdict.keep{'-equal' if is_equal else ''}", **values), numbers_in(
            CONFIGURATIONS, n=values["n"]
        )
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
    compared = [result.comparison.judged for result in results if result.comparison is not None]
    why = [lacking(each, compared, rule, progress) for each in missing]
    if "failed_or_open" in missing and "too_few_pairs" in missing:
        # Pairs are counted once all questions are done: what can be said now is that there are too few questions.
        why[missing.index("too_few_pairs")] = _too_few_planned(rule, progress)
    said, numbers = all_of(why)
    return sentence("verdict.none", why=said), numbers


def all_of(reasons: Sequence[Reason]) -> Reason:
    """Return one reason or more as one."""
    said = reasons[0][0]
    for more, _ in reasons[1:]:
        said = sentence("verdict.lacks-more", first=said, more=more)
    return said, tuple(number for _, found in reasons for number in found)


def _too_few_planned(rule: VerdictRule, progress: Progress) -> Reason:
    n = max(planned for planned, _, _ in progress.values())
    return sentence("verdict.lacks-questions", n=n, fewest=rule.fewest_pairs), numbers_in(COUNTS, planned=n)


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


def lacking(what: Lacking, gains: Sequence[FamilyGain], rule: VerdictRule, progress: Progress) -> Reason:
    """Return a condition that is not met in words; `gains` are those of the compared configurations."""
    if what == "failed_or_open":
        name, (planned, failed, waiting) = max(progress.items(), key=lambda item: _share(*item[1]))
        code = "both" if failed and waiting else "failed" if failed else "open"
        said = sentence(f"verdict.lacks-{code}", name=name, n=failed + waiting, of=planned)
        return said, numbers_in(COUNTS, planned=planned, failed=failed, open=waiting)
    if what == "too_few_pairs":
        return _few_pairs(gains, rule)
    if what == "too_few_clusters":
        return sentence("verdict.lacks-clusters", n=rule.fewest_clusters, fewest=FEWEST_CHANGED), ()
    judge = rule.judged_by.judge if rule.judged_by else ""
    if what == "judge_waits":
        return sentence("verdict.lacks-judgements", judge=judge), ()
    if what == "judge_bias":
        return sentence("verdict.lacks-judge", judge=judge, fewest=FEWEST), ()
    return sentence("verdict.lacks-baseline"), ()


def _few_pairs(gains: Sequence[FamilyGain], rule: VerdictRule) -> Reason:
    if not gains:
        return sentence("verdict.lacks-others"), ()
    fewest = min(gains, key=lambda gain: gain.counted_pairs)
    if fewest.pairs >= rule.fewest_pairs:
        # Enough by their number, and not by their weights: the number would contradict the reason.
        effective = fewest.counted_pairs
        said = sentence("verdict.lacks-weight", n=fewest.pairs, effective=effective, fewest=rule.fewest_pairs)
        return said, numbers_in(CONFIGURATIONS, n=fewest.pairs, effective=effective)
    said = sentence("verdict.lacks-pairs", n=fewest.pairs, fewest=rule.fewest_pairs)
    return said, numbers_in(CONFIGURATIONS, n=fewest.pairs)


def _share(planned: int, failed: int, waiting: int) -> float:
    return (failed + waiting) / planned if planned else 0.0


def _interval(gain: RecommendedGain, rule: VerdictRule) -> Sentence:
    if gain.low is None or gain.high is None:
        return sentence("verdict.no-interval")
    low, high = amount(rule.primary, gain.low, "bound"), amount(rule.primary, gain.high, "bound")
    return sentence("verdict.interval", level=level(rule.alpha), low=low, high=high)


def basis_text(rule: VerdictRule, *, panel: str, pool: str, n: int, of: int, comparisons: int) -> Sentence:
    """Return the basis of the verdict; a single metric has neither a panel nor a pool. `of` questions were asked."""
    intervals: str = ""
    if comparisons:
        intervals = sentence("basis.intervals", level=level(rule.alpha), comparisons=comparisons)
    questions = sentence("verdict.questions", n=n) if n >= of else sentence("basis.some-questions", n=n, of=of)
    if rule.primary == CPS:
        return sentence("verdict.basis", panel=panel, pool=pool, questions=questions, intervals=intervals)
    return sentence("verdict.basis-own", primary=_primary_text(rule), questions=questions, intervals=intervals)
