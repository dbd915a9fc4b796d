"""When a model is asked no more."""

from __future__ import annotations

from passer.domain.models.model import Model
from passer.domain.wording.sentence import sentence
from passer.services.sweeps.stop_conditions import CircuitBreaker

MISTRAL, LLAMA = (Model(provider="ollama", name=name) for name in ("mistral", "llama"))


def said(words: str) -> str:
    return sentence("server.failed", server="s", status=500, said=words)


def test_five_equal_failures_in_a_row_are_enough_whatever_numbers_are_in_them():
    breaker = CircuitBreaker()
    assert [breaker.failed(MISTRAL, said(f"no memory at {n}")) for n in range(6)] == [False] * 4 + [True, False]


def test_an_answer_another_failure_or_another_model_is_no_row():
    breaker = CircuitBreaker()
    for _ in range(4):
        assert not breaker.failed(MISTRAL, said("full"))
    breaker.succeeded(MISTRAL)
    for _ in range(4):
        assert not breaker.failed(MISTRAL, said("full"))
        assert not breaker.failed(LLAMA, said("full"))
    assert not breaker.failed(MISTRAL, "another reason")
    assert not breaker.failed(MISTRAL, said("full"))
    assert breaker.failed(LLAMA, said("full"))


def test_prompts_that_do_not_fit_stop_no_model():
    breaker = CircuitBreaker()
    words = {"tokens": 5000, "window": 4096}
    reasons = (
        sentence("server.context", server="s", said="too long"),
        sentence("server.context-counted", server="s", **words),
        sentence("server.repeats", server="s"),
    )
    for reason in reasons:
        assert not any(breaker.failed(MISTRAL, reason) for _ in range(10))


def test_a_row_that_has_begun_is_told_with_its_limit_until_an_answer_ends_it():
    breaker = CircuitBreaker()
    for number in range(3):
        breaker.failed(MISTRAL, said(f"no memory at {number}"))
    [streak] = breaker.streaks
    assert (streak.model, streak.count, streak.limit) == ("mistral", 3, 5)
    assert "no memory at 2" in streak.reason, "as the last one said it"
    breaker.succeeded(MISTRAL)
    assert breaker.streaks == ()
