"""Results of the tests in sentences. "Differs" is used only where a difference was tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from passer.domain.analysis.levels import level_name, level_text
from passer.domain.analysis.study_tables import SIGNIFICANT
from passer.domain.evidence.half_splits import SplitChoice
from passer.domain.evidence.power import GAINS
from passer.domain.evidence.results import Evidence, GainTests, ModelEvidence, ModelInteraction
from passer.domain.wording.sentence import Sentence, Value, number_sentence, sentence


def meaning(evidence: Evidence) -> tuple[Sentence, ...]:
    """Return, per model, whether thresholds matter and which gains hold; then whether models differ in their gains."""
    said: list[Sentence] = []
    for model in evidence.models:
        own = [item for item in evidence.comparisons if item.model == model.model]
        said += [_omnibus(model), _gains(model, own, of=evidence.family_size), *_choice(model)]
    said += _interactions(evidence.interactions)
    said += _normalisations(evidence)
    return tuple(said)


def limits(evidence: Evidence) -> tuple[Sentence, ...]:
    """Return the gains that these questions could not detect, and the metrics that duplicate others."""
    said = []
    for model in evidence.models:
        found = [item.detectable for item in evidence.comparisons if item.model == model.model and item.detectable]
        needed = [
            item.questions_for_a_point
            for item in evidence.comparisons
            if item.model == model.model and item.questions_for_a_point
        ]
        if found and needed:
            values: dict[str, Value] = {
                "low": 100 * min(found),
                "high": 100 * max(found),
                "family": evidence.family_size,
            }
            values |= {"fewest": min(needed), "most": max(needed)}
            said.append(sentence("report.detectable", model=model.model, **values))
        said += _planning(model, evidence)
    if evidence.redundant:
        pairs = tuple(sentence("report.and", one=pair.one, other=pair.other) for pair in evidence.redundant[:4])
        said.append(sentence("report.redundant", n=len(evidence.redundant), pairs=pairs))
    return tuple(said)


def _ranges(plans: Sequence[Sequence[int | None]]) -> Iterator[Sentence]:
    """Yield the fewest and most questions for each of GAINS; `plans` hold one number for each gain."""
    for gain, column in zip(GAINS, zip(*plans, strict=True), strict=True):
        known = [number for number in column if number is not None]
        if known:
            ends = {"fewest": min(known), "most": max(known)}
            yield sentence("report.questions-for-gain", gain=number_sentence(100 * gain), **ends)


def _planning(model: ModelEvidence, evidence: Evidence) -> Iterator[Sentence]:
    """Return how many questions a further study needs, by gain and repeats."""
    plans = [plan for item in evidence.comparisons if item.model == model.model for plan in item.planned]
    asked = []
    for times in dict.fromkeys(plan.repeats for plan in plans):
        ranges = tuple(_ranges([plan.questions for plan in plans if plan.repeats == times]))
        if ranges:
            asked.append(sentence("report.with-repeats", n=times, ranges=ranges))
    if asked:
        values: dict[str, Value] = {"family": evidence.family_size, "plans": tuple(asked)}
        yield sentence("report.planning", model=model.model, **values)
    if len(asked) == 1:
        yield sentence("report.planning-no-repeats", model=model.model)


def _omnibus(model: ModelEvidence) -> Sentence:
    test = model.omnibus
    if test.f is None or test.p_max_f is None:
        return sentence("report.omnibus-constant", model=model.model)
    code = "report.omnibus-differ" if test.p_max_f < SIGNIFICANT else "report.omnibus-alike"
    values = {"configurations": test.n_configurations, "f": test.f, "p": test.p_max_f, "n": test.n_questions}
    return sentence(code, model=model.model, **values)


def _gains(model: ModelEvidence, tests: Sequence[GainTests], *, of: int) -> Sentence:
    profile = model.profile
    measured = [item for item in tests if item.gain is not None]
    if not measured:
        return sentence("report.gains-none", model=model.model)
    best = max(measured, key=lambda item: item.gain or 0.0)
    values: dict[str, Value] = {"gains": len(profile.gains), "tested": profile.tested, "losses": len(profile.losses)}
    values |= {"comparisons": of, "kind": sentence(f"profile.{profile.kind}")}
    return sentence("report.gains", model=model.model, largest=_largest(best), **values)


def _largest(best: GainTests) -> Sentence:
    values: dict[str, Value] = {"gain": 100 * (best.gain or 0), "level": level_text(best.levels), "n": best.n_pairs}
    values |= {"p": _p(best.p_max_t), "d": _number(best.cohens_d)}
    low, high = (100 * best.ci.low, 100 * best.ci.high) if best.ci else (None, None)
    values |= {"low": _number(low), "high": _number(high)}
    return sentence("report.largest-gain", **values)


def _choice(model: ModelEvidence) -> Iterator[Sentence]:
    choice = model.choice
    if choice is None:
        return
    yield from _most_often(model, choice)
    alike = [level_text(model.levels[place]) for place in choice.not_told_apart]
    alike += [sentence("report.the-baseline")] if choice.baseline_is_alike else []
    values: dict[str, Value] = {
        "gain": 100 * choice.confirmed_gain,
        "low": 100 * choice.confirmed_range.low,
        "high": 100 * choice.confirmed_range.high,
        "optimism": 100 * choice.optimism,
        "splits": choice.splits,
        "best": sentence("report.the-baseline") if choice.best is None else level_text(model.levels[choice.best]),
        "alike": tuple(alike),
    }
    yield sentence("report.confirmed", model=model.model, **values)


def _most_often(model: ModelEvidence, choice: SplitChoice) -> Iterator[Sentence]:
    """Return what half of the questions choose, and the choice of all of them by the same rule."""
    shares = (*choice.chosen_share, choice.baseline_share)
    most = max(range(len(shares)), key=shares.__getitem__)
    names = [*map(level_name, model.levels), sentence("report.the-baseline")]
    whole = len(model.levels) if choice.best is None else choice.best
    values: dict[str, Value] = {"n": choice.n_questions, "chosen": names[most], "share": shares[most]}
    values |= {"splits": choice.splits, "whole": names[whole]}
    yield sentence("report.half-splits", model=model.model, **values)


def _interactions(found: Sequence[ModelInteraction]) -> Iterator[Sentence]:
    """Return one sentence per pair of models."""
    for (first, second), group in groupby(found, key=lambda item: (item.first, item.second)):
        tests = list(group)
        known = [item for item in tests if item.test.p_max_t is not None]
        differing = [item for item in known if (item.test.p_max_t or 0.0) < SIGNIFICANT]
        if not known:
            continue
        if not differing:
            smallest = min(item.test.p_max_t or 0.0 for item in known)
            yield sentence("report.interaction-none", first=first, second=second, n=len(tests), p=_p(smallest))
            continue
        where = tuple(
            sentence(
                "report.at-level",
                level=level_text(item.levels),
                difference=100 * (item.test.difference or 0),
                p=_p(item.test.p_max_t),
            )
            for item in differing
        )
        counted: dict[str, Value] = {"n": len(differing), "of": len(tests), "where": where}
        yield sentence("report.interaction", first=first, second=second, **counted)


def _normalisations(evidence: Evidence) -> Iterator[Sentence]:
    for place, model in enumerate(evidence.models):
        best = {item.method: item.best[place] for item in evidence.normalisations}
        named = {
            method: sentence("report.none") if levels is None else level_text(levels) for method, levels in best.items()
        }
        if len({*named.values()}) > 1:
            listed = tuple(sentence("report.by-method", method=method, name=name) for method, name in named.items())
            yield sentence("report.normalisations", model=model.model, listed=listed)


def _number(value: float | None) -> Sentence:
    return sentence("report.none") if value is None else sentence("report.two-decimals", value=value)


def _p(value: float | None) -> Sentence:
    return sentence("report.p-undefined") if value is None else sentence("report.p", p=value)
