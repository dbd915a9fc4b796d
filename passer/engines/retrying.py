"""When a request that failed is asked again, and when it is given up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from passer.domain.answer import Answer
from passer.engines.limits import StillGone
from passer.errors import GenerationError, GeneratorUnavailable


@dataclass(frozen=True)
class RetryPolicy:
    """Exponential backoff with jitter; a request's waits are a function of its key, so that runs repeat them."""

    attempts: int = 7
    """Most attempts at one request."""
    unreachable_attempts: int = 3
    """Most attempts in a row while nothing listens, at any address; the caller then pauses and probes."""
    empty_attempts: int = 2
    """Most attempts while the reply is empty; then it is an answer with the reason `empty_answer`."""
    base_s: float = 0.5
    """First wait, before jitter."""
    cap_s: float = 30.0
    """Longest wait that was not asked for by Retry-After."""
    budget_s: float = 180.0
    """Most seconds waited for one request, all attempts together."""
    seed: int = 0
    """Of the jitter."""

    def delay_s(self, key: str, attempt: int) -> float:
        """Wait after the n-th failed attempt (from 1): base x 2^(n-1), capped, times 0.5 to 1."""
        longest = min(self.cap_s, self.base_s * 2.0 ** min(attempt - 1, 60))
        return longest * Random(f"{self.seed}:{key}:{attempt}").uniform(0.5, 1.0)


def with_retries(
    attempt: Callable[[], Answer], *, key: str, policy: RetryPolicy, wait: Callable[[float], None]
) -> Answer:
    """Ask until there is an answer or the policy gives up; raises the last error.

    An endpoint that is still overloaded then counts as gone (GeneratorUnavailable), so that a run pauses instead of
    failing every question after this one.
    """
    waited, number, empty, unreachable = 0.0, 0, 0, 0
    while True:
        outcome = _tried(attempt)
        number += 1
        empty += isinstance(outcome, Answer)
        unreachable = unreachable + 1 if isinstance(outcome, GeneratorUnavailable) else 0
        delay_s = max(policy.delay_s(key, number), _asked_for_s(outcome))
        tries_left = (
            number < policy.attempts
            and empty < policy.empty_attempts
            and unreachable < policy.unreachable_attempts
            and waited + delay_s <= policy.budget_s
        )
        if not (tries_left and _may_improve(outcome)):
            return _final(outcome)
        wait(delay_s)
        waited += delay_s


_Outcome = Answer | GenerationError | GeneratorUnavailable


def _tried(attempt: Callable[[], Answer]) -> _Outcome:
    try:
        return attempt()
    except (GenerationError, GeneratorUnavailable) as exc:
        return exc


def _asked_for_s(outcome: _Outcome) -> float:
    """Seconds that the server asked to be left alone for."""
    return (outcome.retry_after_s or 0.0) if isinstance(outcome, GenerationError) else 0.0


def _may_improve(outcome: _Outcome) -> bool:
    """Whether asking again may help; a reply that is empty because it ran out of tokens stays empty."""
    if isinstance(outcome, Answer):
        return outcome.reason == "empty_answer" and outcome.truncated is None
    return outcome.retryable if isinstance(outcome, GenerationError) else not isinstance(outcome, StillGone)


def _final(outcome: _Outcome) -> Answer:
    if isinstance(outcome, Answer):
        return outcome
    if isinstance(outcome, GenerationError) and outcome.reason == "overloaded":
        raise GeneratorUnavailable(outcome.message) from outcome
    raise outcome
