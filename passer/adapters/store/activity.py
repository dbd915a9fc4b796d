"""The activity log in the database."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Integer, Select, String, Table, select, text

from passer.adapters.store.database import Database
from passer.adapters.store.table_parts import metadata, moment
from passer.domain.accounts.activity import LONGEST_SUBJECT, NOTHING_BEFORE, Act, LoggedAct, logged

activity = Table(
    "activity",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    # Text as it was hashed.
    Column("at", String(20), nullable=False),
    Column("account", String(60), index=True),
    Column("via", String(10), nullable=False),
    Column("operation", String(60), nullable=False),
    Column("subject", String(LONGEST_SUBJECT)),
    Column("outcome", String(10), nullable=False),
    Column("previous", String(64), nullable=False),
    Column("digest", String(64), nullable=False),
)


class DatabaseActivity:
    """ports.ActivityStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, act: Act, at: datetime) -> LoggedAct:
        with self._database.begin() as opened:
            if opened.dialect.name == "postgresql":
                # SQLite has one writer at a time anyway.
                opened.execute(text("LOCK TABLE activity IN EXCLUSIVE MODE"))
            newest = select(activity.c.number, activity.c.digest).order_by(activity.c.number.desc()).limit(1)
            last = opened.execute(newest).one_or_none()
            row = logged(
                act,
                number=last.number + 1 if last else 1,
                at=at,
                previous=last.digest if last else NOTHING_BEFORE,
            )
            opened.execute(activity.insert().values({**row.model_dump(), "at": moment(row.at)}))
        return row

    def newest(
        self, *, account: str | None = None, operation: str | None = None, before: int | None = None, limit: int = 100
    ) -> list[LoggedAct]:
        wanted = select(activity)
        if account is not None:
            wanted = wanted.where(activity.c.account == account)
        if operation is not None:
            wanted = wanted.where(activity.c.operation == operation)
        if before is not None:
            wanted = wanted.where(activity.c.number < before)
        return self._logged(wanted.order_by(activity.c.number.desc()).limit(limit))

    def oldest(self, *, after: int = 0, limit: int = 1000) -> list[LoggedAct]:
        return self._logged(select(activity).where(activity.c.number > after).order_by(activity.c.number).limit(limit))

    def _logged(self, query: Select[Any]) -> list[LoggedAct]:
        return [LoggedAct.model_validate(dict(row)) for row in self._database.rows(query)]
