"""Signing in at an identity provider: the browser goes there with a state, and comes back with it and a code."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

from passer.domain.accounts.identity import is_own_path
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError, SignInNeeded
from passer.ports import IdentityProvider
from passer.services.accounts.identities import Identities, ProvedAccount
from passer.services.accounts.tickets import Tickets

PURPOSE = "provider"


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
        return url, self.tickets.issue(PURPOSE, values)

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
            ticket_id, kept = self.tickets.read(PURPOSE, ticket)
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
