"""Aspects in which people grade each answer of a game, and the reliability of the grades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from passer.domain.agreement_measures import cohen_kappa
from passer.domain.base import Frozen
from passer.domain.evidence.permutation import sign_flip_test
from passer.domain.judging.agreement import Agreement, Ceiling, agreement, ceiling, people_means
from passer.domain.share_intervals import clustered_share
from passer.domain.statistics import Interval, PairedTest, adjusted_p_values, paired_t_test

Aspect = Literal["Relevance", "Accuracy", "Completeness", "Precision"]
"""Aspects of an answer, named like the judged metrics, so that judge and people are compared by column."""
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)
Grade = Literal[0, 1, 2]
"""No, in part, fully."""
GRADES: tuple[Grade, ...] = get_args(Grade)
HIGHEST = 2
Values = Mapping[str, float]
"""Grades / 2 by key of the answer's item."""


def aspect_column(aspect: Aspect, *, again: bool) -> str:
    """Return the column of labels of an aspect; grades of a repeated game have a separate column."""
    return f"{aspect}, repeated" if again else aspect


class GradedAnswer(NamedTuple):
    """An answer of a drawn game."""

    run: str
    question: str
    item: str
    """Key of its item: equal answers from equal passages are one."""


class AspectRaters(Frozen):
    """Two raters on the answers that both have graded."""

    one: str
    """Pseudonym of the first rater."""
    other: str
    """Pseudonym of the second rater."""
    answers: int
    """Number of answers."""
    same: int
    """Number of these answers with the same grade."""
    kappa: float | None
    """Cohen's kappa with quadratic weights; None where chance cannot disagree."""


class AspectSystem(Frozen):
    """One system in an aspect."""

    run: str
    """Id of the run."""
    questions: int
    """Questions of which an answer is graded."""
    mean: float | None
    """Mean over questions of the raters' mean grade / 2; None without grades."""


class AspectTest(Frozen):
    """Two systems against each other in an aspect, on the questions where both are graded."""

    a: str
    """Id of a run."""
    b: str
    """Id of the other."""
    test: PairedTest
    """Two-sided paired t-test of a minus b."""
    flip_p: float | None
    """Two-sided p of the sign-flip test; None without a difference."""
    p_holm: float | None
    """p of the t-test, adjusted over the aspects by Holm's method."""


class AspectJudge(Frozen):
    """A judge compared with people in one aspect."""

    assessment: str
    """Id of the assessment."""
    judge: str
    """Name of the judge's model."""
    agreement: Agreement | None
    """The judge against the mean of the raters; None without answers that both have graded."""
    ceiling: Ceiling | None
    """Kappa of the judge with each rater, and of the raters with each other; None below two raters."""
    tests: tuple[AspectTest, ...]
    """Pairs of systems by the judge's own grades, of all questions and not only of the drawn games."""


class AspectFigures(Frozen):
    """One aspect of the answers of a draw."""

    aspect: Aspect
    """The aspect."""
    answers: int
    """Distinct answers that somebody has graded."""
    repeated: int
    """Grades of games that came back."""
    consistent: int
    """Number of these grades that are the same as before."""
    consistent_interval: Interval | None
    """95 % interval of consistent / repeated by whole questions; None below six questions."""
    raters: tuple[AspectRaters, ...]
    """Pairs of raters with answers that both have graded."""
    judges: tuple[AspectJudge, ...]
    """Assessments of the sweep with this column, the newest first."""
    systems: tuple[AspectSystem, ...]
    """Systems in the tournament's order."""
    tests: tuple[AspectTest, ...]
    """Pairs of systems with questions where both are graded."""


class AspectGrades(NamedTuple):
    """Grades of one aspect, with their differences and agreement."""

    aspect: Aspect
    first: Mapping[str, Values]
    """Grades by rater."""
    again: Mapping[str, Values]
    """Grades of games that came back."""
    judges: Sequence[JudgedAspect]
    """Values of each assessment."""


class JudgedAspect(NamedTuple):
    """The values of one assessment in an aspect."""

    assessment: str
    judge: str
    values: Values


def aspect_figures(
    found: Sequence[AspectGrades], runs: Sequence[str], drawn: Sequence[GradedAnswer], every: Sequence[GradedAnswer]
) -> tuple[AspectFigures, ...]:
    """Return the figures of each aspect; `drawn` are the answers of the drawn games, `every` all answers of `runs`."""
    means = [people_means(each.first) for each in found]
    tests = _adjusted([_tests(own, runs, drawn) for own in means])
    judges = {judged.assessment for each in found for judged in each.judges}
    by_judge: dict[tuple[str, str], tuple[AspectTest, ...]] = {}
    for judge in judges:
        given = [(each.aspect, one.values) for each in found for one in each.judges if one.assessment == judge]
        adjusted = _adjusted([_tests(values, runs, every) for _, values in given])
        by_judge |= {(judge, aspect): own for (aspect, _), own in zip(given, adjusted, strict=True)}
    return tuple(
        _figures(each, own, runs, drawn, mine, by_judge) for each, own, mine in zip(found, means, tests, strict=True)
    )


