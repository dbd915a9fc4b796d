"""The only file that names concrete adapters: settings in, services out. Nothing heavy is loaded before it is used."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from passer.domain.run import Model
from passer.domain.score import MetricInfo, Profile
from passer.errors import ConfigError, InputError
from passer.ports import Embedder, Engine, Generator, Part, Workers
from passer.services.answering import Answering
from passer.services.comparing import Comparing
from passer.services.diagnosing import Diagnosing
from passer.services.examples import Examples
from passer.services.exporting import Exporting
from passer.services.ingesting import Ingesting
from passer.services.inspecting import Inspecting
from passer.services.loading import Loading
from passer.services.running import Running
from passer.services.scoring import Scoring
from passer.services.sweeping import Sweeping
from passer.settings import Settings

if TYPE_CHECKING:
    from passer.adapters.chroma import ChromaCollections
    from passer.adapters.encoder import TransformerEncoder
    from passer.adapters.prompts import JinjaPrompts
    from passer.adapters.store.database import Database
    from passer.adapters.store.datasets import DatabaseDatasets
    from passer.adapters.store.evaluations import DatabaseEvaluations
    from passer.adapters.store.runs import DatabaseRuns

EMBEDDED = "embedded/all-MiniLM-L6-v2"
CLIENT = Path(__file__).parent / "static"
"""The built browser application."""


class SystemClock:
    """ports.Clock of this machine."""

    def now(self) -> datetime:
        """UTC, with time zone."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        return time.monotonic()


