"""Builds the ways to sign in other than passwords: the identity provider of the settings, and wallets; and the first
account of a server that other machines reach."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import SecretStr

from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.adapters.oidc import OidcProvider
    from passer.bootstrap import Services
    from passer.bootstrap.adapters import Adapters
    from passer.services.accounts.accounts import Accounts
    from passer.services.accounts.identities import Identities
    from passer.services.accounts.passwordless import ProviderSignIn, Tickets, WalletSignIn
    from passer.settings import Settings

ADMIN = "admin"


@dataclass(frozen=True)
class SigningIn:
    """Identities, and the ways to prove one."""

    adapters: Adapters
    accounts: Accounts

    @cached_property
    def identities(self) -> Identities:
        """Build the identities: accounts of people at a provider and of keys of wallets."""
        from passer.services.accounts.identities import Identities

        values = self.adapters.settings
        return Identities(
            self.accounts, newcomers=values.oidc_newcomers, role_claim=values.oidc_role_claim, rules=values.oidc_roles
        )

    @cached_property
    def provider(self) -> ProviderSignIn:
        """Signing in at the identity provider."""
        from passer.services.accounts.passwordless import ProviderSignIn

        values = self.adapters.settings
        label = values.oidc_label or urlsplit(values.oidc_issuer or "").hostname or ""
        return ProviderSignIn(provider_of(values), label=label, identities=self.identities, tickets=self.tickets)

    @cached_property
    def wallet(self) -> WalletSignIn:
        """Signing in with the key of a wallet."""
        from passer.services.accounts.passwordless import WalletSignIn

        return WalletSignIn(
            self.adapters.ledgers.wallets,
            relay=self.adapters.settings.wallet_relay,
            identities=self.identities,
            tickets=self.tickets,
        )

    @cached_property
    def tickets(self) -> Tickets:
        """Build the tickets that a browser brings back, sealed by a secret that ends with this process."""
        from passer.adapters.vault import FernetVault
        from passer.services.accounts.passwordless import Tickets

        secret = secrets.token_urlsafe(48)
        return Tickets(FernetVault(lambda: secret), self.adapters.clock)


def provider_of(settings: Settings) -> OidcProvider | None:
    """Return the identity provider of the settings; None without one, ConfigError where something is missing."""
    if settings.oidc_issuer is None:
        return None
    if not settings.oidc_client_id:
        raise ConfigError(sentence("identity.no-client"), field="oidc_client_id")
    from passer.adapters.oidc import OidcProvider

    return OidcProvider(
        settings.oidc_issuer,
        client_id=settings.oidc_client_id,
        client_secret=lambda: _secret_of(settings),
        scopes=settings.oidc_scopes,
    )


def _secret_of(settings: Settings) -> SecretStr | None:
    file = settings.oidc_client_secret_file
    if settings.oidc_client_secret is not None or file is None:
        return settings.oidc_client_secret
    return SecretStr(_secret_in(file, "identity.no-secret-file", field="oidc_client_secret_file"))


def first_account(services: Services) -> None:
    """Add the account `admin` from a file with its password, where there is no account; ConfigError without either."""
    settings = services.settings
    if services.accounts.store.has_accounts():
        return
    if settings.admin_password_file is not None:
        password = _secret_in(settings.admin_password_file, "account.no-password-file", field="admin_password_file")
        services.accounts.add(ADMIN, role="admin", password=password)
    elif not settings.is_alone:
        raise ConfigError(sentence("account.first-needed"))


def _secret_in(file: Path, refusal: str, *, field: str) -> str:
    """Return the text of a file that a setting names; ConfigError with the sentence `refusal`."""
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as exc:
        raise ConfigError(sentence(refusal, path=str(file), reason=str(exc)), field=field) from exc
