"""K1 signatures: parse, write, sign, and recover the key."""

from __future__ import annotations

from dataclasses import dataclass

import coincurve

from passer.antelope.format.base58 import sealed, unsealed
from passer.antelope.signing.keys import KINDS, PrivateKey, PublicKey, is_canonical
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

_PREFIX = "SIG_K1_"
_HEADER = 27
"""Smallest header byte, as in Bitcoin; above it two bits say which of four keys it is, and one that its compressed form
is meant."""
_HEADERS = range(_HEADER, _HEADER + 8)


@dataclass(frozen=True, slots=True)
class Signature:
    """A K1 signature: header byte, r and s, 65 bytes."""

    data: bytes

    @classmethod
    def read(cls, text: str) -> Signature:
        """Read `SIG_K1_...`; raise InputError for anything else, also for a signature of another curve."""
        if text.startswith(("SIG_R1_", "SIG_WA_")):
            raise InputError(sentence("chain.other-signature-kind"))
        data = unsealed(text.removeprefix(_PREFIX), "K1") if text.startswith(_PREFIX) else None
        if data is None or len(data) != 65 or data[0] not in _HEADERS:
            raise InputError(sentence("chain.not-signature"))
        return cls(data)

    @property
    def text(self) -> str:
        """`SIG_K1_...`."""
        return _PREFIX + sealed(self.data, "K1")

    @property
    def packed(self) -> bytes:
        """Kind 0 and the 65 bytes."""
        return b"\0" + self.data

    @property
    def canonical(self) -> bool:
        """Return whether the signature is in the canonical form that a chain accepts."""
        return is_canonical(self.data[1:])

    def recover(self, digest: bytes) -> PublicKey:
        """Recover the public key that signed these 32 bytes; InputError if there is none."""
        compact = self.data[1:] + bytes((self.data[0] - _HEADER & 3,))
        try:
            found = coincurve.PublicKey.from_signature_and_message(compact, digest, hasher=None)
        except Exception as exc:  # coincurve raises a bare Exception where no key fits
            raise InputError(sentence("chain.impossible-signature")) from exc
        return PublicKey("K1", found.format(compressed=True))


def sign(digest: bytes, key: PrivateKey) -> Signature:
    """Return the canonical, deterministic signature of 32 bytes."""
    return Signature(key.sign_compact(digest))


def packed_signature(text: str) -> bytes:
    """Return kind and bytes of a signature text of any curve; InputError for other text."""
    kind = text[4:6]
    data = unsealed(text[7:], kind) if text[:4] == "SIG_" and text[6:7] == "_" and kind in KINDS else None
    if data is None:
        raise InputError(sentence("chain.not-signature"))
    return bytes((KINDS.index(kind),)) + data
