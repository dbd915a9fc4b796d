"""Rankings, prompts, answers and scores in memory: the part of the fake store that a sweep writes."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.models.answer import Answer, Prompt
from passer.domain.retrieval.passages import Ranking
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.score import VECTOR_ORDER, Score, ScoreTable
from passer.domain.sweeps.run import PROMPT_TOO_LONG, Evaluation
from passer.domain.wording.sentence import code_of
from passer.ports import (
    AnswerFact,
    BareRanking,
    EvaluationFact,
    Fact,
    Outcome,
    PairFact,
    PromptFact,
    RankingFact,
    RunScores,
    SearchAddress,
    SharedRanking,
)


class MemoryEvaluations:
    """The facts of sweeps, on dicts."""

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[SearchAddress, Ranking] = {}
        self._rankings: dict[tuple[str, RankedBy, str], RankingFact] = {}
        self._prompts: dict[str, Prompt] = {}
        self._answers: dict[str, Answer] = {}
        self._pairs: dict[str, dict[str, Score]] = {}
        self._scoring_s: dict[str, float] = {}
        self._evaluations: dict[tuple[str, int], Evaluation] = {}
        self.commits: list[list[Fact]] = []

    def record(self, facts: Sequence[Fact]) -> None:
        self.commits.append(list(facts))
        for fact in facts:
            match fact:
                case RankingFact():
                    self._rankings.setdefault((fact.sweep_id, fact.ranked_by, fact.question_id), fact)
                    if fact.at and not fact.reused:
                        self._found.setdefault(fact.at, fact.ranking.model_copy(update={"gold_ids": None}))
                case PromptFact(prompt=prompt):
                    self._prompts.setdefault(prompt.digest, prompt)
                case AnswerFact(answer=answer):
                    self._answers.setdefault(answer.key, answer)
                case PairFact(key=key, scores=scores):
                    self._pairs.setdefault(key, dict(scores))
                    self._scoring_s.setdefault(key, fact.scoring_s)
                case EvaluationFact(evaluation=evaluation):
                    key = (evaluation.run_id, evaluation.number)
                    if key not in self._evaluations or self._evaluations[key].state != "scored":
                        self._evaluations[key] = evaluation

    def scored_otherwise(self, evaluation: Evaluation, pair_key: str | None) -> None:
        """Give a scored question the scores of another pair, as nobody but the owner of a store can."""
        place = (evaluation.run_id, evaluation.number)
        self._evaluations[place] = evaluation.model_copy(update={"pair_key": pair_key})

    def evaluations(
        self,
        run_id: str,
        *,
        after: int = -1,
        limit: int | None = None,
        with_scores: bool = True,
        failed_only: bool = False,
    ) -> list[Evaluation]:
        mine = [e for (run, number), e in list(self._evaluations.items()) if run == run_id and number > after]
        wanted = (e for e in mine if e.state == "failed" or not failed_only)
        found = sorted(wanted, key=lambda evaluation: evaluation.number)
        return [
            evaluation.model_copy(
                update={"scores": self._pairs.get(evaluation.pair_key or "") if with_scores else None}
            )
            for evaluation in found[:limit]
        ]

    def evaluations_of_question(self, run_ids: Sequence[str], number: int) -> list[Evaluation]:
        found = (self._evaluations.get((run_id, number)) for run_id in run_ids)
        return [evaluation.model_copy(update={"scores": None}) for evaluation in found if evaluation]

    def run_scores(self, run_id: str) -> RunScores:
        done = [item for item in self.evaluations(run_id) if item.state in ("scored", "failed")]
        failed = dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="generation_failed"))
        lacking = dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="not_requested"))
        rows = [lacking | item.scores if item.scores else failed for item in done]
        table = ScoreTable.of([item.question_id for item in done], rows)
        return RunScores(numbers=tuple(item.number for item in done), table=table)

    def outcomes(self, run_id: str) -> list[Outcome]:
        return [self._outcome(evaluation) for evaluation in self.evaluations(run_id, with_scores=False)]

    def _outcome(self, evaluation: Evaluation) -> Outcome:
        answer = self._answers.get(evaluation.answer_key or "")
        return Outcome(
            number=evaluation.number,
            question_id=evaluation.question_id,
            state=evaluation.state,
            kept=evaluation.kept,
            prompt_digest=evaluation.prompt_digest,
            abstained=answer and answer.abstained,
            truncated=answer and answer.truncated,
            generation_s=answer and answer.generation_s,
            prompt_tokens=answer and answer.timings.prompt_eval_count,
            output_tokens=answer and answer.timings.eval_count,
            read_tokens=answer and answer.timings.read_count,
            is_too_long=code_of(evaluation.reason or "") in PROMPT_TOO_LONG,
        )

    def rankings(
        self, sweep_id: str, ranked_by: RankedBy, question_ids: Sequence[str] | None = None
    ) -> dict[str, Ranking]:
        return {
            question: fact.ranking
            for (sweep, source, question), fact in list(self._rankings.items())
            if (sweep, source) == (sweep_id, ranked_by) and (question_ids is None or question in question_ids)
        }

    def ranked_questions(self, sweep_id: str, ranked_by: RankedBy) -> set[str]:
        return {question for sweep, source, question in self._rankings if (sweep, source) == (sweep_id, ranked_by)}

    def found_rankings(self, source: str, questions: Sequence[str], *, depth: int) -> dict[str, SharedRanking]:
        found = {}
        for at in sorted(self._found, key=lambda at: -at.depth):
            if at.source == source and at.question in questions and at.depth >= depth:
                ranking = self._found[at]
                found[at.question] = SharedRanking(
                    at, ranking.model_copy(update={"passages": ranking.passages[:depth]})
                )
        return found

    def bare_rankings(
        self, sweep_id: str, ranked_by: RankedBy, question_ids: Sequence[str] | None = None
    ) -> dict[str, BareRanking]:
        return {
            question: BareRanking(
                tuple((passage.id, passage.similarity) for passage in ranking.passages),
                ranking.gold_ids,
                ranking.embedding_s,
                ranking.retrieval_s,
                ranking.rewriting,
            )
            for question, ranking in self.rankings(sweep_id, ranked_by, question_ids).items()
        }

    def answers(self, keys: Sequence[str]) -> dict[str, Answer]:
        return {key: self._answers[key] for key in keys if key in self._answers}

    def pairs(self, keys: Sequence[str]) -> dict[str, dict[str, Score]]:
        return {key: self._pairs[key] for key in keys if key in self._pairs}

    def scoring_times(self, keys: Sequence[str]) -> dict[str, float]:
        return {key: self._scoring_s[key] for key in keys if key in self._scoring_s}

    def prompt(self, digest: str) -> Prompt | None:
        return self._prompts.get(digest)
