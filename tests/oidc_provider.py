"""A provider of OpenID Connect on this machine: discovery, authorization codes with PKCE, RS256 tokens, a key set.

    python -m tests.oidc_provider

prints its address and serves until its standard input ends; everybody who comes is signed in as maria.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from joserfc import jws
from joserfc.errors import SecurityWarning
from joserfc.jwk import RSAKey

CLIENT_ID, CLIENT_SECRET = "passer", "a client's secret: +/&"
MARIA = {"sub": "248289761001", "preferred_username": "Maria.Petrova", "email": "maria@example.org", "groups": ["lab"]}


class OidcProvider:
    """Signs people in without asking; every part of its replies can be made wrong."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self.own_key = self.key
        self._codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._ends = Event()
        self.issuer = f"http://127.0.0.1:{self._server.server_port}"
        self.behave()

    def behave(self) -> None:
        """Send correct replies from now on."""
        self.key = self.own_key
        self.person: dict[str, Any] = dict(MARIA)
        """Claims of who signs in next."""
        self.changes: dict[str, Any] = {}
        """Claims of the next tokens that are not as they should be; None leaves one out."""
        self.sign: Callable[[dict[str, Any]], str] = self.signed
        """Makes the ID token."""
        self.described: dict[str, Any] = {}
        """Changes of the description."""
        self.keys: Callable[[], bytes] = self._key_set
        """Makes the reply with the keys."""
        self.hangs = Event()
        """Set: nothing is answered."""
        self.asked: list[str] = []
        """Paths of all requests."""

    def __enter__(self) -> OidcProvider:
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._server.shutdown()
        self._server.server_close()

    def signed(self, claims: dict[str, Any], *, key: RSAKey | None = None, **header: str) -> str:
        """An ID token as it should be; another key or header where wanted."""
        named = {"alg": "RS256", "kid": "one", **header}
        return jws.serialize_compact(named, json.dumps(claims).encode(), key or self.key)

    def unsigned(self, claims: dict[str, Any]) -> str:
        """`alg: none`."""
        parts = [json.dumps({"alg": "none"}).encode(), json.dumps(claims).encode()]
        return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts) + "."

    def confused(self, claims: dict[str, Any]) -> str:
        """HS256 with the public key, as everybody has it, for the shared secret."""
        parts = [json.dumps({"alg": "HS256", "kid": "one"}).encode(), json.dumps(claims).encode()]
        text = ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)
        # By hand, as libraries refuse to.
        mark = hmac.digest(self.key.as_pem(private=False), text.encode(), "sha256")
        return f"{text}.{base64.urlsafe_b64encode(mark).rstrip(b'=').decode()}"

    def description(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            **self.described,
        }

    def authorized(self, query: dict[str, str]) -> str:
        """Where the browser of somebody who agreed goes."""
        assert (query["response_type"], query["client_id"]) == ("code", CLIENT_ID)
        assert query["code_challenge_method"] == "S256"
        assert "openid" in query["scope"].split()
        code = secrets.token_urlsafe(16)
        self._codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def exchanged(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """Tokens for a code, once, for who has its verifier and the client's secret."""
        kept = self._codes.pop(form.get("code", ""), None)
        if kept is None:
            return 400, {"error": "invalid_grant"}
        # RFC 6749, 2.3.1: both are form-encoded before Basic.
        named = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest())
        is_right = (
            parse_qs("=".join(named.split(":")))[CLIENT_ID] == [CLIENT_SECRET]
            and form["redirect_uri"] == kept["redirect_uri"]
            and form["grant_type"] == "authorization_code"
            and challenge.rstrip(b"=").decode() == kept["code_challenge"]
        )
        if not is_right:
            return 401, {"error": "invalid_client"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": kept["nonce"]}
        claims |= {**self.person, **self.changes}
        token = self.sign({name: value for name, value in claims.items() if value is not None})
        return 200, {"access_token": "opaque", "token_type": "Bearer", "id_token": token}

    def wait(self) -> None:
        """Nothing, for as long as it hangs."""
        while self.hangs.is_set() and not self._ends.wait(0.05):
            pass

    def _key_set(self) -> bytes:
        return json.dumps({"keys": [self.key.as_dict(private=False)]}).encode()


def small_key() -> RSAKey:
    """A key that is too short to prove anything; its library makes none, so another does."""
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    made: RSAPrivateKey = rsa.generate_private_key(65537, 1024)
    pem = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SecurityWarning)
        return RSAKey.import_key(pem, {"kid": "one"})


def _handler(provider: OidcProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            split = urlsplit(self.path)
            provider.asked.append(split.path)
            provider.wait()
            if split.path == "/.well-known/openid-configuration":
                self._answer(200, json.dumps(provider.description()).encode())
            elif split.path == "/keys":
                self._answer(200, provider.keys())
            elif split.path == "/authorize":
                query = {name: value[0] for name, value in parse_qs(split.query).items()}
                self._answer(302, b"", location=provider.authorized(query))
            else:
                self._answer(404, b"{}")

        def do_POST(self) -> None:
            provider.asked.append(self.path)
            provider.wait()
            sent = self.rfile.read(int(self.headers["content-length"])).decode()
            form = {name: value[0] for name, value in parse_qs(sent).items()}
            status, reply = provider.exchanged(form, self.headers.get("authorization", ""))
            self._answer(status, json.dumps(reply).encode())

        def _answer(self, status: int, body: bytes, location: str | None = None) -> None:
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            # Whoever has read enough may have gone.
            with suppress(OSError):
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


if __name__ == "__main__":
    with OidcProvider() as served:
        sys.stdout.write(f"{served.issuer}\n")
        sys.stdout.flush()
        sys.stdin.read()
