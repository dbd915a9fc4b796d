"""Retries of failed requests: when to ask again, and when to give up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from passer.domain.chat import ChatRequest, Completion
from passer.domain.generation import is_worth_repeating
from passer.engines.limits import StillGone
from passer.errors import GenerationError, GeneratorUnavailable


@dataclass(frozen=True)
class RetryPolicy:
    """Exponential backoff with jitter; a request's waits are a function of its key, so that runs repeat them."""

    attempts: int = 7
    """Most attempts at one request."""
    unreachable_attempts: int = 3
    """Most attempts in a row while nothing listens, at any address; the caller then pauses and probes."""
    server_error_attempts: int = 3
    """Most attempts while the server itself fails; a model that crashes over a prompt does so again."""
    empty_attempts: int = 2
    """Most attempts while the reply is empty; then it is an answer with the reason `empty_answer`."""
    base_s: float = 0.5
    """First wait, before jitter."""
    cap_s: float = 30.0
    """Longest wait that was not asked for by Retry-After."""
    budget_s: float = 180.0
    """Most seconds waited for one request, all attempts together."""
    seed: int = 0
    """Seed of the jitter."""

    def delay_s(self, key: str, attempt: int) -> float:
        """Wait after the n-th failed attempt (from 1): base x 2^(n-1), capped, times 0.5 to 1."""
        longest = min(self.cap_s, self.base_s * 2.0 ** min(attempt - 1, 60))
        return longest * Random(f"{self.seed}:{key}:{attempt}").uniform(0.5, 1.0)


def with_retries(
    attempt: Callable[[], Completion], *, request: ChatRequest, policy: RetryPolicy, wait: Callable[[float], None]
) -> Completion:
    """Repeat a request until there is a reply or the policy gives up; raises the last error.

    An endpoint that is still overloaded then counts as gone (GeneratorUnavailable), so that a run pauses instead of
    failing every question after this one.
    """
    waited, number, empty, unreachable, errors = 0.0, 0, 0, 0, 0
    while True:
        outcome = _tried(attempt)
        number += 1
        empty += isinstance(outcome, Completion)
        errors += isinstance(outcome, GenerationError) and outcome.reason == "server_error"
        # In a row: an endpoint that answers in between, even with a refusal, is there.
        unreachable = unreachable + 1 if isinstance(outcome, GeneratorUnavailable) else 0
        delay_s = max(policy.delay_s(request.key, number), _asked_for_s(outcome))
        tries_left = (
            number < policy.attempts
            and empty < policy.empty_attempts
            and unreachable < policy.unreachable_attempts
            and errors < policy.server_error_attempts
            and waited + delay_s <= policy.budget_s
        )
        if not (tries_left and _may_improve(outcome, request)):
            return _final(outcome)
        wait(delay_s)
        waited += delay_s


_Outcome = Completion | GenerationError | GeneratorUnavailable


def _tried(attempt: Callable[[], Completion]) -> _Outcome:
    try:
        return attempt()
    except (GenerationError, GeneratorUnavailable) as exc:
        return exc


def _asked_for_s(outcome: _Outcome) -> float:
    """Return the seconds for which the server asked not to be called."""
    return (outcome.retry_after_s or 0.0) if isinstance(outcome, GenerationError) else 0.0


def _may_improve(outcome: _Outcome, request: ChatRequest) -> bool:
    """Return whether a repetition may help; a reply that is empty because it ran out of tokens stays empty."""
    if isinstance(outcome, Completion):
        return is_worth_repeating(outcome, request)
    return outcome.retryable if isinstance(outcome, GenerationError) else not isinstance(outcome, StillGone)


def _final(outcome: _Outcome) -> Completion:
    if isinstance(outcome, Completion):
        return outcome
    if isinstance(outcome, GenerationError) and outcome.reason == "overloaded":
        raise GeneratorUnavailable(outcome.message) from outcome
    raise outcome
