"""Accounts of people who sign in by an identity provider or by the key of a wallet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from passer.domain.accounts.account import Account, Role
from passer.domain.accounts.identity import Identity, Newcomers, RoleRule, free_name, roles_of
from passer.domain.accounts.project import DEFAULT_PROJECT
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, NotFoundError, SignInNeeded
from passer.services.accounts.accounts import Accounts


@dataclass(frozen=True)
class ProvedAccount:
    """Account whose identity was proved."""

    account: Account
    secret: str | None
    """Secret for the browser's cookie; None where the account was signed in and joined an identity."""


@dataclass(frozen=True)
class Identities:
    """Links identities to accounts by issuer and subject only: an equal e-mail address proves nothing."""

    accounts: Accounts
    newcomers: Newcomers = "refuse"
    role_claim: str = "groups"
    rules: Sequence[RoleRule] = ()
    """Empty: roles are given here; else the provider's claims decide them whenever somebody signs in."""

    def of_account(self, account: str) -> list[Identity]:
        """Return the identities of an account, the oldest first."""
        return self.accounts.store.list_identities(account)

    def join(self, account: str, *, issuer: str, subject: str) -> Identity:
        """Join an identity to an account.

        Raises NotFoundError if the account does not exist, and ConflictError if another account has the identity.
        """
        store = self.accounts.store
        held = store.find_identity(issuer, subject)
        if held is not None and held.account == account:
            return held
        name = store.find_account(account).name
        identity = Identity(account=name, issuer=issuer, subject=subject, added_at=self.accounts.clock.now())
        store.add_identity(identity)
        return identity

    def remove(self, account: str, identity_id: str) -> Identity:
        """Remove an identity from its account; sessions stay valid.

        Raises NotFoundError if the account has no such identity.
        """
        found = next((each for each in self.of_account(account) if each.id == identity_id), None)
        if found is None:
            raise NotFoundError(sentence("identity.unknown", id=identity_id[:16]))
        self.accounts.store.delete_identity(found)
        return found

    def account_of(self, issuer: str, subject: str) -> Account | None:
        """Return the account of an identity; None for an unknown one."""
        held = self.accounts.store.find_identity(issuer, subject)
        return None if held is None else self.accounts.store.find_account(held.account)

    def sign_in_claims(self, issuer: str, claims: Mapping[str, Any]) -> Account:
        """Return the account of a person for whom a provider vouches, with the roles that it has now.

        Raises SignInNeeded if the person may not sign in, and ConflictError if the roles would leave PaSSER without an
        administrator.
        """
        account = self.account_of(issuer, claims["sub"])
        roles = roles_of(claims, self.role_claim, self.rules)
        if not roles and self.newcomers == "viewer":
            roles = {DEFAULT_PROJECT: "viewer"}
        if account is None:
            return self._added(issuer, claims, roles)
        if self.rules:
            account = self._with_roles(account, roles)
            if not roles:
                raise SignInNeeded(sentence("identity.no-role"))
        return account

    def _added(self, issuer: str, claims: Mapping[str, Any], roles: Mapping[str, Role]) -> Account:
        # Otherwise the first user of a provider would become the only account of a server without an administrator.
        if not self.accounts.store.has_accounts():
            raise SignInNeeded(sentence("account.first-needed"))
        if not roles:
            raise SignInNeeded(sentence("identity.not-known"))
        account = Account(
            name=free_name(claims, self.accounts.has),
            role=roles.get(DEFAULT_PROJECT),
            projects={project: role for project, role in roles.items() if project != DEFAULT_PROJECT},
            password="",
            created_at=self.accounts.clock.now(),
        )
        self.accounts.store.add_account(account)
        try:
            self.join(account.name, issuer=issuer, subject=claims["sub"])
        except ConflictError:
            # Another request of the same person was quicker.
            self.accounts.store.delete_account(account.name)
            joined = self.account_of(issuer, claims["sub"])
            if joined is None:
                raise
            return joined
        return account

    def _with_roles(self, account: Account, roles: Mapping[str, Role]) -> Account:
        """Save roles that are others than before, which signs the account out everywhere."""
        others = {project: role for project, role in roles.items() if project != DEFAULT_PROJECT}
        changed = account.model_copy(update={"role": roles.get(DEFAULT_PROJECT), "projects": others})
        if changed != account:
            gone = dict.fromkeys((DEFAULT_PROJECT, *account.projects))
            self.accounts.store.set_roles(account.name, {**gone, **roles}, keep_an_admin=True)
        return changed
