"""A time stamp (RFC 3161): content, time, authority, and whether its own certificate signed it.

Whether the certificate belongs to a trusted authority needs a root certificate from another source. DER (ITU-T X.690)
is parsed as far as time stamps need it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime

SEQUENCE, SET, OBJECT, OCTETS, INTEGER, TIME = 0x30, 0x31, 0x06, 0x04, 0x02, 0x18
_LONGEST_LENGTH = 3
"""Bytes of a length: a time stamp has less than 16 MB."""


class NotDer(Exception):
    """The bytes have another form."""


@dataclass(frozen=True)
class Node:
    """One value: its tag, and where it is."""

    data: bytes
    tag: int
    start: int
    """Offset of the tag."""
    begin: int
    """Offset of the content."""
    end: int

    @property
    def content(self) -> bytes:
        """Return the value without tag and length."""
        return self.data[self.begin : self.end]

    @property
    def whole(self) -> bytes:
        """Return the value with tag and length."""
        return self.data[self.start : self.end]

    @property
    def parts(self) -> list[Node]:
        """Return the values inside; NotDer if they do not fill the content."""
        found, at = list[Node](), self.begin
        while at < self.end:
            found.append(_node(self.data, at, self.end))
            at = found[-1].end
        return found

    def of(self, *tags: int) -> list[Node]:
        """Return the values inside if they begin with these tags; else NotDer."""
        found = self.parts
        if len(found) < len(tags) or any(part.tag != tag for part, tag in zip(found, tags, strict=False)):
            raise NotDer
        return found


def read_der(data: bytes) -> Node:
    """Return the one value that fills the bytes; NotDer if none does."""
    found = _node(data, 0, len(data))
    if found.end != len(data):
        raise NotDer
    return found


def _node(data: bytes, at: int, end: int) -> Node:
    if at + 2 > end or data[at] & 0x1F == 0x1F:
        raise NotDer
    length, begin = data[at + 1], at + 2
    if length >= 0x80:
        size = length - 0x80
        if not 1 <= size <= _LONGEST_LENGTH or begin + size > end:
            raise NotDer
        length = int.from_bytes(data[begin : begin + size], "big")
        if length < 0x80 or length >> 8 * (size - 1) == 0:  # a shorter form exists
            raise NotDer
        begin += size
    if begin + length > end:
        raise NotDer
    return Node(data, data[at], at, begin, begin + length)


GRANTED, GRANTED_WITH_MODS = 0, 1
"""States of a reply that has a time stamp (RFC 3161, 2.4.2); the state is beside what is signed."""
SIGNED_DATA, TST_INFO = "2a864886f70d010702", "2a864886f70d0109100104"
CONTENT_TYPE, MESSAGE_DIGEST = "2a864886f70d010903", "2a864886f70d010904"
SIGNING_CERTIFICATE, SIGNING_CERTIFICATE_2 = "2a864886f70d010910020c", "2a864886f70d010910022f"
COMMON_NAME = "550403"
"""Object identifiers, as the hex digits of their DER."""
HASHES = {
    "608648016503040201": "sha256", "608648016503040202": "sha384", "608648016503040203": "sha512",
}  # fmt: skip
ECDSA = {"2a8648ce3d040302": "sha256", "2a8648ce3d040303": "sha384", "2a8648ce3d040304": "sha512"}
RSA = {"2a864886f70d01010b": "sha256", "2a864886f70d01010c": "sha384", "2a864886f70d01010d": "sha512"}
RSA_OF_DIGEST = "2a864886f70d010101"
"""RSA, the hash being that of the signer's digest."""
_FIRST = 0xA0
"""Tag [0]."""
_MOMENT = re.compile(r"([0-9]{14})(\.[0-9]+)?Z")


@dataclass(frozen=True)
class OwnTimeStamp:
    """Content of a time stamp whose signature matches its own certificate."""

    at: datetime
    """Time at which the authority saw the digest, UTC."""
    authority: str
    """Common name in the certificate; empty where it has none."""
    is_signed: bool
    """True if the signature was checked; False for an algorithm that is not known here."""


def own_time_stamp(reply: bytes, content: bytes) -> OwnTimeStamp | str:
    """Return the time stamp of the content, or one sentence with the error."""
    try:
        return _read(reply, content)
    except (NotDer, ValueError, IndexError):
        return "It is not a time stamp of RFC 3161 in DER."


def as_granted(reply: bytes) -> bytes:
    """Return a reply that was granted with modifications as one that was granted; any other as it is."""
    try:
        status = _status(read_der(reply))
    except (NotDer, IndexError):
        return reply
    modified = status.content == bytes([GRANTED_WITH_MODS])
    return reply[: status.begin] + bytes([GRANTED]) + reply[status.end :] if modified else reply


