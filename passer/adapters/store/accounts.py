"""Accounts, sessions and tokens in the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby

from sqlalchemy import Column, Connection, ForeignKey, RowMapping, String, Table, delete, select, update

from passer.adapters.store.database import Database
from passer.adapters.store.table_parts import Moment, metadata
from passer.domain.accounts.account import Account, RecoveryLink, Role, Session, SessionEnd, Token
from passer.domain.accounts.identity import Identity
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, NotFoundError

accounts = Table(
    "accounts",
    metadata,
    Column("name", String(60), primary_key=True),
    Column("password", String(300), nullable=False),
    Column("created_at", Moment(), nullable=False),
    Column("signed_in_at", Moment()),
)

memberships = Table(
    "memberships",
    metadata,
    Column("account", String(60), ForeignKey("accounts.name"), primary_key=True),
    Column("project", String(40), primary_key=True),
    Column("role", String(12), nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("account", String(60), ForeignKey("accounts.name"), nullable=False, index=True),
    Column("expires_at", Moment(), nullable=False),
    Column("ended_by", String(12)),
)

recovery_links = Table(
    "recovery_links",
    metadata,
    Column("account", String(60), ForeignKey("accounts.name"), primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("expires_at", Moment(), nullable=False),
)

identities = Table(
    "identities",
    metadata,
    Column("issuer", String(300), primary_key=True),
    Column("subject", String(255), primary_key=True),
    Column("account", String(60), ForeignKey("accounts.name"), nullable=False, index=True),
    Column("added_at", Moment(), nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("account", String(60), ForeignKey("accounts.name"), nullable=False, index=True),
    Column("name", String(100), nullable=False),
    Column("scope", String(12), nullable=False),
    Column("project", String(40)),
    Column("digest", String(64), nullable=False, unique=True),
    Column("created_at", Moment(), nullable=False),
    Column("expires_at", Moment()),
    Column("last_used_at", Moment()),
)


_ANY = select(accounts.c.name).limit(1)
"""Asked by every request."""


class DatabaseAccounts:
    """ports.AccountStore on SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def has_accounts(self) -> bool:
        return self._database.row(_ANY) is not None

    def list_accounts(self) -> list[Account]:
        return self._accounts()

    def find_account(self, name: str) -> Account:
        found = self._accounts(name)
        if not found:
            raise NotFoundError(sentence("account.unknown", name=name))
        return found[0]

    def add_account(self, account: Account) -> None:
        with self._database.begin() as opened:
            if opened.execute(select(accounts.c.name).where(accounts.c.name == account.name)).first():
                raise ConflictError(sentence("account.exists", name=account.name))
            opened.execute(accounts.insert().values(_row(account)))
            own = {DEFAULT_PROJECT: account.role} if account.role else {}
            _set_roles(opened, account.name, {**account.projects, **own})

    # Each change writes only the columns that it changes: writing a complete row that was read before would undo
    # concurrent changes.

    def set_password(self, name: str, hashed: str) -> None:
        with self._changing(name) as opened:
            opened.execute(update(accounts).where(accounts.c.name == name).values(password=hashed))
            _sign_out(opened, name, "password")

    def set_roles(self, name: str, roles: Mapping[str, Role | None], *, keep_an_admin: bool = False) -> None:
        with self._changing(name) as opened:
            if keep_an_admin and roles.get(DEFAULT_PROJECT, "admin") != "admin":
                _check_not_last(opened, name)
            _set_roles(opened, name, roles)
            _sign_out(opened, name, "role" if any(roles.values()) else "removed")

    def delete_account(self, name: str, *, keep_an_admin: bool = False) -> None:
        with self._changing(name) as opened:
            if keep_an_admin:
                _check_not_last(opened, name)
            for table in (sessions, recovery_links, identities, tokens, memberships):
                opened.execute(delete(table).where(table.c.account == name))
            opened.execute(delete(accounts).where(accounts.c.name == name))

    def add_session(self, session: Session, *, password: str, now: datetime) -> bool:
        proved = (accounts.c.name == session.account) & (accounts.c.password == password)
        with self._alone() as opened:
            # This column alone: roles may have changed since the account was read.
            if not opened.execute(update(accounts).where(proved).values(signed_in_at=now)).rowcount:
                return False
            opened.execute(delete(sessions).where(sessions.c.expires_at < now))
            opened.execute(sessions.insert().values(session.model_dump()))
        return True

    def find_session(self, digest: str) -> Session | None:
        row = self._database.row(select(sessions).where(sessions.c.digest == digest))
        return None if row is None else Session(**row)

    def delete_session(self, digest: str) -> None:
        self._database.change(delete(sessions).where(sessions.c.digest == digest))

    def add_recovery(self, link: RecoveryLink, *, now: datetime) -> None:
        replaced = (recovery_links.c.account == link.account) | (recovery_links.c.expires_at < now)
        with self._changing(link.account) as opened:
            opened.execute(delete(recovery_links).where(replaced))
            opened.execute(recovery_links.insert().values(link.model_dump()))

    def find_recovery(self, digest: str) -> RecoveryLink | None:
        row = self._database.row(select(recovery_links).where(recovery_links.c.digest == digest))
        return None if row is None else RecoveryLink(**row)

    def use_recovery(self, digest: str) -> bool:
        # The deletion decides: of two requests with the same link, only one finds its row.
        return self._database.change(delete(recovery_links).where(recovery_links.c.digest == digest)) == 1

    def list_identities(self, account: str) -> list[Identity]:
        wanted = identities.c.account == account
        query = select(identities).where(wanted).order_by(identities.c.added_at, identities.c.subject)
        return [Identity(**row) for row in self._database.rows(query)]

    def find_identity(self, issuer: str, subject: str) -> Identity | None:
        wanted = (identities.c.issuer == issuer) & (identities.c.subject == subject)
        row = self._database.row(select(identities).where(wanted))
        return None if row is None else Identity(**row)

    def add_identity(self, identity: Identity) -> None:
        row = {column.name: getattr(identity, column.name) for column in identities.c}
        try:
            with self._changing(identity.account) as opened:
                opened.execute(identities.insert().values(row))
        except ConflictError as exc:
            raise ConflictError(sentence("identity.taken")) from exc

    def delete_identity(self, identity: Identity) -> None:
        wanted = (identities.c.issuer == identity.issuer) & (identities.c.subject == identity.subject)
        self._database.change(delete(identities).where(wanted))

    def list_tokens(self, account: str) -> list[Token]:
        query = select(tokens).where(tokens.c.account == account).order_by(tokens.c.created_at.desc(), tokens.c.id)
        return [Token(**row) for row in self._database.rows(query)]

    def add_token(self, token: Token) -> None:
        row = {column.name: getattr(token, column.name) for column in tokens.c}
        with self._changing(token.account) as opened:
            opened.execute(tokens.insert().values(row))

    def find_token(self, digest: str) -> Token | None:
        row = self._database.row(select(tokens).where(tokens.c.digest == digest))
        return None if row is None else Token(**row)

    def note_use(self, token: Token, at: datetime) -> None:
        self._database.change(update(tokens).where(tokens.c.id == token.id).values(last_used_at=at))

    def delete_token(self, token_id: str, *, account: str) -> None:
        mine = (tokens.c.id == token_id) & (tokens.c.account == account)
        if not self._database.change(delete(tokens).where(mine)):
            raise NotFoundError(sentence("account.unknown-token", id=token_id))

    @contextmanager
    def _changing(self, name: str) -> Iterator[Connection]:
        """Yield a write transaction that changes an account, one at a time for all accounts.

        Raises NotFoundError if the account does not exist.
        """
        with self._alone() as opened:
            if not opened.execute(update(accounts).where(accounts.c.name == name).values(name=name)).rowcount:
                raise NotFoundError(sentence("account.unknown", name=name))
            yield opened

    @contextmanager
    def _alone(self) -> Iterator[Connection]:
        """Yield a write transaction of accounts, one at a time: what it reads of accounts stays valid until it commits.

        Otherwise two administrators who remove each other's role at the same time would both succeed, and a deletion
        and a sign-in, which lock rows of several tables, could deadlock.
        """
        with self._database.begin() as opened:
            self._database.one_at_a_time(opened, "accounts")
            yield opened

    def _accounts(self, name: str | None = None) -> list[Account]:
        wanted = () if name is None else (accounts.c.name == name,)
        query = (
            select(accounts, memberships.c.project, memberships.c.role)
            .outerjoin(memberships)
            .where(*wanted)
            .order_by(accounts.c.name, memberships.c.project)
        )
        return [_account(list(own)) for _, own in groupby(self._database.rows(query), key=lambda row: row["name"])]


