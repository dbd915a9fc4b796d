"""Builds verification from addresses alone, without settings, home folder or database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from passer.antelope.format.entries import recorded_actions
from passer.bootstrap.ledgers import require_chain_packages
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.proofs_check import CheckStamp
from passer.services.provenance.bundle_verifier import BundleVerifier, Rescoring
from passer.services.provenance.verifier import Verifier

if TYPE_CHECKING:
    from passer.ports import ChainWitness

_PACKAGE = Path(__file__).parents[1]
WASM = ("contracts/llmtest.wasm", "../contracts/llmtest/llmtest.wasm")
"""Path in the wheel, and in a checkout."""


@contextmanager
def bundle_verifier(
    chain_urls: Sequence[str] = (),
    expectation: Expectation = Expectation(),
    *,
    rescore: bool = False,
    check_stamp: CheckStamp | None = None,
) -> Iterator[Verifier]:
    """Yield a verifier of bundles and studies, with nodes of a chain as witnesses where addresses are given.

    Without an expected contract, the one that the bundle names must hold the code. With `rescore` the scorer of this
    installation computes the scores again; `check_stamp` compares time stamps with roots that the auditor trusts.
    """
    again = _rescoring() if rescore else None
    if not chain_urls:
        yield Verifier(
            BundleVerifier(recorded_actions, expectation=expectation, rescore=again, check_stamp=check_stamp)
        )
        return
    require_chain_packages()
    from passer.antelope.client.chain import AntelopeChain
    from passer.antelope.client.rpc import Rpc
    from passer.antelope.proofs.witness import AntelopeWitness

    with ExitStack() as stack:
        nodes = [stack.enter_context(closing(Rpc([url]))) for url in dict.fromkeys(chain_urls)]

        @cache
        def witnesses_for(named: str) -> Sequence[ChainWitness]:
            contract, code = expectation.contract or named, code_digest()
            return [AntelopeWitness(AntelopeChain(rpc, contract), code=code) for rpc in nodes]

        yield Verifier(BundleVerifier(recorded_actions, witnesses_for, expectation, again, check_stamp))


def _rescoring() -> Rescoring:
    from passer.bootstrap.scoring import own_scorer

    return Rescoring(own_scorer())


def code_digest() -> str | None:
    """Return the SHA-256 of the contract's wasm; None if it is not installed."""
    for place in WASM:
        path = _PACKAGE / place
        if path.is_file():
            return hashlib.sha256(path.read_bytes()).hexdigest()
    return None
