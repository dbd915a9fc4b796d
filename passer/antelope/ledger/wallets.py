"""Prepares transactions for wallets, and checks signatures over the stored bytes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from passer.antelope.client.chain import AntelopeChain, recovered_keys
from passer.antelope.format.transactions import packed_identity, unpacked_transaction
from passer.antelope.ledger.blocks import Blocks
from passer.antelope.ledger.recorded import Recorded
from passer.antelope.signing.authorities import Authority, reached
from passer.domain.ledger.chain import ChainTransaction, IdentityProof, PermissionLevel
from passer.domain.ledger.entry import Digest, Entry, Receipt
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError, NotFoundError, SigningRefused
from passer.ports import ChainContract, ContractKind, Journal, Sent

LIFETIME_S = 600
"""Seconds that a person has to read and to sign, by the chain's clock."""


class AntelopeWallets:
    """ports.WalletLedger on a contract; with `account` only that one may sign."""

    def __init__(
        self, chain: AntelopeChain, journal: Journal, *, account: str | None = None, lifetime_s: int = LIFETIME_S
    ) -> None:
        self._chain, self._journal = chain, journal
        self._account, self._lifetime_s = account, lifetime_s
        self._kind: ContractKind = "published" if chain.published else "llmtest"
        self._recorded = Recorded(chain, journal, Blocks(chain.rpc), published=chain.published)

    def contract(self) -> ChainContract:
        rpc = self._chain.rpc
        abi = rpc.abi(self._chain.contract)
        return ChainContract(
            chain_id=rpc.info().chain_id,
            urls=rpc.urls,
            contract=self._chain.contract,
            kind=self._kind,
            abi=None if abi is None else dict(abi),
        )

    def proving_key(self, proof: IdentityProof, *, challenge: str, chain_id: Digest) -> str:
        packed = packed_identity(proof, challenge=challenge)
        return recovered_keys(packed, [proof.signature], chain_id=chain_id)[0].text

    def now(self) -> datetime:
        return self._chain.rpc.info().head_block_time

    def is_here(self, sent: Sent) -> bool:
        return sent.contract == self._chain.contract and sent.chain_id == self._chain.rpc.info().chain_id

    def there(self, entries: Sequence[Entry], *, account: str) -> list[Receipt]:
        """Receipts of those that are on the chain already, by this account or by one that they were prepared for.

        The latter is of wallets that send by themselves what they were asked to sign only.
        """
        accounts = {entry.identity: {account} for entry in entries}
        for one in self._journal.sent("prepared", "dropped"):
            for identity in accounts.keys() & set(one.identities):
                accounts[identity].add(one.creator)
        rows = self._recorded.rows(accounts, entries)
        found = [(entry, rows[entry.identity]) for entry in entries if entry.identity in rows]
        return [self._recorded.receipt(entry, row, None) for entry, row in found]

    def prepared(self, entries: Sequence[Entry], *, account: str, permission: str) -> Sent:
        if self._account not in (None, account):
            raise ConflictError(sentence("chain.other-account", account=self._account))
        if self._chain.rpc.account(account).authority(permission) is None:
            raise NotFoundError(sentence("chain.no-permission", account=account, permission=permission))
        written, lifetime_s = [self._recorded.written(entry) for entry in entries], self._lifetime_s
        while True:
            made = self._chain.prepare(written, account, permission=permission, lifetime_s=lifetime_s)
            if self._journal.find(made.id) is None:
                break
            # The same entries were prepared and dropped within this second. Dropped bytes are never used again, so this
            # transaction expires earlier.
            lifetime_s -= 1
        return Sent(
            id=made.id,
            chain_id=made.chain_id,
            contract=made.contract,
            creator=account,
            packed=made.packed,
            signatures=(),
            expires_at=made.expires_at,
            identities=tuple(entry.identity for entry in entries),
            state="prepared",
        )

    def transaction(self, sent: Sent) -> ChainTransaction:
        return unpacked_transaction(bytes.fromhex(sent.packed))

    def with_signatures(self, sent: Sent, signatures: Sequence[str]) -> Sent:
        try:
            keys = recovered_keys(bytes.fromhex(sent.packed), signatures, chain_id=sent.chain_id)
        except InputError as exc:
            raise SigningRefused(exc.message, reason="malformed-signature") from exc
        of_keys = dict(zip(keys, signatures, strict=True))
        return sent.model_copy(update={"signatures": tuple(of_keys.values())})

    def check(self, sent: Sent) -> None:
        if not self.is_here(sent):
            raise SigningRefused(sentence("chain.for-another"), reason="given-up")
        check_signatures(self._chain, sent)


def check_signatures(chain: AntelopeChain, sent: Sent) -> None:
    """Check that the keys which signed these bytes reach the creator's present permission; SigningRefused if not."""
    packed = bytes.fromhex(sent.packed)
    who = PermissionLevel(
        actor=sent.creator, permission=unpacked_transaction(packed).actions[0].authorization[0].permission
    )
    keys = recovered_keys(packed, sent.signatures, chain_id=sent.chain_id)

    def authority_of(level: PermissionLevel) -> Authority | None:
        try:
            return chain.rpc.account(level.actor).authority(level.permission)
        except NotFoundError:
            return None

    reach, named = reached(keys, who, authority_of), f"{who.actor}@{who.permission}"
    if reach.foreign:
        raise SigningRefused(
            sentence("chain.foreign-key", key=str(reach.foreign[0]), named=named),
            reason="foreign-key",
        )
    if not reach.satisfied:
        raise SigningRefused(sentence("chain.too-few-signatures", named=named), reason="missing-signature")
