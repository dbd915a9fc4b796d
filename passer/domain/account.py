"""Accounts: people who sign in, what they may do, and the tokens of their programs."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from passer.domain.base import Frozen

Role = Literal["viewer", "researcher", "admin"]
"""What a person may do: look; also start, import and delete; also connect servers and manage accounts."""
ROLES: tuple[Role, ...] = ("viewer", "researcher", "admin")
"""In ascending order: each may do what those before it may."""
NAME = r"^[a-z0-9][a-z0-9._-]{0,59}$"
"""Names of accounts. Small Latin letters only: two names that look alike are the same."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 200


class Account(Frozen):
    """A person who may sign in."""

    name: str = Field(pattern=NAME)
    """Unique."""
    role: Role
    """What this person may do."""
    password: str = Field(exclude=True, repr=False)
    """Hash of the password; never part of an answer."""
    created_at: datetime
    """UTC."""
    signed_in_at: datetime | None = None
    """Last time that somebody signed in with the password; None before."""


class Session(Frozen):
    """A browser in which somebody is signed in."""

    digest: str
    """SHA-256, hex, of the secret in the browser's cookie."""
    account: str
    """Name of the account."""
    expires_at: datetime
    """UTC."""


class Token(Frozen):
    """The key of a program that acts for an account."""

    id: str
    """Unique, and no secret."""
    account: str
    """Name of the account."""
    name: str = Field(min_length=1, max_length=100)
    """What it is for."""
    scope: Role
    """The most that it may do; never more than its account."""
    digest: str = Field(exclude=True, repr=False)
    """SHA-256, hex, of the secret; never part of an answer."""
    created_at: datetime
    """UTC."""
    expires_at: datetime | None = None
    """UTC; None if it does not expire."""
    last_used_at: datetime | None = None
    """UTC, to the minute; None before its first use."""


class Caller(Frozen):
    """Who sends a request."""

    account: str | None
    """Name of the account; None for the one person who uses PaSSER on this machine without accounts."""
    role: Role
    """What the request may do."""


def allows(held: Role, wanted: Role) -> bool:
    """Whether a role includes another one."""
    return ROLES.index(held) >= ROLES.index(wanted)


def lesser(one: Role, other: Role) -> Role:
    """Return the role that allows less."""
    return min(one, other, key=ROLES.index)
