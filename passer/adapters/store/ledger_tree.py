"""The Merkle tree over the rows of the local ledger, kept in tiles, so that a proof reads a few of them alone.

A tile has the hashes of 256 complete subtrees of one height (c2sp.org/tlog-tiles). It is stored once it is full and
never changes. What tiles say follows from the rows: `wrong_tile` computes them again.
"""

from __future__ import annotations

from sqlalchemy import Column, Connection, Integer, LargeBinary, String, Table, Text, func, select

from passer.adapters.store.database import Database
from passer.adapters.store.schema import ledger
from passer.adapters.store.table_parts import metadata
from passer.domain.bundle.merkle import Hash, SubtreeHash, root_of
from passer.domain.ledger.checkpoint import leaf_of
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports import StoredCheckpoint

HEIGHT = 8
"""Levels of the tree in one tile."""
WIDTH = 1 << HEIGHT
"""Hashes of a tile."""
TILES_AT_ONCE = 128
"""Tiles of rows built in one transaction."""
HASH_BYTES = 32

tiles = Table(
    "ledger_tiles",
    metadata,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("root", LargeBinary(HASH_BYTES), nullable=False),
    Column("hashes", LargeBinary, nullable=False),
)
checkpoints = Table(
    "ledger_checkpoints",
    metadata,
    Column("size", Integer, primary_key=True, autoincrement=False),
    Column("root", String(64), nullable=False),
    Column("note", Text, nullable=False),
)


class DatabaseLedgerTree:
    """ports.LedgerTree over the table of the local ledger."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def extend(self) -> int:
        with self._database.connect() as connection:
            size, known = _size(connection), _tiles(connection, 0)
        # Tiles are full: a ledger that grew by less has nothing to add, and proofs need no write then.
        if known == size // WIDTH:
            return size
        while True:
            with self._database.begin() as connection:
                size = _size(connection)
                if not self._add_tiles(connection, size):
                    return size

    def digest(self, index: int) -> str:
        with self._database.connect() as connection:
            return _digests(connection, index, index + 1)[0]

    def subtrees(self) -> SubtreeHash:
        kept: dict[tuple[int, int], list[Hash]] = {}

        def hash_of(level: int, index: int) -> Hash:
            tier, height = divmod(level, HEIGHT)
            first = index << height
            place = first // WIDTH
            if (tier, place) not in kept:
                with self._database.connect() as connection:
                    kept[tier, place] = _tile(connection, tier, place)
            start = first % WIDTH
            return root_of(kept[tier, place][start : start + (1 << height)])

        return hash_of

    def checkpoints(self) -> list[StoredCheckpoint]:
        rows = self._database.rows(select(checkpoints).order_by(checkpoints.c.size))
        return [StoredCheckpoint(**row) for row in rows]

    def last_checkpoint(self) -> StoredCheckpoint | None:
        row = self._database.row(select(checkpoints).order_by(checkpoints.c.size.desc()).limit(1))
        return None if row is None else StoredCheckpoint(**row)

    def keep(self, checkpoint: StoredCheckpoint) -> None:
        with self._database.begin() as connection:
            # Two processes may sign the same size: their roots are equal, and the first note stays.
            insert = self._database.insert(checkpoints).values(**checkpoint.model_dump())
            connection.execute(insert.on_conflict_do_nothing())

    def wrong_tile(self) -> str | None:
        with self._database.connect() as connection:
            for row in connection.execute(select(tiles).order_by(tiles.c.level, tiles.c.place)).all():
                hashes = _computed(connection, row.level, row.place, row.place + 1)
                if b"".join(hashes) != row.hashes or root_of(hashes) != row.root:
                    first = row.place * WIDTH ** (row.level + 1) + 1
                    last = first + WIDTH ** (row.level + 1) - 1
                    return f"Rows {first} to {last} are not those of the ledger's Merkle tree: they were changed."
        return None

    def _add_tiles(self, connection: Connection, size: int) -> bool:
        """Add the tiles that are full, some at a time; return whether others may follow."""
        added, tier, full = 0, 0, size // WIDTH
        while full:
            known = _tiles(connection, tier)
            # In steps: the tree of a long ledger that had none would hold the write lock until all of it is built.
            end = min(full, known + TILES_AT_ONCE)
            if values := _values(tier, known, _computed(connection, tier, known, end)):
                connection.execute(self._database.insert(tiles).on_conflict_do_nothing(), values)
            added, tier, full = added + len(values), tier + 1, end // WIDTH
        return added > 0


def _size(connection: Connection) -> int:
    return int(connection.execute(select(func.coalesce(func.max(ledger.c.sequence), 0))).scalar_one())


def _tiles(connection: Connection, tier: int) -> int:
    """Return the number of tiles of a level: one more than the last place, since they are added in order."""
    query = select(func.coalesce(func.max(tiles.c.place) + 1, 0)).where(tiles.c.level == tier)
    return int(connection.execute(query).scalar_one())


def _tile(connection: Connection, tier: int, place: int) -> list[Hash]:
    """Return the hashes of a tile, full or not."""
    query = select(tiles.c.hashes).where(tiles.c.level == tier, tiles.c.place == place)
    content = connection.execute(query).scalar()
    if content is not None:
        return [content[start : start + HASH_BYTES] for start in range(0, len(content), HASH_BYTES)]
    return _computed(connection, tier, place, place + 1)


def _values(tier: int, first: int, hashes: list[Hash]) -> list[dict[str, object]]:
    """Return the rows of full tiles from number `first` on, of all their hashes."""
    found: list[dict[str, object]] = []
    for start in range(0, len(hashes), WIDTH):
        own = hashes[start : start + WIDTH]
        found.append({"level": tier, "place": first + len(found), "root": root_of(own), "hashes": b"".join(own)})
    return found


def _computed(connection: Connection, tier: int, first: int, end: int) -> list[Hash]:
    """Return the hashes of tiles `first` to `end` from what is below them: rows, or the roots of smaller tiles."""
    if tier:
        return _roots(connection, tier - 1, first * WIDTH, end * WIDTH)
    return [leaf_of(digest) for digest in _digests(connection, first * WIDTH, end * WIDTH)]


def _digests(connection: Connection, start: int, end: int) -> list[str]:
    """Return the digests of rows, by number from 0; ConflictError where one is missing."""
    wanted = (ledger.c.sequence > start, ledger.c.sequence <= end)
    found = list(connection.execute(select(ledger.c.digest).where(*wanted).order_by(ledger.c.sequence)).scalars())
    # A tile of fewer leaves than rows would be kept as full.
    if len(found) < end - start and len(found) < min(end, _size(connection)) - start:
        kept = set(connection.execute(select(ledger.c.sequence).where(*wanted)).scalars())
        missing = next(number for number in range(start + 1, end + 1) if number not in kept)
        raise ConflictError(sentence("ledger.row-missing", row=str(missing)))
    return found


def _roots(connection: Connection, tier: int, first: int, end: int) -> list[Hash]:
    query = select(tiles.c.root).where(tiles.c.level == tier, tiles.c.place >= first, tiles.c.place < end)
    return list(connection.execute(query.order_by(tiles.c.place)).scalars())
