"""The services of one question: prompt, answer, scores."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

from passer.bootstrap.adapters import Adapters
from passer.domain.score import MetricInfo, Profile
from passer.domain.wording.sentence import sentence
from passer.errors import EncoderUnavailable
from passer.metrics import MetricScorer
from passer.ports import Encoder, Workers
from passer.services.judging.recipe_runner import PassageJudges, QuestionRewriters, RecipeRunner
from passer.services.judging.tools import JudgingTools
from passer.services.pipeline.answerer import Answerer
from passer.services.pipeline.file_scorer import FileScorer
from passer.services.pipeline.ranker import Ranker
from passer.services.pipeline.retrieval_evaluation import RetrievalEvaluation
from passer.services.pipeline.single_question import QuestionRunner, TracedQuestions
from passer.settings import NO_ENCODER

if TYPE_CHECKING:
    from passer.engines.limits import EndpointLimits
    from passer.engines.local import LocalEngine


@dataclass(frozen=True)
class Pipeline:
    """Answers and scores single questions; sweeps use these parts."""

    adapters: Adapters
    shared: Pipeline | None = None
    """Pipeline of the default project, whose limits of requests all projects share; None there."""
    _building: Any = field(default_factory=RLock, init=False, repr=False, compare=False)

    @cached_property
    def answerer(self) -> Answerer:
        return Answerer(
            chat_model=self.adapters.models.chat_model,
            templates=self.adapters.templates,
            address_of=self.adapters.models.address_of,
            text_rules_of=lambda name: self.adapters.collections.open(name).collection.text_rules,
            ranker=self.ranker,
        )

    @cached_property
    def ranker(self) -> Ranker:
        return Ranker(QuestionRewriters(self.recipes), self.adapters.cross_encoders, PassageJudges(self.recipes))

    @cached_property
    def recipes(self) -> RecipeRunner:
        """Runs recipes whose results somebody waits for."""
        return RecipeRunner(
            tools=JudgingTools(
                judgements=self.adapters.judgements,
                evaluations=self.adapters.evaluations,
                engine=lambda: self._asking_engine,
                clock=self.adapters.clock,
            ),
            # Functions, not values: the answerer is built from the ranker, which needs this runner.
            describe=lambda model: self.answerer.describe(model),
            located=lambda model: self.answerer.located(model),
        )

    @cached_property
    def _asking_engine(self) -> LocalEngine:
        """Asks the models of retrievers, in this process."""
        from passer.engines.local import LocalEngine

        workers = Workers(chat_model=self.adapters.models.chat_model, scorer=self.scorer.fresh)
        engine = LocalEngine(lambda: workers, limits=self.shared_limits())
        return self.adapters.resources.enter_context(closing(engine))

    def shared_limits(self) -> EndpointLimits:
        """Return the limits of requests in flight at each endpoint, which all work of this process shares."""
        if self.shared:
            return self.shared.shared_limits()
        # The lock keeps threads that begin at the same moment from building one each; cached_property does not lock.
        with self._building:
            return self._limits

    @cached_property
    def _limits(self) -> EndpointLimits:
        from passer.engines.limits import EndpointLimits

        return EndpointLimits(self.adapters.settings.concurrency)

    @cached_property
    def scorer(self) -> MetricScorer:
        """The 24 metrics; only the text metrics have values where the embedded encoder is not installed."""
        from passer.adapters.wordnet import find_wordnet

        encoder = None
        with suppress(EncoderUnavailable):
            encoder = self._encoder()
        return MetricScorer(encoder=encoder, wordnet=find_wordnet(self.adapters.settings.wordnet))

    def identity_for_sweeps(self) -> Mapping[str, str]:
        """Return the identity of the scorer; EncoderUnavailable if the encoder is not installed and not switched off.

        A file scored without an encoder shows at once that columns are empty; a sweep would show it after hours.
        """
        try:
            self._encoder()
        except EncoderUnavailable as exc:
            raise EncoderUnavailable(sentence("vectors.or-none", problem=exc.message)) from exc
        return self.scorer.identity

    def _encoder(self) -> Encoder | None:
        return None if self.adapters.settings.encoder == NO_ENCODER else self.adapters.encoder

    @cached_property
    def question_runner(self) -> QuestionRunner:
        """Asks one question outside of any run."""
        traces = self.adapters.traces
        if traces is None:
            return QuestionRunner(answerer=self.answerer, collections=self.adapters.collections, scorer=self.scorer)
        return TracedQuestions(
            answerer=self.answerer,
            collections=self.adapters.collections,
            scorer=self.scorer,
            traces=traces,
            clock=self.adapters.clock,
        )

    @cached_property
    def retrieval_evaluation(self) -> RetrievalEvaluation:
        return RetrievalEvaluation(
            datasets=self.adapters.datasets,
            collections=self.adapters.collections,
            ranker=self.ranker,
            inputs=self.adapters.retrieval_inputs,
            ratings=self.adapters.labels.rated,
        )

    @cached_property
    def file_scorer(self) -> FileScorer:
        """Scores a file of answers that another system gave."""
        from passer.adapters.tables import table_writers

        return FileScorer(readers=self.adapters.table_readers, writers=table_writers(), scorer=self.scorer)

    def metrics(self, profile: Profile) -> tuple[MetricInfo, ...]:
        return metric_infos(profile)


def metric_infos(profile: Profile) -> tuple[MetricInfo, ...]:
    """Return the description of each metric, in vector order."""
    from passer.metrics import infos

    return tuple(infos(profile))