def _read(reply: bytes, content: bytes) -> OwnTimeStamp | str:
    response = read_der(reply)
    # A refusal ends with its status.
    if _status(response).content not in (bytes([GRANTED]), bytes([GRANTED_WITH_MODS])):
        return "The authority did not grant it."
    _, token = response.of(SEQUENCE, SEQUENCE)
    kind, held = token.of(OBJECT, _FIRST)
    signed = held.of(SEQUENCE)[0].of(INTEGER, SET, SEQUENCE)
    encapsulated, wrapped = signed[2].of(OBJECT, _FIRST)
    info = wrapped.of(OCTETS)[0].content
    certificates = next((part for part in signed[3:] if part.tag == _FIRST), None)
    signers = signed[-1].of(SEQUENCE)
    # One signer only: a token must have no other signature than that of its authority (RFC 3161, 2.4.2).
    kinds = (response.tag, signed[-1].tag, _id(kind), _id(encapsulated))
    if kinds != (SEQUENCE, SET, SIGNED_DATA, TST_INFO) or len(signers) != 1 or certificates is None:
        raise NotDer
    stated = read_der(info).of(INTEGER, OBJECT, SEQUENCE, INTEGER, TIME)
    algorithm, imprint = stated[2].of(SEQUENCE, OCTETS)
    name = HASHES.get(_id(algorithm.of(OBJECT)[0]))
    if name is None or hashlib.new(name, content).digest() != imprint.content:
        return "It is of something else."
    certificate = _signer(signers[0], certificates)
    if certificate is None:
        return "The certificate of its signer is missing, or is not the one that it names."
    is_signed = _is_signed(signers[0], certificate, info)
    # None is no forgery: the algorithm is unknown here, and a verifier with another library may know it.
    if is_signed is False:
        return "Its signature does not match: it was changed."
    moment = _MOMENT.fullmatch(stated[4].content.decode("ascii"))
    if moment is None:
        raise NotDer
    at = datetime.strptime(moment[1], "%Y%m%d%H%M%S")
    return OwnTimeStamp(at.replace(tzinfo=UTC), _name(certificate), bool(is_signed))


def _status(response: Node) -> Node:
    return response.of(SEQUENCE)[0].of(INTEGER)[0]


def _signer(signer: Node, certificates: Node) -> Node | None:
    """Return the certificate that the signer names, by issuer and number and by the digest that it signed."""
    _, named, _, attributes = signer.of(INTEGER, SEQUENCE, SEQUENCE, _FIRST)[:4]
    issuer, number = named.of(SEQUENCE, INTEGER)
    for certificate in certificates.parts:
        fields = certificate.of(SEQUENCE)[0].parts
        # A certificate of version 1 leaves the version out (RFC 5280, 4.1), and all fields are one place earlier.
        place = 1 if fields[0].tag == _FIRST else 0
        if (fields[place].whole, fields[place + 2].whole) == (number.whole, issuer.whole):
            return certificate if _is_named(certificate, attributes) else None
    return None


def _is_named(certificate: Node, attributes: Node) -> bool:
    # The name alone is not signed: two certificates of one key could have it. The attribute that states the digest
    # is in every token; the older form knows SHA-1 only (RFC 5816).
    for kind, default in ((SIGNING_CERTIFICATE_2, "sha256"), (SIGNING_CERTIFICATE, "sha1")):
        value = _attribute(attributes, kind)
        if value is not None:
            parts = value.of(SEQUENCE)[0].of(SEQUENCE)[0].parts
            has_algorithm = parts[0].tag == SEQUENCE
            name = HASHES.get(_id(parts[0].of(OBJECT)[0]), "") if has_algorithm else default
            return bool(name) and hashlib.new(name, certificate.whole).digest() == parts[has_algorithm].content
    return False


def _is_signed(signer: Node, certificate: Node, info: bytes) -> bool | None:
    """Return whether the certificate's key signed the attributes, and these the content; None if unknown here."""
    parts = signer.of(INTEGER, SEQUENCE, SEQUENCE, _FIRST, SEQUENCE, OCTETS)
    digest, attributes = HASHES.get(_id(parts[2].of(OBJECT)[0])), parts[3]
    kind, stated = _attribute(attributes, CONTENT_TYPE), _attribute(attributes, MESSAGE_DIGEST)
    if digest is None:
        return None
    if kind is None or stated is None or _id(kind) != TST_INFO or hashlib.new(digest, info).digest() != stated.content:
        return False
    algorithm = _id(parts[4].of(OBJECT)[0])
    fields = certificate.of(SEQUENCE)[0].parts
    key = fields[6 if fields[0].tag == _FIRST else 5].whole
    # Signed as a SET; inside the token the same bytes have the tag [0] (RFC 5652, 5.4).
    message = bytes([SET]) + attributes.whole[1:]
    return _is_signature(key, parts[5].content, message, algorithm, digest)


def _is_signature(key: bytes, signature: bytes, message: bytes, algorithm: str, digest: str) -> bool | None:
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    of_rsa = digest if algorithm == RSA_OF_DIGEST else RSA.get(algorithm)
    known = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}
    try:
        public = load_der_public_key(key)
        if isinstance(public, ec.EllipticCurvePublicKey) and algorithm in ECDSA:
            public.verify(signature, message, ec.ECDSA(known[ECDSA[algorithm]]))
        elif isinstance(public, rsa.RSAPublicKey) and of_rsa is not None:
            public.verify(signature, message, padding.PKCS1v15(), known[of_rsa])
        else:
            return None
    except (InvalidSignature, ValueError):
        return False
    except UnsupportedAlgorithm:
        return None
    return True


def _attribute(attributes: Node, kind: str) -> Node | None:
    """Return the one value of a signed attribute; None where it is missing or has several."""
    for part in attributes.parts:
        name, values = part.of(OBJECT, SET)
        if _id(name) == kind:
            found = values.parts
            return found[0] if len(found) == 1 else None
    return None


def _name(certificate: Node) -> str:
    fields = certificate.of(SEQUENCE)[0].parts
    subject = fields[5 if fields[0].tag == _FIRST else 4]
    for each in subject.parts:
        name, value = each.of(SEQUENCE)[0].parts
        if _id(name) == COMMON_NAME:
            return value.content.decode("utf-8", "replace")
    return ""


def _id(node: Node) -> str:
    return node.content.hex()
