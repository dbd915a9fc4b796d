"""HTTP client of Ollama's own API: JSON, streams of JSON lines, and the errors of both.

The `ollama` package is not used: its chat() can send neither `truncate` nor `shift`, without which a prompt that does
not fit loses its beginning unnoticed; it follows redirects; and it sends $OLLAMA_API_KEY to every address.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Unpack

import httpx
from pydantic import BaseModel, Field

from passer.adapters.generators.faults import Refused, checked_url, error_text, failure, translated
from passer.adapters.generators.http_client import ClientOptions, ModelServerClient
from passer.adapters.generators.written_reply import lines_of
from passer.domain.models.model import MOST_OF_LICENCE
from passer.domain.wording.sentence import sentence
from passer.errors import ModelNotFoundError


class Details(BaseModel):
    """Part of a listed model."""

    family: str | None = None
    parameter_size: str | None = None
    quantization_level: str | None = None


class ListedModel(BaseModel):
    """One model of /api/tags."""

    name: str = ""
    digest: str | None = None
    size: int | None = None
    details: Details = Details()
    remote_model: str | None = None
    """Model of Ollama's cloud that answers for a stub."""
    context_length: int | None = None
    """Window of one request, of a loaded model in /api/ps."""
    size_vram: int | None = None
    """Bytes of `size` that are on graphics processors, of a loaded model in /api/ps."""


class ShownModel(BaseModel):
    """Reply of /api/show, as far as PaSSER uses it."""

    facts: dict[str, Any] = Field(default_factory=dict, alias="model_info")
    license: str | list[str] | None = None
    """Texts of the licences that the model was packed with."""
    capabilities: tuple[str, ...] = ()

    @property
    def licence(self) -> str | None:
        """Identifier in the file, else the title of the first text: its first line, with the version below it."""
        given = self.facts.get("general.license")
        if isinstance(given, str) and given.strip():
            return given.strip()[:MOST_OF_LICENCE]
        texts = [self.license] if isinstance(self.license, str) else self.license or []
        lines = [line.strip() for line in "\n".join(texts).splitlines() if line.strip()][:2]
        title = ", ".join(line for place, line in enumerate(lines) if place == 0 or line.startswith("Version"))
        return title[:MOST_OF_LICENCE] or None

    @property
    def context_length(self) -> int | None:
        """Longest context that the model supports; None if the file does not state it."""
        length = self.facts.get(f"{self.facts.get('general.architecture')}.context_length")
        return length if isinstance(length, int) else None


class ChatPart(BaseModel):
    """One line of a streamed chat; the counts are on the last."""

    class Text(BaseModel):
        """New text since the line before."""

        content: str | None = None
        thinking: str | None = None

    message: Text = Text()
    done: bool = False
    done_reason: str | None = None
    total_duration: int | None = None
    load_duration: int | None = None
    prompt_eval_count: int | None = None
    prompt_eval_duration: int | None = None
    eval_count: int | None = None
    eval_duration: int | None = None


class PullStep(BaseModel):
    """One line of a download."""

    status: str = ""
    completed: int | None = None
    total: int | None = None


class StreamError(Exception):
    """An error line inside a stream that began well; never leaves the adapters."""


class OllamaClient:
    """Requests to one server; safe to use from several threads. Errors of httpx leave as PaSSER's own."""

    def __init__(self, base_url: str, **options: Unpack[ClientOptions]) -> None:
        self._http = ModelServerClient(checked_url(base_url, field="ollama_url"), **options)
        self.base_url = self._http.shown
        self.hidden, self.hidden_so_far = self._http.hidden, self._http.hidden_so_far

    def translated(self) -> AbstractContextManager[None]:
        """Translate every error of a request, with the key taken out."""
        return translated(self.base_url, hide=self.hidden)

    def version(self) -> str | None:
        """Return the server's version; None if it does not report it."""
        with self.translated(), suppress(Refused):
            version = self._http.get("/api/version").json().get("version")
            return version if isinstance(version, str) else None
        return None

    def listed(self) -> list[ListedModel]:
        """Return the models that the server has."""
        with self.translated():
            found = self._http.get("/api/tags").json()["models"]
            return [ListedModel.model_validate(each) for each in found or []]

    def show(self, name: str) -> ShownModel:
        """Return what the server reports about a model."""
        with self.border(name):
            return ShownModel.model_validate(self._http.post("/api/show", json={"model": name}).json())

    def loaded(self, *, within_s: float | None = None) -> list[ListedModel]:
        """Return the models in memory; empty if the server does not report them. None uses the usual timeout."""
        timeout = httpx.USE_CLIENT_DEFAULT if within_s is None else within_s
        with self.translated(), suppress(Refused):
            found = self._http.get("/api/ps", timeout=timeout).json().get("models")
            return [ListedModel.model_validate(each) for each in found or []]
        return []

    def load(self, body: dict[str, Any]) -> None:
        """Load a model with the options of a chat; to be called inside of `border`."""
        self._http.post("/api/chat", json={**body, "messages": [], "stream": False}, timeout=self._http.first_byte)

    def chat(self, body: dict[str, Any]) -> Iterator[ChatPart]:
        """Yield the parts of a reply as they come; to be read inside of `border`."""
        return (ChatPart.model_validate(line) for line in self._lines("/api/chat", body))

    def pull(self, name: str) -> Iterator[PullStep]:
        """Yield the steps of a download as they come; to be read inside of `translated`."""
        body = {"model": name, "stream": True}
        return (PullStep.model_validate(line) for line in self._lines("/api/pull", body))

    def embed(self, body: dict[str, Any]) -> list[Any]:
        """Return the vectors of texts, unchecked; to be called inside of `border`."""
        vectors = self._http.post("/api/embed", json=body, timeout=self._http.first_byte).json()["embeddings"]
        return list(vectors)

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def missing(self, name: str) -> ModelNotFoundError:
        """Return the error that the server does not have a model."""
        return ModelNotFoundError(sentence("server.no-model", model=name, server=self.base_url))

    @contextmanager
    def border(self, name: str) -> Iterator[None]:
        """Translate every error of a request about a model."""
        with self.translated():
            try:
                yield
            except Refused as exc:
                if exc.status != 404:
                    raise
                if is_missing_model(exc):
                    raise self.missing(name) from exc
                raise failure(sentence("server.no-api", server=self.base_url, said=exc.said), "rejected") from exc
            except StreamError as exc:
                raise failure(
                    sentence("server.model-failed", server=self.base_url, said=str(exc)),
                    "server_error",
                    retryable=True,
                ) from exc

    def _lines(self, path: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        with self._http.stream("POST", path, json=body, timeout=self._http.first_byte) as response:
            # The reply has begun: from here on, silence is a fault.
            response.request.extensions["timeout"]["read"] = self._http.read_timeout_s
            for line in filter(bytes.strip, lines_of(response)):
                said = json.loads(line)
                if said.get("error"):
                    raise StreamError(self.hidden(error_text(line.decode())))
                yield said


def is_missing_model(refused: Refused) -> bool:
    """Return whether a 404 is about a model, and not about an address at which there is no such API."""
    return re.search(r"\bmodel\b.*\bnot found\b", refused.said) is not None


def read_to_the_end(parts: Iterator[object]) -> None:
    """Read what is left of a stream."""
    # A stream that was read to its end leaves its connection open for the next request; the answer is there anyway.
    with suppress(httpx.HTTPError, StreamError, ValueError):
        next(parts, None)
