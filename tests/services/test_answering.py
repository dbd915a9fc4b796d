"""Prompts, requests and one question asked whole, over fakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from passer.domain.answer import Answer, GenerationRequest, Message, answer_key
from passer.domain.generation import ABSTENTION
from passer.domain.retrieval import (
    NoRetrievalPolicy,
    NormalPolicy,
    Passage,
    Ranking,
    RetrievalPolicy,
    RetrievedPassage,
    ScorePolicy,
)
from passer.domain.run import GenerationOptions, Model, ModelInfo, RunConfig
from passer.services.answering import Answering, build_prompt, kept, measure


class PlainTemplate:
    name = "plain"
    digest = "d" * 64

    def render(self, *, question: str, passages: Sequence[Passage]) -> tuple[Message, ...]:
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

    def generate(self, request: GenerationRequest) -> Answer:
        self.asked += 1
        text = request.prompt.messages[-1].content
        return Answer(key=request.key, text=text, raw=text)

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

    def search(self, questions: Sequence[str], top_k: int) -> list[Ranking]:
        self.depths.append(top_k)
        return [RANKING for _ in questions]

    def passages(self) -> Any: ...

    def sentences(self, passages: Sequence[Passage]) -> Any: ...


RANKING = Ranking(
    passages=tuple(
        RetrievedPassage(
            id=f"p{rank}",
            document="d",
            number=rank,
            text=f"text {rank}",
            start=0,
            end=6,
            rank=rank,
            similarity=similarity,
        )
        for rank, similarity in ((1, 0.9), (2, 0.6), (3, 0.3))
    )
)
OLLAMA = Model(provider="ollama", name="m")


def a_config(retrieval: RetrievalPolicy | None = None, **changes: Any) -> RunConfig:
    settings = {"model": OLLAMA, "retrieval": retrieval or NormalPolicy(k=2), **changes}
    return RunConfig(dataset="d", collection="c", **settings)


def an_answering(echo: Echo, now: list[float] | None = None) -> Answering:
    clock = now or [0.0]
    return Answering(lambda _: echo, Templates(), {"ollama": "http://h:1"}, monotonic=lambda: clock[0])


def test_a_prompt_keeps_the_name_and_digest_of_its_template() -> None:
    prompt = build_prompt(question="Q", passages=RANKING.passages[:1], template=PlainTemplate())
    assert (prompt.template, prompt.template_digest) == ("plain", "d" * 64)
    assert prompt.messages == (Message(role="user", content="Q|text 1"),)


def test_what_a_policy_keeps() -> None:
    assert [p.id for p in kept(RANKING, NormalPolicy(k=2))] == ["p1", "p2"]
    assert [p.id for p in kept(RANKING, ScorePolicy(min_similarity=0.6))] == ["p1", "p2"]
    assert kept(RANKING, ScorePolicy(min_similarity=0.95)) == ()
    assert kept(RANKING, NoRetrievalPolicy()) == ()


def test_a_request_is_addressed_by_its_content() -> None:
    answering = an_answering(Echo())
    config = a_config()
    request = answering.build_request(config=config, question="Q", passages=RANKING.passages[:2])
    located = OLLAMA.model_copy(update={"base_url": "http://h:1"})
    assert request.key == answer_key(
        model=located, model_digest="a" * 64, options=config.options, prompt=request.prompt, repeat=1
    )
    assert (request.model, request.model_digest, request.collection) == (located, "a" * 64, "c")
    assert [passage.id for passage in request.passages] == ["p1", "p2"]


def test_two_configurations_that_keep_the_same_passages_share_an_answer() -> None:
    answering = an_answering(Echo())
    two = [a_config(ScorePolicy(min_similarity=value)) for value in (0.5, 0.6)]
    keys = {answering.build_request(config=c, question="Q", passages=kept(RANKING, c.retrieval)).key for c in two}
    assert len(keys) == 1


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
    keys = {answering.build_request(config=c, question="Q", passages=()).key for c in (a_config(), a_config(**change))}
    assert len(keys) == 2


def test_a_server_without_digests_is_told_apart_by_its_address() -> None:
    echo = Echo()
    echo.digest = "unknown"
    keys = {
        Answering(lambda _: echo, Templates(), {"ollama": url})
        .build_request(config=a_config(), question="Q", passages=())
        .key
        for url in ("http://h:1", "http://h:2")
    }
    assert len(keys) == 2


def test_a_model_is_described_once_a_minute_and_not_at_all_for_a_run_that_knows_it() -> None:
    echo, now = Echo(), [0.0]
    answering = an_answering(echo, now)
    for _ in range(3):
        answering.build_request(config=a_config(), question="Q", passages=())
    assert echo.described == 1
    now[0] = 61.0
    answering.build_request(config=a_config(), question="Q", passages=())
    assert echo.described == 2
    given = ModelInfo(name="m", digest="b" * 64)
    request = answering.build_request(config=a_config(), question="Q", passages=(), model_info=given)
    assert (request.model_digest, echo.described) == ("b" * 64, 2)


def test_no_passage_is_a_case_of_its_own() -> None:
    answering = an_answering(Echo())
    nothing = ScorePolicy(min_similarity=0.95)
    assert answering.fixed_answer(a_config(nothing), RANKING.passages) is None
    assert answering.fixed_answer(a_config(nothing, no_passages="ask"), ()) is None
    assert answering.fixed_answer(a_config(NoRetrievalPolicy()), ()) is None
    fixed = answering.fixed_answer(a_config(nothing), ())
    assert fixed is not None
    assert (fixed.text, fixed.abstained) == (ABSTENTION, True)


@pytest.mark.parametrize(("num_predict", "fits"), [(1006, True), (1007, False)])
def test_a_prompt_is_measured_before_it_is_sent(num_predict: int, fits: bool) -> None:
    prompt = build_prompt(question="a" * 35, passages=(), template=PlainTemplate())
    config = a_config(options=GenerationOptions(num_ctx=4096, num_predict=num_predict))
    size = measure(prompt, config=config, context_length=1024)
    assert (size.tokens, size.window, size.fits) == (18, 1024, fits)


def test_one_question_asked_whole() -> None:
    echo, index = Echo(), Index()
    asked = an_answering(echo).ask(question="Q", config=a_config(), index=index)
    assert index.depths == [2]
    assert [passage.id for passage in asked.passages] == ["p1", "p2"]
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


def test_the_caller_may_bring_its_own_way_to_ask() -> None:
    echo = Echo()
    asked = an_answering(echo).ask(
        question="Q",
        config=a_config(),
        index=Index(),
        generate=lambda request: Answer(key=request.key, text="mine", raw="mine"),
    )
    assert (asked.answer.text, echo.asked) == ("mine", 0)
