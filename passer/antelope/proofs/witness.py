"""The port `ChainWitness` over a node's HTTP API."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import cached_property

from passer.antelope.client.chain import AntelopeChain, recovered_keys
from passer.antelope.format.transactions import unpacked_transaction
from passer.antelope.proofs.blocks import Blocks
from passer.antelope.proofs.inclusion import (
    InclusionProof,
    block_number,
    check_block_id,
    check_code,
    check_inclusion,
    check_irreversible,
    read_header,
)
from passer.antelope.signing.signatures import packed_signature
from passer.domain.bundle.members import Transaction
from passer.domain.bundle.verification import CHAIN_STEPS, ChainStep, Finding
from passer.domain.ledger.entry import Action, Digest, Entry
from passer.domain.wording.counted import grouped
from passer.errors import InputError, LedgerUnavailable, NotFoundError
from passer.ports.ledger import LedgerRow
from passer.ports.signing import PlacedEntry

TOLERANCE = timedelta(seconds=1.5)
"""Between a stated time and the block's: a block every half second, and rows in whole seconds."""
_SECOND = "%Y-%m-%d %H:%M:%S"


class AntelopeWitness:
    """A chain as a witness. `code` is the expected SHA-256 of the contract's wasm; None if it is not known."""

    def __init__(self, chain: AntelopeChain, *, code: Digest | None) -> None:
        self._chain, self._code = chain, code
        self.name = chain.rpc.urls[0]
        self._blocks = Blocks(chain.rpc)
        self._rows: dict[tuple[str, Action, str], dict[str, list[LedgerRow]]] = {}

    def examine(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Mapping[ChainStep, Finding]:
        try:
            elsewhere = self._elsewhere(transaction)
        except LedgerUnavailable as exc:
            elsewhere = _unseen(exc.message.rstrip("."))
        if elsewhere is not None:
            return dict.fromkeys(CHAIN_STEPS, elsewhere)
        seen = _Seen(self._chain, self._blocks, transaction)
        return {
            "signer": _asked(seen.signer),
            "inclusion": _asked(seen.inclusion),
            "block": _asked(seen.block),
            "time": _asked(lambda: self._time_of(seen, transaction, entries)),
            "irreversible": _asked(seen.irreversible),
            "code": _asked(lambda: self._code_of(transaction.contract)),
            "lock": _asked(lambda: self._lock_of(transaction.contract)),
            "row": _asked(lambda: self._rows_of(transaction, entries)),
        }

    def _elsewhere(self, transaction: Transaction) -> Finding | None:
        """Return the finding of every step for a chain that cannot be the witness."""
        chain_id = self._chain.rpc.info().chain_id
        if chain_id != transaction.chain_id:
            return _unseen(f"the nodes belong to blockchain {chain_id}, the entry to {transaction.chain_id}")
        if self._chain.contract != transaction.contract:
            # A contract that the caller names is the only trusted one: a bundle could name a contract of its forger.
            detail = f"The entry is in the contract {transaction.contract}, not in {self._chain.contract}."
            return Finding(outcome="fail", detail=detail)
        return None

    def _code_of(self, contract: str) -> Finding:
        if self._code is None:
            return _unseen("the expected code is not known")
        return check_code(self._chain.rpc.code_hash(contract), expected=self._code)

    def _lock_of(self, contract: str) -> Finding:
        account = self._chain.rpc.account(contract)
        if account.is_locked:
            return Finding(outcome="pass", detail=f"Nobody has a key of {contract}: its code stays as it is.")
        detail = f"Not locked: whoever holds the keys of {contract} can still replace its code."
        return Finding(outcome="not_checked", detail=detail)

    def _time_of(self, seen: _Seen, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Finding:
        """Compare the stated times with the block's, which its id covers, and with the rows' `created_at`."""
        if isinstance(seen.proof, Finding):
            return seen.proof
        at = read_header(bytes.fromhex(seen.proof.header)).at
        for placed in entries:
            rows = [row.recorded_at for row in self._same(placed.entry, transaction.creator)]
            times = {"its block": [at], "its row": rows}
            for what, known in times.items():
                if known and all(abs(placed.recorded_at - moment) > TOLERANCE for moment in known):
                    detail = (
                        f"The stated time is {placed.recorded_at:{_SECOND}}, but {what} is of {known[0]:{_SECOND}}."
                    )
                    return Finding(outcome="fail", detail=detail)
        return Finding(outcome="pass", detail=f"The block was made at {at:{_SECOND}} UTC.")

    def _same(self, entry: Entry, creator: str) -> list[LedgerRow]:
        """Return the rows of this creator that equal an entry."""
        return [
            row
            for row in self._held(entry.action, entry.testid, creator).get(entry.run_digest, [])
            if (row.description, row.results, row.config_digest)
            == (entry.description, entry.results, entry.config_digest)
        ]

    def _rows_of(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Finding:
        for placed in entries:
            if not self._same(placed.entry, transaction.creator):
                detail = f"No row of {transaction.creator} matches the action {placed.action_index}."
                return Finding(outcome="fail", detail=detail)
        return Finding(outcome="pass", detail=f"Rows in the contract's tables: {grouped(len(entries))} (all).")

    def _held(self, action: Action, testid: str, creator: str) -> dict[str, list[LedgerRow]]:
        """Return a run's rows by their digest; they are read once."""
        key = (creator, action, testid)
        if key not in self._rows:
            found: dict[str, list[LedgerRow]] = {}
            for row in self._chain.rows.of_testid(action, testid):
                if row.account == creator and row.run_digest is not None:
                    found.setdefault(row.run_digest, []).append(row)
            self._rows[key] = found
        return self._rows[key]


class _Seen:
    """One transaction; what several steps need is asked once."""

    def __init__(self, chain: AntelopeChain, blocks: Blocks, transaction: Transaction) -> None:
        self._chain, self._blocks, self._transaction = chain, blocks, transaction

    @cached_property
    def proof(self) -> InclusionProof | Finding:
        """Return the proof of its block, or why there is none."""
        stated = self._transaction.block_number
        number = stated if stated is not None else self._chain.rpc.block_of(self._transaction.transaction_id)
        if number is None:
            return _unseen("the entry does not state its block, and the nodes keep no traces to find it")
        return self._blocks.proof(number, self._transaction.transaction_id)

    def inclusion(self) -> Finding:
        """Follow the transaction from its bytes and signatures to the root in the block's header."""
        if isinstance(self.proof, Finding):
            return self.proof
        signatures = [packed_signature(text).hex() for text in self._transaction.signatures]
        return check_inclusion(self.proof, packed=self._transaction.packed_transaction, signatures=signatures)

    def block(self) -> Finding:
        """Check that the header has the block id that the proof states."""
        if isinstance(self.proof, Finding):
            return self.proof
        stated = self._transaction.block_id
        if stated is not None and stated != self.proof.block_id:
            detail = f"The transaction is in block {self.proof.block_id}, not in {stated}."
            return Finding(outcome="fail", detail=detail)
        return check_block_id(self.proof)

    def irreversible(self) -> Finding:
        """Check that the block is irreversible on the chain."""
        if isinstance(self.proof, Finding):
            return self.proof
        on_chain = self._chain.rpc.block_info(block_number(self.proof.block_id)).id
        past = self._chain.rpc.info().last_irreversible_block_num
        return check_irreversible(self.proof.block_id, on_chain=on_chain, last_irreversible=past)

    def signer(self) -> Finding:
        """Check that keys of the creator signed these bytes.

        The chain checked that when it took the transaction; keys may have been changed since. So where they are not
        the present ones a proven transaction is not held against the account.
        """
        held = self._transaction
        packed = bytes.fromhex(held.packed_transaction)
        keys = recovered_keys(packed, held.signatures, chain_id=held.chain_id)
        levels = unpacked_transaction(packed).actions[0].authorization
        permission = next((level.permission for level in levels if level.actor == held.creator), None)
        if permission is None:
            return Finding(outcome="fail", detail=f"The transaction is not authorised by {held.creator}.")
        checked = self._chain.check_keys(keys, held.creator, permission=permission)
        if checked.satisfied:
            return Finding(outcome="pass", detail=checked.detail)
        if checked.satisfied is None:
            return _unseen(checked.detail.rstrip("."))
        if _asked(self.inclusion).outcome == "pass":
            return _unseen(f"{held.creator} has other keys now than when the blockchain accepted the signatures")
        return Finding(outcome="fail", detail=checked.detail)


def _asked(step: Callable[[], Finding]) -> Finding:
    """Return the finding of a step: damaged bytes fail; missing answers of a node count as not checked."""
    try:
        return step()
    except InputError as exc:
        return Finding(outcome="fail", detail=exc.message)
    except (LedgerUnavailable, NotFoundError) as exc:
        return _unseen(exc.message.rstrip("."))


def _unseen(reason: str) -> Finding:
    return Finding(outcome="not_checked", detail=f"Not checked, because {reason}.")
