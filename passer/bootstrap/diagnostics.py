"""The state of each component of the installation, with the command that installs a missing one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from passer.domain.models.model import addresses
from passer.ports import Check, Part

if TYPE_CHECKING:
    from passer.bootstrap.adapters import Adapters


@dataclass(frozen=True)
class Diagnostics:
    """Looks at every component of a project, all at once."""

    adapters: Adapters
    client: Path
    """Folder of the built browser application."""

    def parts(self, *, only_required: bool = False) -> tuple[Part, ...]:
        """Return the current state of each component, in the order of the checks."""
        checks = [check for check in self._checks if check.required or not only_required]
        with ThreadPoolExecutor(max_workers=len(checks) or 1) as pool:
            return tuple(pool.map(lambda check: check(), checks))

    @cached_property
    def _checks(self) -> tuple[Check, ...]:
        """The checks, built once: a check of a file remembers that it was found, and reports it missing later."""
        from passer.adapters import parts
        from passer.adapters.wordnet import find_wordnet
        from passer.bootstrap.signing_in import provider_of

        adapters, values = self.adapters, self.adapters.settings
        return (
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
            parts.client_check(self.client),
        )
