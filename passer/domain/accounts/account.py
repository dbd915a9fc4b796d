"""Accounts: people who sign in, what they may do, and the tokens of their programs."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.base import Frozen
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import InputError

Role = Literal["viewer", "researcher", "admin"]
"""Roles. viewer: reads. researcher: also starts, imports and deletes. admin: also connects servers and manages
accounts."""
ROLES: tuple[Role, ...] = ("viewer", "researcher", "admin")
"""Roles in ascending order: each may do what those before it may."""
NAME = r"^[a-z0-9][a-z0-9._-]{0,59}$"
"""Names of accounts. Small Latin letters only: two names that look alike are the same."""
SHORTEST_PASSWORD, LONGEST_PASSWORD = 12, 200


SessionEnd = Literal["role", "removed", "password"]
"""Changes of an account that end its sessions: another role, no role in a project any more, another password."""


class Account(Frozen):
    """A person who may sign in."""

    name: str = Field(pattern=NAME)
    """Unique."""
    role: Role | None = None
    """Role in the project `default`, where `admin` manages all accounts and projects; None: not a member of it."""
    projects: dict[str, Role] = Field(default_factory=dict)
    """Roles in the other projects, by project."""
    password: SkipJsonSchema[str] = Field(exclude=True, repr=False)
    """Hash of the password; never part of an answer."""
    created_at: datetime
    """UTC."""
    signed_in_at: datetime | None = None
    """Last time that somebody signed in with the password; None before."""

    def role_in(self, project: str) -> Role | None:
        """Return the role in a project; None where the account is not a member."""
        if self.is_administrator or project == DEFAULT_PROJECT:
            return self.role
        return self.projects.get(project)

    @property
    def highest_role(self) -> Role | None:
        """The role that allows most, of all projects; None where the account is a member of none."""
        return max(filter(None, (self.role, *self.projects.values())), key=ROLES.index, default=None)

    @property
    def is_administrator(self) -> bool:
        """Return whether the account manages accounts and projects, and is an administrator of each project."""
        return self.role == "admin"


class Session(Frozen):
    """A browser in which somebody is signed in."""

    digest: str
    """SHA-256, hex, of the secret in the browser's cookie."""
    account: str
    """Name of the account."""
    expires_at: datetime
    """UTC."""
    ended_by: SessionEnd | None = None
    """The change that has ended it; None while it is valid."""


class RecoveryLink(Frozen):
    """Link with which the owner of an account chooses a new password, once."""

    digest: str
    """SHA-256, hex, of the secret in the link."""
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
    """Purpose of the token."""
    scope: Role
    """The most that it may do; never more than its account."""
    project: str | None = None
    """The only project that it may use; None for all of its account."""
    digest: SkipJsonSchema[str] = Field(exclude=True, repr=False)
    """SHA-256, hex, of the secret; never part of an answer."""
    created_at: datetime
    """UTC."""
    expires_at: datetime | None = None
    """UTC; None if it does not expire."""
    last_used_at: datetime | None = None
    """UTC, to the minute; None before its first use."""


class ProjectAccess(Frozen):
    """A project that an account may use."""

    name: str
    """Unique within the installation."""
    role: Role
    """Role in the project."""


class Caller(Frozen):
    """Sender of a request."""

    account: str | None
    """Name of the account; None for the one person who uses PaSSER on this machine without accounts."""
    role: Role | None
    """Role of the request in the project that it names; None without access to it."""
    is_administrator: bool = False
    """True if the request may manage accounts and projects."""
    may_monitor: bool = False
    """True if the request may read how the installation is used: an administrator's, whatever its token may change."""
    token: Token | None = None
    """Token of a program; None for a person."""

    def until(self, wanted: datetime | None) -> datetime | None:
        """Return when a token that the caller creates expires: no later than the caller's own token."""
        own = self.token.expires_at if self.token else None
        return min((each for each in (own, wanted) if each is not None), default=None)


def is_account_name(name: str) -> bool:
    """Return whether an account may have this name."""
    return re.fullmatch(NAME, name) is not None


def role_word(role: Role) -> Sentence:
    """Return a role in the words of the pages, in the reader's language."""
    return sentence(f"role.{role}")


def allows(held: Role, wanted: Role) -> bool:
    """Return whether a role includes another one."""
    return ROLES.index(held) >= ROLES.index(wanted)


def lesser(one: Role, other: Role) -> Role:
    """Return the role that allows less."""
    return min(one, other, key=ROLES.index)


def check_password(password: str, name: str) -> None:
    """Raise InputError for a password that is too short, too long or contains the account's name."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        given = {"least": SHORTEST_PASSWORD, "most": LONGEST_PASSWORD}
        raise InputError(sentence("account.password-length", **given), field="password")
    if name in password.lower():
        raise InputError(sentence("account.password-name"), field="password")
