"""The Merkle tree of the local ledger: the same as over all rows at once, whatever was kept of it before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from passer.adapters.note_key import Ed25519NoteSigner
from passer.adapters.store.database import Database
from passer.adapters.store.ledger_tree import DatabaseLedgerTree
from passer.adapters.store.local_ledger import LocalLedger
from passer.domain.bundle.merkle import root_of
from passer.domain.ledger.checkpoint import continues, included_at, leaf_of, opened_checkpoint
from passer.domain.ledger.entry import Entry
from passer.errors import ConflictError, InputError
from passer.services.provenance.checkpoints import Checkpoints
from tests.fakes import FakeClock

ORIGIN = "example.org/lab"


class Home:
    """A local ledger and who signs for it."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self.ledger = LocalLedger(self.database, FakeClock(), place="here")
        self.checkpoints = Checkpoints(
            DatabaseLedgerTree(self.database), Ed25519NoteSigner(lambda: "a secret of the test"), ORIGIN
        )
        self.rows = 0

    def append(self, count: int) -> None:
        numbers = range(self.rows, self.rows + count)
        self.ledger.append([_entry(number) for number in numbers])
        self.rows += count

    def digests(self) -> list[str]:
        with self.database.connect() as connection:
            return list(connection.execute(text("SELECT digest FROM ledger ORDER BY sequence")).scalars())

    def forge(self, statement: str) -> None:
        """Change rows as an operator can, who drops the triggers first."""
        with self.database.begin() as connection:
            for act in ("update", "delete"):
                connection.execute(text(f"DROP TRIGGER IF EXISTS ledger_refuses_{act}"))
            connection.execute(text(statement))


def _entry(number: int) -> Entry:
    return Entry(
        action="addtest",
        testid="abcdefghijkl",
        description=f"run r question {number}",
        results=(float(number),),
        run_digest="a" * 64,
        config_digest="b" * 64,
    )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(f"sqlite:///{tmp_path / 'passer.db'}")


def test_checkpoints_and_proofs_follow_from_the_rows(home: Home):
    earlier = home.checkpoints.current()
    assert (earlier.size, home.checkpoints.current()) == (0, earlier)
    heads = [opened_checkpoint(earlier.note, home.checkpoints.key)]
    # Across tiles: within the first, at its end, beyond it, and beyond several.
    for count in (1, 254, 1, 1, 600):
        home.append(count)
        digests = home.digests()
        head = opened_checkpoint(home.checkpoints.current().note, home.checkpoints.key)
        assert (head.origin, head.size, head.root) == (ORIGIN, len(digests), root_of([*map(leaf_of, digests)]))
        for row in {1, len(digests) // 2 + 1, len(digests)}:
            proof = home.checkpoints.prove(row)
            assert included_at(proof, digests[row - 1], home.checkpoints.key) == head
            assert included_at(proof, "0" * 64, home.checkpoints.key) is None
        for before in heads:
            assert continues(home.checkpoints.continuation(before.size), before, home.checkpoints.key) == head
        heads.append(head)
    assert home.checkpoints.broken() is None
    for row in (0, 858):
        with pytest.raises(InputError, match="The ledger has no row"):
            home.checkpoints.prove(row)


def test_a_rewritten_ledger_gets_no_second_checkpoint(home: Home):
    home.append(300)
    home.checkpoints.current()
    home.forge("UPDATE ledger SET digest = 'c' || substr(digest, 2) WHERE sequence = 299 AND digest NOT LIKE 'c%'")
    home.append(1)
    with pytest.raises(ConflictError, match="its rows are not those of the checkpoint of 300 rows"):
        home.checkpoints.current()
    assert home.checkpoints.broken() == "The checkpoint of 300 rows is not that of these rows."


class GrowingTree(DatabaseLedgerTree):
    """A tree whose ledger another process extends, and signs, as soon as the number of its rows was read."""

    def __init__(self, home: Home) -> None:
        super().__init__(home.database)
        self._home = home

    def extend(self) -> int:
        size = super().extend()
        self._home.append(1)
        self._home.checkpoints.current()
        return size


@pytest.mark.parametrize("signed", [0, 3])
def test_rows_that_another_process_adds_and_signs_meanwhile_are_no_second_history(home: Home, signed: int):
    home.append(3)
    if signed:
        home.checkpoints.current()
    ours = replace(home.checkpoints, tree=GrowingTree(home))
    assert ours.current().size == 3
    assert ours.broken() is None


def test_rows_changed_within_a_full_tile_are_found(home: Home):
    home.append(300)
    home.checkpoints.current()
    home.forge("UPDATE ledger SET digest = substr(digest, 33) || substr(digest, 1, 32) WHERE sequence = 3")
    assert home.checkpoints.broken() == "Rows 1 to 256 are not those of the ledger's Merkle tree: they were changed."


@pytest.mark.parametrize(("rows", "missing"), [(3, 2), (300, 256)])
def test_missing_rows_are_named(home: Home, rows: int, missing: int):
    home.append(rows)
    home.forge(f"DELETE FROM ledger WHERE sequence = {missing}")
    with pytest.raises(ConflictError, match=f"Row {missing} of the ledger is missing"):
        home.checkpoints.current()
