"""Rows of a stored sweep, as an analysis reads them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from passer.domain.analysis.effort import AnswerEffort
from passer.domain.analysis.question_across import KeptRanks
from passer.domain.analysis.run_rows import EvaluatedQuestion, RunRows
from passer.domain.collector import uncollected
from passer.domain.figures.figure import Figure
from passer.domain.figures.of_similarity import similarity_figure
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.score import ScoreRow
from passer.domain.statistics import Floats
from passer.domain.sweeps.run import Evaluation, Run
from passer.ports import BareRanking, EvaluationStore, Outcome, StoredSweep
from passer.services.runs.score_rows import outline_of


def rows_of(sweep: StoredSweep, evaluations: EvaluationStore) -> list[RunRows]:
    """Return the runs of a sweep with their questions."""
    # Searching among a million new values takes half of the time, and finds nothing.
    with uncollected():
        rankings = bare_rankings(sweep, evaluations)
        return [_rows(sweep, run, rankings[run.config.ranked_by], evaluations) for run in sweep.runs]


def bare_rankings(sweep: StoredSweep, evaluations: EvaluationStore) -> dict[RankedBy, dict[str, BareRanking]]:
    """Return the rankings that the sweep cuts, without texts, by question."""
    return {each: evaluations.bare_rankings(sweep.id, each) for each in ranked_by(sweep)}


def similarities_of(sweep: StoredSweep, evaluations: EvaluationStore) -> dict[str, Floats]:
    """Return the similarities of all retrieved passages of a sweep, by collection, shape (n,)."""
    found: dict[str, list[float]] = {}
    for each, rankings in bare_rankings(sweep, evaluations).items():
        near = (similarity for ranking in rankings.values() for _, similarity in ranking.passages)
        found.setdefault(each.collection, []).extend(near)
    return {name: np.array(values) for name, values in found.items()}


def similarity_figures(sweep: StoredSweep, evaluations: EvaluationStore) -> tuple[Figure, ...]:
    """Return the similarities of gold and other passages, a figure for each collection."""
    thresholds = [
        policy.min_similarity for run in sweep.runs if isinstance(policy := run.config.retrieval, ScorePolicy)
    ]
    figures = (
        similarity_figure(
            ((ranking.passages, ranking.gold_ids) for ranking in rankings.values()),
            collection=each.collection,
            thresholds=thresholds,
        )
        for each, rankings in bare_rankings(sweep, evaluations).items()
    )
    return tuple(figure for figure in figures if figure)


def ranked_by(sweep: StoredSweep) -> list[RankedBy]:
    """Return every collection and retriever of the sweep, in the order of its runs."""
    return list(dict.fromkeys(run.config.ranked_by for run in sweep.runs))


def kept_ranks(
    sweep: StoredSweep, question: str, reached: Mapping[str, Evaluation], evaluations: EvaluationStore
) -> dict[str, KeptRanks]:
    """Return where each run cut its ranking of a question, by run; without runs that have no ranking."""
    rankings = {each: evaluations.bare_rankings(sweep.id, each, (question,)) for each in ranked_by(sweep)}
    found = ((run.id, rankings[run.config.ranked_by].get(question)) for run in sweep.runs if run.id in reached)
    return {
        run: KeptRanks(retrieved=len(ranking.ids), kept=reached[run].kept, gold=ranking.gold_found)
        for run, ranking in found
        if ranking
    }


def _rows(sweep: StoredSweep, run: Run, ranked: Mapping[str, BareRanking], evaluations: EvaluationStore) -> RunRows:
    # Read scores last: what is scored meanwhile is seen next time.
    outcomes, scores = evaluations.outcomes(run.id), evaluations.run_scores(run.id)
    rows = dict(zip(scores.numbers, scores.table.score_rows(), strict=True))
    read = {
        "sweep_name": sweep.name,
        "conditions": _conditions(run),
        "questions": tuple(_evaluated(each, ranked.get(each.question_id), rows.get(each.number)) for each in outcomes),
        "planned": sweep.questions,
    }
    return outline_of(run, sweep).model_copy(update=read)


def _conditions(run: Run) -> dict[str, str]:
    """Return the server's description of the model; its name is in the configuration."""
    if run.model_info is None:
        return {}
    reported = run.model_info.model_dump(mode="json", exclude={"name"}, exclude_none=True)
    return {f"model_{name}": str(value) for name, value in reported.items()}


def _evaluated(outcome: Outcome, ranking: BareRanking | None, scores: ScoreRow | None) -> EvaluatedQuestion:
    return EvaluatedQuestion(
        question_id=outcome.question_id,
        state=outcome.state,
        scores=scores if outcome.state == "scored" else None,
        retrieval=_retrieval(outcome, ranking),
        truncated=outcome.truncated,
        prompt_digest=outcome.prompt_digest,
        effort=_effort(outcome) if outcome.generation_s else None,
        is_too_long=outcome.is_too_long,
    )


def _retrieval(outcome: Outcome, ranking: BareRanking | None) -> QuestionRetrieval:
    first, last = outcome.kept
    if ranking is None:
        # An external system reports how many passages it used; their ranks are unknown.
        return QuestionRetrieval(kept=last - first, abstained=outcome.abstained)
    kept = min(first, len(ranking.ids)), min(last, len(ranking.ids))
    gold = None if ranking.gold_ids is None else len(set(ranking.gold_ids))
    return QuestionRetrieval.of_cut(kept, ranking.gold_found, gold, abstained=outcome.abstained)


def _effort(outcome: Outcome) -> AnswerEffort:
    return AnswerEffort(
        generation_s=outcome.generation_s or 0.0,
        prompt_tokens=outcome.prompt_tokens,
        output_tokens=outcome.output_tokens,
        read_tokens=outcome.read_tokens,
    )
