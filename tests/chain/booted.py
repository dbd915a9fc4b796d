"""A chain with its accounts and the contract `llmtest` on it: made once, then copied."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from passer.antelope.client.replies import Pushed
from passer.antelope.client.rpc import Rpc
from passer.antelope.format.packing import Packer
from passer.antelope.signing.keys import PrivateKey
from passer.domain.ledger.chain import ChainAction, PermissionLevel
from scripts.test_node.boot import CONTRACT, boot, push
from scripts.test_node.nodeos import new_folder
from scripts.test_node.system_actions import SYSTEM, setabi, setcode
from tests.chain.nodeos import Node, copy_folder
from tests.chain.wheel import BIOS, ROOT
from tests.waiting import wait_until

PUBLISHED = "published"
"""An account for the published contract; empty until a test deploys it."""
RESEARCHERS = ("researcher1", "researcher2")
STRANGER = "stranger"
ACCOUNTS = (CONTRACT, PUBLISHED, *RESEARCHERS, STRANGER)
WASM = ROOT / "contracts" / "llmtest" / "llmtest.wasm"
ABI = ROOT / "contracts" / "llmtest" / "llmtest.abi"

BLOCK_S = 0.5
"""Between two blocks."""

_KEYS = "keys.json"


@dataclass(frozen=True)
class Chain:
    """A running node, the keys of its accounts, and the client to use it with."""

    node: Node
    keys: Mapping[str, PrivateKey]
    """By account; `eosio` is the chain's own."""
    rpc: Rpc
    contract: str = CONTRACT
    _pushed: list[str] = field(default_factory=list, repr=False)
    """Transactions that the next look at the chain waits for."""

    @property
    def url(self) -> str:
        return self.node.url

    @property
    def chain_id(self) -> str:
        return str(self.node.info()["chain_id"])

    def push(self, *actions: ChainAction, by: str | Sequence[str] = RESEARCHERS[0], lifetime_s: int = 60) -> Pushed:
        """Post actions in one transaction, signed with the keys of these accounts; the client's errors."""
        signers = [by] if isinstance(by, str) else by
        pushed = push(self.rpc, actions, keys=[self.keys[name] for name in signers], lifetime_s=lifetime_s)
        self._pushed.append(pushed.transaction_id)
        return pushed

    def _settle(self) -> None:
        """Wait until what was pushed is in a block: a node that begins one answers before it has applied it again."""
        while self._pushed:
            wait_until(lambda: self.rpc.block_of(self._pushed[-1]) is not None, "the transaction is in no block")
            self._pushed.pop()

    def rows(
        self, table: str, *, code: str = CONTRACT, index: int = 1, key: str | None = None, scope: str | None = None
    ) -> list[dict[str, Any]]:
        """Rows as the node's own ABI serialiser shows them; `key` is a name for index 2 (user) and 3 (testid)."""
        asked: dict[str, Any] = {"json": True, "code": code, "scope": scope or code, "table": table, "limit": 1000}
        asked |= {"index_position": str(index), "key_type": "i64" if index == 1 else "name"}
        asked |= {} if key is None else {"lower_bound": key, "upper_bound": key}
        return self._all_rows(asked)

    def packed_rows(self, table: str, *, code: str = CONTRACT) -> list[bytes]:
        """Rows as they lie in the chain's memory."""
        asked = {"json": False, "code": code, "scope": code, "table": table, "limit": 1000}
        return [bytes.fromhex(row) for row in self._all_rows(asked)]

    def _all_rows(self, asked: Mapping[str, Any]) -> list[Any]:
        """Rows of a table; on a busy machine the node ends a reply early, with some of them, and says that it did."""
        self._settle()

        def pages() -> list[list[Any]]:
            found = self.node.call("/v1/chain/get_table_rows", asked)
            return [] if found["more"] else [found["rows"]]

        [rows] = wait_until(pages, "the node does not return all rows")
        return rows

    def ram_usage(self, account: str) -> int:
        """Bytes of memory that the account pays for."""
        self._settle()
        return int(self.node.call("/v1/chain/get_account", {"account_name": account})["ram_usage"])

    def limit(self, account: str, *, ram: int = -1, net: int = -1, cpu: int = -1) -> None:
        """Give an account this much: bytes of RAM, weights of NET and CPU; -1 is no limit."""
        parts = [part.to_bytes(8, "little", signed=True) for part in (ram, net, cpu)]
        data = Packer().name(account).raw(b"".join(parts)).packed().hex()
        by = (PermissionLevel(actor=SYSTEM),)
        self.push(ChainAction(account=SYSTEM, name="setalimits", authorization=by, data=data), by=SYSTEM)

    def deploy(self, account: str, *, wasm: bytes, abi: Mapping[str, Any]) -> None:
        """Put a contract on an account."""
        self.push(setcode(account, wasm), setabi(account, abi), by=account)

    def wait_blocks(self, count: int = 1) -> int:
        """Until that many more blocks are made; the number of the last."""
        return self.node.wait_blocks(count)

    def wait_irreversible(self, block: int) -> None:
        """Until that block cannot be undone."""
        self.node.wait_irreversible(block)

    def pause(self) -> None:
        """Stop making blocks once the one under way is done; the node still answers.

        For 5 seconds after its last block the node executes transactions at once; after that it keeps a request that
        posts one waiting until `resume`. A test that posts meanwhile must expect both.
        """
        self.node.call("/v1/producer/pause")
        head = None
        while head != (head := self.node.info()["head_block_num"]):
            time.sleep(2 * BLOCK_S)

    def resume(self) -> None:
        """Make blocks again."""
        self.node.call("/v1/producer/resume")

    def restart(self) -> None:
        """Stop the node and start it on the same directory and port."""
        self.node.stop()
        self.node.start()

    def described(self) -> dict[str, Any]:
        """Address and keys as JSON, for other programs."""
        accounts = {
            name: {"public": str(key.public), "private": key.reveal().get_secret_value()}
            for name, key in self.keys.items()
        }
        return {"url": self.url, "chain_id": self.chain_id, "contract": self.contract, "accounts": accounts}


@contextmanager
def new_chain(folder: Path, *, port: int = 0) -> Iterator[Chain]:
    """A new chain, booted in this directory, running until the end."""
    keys = {name: PrivateKey.generate() for name in (SYSTEM, *ACCOUNTS)}
    new_folder(folder, keys[SYSTEM])
    written = folder / _KEYS
    written.touch(mode=0o600)
    written.write_text(json.dumps({name: key.reveal().get_secret_value() for name, key in keys.items()}))
    with chain_in(folder, port=port) as chain:
        boot(chain.node, chain.rpc, keys, bios=BIOS, contract=WASM.parent)
        yield chain


@contextmanager
def copied_chain(source: Path, folder: Path, *, port: int = 0) -> Iterator[Chain]:
    """A copy of a stopped chain, running until the end."""
    copy_folder(source, folder)
    with chain_in(folder, port=port) as chain:
        yield chain


@contextmanager
def chain_in(folder: Path, *, port: int = 0) -> Iterator[Chain]:
    """The chain that lies in this directory, running until the end."""
    texts: dict[str, str] = json.loads((folder / _KEYS).read_text())
    keys = {name: PrivateKey(SecretStr(text)) for name, text in texts.items()}
    node = Node(folder, port=port)
    rpc = Rpc((node.url,))
    try:
        node.start()
        yield Chain(node, keys, rpc)
    finally:
        rpc.close()
        node.close()
