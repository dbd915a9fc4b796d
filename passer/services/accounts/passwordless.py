"""Signing in at an identity provider or with a wallet: two requests, which a sealed ticket joins."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from passer.domain.accounts.identity import is_own_path
from passer.domain.base import Frozen
from passer.domain.ledger.chain import IdentityProof
from passer.domain.lru_cache import LruCache
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, InputError, NotFoundError, SignInNeeded
from passer.ports import Clock, IdentityProvider, Vault, WalletLedger
from passer.services.accounts.identities import Identities, ProvedAccount

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


PROVIDER = "provider"


@dataclass(frozen=True)
class ProviderSignIn:
    """Sends browsers to the provider, and verifies those that return."""

    provider: IdentityProvider | None
    """None where the settings name none."""
    label: str
    """Name of the provider on the page."""
    identities: Identities
    tickets: Tickets

    def begin(self, *, return_to: str, next_page: str, session: str | None, address: str) -> tuple[str, str]:
        """Return where the browser goes, and the ticket for its cookie.

        `session` is the secret of the session whose account is to join the identity; None to sign in. Raises
        NotFoundError without a provider, InputError for a page of another site, and TooManyAttempts after many attempts
        from one address.
        """
        provider = self._known()
        self.identities.accounts.attempts.check(None, address)
        if not is_own_path(next_page):
            raise InputError(sentence("identity.other-site"), field="next")
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        url = provider.address(return_to=return_to, state=state, nonce=nonce, verifier=verifier)
        values = {
            "state": state,
            "nonce": nonce,
            "verifier": verifier,
            "return_to": return_to,
            "next": next_page,
            "session": session and self.identities.accounts.session_of(session).digest,
        }
        return url, self.tickets.issue(PROVIDER, values)

    def finish(self, *, ticket: str, state: str, code: str, address: str) -> tuple[ProvedAccount, str]:
        """Return who came back with a code, and the page to open.

        Raises SignInNeeded if the browser has to begin again or nobody is known by this identity, ConflictError if
        another account has it, TooManyAttempts after many failures, and UnavailableError if the provider does not
        answer.

        The ticket in the cookie shows that the same browser began, so nobody can sign another browser in.
        """
        provider, attempts = self._known(), self.identities.accounts.attempts
        attempts.check(None, address)
        try:
            ticket_id, kept = self.tickets.read(PROVIDER, ticket)
            if not hmac.compare_digest(kept["state"].encode(), state.encode()):
                raise SignInNeeded(sentence("identity.begin-again"))
            # Before the code is sent: of two requests with the same one, the provider sees one.
            self.tickets.use(ticket_id)
            claims = provider.claims(code, return_to=kept["return_to"], nonce=kept["nonce"], verifier=kept["verifier"])
            if kept["session"] is not None:
                account = self.identities.accounts.account_of_session(kept["session"])
                self.identities.join(account.name, issuer=provider.issuer, subject=claims["sub"])
                return ProvedAccount(account, None), kept["next"]
            account = self.identities.sign_in_claims(provider.issuer, claims)
        except SignInNeeded:
            attempts.failed(None, address)
            raise
        return ProvedAccount(account, self.identities.accounts.open_session(account)), kept["next"]

    def _known(self) -> IdentityProvider:
        if self.provider is None:
            raise NotFoundError(sentence("identity.no-provider"))
        return self.provider


WALLET = "wallet"
ISSUER = "wallet"
_LETTERS = "abcdefghijklmnopqrstuvwxyz12345"
_LENGTH = 12


class WalletChallenge(Frozen):
    """Challenge that a wallet signs, and the chain of its key."""

    challenge: str
    """Twelve letters, drawn at random (59 bits): the scope of the identity request."""
    chain_id: str
    """Id of the chain of the wallet's keys."""
    urls: tuple[str, ...]
    """Addresses of its nodes; none is asked."""
    relay: str | None
    """Address of a relay for wallets; None for the wallet's own."""


@dataclass(frozen=True)
class WalletSignIn:
    """Issues challenges, and recovers the keys that signed them.

    The key is the identity, not the account on the chain: it is recovered from the signature, so no node has to be
    trusted or asked. If a key is removed from an account on the chain, it must be removed here, too.
    """

    wallet: WalletLedger | None
    """None where the settings name no chain."""
    relay: str | None
    """Address of a relay for wallets."""
    identities: Identities
    tickets: Tickets

    def begin(self, *, session: str | None, address: str) -> tuple[WalletChallenge, str]:
        """Return a challenge, and the ticket for the browser's cookie.

        `session` is the secret of the session whose account is to take the key; None to sign in. Raises NotFoundError
        without a chain, LedgerUnavailable if it does not answer, and TooManyAttempts after many attempts from one
        address.
        """
        accounts = self.identities.accounts
        accounts.attempts.check(None, address)
        contract = self._known().contract()
        values = {
            "challenge": "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)),
            "chain_id": contract.chain_id,
            "session": session and accounts.session_of(session).digest,
        }
        found = WalletChallenge(
            challenge=values["challenge"], chain_id=contract.chain_id, urls=contract.urls, relay=self.relay
        )
        return found, self.tickets.issue(WALLET, values)

    def finish(self, proof: IdentityProof, *, ticket: str, address: str) -> ProvedAccount:
        """Return whose key signed the challenge.

        Raises SignInNeeded if the browser has to begin again or no account has the key, ConflictError if another
        account has it, and TooManyAttempts after many failures. When the proof expires is not looked at: it is of a
        challenge that is valid once and for ten minutes, in the browser that has its ticket, and clocks of phones go
        wrong.
        """
        wallet, accounts = self._known(), self.identities.accounts
        accounts.attempts.check(None, address)
        try:
            ticket_id, kept = self.tickets.read(WALLET, ticket)
            self.tickets.use(ticket_id)
            key = _proved(wallet, proof, challenge=kept["challenge"], chain_id=kept["chain_id"])
            if kept["session"] is not None:
                account = accounts.account_of_session(kept["session"])
                self.identities.join(account.name, issuer=ISSUER, subject=key)
                return ProvedAccount(account, None)
            known = self.identities.account_of(ISSUER, key)
            if known is None:
                raise SignInNeeded(sentence("identity.unknown-key", key=key))
        except SignInNeeded:
            accounts.attempts.failed(None, address)
            raise
        return ProvedAccount(known, accounts.open_session(known))

    def _known(self) -> WalletLedger:
        if self.wallet is None:
            raise NotFoundError(sentence("identity.no-wallet"))
        return self.wallet


def _proved(wallet: WalletLedger, proof: IdentityProof, *, challenge: str, chain_id: str) -> str:
    try:
        return wallet.proving_key(proof, challenge=challenge, chain_id=chain_id)
    except InputError as exc:
        raise SignInNeeded(sentence("identity.bad-proof", reason=exc.message)) from exc
