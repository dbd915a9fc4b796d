"""A question of a run asked again with another cut: shown beside the recorded answer, and never kept."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.retrieval.cuts import RetrievalPolicy
from passer.domain.retrieval.passages import Ranking
from passer.domain.sweeps.run import AnswerSettings, RunConfig
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.services.pipeline.single_question import AnsweredQuestion, QuestionRunner, Retrieved, SingleQuestion
from passer.services.runs.run_browser import EvaluationDetail, RunBrowser


@dataclass(frozen=True)
class OneOffAnswers:
    """Asks with the run's model, options and prompt, and with the passages that it retrieved."""

    run_browser: RunBrowser
    question_runner: QuestionRunner

    def ask(
        self, run_id: str, number: int, policy: RetrievalPolicy, *, retrieved: Retrieved = lambda _: None
    ) -> AnsweredQuestion:
        """Make one attempt; an answer that is stored for the same prompt is returned without asking the model.

        NotFoundError, ConflictError before the passages are there; GenerationError and UnavailableError as usual.
        """
        detail = self.run_browser.detail(run_id, number)
        if policy.depth and not detail.passages:
            raise ConflictError(sentence("problem.no-passages-yet", number=number))
        sweep = self.run_browser.run(run_id)[0]
        config = detail.run.config.model_copy(update={"retrieval": policy})
        frozen = next((each for each in sweep.templates if each.name == config.prompt), None)
        return self.question_runner.ask_with(
            _asked(detail, config),
            config=config,
            ranking=Ranking(
                passages=detail.passages,
                gold_ids=detail.gold_ids,
                embedding_s=detail.embedding_s,
                retrieval_s=detail.retrieval_s,
            ),
            frozen=frozen,
            model_info=detail.run.model_info,
            language=self.run_browser.dataset(sweep).language,
            metadata=detail.question.metadata,
            stored=self.run_browser.evaluations.answers,
            retrieved=retrieved,
        )


def _asked(detail: EvaluationDetail, config: RunConfig) -> SingleQuestion:
    settings = {name: getattr(config, name) for name in AnswerSettings.model_fields}
    return SingleQuestion(question=detail.question.text, reference=detail.question.reference, **settings)
