"""Chains of a sweep: which prompts follow each other, in which order, and what each run of the engine is told."""

from __future__ import annotations

from itertools import groupby

import pytest

from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.retriever import Dense, Lexical
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.timing.times import TimingPlan
from passer.errors import ConfigError
from tests.fake_models import FakeChatModel
from tests.services.study import QUESTIONS, Study

LOCAL = Model(provider="local", name="small")


class Server(FakeChatModel):
    """Keeps the requests; reports the engine that it was given."""

    def __init__(self, engine: str | None = None) -> None:
        super().__init__()
        self.engine = engine
        self.requests: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> Completion:
        self.requests.append(request)
        return super().complete(request)

    def describe(self, model: Model) -> ModelInfo:
        return super().describe(model).model_copy(update={"engine": self.engine})


def asked(
    server: Server, *, model: Model = LOCAL, timing: TimingPlan | None = None, **axes: object
) -> list[ChatRequest]:
    """Run a sweep of 1 to 4 passages over all questions; returns what was asked, in order."""
    study = Study(chat_model=server)
    answers = axes.pop("answers", "fast")
    config = RunConfig(dataset="farm", collection="books", model=model, no_passages="ask", answers=answers)
    sweep = Sweep(name="s", config=config, axes=Axes(k=(4, 2, 3, 1), **axes), baseline=NormalPolicy(k=2), timing=timing)
    study.running.run(study.planner.create(sweep).id)
    return server.requests


def length(request: ChatRequest) -> int:
    return sum(len(message.content) for message in request.messages)


def chains(requests: list[ChatRequest]) -> dict[str, list[ChatRequest]]:
    assert all(request.chain for request in requests)
    ordered = sorted(requests, key=lambda request: request.chain.key if request.chain else "")
    return {key: list(group) for key, group in groupby(ordered, key=lambda each: each.chain.key if each.chain else "")}


def test_the_prompts_of_a_question_are_one_chain_the_shortest_first() -> None:
    found = chains(asked(Server()))
    assert len(found) == len(QUESTIONS)
    for own in found.values():
        assert len({request.source.question for request in own if request.source}) == 1
        assert [length(request) for request in own] == sorted({length(request) for request in own})
        places = [request.chain.place for request in own if request.chain]
        assert places == sorted(places)
        assert not any(request.chain.fans_out for request in own if request.chain)


def test_on_vllm_the_longest_comes_first_and_the_others_together() -> None:
    for own in chains(asked(Server("vLLM 0.12.0"))).values():
        assert all(request.chain.fans_out for request in own if request.chain)
        by_place = sorted(own, key=lambda request: request.chain.place if request.chain else 0)
        assert [length(request) for request in by_place] == sorted(map(length, own), reverse=True)


def test_another_template_or_retriever_is_another_chain_and_another_temperature_is_not() -> None:
    assert len(chains(asked(Server(), prompt=("default", "brief")))) == 2 * len(QUESTIONS)
    assert len(chains(asked(Server(), temperature=(0.0, 0.7)))) == len(QUESTIONS)
    assert len(chains(asked(Server(), repeat=2))) == len(QUESTIONS)
    assert len(chains(asked(Server(), retriever=(Dense(), Lexical())))) == 2 * len(QUESTIONS)


def test_a_timing_run_shares_nothing() -> None:
    requests = asked(Server(), timing=TimingPlan())
    assert all(request.chain is None and not request.shares for request in requests)


def test_repeatable_answers_share_nothing_and_have_keys_of_their_own() -> None:
    fast, repeatable = asked(Server()), asked(Server(), answers="repeatable")
    assert all(request.shares for request in fast)
    assert not any(request.shares for request in repeatable)
    assert {request.messages for request in fast} == {request.messages for request in repeatable}
    assert not {request.key for request in fast} & {request.key for request in repeatable}


def test_the_extractive_reader_has_no_chains() -> None:
    assert all(request.chain is None for request in asked(Server(), model=Model()))


def test_repeatable_answers_of_ollama_are_refused_before_the_start() -> None:
    with pytest.raises(ConfigError, match="Ollama cannot give repeatable answers"):
        asked(Server(), model=Model(provider="ollama", name="mistral"), answers="repeatable")


def test_noise_asks_the_baseline_a_second_time_and_nothing_else() -> None:
    study = Study()
    config = RunConfig(dataset="farm", collection="books", model=LOCAL, no_passages="ask")
    sweep = Sweep(name="s", config=config, axes=Axes(k=(1, 4)), baseline=NormalPolicy(k=2), noise=True)
    assert sweep.size == len(sweep.configurations()) == 4
    stored = study.planner.create(sweep)
    study.running.run(stored.id)
    assert [(run.is_baseline, run.config.repeat) for run in stored.runs] == [
        (True, 1),
        (True, 2),
        (False, 1),
        (False, 1),
    ]
    assert len(study.chat_model.asked) == len(set(study.chat_model.asked)) == 4 * len(QUESTIONS)


def test_noise_without_a_baseline_is_refused() -> None:
    with pytest.raises(ValueError, match="set a baseline"):
        Sweep(name="s", config=RunConfig(dataset="farm", collection="books"), noise=True)
