"""The activity log in both databases: one chain, also with concurrent writers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from passer.adapters.store.activity import DatabaseActivity
from passer.adapters.store.database import Database
from passer.domain.accounts.activity import Act, check

AT = datetime(2026, 1, 1, 12, 0, 0, 987_000, tzinfo=UTC)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_rows_of_several_writers_are_one_chain(kind, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}" if kind == "sqlite" else request.getfixturevalue("empty_postgres")
    databases = [Database(url) for _ in range(3)]
    stores = [DatabaseActivity(database) for database in databases]

    def write(number: int) -> None:
        act = Act(
            account=f"anna{number % 2}", via="token", operation="delete_dataset", subject="Въпроси", outcome="done"
        )
        stores[number % 3].append(act, AT)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(30)))
    rows = stores[0].oldest()
    assert [row.number for row in rows] == list(range(1, 31))
    assert check(rows).problem is None
    assert rows[0].at == AT.replace(microsecond=0)
    assert all(row.number < 20 for row in stores[0].newest(account="anna1", before=20, limit=3))
    assert {row.account for row in stores[0].newest(account="anna1")} == {"anna1"}
    assert stores[0].newest(operation="no such one") == []
    forged = [rows[0], rows[1].model_copy(update={"outcome": "refused"}), *rows[2:]]
    assert "Row 2 was changed" in str(check(forged).problem)
    assert "Row 2 is missing" in str(check([rows[0], *rows[2:]]).problem)
    assert "rewritten" in str(check(rows, expected=(3, "0" * 64)).problem)
    for database in databases:
        database.close()
