"""Adapters of a project beside the default one: stores of its own, and what costs memory shared by all projects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from passer.bootstrap.adapters import Adapters
from passer.ports import Embedder, Puller

if TYPE_CHECKING:
    from passer.adapters.cross_encoders import CrossEncoders
    from passer.adapters.encoder import TransformerEncoder
    from passer.adapters.generators.local.models import LocalModels
    from passer.adapters.open_telemetry import OtlpTraces
    from passer.adapters.reading import ReaderPool
    from passer.adapters.store.accounts import DatabaseAccounts
    from passer.adapters.vault import FernetVault


@dataclass(frozen=True)
class ProjectAdapters(Adapters):
    """Adapters over the settings of a project. What they share is closed with the default project."""

    default: Adapters
    """Adapters of the default project."""

    @cached_property
    def reader_pool(self) -> ReaderPool:
        """Processes that read documents and tables."""
        return self.default.reader_pool

    @cached_property
    def template_pool(self) -> ReaderPool:
        """Processes that render prompt templates of other people."""
        return self.default.template_pool

    @cached_property
    def encoder(self) -> TransformerEncoder:
        """The scoring encoder."""
        return self.default.encoder

    @cached_property
    def embedder_for(self) -> Callable[[str], Embedder]:
        """Returns the embedding model of that name."""
        return self.default.embedder_for

    @cached_property
    def accounts(self) -> DatabaseAccounts:
        """Store of accounts, sessions and tokens of the installation."""
        return self.default.accounts

    @cached_property
    def vault(self) -> FernetVault:
        """Encryption of stored keys, by the secret of the installation."""
        return self.default.vault

    @cached_property
    def local_models(self) -> LocalModels:
        """Models that run in processes of this PaSSER."""
        return self.default.local_models

    @cached_property
    def cross_encoders(self) -> CrossEncoders:
        """Cross-encoders of the folder of models."""
        return self.default.cross_encoders

    @cached_property
    def traces(self) -> OtlpTraces | None:
        """Build the sender of traces to the receiver of the settings."""
        return self.default.traces

    @cached_property
    def puller(self) -> Puller:
        """Ollama server of the settings that downloads models."""
        return self.default.puller
