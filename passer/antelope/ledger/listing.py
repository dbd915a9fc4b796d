"""Lists a contract's rows by account, run and time, page by page, from the chain."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import get_args

from passer.antelope.client.rows import Rows, row_id
from passer.domain.ledger.entry import Action
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError
from passer.ports import LedgerPage, LedgerQuery, LedgerRow

_ACTIONS: dict[str, Action] = {action: action for action in get_args(Action)}


class Listing:
    """The two tables of a contract, one after the other."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def get(self, row_id: str) -> LedgerRow:
        """Return one row by action and number, such as `addtest-17`; raise NotFoundError if there is none."""
        action, number = _place(row_id)
        row = self._rows.one(action, number)
        if row is None:
            raise NotFoundError(sentence("chain.no-row", row=row_id))
        return row

    def page(self, query: LedgerQuery) -> LedgerPage:
        """Return one page of rows, each table oldest first."""
        found: list[LedgerRow] = []
        for row in self._found(query):
            if len(found) == query.limit:
                return LedgerPage(items=tuple(found), next=found[-1].id)
            found.append(row)
        return LedgerPage(items=tuple(found), next=None)

    def _found(self, query: LedgerQuery) -> Iterator[LedgerRow]:
        actions = list(self._rows.actions)
        started, after = _place(query.after) if query.after else (actions[0], -1)
        for action in actions[actions.index(started) :]:
            first = max(self._first_since(action, query.since), after + 1 if action == started else 0)
            for row in self._of(action, query, first):
                if query.until is not None and row.recorded_at >= query.until:
                    break
                early = query.since is not None and row.recorded_at < query.since
                if query.account in (None, row.account) and not early:
                    yield row

    def _of(self, action: Action, query: LedgerQuery, first: int) -> Iterator[LedgerRow]:
        if query.testid is not None:
            return self._rows.of_testid(action, query.testid, first=first)
        if query.account is not None:
            return self._rows.of_account(action, query.account, first=first)
        return self._rows.range(action, first=first)

    def _first_since(self, action: Action, since: datetime | None) -> int:
        """Number of the first row of that time or later: rows are in the order of time."""
        last = None if since is None else self._rows.last_number(action)
        if since is None or last is None:
            return 0
        low, high = 0, last + 1
        while low < high:
            middle = (low + high) // 2
            row = self._rows.one(action, middle)
            # The published contract lets rows be erased: a gap counts as late, so that nothing before it is missed.
            if row is None or row.recorded_at >= since:
                high = middle
            else:
                low = middle + 1
        return low


def action_of(name: str) -> Action:
    """Return the action of that name; raise InputError for another name."""
    if name not in _ACTIONS:
        raise InputError(sentence("chain.records-nothing", action=name))
    return _ACTIONS[name]


def _place(text: str) -> tuple[Action, int]:
    action, _, number = text.partition("-")
    if action in _ACTIONS and number.isascii() and number.isdigit() and row_id(_ACTIONS[action], int(number)) == text:
        return _ACTIONS[action], int(number)
    raise InputError(sentence("chain.not-a-row", text=text), field="id")
