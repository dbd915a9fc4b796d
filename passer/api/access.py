"""Authentication and authorisation of a request, by the rule of its operation, before its body is read."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta

from fastapi import Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from passer.api.activity import serve_logged
from passer.api.problems import HEADERS, problem_of, problem_response
from passer.api.project_paths import project_of
from passer.api.rules import Rule, rule_of
from passer.bootstrap import Services
from passer.domain.accounts.account import Caller, SessionEnd, allows, role_word
from passer.domain.wording.sentence import sentence
from passer.errors import AccessRefused, InputError, NotFoundError, PasserError, RoleTooLow, SignInNeeded
from passer.services.accounts.accounts import SESSION, digest_of_secret

COOKIE = "passer_session"
CSRF_HEADER = "x-csrf-token"
PUBLIC = (
    "/api/v1/session",
    "/api/v1/session/recovery",
    "/api/v1/session/provider",
    "/api/v1/session/provider/reply",
    "/api/v1/session/wallet",
    "/api/v1/session/wallet/proof",
    "/api/v1/verifications",
)
"""Paths under /api that answer everyone; their operations have no role in the rules."""
BESIDE_API = ("/ready", "/metrics")
"""Paths outside /api whose answer depends on who asks."""
OF_RATERS = "/api/v1/rating-sheet"
"""Paths below it need no account: the secret of a rating link gives access; see the operations."""
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
"""Headers of proxies: the request does not come from this machine, whatever its address says."""
_HARMLESS = ("GET", "HEAD", "OPTIONS")


class Access:
    """ASGI middleware: identifies caller and project, and refuses unknown callers before their body is read."""

    def __init__(self, app: ASGIApp, *, services: Services) -> None:
        self._app = app
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or not (scope["path"].startswith("/api/") or scope["path"] in BESIDE_API):
            await self._app(scope, receive, send)
            return
        is_public = scope["path"] in PUBLIC or scope["path"] == "/ready"
        caller: Caller | None
        try:
            if scope["path"].startswith(OF_RATERS):
                caller, services = None, await run_in_threadpool(_services_of_link, self._services, scope)
            else:
                caller, services = await run_in_threadpool(_opened, self._services, scope)
        except AccessRefused as exc:
            if not is_public:
                await problem_response(problem_of(exc), HEADERS.get(type(exc)))(scope, receive, send)
                return
            caller, services = None, self._services
        except PasserError as exc:
            await problem_response(problem_of(exc))(scope, receive, send)
            return
        scope.setdefault("state", {}).update(caller=caller, services=services)
        await serve_logged(self._app, self._services, scope, receive, send)


def _opened(services: Services, scope: Scope) -> tuple[Caller, Services]:
    """Return the caller and the services of the named project; without a role there, the services of no project."""
    caller = _identified(services, scope)
    return caller, services if caller.role is None else services.projects.open(project_of(scope))


def _services_of_link(services: Services, scope: Scope) -> Services:
    """Return the services of the project that a request names; a missing one gives the error of a wrong link."""
    project = project_of(scope)
    if not services.projects.has(project):
        raise NotFoundError(sentence("rating.no-link"))
    return services.projects.open(project)


def _identified(services: Services, scope: Scope) -> Caller:
    """Return who sends a request, and what it may do in the project that it names.

    Raises AccessRefused for a wrong or missing secret.
    """
    caller, project = _caller(services, scope), project_of(scope)
    return caller if services.projects.has(project) else caller.model_copy(update={"role": None})


def _caller(services: Services, scope: Scope) -> Caller:
    request, headers, project = Request(scope), Headers(scope=scope), project_of(scope)
    if not needs_sign_in(services, headers):
        return Caller(account=None, role="admin", is_administrator=True, may_monitor=True)
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return services.accounts.caller_of_token(token.strip(), project)
    secret = request.cookies.get(COOKIE)
    if not secret:
        has_accounts = services.accounts.store.has_accounts()
        raise SignInNeeded(sentence("account.sign-in" if has_accounts else "account.first-needed"))
    caller = services.accounts.caller_of_session(secret, project)
    # A page of another site can send the cookie where a browser does not know SameSite, but cannot read this.
    if request.method not in _HARMLESS and not hmac.compare_digest(
        headers.get(CSRF_HEADER, "").encode(), csrf_of(secret).encode()
    ):
        raise RoleTooLow(sentence("account.no-csrf"))
    return caller


def needs_sign_in(services: Services, headers: Headers) -> bool:
    """Return whether requests need an account: not for one person on this machine who has added none."""
    is_local = services.settings.is_alone and not any(name in headers for name in FORWARDED)
    return not is_local or services.accounts.store.has_accounts()


def csrf_of(secret: str) -> str:
    """Return the CSRF token of a session, derived from its secret; requests that change something repeat it."""
    return hashlib.sha256(b"csrf " + secret.encode()).hexdigest()


def end_of_session(services: Services, request: Request) -> SessionEnd | None:
    """Return the change of the account that ended the session of the request's cookie; None if none did, or unknown."""
    secret = request.cookies.get(COOKIE)
    session = services.accounts.store.find_session(digest_of_secret(secret)) if secret else None
    return session.ended_by if session else None


def is_still_allowed(services: Services, request: Request) -> bool:
    """Return whether the caller of a long request may continue: a session can end, an account can lose its role."""
    try:
        _check(rule_of(request), _identified(services, request.scope), request.scope)
    except (AccessRefused, NotFoundError):
        return False
    return True


async def authorised(request: Request) -> None:
    """Dependency of every route: refuses unknown callers, non-members of the project, and roles that are too low."""
    _check(rule_of(request), caller_of(request), request.scope)


def _check(rule: Rule, caller: Caller | None, scope: Scope) -> None:
    """Raise SignInNeeded, RoleTooLow, or NotFoundError for a project that does not exist or is not the caller's."""
    if rule.role is None:
        return
    if caller is None:
        raise SignInNeeded(sentence("account.sign-in"))
    if rule.reach == "account":
        return
    if rule.reach in ("installation", "monitoring"):
        if not (caller.is_administrator or (rule.reach == "monitoring" and caller.may_monitor)):
            raise RoleTooLow(sentence("account.not-administrator"))
        return
    if caller.role is None:
        raise NotFoundError(sentence("project.unknown", name=project_of(scope)))
    if not allows(caller.role, rule.role):
        raise RoleTooLow(sentence("account.role-too-low", needed=role_word(rule.role), held=role_word(caller.role)))


def caller_of(request: Request) -> Caller | None:
    """Return who sends a request; None for an unknown caller."""
    caller: Caller | None = getattr(request.state, "caller", None)
    return caller


def address_of(request: Request) -> str:
    """Return the network address that a request comes from."""
    return request.client.host if request.client else ""


def set_session(response: Response, request: Request, secret: str) -> None:
    """Have the browser keep the secret of a session where scripts and other sites do not get at it."""
    set_secret(response, request, COOKIE, secret, lifetime=SESSION)


def set_secret(response: Response, request: Request, cookie: str, secret: str, *, lifetime: timedelta) -> None:
    """Have the browser keep a secret under the name of a cookie, as `set_session` does."""
    response.set_cookie(
        cookie,
        secret,
        max_age=int(lifetime.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def check_own_name(rater: str, request: Request) -> None:
    """Raise InputError for another name than that of the account that is signed in; without accounts names are free."""
    caller = caller_of(request)
    if caller is not None and caller.account not in (None, rater):
        raise InputError(sentence("label.own-name", account=caller.account), field="rater")
