"""Tickets: sealed values that a browser returns in a sign-in of several requests, once and within minutes."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from passer.domain.lru_cache import LruCache
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, SignInNeeded
from passer.ports import Clock, Vault

LIFETIME = timedelta(minutes=10)
MOST_USED = 100_000


@dataclass(frozen=True)
class Tickets:
    """Seals values for a browser to bring back.

    Sealed and not stored, so that nobody can fill a table by beginning to sign in. The secret is of this process:
    a restart voids all tickets, also those that were used and would be forgotten.
    """

    vault: Vault
    """Vault with a secret of this process alone."""
    clock: Clock
    _used: LruCache[str, object] = field(
        default_factory=lambda: LruCache(MOST_USED, max_age_s=LIFETIME.total_seconds()), repr=False
    )

    def issue(self, purpose: str, values: Mapping[str, Any]) -> str:
        """Return a ticket with these values, which JSON must be able to hold."""
        until = (self.clock.now() + LIFETIME).timestamp()
        sealed = {"id": secrets.token_hex(16), "for": purpose, "until": until, "values": values}
        return self.vault.seal(json.dumps(sealed))

    def read(self, purpose: str, ticket: str) -> tuple[str, Mapping[str, Any]]:
        """Return id and values of a ticket that is valid and was not used. Raises SignInNeeded for any other."""
        try:
            found = json.loads(self.vault.open(ticket))
        except (ConfigError, ValueError) as exc:
            raise SignInNeeded(sentence("identity.begin-again")) from exc
        is_over = found["until"] <= self.clock.now().timestamp()
        if is_over or found["for"] != purpose or self._used.get(found["id"]):
            raise SignInNeeded(sentence("identity.begin-again"))
        return found["id"], found["values"]

    def use(self, ticket_id: str) -> None:
        """Spend a ticket; SignInNeeded to every caller but the first."""
        mine = object()
        if self._used.get_or_compute(ticket_id, lambda: mine) is not mine:
            raise SignInNeeded(sentence("identity.begin-again"))
