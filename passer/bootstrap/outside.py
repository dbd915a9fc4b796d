"""The outside world: which adapter stands behind each port, by the settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from passer.bootstrap.ledgers import chain_account, chain_contract, chain_key, chain_rpc
from passer.domain.base import shown_address
from passer.domain.run import Model, Provider, addresses
from passer.errors import ConfigError, InputError
from passer.ports import Embedder, Generator, Ledger, Puller
from passer.services.answering import Answering
from passer.settings import Settings

if TYPE_CHECKING:
    from passer.adapters.antelope.chain import AntelopeChain
    from passer.adapters.antelope.rpc import Rpc
    from passer.adapters.chroma import ChromaCollections
    from passer.adapters.encoder import TransformerEncoder
    from passer.adapters.ledgers.antelope import AntelopeLedger
    from passer.adapters.ledgers.local import LocalLedger
    from passer.adapters.ledgers.wallets import AntelopeWallets
    from passer.adapters.prompts import JinjaPrompts
    from passer.adapters.store.database import Database
    from passer.adapters.store.datasets import DatabaseDatasets
    from passer.adapters.store.evaluations import DatabaseEvaluations
    from passer.adapters.store.imports import DatabaseImports
    from passer.adapters.store.journal import DatabaseJournal
    from passer.adapters.store.outbox import DatabaseOutbox
    from passer.adapters.store.runs import DatabaseRuns

EMBEDDED = "embedded/all-MiniLM-L6-v2"


class SystemClock:
    """ports.Clock of this machine."""

    def now(self) -> datetime:
        """UTC, with time zone."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        return time.monotonic()


