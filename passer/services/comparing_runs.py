"""Any runs side by side, question by question: means, paired differences, what sets them apart, what changed most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from passer.domain.analysis.run_comparison import (
    CPS,
    ChangedPage,
    ChangedQuestion,
    ChangeOrder,
    ComparedFactor,
    ComparedMetric,
    QuestionSide,
    RunComparison,
    RunDifference,
    RunMean,
    differing,
    facts_of,
)
from passer.domain.base import digest_of
from passer.domain.run import Evaluation
from passer.domain.score import VECTOR_ORDER
from passer.domain.statistics import ByQuestion, adjusted_p_values, pair_by_question, paired_t_test, stars
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import Collections, EvaluationStore, RunStore, StoredSweep
from passer.services.analysing import chosen_panel
from passer.services.comparability import check_comparable
from passer.services.inspecting import Inspecting
from passer.services.pooling import Pooled, pooled
from passer.services.score_rows import Side, rows_of

DECIMALS = 12
"""Differences that are equal so far are equal."""
FEW = 200
"""Questions that are looked up one by one."""
MOST_RUNS = 20
"""Side by side; more are a sweep's table."""


@dataclass(frozen=True)
class _Sides:
    """Several of them, with the CPS of their common pool."""

    sides: tuple[Side, ...]
    pool: Pooled | None
    no_cps: str | None

    def of(self, metric: str) -> list[ByQuestion]:
        """A metric's values in every run."""
        if metric != CPS:
            return [side.of(metric) for side in self.sides]
        return list(self.pool.by_question) if self.pool else []


@dataclass(frozen=True)
class ComparingRuns:
    """Reads runs of any sweeps and sets them side by side."""

    inspecting: Inspecting
    runs: RunStore
    evaluations: EvaluationStore
    collections: Collections

    def compare(self, run_ids: Sequence[str], *, baseline: str | None = None) -> RunComparison:
        """Means and paired differences; ConflictError where scores do not mean the same, InputError for few runs."""
        sides = self._sides(run_ids)
        base = _place_of(baseline, sides)
        families = [(CPS,), VECTOR_ORDER] if sides.pool else [VECTOR_ORDER]
        return RunComparison(
            runs=tuple(side.run for side in sides.sides),
            sweep_names=tuple(side.sweep.sweep.name for side in sides.sides),
            baseline=sides.sides[base].run.id,
            factors=self._factors(sides.sides),
            metrics=tuple(line for family in families for line in _compared(sides, family, base)),
            panel=sides.pool.panel.name if sides.pool else None,
            pool_rows=sum(int(found.rows.sum()) for found in sides.pool.pools) if sides.pool else 0,
            no_cps=sides.no_cps,
        )

    def changed(
        self,
        run_ids: Sequence[str],
        *,
        of: str,
        baseline: str,
        metric: str = CPS,
        order: ChangeOrder = "change",
        after: int = 0,
        limit: int | None = 50,
    ) -> ChangedPage:
        """The questions of run `of` that differ from the baseline, most changed first; CPS is relative to `run_ids`.

        All from `after` on where `limit` is None.
        """
        if metric not in (CPS, *VECTOR_ORDER):
            raise InputError(f"There is no metric {metric!r}: name CPS or one of the 24 columns.", field="metric")
        sides = self._sides(run_ids)
        here, before = _place_of(of, sides), _place_of(baseline, sides)
        values = sides.of(metric)
        if not values:
            raise InputError(f"There is no CPS here: {sides.no_cps}", field="metric")
        pairs = pair_by_question(values[here], values[before])
        differences = pairs.values - pairs.baseline
        # What subtraction rounds is no change.
        plain = np.round(differences, DECIMALS)
        key = {"change": -np.abs(plain), "rise": -plain, "fall": plain}[order]
        # Equal changes keep the order of the dataset.
        chosen = np.argsort(key, kind="stable")[after : None if limit is None else after + limit]
        items = [
            (pairs.ids[place], float(differences[place]), float(pairs.values[place]), float(pairs.baseline[place]))
            for place in chosen
        ]
        more = after + len(items)
        return ChangedPage(
            items=self._shown(items, sides.sides[here], sides.sides[before]),
            total=len(pairs.ids),
            next=more if more < len(pairs.ids) else None,
        )

    def _sides(self, run_ids: Sequence[str]) -> _Sides:
        chosen = list(dict.fromkeys(run_ids))
        if not 2 <= len(chosen) <= MOST_RUNS:
            raise InputError(f"Choose 2 to {MOST_RUNS} runs to compare: these are {len(chosen)}.", field="run")
        sweeps: dict[str, StoredSweep] = {}
        sides = []
        for run_id in chosen:
            sweep, run = self.inspecting.run(run_id, known=sweeps)
            sides.append(Side(run=run, sweep=sweep, scores=self.evaluations.run_scores(run_id)))
        check_comparable([side.outline for side in sides])
        if not all(side.present.any() for side in sides):
            return _Sides(tuple(sides), None, sentence("problem.not-all-scored"))
        names, models = [side.run.name for side in sides], [side.run.config.model.label for side in sides]
        rows = rows_of(sides, range(len(sides)), names=names, models=models)
        try:
            pool = pooled(rows, panel=chosen_panel(rows, None), scope="all", missing="worst", truncated="keep")
        except InputError as exc:
            return _Sides(tuple(sides), None, exc.message)
        return _Sides(tuple(sides), pool, None)

    def _factors(self, sides: Sequence[Side]) -> tuple[ComparedFactor, ...]:
        there = {collection.name: (collection, documents) for collection, documents in self.collections.list()}
        facts = []
        for side in sides:
            bound, documents = there.get(side.run.config.collection, (None, []))
            held = digest_of(sorted(document.digest for document in documents)) if bound else None
            digest = side.sweep.dataset_digest
            facts.append(facts_of(side.run, dataset_digest=digest, bound=bound, documents=held))
        return differing(facts)

    def _shown(
        self, items: Sequence[tuple[str, float, float, float]], here: Side, before: Side
    ) -> tuple[ChangedQuestion, ...]:
        questions = self.inspecting.questions(here.sweep)
        numbers = {question.id: number for number, question in enumerate(questions)}
        wanted = [numbers[question_id] for question_id, *_ in items]
        ours, theirs = (self._said(side.run.id, wanted) for side in (here, before))
        return tuple(
            ChangedQuestion(
                number=number,
                question=questions[number].text,
                difference=difference,
                here=_side_of(value, ours[number]),
                before=_side_of(base, theirs[number]),
            )
            for number, (_, difference, value, base) in zip(wanted, items, strict=True)
        )

    def _said(self, run_id: str, numbers: Sequence[int]) -> dict[int, tuple[str | None, int]]:
        """Answer and passages kept, by the number of the question."""
        found = {item.number: item for item in self._evaluations(run_id, numbers)}
        answers = self.evaluations.answers([item.answer_key for item in found.values() if item.answer_key])
        texts = {number: answers.get(item.answer_key or "") for number, item in found.items()}
        return {
            number: (text.text if (text := texts[number]) else None, item.kept[1] - item.kept[0])
            for number, item in found.items()
        }

    def _evaluations(self, run_id: str, numbers: Sequence[int]) -> list[Evaluation]:
        """Of these questions: one by one while they are few, else the whole run is read at once."""
        if len(numbers) > FEW:
            wanted = set(numbers)
            stored = self.evaluations.evaluations(run_id, with_scores=False)
            return [evaluation for evaluation in stored if evaluation.number in wanted]
        return [
            evaluation
            for number in numbers
            for evaluation in self.evaluations.evaluations(run_id, after=number - 1, limit=1, with_scores=False)
            if evaluation.number == number
        ]


