"""The same configuration on two machines: how their times and their answers differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.base import Frozen
from passer.domain.defaults import SCORE_MARGIN, TIME_MARGIN
from passer.domain.score import VECTOR_ORDER
from passer.domain.statistics import Floats, Interval, mean_interval
from passer.domain.timing.times import TimedQuestion, TimingReport, medians_by_question
from passer.domain.wording.sentence import LocalizedText

COMPARED = ("total_s", "prompt_eval_s", "eval_s", "tokens_per_s", "generation_s", "embedding_s", "retrieval_s",
            "scoring_s")  # fmt: skip
"""Figures whose ratio is meaningful; counts of tokens are compared as answers are."""
ALPHA = 0.05


class Equivalence(Frozen):
    """Two one-sided t-tests: whether a difference is proved to be smaller than the margin."""

    n_pairs: int
    """Questions that both sides have."""
    margin: float
    """Largest difference that counts as equal, declared before the comparison."""
    p: float | None
    """The larger of the two one-sided p values; None below two pairs."""
    equivalent: bool | None
    """True if p is below .05; None without a p. False is no proof of a difference."""


class ComparedFigure(Frozen):
    """One time on both machines, paired by question."""

    figure: str
    """Name of the quantity."""
    n_pairs: int
    """Questions that both have."""
    here: float
    """Median of the questions' medians, here."""
    there: float
    """The same there."""
    ratio: float
    """Geometric mean of here / there; above 1 this machine takes longer (of tokens_per_s: is faster)."""
    ci: Interval | None
    """95 % interval of the ratio; None below two questions."""
    mean_difference: float
    """Mean of here - there."""
    equivalence: Equivalence
    """Test whether the ratio lies within 1 / (1 + margin) and 1 + margin."""


class ComparedScore(Frozen):
    """One of the 24 columns on both machines, paired by question."""

    metric: str
    """Column name."""
    mean_difference: float
    """Mean of here - there."""
    ci: Interval | None
    """95 % interval of the mean difference."""
    equivalence: Equivalence
    """Test whether the mean difference lies within the margin."""


class ComparedConfiguration(Frozen):
    """One configuration on both machines."""

    name: LocalizedText
    """Shown in tables."""
    model: LocalizedText
    """Model that answers."""
    answers: int
    """Pairs of question and repetition that both have answered."""
    identical: int
    """Number of these answers with the same text."""
    identical_share: float | None
    """identical / answers; None without any."""
    figures: tuple[ComparedFigure, ...]
    """Figures that both have."""
    scores: tuple[ComparedScore, ...]
    """Scores that both have."""


class TimingComparison(Frozen):
    """Two timing runs side by side."""

    here: str
    """Id of this sweep."""
    there: str
    """Id of the other one."""
    time_margin: float
    """Ratios within 1 / (1 + margin) and 1 + margin count as the same."""
    score_margin: float
    """Mean differences within it count as the same."""
    configurations: tuple[ComparedConfiguration, ...]
    """Configurations that both have."""
    only_here: tuple[LocalizedText, ...]
    """Names of the configurations that the other one lacks."""
    only_there: tuple[LocalizedText, ...]
    """Names of those that this one lacks."""


def compare_timings(
    here: TimingReport,
    there: TimingReport,
    *,
    time_margin: float = TIME_MARGIN,
    score_margin: float = SCORE_MARGIN,
) -> TimingComparison:
    """Compare two reports, paired by configuration and question id; warm-up and reused answers are excluded."""
    ours = {each.config_digest: each for each in here.configurations}
    theirs = {each.config_digest: each for each in there.configurations}
    found = []
    for digest in (digest for digest in ours if digest in theirs):
        one, other = ours[digest], theirs[digest]
        pair = (_questions(here, one.run_ids), _questions(there, other.run_ids))
        identical, answers = _identical(*pair)
        compared = (_figure(name, *pair, margin=time_margin) for name in COMPARED)
        scored = (_score(place, *pair, margin=score_margin) for place in range(len(VECTOR_ORDER)))
        found.append(
            ComparedConfiguration(
                name=one.name,
                model=one.model,
                answers=answers,
                identical=identical,
                identical_share=identical / answers if answers else None,
                figures=tuple(each for each in compared if each),
                scores=tuple(each for each in scored if each),
            )
        )
    return TimingComparison(
        here=here.sweep_id,
        there=there.sweep_id,
        time_margin=time_margin,
        score_margin=score_margin,
        configurations=tuple(found),
        only_here=tuple(each.name for digest, each in ours.items() if digest not in theirs),
        only_there=tuple(each.name for digest, each in theirs.items() if digest not in ours),
    )


