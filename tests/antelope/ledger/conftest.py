"""A way to the node, a run for each test, and the published contract."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count

import pytest

from passer.antelope.client.rpc import Rpc
from passer.domain.ledger.entry import testid_of as name_of
from tests.chain.booted import PUBLISHED as ACCOUNT
from tests.chain.booted import Chain
from tests.contracts.packed import PUBLISHED

runs = count()


@pytest.fixture
def testid() -> str:
    """Each test has a run of its own on the shared chain."""
    return name_of(f"test-{next(runs)}")


@pytest.fixture
def rpc(chain: Chain) -> Iterator[Rpc]:
    made = Rpc((chain.url,))
    yield made
    made.close()


@pytest.fixture(scope="module")
def published(chain: Chain) -> str:
    """The published contract, on an account of its own."""
    wasm, abi = (PUBLISHED / "published.wasm").read_bytes(), json.loads((PUBLISHED / "published.abi").read_text())
    chain.deploy(ACCOUNT, wasm=wasm, abi=abi)
    return ACCOUNT
