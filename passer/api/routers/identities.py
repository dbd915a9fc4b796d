"""Signing in without a password: at an identity provider, or with a wallet; and the identities of an account."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from passer.api.access import COOKIE, address_of, caller_of, set_secret, set_session
from passer.api.activity import note_subject
from passer.api.deps import Page, ServicesDep
from passer.api.routers.accounts import CallerDep
from passer.domain.accounts.identity import Identity
from passer.domain.base import Frozen
from passer.domain.ledger.chain import IdentityProof
from passer.domain.wording.sentence import sentence
from passer.errors import SignInNeeded
from passer.services.accounts.identities import ProvedAccount
from passer.services.accounts.passwordless import LIFETIME, WalletChallenge

router = APIRouter(prefix="/api/v1", tags=["accounts"])

PROVIDER_COOKIE, WALLET_COOKIE = "passer_provider", "passer_wallet"
"""Cookies with the ticket of a sign-in that has begun."""
RETURN_PAGE = "/sign-in"
"""Page to which the provider sends the browser back; it is entered there as the redirect URI."""


class Joining(Frozen):
    """Purpose of a sign-in at the provider: signing in, or connecting the identity to an account."""

    join: bool = False
    """True if the account that is signed in joins the identity, instead of signing in by it."""


class ProviderStart(Joining):
    """Page to open after signing in at the provider."""

    next: str = Field(default="/", max_length=2000)
    """Page of this server to open then."""


class ProviderAddress(Frozen):
    """Address to which the browser is sent."""

    url: str
    """Address at the provider."""


class ProviderReply(Frozen):
    """Reply of the provider, as the browser brings it back."""

    code: str = Field(max_length=4000)
    """Code of the provider's reply, as written in the address."""
    state: str = Field(max_length=200)
    """State of the provider's reply, as written in the address."""


class SignInResult(Frozen):
    """Account whose identity was proved."""

    account: str
    """Name of the account."""
    is_joined: bool
    """True if the account joined the identity; otherwise it is signed in now."""


class ProviderSignInResult(SignInResult):
    """Person who came back from the provider."""

    next: str
    """Page of this server to open."""


@router.post("/session/provider", operation_id="begin_provider_sign_in", status_code=201)
def begin_provider_sign_in(
    body: ProviderStart, request: Request, response: Response, services: ServicesDep
) -> ProviderAddress:
    """Begin to sign in at the identity provider; the browser keeps a cookie for ten minutes."""
    url, ticket = services.signing_in.provider.begin(
        return_to=str(request.base_url).rstrip("/") + RETURN_PAGE,
        next_page=body.next,
        session=_joining_session(request, body),
        address=address_of(request),
    )
    set_secret(response, request, PROVIDER_COOKIE, ticket, lifetime=LIFETIME)
    return ProviderAddress(url=url)


@router.post("/session/provider/reply", operation_id="finish_provider_sign_in", status_code=201)
def finish_provider_sign_in(
    body: ProviderReply, request: Request, response: Response, services: ServicesDep
) -> ProviderSignInResult:
    """Sign in, or join the identity, with what the provider sent back, in the browser that began."""
    found, next_page = services.signing_in.provider.finish(
        ticket=_taken_ticket(response, request, PROVIDER_COOKIE),
        state=body.state,
        code=body.code,
        address=address_of(request),
    )
    return ProviderSignInResult(**_signed_in(response, request, found), next=next_page)


@router.post("/session/wallet", operation_id="begin_wallet_sign_in", status_code=201)
def begin_wallet_sign_in(body: Joining, request: Request, response: Response, services: ServicesDep) -> WalletChallenge:
    """Begin to sign in with a wallet; the browser keeps a cookie for ten minutes."""
    challenge, ticket = services.signing_in.wallet.begin(
        session=_joining_session(request, body), address=address_of(request)
    )
    set_secret(response, request, WALLET_COOKIE, ticket, lifetime=LIFETIME)
    return challenge


@router.post("/session/wallet/proof", operation_id="finish_wallet_sign_in", status_code=201)
def finish_wallet_sign_in(
    body: IdentityProof, request: Request, response: Response, services: ServicesDep
) -> SignInResult:
    """Sign in, or join the wallet's key, with the signed challenge, in the browser that began."""
    ticket = _taken_ticket(response, request, WALLET_COOKIE)
    found = services.signing_in.wallet.finish(body, ticket=ticket, address=address_of(request))
    return SignInResult(**_signed_in(response, request, found))


@router.get("/identities", operation_id="list_identities")
def list_identities(caller: CallerDep, services: ServicesDep) -> Page[Identity]:
    """List one's own identities at providers and keys of wallets, the oldest first."""
    return Page(items=tuple(services.signing_in.identities.of_account(caller.account or "")))


@router.delete("/identities/{identity_id}", operation_id="delete_identity", status_code=204)
def delete_identity(
    identity_id: Annotated[str, Path(max_length=16)], request: Request, caller: CallerDep, services: ServicesDep
) -> None:
    """Remove one of one's own identities: nobody signs in by it any more."""
    removed = services.signing_in.identities.remove(caller.account or "", identity_id)
    note_subject(request, f"{removed.issuer} {removed.subject}")


def _joining_session(request: Request, body: Joining) -> str | None:
    """Return the secret of the session whose account joins an identity; None to sign in by it.

    Raises SignInNeeded without a session.
    """
    if not body.join:
        return None
    caller = caller_of(request)
    if caller is None or caller.account is None or caller.token is not None:
        raise SignInNeeded(sentence("account.sign-in"))
    return request.cookies[COOKIE]


def _taken_ticket(response: Response, request: Request, cookie: str) -> str:
    response.delete_cookie(cookie, httponly=True, samesite="strict")
    return request.cookies.get(cookie, "")


def _signed_in(response: Response, request: Request, found: ProvedAccount) -> dict[str, Any]:
    """Sign the browser in, where it did not join an identity; return the fields of `SignInResult`."""
    note_subject(request, found.account.name, account=found.account.name)
    if found.secret is not None:
        set_session(response, request, found.secret)
    return {"account": found.account.name, "is_joined": found.secret is None}
