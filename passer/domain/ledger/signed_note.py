"""Signed notes: a text with the signatures of one or more keys (c2sp.org/signed-note), with Ed25519 alone."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.wording.sentence import sentence
from passer.errors import InputError

ED25519 = b"\x01"
"""Signature type of an Ed25519 key."""
KEY_BYTES, ID_BYTES, SIGNATURE_BYTES = 32, 4, 64
MOST_SIGNATURES = 100
"""Signature lines of one note: room for witnesses, and a limit on the work for a hostile note."""
LONGEST_NOTE = 1_000_000
"""Bytes of a note."""
_DASH = "\N{EM DASH}"
_SEPARATOR = f"\n\n{_DASH} "


@dataclass(frozen=True)
class NoteKey:
    """The public key of who signs notes."""

    name: str
    """Name of the key, for a log its origin."""
    public: bytes
    """Ed25519 public key (RFC 8032), 32 bytes."""

    @property
    def id(self) -> bytes:
        """Return the four bytes that identify the key, with its name, in signature lines."""
        return hashlib.sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:ID_BYTES]

    @property
    def text(self) -> str:
        """Return the verifier key: name, key id and key, joined by plus signs."""
        return f"{self.name}+{self.id.hex()}+{encoded(ED25519 + self.public)}"


@dataclass(frozen=True)
class NoteSignature:
    """A signature line, of any type."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        """Return the line without its end."""
        return f"{_DASH} {self.name} {encoded(self.key_id + self.signature)}"


def is_key_name(name: str) -> bool:
    """Return whether a text can name a key: not empty, without spaces, plus signs and control characters."""
    return bool(name) and "+" not in name and not any(mark.isspace() or ord(mark) < 0x20 for mark in name)


def key_of(text: str) -> NoteKey:
    """Read a verifier key; InputError if it is none, or of another type than Ed25519."""
    parts = text.strip().split("+", 2)
    if len(parts) == 3 and is_key_name(parts[0]):
        key = decoded(parts[2])
        found = NoteKey(parts[0], key[1:])
        if key[:1] == ED25519 and len(key) == 1 + KEY_BYTES and found.id.hex() == parts[1]:
            return found
    raise InputError(sentence("note.not-a-key"), field="key")


def signed_note(text: str, signatures: Sequence[NoteSignature]) -> str:
    """Return a note; `text` ends with a line break."""
    return text + "\n" + "".join(f"{each.line}\n" for each in signatures)


def parts_of(note: str) -> tuple[str, list[NoteSignature]]:
    """Return text and signatures of a note; InputError if it has another form."""
    start = note.rfind(_SEPARATOR)
    if len(note) > LONGEST_NOTE or start < 0 or not note.endswith("\n") or _has_controls(note):
        raise InputError(sentence("note.not-signed-note"))
    lines = note[start + 2 : -1].split("\n")
    if len(lines) > MOST_SIGNATURES:
        raise InputError(sentence("note.too-many-signatures", most=MOST_SIGNATURES))
    return note[: start + 1], [_signature(line) for line in lines]


def verified_text(note: str, key: NoteKey) -> str:
    """Return the text of a note that a key signed; InputError if it did not.

    Signatures of other keys and of unknown types are ignored, as witnesses and successors of a key may add them. Two
    lines of the key are refused.
    """
    text, signatures = parts_of(note)
    own = [each for each in signatures if (each.name, each.key_id) == (key.name, key.id)]
    if not own:
        raise InputError(sentence("note.not-signed-by", key=key.name))
    if len(own) > 1:
        raise InputError(sentence("note.two-signatures", key=key.name))
    if not _is_signature(key.public, own[0].signature, text.encode()):
        raise InputError(sentence("note.signature-differs", key=key.name))
    return text


def _is_signature(public: bytes, signature: bytes, message: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _signature(line: str) -> NoteSignature:
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    content = decoded(encoded)
    if dash != _DASH or not is_key_name(name) or len(content) <= ID_BYTES:
        raise InputError(sentence("note.odd-line"))
    return NoteSignature(name, content[:ID_BYTES], content[ID_BYTES:])


def _has_controls(note: str) -> bool:
    return any(ord(mark) < 0x20 and mark != "\n" for mark in note)


def encoded(content: bytes) -> str:
    """Return bytes in base64."""
    return base64.b64encode(content).decode("ascii")


def decoded(text: str) -> bytes:
    """Return the bytes of base64; empty if it is not canonical."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
    # Base64 ignores the last bits of its last character: other spellings of a signature would pass as other signatures.
    return content if encoded(content) == text else b""
