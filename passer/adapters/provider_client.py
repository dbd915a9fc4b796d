"""Requests to an identity provider by the rules of everything the server fetches: a deadline, a size, no redirects.

The provider's own host and port come from the deployment and may be inside the institute's network. Its description
names further addresses, and these must be public: otherwise it could make this server ask inner machines.
"""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from functools import cached_property
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

import httpx

from passer.adapters.web import Deadline, Resolver, is_public, resolve
from passer.domain.base import shown_address
from passer.domain.wording.sentence import sentence
from passer.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 256 * 1024
"""Largest reply; descriptions, keys and tokens of real providers have 1 to 30 KB."""
AT_ONCE = 4
"""Requests side by side: a provider that hangs must not hold the threads that answer everybody else."""


class ProviderClient:
    """Asks one identity provider for JSON."""

    def __init__(
        self,
        issuer: str,
        *,
        within_s: float = 10.0,
        resolver: Resolver = resolve,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._issuer = httpx.URL(issuer)
        self._within_s, self._resolver, self._monotonic = within_s, resolver, monotonic
        self._turns = BoundedSemaphore(AT_ONCE)

    def get(self, url: str) -> Mapping[str, Any]:
        """Return a JSON object; UnavailableError for anything else."""
        status, found = self._asked("GET", url)
        if status != 200:
            raise self._unavailable(f"HTTP {status}")
        return found

    def post(self, url: str, form: Mapping[str, str], *, auth: tuple[str, str] | None) -> tuple[int, Mapping[str, Any]]:
        """Return status and JSON object of a reply to a form; UnavailableError where there is none."""
        return self._asked("POST", url, data=dict(form), auth=auth)

    def _asked(self, method: str, url: str, **sent: Any) -> tuple[int, Mapping[str, Any]]:
        if not self._turns.acquire(blocking=False):
            raise UnavailableError(sentence("identity.provider-busy"))
        try:
            with self._translated(), Deadline(self._within_s) as deadline:
                status, body = self._sent(method, httpx.URL(url), deadline, **sent)
                found = json.loads(body)
        finally:
            self._turns.release()
        if not isinstance(found, dict):
            raise self._unavailable(sentence("identity.reason-not-object"))
        return status, found

    def _sent(self, method: str, url: httpx.URL, deadline: Deadline, **sent: Any) -> tuple[int, bytes]:
        until = self._monotonic() + self._within_s
        # Environment proxies are ignored: a proxy would connect to an address that was not checked.
        with httpx.Client(verify=self._trusted, trust_env=False, follow_redirects=False) as client:
            request = client.build_request(
                method,
                url.copy_with(host=self._checked(url), fragment=None),
                data=sent.get("data"),
                headers={
                    "Host": url.netloc.decode("ascii"),
                    "Accept": "application/json",
                    "Accept-Encoding": "identity",
                    "User-Agent": "PaSSER",
                },
                extensions={"sni_hostname": url.raw_host.decode("ascii"), "trace": deadline.trace},
                timeout=self._within_s,
            )
            response = client.send(request, stream=True, auth=sent.get("auth"))
            try:
                return response.status_code, self._body(response, until)
            finally:
                response.close()

    def _body(self, response: httpx.Response, until: float) -> bytes:
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise self._unavailable(sentence("identity.reason-compressed"))
        body = bytearray()
        for part in response.iter_raw():
            body += part
            if len(body) > MOST_BYTES:
                raise self._unavailable(sentence("identity.reason-size", size=str(MOST_BYTES // 1024)))
            if self._monotonic() > until:
                raise self._unavailable(sentence("identity.reason-time", seconds=self._within_s))
        return bytes(body)

    def _checked(self, url: httpx.URL) -> str:
        """Return the checked address to connect to, so that a later change of the DNS name has no effect."""
        if url.userinfo or not url.host or url.scheme not in {"https", self._issuer.scheme}:
            raise self._unavailable(sentence("identity.reason-address", address=shown_address(str(url))[:100]))
        port = url.port or (443 if url.scheme == "https" else 80)
        found = self._resolver(url.raw_host.decode("ascii").strip("[]"), port)
        if not found:
            raise self._unavailable(sentence("identity.reason-host", host=url.host))
        is_own = (url.host, url.port) == (self._issuer.host, self._issuer.port)
        if not is_own and not all(map(is_public, found)):
            raise self._unavailable(sentence("identity.reason-private", host=url.host))
        return found[0]

    @cached_property
    def _trusted(self) -> ssl.SSLContext:
        # Public authorities, and those that this machine trusts: providers of institutes often have one of their own.
        context = httpx.create_ssl_context(trust_env=False)
        context.load_default_certs()
        return context

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except httpx.TimeoutException as exc:
            raise self._unavailable(sentence("identity.reason-time", seconds=self._within_s)) from exc
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError, RecursionError) as exc:
            raise self._unavailable(type(exc).__name__) from exc

    def _unavailable(self, reason: str) -> UnavailableError:
        named = {"issuer": shown_address(str(self._issuer)), "reason": reason}
        return UnavailableError(sentence("identity.provider-away", **named))
