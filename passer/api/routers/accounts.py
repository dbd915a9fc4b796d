"""Accounts: signing in and out, users, and the tokens of programs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import BeforeValidator, Field, SecretStr

from passer.api.access import COOKIE, address_of, caller_of, csrf_of, end_of_session, needs_sign_in, set_session
from passer.api.activity import note_subject
from passer.api.deps import Page, ServicesDep
from passer.api.project_paths import project_of
from passer.domain.accounts.account import (
    LONGEST_PASSWORD,
    NAME,
    Account,
    Caller,
    ProjectAccess,
    Role,
    SessionEnd,
    Token,
    is_account_name,
)
from passer.domain.accounts.project import DEFAULT_PROJECT, PROJECT_NAME
from passer.domain.base import Frozen
from passer.domain.wording.sentence import sentence
from passer.errors import SignInNeeded
from passer.services.accounts.accounts import recovery_path

router = APIRouter(prefix="/api/v1", tags=["accounts"])


def _account_name(given: object) -> object:
    """Return a text that may name an account; ValueError in words for another one, where the pattern says nothing."""
    if isinstance(given, str) and not is_account_name(given):
        raise ValueError(sentence("misfit.account-name"))
    return given


Name = Annotated[str, Field(pattern=NAME), BeforeValidator(_account_name)]
ProjectName = Annotated[str, Field(pattern=PROJECT_NAME)]
Password = Annotated[SecretStr, Field(max_length=LONGEST_PASSWORD)]
AccountName = Annotated[str, Path(max_length=60)]


class SignedIn(Frozen):
    """Account of the caller, and whether an account is needed."""

    needs_account: bool
    """True if one has to sign in to use this PaSSER."""
    account: str | None = None
    """Name of the account that is signed in."""
    role: Role | None = None
    """Role in the project; None before signing in, or if the caller has no role in it."""
    is_administrator: bool = False
    """True if accounts and projects may be managed."""
    project: str = DEFAULT_PROJECT
    """Project that the address of the request names."""
    projects: tuple[ProjectAccess, ...] = ()
    """Projects that may be used."""
    csrf: str | None = None
    """Token that requests which change something repeat in the header X-CSRF-Token; None without a session."""
    has_password: bool = True
    """True if the account can sign in with a password; one that an identity provider vouches for has none at first."""
    provider: str | None = None
    """Name of the identity provider for signing in; None without one."""
    has_wallets: bool = False
    """True if one may sign in with the key of a wallet: PaSSER records on a chain."""
    ended_by: SessionEnd | None = None
    """The change of the account that ended the session of this browser; None while signed in, and if it expired."""


class Credentials(Frozen):
    """A name and its password."""

    name: str = Field(max_length=60)
    """Name of the account."""
    password: Password
    """Its password."""


class NewPassword(Frozen):
    """A password in the place of the present one."""

    old: Password
    """The present password."""
    new: Password
    """The password to use from now on."""


class Recovery(Frozen):
    """A new password for somebody who has a recovery link."""

    secret: SecretStr = Field(max_length=100)
    """Token in the link, after `#recover=`."""
    password: Password
    """The one to use from now on."""


class NewRecoveryLink(Frozen):
    """A link by which somebody without the password chooses a new one, once."""

    path: str
    """Path and query of the link. The secret in it is not stored and cannot be shown again."""
    expires_at: datetime
    """Time from which the link is no longer valid (UTC)."""


class NewUser(Frozen):
    """An account to add."""

    name: Name
    """Small Latin letters, digits, dots, hyphens and underscores."""
    role: Role | None = None
    """Role in the default project; None for no access."""
    projects: dict[ProjectName, Role] = Field(default_factory=dict)
    """Roles in other projects, by project."""
    password: Password
    """First password; its owner can change it."""


class ChangedUser(Frozen):
    """Changes of an account, which sign it out everywhere."""

    role: Role | None = None
    """A new role."""
    password: Password | None = None
    """A new password."""


class NewToken(Frozen):
    """A token to create."""

    name: str = Field(min_length=1, max_length=100)
    """Purpose of the token."""
    scope: Role = "viewer"
    """The most that it may do."""
    project: ProjectName | None = None
    """The only project that it may use; None for all of its account."""
    days: int | None = Field(default=90, ge=1, le=3650)
    """Days until it expires; None if it does not."""


class CreatedToken(Frozen):
    """A new token with its secret."""

    token: Token
    """The token as it is listed."""
    secret: str
    """Sent as `Authorization: Bearer ...`; it is not stored and cannot be shown again."""


async def _caller(request: Request) -> Caller:
    caller = caller_of(request)
    if caller is None:
        raise SignInNeeded(sentence("account.sign-in"))
    return caller


CallerDep = Annotated[Caller, Depends(_caller)]


@router.get("/session", operation_id="show_session")
def show_session(request: Request, services: ServicesDep) -> SignedIn:
    """Return who is signed in, and what a page needs to send requests."""
    caller, secret = caller_of(request), request.cookies.get(COOKIE)
    needed = needs_sign_in(services, request.headers)
    ways = {
        "provider": services.signing_in.provider.label or None,
        "has_wallets": services.signing_in.wallet.wallet is not None,
    }
    if caller is None:
        return SignedIn(needs_account=needed, **ways, ended_by=end_of_session(services, request))
    return SignedIn(
        needs_account=needed,
        **ways,
        account=caller.account,
        has_password=services.accounts.has_password(caller),
        role=caller.role,
        is_administrator=caller.is_administrator,
        project=project_of(request.scope),
        projects=tuple(services.accounts.projects_of(caller, services.projects.names())),
        csrf=csrf_of(secret) if secret and caller.account else None,
    )


@router.post("/session", operation_id="sign_in", status_code=201)
def sign_in(body: Credentials, request: Request, response: Response, services: ServicesDep) -> SignedIn:
    """Sign in with a name and a password; the browser keeps a cookie for a week."""
    if services.accounts.has(body.name):
        # Unknown names are not recorded: people type their password into the field for the name.
        note_subject(request, body.name, account=body.name)
    account, secret = services.accounts.sign_in(
        body.name, body.password.get_secret_value(), address=address_of(request)
    )
    set_session(response, request, secret)
    project = project_of(request.scope)
    caller = services.accounts.caller_of_session(secret, project)
    return SignedIn(
        needs_account=True,
        account=account.name,
        role=caller.role if services.projects.has(project) else None,
        is_administrator=caller.is_administrator,
        project=project,
        projects=tuple(services.accounts.projects_of(caller, services.projects.names())),
        csrf=csrf_of(secret),
    )


@router.delete("/session", operation_id="sign_out", status_code=204)
def sign_out(request: Request, response: Response, services: ServicesDep) -> None:
    """Sign this browser out."""
    services.accounts.sign_out(request.cookies.get(COOKIE, ""))
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


@router.put("/session/password", operation_id="change_own_password", status_code=204)
def change_own_password(body: NewPassword, request: Request, caller: CallerDep, services: ServicesDep) -> None:
    """Change one's own password, which signs the account out everywhere."""
    services.accounts.change_own_password(
        caller.account or "",
        old=body.old.get_secret_value(),
        new=body.new.get_secret_value(),
        address=address_of(request),
    )


