"""Keys of judgements, budgets, and kinship of judges."""

from __future__ import annotations

import pytest

from passer.domain.base import Frozen
from passer.domain.judging.ask import Ask
from passer.domain.judging.judgement import Judge, Judgement, judgement_key
from passer.domain.judging.kinship import kinship
from passer.domain.judging.task import JudgeTask
from passer.domain.models.answer import Served
from passer.domain.models.model import Model
from passer.domain.sweeps.budget import Budget, Price, Spent


class Reply(Frozen):
    a_text: str


TASK = JudgeTask("t", "Do it.", Reply)
SAMPLED = JudgeTask("t", "Do it.", Reply, is_sampled=True)
JUDGE = Judge(model=Model(provider="openai", name="judge", base_url="http://one"))
ASK = Ask(task="t", given={"text": "a"})


def key(ask: Ask = ASK, task: JudgeTask = TASK, judge: Judge = JUDGE, **more) -> str:
    return judgement_key(ask, task, judge, **{"model_digest": "unknown", **more})


def test_the_key_holds_everything_that_decides_the_reply() -> None:
    there = Judge(model=Model(provider="openai", name="judge", base_url="http://two"))
    others = {
        key(),
        key(ASK.model_copy(update={"given": {"text": "b"}})),
        key(ASK.model_copy(update={"given": {"other": "a"}})),
        key(ASK.model_copy(update={"sample": 1})),
        key(ASK.model_copy(update={"lengths": {"a_text": 1}})),
        key(task=JudgeTask("t", "Do that.", Reply)),
        key(task=SAMPLED),
        key(judge=there),
        key(model_digest="d"),
        key(repeat=2),
        key(served=Served(engine="llama.cpp b1", window=8192, slots=1)),
    }
    assert len(others) == 11
    assert key(judge=there, model_digest="d") == key(model_digest="d"), "weights are the same wherever they run"


def test_samples_and_repeats_have_seeds_of_their_own() -> None:
    options = [JUDGE.options_for(Ask(task="t", given={}, sample=n), SAMPLED, repeat=1) for n in range(3)]
    assert [each.seed for each in options] == [42, 43, 44]
    assert {each.temperature for each in options} == {0.7}
    plain = JUDGE.options_for(ASK, TASK, repeat=3)
    assert (plain.seed, plain.temperature, plain.top_p, plain.num_predict) == (44, 0, 1, TASK.budget)


def test_a_judgement_is_a_value_or_a_reason() -> None:
    given = {"key": "k", "task": "t", "task_digest": "", "given_digest": "", "prompt_digest": "", "answer_keys": ()}
    assert Judgement(**given, value={"a": 0}, attempts=1).reason is None
    failed = Judgement(**given, reason="generation_failed", attempts=2)
    assert failed.missing == "judge_failed"
    assert Judgement(**given, reason="off_schema", attempts=2).missing == "off_schema"
    for wrong in ({}, {"value": 1, "reason": "empty"}):
        with pytest.raises(ValueError, match="either a value or a reason"):
            Judgement(**given, attempts=1, **wrong)


def test_a_budget_ends_at_the_first_limit() -> None:
    spent = Spent(asks=10, input_tokens=900_000, output_tokens=100_000)
    price = Price(input=1.0, output=10.0)
    assert price.of(900_000, 100_000) == pytest.approx(1.9)
    assert Budget().first_reached(spent, price) is None
    assert Budget(asks=10).first_reached(spent, None) == "asks"
    assert Budget(asks=11).first_reached(spent, None) is None
    assert Budget(tokens=1_000_000).first_reached(spent, None) == "tokens"
    assert Budget(cost=1.9).first_reached(spent, price) == "cost"
    assert Budget(cost=2.0).first_reached(spent, price) is None
    assert Budget(running_s=60).first_reached(Spent(running_s=59.9), None) is None
    assert Budget(running_s=60).first_reached(Spent(running_s=60), None) == "running_s"


@pytest.mark.parametrize(
    ("judge", "digest", "answerer", "other", "kin"),
    [
        ("mistral:7b", "a", "mistral:7b", "b", "same-model"),
        ("one", "a", "two", "a", "same-model"),
        ("one", "unknown", "two", "unknown", None),
        ("llama3.1:8b", "a", "llama3.2:1b", "b", "may-be-related"),
        ("qwen2.5:7b", "a", "hf.co/Qwen/Qwen3-8B", "b", "may-be-related"),
        ("gpt-4o", "unknown", "gemma3:4b", "b", None),
    ],
)
def test_a_judge_knows_its_relatives(judge: str, digest: str, answerer: str, other: str, kin: str | None) -> None:
    assert kinship(judge, digest, answerer, other) == kin
