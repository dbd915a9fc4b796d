"""The activity log of a project: acts are added, listed, exported and checked; none is changed or removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from passer.domain.accounts.activity import Act, ActivityCheck, LoggedAct, check
from passer.domain.base import canonical_json
from passer.ports import ActivityStore, Clock
from passer.services.exports.table_export import filled

_PAGE = 1000


@dataclass(frozen=True)
class ActivityLog:
    """Records who did what in a project. The log of the default project also has what concerns the installation."""

    store: ActivityStore
    clock: Clock

    def record(self, act: Act) -> LoggedAct:
        """Add an act at the end of the log; StoreUnavailable if it cannot be written."""
        return self.store.append(act, self.clock.now())

    def newest(
        self, *, account: str | None = None, operation: str | None = None, before: int | None = None, limit: int = 100
    ) -> Sequence[LoggedAct]:
        """Return acts, the newest first: of an account, of an operation, with a lower number than `before`."""
        return self.store.newest(account=account, operation=operation, before=before, limit=limit)

    def check(self, expected: tuple[int, str] | None = None) -> ActivityCheck:
        """Check the whole log; `expected` is the number and digest of a row that was noted earlier."""
        return check(self._rows(), expected=expected)

    def exported(self) -> IO[bytes]:
        """Return the whole log as JSON Lines, oldest first; each line is canonical JSON."""

        def write(stream: IO[bytes]) -> None:
            for row in self._rows():
                stream.write(canonical_json(row.model_dump(mode="json")) + b"\n")

        return filled(write)

    def _rows(self) -> Iterator[LoggedAct]:
        after = 0
        while found := self.store.oldest(after=after, limit=_PAGE):
            yield from found
            after = found[-1].number
