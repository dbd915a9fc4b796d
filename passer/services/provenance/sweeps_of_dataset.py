"""Other sweeps of a dataset: a reader may ask whether a study is the best of many."""

from __future__ import annotations

from collections.abc import Iterator

from passer.ports import RunStore, StoredSweep

PAGE = 200
"""Sweeps read at once."""


def other_sweeps(runs: RunStore, stored: StoredSweep) -> Iterator[StoredSweep]:
    """Yield the other sweeps of a sweep's dataset version, newest first."""
    before: str | None = None
    while page := runs.list_sweeps(limit=PAGE, before=before):
        yield from (each for each in page if each.id != stored.id and each.dataset_digest == stored.dataset_digest)
        before = page[-1].id
