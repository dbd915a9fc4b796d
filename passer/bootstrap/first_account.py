"""The first account of a server that other machines reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.bootstrap import Services

ADMIN = "admin"


def first_account(services: Services) -> None:
    """Add the account `admin` from a file with its password, where there is no account; ConfigError without either."""
    settings = services.settings
    if services.accounts.store.has_accounts():
        return
    if settings.admin_password_file is not None:
        try:
            password = settings.admin_password_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as exc:
            named = {"path": str(settings.admin_password_file), "reason": str(exc)}
            raise ConfigError(sentence("account.no-password-file", **named), field="admin_password_file") from exc
        services.accounts.add(ADMIN, role="admin", password=password)
    elif not settings.is_alone:
        raise ConfigError(sentence("account.first-needed"))
