"""Means of runs side by side, and the paired differences of each from one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from passer.domain.analysis.composites import Composites
from passer.domain.analysis.question_table import Pairs, QuestionTable
from passer.domain.analysis.run_comparison import ComparedMetric, PoolOfRuns, RunDifference, RunMean
from passer.domain.composite import CPS
from passer.domain.panel import higher_is_better
from passer.domain.score import VECTOR_ORDER
from passer.domain.statistics import DECIMALS, Floats, mean_of, paired_t_test, stars
from passer.domain.verdict.family import FamilyGain, FamilyRule, family_gains
from passer.domain.verdict.simultaneous import DRAWS
from passer.domain.verdict.verdict import decided
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.services.analysis.verdict.question_clusters import Clusters, numbered
from passer.services.runs.score_rows import ScoredRun

MANY = 150_000
"""Differences (questions times comparisons) beyond which fewer resamples are drawn: all would take half a minute."""
FEWER_DRAWS = 1_999
"""p is then known to .0005, which still tells the three stars apart."""


@dataclass(frozen=True)
class ScoredRuns:
    """Scores of several runs, with the CPS of their common pool."""

    sides: tuple[ScoredRun, ...]
    scores: QuestionTable
    """The 24 columns."""
    composites: Composites | None
    """Composites of these runs, followed by the others of their pool."""
    no_cps: str | None
    pool: PoolOfRuns = "runs"

    def of(self, metric: str) -> tuple[QuestionTable, int]:
        """Return the table and column of a metric; InputError if CPS is not available."""
        if metric != CPS:
            return self.scores, VECTOR_ORDER.index(metric)
        if self.composites is None:
            raise InputError(sentence("compare.no-cps", why=self.no_cps or ""), field="metric")
        return self.composites.questions, 0


def compared(sides: ScoredRuns, family: Sequence[str], base: int, clusters: Clusters) -> list[ComparedMetric]:
    """Return the lines of one family of comparisons, judged together by the rule of verdicts."""
    others = [place for place in range(len(sides.sides)) if place != base]
    cells = [(metric, place) for metric in family for place in others]
    where = {metric: sides.of(metric) for metric in family}
    paired = [where[metric][0].pairs(place, base, where[metric][1]) for metric, place in cells]
    # All columns of a family come from one table.
    table = where[family[0]][0]
    judged = family_gains(
        plain(np.hstack([where[metric][0].gains([(place, base)], where[metric][1]) for metric, place in cells])),
        FamilyRule(draws=DRAWS if len(cells) * len(table.ids) <= MANY else FEWER_DRAWS),
        clusters=numbered(table.ids, clusters) if clusters else None,
        weights=table.weights,
    )
    differences: dict[str, list[RunDifference]] = {metric: [] for metric in family}
    for (metric, place), pairs, found in zip(cells, paired, map(decided, judged), strict=True):
        differences[metric].append(_difference(sides.sides[place].run.id, metric, pairs, found))
    return [
        ComparedMetric(
            metric=metric,
            means=tuple(_mean(side, *where[metric], place) for place, side in enumerate(sides.sides)),
            differences=tuple(differences[metric]),
            family_size=len(cells),
        )
        for metric in family
    ]


def _difference(run_id: str, metric: str, pairs: Pairs, found: FamilyGain) -> RunDifference:
    gains = plain(pairs.differences) * (1 if higher_is_better(metric) else -1)
    test = paired_t_test(pairs.values, pairs.baseline, pairs.weights)
    return RunDifference(
        run_id=run_id,
        n_pairs=test.n_pairs,
        n_improved=int((gains > 0).sum()),
        n_worse=int((gains < 0).sum()),
        difference=test.mean_difference,
        ci=found.interval,
        p=found.p,
        cohens_d=test.cohens_d,
        stars="" if found.reason == "too_few" else stars(found.p),
        reason=found.reason if found.p is None else None,
    )


def plain(differences: Floats) -> Floats:
    """Return differences without rounding errors of the subtraction, which are no change."""
    return np.round(differences, DECIMALS)


def _mean(side: ScoredRun, table: QuestionTable, column: int, place: int) -> RunMean:
    values = table.column(place, column)
    mean, n = mean_of(values, table.weights_of(place, column)), values.size
    return RunMean(run_id=side.run.id, mean=mean, n=n, n_missing=len(side.scores.numbers) - n)
