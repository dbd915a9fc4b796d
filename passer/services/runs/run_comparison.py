"""Runs side by side by question: means, paired differences, differing settings, questions that changed most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from passer.domain.analysis.composites import composed
from passer.domain.analysis.question_table import QuestionTable
from passer.domain.analysis.run_comparison import (
    ChangedPage,
    ChangedQuestion,
    ChangeOrder,
    ComparedFactor,
    ComparedMetric,
    QuestionSide,
    RunComparison,
    differing,
    facts_of,
    with_distinct_names,
)
from passer.domain.analysis.score_rows import ScoreRows
from passer.domain.base import digest_of
from passer.domain.composite import CPS
from passer.domain.dataset import Question, weights_of
from passer.domain.score import VECTOR_ORDER
from passer.domain.sweeps.run import Evaluation
from passer.domain.verdict.verdict import FEWEST_CLUSTERS, FEWEST_PAIRS
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import ConflictError, InputError
from passer.ports import Collections, EvaluationStore, RunStore, StoredSweep
from passer.services.analysis.comparability import check_comparable, check_ended
from passer.services.analysis.pooling import rules_of
from passer.services.analysis.verdict.question_clusters import clusters_of
from passer.services.runs.compared_metrics import ScoredRuns, compared, plain
from passer.services.runs.run_browser import RunBrowser
from passer.services.runs.score_rows import ScoredRun, stacked

FEW = 200
"""Questions that are read one by one."""
MOST_POOLED = 100_000
"""Evaluations of a sweep whose other runs are read for the pool: about 1 s the first time, and half of what the store
keeps in memory of finished runs. Runs of larger sweeps are compared on the pool of the compared runs."""
MOST_RUNS = 20
"""Side by side; more are a sweep's table."""


