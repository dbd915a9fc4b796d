"""Next steps after a verdict: actions on the sweep, and new sweeps with their settings filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from passer.domain.analysis.analysis import ConfigurationResult
from passer.domain.score import UNKNOWN_SCRIPT
from passer.domain.sweeps.axes import threshold_range
from passer.domain.verdict.causes import RetrievalCause
from passer.domain.verdict.conclusion import NextStep
from passer.domain.verdict.two_looks import Looks
from passer.domain.verdict.verdict import Verdict, VerdictRule
from passer.domain.wording.sentence import sentence

FINER = 5
"""Steps of the finer range between two neighbours of the sweep."""
DECIMALS = 6


def next_steps(
    results: Sequence[ConfigurationResult],
    verdict: Verdict,
    retrieval: RetrievalCause | None,
    rule: VerdictRule,
    *,
    needed: int | None,
    waiting: Mapping[str, int],
    too_long: Mapping[str, int],
    available: int | None,
) -> tuple[NextStep, ...]:
    """Return the next steps for the configurations of one baseline, the most useful first.

    `needed` are the questions that would decide an open verdict, `waiting` gives the open ones of each configuration
    by name, `too_long` its questions whose prompts do not fit the context window, `available` the questions of the
    dataset.
    """
    if verdict.kind == "no_verdict":
        failed = _after_failures(results, too_long)
        return tuple(_unfinished(results, verdict, rule, waiting, available, failed))
    found: list[NextStep] = []
    chosen = next((result for result in results if result.name == verdict.recommended), None)
    if needed:
        found.append(_more_questions(needed, results, rule.looks, available))
    if chosen is not None and chosen.threshold is not None:
        found += _around(chosen, results)
    if retrieval is not None and retrieval.lost:
        text = sentence("next.gold-lost", n=retrieval.lost)
        losing = next(result for result in results if result.name == retrieval.name)
        found.append(NextStep(code="gold_lost", text=text, run_ids=losing.run_ids, question_ids=retrieval.question_ids))
    return tuple(found)


def _unfinished(
    results: Sequence[ConfigurationResult],
    verdict: Verdict,
    rule: VerdictRule,
    waiting: Mapping[str, int],
    available: int | None,
    failed: Sequence[NextStep],
) -> list[NextStep]:
    found = list(failed)
    stopped = [result for result in results if waiting.get(result.name)]
    if stopped:
        text = sentence("next.resume", n=sum(waiting[result.name] for result in stopped))
        found.append(NextStep(code="resume", text=text, run_ids=_runs(stopped)))
    compared = [result.comparison.judged.counted_pairs for result in results if result.comparison is not None]
    if "too_few_pairs" in verdict.missing and not found and compared:
        found += _for_pairs(results, min(compared), rule, available)
    return found


def _after_failures(results: Sequence[ConfigurationResult], too_long: Mapping[str, int]) -> list[NextStep]:
    """Return a retry of the runs that may answer more with it, and a new sweep for prompts that are too long."""
    found = []
    retried = [result for result in results if result.n_failed > too_long.get(result.name, 0)]
    if retried:
        text = sentence("next.retry", n=sum(result.n_failed for result in retried))
        found.append(NextStep(code="retry_failed", text=text, run_ids=_runs(retried)))
    n = sum(too_long.values())
    if n:
        found.append(NextStep(code="shorter_prompts", text=sentence("next.shorter-prompts", n=n)))
    return found


def _for_pairs(
    results: Sequence[ConfigurationResult], pairs: float, rule: VerdictRule, available: int | None
) -> list[NextStep]:
    """Return what leads to enough questions with a value; more questions do not if the encoder lacks their script.

    `pairs` are those of the configuration that has fewest, by their weights.
    """
    unknown = max(result.excluded.get(UNKNOWN_SCRIPT, 0) for result in results)
    asked, fewest = max(result.n + result.n_excluded for result in results), rule.fewest_pairs
    # The questions of an unplanned look chose what to test, so they stay untested.
    untested = 0 if rule.looks is None or rule.looks.is_planned or asked <= rule.looks.first else rule.looks.first
    tested = asked - untested
    if pairs + unknown >= min(fewest, tested) > pairs:
        return [NextStep(code="other_encoder", text=sentence("next.other-encoder", n=unknown))]
    if not pairs and tested >= fewest:
        # Enough questions were asked and none has a value, so others will have none for the same reason.
        return []
    # As large a share of the new questions will have no value.
    n = untested + (ceil(fewest * tested / pairs) if pairs else max(fewest, tested + 1))
    text = sentence("next.questions", n=n)
    if available is not None and n > available:
        return [_add_questions(n, available, asked)]
    looks = Looks(first=untested, second=n, is_planned=False) if untested else None
    return [NextStep(code="more_questions", text=text, questions=n, looks=looks, run_ids=_runs(results))]


def _more_questions(
    needed: int, results: Sequence[ConfigurationResult], declared: Looks | None, available: int | None
) -> NextStep:
    """Return a second look: the declared one, else one that may test the new questions alone.

    A sweep cannot ask more questions than its dataset has: then the dataset needs more first.
    """
    asked = max(result.n + result.n_excluded for result in results)
    if declared is not None and declared.first >= asked:
        looks, text = declared, sentence("next.second-look", n=declared.second)
    else:
        # The existing questions chose what to test, so a decision needs as many new ones as would suffice alone.
        looks = Looks(first=asked, second=asked + needed, is_planned=False)
        text = sentence("next.questions", n=looks.second)
    if available is not None and looks.second > available:
        return _add_questions(looks.second, available, asked)
    return NextStep(code="more_questions", text=text, questions=looks.second, looks=looks, run_ids=_runs(results))


def _add_questions(needed: int, available: int, asked: int) -> NextStep:
    n, unasked = needed - available, available - asked
    # The verdict counts new questions, of which the dataset may have some.
    text = (
        sentence("next.add-to-unasked", n=n, unasked=unasked)
        if unasked > 0
        else sentence("next.add-questions", n=n, available=available)
    )
    return NextStep(code="add_questions", text=text, questions=needed)


def _around(chosen: ConfigurationResult, results: Sequence[ConfigurationResult]) -> list[NextStep]:
    """Return a finer range around a threshold, and a top-k that keeps as many passages."""
    at = chosen.threshold or 0.0
    others = {result.threshold for result in results if result.threshold is not None and result.threshold != at}
    found = []
    if others:
        gap = round(min(abs(other - at) for other in others), DECIMALS)
        step = round(gap / FINER, DECIMALS)
        thresholds = threshold_range(start=max(-1.0, at - gap), stop=min(1.0, at + gap), step=step)
        text = sentence("next.finer", low=thresholds[0], high=thresholds[-1], step=step)
        found.append(NextStep(code="finer_range", text=text, thresholds=thresholds, run_ids=chosen.run_ids))
    passages = chosen.retrieval.mean_passages
    if passages:
        k = max(1, round(passages))
        text = sentence("next.matched-k", k=k)
        found.append(NextStep(code="matched_k", text=text, thresholds=(at,), k=(k,), run_ids=chosen.run_ids))
    return found


def _runs(results: Sequence[ConfigurationResult]) -> tuple[str, ...]:
    return tuple(run_id for result in results for run_id in result.run_ids)
