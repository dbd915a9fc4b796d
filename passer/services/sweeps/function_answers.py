"""Answers of systems that only one process can ask: functions of a program, and imported files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.models.answer import Prompt
from passer.domain.models.chat import ChatRequest
from passer.domain.retrieval.passages import Ranking
from passer.domain.sweeps.run import Run
from passer.ports import AnswerFact, DatasetStore, EvaluationStore, Fact, PromptFact, StoredSweep
from passer.services.pipeline.answerer import Answerer, answer_to


@dataclass(frozen=True)
class FunctionAnswers:
    """Stores all answers of such systems, after which any process can run the sweep, and finds systems without them."""

    answerer: Answerer
    evaluations: EvaluationStore
    datasets: DatasetStore

    def keep(self, sweep: StoredSweep) -> None:
        """Store the answer to every question of a sweep; only for a process that has its systems."""
        for run in sweep.runs:
            facts: list[Fact] = []
            for request, prompt in self._missing(sweep, run):
                completion = self.answerer.chat_model(request.model).complete(request)
                answer = answer_to(request, completion, strip_thinking=sweep.sweep.config.strip_thinking)
                facts += PromptFact(prompt), AnswerFact(answer)
            self.evaluations.record(facts)

    def lacking(self, sweep: StoredSweep, runs: Sequence[Run]) -> str | None:
        """Return the name of the first system among runs of a sweep without an answer to every question; else None."""
        mine = [run for run in runs if run.config.model.is_function]
        # Each timing run generates new answers, because those of another process have other times.
        is_timed = sweep.sweep.timing is not None
        return next((run.config.model.name for run in mine if is_timed or self._missing(sweep, run)), None)

    def _missing(self, sweep: StoredSweep, run: Run) -> list[tuple[ChatRequest, Prompt]]:
        dataset = self.datasets.load_dataset(sweep.sweep.config.dataset, sweep.dataset_digest)
        found: dict[str, tuple[ChatRequest, Prompt]] = {}
        for question in dataset.questions[: sweep.questions]:
            asked = self.answerer.prepare(question=question.text, config=run.config, ranking=Ranking(passages=()))
            request = self.answerer.request(asked, model_info=run.model_info)
            found[request.key] = request, asked.prompt
        stored = self.evaluations.answers(list(found))
        return [each for key, each in found.items() if key not in stored]
