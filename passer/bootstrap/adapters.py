"""Builds the adapter behind each port from the settings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cache, cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from passer import __version__
from passer.bootstrap.ledgers import Ledgers
from passer.bootstrap.model_clients import ModelClients
from passer.bootstrap.stores import Stores, made
from passer.domain.models.model import addresses
from passer.domain.retrieval.passages import EMBEDDED
from passer.ports import Embedder, Puller, TableReader

if TYPE_CHECKING:
    from passer.adapters.chroma.collections import ChromaCollections
    from passer.adapters.encoders.cross_encoders import CrossEncoders
    from passer.adapters.encoders.encoder import TransformerEncoder
    from passer.adapters.generators.local.models import LocalModels
    from passer.adapters.open_telemetry import OtlpTraces
    from passer.adapters.prompts import JinjaPrompts
    from passer.adapters.reading.pool import ReaderPool
    from passer.adapters.vault import FernetVault
    from passer.services.accounts.project_settings import ProjectSettings


@dataclass(frozen=True)
class Adapters(Stores):
    """Every adapter of a project, built on first use and closed together."""

    @cached_property
    def reader_pool(self) -> ReaderPool:
        """Processes that read documents and tables; none runs before the first file."""
        from passer.adapters.reading.limits import ReaderLimits
        from passer.adapters.reading.pool import ReaderPool

        seconds = self.settings.reader_seconds
        # Four times the processor time, because other work may use most of the processors.
        limits = ReaderLimits(memory_mb=self.settings.reader_memory_mb, cpu_s=seconds, wall_s=4.0 * seconds)
        return self.resources.enter_context(closing(ReaderPool(limits)))

    @cached_property
    def template_pool(self) -> ReaderPool:
        """Processes that render untrusted prompt templates, so that a slow template delays no sweep."""
        from passer.adapters.reading.limits import ReaderLimits
        from passer.adapters.reading.pool import ReaderPool

        limits = ReaderLimits(memory_mb=200, cpu_s=5, wall_s=60.0)
        return self.resources.enter_context(closing(ReaderPool(limits, files=100_000)))

    @cached_property
    def table_readers(self) -> tuple[TableReader, ...]:
        """Readers of question files, in separate processes."""
        from passer.adapters.reading.isolated import IsolatedTables
        from passer.adapters.tables import table_readers

        return tuple(IsolatedTables(reader, self.reader_pool) for reader in table_readers())

    @cached_property
    def ledgers(self) -> Ledgers:
        return Ledgers(self)

    @cached_property
    def encoder(self) -> TransformerEncoder:
        """The scoring encoder: the one of the settings, or the embedded one."""
        from passer.adapters.encoders.encoder import TransformerEncoder, embedded_encoder

        own, threads = self.settings.own_encoder, self.settings.encoder_threads or None
        precision = self.settings.encoder_precision
        if own:
            encoder = TransformerEncoder(own, threads=threads, precision=precision)
        else:
            encoder = embedded_encoder(threads=threads, precision=precision)
        return self.resources.enter_context(closing(encoder))

    @cached_property
    def collections(self) -> ChromaCollections:
        """The vector store."""
        from passer.adapters.chroma.collections import ChromaCollections

        url = self.settings.chroma_url
        if not url:
            made(self.settings.project_home)
        path = None if url else self.settings.chroma_path
        collections = ChromaCollections(
            embedder_for=self.embedder_for,
            path=path,
            url=url,
            database=self.settings.server_place,
            lexical_path=self.settings.project_home / "lexical",
        )
        return self.resources.enter_context(closing(collections))

    @cached_property
    def embedder_for(self) -> Callable[[str], Embedder]:
        """Returns the embedding model of that name."""
        return cache(self._embedder)

    def _embedder(self, name: str) -> Embedder:
        """Return a new embedding model, or the scoring encoder where it is the same."""
        if name in ("embedded", EMBEDDED):
            from passer.adapters.encoders.encoder import embedded_encoder

            # A collection's embedding model always runs in float32: its vectors are bound to it.
            shared = self.settings.own_encoder is None and self.settings.encoder_precision == "float32"
            return self.encoder if shared else self.resources.enter_context(closing(embedded_encoder()))
        if name.startswith("ollama/"):
            from passer.adapters.encoders.ollama import OllamaEmbedder

            url = addresses(self.settings.ollama_url)[0]
            key = self.models.setting_key("ollama", url)
            ollama = OllamaEmbedder(url, name.removeprefix("ollama/"), api_key=key)
            return self.resources.enter_context(closing(ollama))
        from passer.adapters.encoders.encoder import TransformerEncoder

        return self.resources.enter_context(closing(TransformerEncoder(name)))

    @cached_property
    def models(self) -> ModelClients:
        return ModelClients(self)

    @cached_property
    def project_settings(self) -> ProjectSettings:
        """Settings of which the project may have values of its own."""
        from passer.adapters.store.project_settings import DatabaseSettings
        from passer.services.accounts.project_settings import ProjectSettings

        return ProjectSettings(DatabaseSettings(self.database), self.settings)

    @cached_property
    def vault(self) -> FernetVault:
        """Encryption of stored keys."""
        from passer.adapters.vault import FernetVault, secret_of_file

        given, file = self.settings.secret_key, self.settings.key_file
        return FernetVault(lambda: given.get_secret_value() if given else secret_of_file(file))

    @cached_property
    def local_models(self) -> LocalModels:
        """Models that run in processes of this PaSSER."""
        from passer.adapters.encoders.encoder import usable_cores
        from passer.adapters.generators.local.models import LocalModels
        from passer.adapters.generators.local.process import ModelProcesses, available_bytes, total_bytes

        processes = ModelProcesses(threads=usable_cores(), available=available_bytes, total=total_bytes)
        made = LocalModels(processes, folder=self.settings.models, slots=self.settings.concurrency)
        return self.resources.enter_context(closing(made))

    @cached_property
    def cross_encoders(self) -> CrossEncoders:
        """Cross-encoders of the folder of models."""
        from passer.adapters.encoders.cross_encoders import CrossEncoders

        return CrossEncoders(self.settings.models)

    @cached_property
    def puller(self) -> Puller:
        """Ollama server of the settings that downloads models."""
        from passer.adapters.generators.ollama import OllamaChatModel

        url = addresses(self.settings.ollama_url)[0]
        return self.resources.enter_context(
            closing(OllamaChatModel(url, api_key=self.models.setting_key("ollama", url)))
        )

    @cached_property
    def traces(self) -> OtlpTraces | None:
        """Build the sender of a trace of each question to the receiver of the settings; None without one."""
        if self.settings.otlp_endpoint is None:
            return None
        from passer.adapters.open_telemetry import OtlpTraces

        made = OtlpTraces(self.settings.otlp_endpoint, with_texts=self.settings.otlp_texts, version=__version__)
        return self.resources.enter_context(closing(made))

    @cached_property
    def templates(self) -> JinjaPrompts:
        """Prompt templates."""
        from passer.adapters.prompts import JinjaPrompts
        from passer.adapters.reading.isolated import IsolatedPrompt

        return JinjaPrompts(
            self.settings.prompts, foreign=lambda name, text: IsolatedPrompt(name, text, pool=self.template_pool)
        )


def _shared(name: str) -> Any:
    """Return a property that is the one of this name of the default project's adapters."""
    return property(attrgetter(f"default.{name}"))


@dataclass(frozen=True)
class ProjectAdapters(Adapters):
    """Adapters of one project: separate stores, and shared components that use much memory.

    Shared components are closed with the default project.
    """

    default: Adapters
    """Adapters of the default project."""

    reader_pool = _shared("reader_pool")
    template_pool = _shared("template_pool")
    encoder = _shared("encoder")
    embedder_for = _shared("embedder_for")
    accounts = _shared("accounts")
    vault = _shared("vault")
    local_models = _shared("local_models")
    cross_encoders = _shared("cross_encoders")
    traces = _shared("traces")
    puller = _shared("puller")
