"""Identities: sign-in at an identity provider or with a wallet, and the roles that a provider gives."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from itertools import count
from typing import Any, Literal

from pydantic import computed_field

from passer.domain.accounts.account import ROLES, Role
from passer.domain.accounts.project import DEFAULT_PROJECT, PROJECT_NAME
from passer.domain.base import Frozen

Newcomers = Literal["refuse", "viewer"]
"""Role of a person who signs in through the identity provider and has no account yet; `refuse` gives none."""
LONGEST_SUBJECT = 255
"""Longest subject of OpenID Connect, in ASCII characters."""
_MOST_VALUES, _LONGEST_NAME = 1000, 50
_RULE = re.compile(
    rf"(?P<value>[^,]*[^,=\s])\s*=\s*(?:(?P<project>{PROJECT_NAME.strip('^$')}):)?(?P<role>{'|'.join(ROLES)})"
)
_PATH = re.compile(r"/(?![/\\])[^\x00-\x20\x7f\\]{0,1999}")


class Identity(Frozen):
    """Link of an account to a person at an issuer, never made by a name or an e-mail address."""

    account: str
    """Name of the account."""
    issuer: str
    """Address of the identity provider, or `wallet`."""
    subject: str
    """Identifier of this person at the issuer, or the public key; unique within the issuer."""
    added_at: datetime
    """Time at which it was connected (UTC)."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def id(self) -> str:
        """Unique, and no secret."""
        return hashlib.sha256(f"{self.issuer} {self.subject}".encode()).hexdigest()[:16]


class RoleRule(Frozen):
    """A value of a claim, and the role that it gives."""

    value: str
    """Value of the claim as the provider writes it."""
    project: str
    """Project or installation of the role."""
    role: Role
    """The role."""

    @classmethod
    def read(cls, text: str) -> RoleRule:
        """Read `VALUE=ROLE` or `VALUE=PROJECT:ROLE`; ValueError for anything else."""
        found = _RULE.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"“{text}” is not VALUE=ROLE or VALUE=PROJECT:ROLE with one of {', '.join(ROLES)}")
        return cls(
            value=found["value"].strip(), project=found["project"] or DEFAULT_PROJECT, role=found["role"]
        )  # fmt: skip


def roles_of(claims: Mapping[str, Any], claim: str, rules: Iterable[RoleRule]) -> dict[str, Role]:
    """Return the roles by project that the values of a claim give; of several in a project, the highest."""
    values, found = set(_values(claims, claim)), dict[str, Role]()
    for rule in rules:
        if rule.value in values:
            found[rule.project] = max(rule.role, found.get(rule.project, "viewer"), key=ROLES.index)
    return found


def free_name(claims: Mapping[str, Any], is_taken: Callable[[str], bool]) -> str:
    """Return a name for a new account that is like the person's and no other account's."""
    email = claims.get("email")
    wanted = claims.get("preferred_username") or (isinstance(email, str) and email.partition("@")[0]) or "person"
    plain = unicodedata.normalize("NFKD", str(wanted).lower()).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9._-]+", "-", plain).strip("-._")[:_LONGEST_NAME] or "person"
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(each for each in names if not is_taken(each))


def is_own_path(path: str) -> bool:
    """Return whether an address leads to a page of this server only: browsers read `//x` and `/\\x` as a host."""
    return _PATH.fullmatch(path) is not None


def _values(claims: Mapping[str, Any], claim: str) -> list[str]:
    """Return the texts of a claim; without one of that name, dots lead into others, as in `realm_access.roles`."""
    found: Any = claims.get(claim)
    if found is None:
        found = claims
        for part in claim.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
    listed = found if isinstance(found, list) else [found]
    return [each for each in listed[:_MOST_VALUES] if isinstance(each, str)]
