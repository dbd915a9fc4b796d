"""What the scripted server has, in Ollama's dialect: its models, pulled and loaded, and their vectors."""

from __future__ import annotations

import time
from typing import Any

from tests import ollama_replies as replies
from tests.ollama_generation import Generating
from tests.ollama_script import ScriptedModel


class OllamaLibrary(Generating):
    """Listing, showing, pulling and embedding."""

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
            "details": {
                **self._details(model),
                "context_length": model.context_length,
                "embedding_length": replies.DIMENSION,
            },
            "capabilities": list(model.capabilities),
            **self._remote(model),
        }

    def _remote(self, model: ScriptedModel) -> dict[str, str]:
        if model.remote_model is None:
            return {}
        return {"remote_model": model.remote_model, "remote_host": "https://ollama.com:443"}

    def _ps(self) -> None:
        models = [
            {**self._listed(self.owner.known[name]), "size_vram": 0, "context_length": window}
            for name, window in self.owner.loaded.items()
        ]
        self._json(200, {"models": models})

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
                "capabilities": list(model.capabilities),
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
        ends = ("verifying sha256 digest", "writing manifest", "removing unused layers", "success")
        if body.get("stream") is False:
            self._json(200, {"status": "success"})
        else:
            self._lines([*steps, *({"status": status} for status in ends)])

    def _embed(self, body: dict[str, Any]) -> None:
        model = self.owner.has(body.get("model", ""))
        if model is None:
            name = body.get("model", "")
            self._json(404, {"error": f'model "{name}" not found, try pulling it first'})
            return
        texts = [body["input"]] if isinstance(body.get("input"), str) else list(body.get("input") or [])
        step = self.owner.next_step("\n".join(texts))
        if step.status >= 400:
            self._refuse(step)
            return
        time.sleep(self.owner.embedding_latency_s)
        counts = [replies.count_tokens(text) for text in texts]
        if body.get("truncate") is False and any(count > model.context_length for count in counts):
            self._json(400, {"error": "the input length exceeds the context length"})
            return
        reply = {"model": model.name, "embeddings": [replies.vector(text) for text in texts]}
        self._json(
            200, {**reply, "total_duration": 1_000_000, "load_duration": 100_000, "prompt_eval_count": sum(counts)}
        )