@dataclass(frozen=True)
class RunComparer:
    """Reads runs of any sweeps and sets them side by side."""

    run_browser: RunBrowser
    runs: RunStore
    evaluations: EvaluationStore
    collections: Collections

    def compare(self, run_ids: Sequence[str], *, baseline: str | None = None) -> RunComparison:
        """Return means and paired differences; InputError for one run.

        ConflictError before the sweeps have ended, and if scores cannot be compared.
        """
        sides = self._sides(run_ids)
        base = _place_of(baseline, sides)
        made = sides.composites
        families = [(CPS,), VECTOR_ORDER] if made else [VECTOR_ORDER]
        clusters = clusters_of(self._questions(sides.sides), "declared")
        metrics = tuple(line for family in families for line in compared(sides, family, base, clusters))
        return RunComparison(
            runs=with_distinct_names([(side.run, side.sweep.name) for side in sides.sides]),
            sweep_names=tuple(side.sweep.name for side in sides.sides),
            baseline=sides.sides[base].run.id,
            factors=self._factors(sides.sides),
            metrics=metrics,
            panel=made.panel.name if made else None,
            pool_rows=sum(int(pool.rows.sum()) for pool in made.pools) if made else 0,
            pool=sides.pool,
            no_cps=sides.no_cps,
            too_few=_too_few(metrics),
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
        """Return questions of run `of` that differ from the baseline, largest first; CPS is relative to `run_ids`.

        All from `after` on where `limit` is None.
        """
        if metric not in (CPS, *VECTOR_ORDER):
            raise InputError(sentence("analysis.no-metric", metric=metric), field="metric")
        sides = self._sides(run_ids)
        here, before = _place_of(of, sides), _place_of(baseline, sides)
        table, column = sides.of(metric)
        pairs = table.pairs(here, before, column)
        differences = pairs.differences
        change = plain(differences)
        key = {"change": -np.abs(change), "rise": -change, "fall": change}[order]
        # Equal changes keep the order of the dataset.
        chosen = np.argsort(key, kind="stable")[after : None if limit is None else after + limit]
        items = [
            (
                table.ids[pairs.questions[place]],
                float(differences[place]),
                float(pairs.values[place]),
                float(pairs.baseline[place]),
            )
            for place in chosen
        ]
        more = after + len(items)
        return ChangedPage(
            items=self._shown(items, sides.sides[here], sides.sides[before]),
            total=differences.size,
            next=more if more < differences.size else None,
        )

    def _sides(self, run_ids: Sequence[str]) -> ScoredRuns:
        chosen = list(dict.fromkeys(run_ids))
        if not 2 <= len(chosen) <= MOST_RUNS:
            raise InputError(sentence("analysis.run-count", most=MOST_RUNS, count=len(chosen)), field="run")
        sweeps: dict[str, StoredSweep] = {}
        sides = []
        for run_id in chosen:
            sweep, run = self.run_browser.run(run_id, known=sweeps)
            check_ended(sweep)
            sides.append(ScoredRun(run=run, sweep=sweep, scores=self.evaluations.run_scores(run_id)))
        check_comparable([side.outline for side in sides])
        rows = self._stacked(sides)
        scores = QuestionTable.of_scores(rows)
        if not all(side.present.any() for side in sides):
            return ScoredRuns(tuple(sides), scores, None, sentence("problem.not-all-scored"))
        others = self._others(sides)
        pool = [*sides, *others]
        if others:
            rows = self._stacked(pool)
        try:
            found = composed(rows, rules_of(rows, [side.outline for side in pool]))
        except InputError as exc:
            return ScoredRuns(tuple(sides), scores, None, exc.message)
        is_whole = len({side.sweep.id for side in sides}) == 1 and len(pool) == len(sides[0].sweep.runs)
        return ScoredRuns(tuple(sides), scores, found, None, "sweep" if others or is_whole else "runs")

    def _stacked(self, sides: Sequence[ScoredRun]) -> ScoreRows:
        return stacked(sides, weights_of(self._questions(sides)))

    def _questions(self, sides: Sequence[ScoredRun]) -> Sequence[Question]:
        # Runs that can be compared have one dataset, of which one may have asked more than another.
        return self.run_browser.questions(max((side.sweep for side in sides), key=_size))

    def _others(self, sides: Sequence[ScoredRun]) -> list[ScoredRun]:
        """Return the other scored runs of the only sweep, whose pool these runs keep: one run has one CPS there.

        None for runs of several sweeps, for a sweep whose scores would take seconds to read, and where its runs were
        scored differently.
        """
        sweep = sides[0].sweep
        if len({side.sweep.id for side in sides}) > 1 or _size(sweep) * len(sweep.runs) > MOST_POOLED:
            return []
        chosen = {side.run.id for side in sides}
        found = [
            ScoredRun(run=run, sweep=sweep, scores=self.evaluations.run_scores(run.id))
            for run in sweep.runs
            if run.id not in chosen
        ]
        found = [side for side in found if side.present.any()]
        try:
            check_comparable([side.outline for side in (*sides, *found)])
        except ConflictError:
            return []
        return found

    def _factors(self, sides: Sequence[ScoredRun]) -> tuple[ComparedFactor, ...]:
        there = {collection.name: (collection, documents) for collection, documents in self.collections.list()}
        facts = []
        for side in sides:
            bound, documents = there.get(side.run.config.collection, (None, []))
            held = digest_of(sorted(document.digest for document in documents)) if bound else None
            digest = side.sweep.dataset_digest
            facts.append(facts_of(side.run, dataset_digest=digest, bound=bound, documents=held))
        return differing(facts)

    def _shown(
        self, items: Sequence[tuple[str, float, float, float]], here: ScoredRun, before: ScoredRun
    ) -> tuple[ChangedQuestion, ...]:
        questions = self.run_browser.questions(here.sweep)
        numbers = {question.id: number for number, question in enumerate(questions)}
        wanted = [numbers[question_id] for question_id, *_ in items]
        ours, theirs = (self._answers(side.run.id, wanted) for side in (here, before))
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

    def _answers(self, run_id: str, numbers: Sequence[int]) -> dict[int, tuple[str | None, int]]:
        """Answer and passages kept, by the number of the question."""
        found = {item.number: item for item in self._evaluations(run_id, numbers)}
        answers = self.evaluations.answers([item.answer_key for item in found.values() if item.answer_key])
        texts = {number: answers.get(item.answer_key or "") for number, item in found.items()}
        return {
            number: (text.text if (text := texts[number]) else None, item.kept[1] - item.kept[0])
            for number, item in found.items()
        }

    def _evaluations(self, run_id: str, numbers: Sequence[int]) -> list[Evaluation]:
        """Read the evaluations of these questions: one by one while they are few, else the whole run at once."""
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


def _size(sweep: StoredSweep) -> int:
    return sweep.questions


def _place_of(run_id: str | None, sides: ScoredRuns) -> int:
    """Return the position of a run; without one that of the first baseline, else of the first run."""
    ids = [side.run.id for side in sides.sides]
    if run_id is not None:
        if run_id not in ids:
            raise InputError(sentence("analysis.not-compared", run=run_id), field="baseline")
        return ids.index(run_id)
    return next((place for place, side in enumerate(sides.sides) if side.run.is_baseline), 0)


def _too_few(metrics: Sequence[ComparedMetric]) -> Sentence | None:
    """Return the note that too few questions decide nothing, if some difference has no more; see `decided`."""
    differences = [each for line in metrics for each in line.differences]
    if not any(not each.stars and (each.p is not None or each.n_pairs < FEWEST_PAIRS) for each in differences):
        return None
    return sentence("compare.too-few", pairs=FEWEST_PAIRS, clusters=FEWEST_CLUSTERS)
