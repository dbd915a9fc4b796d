"""Accounts, their sessions and tokens, and the hashing of passwords."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from passer.domain.account import Account, RecoveryLink, Session, Token


class AccountStore(Protocol):
    """Accounts with their sessions and tokens."""

    def has_accounts(self) -> bool:
        """Whether there is one."""
        ...

    def list_accounts(self) -> list[Account]:
        """Return all accounts, by name."""
        ...

    def find_account(self, name: str) -> Account:
        """Return an account; raise NotFoundError if there is none of this name."""
        ...

    def add_account(self, account: Account) -> None:
        """Add it; ConflictError if there is one of that name."""
        ...

    def save_account(self, account: Account, *, end_sessions: bool = False) -> None:
        """Replace the one of that name, and sign it out everywhere where wanted, which also voids its recovery link.

        NotFoundError.
        """
        ...

    def delete_account(self, name: str) -> None:
        """Delete it with its sessions, recovery link and tokens; NotFoundError."""
        ...

    def add_session(self, session: Session, *, now: datetime) -> None:
        """Add it, and forget those that have expired before now."""
        ...

    def find_session(self, digest: str) -> Session | None:
        """Return a session, expired or not; None for an unknown digest."""
        ...

    def delete_session(self, digest: str) -> None:
        """Forget it, if it is there."""
        ...

    def add_recovery(self, link: RecoveryLink, *, now: datetime) -> None:
        """Add it in place of an earlier one of its account, and forget those that have expired before now."""
        ...

    def find_recovery(self, digest: str) -> RecoveryLink | None:
        """Return a link, expired or not; None for an unknown digest."""
        ...

    def use_recovery(self, digest: str) -> bool:
        """Delete a link; return True to the one caller that deleted it, False to every other."""
        ...

    def list_tokens(self, account: str) -> list[Token]:
        """Return the tokens of an account, the newest first."""
        ...

    def add_token(self, token: Token) -> None:
        """Add it."""
        ...

    def find_token(self, digest: str) -> Token | None:
        """Return a token, expired or not; None for an unknown digest."""
        ...

    def note_use(self, token: Token, at: datetime) -> None:
        """Record that it was used."""
        ...

    def delete_token(self, token_id: str, *, account: str) -> None:
        """Delete one of an account; NotFoundError."""
        ...


class PasswordHasher(Protocol):
    """A slow hash with a salt of its own for each password."""

    def hash(self, password: str) -> str:
        """Return what may be stored."""
        ...

    def is_right(self, password: str, hashed: str) -> bool:
        """Whether a password is the one that was hashed."""
        ...
