"""Verifying a bundle, and what is asked of the verdict."""

from __future__ import annotations

from typing import Any

from passer.antelope.format.entries import recorded_actions
from passer.domain.bundle.verification import Step, Verification
from passer.domain.canonical import read_canonical
from passer.services.provenance.bundle_verifier import BundleVerifier
from tests.bundles import Recorded, question_ids

IDS = question_ids(50)
RECORDED: tuple[Recorded, ...] = ("nowhere", "local", "chain", "chain, run alone")


def verify(bundle: bytes) -> Verification:
    return BundleVerifier(recorded_actions).verify(bundle)


def value_of(document: bytes) -> dict[str, Any]:
    """JSON as RFC 8785 has it: every number a double."""
    value: dict[str, Any] = read_canonical(document)
    return value


def refused(bundle: bytes) -> tuple[Step, ...]:
    """The failed steps about contents; the zip's own checksum is not what is tested."""
    found = verify(bundle)
    assert found.verdict == "not verified"
    return tuple(step for step in found.failed if step.name != "zip")


def verdict_step(bundle: bytes) -> Step:
    (step,) = [step for step in verify(bundle).steps if step.name == "verdict"]
    return step
