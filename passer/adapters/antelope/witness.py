"""What an Antelope chain says of recorded transactions, asked over a node's own interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from passer.adapters.antelope.blocks import Blocks
from passer.adapters.antelope.chain import AntelopeChain, recovered_keys
from passer.adapters.antelope.signatures import packed_signature
from passer.domain.bundle.members import Transaction
from passer.domain.bundle.verification import CHAIN_STEPS, ChainStep, Finding
from passer.domain.ledger.antelope.transaction import unpacked_transaction
from passer.domain.ledger.chain_proof import (
    InclusionProof,
    block_number,
    check_block_id,
    check_code,
    check_inclusion,
    check_irreversible,
)
from passer.domain.ledger.entry import Action, Digest
from passer.errors import InputError, LedgerUnavailable, NotFoundError
from passer.ports.ledger import LedgerRow
from passer.ports.witness import PlacedEntry


class AntelopeWitness:
    """A chain as a witness. `code` is the SHA-256 of the contract's wasm that is expected, None where none is known."""

    def __init__(self, chain: AntelopeChain, *, code: Digest | None) -> None:
        self._chain, self._code = chain, code
        self._blocks = Blocks(chain.rpc)
        self._rows: dict[tuple[str, Action, str], dict[str, list[LedgerRow]]] = {}

    def look(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Mapping[ChainStep, Finding]:
        """A finding for every step; what the node does not answer is not checked, with the reason."""
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
            "irreversible": _asked(seen.irreversible),
            "code": _asked(lambda: self._code_of(transaction.contract)),
            "row": _asked(lambda: self._rows_of(transaction, entries)),
        }

    def _elsewhere(self, transaction: Transaction) -> Finding | None:
        """The finding for every step where this chain cannot be the witness."""
        chain_id = self._chain.rpc.info().chain_id
        if chain_id != transaction.chain_id:
            return _unseen(f"the nodes named are of the chain {chain_id}, the entry of {transaction.chain_id}")
        if self._chain.contract != transaction.contract:
            # Who names the contract trusts that one alone: a bundle that brings its own is no evidence.
            detail = f"The entry stands in the contract {transaction.contract}, not in {self._chain.contract}."
            return Finding(outcome="fail", detail=detail)
        return None

    def _code_of(self, contract: str) -> Finding:
        if self._code is None:
            return _unseen("it is not known which code is expected")
        return check_code(self._chain.rpc.code_hash(contract), expected=self._code)

    def _rows_of(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Finding:
        for placed in entries:
            entry = placed.entry
            held = self._held(entry.action, entry.testid, transaction.creator).get(entry.run_digest, [])
            same = [
                row
                for row in held
                if (row.description, row.results, row.config_digest)
                == (entry.description, entry.results, entry.config_digest)
            ]
            if not same:
                detail = f"No row of {transaction.creator} says what action {placed.action_index} recorded."
                return Finding(outcome="fail", detail=detail)
        return Finding(outcome="pass", detail=f"{len(entries)} rows stand in the contract's tables.")

    def _held(self, action: Action, testid: str, creator: str) -> dict[str, list[LedgerRow]]:
        """A run's rows by their digest, read once."""
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
        """That it stands in a block, or why that cannot be said."""
        stated = self._transaction.block_number
        number = stated if stated is not None else self._blocks.holding(self._transaction.transaction_id)
        if number is None:
            return _unseen("it is not stated which block holds it, and the nodes keep no traces that would say")
        return self._blocks.proof(number, self._transaction.transaction_id)

    def inclusion(self) -> Finding:
        """From its bytes and signatures to the root in the block's header."""
        if isinstance(self.proof, Finding):
            return self.proof
        signatures = [packed_signature(text).hex() for text in self._transaction.signatures]
        return check_inclusion(self.proof, packed=self._transaction.packed_transaction, signatures=signatures)

    def block(self) -> Finding:
        """From the header to the block's id, and that this is the stated one."""
        if isinstance(self.proof, Finding):
            return self.proof
        stated = self._transaction.block_id
        if stated is not None and stated != self.proof.block_id:
            detail = f"The transaction stands in block {self.proof.block_id}, not in {stated}."
            return Finding(outcome="fail", detail=detail)
        return check_block_id(self.proof)

    def irreversible(self) -> Finding:
        """That the chain is past the block."""
        if isinstance(self.proof, Finding):
            return self.proof
        on_chain = self._chain.rpc.block_info(block_number(self.proof.block_id)).id
        past = self._chain.rpc.info().last_irreversible_block_num
        return check_irreversible(self.proof.block_id, on_chain=on_chain, last_irreversible=past)

    def signer(self) -> Finding:
        """That keys of the creator signed these bytes.

        The chain checked that when it took the transaction; keys may have been changed since. So where they are not
        the present ones a proven transaction is not held against the account.
        """
        held = self._transaction
        packed = bytes.fromhex(held.packed_transaction)
        keys = recovered_keys(packed, held.signatures, chain_id=held.chain_id)
        levels = unpacked_transaction(packed).actions[0].authorization
        permission = next((level.permission for level in levels if level.actor == held.creator), None)
        if permission is None:
            return Finding(outcome="fail", detail=f"The transaction does not act for {held.creator}.")
        checked = self._chain.check_keys(keys, held.creator, permission=permission)
        if checked.satisfied:
            return Finding(outcome="pass", detail=checked.detail)
        if checked.satisfied is None:
            return _unseen(checked.detail.rstrip("."))
        if _asked(self.inclusion).outcome == "pass":
            return _unseen(f"{held.creator} has other keys now than those that signed, which the chain took then")
        return Finding(outcome="fail", detail=checked.detail)


def _asked(step: Callable[[], Finding]) -> Finding:
    """A step's finding; damaged bytes fail, what a node does not have or say is not checked."""
    try:
        return step()
    except InputError as exc:
        return Finding(outcome="fail", detail=exc.message)
    except (LedgerUnavailable, NotFoundError) as exc:
        return _unseen(exc.message.rstrip("."))


def _unseen(reason: str) -> Finding:
    return Finding(outcome="not_checked", detail=f"Not checked, because {reason}.")
