"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

WITHIN_S = 120.0
"""Far more than it takes: a busy machine is no failure. pytest-timeout ends a test after 300 s."""


def wait_until(look: Callable[[], T], missing: str = "it does not come about", *, within_s: float = WITHIN_S) -> T:
    """Return what `look` returns as soon as that is true; AssertionError with `missing` if it does not become so."""
    began = time.monotonic()
    while not (found := look()):
        waited = time.monotonic() - began
        assert waited < within_s, missing
        # What takes long is looked at less often, so that looking does not slow it down.
        time.sleep(min(0.01 + waited / 100, 1.0))
    return found