@router.post("/session/recovery", operation_id="recover_account", status_code=204)
def recover_account(body: Recovery, request: Request, services: ServicesDep) -> None:
    """Choose a new password by a recovery link, which is valid once; the account is signed out everywhere."""
    account = services.accounts.recover(
        body.secret.get_secret_value(), body.password.get_secret_value(), address=address_of(request)
    )
    note_subject(request, account.name, account=account.name)


@router.get("/users", operation_id="list_users")
def list_users(services: ServicesDep) -> Page[Account]:
    """List all accounts, by name."""
    return Page(items=tuple(services.accounts.store.list_accounts()))


@router.post("/users", operation_id="add_user", status_code=201)
def add_user(body: NewUser, request: Request, services: ServicesDep) -> Account:
    """Add an account. The first one is added with `passer users add`: from then on everyone signs in."""
    for project in body.projects:
        services.projects.check(project)
    roles = {DEFAULT_PROJECT: body.role, **body.projects}
    note_subject(request, f"{body.name} ({', '.join(f'{place}: {role}' for place, role in roles.items() if role)})")
    password = body.password.get_secret_value()
    return services.accounts.add(body.name, role=body.role, projects=body.projects, password=password)


@router.put("/users/{name}", operation_id="change_user")
def change_user(name: AccountName, body: ChangedUser, request: Request, services: ServicesDep) -> Account:
    """Change an account's role or password, which signs it out everywhere."""
    changed = [*([f"role: {body.role}"] if body.role else []), *(["password"] if body.password else [])]
    note_subject(request, f"{name} ({', '.join(changed)})")
    password = body.password.get_secret_value() if body.password else None
    return services.accounts.change(name, role=body.role, password=password)


@router.post("/users/{name}/recovery", operation_id="add_recovery_link", status_code=201)
def add_recovery_link(name: AccountName, services: ServicesDep) -> NewRecoveryLink:
    """Make a link by which an account gets a new password, once and within a day; an earlier link is void."""
    link, secret = services.accounts.add_recovery(name)
    return NewRecoveryLink(path=recovery_path(secret), expires_at=link.expires_at)


@router.delete("/users/{name}", operation_id="delete_user", status_code=204)
def delete_user(name: AccountName, services: ServicesDep) -> None:
    """Delete an account with its sessions and tokens; what it made stays."""
    services.accounts.delete(name)


@router.get("/tokens", operation_id="list_tokens")
def list_tokens(caller: CallerDep, services: ServicesDep) -> Page[Token]:
    """List one's own tokens, the newest first."""
    return Page(items=tuple(services.accounts.tokens(caller.account or "")))


@router.post("/tokens", operation_id="create_token", status_code=201)
def create_token(body: NewToken, request: Request, caller: CallerDep, services: ServicesDep) -> CreatedToken:
    """Create a token for a program; its secret is shown once."""
    expires = None if body.days is None else services.adapters.clock.now() + timedelta(days=body.days)
    if body.project is not None:
        services.projects.check(body.project)
    token, secret = services.accounts.add_token(
        caller, name=body.name, scope=body.scope, project=body.project, expires_at=expires
    )
    note_subject(request, f"{token.id} ({token.scope}, {token.project or 'all projects'})")
    return CreatedToken(token=token, secret=secret)


@router.delete("/tokens/{token_id}", operation_id="delete_token", status_code=204)
def delete_token(token_id: Annotated[str, Path(max_length=16)], caller: CallerDep, services: ServicesDep) -> None:
    """Delete one of one's own tokens; programs that use it are refused at once."""
    services.accounts.delete_token(caller, token_id)
