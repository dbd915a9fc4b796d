"""A scripted model server that speaks Ollama's API, and OpenAI's, over real HTTP on 127.0.0.1.

    with OllamaServer() as server:
        server.script(Step(status=500), Step(reply="Forty-two."))     # the next two generations; then the default
        server.when("soil", Step(latency_s=0.2), times=None)          # every generation whose prompt holds "soil"
        ...
        assert server.times_asked(prompt.digest) == 1

By hand: `python -m tests.ollama_server --port 11434 --latency 0.2`, then `OLLAMA_HOST=127.0.0.1:11434 passer ...`.
"""

from __future__ import annotations

import argparse
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from tests import ollama_replies as replies
from tests.ollama_api import ModelApi
from tests.ollama_http import Http
from tests.ollama_script import ScriptedModel, Seen, Step

__all__ = ["OllamaServer", "ScriptedModel", "Seen", "Step"]


@dataclass
class _Rule:
    text: str
    step: Step
    times: int | None


@dataclass
class OllamaServer:
    """Starts on entering, stops on leaving; may be stopped and started again on the same port."""

    models: Iterable[ScriptedModel | str] = ("mistral:latest", "llama3.1:8b", "nomic-embed-text:latest")
    port: int = 0
    host: str = "127.0.0.1"
    """Where it listens; another address is for workers in network namespaces of their own."""
    latency_s: float = 0.0
    embedding_latency_s: float = 0.0
    """Of each request for vectors."""
    slots: int | None = None
    """Generations at a time; the others wait. None is as many as come."""
    reply: Callable[[str], str] = replies.first_sentence
    api_key: str | None = None
    """Asked for by the OpenAI face."""
    kind: Literal["ollama", "llama.cpp", "vllm", "other"] = "ollama"
    """Which server it plays; all but Ollama have the OpenAI face alone."""
    version: str = "0.33.0"
    """Of the Ollama that it plays; what becomes of a prompt that is too long depends on it."""
    is_native: bool = False
    """Whether llama.cpp makes the prompts from the models' own templates."""
    ignores: frozenset[str] = frozenset()
    """Of `truncate` and `shift`, what is not heeded: MLX models know no `truncate`, and a relay may strip both."""
    seen: list[Seen] = field(default_factory=list)

    def __post_init__(self) -> None:
        models = [model if isinstance(model, ScriptedModel) else ScriptedModel(model) for model in self.models]
        self.known: dict[str, ScriptedModel] = {model.name: model for model in models}
        self._steps: deque[Step] = deque()
        self._rules: list[_Rule] = []
        self._lock = threading.Lock()
        self._slots = threading.Semaphore(self.slots or 1_000_000)
        self._http: Http | None = None
        self._thinking = 0
        self.most_thinking = 0
        """Most generations that were under way together: each from its request to the first byte of its reply."""
        self.stopping = threading.Event()
        self.loaded: dict[str, int] = {}
        """Models in memory, with their windows."""
        self._held = threading.Event()

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def script(self, *steps: Step) -> None:
        """What happens to the next generations, one step each."""
        with self._lock:
            self._steps.extend(steps)

    def when(self, text: str, step: Step, *, times: int | None = 1) -> None:
        """What happens to generations whose prompt holds the text; goes before `script`. None is every time."""
        with self._lock:
            self._rules.append(_Rule(text, step, times))

    def hold(self) -> None:
        """Stop the next generation in the middle of its reply, until `release`."""
        self._held = threading.Event()
        self.script(Step(pause=self._held))

    def release(self) -> None:
        """Continue the generation that was stopped."""
        self._held.set()

    def forget(self) -> None:
        """No more scripted steps: every generation goes well again."""
        with self._lock:
            self._rules.clear()
            self._steps.clear()

    def times_asked(self, prompt_digest: str) -> int:
        """How often this very prompt came in."""
        return sum(1 for seen in self.seen if seen.prompt_digest == prompt_digest)

    @property
    def generations(self) -> list[Seen]:
        """Requests that ask a model to write, with what became of them."""
        paths = ("/api/chat", "/api/generate", "/v1/chat/completions")
        return [seen for seen in self.seen if seen.path in paths and seen.body.get("messages") != []]

    @property
    def connections(self) -> int:
        """How many were opened since the start."""
        return 0 if self._http is None else self._http.connections

    def start(self) -> OllamaServer:
        self.stopping.clear()
        self._http = Http((self.host, self.port), ModelApi, self)
        self.port = self._http.server_address[1]
        threading.Thread(target=self._http.serve_forever, args=(0.02,), name="ollama-server", daemon=True).start()
        return self

    def stop(self) -> None:
        """Refuse connections from now on, and cut those that are open."""
        self.stopping.set()
        if self._http is not None:
            self._http.shutdown()
            self._http.server_close()
            self._http = None

    def __enter__(self) -> OllamaServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # -- for the handler ----------------------------------------------------------------------------------------

    def next_step(self, prompt: str) -> Step:
        with self._lock:
            for rule in self._rules:
                if rule.text in prompt and rule.times != 0:
                    rule.times = None if rule.times is None else rule.times - 1
                    return rule.step
            return self._steps.popleft() if self._steps else Step()

    def note(self, seen: Seen) -> None:
        with self._lock:
            self.seen.append(seen)

    def has(self, name: str) -> ScriptedModel | None:
        """By name, as Ollama reads names: without regard to case, host and folder of the registry, or `latest`."""
        plain = name.lower().removeprefix("registry.ollama.ai/").removeprefix("library/")
        return next((m for known, m in self.known.items() if known.lower() in (plain, f"{plain}:latest")), None)

    def pull(self, name: str) -> ScriptedModel:
        tagged = name if ":" in name else f"{name}:latest"
        return self.known.setdefault(tagged, ScriptedModel(tagged))

    def think(self, seconds: float) -> bool:
        """Wait as long as a reply takes; whether the server was stopped meanwhile."""
        with self._lock:
            self._thinking += 1
            self.most_thinking = max(self.most_thinking, self._thinking)
        stopped = self.stopping.wait(seconds)
        # Before the reply is sent, because the next request may come as soon as it is.
        with self._lock:
            self._thinking -= 1
        return stopped

    @contextlib.contextmanager
    def slot(self):  # type: ignore[no-untyped-def]
        with self._slots:
            yield


def main() -> None:
    parser = argparse.ArgumentParser(description="A scripted model server for trying PaSSER without a model.")
    parser.add_argument("--port", type=int, default=11434)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before the first token")
    parser.add_argument("--slots", type=int, default=None, help="generations at a time")
    parser.add_argument("--model", action="append", help="a model it has; may be repeated")
    parser.add_argument("--refuse", action="append", default=[], help="once, the first prompt that holds this text")
    parser.add_argument("--kind", choices=["ollama", "llama.cpp", "vllm", "other"], default="ollama")
    parser.add_argument("--tunable", action="store_true", help="judge better by an instruction of its own")
    given = parser.parse_args()
    models = given.model or OllamaServer.models
    server = OllamaServer(models=models, port=given.port, latency_s=given.latency, slots=given.slots, kind=given.kind)
    if given.tunable:
        server.reply = replies.tunable_judge
    with server:
        for text in given.refuse:
            server.when(text, Step(status=400, error="too hot to think"))
        print(f"listening on {server.url}", flush=True)  # noqa: T201
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(3600)


if __name__ == "__main__":
    main()