def _account(rows: Sequence[RowMapping]) -> Account:
    """Return an account from its rows, one for each project of which it is a member."""
    roles: dict[str, Role] = {row["project"]: row["role"] for row in rows if row["project"] is not None}
    role = roles.pop(DEFAULT_PROJECT, None)
    return Account(**{column.name: rows[0][column.name] for column in accounts.c}, role=role, projects=roles)


def _check_not_last(opened: Connection, name: str) -> None:
    """Raise ConflictError if the last administrator would lose the role: nobody could give it again."""
    administers = (memberships.c.project == DEFAULT_PROJECT) & (memberships.c.role == "admin")
    if opened.execute(select(memberships.c.account).where(administers)).scalars().all() == [name]:
        raise ConflictError(sentence("account.last-admin", name=name))


def _set_roles(opened: Connection, name: str, roles: Mapping[str, Role | None]) -> None:
    held = (memberships.c.account == name) & memberships.c.project.in_(list(roles))
    opened.execute(delete(memberships).where(held))
    for project, role in roles.items():
        if role is not None:
            opened.execute(memberships.insert().values(account=name, project=project, role=role))


def _sign_out(opened: Connection, name: str, change: SessionEnd) -> None:
    # The rows stay until they expire, so that the browser that has the secret can be told why the session ended.
    valid = (sessions.c.account == name) & sessions.c.ended_by.is_(None)
    opened.execute(update(sessions).where(valid).values(ended_by=change))
    opened.execute(delete(recovery_links).where(recovery_links.c.account == name))


def _row(account: Account) -> dict[str, object]:
    return {column.name: getattr(account, column.name) for column in accounts.c}
