"""A model that answers: how it is named and reached, and how its server describes it."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field, field_validator

from passer.domain.base import Frozen, added_field
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

ConnectedKind = Literal["ollama", "openai", "outside"]
"""Ollama's API; the one of OpenAI that vLLM, llama.cpp and LM Studio speak as well; or an external system
(docs/outside.md)."""
Provider = Literal["extractive", "local", ConnectedKind]
"""Interface through which a model is asked."""


class Model(Frozen):
    """The model that answers, and its server."""

    provider: Provider = "extractive"
    """`extractive` copies sentences, `local` runs a GGUF file on this machine, `outside` is an external system,
    which retrieves for itself; the others are servers."""
    name: str = Field(default="extractive", min_length=1)
    """Model tag as the server knows it."""
    base_url: str | None = None
    """Server address, or several that serve it, separated by commas; None takes the one of the settings."""
    connection: str | None = added_field(None, max_length=60)
    """Name of a connected model server, whose address and key are used."""

    @field_validator("base_url")
    @classmethod
    def _separated(cls, value: str | None) -> str | None:
        """Several addresses without spaces and repetitions; one alone as it is."""
        return ",".join(addresses(value)) if value and "," in value else value

    @property
    def label(self) -> str:
        """Return a short name for tables."""
        return self.name

    @property
    def reads_prompts(self) -> bool:
        """Return whether it answers any prompt, so that it can judge, rewrite and draft."""
        return self.provider not in ("extractive", "outside")

    @property
    def is_outside(self) -> bool:
        """Return whether it is an external system, which receives a question and does all other steps itself."""
        return self.provider == "outside"

    @property
    def is_function(self) -> bool:
        """Return whether it is a function or a file of answers, which only the process that has it can ask."""
        return self.is_outside and self.connection is None

    @property
    def server(self) -> Server:
        """Return provider and address; the same for all models of one server."""
        return self.provider, self.base_url

    @property
    def endpoints(self) -> tuple[Server, ...]:
        """Return one server for each address."""
        return tuple((self.provider, url) for url in addresses(self.base_url)) or (self.server,)


def is_weights_path(name: str) -> bool:
    """Return whether the name of a local model is a path of this machine, which only its command line may give."""
    return "/" in name or "\\" in name or name.endswith(".gguf")


Server = tuple[str, str | None]
"""A model server: provider and address; what is built in has no address."""


Loaded = tuple[str, int, int | None]
"""A model in a server's memory: name, window and batch."""


def addresses(base_url: str | None) -> tuple[str, ...]:
    """Return the addresses in a setting or a model, where they are separated by commas."""
    return tuple(dict.fromkeys(part.strip() for part in (base_url or "").split(",") if part.strip()))


MOST_OF_LICENCE = 120
"""Longest name of a licence, in characters."""


class ModelInfo(Frozen):
    """A server's report on a model."""

    name: str
    """Tag."""
    digest: str = "unknown"
    """Digest of the weights, or of the manifest that names weights, template and parameters; else `unknown`."""
    family: str | None = None
    """Architecture family."""
    parameter_size: str | None = None
    """Number of parameters as the server prints it, e.g. `7.2B`."""
    quantization: str | None = None
    """Quantisation level."""
    context_length: int | None = None
    """Longest context the model was made for, in tokens."""
    size_bytes: int | None = None
    """Size on disk."""
    engine: str | None = added_field(None)
    """Program that runs the model, with its version, as far as it is reported."""
    template_digest: str | None = added_field(None)
    """SHA-256, hex, of the model's own chat template."""
    for_trials: bool = added_field(False)
    """True if the model is only suitable for testing."""
    slots: int | None = added_field(None)
    """Requests at a time: the server's slots if it reports them, else PaSSER's limit."""
    capabilities: tuple[str, ...] = added_field(())
    """Abilities of the model, in the server's words: `completion`, `thinking`, `vision`, `embedding`."""
    licence: str | None = added_field(None)
    """Licence as the server or the file states it: an identifier, or the first line of its text."""
    remote_model: str | None = added_field(None)
    """Cloud model that answers instead of this one; None if the server runs the model."""


class ModelMemory(Frozen):
    """Memory that a loaded model takes, with its context."""

    total_bytes: int
    """All of it."""
    gpu_bytes: int | None = None
    """Part of it in the memory of graphics processors; None if the server does not report it."""


def is_other_engine(recorded: str | None, now: str | None) -> bool:
    """Return whether an engine is none of those recorded; several servers may have several, separated by commas."""
    return recorded is not None and now is not None and not set(now.split(", ")) <= set(recorded.split(", "))


def is_same_model(one: Model, other: Model) -> bool:
    """Return whether two models have the same provider, connection and name, at any address."""
    return (one.provider, one.connection, one.name) == (other.provider, other.connection, other.name)


def model_of(text: str) -> Model:
    """Parse `extractive`, `PROVIDER/NAME` or `PROVIDER@CONNECTION/NAME`; anything else is a tag of Ollama.

    ConfigError for `embedded/...`, as encoders are named, and for names of a provider that has only one model.
    """
    if text in ("extractive", "extractive/extractive"):
        return Model()
    server, _, name = text.partition("/")
    provider, _, connection = server.partition("@")
    # A tag of Ollama may have such a namespace, but nobody who types it here means one.
    if provider in ("embedded", "extractive") and name:
        raise ConfigError(sentence("model.no-provider", name=text), field="model")
    if provider in get_args(Provider) and name:
        return Model.model_validate({"provider": provider, "name": name, "connection": connection or None})
    return Model(provider="ollama", name=text)
