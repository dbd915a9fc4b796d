"""Verification as it is put together: from addresses alone, without settings, home folder or database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from passer.services.verifying import Verifying

if TYPE_CHECKING:
    from passer.ports import ChainWitness

_PACKAGE = Path(__file__).parents[1]
WASM = ("contracts/llmtest.wasm", "../contracts/llmtest/llmtest.wasm")
"""In the wheel, and in a checkout."""


@contextmanager
def verifying(chain_urls: Sequence[str] = (), *, contract: str | None = None) -> Iterator[Verifying]:
    """Verification, with nodes of a chain as witness where addresses are given.

    `contract` is the account that must hold the contract; None takes the one that the bundle names.
    """
    if not chain_urls:
        yield Verifying()
        return
    from passer.adapters.antelope.chain import AntelopeChain
    from passer.adapters.antelope.rpc import Rpc
    from passer.adapters.antelope.witness import AntelopeWitness

    with closing(Rpc(chain_urls)) as rpc:

        @cache
        def witness_for(named: str) -> ChainWitness:
            return AntelopeWitness(AntelopeChain(rpc, contract or named), code=code_digest())

        yield Verifying(witness_for=witness_for)


def code_digest() -> str | None:
    """SHA-256 of the contract's wasm; None where it did not come along."""
    for place in WASM:
        path = _PACKAGE / place
        if path.is_file():
            return hashlib.sha256(path.read_bytes()).hexdigest()
    return None
