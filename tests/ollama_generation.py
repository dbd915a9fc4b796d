"""One generation of the scripted server, whatever dialect asks for it: admitted, written, streamed, or broken off."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from threading import Event
from typing import Any

from tests import ollama_replies as replies
from tests.ollama_http import Handler
from tests.ollama_script import ScriptedModel, Step
from tests.ollama_window import TooLong, Window, llama_server_error

OVERLOADED = "server busy, please try again.  maximum pending requests exceeded"
LONGEST_PAUSE_S = 600.0
CRASHED = "llama runner process has terminated: exit status 2"


@dataclass(frozen=True)
class Generation:
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


class Generating(Handler):
    """What both dialects do."""

    def _window(self, model: ScriptedModel, body: dict[str, Any]) -> Window:
        asked = min((body.get("options") or {}).get("num_ctx", 10**9), model.context_length)
        return Window(self.owner.version, asked, self.owner.is_native, self.owner.ignores)

    def _admitted(self, body: dict[str, Any], *, prompt: str, digest: str | None) -> Step | None:
        """The step for this generation, or None after a refusal; the request is noted with its status."""
        missing = self.owner.has(body.get("model", "")) is None
        step = Step(status=404, error=f"model '{body.get('model')}' not found") if missing else None
        step = step or self.owner.next_step(prompt)
        self.note(body, digest, step.status)
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

    def _said(self, body: dict[str, Any], prompt: str, step: Step) -> Generation | None:
        """The reply after its latency; None when the server stopped meanwhile or hangs."""
        latency = self.owner.latency_s if step.latency_s is None else step.latency_s
        if self.owner.think(3600 if step.fault == "hang" else latency):
            self.close_connection = True
            return None
        options = body.get("options") or {"num_predict": body.get("max_tokens", 10**9)}
        model = self.owner.has(body["model"])
        assert model is not None
        told, room = replies.count_tokens(prompt), None
        if self.path.startswith("/api/"):
            window = self._window(model, body)
            try:
                told = window.read(told, body)
            except TooLong as exc:
                self._refuse(Step(status=400, error=str(exc)))
                return None
            room = window.room(told, body)
        elif told >= model.context_length:
            self._refuse_context(told, model.context_length)
            return None
        text = (model.reply or self.owner.reply)(prompt) if step.reply is None else step.reply
        schema = body.get("format") or ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
        text = replies.matching(schema, text) if schema else text
        whole = replies.count_tokens(text)
        text = replies.first_tokens(text, min(options.get("num_predict", 10**9), room or 10**9))
        told = told if step.prompt_tokens is None else step.prompt_tokens
        numbers = replies.durations(prompt_tokens=told, reply_tokens=replies.count_tokens(text))
        if told == 0:
            del numbers["prompt_eval_count"]
        reason = step.done_reason or ("length" if replies.count_tokens(text) < whole else "stop")
        return Generation(body["model"], text, step.thinking, reason, numbers)

    def _stream(self, kind: str, lines: list[str], step: Step) -> None:
        """The lines as a stream, or as much of it as the fault leaves."""
        fault = step.fault
        first, last = lines[0].encode(), lines[-1].encode()
        self._begin_stream(kind)
        if fault is None:
            for place, line in enumerate(lines):
                if step.pause is not None and place == self._middle(lines):
                    self._pause(step.pause)
                self._chunk(line.encode())
        elif fault == "malformed":
            self._chunk(first)
            line = (step.error or "{not json}").encode() + b"\n"
            self._chunk(b"data: " + line if kind == "text/event-stream" else line)
        elif fault == "stalls":
            self._chunk(first)
            self.owner.stopping.wait(3600)
        elif fault in ("repeats", "repeats_error"):
            for _ in range(31 if fault == "repeats" else 101):
                self._chunk(first)
            if fault == "repeats_error":
                self._chunk(json.dumps({"error": "prediction aborted, token repeat limit reached"}).encode() + b"\n")
        elif fault == "error_in_stream":
            self._chunk(first)
            line = json.dumps({"error": step.error or CRASHED}).encode() + b"\n\n"
            self._chunk(b"data: " + line if kind == "text/event-stream" else line)
        elif fault == "cut_json":
            self._chunk(first)
            self._chunk(last[: len(last) // 2])
        else:
            self._chunk(first)
        if fault == "reset":
            self._reset()
            return
        self._chunk(b"")

    def _pause(self, released: Event) -> None:
        """Wait for the test, however busy the machine is, or for the end of the server."""
        until = time.monotonic() + LONGEST_PAUSE_S
        while not released.wait(0.1) and not self.owner.stopping.is_set() and time.monotonic() < until:
            pass

    def _middle(self, lines: list[str]) -> int:
        """Place of the line with the second half of the text."""
        texts = [place for place, line in enumerate(lines) if re.search(r'"content": "[^"]', line)]
        return texts[-1] if texts else 0

    def _refuse_context(self, tokens: int, window: int) -> None:
        """In the words of llama.cpp's server (tools/server/README.md) or of vLLM (issue 33921)."""
        if self.owner.kind == "llama.cpp":
            self._json(400, json.loads(llama_server_error(tokens, window)))
            return
        message = (
            f"This model's maximum context length is {window} tokens. However, your request has {tokens} input tokens. "
            f"Please reduce the length of the input messages. (parameter=input_tokens, value={tokens}) None"
        )
        self._json(400, {"error": {"message": message, "type": "BadRequestError", "param": None, "code": 400}})


def prompt_of(messages: list[dict[str, Any]]) -> str:
    return "\n\n".join(str(message.get("content", "")) for message in messages)
