"""From a question and its passages to an answer: the prompt, the request, and one question asked whole."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.answer import Answer, GenerationRequest, Prompt, answer_key
from passer.domain.base import Frozen
from passer.domain.generation import abstention, estimate_tokens, located, window_of
from passer.domain.retrieval import Passage, Ranking, RetrievalPolicy, RetrievedPassage
from passer.domain.run import Model, ModelInfo, RunConfig
from passer.ports import Generator, PassageIndex, PromptTemplate, PromptTemplates

DESCRIBED_FOR_S = 60.0
"""How long a model's description is believed when a run brings none of its own."""


class PromptSize(Frozen):
    """A prompt measured before it is sent."""

    tokens: int
    """Estimate, with a margin to the safe side."""
    window: int
    """Tokens that prompt and answer share."""
    num_predict: int
    """Of these, set aside for the answer."""

    @property
    def fits(self) -> bool:
        """Whether prompt and longest answer fit together; if not, either may be cut, and the answer will say so."""
        return self.tokens + self.num_predict <= self.window


class Asked(Frozen):
    """One question with everything that came of it."""

    ranking: Ranking
    """What the index gave."""
    passages: tuple[RetrievedPassage, ...]
    """What the policy kept of it."""
    prompt: Prompt | None
    """What the model was asked; None when nothing was asked."""
    size: PromptSize | None
    """The prompt, measured before it was sent."""
    answer: Answer
    """What came back, or the fixed abstention."""


def build_prompt(*, question: str, passages: Sequence[Passage], template: PromptTemplate) -> Prompt:
    """Question and passages as messages; without passages, the question alone."""
    messages = template.render(question=question, passages=passages)
    return Prompt(template=template.name, template_digest=template.digest, messages=messages)


def kept(ranking: Ranking, policy: RetrievalPolicy) -> tuple[RetrievedPassage, ...]:
    """The passages of a ranking that a policy keeps."""
    places = policy.keep([passage.similarity for passage in ranking.passages])
    return ranking.passages[places.start : places.stop]


def measure(prompt: Prompt, *, config: RunConfig, context_length: int | None) -> PromptSize:
    """A prompt's size against the window, before it is sent."""
    return PromptSize(
        tokens=estimate_tokens(prompt.messages),
        window=window_of(config.options, context_length),
        num_predict=config.options.num_predict,
    )


@dataclass(frozen=True)
class Answering:
    """Builds requests and, for a single question, asks."""

    generator: Callable[[Model], Generator]
    """Who answers for a model; the same model gives the same generator."""
    templates: PromptTemplates
    """The prompt templates there are."""
    default_urls: Mapping[str, str] = field(default_factory=dict)
    """Server address by provider, for models that name none."""
    monotonic: Callable[[], float] = time.monotonic
    """Seconds."""
    _described: dict[Model, tuple[float, ModelInfo]] = field(default_factory=dict, init=False, repr=False)

    def describe(self, model: Model) -> ModelInfo:
        """What the server says about a model, asked at most once a minute; ModelNotFoundError, GeneratorUnavailable."""
        seen = self._described.get(model)
        if seen and self.monotonic() - seen[0] < DESCRIBED_FOR_S:
            return seen[1]
        info = self.generator(self.located(model)).describe(model)
        self._described[model] = (self.monotonic(), info)
        return info

    def located(self, model: Model) -> Model:
        """The model with the address that will be used."""
        return located(model, base_url=self.default_urls.get(model.provider))

    def fixed_answer(self, config: RunConfig, passages: Sequence[Passage]) -> Answer | None:
        """The abstention, when no passage was kept and the run abstains then; None when the model is to be asked.

        Without retrieval (the closed-book arm) the model is always asked: there were no passages to keep.
        """
        if passages or config.retrieval.mode == "none" or config.no_passages == "ask":
            return None
        return abstention()

    def build_request(
        self,
        *,
        config: RunConfig,
        question: str,
        passages: Sequence[Passage],
        model_info: ModelInfo | None = None,
        template: PromptTemplate | None = None,
    ) -> GenerationRequest:
        """What to ask, under its content address.

        `model_info` and `template` are the run's own, or else what the server and the template's file say now.
        """
        info = model_info or self.describe(config.model)
        model = self.located(config.model)
        prompt = build_prompt(
            question=question, passages=passages, template=template or self.templates.load(config.prompt)
        )
        key = answer_key(
            model=model, model_digest=info.digest, options=config.options, prompt=prompt, repeat=config.repeat
        )
        return GenerationRequest(
            key=key,
            question=question,
            passages=tuple(passages),
            collection=config.collection if passages else "",
            prompt=prompt,
            model=model,
            model_digest=info.digest,
            options=config.options,
            strip_thinking=config.strip_thinking,
        )

    def ask(
        self,
        *,
        question: str,
        config: RunConfig,
        index: PassageIndex | None,
        generate: Callable[[GenerationRequest], Answer] | None = None,
    ) -> Asked:
        """Retrieve, build the prompt and answer one question; without `generate`, in one attempt.

        `index` may be None for the closed-book arm. Raises GenerationError, GeneratorUnavailable, IndexUnavailable.
        """
        depth = config.retrieval.depth
        ranking = index.search([question], depth)[0] if index is not None and depth else Ranking(passages=())
        passages = kept(ranking, config.retrieval)
        fixed = self.fixed_answer(config, passages)
        if fixed is not None:
            return Asked(ranking=ranking, passages=passages, prompt=None, size=None, answer=fixed)
        info = self.describe(config.model)
        request = self.build_request(config=config, question=question, passages=passages, model_info=info)
        size = measure(request.prompt, config=config, context_length=info.context_length)
        answer = (generate or self.generator(request.model).generate)(request)
        return Asked(ranking=ranking, passages=passages, prompt=request.prompt, size=size, answer=answer)
