"""What the tests of a study come to, in sentences with numbers. "Differs" stands only where that was tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from passer.domain.analysis.study_tables import SIGNIFICANT
from passer.domain.cell_text import p_text
from passer.domain.evidence.found import Evidence, GainTests, ModelEvidence, ModelInteraction
from passer.domain.evidence.half_splits import RULE, SplitChoice
from passer.domain.evidence.power import GAINS


def meaning(evidence: Evidence) -> tuple[str, ...]:
    """Of each model whether thresholds matter and which gains hold; then whether models differ in their gains."""
    said: list[str] = []
    for model in evidence.models:
        own = [item for item in evidence.comparisons if item.model == model.model]
        said += [_omnibus(model), _gains(model, own, of=evidence.family_size), *_choice(model)]
    said += _interactions(evidence.interactions)
    said += _normalisations(evidence)
    return tuple(said)


def limits(evidence: Evidence) -> tuple[str, ...]:
    """What these questions could not find, and which metrics say the same twice."""
    said = []
    for model in evidence.models:
        found = [item.detectable for item in evidence.comparisons if item.model == model.model and item.detectable]
        needed = [
            item.questions_for_a_point
            for item in evidence.comparisons
            if item.model == model.model and item.questions_for_a_point
        ]
        if found and needed:
            said.append(
                f"{model.model}: gains below {100 * min(found):.2f} to {100 * max(found):.2f} points (by threshold) "
                f"would probably not be found by these questions (80 % power at .05 / {evidence.family_size}); a gain "
                f"of one point needs {min(needed):,} to {max(needed):,} questions."
            )
        said += _planning(model, evidence)
    if evidence.redundant:
        pairs = ", ".join(f"{pair.one} and {pair.other}" for pair in evidence.redundant[:4])
        said.append(
            f"{len(evidence.redundant)} pairs of metrics rank answers alike (|rho| > .95), among them {pairs}: they "
            "are no independent witnesses."
        )
    return tuple(said)


def _planning(model: ModelEvidence, evidence: Evidence) -> Iterator[str]:
    """How many questions a further study needs, by gain and repeats."""
    plans = [plan for item in evidence.comparisons if item.model == model.model for plan in item.planned]
    asked = []
    for times in dict.fromkeys(plan.repeats for plan in plans):
        own = [plan.questions for plan in plans if plan.repeats == times]
        ranges = []
        for gain, column in zip(GAINS, zip(*own, strict=True), strict=True):
            known = [number for number in column if number is not None]
            if known:
                ranges.append(f"{min(known):,} to {max(known):,} for {100 * gain:g}")
        if ranges:
            asked.append(f"asked {'once' if times == 1 else f'{times} times'}: {', '.join(ranges)}")
    if asked:
        only = "" if len(asked) > 1 else "; this pilot has no repeats, so what more answers save is not known"
        yield (
            f"{model.model}: questions that find a gain of so many points (by threshold, 80 % power at .05 / "
            f"{evidence.family_size}), {'; '.join(asked)}{only}."
        )


def _omnibus(model: ModelEvidence) -> str:
    test = model.omnibus
    if test.f is None or test.p_max_f is None:
        return f"{model.model}: nothing varies between configurations, so there is nothing to test (RQ1)."
    differ = "differ" if test.p_max_f < SIGNIFICANT else "could not be told apart"
    return (
        f"{model.model}: its {test.n_configurations} configurations {differ} (RQ1: F = {test.f:.2f}, "
        f"p {_p(test.p_max_f)} by question-blocked permutation, corrected over the models, "
        f"{test.n_questions:,} questions)."
    )


def _gains(model: ModelEvidence, tests: Sequence[GainTests], *, of: int) -> str:
    profile = model.profile
    measured = [item for item in tests if item.gain is not None]
    if not measured:
        return f"{model.model}: no threshold could be compared with the baseline."
    best = max(measured, key=lambda item: item.gain or 0.0)
    interval = f", 95 % CI {100 * best.ci.low:+.2f} to {100 * best.ci.high:+.2f}" if best.ci else ""
    size = f", d = {best.cohens_d:.2f}" if best.cohens_d is not None else ""
    return (
        f"{model.model}: {len(profile.gains)} of {profile.tested} thresholds gain significantly and "
        f"{len(profile.losses)} lose (max-T over all {of} comparisons): the profile is {profile.kind}; the largest "
        f"gain is {100 * (best.gain or 0):+.2f} CPS points at {best.threshold:g} "
        f"(n = {best.n_pairs:,}{interval}{size}, p {_p(best.p_max_t)})."
    )


def _choice(model: ModelEvidence) -> Iterator[str]:
    choice = model.choice
    if choice is None:
        return
    yield from _most_often(model, choice)
    if choice.best is None:
        return
    alike = [f"{model.thresholds[place]:g}" for place in choice.not_told_apart]
    yield (
        f"{model.model}: chosen by that rule on one half of the questions and measured on the other, the gain is "
        f"{100 * choice.confirmed_gain:+.2f} points (95 % of {choice.splits} splits: "
        f"{100 * choice.confirmed_range.low:+.2f} to {100 * choice.confirmed_range.high:+.2f}; on constants of "
        f"this model's halves), and the optimism of choosing {100 * choice.optimism:+.2f}. "
        f"Not to be told from the best ({model.thresholds[choice.best]:g}): {', '.join(alike)}."
    )


def _most_often(model: ModelEvidence, choice: SplitChoice) -> Iterator[str]:
    """What half of the questions choose, beside what all of them do by the same rule."""
    shares = (*choice.chosen_share, choice.baseline_share)
    most = max(range(len(shares)), key=shares.__getitem__)
    names = [*(f"threshold {threshold:g}" for threshold in model.thresholds), "the baseline"]
    whole = len(model.thresholds) if choice.best is None else choice.best
    agree = "as over all of them" if most == whole else f"but over all of them it takes {names[whole]}"
    yield (
        f"{model.model}: by the rule of the recommendation ({RULE}) half of the {choice.n_questions:,} questions that "
        f"all configurations have most often takes {names[most]} ({shares[most]:.0%} of {choice.splits} splits), "
        f"{agree}."
    )


def _interactions(found: Sequence[ModelInteraction]) -> Iterator[str]:
    """One sentence for each pair of models."""
    for (first, second), group in groupby(found, key=lambda item: (item.first, item.second)):
        tests = list(group)
        known = [item for item in tests if item.test.p_max_t is not None]
        differing = [item for item in known if (item.test.p_max_t or 0.0) < SIGNIFICANT]
        if not known:
            continue
        if not differing:
            smallest = min(item.test.p_max_t or 0.0 for item in known)
            yield (
                f"The gain could not be shown to differ between {first} and {second} at any of {len(tests)} "
                f"thresholds (RQ2, max-T, smallest p {_p(smallest)})."
            )
            continue
        where = ", ".join(
            f"{item.threshold:g} ({100 * (item.test.difference or 0):+.2f} points, p {_p(item.test.p_max_t)})"
            for item in differing
        )
        counted = f"{len(differing)} of {len(tests)} thresholds"
        yield f"The gain differs between {first} and {second} at {counted} (RQ2; {first} - {second}): {where}."


def _normalisations(evidence: Evidence) -> Iterator[str]:
    for place, model in enumerate(evidence.models):
        best = {item.method: item.best[place] for item in evidence.normalisations}
        others = sorted({f"{value:g}" if value is not None else "none" for value in best.values()})
        if len(others) > 1:
            listed = ", ".join(f"{method}: {'none' if at is None else f'{at:g}'}" for method, at in best.items())
            yield f"{model.model}: which threshold gains most depends on the normalisation ({listed})."


def _p(value: float | None) -> str:
    if value is None:
        return "not defined"
    text = p_text(value)
    return text if text.startswith("<") else f"= {text}"
