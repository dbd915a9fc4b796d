"""A chain on which people record with wallets of their own; no key is ever here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, Protocol

from passer.domain.base import Frozen
from passer.domain.ledger.entry import Digest, Entry, Receipt
from passer.ports.journal import Sent

ContractKind = Literal["llmtest", "published"]
"""The contract of this repository, or the published one with four fields."""


class ChainContract(Frozen):
    """A contract, as a wallet has to know it."""

    chain_id: Digest
    """Which chain."""
    urls: tuple[str, ...]
    """Addresses of its nodes, without passwords."""
    contract: str
    """Account that holds the contract."""
    kind: ContractKind
    """Which contract it is."""
    abi: dict[str, Any] | None
    """Its ABI as JSON, by which a wallet shows what is signed; None where the account has none."""


class WalletLedger(Protocol):
    """Prepares what wallets sign, and checks what they signed."""

    def contract(self) -> ChainContract:
        """What a wallet signs for; LedgerUnavailable."""
        ...

    def now(self) -> datetime:
        """The chain's clock, UTC; LedgerUnavailable."""
        ...

    def is_here(self, sent: Sent) -> bool:
        """Whether it is for this contract on this chain; LedgerUnavailable."""
        ...

    def there(self, entries: Sequence[Entry], *, account: str) -> list[Receipt]:
        """Receipts of those that are on the chain already, by this account or by one that they were prepared for."""
        ...

    def prepared(self, entries: Sequence[Entry], *, account: str, permission: str) -> Sent:
        """One transaction of these entries, unsigned and not kept yet; NotFoundError for no such permission."""
        ...

    def with_signatures(self, sent: Sent, signatures: Sequence[str]) -> Sent:
        """The same with signatures that can be read; SigningRefused. No chain is asked."""
        ...

    def check(self, sent: Sent) -> None:
        """That the keys which signed these very bytes are its creator's, as the chain knows them; SigningRefused."""
        ...
