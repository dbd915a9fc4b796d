"""Signing in with a wallet: it signs a challenge of this server, and its key is that of an account."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from passer.domain.base import Frozen
from passer.domain.ledger.chain import IdentityProof
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError, SignInNeeded
from passer.ports import WalletLedger
from passer.services.accounts.identities import Identities, ProvedAccount
from passer.services.accounts.tickets import Tickets

PURPOSE = "wallet"
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
        return found, self.tickets.issue(PURPOSE, values)

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
            ticket_id, kept = self.tickets.read(PURPOSE, ticket)
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
