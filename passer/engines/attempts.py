"""Attempts at one request: at which of the endpoints that serve its model, when again, and when to give up."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from threading import Lock, local

from passer.domain.models.chat import Chain, ChatRequest, Completion
from passer.domain.models.generation import is_worth_repeating
from passer.domain.models.model import Model, Server
from passer.engines.limits import EndpointLimits, EndpointsUnavailable, Party, Slot
from passer.errors import GenerationError, GeneratorUnavailable
from passer.ports import ChatModel
from passer.ports.draft import is_aborted

log = logging.getLogger(__name__)

UNFIT = ("model_changed", "model_not_found")
"""Reasons for which an endpoint is not asked for this model again: it has other weights, or none."""
PASSED_ON = (*UNFIT, "overloaded", "connection_lost")
"""Reasons that say something of the endpoint and nothing of the question, so that another may do better."""

_Outcome = Completion | GenerationError | GeneratorUnavailable


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
        # Counted in a row only: an endpoint that answers in between, even with a refusal, is reachable.
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


def _tried(attempt: Callable[[], Completion]) -> _Outcome:
    try:
        return attempt()
    except (GenerationError, GeneratorUnavailable) as exc:
        return exc


def _asked_for_s(outcome: _Outcome) -> float:
    """Return the seconds for which the server asked not to be called."""
    return (outcome.retry_after_s or 0.0) if isinstance(outcome, GenerationError) else 0.0


def _may_improve(outcome: _Outcome, request: ChatRequest) -> bool:
    """Return whether a retry may help; a reply that is empty because it ran out of tokens would be empty again."""
    if isinstance(outcome, Completion):
        return is_worth_repeating(outcome, request)
    return outcome.retryable if isinstance(outcome, GenerationError) else not isinstance(outcome, EndpointsUnavailable)


def _final(outcome: _Outcome) -> Completion:
    if isinstance(outcome, Completion):
        return outcome
    if isinstance(outcome, GenerationError) and outcome.reason == "overloaded":
        raise GeneratorUnavailable(outcome.message) from outcome
    raise outcome


class Endpoints:
    """Sends requests under the limits; `chat_model` gives the client of a model with one address."""

    def __init__(
        self, limits: EndpointLimits, chat_model: Callable[[Model], ChatModel], *, stopped: Callable[[], bool]
    ) -> None:
        self._limits, self._chat_model, self._stopped = limits, chat_model, stopped
        self.party = Party()
        limits.join(self.party)
        self._last = local()
        self._unfit: dict[tuple[Server, str], GenerationError] = {}
        self._lock = Lock()

    def complete(self, request: ChatRequest, *, longest_s: float) -> Completion:
        """Make one attempt, at each endpoint at most once; raises the last endpoint's error.

        `longest_s` caps how long Retry-After is heeded.
        """
        left, error = self._fit(request.model)
        while left:
            with self._slot(left, request.chain) as slot:
                outcome = self._tried(slot, request, longest_s)
            if isinstance(outcome, Completion):
                return outcome
            error = outcome
            # Try each endpoint once; `with_retries` alone decides how often and after which delay to try again.
            left.remove(slot.endpoint)
            if isinstance(error, GenerationError) and error.reason not in PASSED_ON:
                break
        assert error is not None, "a model has at least one endpoint"
        raise error

    def leave(self) -> None:
        """Stop asking, so that others can use the slots."""
        self._limits.leave(self.party)

    @contextmanager
    def _slot(self, endpoints: Sequence[Server], chain: Chain | None) -> Iterator[Slot]:
        """Yield a slot, the same one while a chain continues, because the server has read its prompts there."""
        key = chain.key if chain else None
        before: Slot | None = getattr(self._last, "slot", None)
        stays = key is not None and key == getattr(self._last, "chain", None)
        with self._limits.slot(
            endpoints, party=self.party, before=before, stays=stays, stopped=lambda: self._stopped() or is_aborted()
        ) as slot:
            self._last.slot, self._last.chain = slot, key
            yield slot

    def _fit(self, model: Model) -> tuple[list[Server], GenerationError | GeneratorUnavailable | None]:
        """Endpoints that may be asked; where there is none, why."""
        with self._lock:
            refusals = {each: self._unfit.get((each, model.name)) for each in model.endpoints}
        return [each for each, refusal in refusals.items() if refusal is None], next(iter(refusals.values()))

    def _tried(self, slot: Slot, request: ChatRequest, longest_s: float) -> _Outcome:
        model = request.model.model_copy(update={"base_url": slot.endpoint[1]})
        try:
            completion = self._chat_model(model).complete(
                request.model_copy(update={"model": model, "slot": slot.number})
            )
        except GeneratorUnavailable as exc:
            _end_if_aborted(exc)
            self._limits.lost(slot, exc.message)
            return exc
        except GenerationError as exc:
            _end_if_aborted(exc)
            self._noted(slot, exc, model, longest_s, alone=len(request.model.endpoints) == 1)
            return exc
        self._limits.succeeded(slot)
        return completion

    def _noted(self, slot: Slot, error: GenerationError, model: Model, longest_s: float, *, alone: bool) -> None:
        if error.reason == "overloaded":
            after_s = None if error.retry_after_s is None else min(error.retry_after_s, longest_s)
            self._limits.overloaded(slot, retry_after_s=after_s)
            return
        self._limits.refused(slot)
        # A single endpoint is not given up: the model may have been downloaded by the time of the next question.
        if error.reason in UNFIT and not alone:
            log.warning("%s is not asked for %s any more: %s", slot.endpoint[1], model.name, error.message)
            with self._lock:
                self._unfit[slot.endpoint, model.name] = error


def _end_if_aborted(error: Exception) -> None:
    """Raise CancelledError if the request was aborted."""
    # An error that an abort caused is no fault of the endpoint.
    if is_aborted():
        raise CancelledError from error