@dataclass(frozen=True)
class Services:
    """Everything that a command or a route may call; each part is built when it is first asked for."""

    settings: Settings

    # -- the outside world ---------------------------------------------------------------------------------------

    @cached_property
    def clock(self) -> SystemClock:
        """Time."""
        return SystemClock()

    @cached_property
    def database(self) -> Database:
        """The database, brought to the current schema."""
        from passer.adapters.store.database import Database

        if self.settings.database_url is None:
            _make(self.settings.home)
        return Database(self.settings.resolved_database_url)

    @cached_property
    def datasets(self) -> DatabaseDatasets:
        """Datasets by name."""
        from passer.adapters.store.datasets import DatabaseDatasets

        return DatabaseDatasets(self.database, self.clock)

    @cached_property
    def runs(self) -> DatabaseRuns:
        """Sweeps, runs and their states."""
        from passer.adapters.store.runs import DatabaseRuns

        return DatabaseRuns(self.database, self.clock)

    @property
    def leases(self) -> DatabaseRuns:
        """Who runs which sweep."""
        return self.runs

    @cached_property
    def evaluations(self) -> DatabaseEvaluations:
        """What runs left."""
        from passer.adapters.store.evaluations import DatabaseEvaluations

        return DatabaseEvaluations(self.database)

    @cached_property
    def encoder(self) -> TransformerEncoder:
        """The scoring encoder."""
        from passer.adapters.encoder import TransformerEncoder, embedded_encoder

        threads = self.settings.encoder_threads or None
        if self.settings.encoder is None:
            return embedded_encoder(threads=threads)
        return TransformerEncoder(self.settings.encoder, threads=threads)

    @cached_property
    def collections(self) -> ChromaCollections:
        """The vector store."""
        from passer.adapters.chroma import ChromaCollections

        if self.settings.chroma_url:
            return ChromaCollections(embedder_for=self.embedder_for, url=self.settings.chroma_url)
        _make(self.settings.home)
        return ChromaCollections(embedder_for=self.embedder_for, path=self.settings.chroma_path)

    @cached_property
    def embedder_for(self) -> Callable[[str], Embedder]:
        """Embedding models by the names that collections keep."""
        return cache(self._embedder)

    @cached_property
    def generator(self) -> Callable[[Model], Generator]:
        """Who answers for a model; one client for each server."""
        by_server = cache(self._generator)
        return lambda model: by_server(model.provider, self.answering.located(model).base_url)

    @cached_property
    def templates(self) -> JinjaPrompts:
        """Prompt templates."""
        from passer.adapters.prompts import JinjaPrompts

        return JinjaPrompts(self.settings.prompts)

    # -- the acts --------------------------------------------------------------------------------------------------

    @cached_property
    def answering(self) -> Answering:
        """Prompts and answers."""
        urls = {"ollama": self.settings.ollama_url, "openai": self.settings.openai_url}
        return Answering(
            generator=lambda model: self.generator(model),
            templates=self.templates,
            default_urls={provider: url for provider, url in urls.items() if url},
        )

    @cached_property
    def scoring(self) -> Scoring:
        """The 24 metrics."""
        from passer.adapters.wordnet import find_wordnet

        return Scoring(encoder=self.encoder, wordnet=find_wordnet(self.settings.wordnet))

    @cached_property
    def ingesting(self) -> Ingesting:
        """Documents in."""
        from passer.adapters.documents import document_readers
        from passer.adapters.splitter import RecursiveSplitter
        from passer.adapters.web import WebFetcher

        limits = self.settings
        return Ingesting(
            readers=document_readers(),
            fetcher=WebFetcher(max_bytes=limits.max_upload_bytes, allow_private=limits.allow_private_addresses),
            splitter=RecursiveSplitter(token_count=self.encoder.count_tokens),
            collections=self.collections,
            embedder_for=self.embedder_for,
            default_embedding=limits.embedding,
            max_bytes=limits.max_upload_bytes,
        )

    @cached_property
    def loading(self) -> Loading:
        """Question files in."""
        from passer.adapters.tables import table_readers

        return Loading(readers=table_readers(), max_bytes=self.settings.max_upload_bytes)

    @cached_property
    def examples(self) -> Examples:
        """What comes with PaSSER."""
        return Examples(ingesting=self.ingesting, loading=self.loading, datasets=self.datasets)

    @cached_property
    def sweeping(self) -> Sweeping:
        """Sweeps before and after they run."""
        return Sweeping(
            runs=self.runs,
            evaluations=self.evaluations,
            datasets=self.datasets,
            collections=self.collections,
            describe=self.answering.describe,
            templates=self.templates,
            scored_by=lambda: self.scoring.identity,
            clock=self.clock,
        )

    @cached_property
    def running(self) -> Running:
        """Sweeps while they run."""
        return Running(
            runs=self.runs,
            leases=self.leases,
            evaluations=self.evaluations,
            datasets=self.datasets,
            collections=self.collections,
            answering=self.answering,
            scorer=self.scoring,
            engine=self._engine,
            clock=self.clock,
        )

    @cached_property
    def inspecting(self) -> Inspecting:
        """What runs left, looked at."""
        return Inspecting(runs=self.runs, evaluations=self.evaluations, datasets=self.datasets)

    @cached_property
    def exporting(self) -> Exporting:
        """Tables out."""
        from passer.adapters.tables import table_writers

        return Exporting(writers=table_writers())

    @cached_property
    def comparing(self) -> Comparing:
        """Sweeps analysed and exported."""
        return Comparing(
            inspecting=self.inspecting,
            runs=self.runs,
            evaluations=self.evaluations,
            exporting=self.exporting,
        )

    @cached_property
    def diagnosing(self) -> Diagnosing:
        """Which parts are there."""
        from passer.adapters import parts
        from passer.adapters.wordnet import find_wordnet

        values = self.settings
        return Diagnosing(
            checks=(
                parts.encoder_check(lambda: self.encoder),
                parts.wordnet_check(lambda: find_wordnet(values.wordnet)),
                parts.database_check(lambda: self.database, url=values.resolved_database_url),
                parts.chroma_check(lambda: self.collections, place=values.chroma_url or str(values.chroma_path)),
                parts.ollama_check(values.ollama_url),
                parts.chain_check(values.chain_url),
                parts.client_check(CLIENT),
            )
        )

    def metrics(self, profile: Profile) -> tuple[MetricInfo, ...]:
        """What each metric says of itself, in vector order."""
        return metric_infos(profile)

    def warm(self) -> None:
        """Load in the background what the first request would wait for."""
        Thread(target=self._warm, name="warming", daemon=True).start()

    def close(self) -> None:
        """Give everything back that was taken."""
        for name in ("collections", "encoder", "database"):
            built = self.__dict__.get(name)
            if built is not None:
                built.close()

    # -- how the parts are made --------------------------------------------------------------------------------------

    def _embedder(self, name: str) -> Embedder:
        if name in ("embedded", EMBEDDED):
            from passer.adapters.encoder import embedded_encoder

            return self.encoder if self.settings.encoder is None else embedded_encoder()
        if name.startswith("ollama/"):
            from passer.adapters.embedder_ollama import OllamaEmbedder

            return OllamaEmbedder(self.settings.ollama_url, name.removeprefix("ollama/"))
        from passer.adapters.encoder import TransformerEncoder

        return TransformerEncoder(name)

    def _generator(self, provider: str, base_url: str | None) -> Generator:
        if provider == "extractive":
            from passer.adapters.generators.extractive import ExtractiveReader

            return ExtractiveReader(
                sentence_source=lambda name, passages: self.collections.open(name).sentences(passages),
                embedder=self.embedder_for(EMBEDDED),
            )
        if base_url is None:
            raise ConfigError("No OpenAI-compatible server is set: set PASSER_OPENAI_URL to its address.")
        if provider == "ollama":
            from passer.adapters.generators.ollama import OllamaGenerator

            return OllamaGenerator(base_url)
        from passer.adapters.generators.openai import OpenAIGenerator

        key = self.settings.openai_api_key
        return OpenAIGenerator(base_url, api_key=key.get_secret_value() if key else None)

    def _engine(self) -> Engine:
        from passer.engines.local import LocalEngine

        return LocalEngine(
            lambda: Workers(generator=self.generator, scorer=lambda: self.scoring),
            per_endpoint=self.settings.concurrency,
        )

    def _warm(self) -> None:
        self.encoder.warm()
        self.scoring.score([("A warm text.", "Another warm text.")], profile="standard")


def build_services(settings: Settings) -> Services:
    """Services over these settings."""
    return Services(settings)


@contextmanager
def services() -> Iterator[Services]:
    """Services over the environment's settings, closed at the end."""
    built = build_services(Settings())
    try:
        yield built
    finally:
        built.close()


def diagnose(settings: Settings) -> tuple[Part, ...]:
    """Which parts are there."""
    built = build_services(settings)
    try:
        return built.diagnosing.parts()
    finally:
        built.close()


def metric_infos(profile: Profile) -> tuple[MetricInfo, ...]:
    """What each metric says of itself, in vector order."""
    from passer.metrics import infos

    return tuple(infos(profile))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise InputError(f"{folder} cannot be made ({exc.strerror}): set PASSER_HOME to a folder of yours.") from exc
