"""Answering of a question with its ranking: the cut, the prompt, the request, and all steps for a single question."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from passer.domain.base import Frozen, digest_of
from passer.domain.lru_cache import LruCache
from passer.domain.models.answer import Answer, Prompt, answer_key
from passer.domain.models.chat import ChatRequest, Completion, Message, PromptSource
from passer.domain.models.generation import abstention, answer_of, estimate_tokens, located, served, window_of
from passer.domain.models.model import Model, ModelInfo
from passer.domain.models.outside import NOTHING
from passer.domain.retrieval.passages import Ranking, RetrievedPassage
from passer.domain.sweeps.run import RunConfig
from passer.domain.texts.search_words import TextRules
from passer.domain.texts.sentence_ends import is_of_other_scripts
from passer.ports import ChatModel, PassageIndex, PromptTemplate, PromptTemplates
from passer.services.pipeline.ranker import WITHOUT_MODELS, Ranker

DESCRIBED_FOR_S = 60.0
"""Seconds for which a model's description is cached if a run has none."""
MOST_DESCRIBED = 256


class PromptSize(Frozen):
    """A prompt measured before it is sent."""

    tokens: int
    """Estimate, with a margin to the safe side."""
    window: int
    """Tokens that prompt and answer share."""
    num_predict: int
    """Tokens of these that are set aside for the answer."""

    @property
    def fits(self) -> bool:
        """Return whether prompt and longest answer fit together; if not, the answer records what was cut."""
        return self.tokens + self.num_predict <= self.window


class Prepared(Frozen):
    """One question with its passages and prompt, before the model is asked."""

    ranking: Ranking
    """Ranking of the index."""
    kept: tuple[int, int]
    """Places [first, last) of the ranking that the policy kept."""
    passages: tuple[RetrievedPassage, ...]
    """The passages at these places."""
    prompt: Prompt | None
    """Prompt of the model; None if no model was asked."""
    size: PromptSize | None
    """The prompt, measured before it was sent."""


class AnsweredPrompt(Prepared):
    """One question with its passages, prompt and answer."""

    answer: Answer
    """Answer of the model, or the fixed abstention."""
    is_stored: bool = False
    """True if the answer was stored before, so that no model was asked."""


@dataclass(frozen=True)
class PreparedQuestion:
    """A question under one configuration: the passages it keeps, its prompt, and the answer where none is asked for."""

    question: str
    config: RunConfig
    kept: tuple[int, int]
    """Places [first, last) of the ranking that the policy keeps."""
    passages: tuple[RetrievedPassage, ...]
    """The passages at these places."""
    template: Callable[[], PromptTemplate]
    """The template of the prompt, loaded when the prompt is rendered."""
    metadata: Mapping[str, str] | None
    """Other columns of the dataset for this question."""

    @cached_property
    def fixed_answer(self) -> Answer | None:
        """Return the abstention if no passage was kept and the run abstains; None if the model must be called.

        Without retrieval (the closed-book configuration) the model is always asked: there were no passages to keep.
        """
        config = self.config
        asks = bool(self.passages) or config.retrieval.mode == "none" or config.no_passages == "ask"
        return None if asks else abstention()

    @cached_property
    def prompt(self) -> Prompt:
        """Return question and passages as messages; without passages, only the question.

        An external system receives the question only.
        """
        if self.config.model.is_outside:
            question = Message(role="user", content=self.question)
            return Prompt(template=NOTHING, template_digest=digest_of(""), messages=(question,))
        template = self.template()
        passages = self.config.in_prompt(self.passages)
        messages = template.render(question=self.question, passages=passages, metadata=self.metadata)
        return Prompt(template=template.name, template_digest=template.digest, messages=messages)

    @cached_property
    def tokens(self) -> int:
        """Return an upper estimate of the tokens of the prompt."""
        return estimate_tokens(self.prompt.messages)

    def size(self, context_length: int | None) -> PromptSize:
        """Return the prompt's size against the window of a model with this context length."""
        options = self.config.options
        window = window_of(options, context_length)
        return PromptSize(tokens=self.tokens, window=window, num_predict=options.num_predict)


