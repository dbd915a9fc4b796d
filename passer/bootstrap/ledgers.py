"""Builds the ledgers, the chain client and the signing key from the settings."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from passer.domain.base import shown_address
from passer.domain.extras import requires_extra
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, InputError

if TYPE_CHECKING:
    from passer.adapters.note_key import Ed25519NoteSigner
    from passer.adapters.store.journal import DatabaseJournal
    from passer.adapters.store.ledger_tree import DatabaseLedgerTree
    from passer.adapters.store.local_ledger import LocalLedger
    from passer.antelope.client.chain import AntelopeChain
    from passer.antelope.client.rpc import Rpc
    from passer.antelope.ledger.ledger import AntelopeLedger
    from passer.antelope.ledger.wallets import AntelopeWallets
    from passer.antelope.signing.keys import PrivateKey
    from passer.bootstrap.adapters import Adapters
    from passer.ports import Ledger
    from passer.settings import Settings


@dataclass(frozen=True)
class Ledgers:
    """The ledger in the database and the one on a chain, each built on first use."""

    adapters: Adapters

    @cached_property
    def chosen(self) -> Ledger:
        """Ledger of the settings, which finished runs are recorded in."""
        return self.on_chain if self.adapters.settings.ledger == "antelope" else self.local

    @cached_property
    def local(self) -> LocalLedger:
        """Ledger in the database."""
        from passer.adapters.store.local_ledger import LocalLedger

        place = shown_address(self.adapters.settings.resolved_database_url)
        return LocalLedger(self.adapters.database, self.adapters.clock, place=place)

    @cached_property
    def tree(self) -> DatabaseLedgerTree:
        """Merkle tree over the rows of the ledger in the database."""
        from passer.adapters.store.ledger_tree import DatabaseLedgerTree

        return DatabaseLedgerTree(self.adapters.database)

    @cached_property
    def note_signer(self) -> Ed25519NoteSigner:
        """Key of this installation for checkpoints."""
        from passer.adapters.note_key import Ed25519NoteSigner
        from passer.adapters.vault import secret_of_file

        path = self.adapters.settings.home / "checkpoint.key"
        return Ed25519NoteSigner(lambda: secret_of_file(path, refusal="ledger.no-key"))

    @cached_property
    def rpc(self) -> Rpc:
        return self.adapters.resources.enter_context(closing(chain_rpc(self.adapters.settings)))

    @cached_property
    def chain(self) -> AntelopeChain:
        return chain_contract(self.adapters.settings, self.rpc)

    @cached_property
    def on_chain(self) -> AntelopeLedger:
        """The ledger on a chain."""
        from passer.antelope.ledger.ledger import AntelopeLedger

        settings = self.adapters.settings
        return AntelopeLedger(
            self.chain,
            self.journal,
            account=chain_account(settings),
            permission=settings.chain_permission,
            key=chain_key(settings),
            published=settings.chain_contract_kind == "published",
        )

    @cached_property
    def journal(self) -> DatabaseJournal:
        """Store of transactions prepared for wallets and sent to a chain."""
        from passer.adapters.store.journal import DatabaseJournal

        return DatabaseJournal(self.adapters.database)

    @cached_property
    def wallets(self) -> AntelopeWallets | None:
        """Ledger for signing by wallets; None with the local ledger."""
        if self.adapters.settings.ledger != "antelope":
            return None
        from passer.antelope.ledger.wallets import AntelopeWallets

        return AntelopeWallets(self.chain, self.journal, account=chain_account(self.adapters.settings))


def require_chain_packages() -> None:
    """Raise ConfigError if the packages of the extra `chain` are not installed."""
    with requires_extra("chain", sentence("extra.chain"), ConfigError):
        import coincurve  # noqa: F401


def chain_rpc(settings: Settings) -> Rpc:
    """Return a client of the chain's nodes; ConfigError without an address."""
    require_chain_packages()
    from passer.antelope.client.rpc import Rpc

    if not settings.chain_urls:
        raise ConfigError(sentence("chain.no-node-set"), field="chain_urls")
    return Rpc(settings.chain_urls)


def chain_contract(settings: Settings, rpc: Rpc) -> AntelopeChain:
    """Return the contract of the settings."""
    from passer.antelope.client.chain import AntelopeChain

    contract = _account(settings.chain_contract, "chain_contract")
    if contract is None:
        raise ConfigError(sentence("chain.no-contract"), field="chain_contract")
    return AntelopeChain(rpc, contract, published=settings.chain_contract_kind == "published")


def chain_account(settings: Settings) -> str | None:
    """Return the signing account; None if only wallets sign."""
    return _account(settings.chain_account, "chain_account")


def chain_key(settings: Settings) -> PrivateKey | None:
    """Return the signing key. Raises ConfigError, without the key in it, if it cannot be used."""
    value, file = settings.chain_key, settings.chain_key_file
    if value is None and file is None:
        return None
    require_chain_packages()
    from passer.antelope.signing.keys import key_from_file, key_from_value

    if value is not None and file is not None:
        raise ConfigError(sentence("chain.two-keys"), field="chain_key")
    key = key_from_value(value) if value is not None else key_from_file(file) if file is not None else None
    if settings.chain_account is None:
        raise ConfigError(sentence("chain.no-account"), field="chain_account")
    return key


def _account(name: str | None, field: str) -> str | None:
    from passer.antelope.format.packing import name_value

    if name is None:
        return None
    try:
        name_value(name)
    except InputError as exc:
        raise ConfigError(f"PASSER_{field.upper()} is not an account name: {exc.message}", field=field) from exc
    return name
