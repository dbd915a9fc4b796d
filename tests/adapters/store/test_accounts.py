"""Accounts of an earlier version, their roles in projects, and projects as schemas of PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime, timedelta

import pytest
from alembic import command
from sqlalchemy import Connection, create_engine, select, text, update

from passer.adapters.passwords import Argon2Passwords
from passer.adapters.store.accounts import DatabaseAccounts, accounts, identities
from passer.adapters.store.database import Database, migrations
from passer.adapters.store.datasets import DatabaseDatasets
from passer.domain.accounts.account import Account, RecoveryLink, Role, Session, Token
from passer.domain.accounts.identity import Identity
from passer.domain.dataset import Dataset, Question
from passer.errors import ConflictError, NotFoundError
from passer.services.accounts.accounts import Accounts
from tests.fakes import FakeClock
from tests.waiting import wait_until

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_accounts_of_an_earlier_version_keep_their_role_in_the_default_project(kind, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}" if kind == "sqlite" else request.getfixturevalue("unmigrated_postgres")
    engine, config = create_engine(url), migrations()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0012")
        put = "INSERT INTO accounts (name, role, password, created_at) VALUES (:name, :role, 'x', '2026-01-01')"
        for name, role in (("ivan", "viewer"), ("maria", "admin")):
            connection.execute(text(put), {"name": name, "role": role})
    database = Database(url)
    store = DatabaseAccounts(database)
    assert [(each.name, each.role, each.projects) for each in store.list_accounts()] == [
        ("ivan", "viewer", {}),
        ("maria", "admin", {}),
    ]
    store.set_roles("ivan", {"default": None, "alpha": "admin"})
    ivan, maria = store.list_accounts()
    assert [ivan.role_in(project) for project in ("default", "alpha", "beta")] == [None, "admin", None]
    assert not ivan.is_administrator
    assert [maria.role_in(project) for project in ("default", "alpha")] == ["admin", "admin"]
    engine.dispose()
    database.close()


def test_projects_are_schemas_of_postgresql(empty_postgres):
    questions = (Question(id="q", text="What fixes nitrogen?", reference="Clover."),)
    opened = {schema: Database(empty_postgres, schema=schema) for schema in (None, "passer-alpha")}
    datasets = {schema: DatabaseDatasets(database, FakeClock()) for schema, database in opened.items()}
    for schema, name in ((None, "ours"), ("passer-alpha", "theirs")):
        datasets[schema].save_dataset(Dataset(name=name, questions=questions))
    again = Database(empty_postgres, schema="passer-alpha")
    assert [each.name for each in DatabaseDatasets(again, FakeClock()).list_datasets()] == ["theirs"]
    assert [each.name for each in datasets[None].list_datasets()] == ["ours"]
    DatabaseAccounts(opened["passer-alpha"]).add_account(
        Account(name="ivan", role="viewer", password="x", created_at=NOW)
    )
    assert not DatabaseAccounts(opened[None]).has_accounts()
    for database in (*opened.values(), again):
        database.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_changes_of_one_account_undo_nothing_of_each_other(kind, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}" if kind == "sqlite" else request.getfixturevalue("empty_postgres")
    database = Database(url)
    store = DatabaseAccounts(database)
    store.add_account(Account(name="ivan", role="viewer", projects={"alpha": "admin"}, password="old", created_at=NOW))
    # Two administrators and the person change it one after another; none of them sees what the others have written.
    store.set_roles("ivan", {"beta": "researcher"})
    store.set_password("ivan", "new")
    store.set_roles("ivan", {"default": "admin", "alpha": None})
    found = store.find_account("ivan")
    assert (found.role, found.projects, found.password) == ("admin", {"beta": "researcher"}, "new")
    for change in (lambda: store.set_password("anna", "new"), lambda: store.set_roles("anna", {"alpha": "viewer"})):
        with pytest.raises(NotFoundError, match="anna"):
            change()
    database.close()


def taken_from(role: Role | None, database: Database, name: str) -> Callable[[], object]:
    """Take the role of an administrator, or the whole account for None."""
    service = Accounts(DatabaseAccounts(database), Argon2Passwords(), FakeClock())
    if role is None:
        return lambda: service.delete(name)
    return lambda: service.set_role(name, "default", role)


@pytest.mark.parametrize("roles", [("viewer", "researcher"), (None, None), ("viewer", None)])
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_administrators_who_take_each_others_role_at_once_leave_one(kind, roles, tmp_path, request):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}" if kind == "sqlite" else request.getfixturevalue("empty_postgres")
    others, names = [Database(url), Database(url)], ("boss", "maria")
    store = DatabaseAccounts(others[0])
    for name in names:
        store.add_account(Account(name=name, role="admin", password="x", created_at=NOW))
    changes = [taken_from(*given) for given in zip(roles, others, names, strict=True)]
    holder = Database(url)
    with ThreadPoolExecutor(2) as threads:
        with holder.begin() as opened:
            # Nobody else can write now: both get as far as they get by reading alone.
            opened.execute(update(accounts).values(password="y"))
            asked = [threads.submit(change) for change in changes]
            wait(asked, timeout=0.5)
            assert not any(each.done() for each in asked)
        refused = [each.exception(timeout=30) for each in asked]
    assert [type(each) for each in refused if each] == [ConflictError]
    [left] = [each.name for each in store.list_accounts() if each.role == "admin"]
    assert str(refused[names.index(left)]).startswith(left)
    for database in (*others, holder):
        database.close()


BESIDE_A_DELETION: dict[str, Callable[[DatabaseAccounts], object]] = {
    "password": lambda store: store.set_password("ivan", "new"),
    "roles": lambda store: store.set_roles("ivan", {"alpha": "viewer"}),
    "sign-in": lambda store: store.add_session(session("later", NOW + timedelta(days=9)), password="old", now=LATER),
    "recovery": lambda store: store.add_recovery(
        RecoveryLink(digest="later", account="ivan", expires_at=NOW + timedelta(days=9)), now=LATER
    ),
    "token": lambda store: store.add_token(
        Token(id="1", account="ivan", name="t", scope="viewer", digest="d", created_at=NOW)
    ),
    "identity": lambda store: store.add_identity(identity("2")),
}
LATER = NOW + timedelta(days=8)


def session(digest: str, expires_at: datetime) -> Session:
    return Session(digest=digest, account="ivan", expires_at=expires_at)


def identity(subject: str) -> Identity:
    return Identity(issuer="https://sso", subject=subject, account="ivan", added_at=NOW)


def waiting(opened: Connection) -> int:
    """Return how many connections of the server wait for a lock."""
    return opened.execute(text("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")).scalar_one()


@pytest.mark.parametrize("change", BESIDE_A_DELETION)
def test_an_account_is_deleted_beside_any_change_of_it(change, empty_postgres):
    others = [Database(empty_postgres), Database(empty_postgres)]
    deleting, changing = map(DatabaseAccounts, others)
    deleting.add_account(Account(name="ivan", role="viewer", password="old", created_at=NOW))
    expired = NOW + timedelta(days=1)
    deleting.add_session(session("first", expired), password="old", now=NOW)
    deleting.add_recovery(RecoveryLink(digest="first", account="ivan", expires_at=expired), now=NOW)
    deleting.add_identity(identity("1"))
    holder = Database(empty_postgres)
    with ThreadPoolExecutor(2) as threads:
        with holder.begin() as opened:
            # Stops the deletion after the sessions: it has them, and still wants the account, which the change takes.
            opened.execute(select(identities).with_for_update())
            deleted = threads.submit(deleting.delete_account, "ivan")
            wait_until(lambda: waiting(opened) == 1)
            changed = threads.submit(BESIDE_A_DELETION[change], changing)
            wait_until(lambda: waiting(opened) == 2)
        assert deleted.exception(timeout=30) is None
        # The account was gone: a sign-in is refused by False.
        assert isinstance(changed.exception(timeout=30), NotFoundError) or changed.result() is False
    assert not deleting.has_accounts()
    for database in (*others, holder):
        database.close()
