"""What the scripted model server answers, path by path: Ollama's API, and the chat of OpenAI's."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from passer.domain.base import digest_of
from tests.ollama_generation import prompt_of
from tests.ollama_library import OllamaLibrary
from tests.openai_api import OpenAIApi


class ModelApi(OllamaLibrary, OpenAIApi):
    """Ollama's dialect and OpenAI's."""

    def do_GET(self) -> None:
        gets = {
            "ollama": {
                "/": lambda: self._text(200, "Ollama is running"),
                "/api/version": lambda: self._json(200, {"version": self.owner.version}),
                "/api/tags": self._tags,
                "/api/ps": self._ps,
            },
            "llama.cpp": {"/props": self._props},
            "vllm": {"/version": lambda: self._json(200, {"version": self.owner.version})},
            "other": {},
        }[self.owner.kind] | {"/v1/models": self._openai_models}
        self.note({})
        gets.get(self.path, self._unknown)()

    def do_HEAD(self) -> None:
        self._text(200, "")

    def do_POST(self) -> None:
        posts = {
            "/api/chat": self._chat,
            "/api/generate": self._generate,
            "/api/show": self._show,
            "/api/pull": self._pull,
            "/api/embed": self._embed,
            "/v1/chat/completions": self._openai_chat,
            "/test/hold": lambda _: self._told(self.owner.hold),
            "/test/release": lambda _: self._told(self.owner.release),
        }
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"null")
        except ValueError as exc:
            self._json(400, {"error": str(exc)})
            return
        if body is None:
            self._json(400, {"error": "missing request body"})
            return
        if self.path not in ("/api/chat", "/api/generate", "/v1/chat/completions"):
            self.note(body)
        posts.get(self.path, lambda _: self._unknown())(body)

    def _told(self, act: Callable[[], None]) -> None:
        """For tests in another process: no model server has these paths."""
        act()
        self._json(200, {})

    def _chat(self, body: dict[str, Any]) -> None:
        messages = body.get("messages") or []
        if not messages:
            self._load(body)
            return

        def part(text: str, thinking: str | None = None) -> dict[str, Any]:
            message = {"role": "assistant", "content": text}
            return {"message": {**message, "thinking": thinking} if thinking else message}

        self._ollama(body, prompt=prompt_of(messages), digest=digest_of(messages), part=part)

    def _load(self, body: dict[str, Any]) -> None:
        """A chat without messages loads the model with these options (server/routes.go)."""
        model = self.owner.has(body.get("model", ""))
        if model is None:
            self._missing(body.get("model", ""))
            return
        self.note(body)
        self.owner.loaded[model.name] = self._window(model, body).num_ctx
        head = {"model": model.name, "created_at": "2026-01-02T03:04:05.678901Z"}
        message = {"role": "assistant", "content": ""}
        self._json(200, {**head, "message": message, "done": True, "done_reason": "load"})

    def _generate(self, body: dict[str, Any]) -> None:
        def part(text: str, thinking: str | None = None) -> dict[str, Any]:
            return {"response": text, "thinking": thinking} if thinking else {"response": text}

        self._ollama(body, prompt=str(body.get("prompt", "")), digest=None, part=part)

    def _ollama(
        self, body: dict[str, Any], *, prompt: str, digest: str | None, part: Callable[..., dict[str, Any]]
    ) -> None:
        step = self._admitted(body, prompt=prompt, digest=digest)
        if step is None:
            return
        with self.owner.slot():
            said = self._said(body, prompt, step)
            if said is None:
                return
            head = {"model": said.model, "created_at": "2026-01-02T03:04:05.678901Z"}
            last = {**head, **part(""), "done": True, "done_reason": said.done_reason, **said.numbers}
            if body.get("stream") is False and step.fault is None:
                self._json(200, {**last, **part(said.text, said.thinking)})
                return
            lines = [{**head, **part("", said.thinking), "done": False}] if said.thinking else []
            lines += [{**head, **part(piece), "done": False} for piece in said.pieces()]
            self._stream("application/x-ndjson", [json.dumps(line) + "\n" for line in (*lines, last)], step)
