"""Bundles of one run, recorded in every way."""

from __future__ import annotations

import pytest

from tests.bundles import MadeRun, Recorded
from tests.services.provenance.bundle_verifier.checked import RECORDED


@pytest.fixture(scope="module")
def bundles() -> dict[Recorded, bytes]:
    return {recorded: MadeRun().bundle(recorded, with_times=recorded == "chain") for recorded in RECORDED}
