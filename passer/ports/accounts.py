"""Stores of accounts, of the activity log and of a project's settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from passer.domain.accounts.account import Account, RecoveryLink, Role, Session, Token
from passer.domain.accounts.activity import Act, LoggedAct
from passer.domain.accounts.identity import Identity


class AccountStore(Protocol):
    """Accounts with their sessions and tokens."""

    def has_accounts(self) -> bool:
        """Return whether an account exists."""

    def list_accounts(self) -> list[Account]:
        """Return all accounts, by name."""

    def find_account(self, name: str) -> Account:
        """Return an account; raise NotFoundError if there is none of this name."""

    def add_account(self, account: Account) -> None:
        """Add it; ConflictError if there is one of that name."""

    def set_password(self, name: str, hashed: str) -> None:
        """Replace the hash alone, and sign the account out everywhere, which also voids its recovery link.

        NotFoundError.
        """

    def set_roles(self, name: str, roles: Mapping[str, Role | None], *, keep_an_admin: bool = False) -> None:
        """Set the roles in these projects alone, or take them away where they are None, and sign out likewise.

        NotFoundError; with `keep_an_admin`, ConflictError for the last administrator of the project `default`, however
        many ask at once.
        """

    def delete_account(self, name: str, *, keep_an_admin: bool = False) -> None:
        """Delete it with its sessions, recovery link, identities and tokens; NotFoundError, ConflictError likewise."""

    def add_session(self, session: Session, *, password: str, now: datetime) -> bool:
        """Add it, note the sign-in now, and forget those that have expired before now.

        False, and nothing is added, if the account is gone or has another password hash than `password`: it was changed
        while somebody signed in with the earlier one.
        """

    def find_session(self, digest: str) -> Session | None:
        """Return a session, expired or not; None for an unknown digest."""

    def delete_session(self, digest: str) -> None:
        """Forget it, if it is there."""

    def add_recovery(self, link: RecoveryLink, *, now: datetime) -> None:
        """Add it in place of an earlier one of its account, and forget those that have expired before now."""

    def find_recovery(self, digest: str) -> RecoveryLink | None:
        """Return a link, expired or not; None for an unknown digest."""

    def use_recovery(self, digest: str) -> bool:
        """Delete a link; return True to the one caller that deleted it, False to every other."""

    def list_identities(self, account: str) -> list[Identity]:
        """Return the identities of an account, the oldest first."""

    def find_identity(self, issuer: str, subject: str) -> Identity | None:
        """Return whose it is; None for an unknown one."""

    def add_identity(self, identity: Identity) -> None:
        """Add it; ConflictError where it is of an account already."""

    def delete_identity(self, identity: Identity) -> None:
        """Delete it, if it is there."""

    def list_tokens(self, account: str) -> list[Token]:
        """Return the tokens of an account, the newest first."""

    def add_token(self, token: Token) -> None:
        """Add it."""

    def find_token(self, digest: str) -> Token | None:
        """Return a token, expired or not; None for an unknown digest."""

    def note_use(self, token: Token, at: datetime) -> None:
        """Record that it was used."""

    def delete_token(self, token_id: str, *, account: str) -> None:
        """Delete one of an account; NotFoundError."""


class PasswordHasher(Protocol):
    """A slow hash with a random salt for each password."""

    def hash(self, password: str) -> str:
        """Return what may be stored."""

    def is_right(self, password: str, hashed: str) -> bool:
        """Return whether a password is the one that was hashed."""


class IdentityProvider(Protocol):
    """A provider of OpenID Connect that vouches for people, by authorization code with PKCE."""

    @property
    def issuer(self) -> str:
        """Return the address of the provider, which is a part of every identity."""

    def authorization(self) -> str:
        """Return the address of its page, without any request; UnavailableError where the provider does not answer."""

    def address(self, *, return_to: str, state: str, nonce: str, verifier: str) -> str:
        """Return where a browser goes to sign in; UnavailableError where the provider does not answer."""

    def claims(self, code: str, *, return_to: str, nonce: str, verifier: str) -> Mapping[str, Any]:
        """Return what the provider says of a person; SignInNeeded for a code or token that is not right."""


class ActivityStore(Protocol):
    """Rows of the activity log; they are only ever added."""

    def append(self, act: Act, at: datetime) -> LoggedAct:
        """Add a row after the last one, in one transaction."""

    def newest(
        self, *, account: str | None = None, operation: str | None = None, before: int | None = None, limit: int = 100
    ) -> Sequence[LoggedAct]:
        """Return rows, the newest first: of an account, of an operation, with a lower number than `before`."""

    def oldest(self, *, after: int = 0, limit: int = 1000) -> Sequence[LoggedAct]:
        """Return rows, the oldest first, with a higher number than `after`."""


class SettingStore(Protocol):
    """Values of a project, by the name of the setting."""

    def values(self) -> dict[str, str]:
        """Return all values of the project."""

    def set(self, name: str, value: str) -> None:
        """Store a value, in place of the one of that name."""

    def unset(self, name: str) -> bool:
        """Delete a value; False if there is none."""
