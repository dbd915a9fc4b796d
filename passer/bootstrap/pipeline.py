"""The services of one question: prompt, answer, scores."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from passer.bootstrap.adapters import Adapters
from passer.domain.score import MetricInfo, Profile
from passer.errors import EncoderUnavailable
from passer.ports import Encoder
from passer.services.pipeline.answerer import Answerer
from passer.services.pipeline.file_scorer import FileScorer
from passer.services.pipeline.retrieval_evaluation import RetrievalEvaluation
from passer.services.pipeline.scorer import MetricScorer
from passer.services.pipeline.single_question import QuestionRunner
from passer.settings import NO_ENCODER


@dataclass(frozen=True)
class Pipeline:
    """Answers and scores single questions; sweeps are made of these parts."""

    adapters: Adapters

    @cached_property
    def answerer(self) -> Answerer:
        """Prompts and answers."""
        return Answerer(
            chat_model=self.adapters.models.chat_model,
            templates=self.adapters.templates,
            address_of=self.adapters.models.address_of,
        )

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
            raise EncoderUnavailable(
                f"{exc.message}, or set PASSER_ENCODER=none to use the text metrics only."
            ) from exc
        return self.scorer.identity

    def _encoder(self) -> Encoder | None:
        return None if self.adapters.settings.encoder == NO_ENCODER else self.adapters.encoder

    @cached_property
    def question_runner(self) -> QuestionRunner:
        """Asks one question outside of any run."""
        return QuestionRunner(answerer=self.answerer, collections=self.adapters.collections, scorer=self.scorer)

    @cached_property
    def retrieval_evaluation(self) -> RetrievalEvaluation:
        """Compares retrievers without asking a model."""
        return RetrievalEvaluation(datasets=self.adapters.datasets, collections=self.adapters.collections)

    @cached_property
    def file_scorer(self) -> FileScorer:
        """Scores a file of answers that another system gave."""
        from passer.adapters.tables import table_writers

        return FileScorer(readers=self.adapters.table_readers, writers=table_writers(), scorer=self.scorer)

    def metrics(self, profile: Profile) -> tuple[MetricInfo, ...]:
        """Return the description of each metric, in vector order."""
        return metric_infos(profile)


def metric_infos(profile: Profile) -> tuple[MetricInfo, ...]:
    """Return the description of each metric, in vector order."""
    from passer.metrics import infos

    return tuple(infos(profile))
