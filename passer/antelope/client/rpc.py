"""A node's HTTP API, over one or several addresses of the same chain; every wait is bounded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, TypeVar

import httpx

from passer.antelope.client.faults import NodeError, Refused, refusal, trace_error
from passer.antelope.client.node import NoAnswer, Node, unreadable
from passer.antelope.client.replies import (
    Account,
    BlockInfo,
    BlockTransactions,
    ChainInfo,
    CodeHash,
    ContractAbi,
    Pushed,
    Reply,
    TablePage,
)
from passer.domain.ledger.entry import Digest
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, LedgerUnavailable, NotFoundError, PasserError

_BLOCK, _RAW_BLOCK = "/v1/chain/get_block", "/v1/chain/get_raw_block"
R = TypeVar("R", bound=Reply)
_AGAIN = (httpx.RequestError, NoAnswer)
"""After which a read goes to the next address."""


class Rpc:
    """A node's API. Reads go to the next address where one does not answer; errors are PaSSER's own."""

    def __init__(
        self,
        urls: Sequence[str],
        *,
        chain_id: Digest | None = None,
        connect_timeout_s: float = 5.0,
        read_timeout_s: float = 30.0,
    ) -> None:
        """Require each address to be of the chain `chain_id`; without it, of the chain of the first address."""
        if not urls:
            raise ConfigError(sentence("chain.no-address"), field="chain_urls")
        self._read_timeout_s = read_timeout_s
        self._nodes = [Node(url, connect_timeout_s=connect_timeout_s, read_timeout_s=read_timeout_s) for url in urls]
        self._chain_id = chain_id
        self._first = 0
        self._lock = Lock()

    def close(self) -> None:
        """Close the connections."""
        for node in self._nodes:
            node.close()

    @property
    def urls(self) -> tuple[str, ...]:
        """Return the addresses, without user names and passwords."""
        return tuple(node.shown for node in self._nodes)

    def info(self) -> ChainInfo:
        """Return the current state of the chain."""
        return self._read(ChainInfo, "/v1/chain/get_info", {})

    def account(self, name: str) -> Account:
        """Return an account; raise NotFoundError if the chain has none of this name."""
        missing = f"The chain has no account {name}. Check the name."
        return self._read(Account, "/v1/chain/get_account", {"account_name": name}, missing=missing)

    def abi(self, account: str) -> Mapping[str, Any] | None:
        """Return a contract's ABI as JSON; None if the account has none; NotFoundError for an unknown account."""
        missing = f"The chain has no account {account}. Check the name."
        return self._read(ContractAbi, "/v1/chain/get_abi", {"account_name": account}, missing=missing).abi

    def code_hash(self, account: str) -> Digest:
        """Return the SHA-256 of an account's code, 64 zeros for none; NotFoundError for an unknown account."""
        missing = f"The chain has no account {account}. Check the name."
        return self._read(CodeHash, "/v1/chain/get_code_hash", {"account_name": account}, missing=missing).code_hash

    def table_page(
        self,
        code: str,
        table: str,
        *,
        index: int = 1,
        lower: int | None = None,
        upper: int | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> TablePage:
        """Rows of a contract's table, packed, from key `lower` to `upper` inclusive of the index, 1 being the id."""
        asked: dict[str, Any] = {"json": False, "code": code, "scope": code, "table": table, "limit": limit}
        # Numbers, never names: a node would take a name of digits alone for a number.
        asked |= {"index_position": str(index), "key_type": "i64", "reverse": newest_first}
        asked |= {} if lower is None else {"lower_bound": str(lower)}
        asked |= {} if upper is None else {"upper_bound": str(upper)}
        missing = f"{code} has no table {table}. Deploy the contract, or correct the account's name."
        return self._read(TablePage, "/v1/chain/get_table_rows", asked, missing=missing)

    def block_info(self, number: int) -> BlockInfo:
        """Return a block without its transactions; raise NotFoundError if the node does not have it."""
        missing = f"The node has no block {number}. Use a node that keeps older blocks."
        return self._read(BlockInfo, "/v1/chain/get_block_info", {"block_num": number}, missing=missing)

    def raw_block(self, number: int) -> dict[str, Any] | None:
        """Return a block as signed, with header extensions; None if the node's version does not support this."""
        body: dict[str, Any] | None = self._block(_RAW_BLOCK, number)
        return body

    def block(self, number: int) -> dict[str, Any] | None:
        """Return a block as every node version does: without the bytes of its header extensions."""
        body: dict[str, Any] | None = self._block(_BLOCK, number)
        return body

    def transactions_of(self, number: int) -> BlockTransactions | None:
        """Return a block's transactions as they were posted; None if the node does not have the block."""
        # The signed form has a third of the bytes and saves the node a tenth of a second for unpacking actions.
        for path in (_RAW_BLOCK, _BLOCK):
            body: BlockTransactions | None = self._block(path, number, BlockTransactions)
            if body is not None:
                return body
        return None

    def block_of(self, transaction_id: Digest) -> int | None:
        """Return the number of a transaction's block; None if the node has no trace of it."""
        try:
            trace = self.call("/v1/trace_api/get_transaction_trace", {"id": transaction_id})
        except Refused:
            return None
        number = trace.get("block_num") if isinstance(trace, dict) else None
        return number if isinstance(number, int) else None

    def push(self, packed: bytes, signatures: Sequence[str]) -> Pushed:
        """Post a signed transaction.

        Raises ChainRefused with the chain's reason. After LedgerUnavailable, the transaction may or may not be on the
        chain. A second address is tried only where the first took no connection.
        """
        asked = {
            "signatures": list(signatures),
            "compression": "none",
            "packed_context_free_data": "",
            "packed_trx": packed.hex(),
        }
        try:
            # Once connected, a node may have accepted the transaction although its reply was lost. The caller looks for
            # it on the chain instead of pushing it again.
            again_on = (httpx.ConnectError, httpx.ConnectTimeout)
            pushed: Pushed = self._tried("/v1/chain/send_transaction", asked, again_on=again_on, kind=Pushed)
        except Refused as exc:
            raise refusal(exc.error) from exc
        if pushed.processed.excepted:
            raise refusal(trace_error(pushed.processed.excepted))
        return pushed

    def call(self, path: str, asked: Mapping[str, Any]) -> Any:
        """Return the JSON of a reply; `Refused` if the node refuses, LedgerUnavailable if none responds."""
        return self._tried(path, asked, again_on=_AGAIN)

    def _read(self, kind: type[R], path: str, asked: Mapping[str, Any], *, missing: str | None = None) -> R:
        try:
            found: R = self._tried(path, asked, again_on=_AGAIN, kind=kind)
        except Refused as exc:
            raise _not_given(path, exc.error, missing) from exc
        return found

    def _block(self, path: str, number: int, kind: type[Reply] | None = None) -> Any:
        try:
            body = self._tried(path, {"block_num_or_id": str(number)}, again_on=_AGAIN, kind=kind)
        except Refused as exc:
            if exc.error.status == 404:
                return None
            missing = f"The node has no block {number}. Use a node that keeps older blocks."
            raise _not_given(path, exc.error, missing) from exc
        if kind is None and not isinstance(body, dict):
            raise unreadable(self._nodes[self._first].shown)
        return body

    def _tried(
        self,
        path: str,
        asked: Mapping[str, Any],
        again_on: tuple[type[Exception], ...],
        kind: type[Reply] | None = None,
    ) -> Any:
        """Ask one address after the other, beginning with the one that answered last."""
        failures: list[str] = []
        for place in self._order():
            node = self._nodes[place]
            try:
                self._check_chain(node)
                answer = node.ask(path, asked, kind)
            except (httpx.RequestError, NoAnswer) as exc:
                failures.append(f"{node.shown}: {exc if isinstance(exc, NoAnswer) else type(exc).__name__}")
                if not isinstance(exc, again_on):
                    break
            else:
                # Begin the next read at this node: one that is down would cost each read a timeout.
                self._first = place
                return answer
        raise LedgerUnavailable(sentence("node.away", path=path, failures="; ".join(failures)))

    def _order(self) -> list[int]:
        count = len(self._nodes)
        return [(self._first + step) % count for step in range(count)]

    def _check_chain(self, node: Node) -> None:
        """Refuse nodes of another chain, where nobody would look for the records."""
        if node.chain_id is None:
            try:
                info: ChainInfo = node.ask("/v1/chain/get_info", {}, ChainInfo)
            except Refused as exc:
                raise unreadable(node.shown) from exc
            node.chain_id = info.chain_id
        with self._lock:
            self._chain_id = self._chain_id or node.chain_id
        if node.chain_id != self._chain_id:
            raise ConfigError(
                sentence("chain.other-chain", node=node.shown, found=node.chain_id, expected=self._chain_id),
                field="chain_urls",
            )


def _not_given(path: str, error: NodeError, missing: str | None) -> PasserError:
    """Translate a refused read: the object is missing, or the node cannot answer."""
    if missing is not None and not error.unable:
        return NotFoundError(missing)
    return LedgerUnavailable(sentence("node.refused", path=path, said=error.said))