def equivalence(differences: Floats, *, bound: float, margin: float) -> Equivalence:
    """Return two one-sided t-tests of a mean against -bound and bound; `margin` is the bound as declared."""
    n = int(differences.size)
    if n < 2:
        return Equivalence(n_pairs=n, margin=margin, p=None, equivalent=None)
    mean, error = float(differences.mean()), float(differences.std(ddof=1)) / float(np.sqrt(n))
    if error == 0:
        p = 0.0 if abs(mean) < bound else 1.0
    else:
        from scipy.special import stdtr

        p = float(stdtr(n - 1, (abs(mean) - bound) / error))
    return Equivalence(n_pairs=n, margin=margin, p=p, equivalent=p < ALPHA)


def _questions(report: TimingReport, run_ids: Sequence[str]) -> list[TimedQuestion]:
    return [question for question in report.questions if question.run_id in run_ids]


def _identical(here: Sequence[TimedQuestion], there: Sequence[TimedQuestion]) -> tuple[int, int]:
    """Same texts, and how many were compared."""
    said = {(q.question_id, q.repeat): q.answer_digest for q in there if q.answer_digest}
    pairs = [(q.answer_digest, said.get((q.question_id, q.repeat))) for q in here if q.answer_digest]
    compared = [(one, other) for one, other in pairs if other is not None]
    return sum(one == other for one, other in compared), len(compared)


def _paired(here: tuple[tuple[str, ...], Floats], there: tuple[tuple[str, ...], Floats]) -> tuple[Floats, Floats]:
    """Return the values of the questions that both have, in the order of this side."""
    places = {question: place for place, question in enumerate(there[0])}
    kept = [(place, places[question]) for place, question in enumerate(here[0]) if question in places]
    ours, theirs = [one for one, _ in kept], [other for _, other in kept]
    return here[1][ours], there[1][theirs]


def _figure(
    name: str, here: Sequence[TimedQuestion], there: Sequence[TimedQuestion], *, margin: float
) -> ComparedFigure | None:
    ours, theirs = _paired(medians_by_question(here, name), medians_by_question(there, name))
    positive = (ours > 0) & (theirs > 0)
    ours, theirs = ours[positive], theirs[positive]
    if not ours.size:
        return None
    logs = np.log(ours / theirs)
    interval = mean_interval(logs)
    return ComparedFigure(
        figure=name,
        n_pairs=int(ours.size),
        here=float(np.median(ours)),
        there=float(np.median(theirs)),
        ratio=float(np.exp(logs.mean())),
        ci=interval and Interval(low=float(np.exp(interval.low)), high=float(np.exp(interval.high))),
        mean_difference=float((ours - theirs).mean()),
        equivalence=equivalence(logs, bound=float(np.log1p(margin)), margin=margin),
    )


def _score(
    place: int, here: Sequence[TimedQuestion], there: Sequence[TimedQuestion], *, margin: float
) -> ComparedScore | None:
    ours, theirs = _paired(_means(here, place), _means(there, place))
    if not ours.size:
        return None
    differences = ours - theirs
    return ComparedScore(
        metric=VECTOR_ORDER[place],
        mean_difference=float(differences.mean()),
        ci=mean_interval(differences),
        equivalence=equivalence(differences, bound=margin, margin=margin),
    )


def _means(questions: Sequence[TimedQuestion], place: int) -> tuple[tuple[str, ...], Floats]:
    """Return a score of each question, averaged over its repetitions."""
    found: dict[str, list[float]] = {}
    for question in questions:
        value = question.scores[place] if question.scores else None
        if value is not None:
            found.setdefault(question.question_id, []).append(value)
    return tuple(found), np.array([float(np.mean(values)) for values in found.values()], dtype=np.float64)
