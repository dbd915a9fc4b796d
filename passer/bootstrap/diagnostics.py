"""Builds the checks of every component."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from passer.domain.model import addresses

if TYPE_CHECKING:
    from passer.bootstrap.adapters import Adapters
    from passer.services.system.diagnostics import Diagnostics


def diagnostics_of(adapters: Adapters, *, client: Path) -> Diagnostics:
    """Return the checks of a project's components; `client` is the folder of the built browser application."""
    from passer.adapters import parts
    from passer.adapters.wordnet import find_wordnet
    from passer.bootstrap.signing_in import provider_of
    from passer.services.system.diagnostics import Diagnostics

    values = adapters.settings
    return Diagnostics(
        checks=(
            parts.encoder_check(lambda: adapters.encoder),
            parts.wordnet_check(lambda: find_wordnet(values.wordnet)),
            parts.database_check(
                lambda: adapters.database, url=values.resolved_database_url, file=values.database_file
            ),
            parts.chroma_check(
                lambda: adapters.collections,
                address=values.chroma_url or str(values.chroma_path),
                folder=None if values.chroma_url else values.chroma_path,
            ),
            parts.local_models_check(lambda: adapters.local_models),
            *(parts.ollama_check(url) for url in addresses(values.ollama_url)),
            parts.chain_check(values.chain_urls[0] if values.chain_urls else None),
            parts.provider_check(lambda: provider_of(values)),
            parts.client_check(client),
        )
    )
