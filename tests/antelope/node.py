"""What the tests of the client on a real node share: transactions, signed and pushed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from passer.antelope.client.chain import AntelopeChain, PushReceipt, SignedTransaction
from passer.domain.ledger.entry import Entry
from passer.errors import ChainRefused
from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.chain.booted import Chain

BY = "researcher1"
ABI = json.loads((ROOT / "contracts" / "llmtest" / "llmtest.abi").read_text())


def signed(chain: Chain, client: AntelopeChain, recorded: list[Entry], *, by: str = BY) -> SignedTransaction:
    return client.sign(client.prepare(recorded, by), chain.keys[by])


def posted(chain: Chain, client: AntelopeChain, recorded: list[Entry]) -> tuple[SignedTransaction, PushReceipt]:
    transaction = signed(chain, client, recorded)
    return transaction, client.push(transaction)


def refused(act: Callable[[], object]) -> ChainRefused:
    with pytest.raises(ChainRefused) as raised:
        act()
    return raised.value
