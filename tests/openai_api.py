"""OpenAI's dialect of the scripted server: vLLM, llama.cpp, or another."""

from __future__ import annotations

import json
from typing import Any

from passer.domain.base import digest_of
from tests.ollama_generation import Generating, prompt_of


class OpenAIApi(Generating):
    """The chat of OpenAI, and what llama.cpp tells of itself."""

    def _props(self) -> None:
        """Of llama.cpp's server (tools/server/README.md)."""
        [model] = self.owner.known.values()
        settings = {"n_ctx": model.context_length, "n_predict": -1}
        self._json(
            200,
            {
                "default_generation_settings": settings,
                "total_slots": self.owner.slots or 4,
                "model_path": f"/models/{model.name}.gguf",
                "build_info": "b8123-0123abcd",
            },
        )

    def _is_authorised(self) -> bool:
        key = self.owner.api_key
        if key is None or self.headers.get("authorization") == f"Bearer {key}":
            return True
        given = (self.headers.get("authorization") or "").removeprefix("Bearer ")
        self._json(401, {"error": {"message": f"Incorrect API key provided: {given}", "code": "invalid_api_key"}})
        return False

    def _openai_models(self) -> None:
        if self._is_authorised():
            models = [
                {
                    "id": m.name,
                    "object": "model",
                    "owned_by": "scripted",
                    **({"max_model_len": m.context_length} if self.owner.kind == "vllm" else {}),
                }
                for m in self.owner.known.values()
            ]
            self._json(200, {"object": "list", "data": models})

    def _openai_chat(self, body: dict[str, Any]) -> None:
        if not self._is_authorised():
            return
        messages = body.get("messages") or []
        prompt = prompt_of(messages)
        step = self._admitted(body, prompt=prompt, digest=digest_of(messages))
        if step is None:
            return
        with self.owner.slot():
            said = self._said(body, prompt, step)
        if said is None:
            return
        read, written = said.numbers.get("prompt_eval_count", 0), said.numbers["eval_count"]
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        head = {"id": "chatcmpl-1", "created": 1767323045, "model": said.model}
        if not body.get("stream"):
            message = {"role": "assistant", "content": said.text, "reasoning_content": said.thinking}
            choice = {"index": 0, "message": message, "finish_reason": said.done_reason}
            self._json(200, {**head, "object": "chat.completion", "choices": [choice], "usage": usage})
            return
        deltas = [{"role": "assistant", "content": ""}]
        deltas += [{"reasoning_content": said.thinking}] if said.thinking else []
        deltas += [{"content": piece} for piece in said.pieces()]
        choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
        choices.append([{"index": 0, "delta": {}, "finish_reason": said.done_reason}])
        events = [{**head, "object": "chat.completion.chunk", "choices": choice} for choice in choices]
        if (body.get("stream_options") or {}).get("include_usage"):
            events.append({**head, "object": "chat.completion.chunk", "choices": [], "usage": usage})
        lines = [f"data: {json.dumps(event)}\n\n" for event in events]
        self._stream("text/event-stream", [*lines, "data: [DONE]\n\n"], step)
