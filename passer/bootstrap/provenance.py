"""What finished runs leave for good: manifests, bundles, entries on their way into the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from passer.bootstrap.computing import Computing
from passer.services.bundling import Bundling
from passer.services.describing import Describing
from passer.services.posting import Posting
from passer.services.recording import Recording
from passer.services.signing import Signing
from passer.services.tracing import Tracing


@dataclass(frozen=True)
class Provenance(Computing):
    """The services that record, and that take out what was recorded."""

    @cached_property
    def describing(self) -> Describing:
        """Runs described for good."""
        from passer.adapters.surroundings import surroundings

        return Describing(
            runs=self.runs,
            evaluations=self.evaluations,
            datasets=self.datasets,
            collections=self.collections,
            templates=self.templates,
            surroundings=surroundings,
        )

    @cached_property
    def recording(self) -> Recording:
        """What finished runs leave for good."""
        return Recording(
            runs=self.runs,
            outbox=self.outbox,
            describing=self.describing,
            ledger=self.settings.ledger,
            granularity=self.settings.ledger_granularity,
        )

    @cached_property
    def bundling(self) -> Bundling:
        """Runs taken out with their proofs."""
        return Bundling(describing=self.describing, outbox=self.outbox, ledger=self.settings.ledger)

    @cached_property
    def posting(self) -> Posting:
        """From the outbox into the ledger."""
        return Posting(self.outbox, self.ledger, self.clock)

    @cached_property
    def signing(self) -> Signing:
        """What wallets sign."""
        values = self.settings
        return Signing(
            outbox=self.outbox,
            journal=self.journal,
            posting=self.posting,
            clock=self.clock,
            wallet=self.wallet_ledger,
            signs_itself=values.chain_key is not None or values.chain_key_file is not None,
            relay=values.wallet_relay,
        )

    @cached_property
    def tracing(self) -> Tracing:
        """What the ledger holds, listed and compared."""
        from passer.adapters.tables import table_readers

        return Tracing(ledger=self.ledger, tables=table_readers())
