"""Public and private keys in all text forms; a private key is never shown by accident.

One is loaded from the value of an environment variable, or from a file that nobody else can read.
"""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import coincurve
from coincurve._libsecp256k1 import ffi  # type: ignore[import-not-found]
from pydantic import SecretStr

from passer.antelope.format.base58 import decoded, sealed, unsealed
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, InputError

KINDS = ("K1", "R1", "WA")
"""secp256k1, secp256r1, WebAuthn: in the order of their packed numbers. Only the first can be signed with here."""
_WIF_VERSION = 0x80
_SECRET_BYTES = 32
_CURVE_BYTES = 33


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key: its kind and its bytes, for K1 and R1 the 33 of the compressed point."""

    kind: str
    data: bytes

    @classmethod
    def read(cls, text: str) -> PublicKey:
        """Read `PUB_K1_...`, `PUB_R1_...`, `PUB_WA_...` or `EOS...`; raise InputError for anything else."""
        if text.startswith("EOS"):
            kind, data = "K1", unsealed(text[3:], "")
        else:
            kind = text[4:6] if text[:4] == "PUB_" and text[6:7] == "_" and text[4:6] in KINDS else "K1"
            data = unsealed(text[7:], kind) if text.startswith(f"PUB_{kind}_") else None
        if data is None or not _is_point(kind, data):
            raise InputError(sentence("chain.not-public-key"))
        return cls(kind, data)

    @property
    def text(self) -> str:
        """`PUB_K1_...`."""
        return f"PUB_{self.kind}_{sealed(self.data, self.kind)}"

    @property
    def legacy_text(self) -> str:
        """`EOS...`, which only K1 keys have; InputError for others."""
        if self.kind != "K1":
            raise InputError(sentence("chain.no-old-form", kind=self.kind))
        return f"EOS{sealed(self.data, '')}"

    @property
    def packed(self) -> bytes:
        """Kind and bytes."""
        return bytes((KINDS.index(self.kind),)) + self.data

    def __str__(self) -> str:
        return self.text


class PrivateKey:
    """A K1 private key. Neither repr nor str nor pickle nor an error shows it; `reveal` does, on purpose."""

    __slots__ = ("_key", "public")

    def __init__(self, secret: SecretStr) -> None:
        """Read `PVT_K1_...` or the legacy form (WIF, begins with 5).

        Raises ConfigError, without the text, for any other.
        """
        key = _key_of(secret.get_secret_value())
        if key is None:
            raise ConfigError(sentence("chain.not-private-key"))
        self._key = key
        self.public = PublicKey("K1", key.public_key.format(compressed=True))

    @classmethod
    def generate(cls) -> PrivateKey:
        """Return a new key from the system's random numbers."""
        return cls(SecretStr(_written(coincurve.PrivateKey().secret)))

    def reveal(self) -> SecretStr:
        """`PVT_K1_...`, for the one place that needs it as text."""
        return SecretStr(_written(self._key.secret))

    def sign_compact(self, digest: bytes) -> bytes:
        """Return header byte, r and s of a canonical signature over 32 bytes; equal bytes give equal signatures."""
        attempt = 0
        while True:
            extra = ffi.new("unsigned char [32]", attempt.to_bytes(32, "little")) if attempt else ffi.NULL
            signed = self._key.sign_recoverable(digest, hasher=None, custom_nonce=(ffi.NULL, extra))
            if is_canonical(signed[:64]):
                return bytes((signed[64] + 31,)) + signed[:64]
            attempt += 1

    def __repr__(self) -> str:
        # `public` is missing if `__init__` failed; a traceback that shows locals prints such a key.
        public = getattr(self, "public", None)
        return f"PrivateKey(of {public})"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("Private keys are never serialised. Pass on the environment variable or file of the key.")


def is_canonical(compact: bytes) -> bool:
    """Return whether r and s (32 bytes each) have the form that Antelope accepts: positive, without padding."""
    r, s = compact[:32], compact[32:]
    return all(not part[0] & 0x80 and not (part[0] == 0 and not part[1] & 0x80) for part in (r, s))


def _key_of(text: str) -> coincurve.PrivateKey | None:
    """Return the key of a text; never raises, because a traceback could show the values of a frame."""
    text = text.strip()
    data = unsealed(text[7:], "K1") if text.startswith("PVT_K1_") else _of_wif(text)
    if data is None or len(data) != _SECRET_BYTES:
        return None
    try:
        return coincurve.PrivateKey(data)
    except ValueError:
        return None


def _of_wif(text: str) -> bytes | None:
    data = decoded(text)
    if data is None or len(data) != 1 + _SECRET_BYTES + 4 or data[0] != _WIF_VERSION:
        return None
    if hashlib.sha256(hashlib.sha256(data[:-4]).digest()).digest()[:4] != data[-4:]:
        return None
    return data[1:-4]


def _written(secret: bytes) -> str:
    return f"PVT_K1_{sealed(secret, 'K1')}"


def _is_point(kind: str, data: bytes) -> bool:
    if kind == "WA":
        return len(data) > _CURVE_BYTES
    if len(data) != _CURVE_BYTES or data[0] not in (2, 3):
        return False
    if kind == "K1":
        try:
            coincurve.PublicKey(data)
        except ValueError:
            return False
    return True


_LONGEST = 1024
"""Bytes of a key file: a key has some 60."""


def key_from_value(value: SecretStr) -> PrivateKey:
    """Return the key of an environment variable; ConfigError never contains the value."""
    return PrivateKey(value)


def key_from_file(path: Path) -> PrivateKey:
    """Return the key of a file; ConfigError if others may access the file or it contains no key."""
    return PrivateKey(_private_text(path))


def _private_text(path: Path) -> SecretStr:
    try:
        # Without O_NONBLOCK, opening a named pipe in the place of the file would wait for ever.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            # Check the opened file, not its path: another file could take its place between check and read.
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise _wrong(sentence("chain.key-not-plain", path=str(path)))
            if mode & 0o077:
                raise _wrong(sentence("chain.key-exposed", path=str(path)))
            return SecretStr(file.read(_LONGEST).decode("ascii", errors="replace"))
    except OSError as exc:
        raise _wrong(sentence("chain.key-unreadable", path=str(path), reason=str(exc.strerror))) from exc


def _wrong(message: str) -> ConfigError:
    return ConfigError(message, field="chain_key_file")