@dataclass(frozen=True)
class Outside:
    """Every adapter, built when it is first asked for."""

    settings: Settings

    @cached_property
    def _taken(self) -> ExitStack:
        """What has to be given back at the end."""
        return ExitStack()

    def close(self) -> None:
        """Give everything back that was taken, the last first."""
        self._taken.close()

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
        return self._taken.enter_context(closing(Database(self.settings.resolved_database_url)))

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
    def outbox(self) -> DatabaseOutbox:
        """Records of finished runs, and what waits for the ledger."""
        from passer.adapters.store.outbox import DatabaseOutbox

        return DatabaseOutbox(self.database, self.clock)

    @cached_property
    def ledger(self) -> Ledger:
        """Where entries are recorded."""
        return self.chain_ledger if self.settings.ledger == "antelope" else self.local_ledger

    @cached_property
    def rpc(self) -> Rpc:
        """The nodes of a chain."""
        return self._taken.enter_context(closing(chain_rpc(self.settings)))

    @cached_property
    def chain(self) -> AntelopeChain:
        """The contract on it."""
        return chain_contract(self.settings, self.rpc)

    @cached_property
    def chain_ledger(self) -> AntelopeLedger:
        """The ledger on a chain."""
        from passer.adapters.ledgers.antelope import AntelopeLedger

        return AntelopeLedger(
            self.chain,
            self.journal,
            account=chain_account(self.settings),
            permission=self.settings.chain_permission,
            key=chain_key(self.settings),
            published=self.settings.chain_contract_kind == "published",
        )

    @cached_property
    def journal(self) -> DatabaseJournal:
        """What was prepared for wallets, and what was sent to a chain."""
        from passer.adapters.store.journal import DatabaseJournal

        return DatabaseJournal(self.database)

    @cached_property
    def wallet_ledger(self) -> AntelopeWallets | None:
        """What wallets sign for; None where entries are recorded in the local ledger."""
        if self.settings.ledger != "antelope":
            return None
        from passer.adapters.ledgers.wallets import AntelopeWallets

        return AntelopeWallets(self.chain, self.journal, account=chain_account(self.settings))

    @cached_property
    def local_ledger(self) -> LocalLedger:
        """The ledger in the database."""
        from passer.adapters.ledgers.local import LocalLedger
        from passer.adapters.store.ledger import DatabaseLedger

        place = shown_address(self.settings.resolved_database_url)
        return LocalLedger(DatabaseLedger(self.database), self.clock, place=place)

    @cached_property
    def evaluations(self) -> DatabaseEvaluations:
        """What runs left."""
        from passer.adapters.store.evaluations import DatabaseEvaluations

        return DatabaseEvaluations(self.database)

    @cached_property
    def imports(self) -> DatabaseImports:
        """Result sheets of others."""
        from passer.adapters.store.imports import DatabaseImports

        return DatabaseImports(self.database)

    @cached_property
    def encoder(self) -> TransformerEncoder:
        """The scoring encoder."""
        from passer.adapters.encoder import TransformerEncoder, embedded_encoder

        threads, precision = self.settings.encoder_threads or None, self.settings.encoder_precision
        chosen = self.settings.own_encoder
        if chosen:
            made = TransformerEncoder(chosen, threads=threads, precision=precision)
        else:
            made = embedded_encoder(threads=threads, precision=precision)
        return self._taken.enter_context(closing(made))

    @cached_property
    def collections(self) -> ChromaCollections:
        """The vector store."""
        from passer.adapters.chroma import ChromaCollections

        url = self.settings.chroma_url
        if not url:
            _make(self.settings.home)
        path = None if url else self.settings.chroma_path
        return self._taken.enter_context(closing(ChromaCollections(embedder_for=self.embedder_for, path=path, url=url)))

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
    def puller(self) -> Puller:
        """The Ollama server of the settings, as the one that downloads."""
        from passer.adapters.generators.ollama import OllamaGenerator

        url = addresses(self.settings.ollama_url)[0]
        return self._taken.enter_context(closing(OllamaGenerator(url)))

    @cached_property
    def templates(self) -> JinjaPrompts:
        """Prompt templates."""
        from passer.adapters.prompts import JinjaPrompts

        return JinjaPrompts(self.settings.prompts)

    @cached_property
    def answering(self) -> Answering:
        """Prompts and answers."""
        urls = {"ollama": self.settings.ollama_url, "openai": self.settings.openai_url}
        return Answering(
            generator=lambda model: self.generator(model),
            templates=self.templates,
            default_urls={provider: url for provider, url in urls.items() if url},
        )

    def _embedder(self, name: str) -> Embedder:
        if name in ("embedded", EMBEDDED):
            from passer.adapters.encoder import embedded_encoder

            # The embedding model of a collection is always exact: it is what its vectors are bound to.
            shared = self.settings.own_encoder is None and self.settings.encoder_precision == "float32"
            return self.encoder if shared else self._taken.enter_context(closing(embedded_encoder()))
        if name.startswith("ollama/"):
            from passer.adapters.embedder_ollama import OllamaEmbedder

            made = OllamaEmbedder(addresses(self.settings.ollama_url)[0], name.removeprefix("ollama/"))
            return self._taken.enter_context(closing(made))
        from passer.adapters.encoder import TransformerEncoder

        return self._taken.enter_context(closing(TransformerEncoder(name)))

    def _generator(self, provider: Provider, base_url: str | None) -> Generator:
        if provider == "extractive":
            from passer.adapters.generators.extractive import ExtractiveReader

            return ExtractiveReader(
                sentence_source=lambda name, passages: self.collections.open(name).sentences(passages),
                embedder=self.embedder_for(EMBEDDED),
            )
        if base_url is None:
            raise ConfigError("No OpenAI-compatible server is set: set PASSER_OPENAI_URL to its address.")
        if "," in base_url:
            from passer.adapters.generators.several import SeveralServers

            single = [(url, self.generator(Model(provider=provider, base_url=url))) for url in addresses(base_url)]
            return SeveralServers([(shown_address(url), server) for url, server in single])
        if provider == "ollama":
            from passer.adapters.generators.ollama import OllamaGenerator

            return self._taken.enter_context(closing(OllamaGenerator(base_url)))
        from passer.adapters.generators.openai import OpenAIGenerator

        # The key belongs to the server of the settings: an experiment file that names another must not get it.
        key = self.settings.openai_api_key if base_url in addresses(self.settings.openai_url) else None
        made = OpenAIGenerator(base_url, api_key=key.get_secret_value() if key else None)
        return self._taken.enter_context(closing(made))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise InputError(f"{folder} cannot be made ({exc.strerror}): set PASSER_HOME to a folder of yours.") from exc
