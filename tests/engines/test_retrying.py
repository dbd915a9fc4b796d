"""When a request is asked again: hand-made sequences of outcomes, and no real waiting."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.engines.attempts import RetryPolicy, with_retries
from passer.errors import GenerationError, GeneratorUnavailable, ModelNotFoundError

GOOD = Completion(text="good", finish_reason="stop")
EMPTY = Completion(text=" <think>hm</think>\n", finish_reason="stop")
CUT_EMPTY = Completion(text="<think>hm", finish_reason="length")
REQUEST = ChatRequest(
    key="k", messages=(Message(role="user", content="Q"),), model=Model(), options=GenerationOptions()
)
GONE = GeneratorUnavailable("gone")
Outcome = Completion | Exception


def failed(reason: str = "connection_lost", *, retryable: bool = True, after: float | None = None) -> GenerationError:
    return GenerationError(reason, reason=reason, retryable=retryable, retry_after_s=after)


class Script:
    """Gives one outcome after another, and notes the waits between them."""

    def __init__(self, *outcomes: Outcome) -> None:
        self.outcomes = list(outcomes)
        self.waits: list[float] = []

    def __call__(self) -> Completion:
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def run(self, policy: RetryPolicy | None = None) -> Completion:
        return with_retries(self, request=REQUEST, policy=policy or RetryPolicy(), wait=self.waits.append)


@pytest.mark.parametrize(
    ("outcomes", "answer"),
    [
        ([GOOD], GOOD),
        ([failed()] * 5 + [GOOD], GOOD),
        ([failed("server_error")] * 2 + [GOOD], GOOD),
        ([failed("overloaded"), failed("connection_lost"), failed("timeout"), GOOD], GOOD),
        ([GONE, GONE, GOOD], GOOD),
        ([GONE, GONE, failed(), GONE, GONE, GOOD], GOOD),
        ([EMPTY, GOOD], GOOD),
        ([EMPTY, EMPTY], EMPTY),
        ([CUT_EMPTY], CUT_EMPTY),
    ],
)
def test_asked_until_there_is_an_answer(outcomes: list[Outcome], answer: Completion) -> None:
    script = Script(*outcomes)
    assert script.run() is answer
    assert script.outcomes == []
    assert len(script.waits) == len(outcomes) - 1


@pytest.mark.parametrize(
    ("outcomes", "error", "said"),
    [
        ([failed()] * 7, GenerationError, "connection_lost"),
        ([failed("server_error")] * 3, GenerationError, "server_error"),
        ([failed(), failed("server_error"), failed(), *[failed("server_error")] * 2], GenerationError, "server_error"),
        ([failed("rejected", retryable=False)], GenerationError, "rejected"),
        ([ModelNotFoundError("pull it")], ModelNotFoundError, "pull it"),
        ([GONE] * 3, GeneratorUnavailable, "gone"),
        ([failed("overloaded")] * 7, GeneratorUnavailable, "overloaded"),
        ([failed("overloaded", after=181.0)], GeneratorUnavailable, "overloaded"),
        ([failed(after=100.0), failed(after=100.0)], GenerationError, "connection_lost"),
    ],
)
def test_given_up_in_the_end(outcomes: list[Outcome], error: type[Exception], said: str) -> None:
    script = Script(*outcomes)
    with pytest.raises(error, match=said):
        script.run()
    assert script.outcomes == []


def test_waits_grow_to_a_cap_and_are_the_same_again() -> None:
    policy = RetryPolicy(base_s=1, cap_s=5)
    waits = [policy.delay_s("k", attempt) for attempt in range(1, 8)]
    for wait, longest in zip(waits, [1, 2, 4, 5, 5, 5, 5], strict=True):
        assert longest / 2 <= wait <= longest
    assert waits == [policy.delay_s("k", attempt) for attempt in range(1, 8)]
    assert waits != [policy.delay_s("other", attempt) for attempt in range(1, 8)]
    assert waits != [RetryPolicy(base_s=1, cap_s=5, seed=1).delay_s("k", attempt) for attempt in range(1, 8)]


def test_retry_after_is_the_least_wait_and_may_exceed_the_cap() -> None:
    script = Script(failed("overloaded", after=60.0), failed("overloaded", after=0.0), GOOD)
    script.run(RetryPolicy(base_s=1, cap_s=5))
    assert script.waits[0] == 60.0
    assert 1 <= script.waits[1] <= 2


def test_the_budget_is_the_sum_of_the_waits() -> None:
    script = Script(*[failed()] * 3)
    with pytest.raises(GenerationError):
        script.run(RetryPolicy(base_s=4, cap_s=4, budget_s=8))
    assert len(script.waits) == 2
    assert sum(script.waits) <= 8


def test_nothing_else_is_caught() -> None:
    boom: Callable[[], Completion] = Script(KeyError("a bug"))
    with pytest.raises(KeyError):
        with_retries(boom, request=REQUEST, policy=RetryPolicy(), wait=lambda _: None)
