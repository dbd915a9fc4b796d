"""Prompts, requests and one question asked whole, over fakes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from passer.domain.models.abstention import ABSTENTION
from passer.domain.models.answer import answer_key
from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import (
    NoRetrievalPolicy,
    NormalPolicy,
    PublishedScorePolicy,
    RetrievalPolicy,
    ScorePolicy,
)
from passer.domain.retrieval.passages import Passage, Ranking
from passer.domain.retrieval.places import Places
from passer.domain.retrieval.retriever import Dense, Lexical
from passer.domain.sweeps.run import RunConfig
from passer.domain.texts.search_words import TextRules
from passer.services.pipeline.answerer import Answerer, PreparedQuestion, answer_to


class PlainTemplate:
    name = "plain"
    digest = "d" * 64

    def render(
        self, *, question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None = None
    ) -> tuple[Message, ...]:
        return (Message(role="user", content="|".join([question, *(passage.text for passage in passages)])),)


class Templates:
    def load(self, name: str) -> PlainTemplate:
        assert name == "default"
        return PlainTemplate()

    def list(self) -> list[str]:
        return ["default"]


class Echo:
    """Answers with the prompt; counts how often it was described and asked."""

    def __init__(self) -> None:
        self.digest, self.described, self.asked = "a" * 64, 0, 0

    def complete(self, request: ChatRequest) -> Completion:
        self.asked += 1
        return Completion(text=request.messages[-1].content)

    def describe(self, model: Model) -> ModelInfo:
        self.described += 1
        return ModelInfo(name=model.name, digest=self.digest, context_length=1024)

    def models(self) -> list[ModelInfo]:
        return []


class Index:
    """Three passages at .9, .6 and .3, whatever is asked."""

    collection: Any = None

    def __init__(self) -> None:
        self.depths: list[int] = []

    def places(self, questions: Sequence[str], top_k: int, retriever: Dense | Lexical) -> list[Places]:
        self.depths.append(top_k)
        return [PLACES for _ in questions]

    def passages(self) -> Any: ...

    def sentences(self, passages: Sequence[Passage]) -> Any: ...


PLACES = Places(
    corpus=[
        Passage(id=f"p{number}", document="d", number=number, text=f"text {number}", start=0, end=6)
        for number in (1, 2, 3)
    ],
    rows=np.arange(3),
    similarities=np.array([0.9, 0.6, 0.3]),
)
RANKING = PLACES.ranking()
OLLAMA = Model(provider="ollama", name="m")


def a_config(retrieval: RetrievalPolicy | None = None, **changes: Any) -> RunConfig:
    settings = {"model": OLLAMA, "retrieval": retrieval or NormalPolicy(k=2), **changes}
    return RunConfig(dataset="d", collection="c", **settings)


def an_answering(echo: Echo, now: list[float] | None = None) -> Answerer:
    clock = now or [0.0]
    return Answerer(
        lambda _: echo,
        Templates(),
        lambda model: {"ollama": "http://h:1"}.get(model.provider),
        monotonic=lambda: clock[0],
    )


def prepared(answering: Answerer, config: RunConfig | None = None, question: str = "Q") -> PreparedQuestion:
    return answering.prepare(question=question, config=config or a_config(), ranking=RANKING)


def request_of(answering: Answerer, config: RunConfig | None = None, info: ModelInfo | None = None) -> ChatRequest:
    return answering.request(prepared(answering, config), model_info=info)


def test_a_prompt_keeps_the_name_and_digest_of_its_template() -> None:
    prompt = prepared(an_answering(Echo()), a_config(NormalPolicy(k=1))).prompt
    assert (prompt.template, prompt.template_digest) == ("plain", "d" * 64)
    assert prompt.messages == (Message(role="user", content="Q|text 1"),)


def test_a_prompt_lists_passages_best_first_or_as_in_the_documents() -> None:
    first, second, third = RANKING.passages
    later = first.model_copy(update={"document": "e", "number": 0, "text": "same"})
    # Equal texts of two places both stay, which the published program of OP-RAG loses.
    ranking = Ranking(passages=(later, third.model_copy(update={"text": "same"}), first, second))
    by_rank, by_document = (
        an_answering(Echo()).prepare(
            question="Q", config=a_config(NormalPolicy(k=3), passage_order=order), ranking=ranking
        )
        for order in ("rank", "document")
    )
    assert by_rank.prompt.messages[0].content == "Q|same|same|text 1"
    assert by_document.prompt.messages[0].content == "Q|text 1|same|same"
    # What was kept is a range of the ranking either way, and the configurations of before keep their digests.
    assert by_document.kept == by_rank.kept == (0, 3)
    assert a_config(passage_order="rank").digest == a_config().digest != a_config(passage_order="document").digest


def test_a_sweep_prepares_with_its_own_template() -> None:
    class Frozen(PlainTemplate):
        name = "as it was"

    found = an_answering(Echo()).prepare(question="Q", config=a_config(), ranking=RANKING, template=Frozen())
    assert found.prompt.template == "as it was"


@pytest.mark.parametrize(
    ("policy", "kept", "ids"),
    [
        (NormalPolicy(k=2), (0, 2), ["p1", "p2"]),
        (ScorePolicy(min_similarity=0.6), (0, 2), ["p1", "p2"]),
        (ScorePolicy(min_similarity=0.95), (0, 0), []),
        (NoRetrievalPolicy(), (0, 0), []),
        (PublishedScorePolicy(min_distance=0.3, max_k=3, k_increment=10), (1, 3), ["p2", "p3"]),
    ],
)
def test_what_a_policy_keeps(policy: RetrievalPolicy, kept: tuple[int, int], ids: list[str]) -> None:
    found = prepared(an_answering(Echo()), a_config(policy))
    assert (found.kept, [passage.id for passage in found.passages]) == (kept, ids)


def test_a_request_is_addressed_by_its_content() -> None:
    answering = an_answering(Echo())
    config = a_config()
    request = request_of(answering, config)
    located = OLLAMA.model_copy(update={"base_url": "http://h:1"})
    assert request.key == answer_key(
        model=located,
        model_digest="a" * 64,
        options=config.options,
        prompt=prepared(answering, config).prompt,
        repeat=1,
    )
    assert (request.model, request.model_digest, request.purpose) == (located, "a" * 64, "answer")
    assert request.source is not None
    assert (request.source.question, request.source.collection) == ("Q", "c")
    assert [passage.id for passage in request.source.passages] == ["p1", "p2"]


def test_two_configurations_that_keep_the_same_passages_share_an_answer() -> None:
    answering = an_answering(Echo())
    two = [a_config(ScorePolicy(min_similarity=value)) for value in (0.5, 0.6)]
    assert len({request_of(answering, config).key for config in two}) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"options": GenerationOptions(temperature=0.3)},
        {"repeat": 2},
        {"model": Model(provider="ollama", name="other")},
    ],
)
def test_what_makes_another_answer(change: dict[str, Any]) -> None:
    answering = an_answering(Echo())
    assert len({request_of(answering, config).key for config in (a_config(), a_config(**change))}) == 2


def test_the_reader_has_another_answer_where_a_collection_cuts_its_texts_by_other_rules() -> None:
    def key(rules: TextRules, question: str, model: Model = Model()) -> str:
        answering = replace(an_answering(Echo()), text_rules_of=lambda _: rules)
        return answering.request(prepared(answering, a_config(model=model), question)).key

    # English is cut alike by all rules, so its answers keep the address that they have had since the first version.
    assert key(1, "Where?") == key(2, "Where?")
    assert key(1, "土壤?") != key(2, "土壤?")
    # Any other model reads the prompt, which is the same.
    assert key(1, "土壤?", OLLAMA) == key(2, "土壤?", OLLAMA)


def test_a_server_without_digests_is_told_apart_by_its_address() -> None:
    echo = Echo()
    echo.digest = "unknown"
    urls = ("http://h:1", "http://h:2")
    answerers = [Answerer(lambda _: echo, Templates(), lambda _, url=url: url) for url in urls]
    assert len({request_of(each).key for each in answerers}) == 2


def test_a_model_is_described_once_a_minute_and_not_at_all_for_a_run_that_knows_it() -> None:
    echo, now = Echo(), [0.0]
    answering = an_answering(echo, now)
    for _ in range(3):
        request_of(answering)
    assert echo.described == 1
    now[0] = 61.0
    request_of(answering)
    assert echo.described == 2
    request = request_of(answering, info=ModelInfo(name="m", digest="b" * 64))
    assert (request.model_digest, echo.described) == ("b" * 64, 2)


def test_no_passage_is_a_case_of_its_own() -> None:
    answering = an_answering(Echo())
    nothing = ScorePolicy(min_similarity=0.95)
    assert prepared(answering, a_config(NormalPolicy(k=1))).fixed_answer is None
    assert prepared(answering, a_config(nothing, no_passages="ask")).fixed_answer is None
    assert prepared(answering, a_config(NoRetrievalPolicy())).fixed_answer is None
    fixed = prepared(answering, a_config(nothing)).fixed_answer
    assert fixed is not None
    assert (fixed.text, fixed.abstained) == (ABSTENTION, True)


@pytest.mark.parametrize(("num_predict", "fits"), [(1006, True), (1007, False)])
def test_a_prompt_is_measured_before_it_is_sent(num_predict: int, fits: bool) -> None:
    config = a_config(NoRetrievalPolicy(), options=GenerationOptions(num_ctx=4096, num_predict=num_predict))
    size = prepared(an_answering(Echo()), config, question="a" * 35).size(1024)
    assert (size.tokens, size.window, size.fits) == (18, 1024, fits)


def test_the_extractive_reader_keeps_think_marks_that_stand_in_a_document() -> None:
    copied = Completion(text="The tag <think> opens a thought.")
    texts = [
        answer_to(
            ChatRequest(key="k", messages=(), model=model, options=GenerationOptions()), copied, strip_thinking=True
        ).text
        for model in (Model(), OLLAMA)
    ]
    assert texts == ["The tag <think> opens a thought.", "The tag"]


def test_one_question_asked_whole() -> None:
    echo, index = Echo(), Index()
    asked = an_answering(echo).ask(question="Q", config=a_config(), index=index)
    assert index.depths == [2]
    assert [passage.id for passage in asked.passages] == ["p1", "p2"]
    assert asked.kept == (0, 2)
    assert asked.ranking == RANKING
    assert asked.prompt is not None
    assert asked.size is not None
    assert asked.size.fits
    assert asked.answer.text == "Q|text 1|text 2"


def test_an_abstention_asks_nobody() -> None:
    echo = Echo()
    asked = an_answering(echo).ask(question="Q", config=a_config(ScorePolicy(min_similarity=0.95)), index=Index())
    assert (asked.answer.text, asked.prompt, asked.size, asked.passages) == (ABSTENTION, None, None, ())
    assert (echo.asked, echo.described) == (0, 0)


def test_the_closed_book_arm_needs_no_index() -> None:
    index = Index()
    for given in (None, index):
        asked = an_answering(Echo()).ask(question="Q", config=a_config(NoRetrievalPolicy()), index=given)
        assert asked.answer.text == "Q"
    assert index.depths == []