def _figures(
    found: AspectGrades,
    means: Values,
    runs: Sequence[str],
    answers: Sequence[GradedAnswer],
    tests: tuple[AspectTest, ...],
    by_judge: Mapping[tuple[str, str], tuple[AspectTest, ...]],
) -> AspectFigures:
    question = {each.item: each.question for each in answers}
    again = [(rater, item, grade) for rater, own in found.again.items() for item, grade in own.items()]
    before = [(found.first.get(rater, {}).get(item), item, grade) for rater, item, grade in again]
    repeated = [(one == other, question[item]) for one, item, other in before if one is not None]
    return AspectFigures(
        aspect=found.aspect,
        answers=len(means),
        repeated=len(repeated),
        consistent=sum(is_same for is_same, _ in repeated),
        consistent_interval=clustered_share([is_same for is_same, _ in repeated], [each for _, each in repeated]),
        raters=tuple(_raters(found.first)),
        judges=tuple(
            _judge(each, found.first, means, question, by_judge[each.assessment, found.aspect]) for each in found.judges
        ),
        systems=tuple(_system(run, means, answers) for run in runs),
        tests=tests,
    )


def _raters(raters: Mapping[str, Values]) -> list[AspectRaters]:
    levels = [grade / HIGHEST for grade in GRADES]
    found = []
    for (one, mine), (other, theirs) in combinations(sorted(raters.items()), 2):
        both = [item for item in mine if item in theirs]
        if both:
            said = [mine[item] for item in both], [theirs[item] for item in both]
            found.append(
                AspectRaters(
                    one=one,
                    other=other,
                    answers=len(both),
                    same=sum(first == second for first, second in zip(*said, strict=True)),
                    kappa=cohen_kappa(*said, levels, weights="quadratic"),
                )
            )
    return found


def _judge(
    given: JudgedAspect,
    raters: Mapping[str, Values],
    means: Values,
    question: Mapping[str, str],
    tests: tuple[AspectTest, ...],
) -> AspectJudge:
    assessment, name, judged = given
    both = sorted(item for item in means if item in judged)
    human, values = np.array([means[item] for item in both]), np.array([judged[item] for item in both])
    return AspectJudge(
        assessment=assessment,
        judge=name,
        agreement=agreement(human, values, [question[item] for item in both], labelled=len(means)),
        ceiling=ceiling(raters, judged),
        tests=tests,
    )


def _by_question(run: str, means: Values, answers: Sequence[GradedAnswer]) -> dict[str, float]:
    return {each.question: means[each.item] for each in answers if each.run == run and each.item in means}


def _system(run: str, means: Values, answers: Sequence[GradedAnswer]) -> AspectSystem:
    own = _by_question(run, means, answers)
    mean = float(np.mean(list(own.values()))) if own else None
    return AspectSystem(run=run, questions=len(own), mean=mean)


def _tests(means: Values, runs: Sequence[str], answers: Sequence[GradedAnswer]) -> dict[tuple[str, str], AspectTest]:
    """Tests of each pair of systems in one aspect, not adjusted yet."""
    by_run = {run: _by_question(run, means, answers) for run in runs}
    found = {}
    for a, b in combinations(runs, 2):
        both = [question for question in by_run[a] if question in by_run[b]]
        if both:
            one, other = (np.array([by_run[run][question] for question in both]) for run in (a, b))
            [flip_p] = sign_flip_test((one - other)[:, None], seed=1).p
            found[a, b] = AspectTest(a=a, b=b, test=paired_t_test(one, other), flip_p=flip_p, p_holm=None)
    return found


def _adjusted(tests: Sequence[Mapping[tuple[str, str], AspectTest]]) -> list[tuple[AspectTest, ...]]:
    return [tuple(_holm(test, tests) for test in own.values()) for own in tests]


def _holm(test: AspectTest, tests: Sequence[Mapping[tuple[str, str], AspectTest]]) -> AspectTest:
    """Adjust a test over all aspects of the same pair of systems."""
    family = [own[test.a, test.b] for own in tests if (test.a, test.b) in own]
    adjusted = adjusted_p_values([each.test.p for each in family])
    place = next(number for number, each in enumerate(family) if each is test)
    return test.model_copy(update={"p_holm": adjusted[place]})
