"""What Ollama does with a prompt or an answer that does not fit its window, in each of its eras.

Read from its sources: api/types.go:161-167 (`truncate` and `shift`, heeded since 0.12.6), llm/llama_server.go:296-331
(what is kept since 0.30.11, and what is refused). A token is what `replies.count_tokens` counts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

NUM_KEEP = 4
RENDERED = (
    "the prompt is longer than the context length currently available to the model; shorten the prompt, "
    "adjust the context length in settings, or use a model with a longer context length"
)
RUNNER = "the input length exceeds the context length"


def version_of(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.partition("-")[0].split("."))


class TooLong(Exception):
    """Status 400, with the error that the server gives."""


@dataclass(frozen=True)
class Window:
    """The window of one request to one server."""

    version: str
    asked: int
    """num_ctx of the request, or the model's own length where that is less."""
    is_native: bool = False
    """Whether the model's own template makes the prompt (llama.cpp's), instead of Ollama's."""
    ignores: frozenset[str] = frozenset()
    """Words of a request that this model's runner, or something before the server, does not heed."""

    @property
    def num_ctx(self) -> int:
        """The window in truth: llama-server pads a slot to a multiple of 256."""
        return -(-self.asked // 256) * 256 if version_of(self.version) >= (0, 30) else self.asked

    def read(self, tokens: int, body: dict[str, Any]) -> int:
        """Tokens of the prompt that the model sees, which is what prompt_eval_count says; TooLong."""
        now = version_of(self.version)
        if self.is_native and now >= (0, 30):
            if tokens >= self.num_ctx:
                raise TooLong(llama_server_error(tokens, self.num_ctx))
            return tokens
        if now >= (0, 30):
            if tokens <= self.num_ctx - 1:
                return tokens
            if not self._heeds(body, "shift"):
                kept = NUM_KEEP + 1
                return self.num_ctx - (max((self.num_ctx - kept) // 2, 1) if now >= (0, 30, 11) else 1)
            raise TooLong(RENDERED)
        if tokens > self.num_ctx and self._heeds(body, "truncate"):
            raise TooLong(RUNNER)
        return min(tokens, self.num_ctx)

    def room(self, read: int, body: dict[str, Any]) -> int | None:
        """Tokens of the answer before the window is full; None where the server shifts it and goes on."""
        return max(self.num_ctx - read, 1) if self._heeds(body, "shift") else None

    def _heeds(self, body: dict[str, Any], name: str) -> bool:
        """Whether the request forbids this, and the server knows the word."""
        knows = version_of(self.version) >= (0, 12, 6) and name not in self.ignores
        return knows and body.get(name) is False


def llama_server_error(tokens: int, window: int) -> str:
    """The body that llama.cpp's server sends with status 400."""
    inner = {
        "code": 400,
        "message": f"request ({tokens} tokens) exceeds the available context size ({window} tokens), try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": tokens,
        "n_ctx": window,
    }
    return json.dumps({"error": inner}, separators=(",", ":"))
