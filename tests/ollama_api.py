"""What the scripted model server answers, path by path: Ollama's API, and the chat of OpenAI's."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from passer.domain.base import digest_of
from tests import ollama_replies as replies
from tests.ollama_http import Handler
from tests.ollama_script import Fault, ScriptedModel, Seen, Step

OVERLOADED = "server busy, please try again.  maximum pending requests exceeded"
CRASHED = "llama runner process has terminated: exit status 2"


@dataclass(frozen=True)
class _Generation:
    """One reply, ready to be said in any of the three dialects."""

    model: str
    text: str
    thinking: str | None
    done_reason: str
    numbers: dict[str, int]

    def pieces(self) -> list[str]:
        """The text in two halves, so that a stream has a middle."""
        half = len(self.text) // 2
        return [piece for piece in (self.text[:half], self.text[half:]) if piece]


class ModelApi(Handler):
    """Ollama's dialect and OpenAI's."""

    def do_GET(self) -> None:
        gets = {
            "/": lambda: self._text(200, "Ollama is running"),
            "/api/version": lambda: self._json(200, {"version": "0.13.5"}),
            "/api/tags": self._tags,
            "/v1/models": self._openai_models,
        }
        self.owner.note(Seen(self.path, {}))
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
            self.owner.note(Seen(self.path, body))
        posts.get(self.path, lambda _: self._unknown())(body)

    # -- Ollama: what it has ------------------------------------------------------------------------------------

    def _missing(self, name: str) -> None:
        self._json(404, {"error": f"model '{name}' not found"})

    def _tags(self) -> None:
        self._json(200, {"models": [self._listed(model) for model in self.owner.known.values()]})

    def _listed(self, model: ScriptedModel) -> dict[str, Any]:
        return {
            "name": model.name,
            "model": model.name,
            "modified_at": "2026-01-02T03:04:05.678901234Z",
            "size": 4_109_865_159,
            "digest": model.digest,
            "details": self._details(model),
        }

    def _details(self, model: ScriptedModel) -> dict[str, Any]:
        return {
            "parent_model": "",
            "format": "gguf",
            "family": model.family,
            "families": [model.family],
            "parameter_size": model.parameter_size,
            "quantization_level": model.quantization,
        }

    def _show(self, body: dict[str, Any]) -> None:
        name = body.get("model") or body.get("name") or ""
        model = self.owner.has(name)
        if model is None:
            self._missing(name)
            return
        info = {
            "general.architecture": model.family,
            f"{model.family}.context_length": model.context_length,
            f"{model.family}.embedding_length": replies.DIMENSION,
        }
        self._json(
            200,
            {
                "license": "",
                "modelfile": f"FROM {model.name}",
                "parameters": "",
                "template": "{{ .Prompt }}",
                "details": self._details(model),
                "model_info": info,
                "capabilities": ["completion"],
                "modified_at": "2026-01-02T03:04:05.678901234Z",
            },
        )

    def _pull(self, body: dict[str, Any]) -> None:
        name = body.get("model") or body.get("name") or ""
        if name.startswith("no-such"):
            self._lines([{"status": "pulling manifest"}, {"error": "pull model manifest: file does not exist"}])
            return
        model = self.owner.pull(name)
        layer = {"status": f"pulling {model.digest[:12]}", "digest": f"sha256:{model.digest}", "total": 1000}
        steps = [{"status": "pulling manifest"}, layer, *({**layer, "completed": n} for n in (250, 500, 1000))]
        ends = ("verifying sha256 digest", "writing manifest", "success")
        if body.get("stream") is False:
            self._json(200, {"status": "success"})
        else:
            self._lines([*steps, *({"status": status} for status in ends)])

    def _embed(self, body: dict[str, Any]) -> None:
        model = self.owner.has(body.get("model", ""))
        if model is None:
            self._missing(body.get("model", ""))
            return
        texts = [body["input"]] if isinstance(body.get("input"), str) else list(body.get("input") or [])
        step = self.owner.next_step("\n".join(texts))
        if step.status >= 400:
            self._refuse(step)
            return
        counts = [replies.count_tokens(text) for text in texts]
        if body.get("truncate") is False and any(count > model.context_length for count in counts):
            self._json(400, {"error": "the input length exceeds the context length"})
            return
        reply = {"model": model.name, "embeddings": [replies.vector(text) for text in texts]}
        self._json(
            200, {**reply, "total_duration": 1_000_000, "load_duration": 100_000, "prompt_eval_count": sum(counts)}
        )

    # -- generating ---------------------------------------------------------------------------------------------

    def _chat(self, body: dict[str, Any]) -> None:
        messages = body.get("messages") or []

        def part(text: str, thinking: str | None = None) -> dict[str, Any]:
            message = {"role": "assistant", "content": text}
            return {"message": {**message, "thinking": thinking} if thinking else message}

        self._ollama(body, prompt=_prompt_of(messages), digest=digest_of(messages), part=part)

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
            self._stream("application/x-ndjson", [json.dumps(line) + "\n" for line in (*lines, last)], step.fault)

    def _admitted(self, body: dict[str, Any], *, prompt: str, digest: str | None) -> Step | None:
        """The step for this generation, or None after a refusal; the request is noted with its status."""
        missing = self.owner.has(body.get("model", "")) is None
        step = Step(status=404, error=f"model '{body.get('model')}' not found") if missing else None
        step = step or self.owner.next_step(prompt)
        self.owner.note(Seen(self.path, body, digest, step.status, self.client_address[0]))
        if step.fault == "reset_at_once":
            self._reset()
            return None
        if step.status >= 400:
            self._refuse(step)
            return None
        return step

    def _refuse(self, step: Step) -> None:
        words = {503: OVERLOADED, 429: "too many requests", 500: CRASHED}
        error = step.error or words.get(step.status, "refused")
        headers = {"Retry-After": step.retry_after} if step.retry_after else None
        said = {"message": error, "type": "error"} if self.path.startswith("/v1/") else error
        self._json(step.status, {"error": said}, headers)

    def _said(self, body: dict[str, Any], prompt: str, step: Step) -> _Generation | None:
        """The reply after its latency; None when the server stopped meanwhile or hangs."""
        latency = self.owner.latency_s if step.latency_s is None else step.latency_s
        if self.owner.think(3600 if step.fault == "hang" else latency):
            self.close_connection = True
            return None
        options = body.get("options") or {"num_predict": body.get("max_tokens", 10**9)}
        text = self.owner.reply(prompt) if step.reply is None else step.reply
        text = replies.matching(body["format"], text) if body.get("format") else text
        whole = replies.count_tokens(text)
        text = replies.first_tokens(text, options.get("num_predict", 10**9))
        window = min(options.get("num_ctx", 10**9), self.owner.has(body["model"]).context_length)  # type: ignore[union-attr]
        told = min(replies.count_tokens(prompt), window) if step.prompt_tokens is None else step.prompt_tokens
        numbers = replies.durations(prompt_tokens=told, reply_tokens=replies.count_tokens(text))
        if told == 0:
            del numbers["prompt_eval_count"]
        reason = step.done_reason or ("length" if replies.count_tokens(text) < whole else "stop")
        return _Generation(body["model"], text, step.thinking, reason, numbers)

    def _stream(self, kind: str, lines: list[str], fault: Fault | None) -> None:
        """The lines as a stream, or as much of it as the fault leaves."""
        first, last = lines[0].encode(), lines[-1].encode()
        self._begin_stream(kind)
        if fault is None:
            for line in lines:
                self._chunk(line.encode())
        elif fault == "malformed":
            self._chunk(first)
            self._chunk(b"data: {not json}\n" if kind == "text/event-stream" else b"{not json}\n")
        elif fault == "error_in_stream":
            self._chunk(first)
            self._chunk(
                (b"data: " if kind == "text/event-stream" else b"") + json.dumps({"error": CRASHED}).encode() + b"\n\n"
            )
        elif fault == "cut_json":
            self._chunk(first)
            self._chunk(last[: len(last) // 2])
        else:
            self._chunk(first)
        if fault == "reset":
            self._reset()
            return
        self._chunk(b"")

    # -- OpenAI's dialect ---------------------------------------------------------------------------------------

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
                {"id": m.name, "object": "model", "owned_by": "scripted", "max_model_len": m.context_length}
                for m in self.owner.known.values()
            ]
            self._json(200, {"object": "list", "data": models})

    def _openai_chat(self, body: dict[str, Any]) -> None:
        if not self._is_authorised():
            return
        messages = body.get("messages") or []
        prompt = _prompt_of(messages)
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
        self._stream("text/event-stream", [*lines, "data: [DONE]\n\n"], step.fault)


def _prompt_of(messages: list[dict[str, Any]]) -> str:
    return "\n\n".join(str(message.get("content", "")) for message in messages)
