"""What an open verdict lacks: how many questions would decide it by spread or by changes, or that none would."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from passer.domain.verdict.amounts import amount
from passer.domain.verdict.family import FEWEST_CHANGED, FamilyGain
from passer.domain.verdict.lines import Line, SourcedNumber
from passer.domain.verdict.sample_size import POWER
from passer.domain.verdict.verdict import critical_value, plan_by_spread, widest_spread
from passer.domain.wording.sentence import Sentence, Value, sentence
from passer.services.analysis.verdict.compared_sweep import ComparedModel
from passer.services.analysis.verdict.reasons import CONFIGURATIONS, VERDICT, Reason, counted_clusters, numbers_in

_MOST_QUESTIONS = 10_000_000


@dataclass(frozen=True)
class Outlook:
    """Why a verdict is open."""

    reason: Sentence
    """The reason in words."""
    numbers: tuple[SourcedNumber, ...]
    """The numbers in it."""
    has_spread: bool = True
    """False if no interval can be estimated: then ties would call different configurations alike."""
    needed: int | None = None
    """Questions that would decide: all of them where a planned look is ahead, else new ones. None if none would."""


def outlook_of(model: ComparedModel) -> Outlook | None:
    """Return what would decide an open verdict; None for any other."""
    if model.verdict.kind != "cannot_tell":
        return None
    undecided = model.judged_as("undecided")
    bounded = {place: gain for place, gain in undecided.items() if gain.low is not None}
    if bounded:
        return _by_spread(model, bounded)
    alike = next(_alike(model), None)
    if alike is not None:
        (said, counts), (_, numbers) = alike, _pairs(model)
        return Outlook(said, (*numbers, *counts), has_spread=False)
    few = {place: gain for place, gain in undecided.items() if gain.reason == "few_changed"}
    if few and model.sweep.primary.is_by_question:
        return _by_changes(model, few)
    values, numbers = _pairs(model)
    return Outlook(sentence("verdict.cannot-tell", **values), numbers)


def changes_needed(changed: int, of: int, wanted: int = FEWEST_CHANGED) -> int | None:
    """Return how many questions contain `wanted` changed ones with power .8, if the share is `changed` of `of`.

    None where none changed, or beyond ten million.
    """
    from scipy.special import bdtrc  # Not with the module, as in sample_size.

    if not changed:
        return None

    def is_enough(n: int) -> bool:
        return float(bdtrc(wanted - 1, n, changed / of)) >= POWER

    if not is_enough(_MOST_QUESTIONS):
        return None
    return wanted + bisect_left(range(wanted, _MOST_QUESTIONS), True, key=is_enough)


def _by_spread(model: ComparedModel, bounded: Mapping[int, FamilyGain]) -> Outlook:
    """Plan by the widest interval: planned by its spread, never by the gain, which was selected for being large."""
    widest = widest_spread(list(bounded.values()))
    if widest is None or widest.low is None:
        raise ValueError("a gain with an interval has a standard error")
    rule, measured = model.sweep.rule, model.sweep.critical(widest)
    place = next(place for place, gain in bounded.items() if gain is widest)
    detectable, cautious = plan_by_spread(widest, rule.margin)
    if cautious <= widest.pairs:
        return _between(model, place, widest)
    variance = (widest.standard_error or 0.0) ** 2 * widest.clusters
    clusters = measured.clusters_needed(margin=rule.margin, difference_variance=variance)
    # A strict first look leaves open what as many questions decide at a second one.
    planned = max(widest.pairs + 1, math.ceil(clusters * widest.pairs / widest.clusters))
    values, numbers = _pairs(model)
    values |= {"detectable": amount(rule.primary, detectable, "size"), "needed": planned}
    code = "verdict.cannot-tell-plan" if model.sweep.has_look_ahead else "verdict.cannot-tell-new"
    said = sentence(code, **values, margin=amount(rule.primary, rule.margin, "size"))
    if len(bounded) > 1:
        said = sentence("verdict.by-spread-of", plan=said, name=model.sweep.results[place].name)
    # Digests of verdicts contain `needed`, which takes the skewness of few questions for that of many.
    counted = numbers_in(VERDICT, detectable=detectable, needed=cautious, questions_to_ask=planned)
    return Outlook(said, (*numbers, *counted), needed=planned)


def _between(model: ComparedModel, place: int, gain: FamilyGain) -> Outlook:
    """Plan where as many questions were asked as decide for no difference at all: this one is between 0 and the margin.

    An interval that is shorter than the margin cannot contain both 0 and the margin.
    """
    rule, critical = model.sweep.rule, critical_value(gain)
    width = (
        2 * critical * (gain.standard_error or 0.0) if gain.low is None or gain.high is None else gain.high - gain.low
    )
    needed = math.ceil(gain.pairs * (width / rule.margin) ** 2)
    values, numbers = _pairs(model)
    values |= {"name": model.sweep.results[place].name, "margin": amount(rule.primary, rule.margin, "size")}
    said = sentence("verdict.cannot-tell-between", **values, more=_more(model, needed))
    return Outlook(said, (*numbers, *numbers_in(VERDICT, needed=needed)), needed=needed)


def _by_changes(model: ComparedModel, few: Mapping[int, FamilyGain]) -> Outlook:
    """Plan by the configuration that changed most questions: a spread of a few changed questions is unreliable."""
    place = max(few, key=lambda each: few[each].changed)
    gain, is_ahead = few[place], model.sweep.has_look_ahead
    wanted = FEWEST_CHANGED - gain.changed if is_ahead else FEWEST_CHANGED
    needed = changes_needed(gain.changed, gain.clusters, wanted)
    if needed is not None:
        needed = math.ceil((needed + (gain.clusters if is_ahead else 0)) * gain.pairs / gain.clusters)
    values, numbers = _pairs(model)
    values |= {"name": model.sweep.results[place].name, "changed": gain.changed, "fewest": FEWEST_CHANGED}
    values |= {"of": counted_clusters(model.sweep.primary, gain.clusters)}
    units = "questions" if model.sweep.primary.clusters is None else "clusters"
    said = sentence(f"verdict.cannot-tell-few-{units}", **values)
    if needed is not None:
        said = sentence("verdict.few-plan", reason=said, more=_more(model, needed))
    numbers = (*numbers, *numbers_in(CONFIGURATIONS, changed=gain.changed), *numbers_in(VERDICT, needed=needed))
    return Outlook(said, numbers, has_spread=False, needed=needed)


def one_amount_lines(model: ComparedModel, outlook: Outlook | None) -> tuple[Line, ...]:
    """Return the configurations that differ by one amount almost everywhere, except the one in the reason."""
    if model.verdict.kind == "no_verdict":
        return ()
    found = tuple(Line(text=said, numbers=numbers) for said, numbers in _alike(model))
    return found if outlook is None or outlook.has_spread else found[1:]


def _alike(model: ComparedModel) -> Iterator[Reason]:
    """Yield what is known of configurations whose spread cannot be estimated: the amount, and where it is found."""
    primary = model.sweep.primary
    for place in model.compared:
        test = model.sweep.results[place].comparison
        if test is None or test.judged.reason not in ("one_amount", "no_spread"):
            continue
        gain = test.judged
        # Without any spread all differences are equal.
        same, level = (gain.clusters, gain.gain) if gain.alike is None else (gain.alike, gain.amount)
        values: dict[str, Value] = {"name": model.sweep.results[place].name, "baseline": test.baseline}
        values |= {"same": same, "of": counted_clusters(primary, gain.clusters), "fewest": FEWEST_CHANGED}
        said = sentence("verdict.cannot-tell-alike", **values, gain=amount(primary.name, level or 0.0))
        yield said, numbers_in(CONFIGURATIONS, same=same)


def _pairs(model: ComparedModel) -> tuple[dict[str, Value], tuple[SourcedNumber, ...]]:
    n = max(test.judged.pairs for test in model.tests)
    return {"baseline": model.tests[0].baseline, "n": n}, numbers_in(CONFIGURATIONS, n=n)


def _more(model: ComparedModel, needed: int) -> Sentence:
    """Return questions to ask; without a planned look only new ones count: the earlier ones chose what to test."""
    return sentence("verdict.questions" if model.sweep.has_look_ahead else "verdict.new-questions", n=needed)
