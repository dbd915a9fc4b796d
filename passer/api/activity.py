"""Records requests in the activity log: who called which operation on what, and how it ended."""

from __future__ import annotations

from contextlib import suppress

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from passer.api.problems import problem_of, problem_response
from passer.api.rules import LOGGED, RULES
from passer.bootstrap import Services
from passer.domain.accounts.account import Caller
from passer.domain.accounts.activity import LONGEST_SUBJECT, Act, ActOutcome, Via
from passer.errors import PasserError

_SUBJECT, _ACCOUNT = "act_subject", "act_account"
_OF_STRANGERS = ("sign_in", "recover_account", "finish_provider_sign_in", "finish_wallet_sign_in")
"""Operations whose refusal is recorded although nobody is signed in."""
_OF_ACCOUNTS = ("create_token", "delete_token")
"""Operations that concern an account and no project, whichever project the request names."""


def note_subject(request: HTTPConnection, subject: str, *, account: str | None = None) -> None:
    """Name what a request is about where its address does not, and the account where nobody is signed in yet."""
    request.scope.setdefault("state", {}).update({_SUBJECT: subject, **({_ACCOUNT: account} if account else {})})


async def serve_logged(app: ASGIApp, services: Services, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a request and record it before its answer is sent: what was acknowledged is in the log."""
    is_refused = False

    async def recorded(message: Message) -> None:
        nonlocal is_refused
        if message["type"] == "http.response.start":
            headers = Headers(raw=message.get("headers", []))
            try:
                await _record(services, scope, message["status"], headers.get("location"))
            except PasserError as exc:
                is_refused = True
                await problem_response(problem_of(exc))(scope, receive, send)
        if not is_refused:
            await send(message)

    try:
        await app(scope, receive, recorded)
    except Exception:
        with suppress(PasserError):
            await _record(services, scope, 500, None)
        raise


async def _record(services: Services, scope: Scope, status: int, location: str | None) -> None:
    operation = getattr(scope.get("route"), "operation_id", None)
    if operation not in LOGGED:
        return
    outcome = _outcome(operation, status)
    if outcome is None:
        return
    act = _act(scope, operation, outcome, location)
    await run_in_threadpool(_write, services, scope, act)


def _write(services: Services, scope: Scope, act: Act) -> None:
    rule, named = RULES[act.operation], scope.get("path_params", {}).get("project")
    if rule.reach == "project" and act.operation not in _OF_ACCOUNTS:
        scope["state"]["services"].activity.record(act)
        return
    services.default.activity.record(act)
    # Recorded in that project too, so that its administrators see who was given a role there.
    if named is not None and services.projects.has(named) and services.projects.open(named) is not services.default:
        services.projects.open(named).activity.record(act)


def _outcome(operation: str, status: int) -> ActOutcome | None:
    """Return how a request ended; None if it changed nothing and no permission was refused, as for a wrong value."""
    if status < 400:
        return "done"
    if status >= 500:
        return "failed"
    return "refused" if status == 403 or (status == 401 and operation in _OF_STRANGERS) else None


def _act(scope: Scope, operation: str, outcome: ActOutcome, location: str | None) -> Act:
    state = scope.get("state", {})
    caller: Caller | None = state.get("caller")
    via: Via = "session"
    if caller is not None and caller.account is None:
        via = "local"
    elif caller is not None and caller.token is not None:
        via = "token"
    named = "/".join(str(value) for value in scope.get("path_params", {}).values())
    made = location.rstrip("/").rpartition("/")[2] if location else ""
    subject = state.get(_SUBJECT) or named or made or None
    return Act(
        account=state.get(_ACCOUNT) or (caller.account if caller else None),
        via=via,
        operation=operation,
        subject=subject and subject[:LONGEST_SUBJECT],
        outcome=outcome,
    )
