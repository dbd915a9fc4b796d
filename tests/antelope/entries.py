"""Entries for the tests of the client."""

from __future__ import annotations

import hashlib

from passer.domain.ledger.entry import Action, Entry, testid_of


def entry(number: int, *, run: str = "run", action: Action = "addtest", text: str = "Frage ü €") -> Entry:
    """Entry number so and so of a run, with 24 scores."""
    digest = hashlib.sha256(f"{run} {number}".encode()).hexdigest()
    return Entry(
        action=action,
        testid=testid_of(run),
        description=f"{run} {number} {text}"[:200],
        results=tuple(place / 7 - number for place in range(24)),
        run_digest=digest,
        config_digest=hashlib.sha256(run.encode()).hexdigest(),
    )


def entries(count: int, *, run: str = "run") -> list[Entry]:
    """That many, of both actions in turn."""
    return [entry(number, run=run, action="addtimetest" if number % 2 else "addtest") for number in range(count)]