def _side_of(value: float, said: tuple[str | None, int]) -> QuestionSide:
    return QuestionSide(value=value, answer=said[0], n_kept=said[1])


def _place_of(run_id: str | None, sides: _Sides) -> int:
    """Place of a run; without one, of the first baseline, else the first run."""
    ids = [side.run.id for side in sides.sides]
    if run_id is not None:
        if run_id not in ids:
            raise InputError(f"Run {run_id!r} is not among those compared: add it.", field="baseline")
        return ids.index(run_id)
    return next((place for place, side in enumerate(sides.sides) if side.run.is_baseline), 0)


def _compared(sides: _Sides, family: Sequence[str], base: int) -> list[ComparedMetric]:
    """Lines of one family of comparisons, p values corrected over it."""
    values = {metric: sides.of(metric) for metric in family}
    others = [place for place in range(len(sides.sides)) if place != base]
    cells = [(metric, place) for metric in family for place in others]
    paired = [pair_by_question(values[metric][place], values[metric][base]) for metric, place in cells]
    tests = [paired_t_test(pairs.values, pairs.baseline) for pairs in paired]
    corrected = adjusted_p_values([test.p for test in tests], "holm")
    differences: dict[str, list[RunDifference]] = {metric: [] for metric in family}
    for (metric, place), test, p_holm in zip(cells, tests, corrected, strict=True):
        differences[metric].append(
            RunDifference(
                run_id=sides.sides[place].run.id,
                n_pairs=test.n_pairs,
                difference=test.mean_difference,
                ci=test.ci,
                p=test.p,
                p_holm=p_holm,
                cohens_d=test.cohens_d,
                stars=stars(p_holm),
                reason=test.reason,
            )
        )
    return [
        ComparedMetric(
            metric=metric,
            means=tuple(_mean(side, found) for side, found in zip(sides.sides, values[metric], strict=True)),
            differences=tuple(differences[metric]),
            family_size=len(cells),
        )
        for metric in family
    ]


def _mean(side: Side, found: ByQuestion) -> RunMean:
    return RunMean(
        run_id=side.run.id,
        mean=float(found.values.mean()) if found.values.size else None,
        n=len(found.ids),
        n_missing=len(side.scores.numbers) - len(found.ids),
    )