@dataclass(frozen=True)
class Answerer:
    """Prepares questions, builds requests and, for a single question, asks."""

    chat_model: Callable[[Model], ChatModel]
    """The client of a model; the same model gives the same client."""
    templates: PromptTemplates
    """The available prompt templates."""
    address_of: Callable[[Model], str | None] = lambda _: None
    """Server address of a model that names none itself."""
    text_rules_of: Callable[[str], TextRules] = lambda _: 1
    """Rules by which the texts of a collection are cut into sentences."""
    ranker: Ranker = WITHOUT_MODELS
    """Ranks passages for questions."""
    monotonic: Callable[[], float] = time.monotonic
    """Seconds."""
    load: Callable[[str], PromptTemplate] | None = None
    """Returns the template of a name; None reads its file as it is now."""

    @cached_property
    def _described(self) -> LruCache[Model, ModelInfo]:
        return LruCache(MOST_DESCRIBED, max_age_s=DESCRIBED_FOR_S, monotonic=self.monotonic)

    def describe(self, model: Model) -> ModelInfo:
        """Return the server's report on a model, at most a minute old.

        Raises ModelNotFoundError if the server does not have it, and GeneratorUnavailable if it does not answer.
        """
        return self._described.get_or_compute(model, lambda: self.chat_model(self.located(model)).describe(model))

    def located(self, model: Model) -> Model:
        """Return the model with the address that will be used."""
        return model if model.base_url else located(model, base_url=self.address_of(model))

    def for_sweep(self) -> Answerer:
        """Return an answerer that finds the address of each model once, and each template once."""
        # The address of a connection takes a query, and a template a look into its folder.
        return replace(
            self,
            address_of=cache(self.address_of),
            text_rules_of=cache(self.text_rules_of),
            load=cache(self.templates.load),
        )

    def prepare(
        self,
        *,
        question: str,
        config: RunConfig,
        ranking: Ranking,
        template: PromptTemplate | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> PreparedQuestion:
        """Cut a ranking for a configuration. `template` is the sweep's version; None uses the current file."""
        places = ranking.cut(config.retrieval)
        return PreparedQuestion(
            question=question,
            config=config,
            kept=(places.start, places.stop),
            passages=ranking.passages[places.start : places.stop],
            template=lambda: template or (self.load or self.templates.load)(config.prompt),
            metadata=metadata,
        )

    def key(self, prompt: Prompt, *, config: RunConfig, model_info: ModelInfo) -> str:
        """Return the content address of the answer to a prompt under a configuration."""
        return answer_key(
            model=self.located(config.model),
            model_digest=model_info.digest,
            options=config.options,
            prompt=prompt,
            repeat=config.repeat,
            answers=config.answers,
            served=served(model_info, config.options),
            text_rules=self._text_rules(prompt, config),
        )

    def _text_rules(self, prompt: Prompt, config: RunConfig) -> TextRules:
        """Return the rules by which the passages of a prompt are split; the first version if later ones split alike.

        Only a reader that copies sentences depends on them: any other model reads the prompt.
        """
        if config.model.provider != "extractive" or config.retrieval.mode == "none":
            return 1
        is_cut = any(is_of_other_scripts(message.content) for message in prompt.messages)
        return self.text_rules_of(config.collection) if is_cut else 1

    def request(self, prepared: PreparedQuestion, *, model_info: ModelInfo | None = None) -> ChatRequest:
        """Return the request with its content address; `model_info` is the run's, or what the server reports now."""
        config = prepared.config
        info = model_info or self.describe(config.model)
        collection = config.collection if prepared.passages else ""
        return ChatRequest(
            key=self.key(prepared.prompt, config=config, model_info=info),
            messages=prepared.prompt.messages,
            model=self.located(config.model),
            model_digest=info.digest,
            engine=info.engine if served(info, config.options) else None,
            options=config.options,
            # Repeatable answers are asked alone: every engine computes other logits for other batches (decision 010).
            shares=config.answers == "fast",
            source=PromptSource(
                question=prepared.question, passages=config.in_prompt(prepared.passages), collection=collection
            ),
        )

    def ask(
        self,
        *,
        question: str,
        config: RunConfig,
        index: PassageIndex | None,
        prepared: Callable[[Prepared], None] = lambda _: None,
    ) -> AnsweredPrompt:
        """Retrieve, build the prompt and answer one question, in one attempt.

        `index` may be None for the closed-book arm; `prepared` is called before the model. Raises GenerationError if
        the model gives no answer, GeneratorUnavailable or IndexUnavailable if a server does not answer.
        """
        depth = config.retrieval.depth
        ranking = Ranking(passages=())
        if index is not None and depth:
            [ranking] = self.ranker.rank(index, config.retriever, [question], depth)
        return self.ask_with(question=question, config=config, ranking=ranking, prepared=prepared)

    def ask_with(
        self,
        *,
        question: str,
        config: RunConfig,
        ranking: Ranking,
        template: PromptTemplate | None = None,
        metadata: Mapping[str, str] | None = None,
        model_info: ModelInfo | None = None,
        prepared: Callable[[Prepared], None] = lambda _: None,
        stored: Callable[[Sequence[str]], Mapping[str, Answer]] = lambda _: {},
    ) -> AnsweredPrompt:
        """Answer one question with passages that were retrieved before; template and model may be those of a run.

        `stored` returns stored answers by key; these are not asked for again.
        """
        cut = self.prepare(question=question, config=config, ranking=ranking, template=template, metadata=metadata)
        asks = cut.fixed_answer is None
        info = (model_info or self.describe(config.model)) if asks else None
        found = Prepared(
            ranking=ranking,
            kept=cut.kept,
            passages=cut.passages,
            prompt=cut.prompt if asks else None,
            size=cut.size(info.context_length) if info else None,
        )
        prepared(found)
        if cut.fixed_answer is not None:
            return AnsweredPrompt(**dict(found), answer=cut.fixed_answer)
        request = self.request(cut, model_info=info)
        known = stored([request.key]).get(request.key)
        if known is not None:
            return AnsweredPrompt(**dict(found), answer=known, is_stored=True)
        completion = self.chat_model(request.model).complete(request)
        answer = answer_to(request, completion, strip_thinking=config.strip_thinking)
        return AnsweredPrompt(**dict(found), answer=answer)


def answer_to(request: ChatRequest, completion: Completion, *, strip_thinking: bool) -> Answer:
    """Return the answer that a completion gives."""
    # The extractive reader copies: a think mark in its text is part of a document, not a thought of a model.
    strips = strip_thinking and request.model.provider != "extractive"
    return answer_of(completion, request=request, strip_thinking=strips)
