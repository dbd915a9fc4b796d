"""Rows of the contract's tables by run, account or id, read packed so that no number is rounded."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import get_args

from passer.antelope.client.rpc import Rpc
from passer.antelope.format.packing import Unpacker, name_value
from passer.domain.ledger.entry import Action
from passer.domain.wording.sentence import sentence
from passer.errors import LedgerUnavailable
from passer.ports.ledger import LedgerRow

TABLES: dict[Action, str] = {"addtest": "testtable", "addtimetest": "timetable"}
"""Table that each action fills."""
BY_USER, BY_TESTID = 2, 3
"""Secondary indexes."""
_PAGE = 250
"""Rows per request; a node returns as many as it has time for."""


class Rows:
    """The two tables of one contract."""

    actions: tuple[Action, ...] = get_args(Action)
    """One table each."""

    def __init__(self, rpc: Rpc, contract: str, *, published: bool = False) -> None:
        self._rpc, self._contract, self._published = rpc, contract, published

    def of_testid(self, action: Action, testid: str, *, first: int = 0) -> Iterator[LedgerRow]:
        """Yield the rows of a run from that number on, oldest first."""
        return self._of_key(action, BY_TESTID, testid, start=first)

    def of_account(self, action: Action, account: str, *, first: int = 0) -> Iterator[LedgerRow]:
        """Yield the rows of an account from that number on, oldest first."""
        return self._of_key(action, BY_USER, account, start=first)

    def one(self, action: Action, number: int) -> LedgerRow | None:
        """Return the row with that number; None if there is none."""
        return next(self.range(action, first=number, last=number), None)

    def range(self, action: Action, *, first: int = 0, last: int | None = None) -> Iterator[LedgerRow]:
        """Yield the rows from one number to another, both inclusive, oldest first."""
        lower: int | None = first
        while lower is not None:
            page = self._rpc.table_page(self._contract, TABLES[action], lower=lower, upper=last, limit=_PAGE)
            rows = [self._row(action, text) for text in page.rows]
            yield from (row for _, row in rows)
            lower = self._next(page.more, page.next_key, asked=lower, after=rows[-1][0] if rows else None)

    def last_number(self, action: Action) -> int | None:
        """Return the number of the newest row; None in an empty table."""
        page = self._rpc.table_page(self._contract, TABLES[action], limit=1, newest_first=True)
        return self._row(action, page.rows[0])[0] if page.rows else None

    def _of_key(self, action: Action, index: int, name: str, *, start: int) -> Iterator[LedgerRow]:
        """Yield the rows with that name in an index.

        A node cannot page within equal keys of an index, and a run has thousands of rows under one. The index is in
        the order of (key, number): its first and last row bound the numbers, and those are paged over.
        """
        first, last = (self._end(action, index, name_value(name), newest=newest) for newest in (False, True))
        if first is None or last is None:
            return
        for row in self.range(action, first=max(first, start), last=last) if start <= last else ():
            if name == (row.account if index == BY_USER else row.testid):
                yield row

    def _next(self, more: bool, next_key: str, *, asked: int, after: int | None) -> int | None:
        """Number at which the next page begins. A node that had no time for a single row is asked the same again."""
        if not more:
            return None
        if next_key.isdigit() and int(next_key) >= asked:
            return int(next_key)
        if after is None:
            raise LedgerUnavailable(sentence("chain.table-open"))
        return after + 1

    def _end(self, action: Action, index: int, value: int, *, newest: bool) -> int | None:
        """Return the number of the oldest or newest row with that key of an index; None if there is none."""
        page = self._rpc.table_page(
            self._contract, TABLES[action], index=index, lower=value, upper=value, limit=1, newest_first=newest
        )
        return self._row(action, page.rows[0])[0] if page.rows else None

    def _row(self, action: Action, text: str) -> tuple[int, LedgerRow]:
        """Return a packed row as a row, with its number."""
        fields = Unpacker(bytes.fromhex(text))
        number, account, testid = fields.uint64(), fields.name(), fields.name()
        recorded_at, results, description = fields.time_point_sec(), fields.float64s(), fields.string()
        digests = (None, None) if self._published else (fields.checksum256(), fields.checksum256())
        fields.done()
        return number, LedgerRow(
            id=row_id(action, number),
            action=action,
            account=account,
            testid=testid,
            recorded_at=recorded_at,
            description=description,
            results=tuple(value if math.isfinite(value) else None for value in results),
            run_digest=digests[0],
            config_digest=digests[1],
            authenticated=not self._published,
        )


def row_id(action: Action, number: int) -> str:
    """Return the action and number of a row, such as `addtest-17`."""
    return f"{action}-{number}"
