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
        """Add an account; raise ConflictError if there is one of this name."""

    def set_password(self, name: str, hashed: str) -> None:
        """Replace the hash of the password, and sign the account out everywhere, which also voids its recovery link.

        Its sessions are stored as ended, with the reason, until they expire.

        Raises NotFoundError if the account does not exist.
        """

    def set_roles(self, name: str, roles: Mapping[str, Role | None], *, keep_an_admin: bool = False) -> None:
        """Set the roles in these projects, or remove them where they are None, and sign the account out everywhere.

        Sessions end as with `set_password`. Raises NotFoundError if the account does not exist. With `keep_an_admin`,
        raises ConflictError for the last administrator of the project `default`, however many ask at once.
        """

    def delete_account(self, name: str, *, keep_an_admin: bool = False) -> None:
        """Delete an account with its sessions, recovery link, identities and tokens.

        Raises NotFoundError and ConflictError as `set_roles` does.
        """

    def add_session(self, session: Session, *, password: str, now: datetime) -> bool:
        """Add a session, note the sign-in, and delete sessions that have expired.

        False, and nothing is added, if the account was deleted or its password hash is not `password`: it was changed
        during the sign-in.
        """

    def find_session(self, digest: str) -> Session | None:
        """Return a session, expired, ended or not; None for an unknown digest."""

    def delete_session(self, digest: str) -> None:
        """Delete a session; no effect if there is none."""

    def add_recovery(self, link: RecoveryLink, *, now: datetime) -> None:
        """Add a recovery link, which replaces an earlier one of its account, and delete links that have expired."""

    def find_recovery(self, digest: str) -> RecoveryLink | None:
        """Return a link, expired or not; None for an unknown digest."""

    def use_recovery(self, digest: str) -> bool:
        """Delete a link; return True to the one caller that deleted it, False to every other."""

    def list_identities(self, account: str) -> list[Identity]:
        """Return the identities of an account, the oldest first."""

    def find_identity(self, issuer: str, subject: str) -> Identity | None:
        """Return an identity by issuer and subject; None if it is unknown."""

    def add_identity(self, identity: Identity) -> None:
        """Add an identity; ConflictError if an account has it already."""

    def delete_identity(self, identity: Identity) -> None:
        """Delete an identity; no effect if there is none."""

    def list_tokens(self, account: str) -> list[Token]:
        """Return the tokens of an account, the newest first."""

    def add_token(self, token: Token) -> None:
        """Add it."""

    def find_token(self, digest: str) -> Token | None:
        """Return a token, expired or not; None for an unknown digest."""

    def note_use(self, token: Token, at: datetime) -> None:
        """Record that a token was used."""

    def delete_token(self, token_id: str, *, account: str) -> None:
        """Delete a token of an account. Raises NotFoundError if it does not exist."""


class PasswordHasher(Protocol):
    """A slow hash with a random salt for each password."""

    def hash(self, password: str) -> str:
        """Return the hash to store."""

    def is_right(self, password: str, hashed: str) -> bool:
        """Return whether a password matches a stored hash."""


class IdentityProvider(Protocol):
    """A provider of OpenID Connect that vouches for people, by authorization code with PKCE."""

    @property
    def issuer(self) -> str:
        """Return the address of the provider, which is a part of every identity."""

    def authorization(self) -> str:
        """Return the address of its authorization page; UnavailableError if the provider does not answer."""

    def address(self, *, return_to: str, state: str, nonce: str, verifier: str) -> str:
        """Return the address at which a browser signs in; UnavailableError if the provider does not answer."""

    def claims(self, code: str, *, return_to: str, nonce: str, verifier: str) -> Mapping[str, Any]:
        """Return the provider's claims about a person; SignInNeeded for an invalid code or token."""


class ActivityStore(Protocol):
    """Rows of the activity log, which is append-only."""

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
        """Store a value under a name, replacing an earlier one."""

    def unset(self, name: str) -> bool:
        """Delete a value; False if there is none."""
