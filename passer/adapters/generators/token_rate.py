"""Expected token counts of prompts, learned from the counts in a model's own replies."""

from __future__ import annotations

from threading import Lock

from passer.domain.models.chat import ChatRequest
from passer.domain.models.generation import estimate_tokens


class TokenRate:
    """Tokens that each model of a server counted, against the estimate for the same prompts."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[int, int]] = {}
        self._lock = Lock()

    def expected(self, request: ChatRequest, *, reported: int | None, window: int) -> int | None:
        """Return the tokens that the model should count in a prompt; None until it has counted a shorter one.

        `reported` is what it counted. It is learned from where the over-estimate fits into the window, because such a
        prompt cannot have been cut.
        """
        estimate, name = estimate_tokens(request.messages), request.model.name
        with self._lock:
            counted, estimated = self._sums.get(name, (0, 0))
            if reported and estimate < window:
                self._sums[name] = counted + reported, estimated + estimate
        return round(estimate * counted / estimated) if estimated else None
