"""A provider of OpenID Connect (Authlib): its description, its keys, codes and ID tokens."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from passer.adapters.provider_client import ProviderClient
from passer.domain.accounts.identity import LONGEST_SUBJECT
from passer.domain.base import storable
from passer.domain.extras import requires_extra
from passer.domain.lru_cache import LruCache
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, SignInNeeded, UnavailableError

if TYPE_CHECKING:
    from joserfc.jwk import Key

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures of key pairs alone: `none` proves nothing, and HS256 would take a public key for the secret."""
_KEY_TYPES = ("RSA", "EC", "OKP")
_MOST_KEYS, _LEAST_RSA_BITS = 64, 2048
_KEPT_S, _KEYS_AGAIN_S = 600.0, 30.0
"""Seconds that descriptions and keys are kept, and after which an unknown key may have them fetched again."""
LEEWAY_S = 60
"""Difference between the provider's clock and this one's that is forgiven, in seconds."""
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class OidcProvider:
    """ports.IdentityProvider by discovery, authorization code and PKCE."""

    def __init__(
        self,
        issuer: str,
        *,
        client_id: str,
        client_secret: Callable[[], SecretStr | None],
        scopes: str,
        client: ProviderClient | None = None,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        with requires_extra("team", sentence("extra.identity"), ConfigError):
            import joserfc.jwt  # noqa: F401 -- looked for at the start, not when somebody signs in
        self.issuer = issuer
        self._client_id, self._secret, self._scopes = client_id, client_secret, scopes
        self._client = client or ProviderClient(issuer)
        self._now, self._monotonic = now, monotonic
        self._kept: LruCache[str, Mapping[str, Any]] = LruCache(4, max_age_s=_KEPT_S, monotonic=monotonic)
        self._keys_fetched_at = float("-inf")

    def authorization(self) -> str:
        return str(self._description["authorization_endpoint"])

    def address(self, *, return_to: str, state: str, nonce: str, verifier: str) -> str:
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
        from authlib.oauth2.rfc7636 import create_s256_code_challenge

        return str(
            prepare_grant_uri(
                self.authorization(),
                client_id=self._client_id,
                response_type="code",
                redirect_uri=return_to,
                scope=self._scopes,
                state=state,
                nonce=nonce,
                code_challenge=create_s256_code_challenge(verifier),
                code_challenge_method="S256",
            )
        )

    def claims(self, code: str, *, return_to: str, nonce: str, verifier: str) -> Mapping[str, Any]:
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import JoseError

        reply = self._exchanged(code, return_to=return_to, verifier=verifier)
        token = reply.get("id_token")
        if not isinstance(token, str):
            raise _refused("no ID token")
        try:
            # The key is looked for among the provider's alone: never in the token's own header (jwk, jku, x5u).
            opened = jwt.decode(token, lambda guest: self._key(guest.headers()), algorithms=ALGORITHMS)
            found = CodeIDToken(
                opened.claims,
                opened.header,
                options={"iss": {"value": self.issuer}, "aud": {"value": self._client_id}},
                params={"nonce": nonce, "client_id": self._client_id, "access_token": reply.get("access_token")},
            )
            found.validate(now=int(self._now()), leeway=LEEWAY_S)
        except (JoseError, ValueError, TypeError, KeyError, RecursionError) as exc:
            raise _refused(_reason(exc)) from exc
        # Authlib checks a nonce where the token has one or the request had one; ours always had one.
        if found.get("nonce") != nonce:
            raise _refused("nonce")
        subject = found["sub"]
        if not subject or len(subject) > LONGEST_SUBJECT or subject != storable(subject):
            raise _refused("sub")
        return dict(found)

    @property
    def _description(self) -> Mapping[str, Any]:
        """Read the provider's description; UnavailableError if it is of another provider or names no endpoints."""
        return self._kept.get_or_compute("description", self._described)

    def _described(self) -> Mapping[str, Any]:
        from authlib.oidc.discovery import get_well_known_url

        found = self._client.get(get_well_known_url(self.issuer, external=True))
        if found.get("issuer") != self.issuer:
            raise UnavailableError(sentence("identity.other-issuer", issuer=self.issuer))
        # A page of http could be read on its way; only a provider on http itself, for tests, may name one.
        schemes = ("https://", "http://") if self.issuer.startswith("http://") else ("https://",)
        for name in _ENDPOINTS:
            if not str(found.get(name, "")).startswith(schemes):
                raise UnavailableError(sentence("identity.no-endpoint", issuer=self.issuer, endpoint=name))
        return found

    def _exchanged(self, code: str, *, return_to: str, verifier: str) -> Mapping[str, Any]:
        described, secret = self._description, self._secret()
        form = {
            "grant_type": "authorization_code", "code": code, "redirect_uri": return_to, "code_verifier": verifier,
        }  # fmt: skip
        methods = described.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        auth = None
        if secret is None:
            form["client_id"] = self._client_id
        elif "client_secret_basic" in methods:
            auth = (_quoted(self._client_id), _quoted(secret.get_secret_value()))
        else:
            form |= {"client_id": self._client_id, "client_secret": secret.get_secret_value()}
        status, reply = self._client.post(described["token_endpoint"], form, auth=auth)
        if status != 200:
            raise _refused(str(reply.get("error", f"HTTP {status}"))[:60])
        return reply

    def _key(self, header: Mapping[str, Any]) -> Key:
        """Return the key that a token names; the provider may have changed its keys since they were fetched."""
        keys = self._kept.get_or_compute("keys", self._fetched)["keys"]
        found = _fitting(keys, header)
        if not found and self._monotonic() - self._keys_fetched_at > _KEYS_AGAIN_S:
            self._kept.discard("keys")
            found = _fitting(self._kept.get_or_compute("keys", self._fetched)["keys"], header)
        if len(found) != 1:
            raise ValueError("unknown key")
        return found[0]

    def _fetched(self) -> Mapping[str, Any]:
        self._keys_fetched_at = self._monotonic()
        listed = self._client.get(self._description["jwks_uri"]).get("keys")
        return {
            "keys": [key for each in (listed if isinstance(listed, list) else [])[:_MOST_KEYS] if (key := _read(each))]
        }


def _read(jwk: Any) -> Key | None:
    """Return a public key that signs; None for others, such as a shared secret or one for encryption."""
    from joserfc.errors import JoseError
    from joserfc.jwk import JWKRegistry

    if not isinstance(jwk, dict) or jwk.get("kty") not in _KEY_TYPES or jwk.get("use", "sig") != "sig":
        return None
    try:
        # Before the key is made: a library only warns of a short one.
        if jwk["kty"] == "RSA" and _bits(jwk["n"]) < _LEAST_RSA_BITS:
            return None
        return JWKRegistry.import_key({name: value for name, value in jwk.items() if name != "d"})
    except (JoseError, ValueError, TypeError, KeyError):
        return None


def _bits(number: str) -> int:
    return int.from_bytes(base64.urlsafe_b64decode(number + "=" * (-len(number) % 4))).bit_length()


def _fitting(keys: list[Key], header: Mapping[str, Any]) -> list[Key]:
    kid = header.get("kid")
    return [each for each in keys if each.kid == kid] if kid is not None else keys


def _quoted(text: str) -> str:
    """Basic authentication of OAuth 2.0 carries form-encoded values (RFC 6749, 2.3.1)."""
    from urllib.parse import quote_plus

    return quote_plus(text)


def _reason(exc: Exception) -> str:
    claim = getattr(exc, "claim", None)
    return str(claim or getattr(exc, "error", None) or exc or type(exc).__name__)[:60]


def _refused(reason: str) -> SignInNeeded:
    return SignInNeeded(sentence("identity.not-proved", reason=reason))
