"""Accounts, and what proves that a request comes from one: a password, a browser's session, a program's token."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from passer.domain.account import (
    LONGEST_PASSWORD,
    SHORTEST_PASSWORD,
    Account,
    Caller,
    Role,
    Session,
    Token,
    allows,
    lesser,
)
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError, NotFoundError, RoleTooLow, SignInNeeded
from passer.ports import AccountStore, Clock, PasswordHasher
from passer.services.accounts.attempts import Attempts

SESSION = timedelta(days=7)
"""How long a browser stays signed in."""
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

    def add(self, name: str, *, role: Role, password: str) -> Account:
        """Add an account; ConflictError, InputError."""
        _check_password(password, name)
        account = Account(name=name, role=role, password=self.hasher.hash(password), created_at=self.clock.now())
        self.store.add_account(account)
        return account

    def change(
        self, name: str, *, role: Role | None = None, password: str | None = None, keep_an_admin: bool = True
    ) -> Account:
        """Change role or password, which signs the account out everywhere; NotFoundError, ConflictError, InputError."""
        account = self.store.find_account(name)
        if role is not None:
            if keep_an_admin and role != "admin":
                self._check_not_last(account)
            account = account.model_copy(update={"role": role})
        if password is not None:
            _check_password(password, name)
            account = account.model_copy(update={"password": self.hasher.hash(password)})
        self.store.save_account(account, end_sessions=True)
        return account

    def change_own_password(self, name: str, *, old: str, new: str, address: str) -> None:
        """Replace a password by somebody who knows it; SignInNeeded, TooManyAttempts, InputError."""
        self._proved(name, old, address)
        self.change(name, password=new)

    def delete(self, name: str, *, keep_an_admin: bool = True) -> None:
        """Delete an account with its sessions and tokens; NotFoundError, ConflictError for the last administrator."""
        account = self.store.find_account(name)
        if keep_an_admin:
            self._check_not_last(account)
        self.store.delete_account(name)

    def sign_in(self, name: str, password: str, *, address: str) -> tuple[Account, str]:
        """Return the account and the secret for the browser's cookie; SignInNeeded, TooManyAttempts."""
        account = self._proved(name, password, address)
        now, secret = self.clock.now(), secrets.token_urlsafe(32)
        self.store.add_session(
            Session(digest=digest_of_secret(secret), account=name, expires_at=now + SESSION), now=now
        )
        self.store.save_account(account.model_copy(update={"signed_in_at": now}))
        return account, secret

    def sign_out(self, secret: str) -> None:
        """End the session of a cookie."""
        self.store.delete_session(digest_of_secret(secret))

    def caller_of_session(self, secret: str) -> Caller:
        """Return who is signed in with this cookie; SignInNeeded."""
        session = self.store.find_session(digest_of_secret(secret))
        if session is None or session.expires_at <= self.clock.now():
            raise SignInNeeded(sentence("account.session-over"))
        account = self._known(session.account)
        return Caller(account=account.name, role=account.role)

    def caller_of_token(self, secret: str) -> Caller:
        """Return who a program with this token acts for; SignInNeeded."""
        now, token = self.clock.now(), self.store.find_token(digest_of_secret(secret))
        if token is None or (token.expires_at is not None and token.expires_at <= now):
            raise SignInNeeded(sentence("account.no-such-token"))
        if token.last_used_at is None or now - token.last_used_at >= USE_NOTED_EVERY:
            self.store.note_use(token, now)
        account = self._known(token.account)
        return Caller(account=account.name, role=lesser(account.role, token.scope))

    def tokens(self, account: str) -> Sequence[Token]:
        """Return the tokens of an account, the newest first."""
        return self.store.list_tokens(account)

    def add_token(
        self, caller: Caller, *, name: str, scope: Role, expires_at: datetime | None = None
    ) -> tuple[Token, str]:
        """Return a new token and its secret, which nobody can read again; RoleTooLow beyond the caller's role."""
        if caller.account is None:
            raise NotFoundError(sentence("account.none-here"))
        if not allows(caller.role, scope):
            raise RoleTooLow(sentence("account.scope-too-high", scope=scope, role=caller.role))
        secret, now = TOKEN_PREFIX + secrets.token_urlsafe(32), self.clock.now()
        token = Token(
            id=secrets.token_hex(8),
            account=caller.account,
            name=name,
            scope=scope,
            digest=digest_of_secret(secret),
            created_at=now,
            expires_at=expires_at,
        )
        self.store.add_token(token)
        return token, secret

    def delete_token(self, caller: Caller, token_id: str) -> None:
        """Delete a token of the caller; NotFoundError."""
        self.store.delete_token(token_id, account=caller.account or "")

    def _proved(self, name: str, password: str, address: str) -> Account:
        self.attempts.check(name, address)
        try:
            account: Account | None = self.store.find_account(name)
        except NotFoundError:
            account = None
        # An unknown name takes as long as a wrong password: the time must not tell which names there are.
        is_right = self.hasher.is_right(password, account.password if account else self._nobodys_password)
        if account is None or not is_right:
            self.attempts.failed(name, address)
            raise SignInNeeded(sentence("account.wrong"))
        self.attempts.succeeded(name, address)
        return account

    def _known(self, name: str) -> Account:
        try:
            return self.store.find_account(name)
        except NotFoundError as exc:
            raise SignInNeeded(sentence("account.session-over")) from exc

    def _check_not_last(self, account: Account) -> None:
        admins = [each.name for each in self.store.list_accounts() if each.role == "admin"]
        if admins == [account.name]:
            raise ConflictError(sentence("account.last-admin", name=account.name))

    @cached_property
    def _nobodys_password(self) -> str:
        return self.hasher.hash(secrets.token_urlsafe(16))


def digest_of_secret(secret: str) -> str:
    """Return what is stored of a random secret; it has 256 bits, so that a fast hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _check_password(password: str, name: str) -> None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        given = {"least": SHORTEST_PASSWORD, "most": LONGEST_PASSWORD}
        raise InputError(sentence("account.password-length", **given), field="password")
    if name in password.lower():
        raise InputError(sentence("account.password-name"), field="password")
