"""One request at one of the endpoints that serve its model: what the first cannot take, the next is asked."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock

from passer.domain.answer import Answer, GenerationRequest
from passer.domain.run import Model, Server
from passer.engines.limits import EndpointLimits, Slot
from passer.errors import GenerationError, GeneratorUnavailable
from passer.ports import Generator

log = logging.getLogger(__name__)

UNFIT = ("model_changed", "model_not_found")
"""Reasons for which an endpoint is not asked for this model again: it has other weights, or none."""
PASSED_ON = (*UNFIT, "overloaded", "connection_lost")
"""Reasons that say something of the endpoint and nothing of the question, so that another may do better."""


class Endpoints:
    """Asks under the limits; `generator` gives the client of a model with one address."""

    def __init__(
        self, limits: EndpointLimits, generator: Callable[[Model], Generator], *, stopped: Callable[[], bool]
    ) -> None:
        self._limits, self._generator, self._stopped = limits, generator, stopped
        self._unfit: dict[tuple[Server, str], GenerationError] = {}
        self._lock = Lock()

    def ask(self, request: GenerationRequest, *, longest_s: float) -> Answer:
        """One attempt, at each endpoint at most once; raises what the last one said.

        `longest_s` caps how long Retry-After is heeded.
        """
        left, error = self._fit(request.model)
        while left:
            with self._limits.slot(left, stopped=self._stopped) as slot:
                outcome = self._tried(slot, request, longest_s)
            if isinstance(outcome, Answer):
                return outcome
            error = outcome
            left.remove(slot.endpoint)
            if isinstance(error, GenerationError) and error.reason not in PASSED_ON:
                break
        assert error is not None, "a model has at least one endpoint"
        raise error

    def _fit(self, model: Model) -> tuple[list[Server], GenerationError | GeneratorUnavailable | None]:
        """Endpoints that may be asked; where there is none, why."""
        with self._lock:
            refusals = {each: self._unfit.get((each, model.name)) for each in model.endpoints}
        return [each for each, refusal in refusals.items() if refusal is None], next(iter(refusals.values()))

    def _tried(
        self, slot: Slot, request: GenerationRequest, longest_s: float
    ) -> Answer | GenerationError | GeneratorUnavailable:
        model = request.model.model_copy(update={"base_url": slot.endpoint[1]})
        try:
            answer = self._generator(model).generate(request.model_copy(update={"model": model}))
        except GeneratorUnavailable as exc:
            self._limits.lost(slot, exc.message)
            return exc
        except GenerationError as exc:
            self._noted(slot, exc, model, longest_s, alone=len(request.model.endpoints) == 1)
            return exc
        self._limits.succeeded(slot)
        return answer

    def _noted(self, slot: Slot, error: GenerationError, model: Model, longest_s: float, *, alone: bool) -> None:
        if error.reason == "overloaded":
            after_s = None if error.retry_after_s is None else min(error.retry_after_s, longest_s)
            self._limits.overloaded(slot, retry_after_s=after_s)
            return
        self._limits.refused(slot)
        if error.reason in UNFIT and not alone:
            log.warning("%s is not asked for %s any more: %s", slot.endpoint[1], model.name, error.message)
            with self._lock:
                self._unfit[slot.endpoint, model.name] = error
