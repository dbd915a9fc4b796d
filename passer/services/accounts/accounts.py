"""Accounts and the credentials of requests: passwords, sessions of browsers, tokens of programs."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from passer.domain.accounts.account import (
    Account,
    Caller,
    ProjectAccess,
    RecoveryLink,
    Role,
    Session,
    Token,
    allows,
    check_password,
    lesser,
    role_word,
)
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError, RoleTooLow, SignInNeeded
from passer.ports import AccountStore, Clock, PasswordHasher
from passer.services.accounts.attempts import Attempts

SESSION = timedelta(days=7)
"""Duration of a browser session."""
RECOVERY = timedelta(days=1)
"""Validity of a recovery link."""
TOKEN_PREFIX = "passer_"
"""Begins every token, so that a search for leaked secrets finds it."""
USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class Accounts:
    """Adds, changes and recognises accounts."""

    store: AccountStore
    hasher: PasswordHasher
    clock: Clock
    attempts: Attempts = field(default_factory=Attempts)

    def add(self, name: str, *, role: Role | None, password: str, projects: Mapping[str, Role] = {}) -> Account:
        """Add an account with its role in the default project and in others.

        Raises ConflictError if the name exists, and InputError for a name, password or role that is not allowed.
        """
        check_password(password, name)
        account = Account(
            name=name,
            role=role,
            projects=dict(projects),
            password=self.hasher.hash(password),
            created_at=self.clock.now(),
        )
        self.store.add_account(account)
        return account

    def change(self, name: str, *, role: Role | None = None, password: str | None = None) -> Account:
        """Change password or role in the default project, which signs the account out everywhere.

        Raises NotFoundError if it does not exist, InputError for a password that is not allowed, and ConflictError if
        the last administrator would lose the role.
        """
        hashed = None
        if password is not None:
            check_password(password, name)
            # Before the account is read: what others change during a slow hash would be undone.
            hashed = self.hasher.hash(password)
        if role is not None:
            self.set_role(name, DEFAULT_PROJECT, role)
        if hashed is not None:
            self.store.set_password(name, hashed)
        return self.store.find_account(name)

    def set_role(self, name: str, project: str, role: Role | None, *, keep_an_admin: bool = True) -> Account:
        """Give an account a role in a project, or None to take it away, which signs it out everywhere.

        Raises NotFoundError if account or project do not exist, and ConflictError if the last administrator would lose
        the role.
        """
        self.store.set_roles(name, {project: role}, keep_an_admin=keep_an_admin)
        return self.store.find_account(name)

    def members(self, project: str) -> list[tuple[str, Role]]:
        """Return the accounts that may use a project with their roles, by name."""
        known = [(account.name, account.role_in(project)) for account in self.store.list_accounts()]
        return [(name, role) for name, role in known if role is not None]

    def projects_of(self, caller: Caller, names: Sequence[str]) -> list[ProjectAccess]:
        """Return which of the projects with these names a caller may use, and its role there."""
        account = None if caller.account is None else self._known(caller.account)
        found = [(name, _caller(account, name, caller.token).role if account else "admin") for name in names]
        return [ProjectAccess(name=name, role=role) for name, role in found if role is not None]

    def change_own_password(self, name: str, *, old: str, new: str, address: str) -> None:
        """Replace a password by somebody who knows it.

        Raises SignInNeeded if the old one is wrong, TooManyAttempts after many wrong ones, and InputError if the new
        one is not allowed.
        """
        self._proved(name, old, address)
        self.change(name, password=new)

    def add_recovery(self, name: str) -> tuple[RecoveryLink, str]:
        """Return a link by which an account gets a new password once, and its secret, which is not stored.

        The present password stays valid until then; an earlier link does not. Raises NotFoundError if the account does
        not exist.
        """
        now, secret = self.clock.now(), secrets.token_urlsafe(32)
        account = self.store.find_account(name).name
        link = RecoveryLink(digest=digest_of_secret(secret), account=account, expires_at=now + RECOVERY)
        self.store.add_recovery(link, now=now)
        return link, secret

    def recover(self, secret: str, password: str, *, address: str) -> Account:
        """Set a password by the secret of a link, which signs the account out everywhere.

        Raises SignInNeeded if the link is not valid, and InputError if the password is not allowed. A refused password
        leaves the link valid. Attempts need no limit: the secret has 256 bits.
        """
        digest = digest_of_secret(secret)
        link = self.store.find_recovery(digest)
        if link is None or link.expires_at <= self.clock.now():
            raise SignInNeeded(sentence("account.no-recovery"))
        check_password(password, link.account)
        if not self.store.use_recovery(digest):
            raise SignInNeeded(sentence("account.no-recovery"))
        changed = self.change(link.account, password=password)
        self.attempts.succeeded(link.account, address)
        return changed

    def delete(self, name: str, *, keep_an_admin: bool = True) -> None:
        """Delete an account with its sessions and tokens.

        Raises NotFoundError if it does not exist, and ConflictError for the last administrator.
        """
        self.store.delete_account(name, keep_an_admin=keep_an_admin)

    def sign_in(self, name: str, password: str, *, address: str) -> tuple[Account, str]:
        """Return the account and the secret for the browser's cookie.

        Raises SignInNeeded if name or password are wrong, and TooManyAttempts after many wrong ones.
        """
        account = self._proved(name, password, address)
        return account, self.open_session(account)

    def open_session(self, account: Account) -> str:
        """Sign in somebody who has proved to be an account; return the secret for the browser's cookie.

        SignInNeeded if the account is gone or its password was changed since it was read.
        """
        now, secret = self.clock.now(), secrets.token_urlsafe(32)
        session = Session(digest=digest_of_secret(secret), account=account.name, expires_at=now + SESSION)
        if not self.store.add_session(session, password=account.password, now=now):
            raise SignInNeeded(sentence("account.session-over"))
        return secret

    def sign_out(self, secret: str) -> None:
        """End the session of a cookie."""
        self.store.delete_session(digest_of_secret(secret))

    def caller_of_session(self, secret: str, project: str = DEFAULT_PROJECT) -> Caller:
        """Return who is signed in with this cookie and asks for a project. Raises SignInNeeded if nobody is."""
        return _caller(self._known(self.session_of(secret).account), project)

    def session_of(self, secret: str) -> Session:
        """Return the session of a cookie. Raises SignInNeeded if it is not valid any more."""
        return self._session(digest_of_secret(secret))

    def account_of_session(self, digest: str) -> Account:
        """Return who is still signed in by the session with this digest. Raises SignInNeeded if nobody is."""
        return self._known(self._session(digest).account)

    def caller_of_token(self, secret: str, project: str = DEFAULT_PROJECT) -> Caller:
        """Return the caller of a program with this token; raise SignInNeeded if the token is unknown or expired."""
        now, token = self.clock.now(), self.store.find_token(digest_of_secret(secret))
        if token is None or (token.expires_at is not None and token.expires_at <= now):
            raise SignInNeeded(sentence("account.no-such-token"))
        if token.last_used_at is None or now - token.last_used_at >= USE_NOTED_EVERY:
            self.store.note_use(token, now)
        return _caller(self._known(token.account), project, token)

    def has(self, name: str) -> bool:
        """Return whether there is an account of this name."""
        try:
            self.store.find_account(name)
        except NotFoundError:
            return False
        return True

    def has_password(self, caller: Caller) -> bool:
        """Return whether a caller's account has a password; True without accounts."""
        return caller.account is None or self._known(caller.account).password != ""

    def tokens(self, account: str) -> Sequence[Token]:
        """Return the tokens of an account, the newest first."""
        return self.store.list_tokens(account)

    def add_token(
        self,
        caller: Caller,
        *,
        name: str,
        scope: Role,
        project: str | None = None,
        expires_at: datetime | None = None,
    ) -> tuple[Token, str]:
        """Return a new token, for all projects of its account or for one, and its secret, which is not stored.

        RoleTooLow beyond the caller's role or project; NotFoundError for a project of others.
        """
        if caller.account is None or caller.role is None:
            raise NotFoundError(sentence("account.none-here"))
        if not allows(caller.role, scope):
            raise RoleTooLow(sentence("account.scope-too-high", scope=role_word(scope), role=role_word(caller.role)))
        if caller.token is not None and caller.token.project not in (None, project):
            raise RoleTooLow(sentence("account.token-limited", project=caller.token.project or ""))
        if project is not None and self._known(caller.account).role_in(project) is None:
            raise NotFoundError(sentence("project.unknown", name=project))
        secret, now = TOKEN_PREFIX + secrets.token_urlsafe(32), self.clock.now()
        token = Token(
            id=secrets.token_hex(8),
            account=caller.account,
            name=name,
            scope=scope,
            project=project,
            digest=digest_of_secret(secret),
            created_at=now,
            expires_at=caller.until(expires_at),
        )
        self.store.add_token(token)
        return token, secret

    def delete_token(self, caller: Caller, token_id: str) -> None:
        """Delete a token of the caller. Raises NotFoundError if the caller has no such token."""
        self.store.delete_token(token_id, account=caller.account or "")

    def _proved(self, name: str, password: str, address: str) -> Account:
        self.attempts.check(name, address)
        try:
            account: Account | None = self.store.find_account(name)
        except NotFoundError:
            account = None
        # An unknown name takes as long as a wrong password: the time must not tell which names there are. Whoever signs
        # in at a provider alone has no password, and it is no one's.
        is_right = self.hasher.is_right(password, (account and account.password) or self._unusable_password)
        if account is None or not is_right:
            self.attempts.failed(name, address)
            raise SignInNeeded(sentence("account.wrong"))
        self.attempts.succeeded(name, address)
        return account

    def _session(self, digest: str) -> Session:
        session = self.store.find_session(digest)
        if session is None or session.ended_by is not None or session.expires_at <= self.clock.now():
            raise SignInNeeded(sentence("account.session-over"))
        return session

    def _known(self, name: str) -> Account:
        try:
            return self.store.find_account(name)
        except NotFoundError as exc:
            raise SignInNeeded(sentence("account.session-over")) from exc

    @cached_property
    def _unusable_password(self) -> str:
        return self.hasher.hash(secrets.token_urlsafe(16))


def _caller(account: Account, project: str, token: Token | None = None) -> Caller:
    """Return what an account may do in a project, at most what its token allows."""
    role = account.role_in(project)
    if role is not None and token is not None:
        role = lesser(role, token.scope) if token.project in (None, project) else None
    of_all = account.is_administrator and (token is None or token.project is None)
    return Caller(
        account=account.name,
        role=role,
        is_administrator=of_all and (token is None or token.scope == "admin"),
        may_monitor=of_all,
        token=token,
    )


def recovery_path(secret: str) -> str:
    """Return the path of a recovery link: browsers send nothing after `#`, so no log of a server contains it."""
    return f"/#recover={secret}"


def digest_of_secret(secret: str) -> str:
    """Return the stored form of a random secret; it has 256 bits, so that a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()
