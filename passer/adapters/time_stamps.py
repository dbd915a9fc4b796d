"""Time stamps of an authority (RFC 3161, by rfc3161-client), which prove that a file existed at a time.

The home folder of a project keeps them as files: DIGEST.tsr.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from passer.adapters.web import Deadline
from passer.domain.bundle.time_stamp import GRANTED, GRANTED_WITH_MODS, as_granted
from passer.domain.extras import requires_extra
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, InputError, UnavailableError

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from rfc3161_client import TimeStampRequest, TimeStampResponse


_WITHIN_S = 30.0
_MOST_BYTES = 256 * 1024
"""Largest reply; real ones have 2 to 8 KB."""


@dataclass(frozen=True)
class TimeStamp:
    """Time, authority and digest that a time stamp states."""

    at: datetime
    """Time at which the authority saw the digest of the file, UTC."""
    authority: str
    """Name of the certificate that signed it, as RFC 4514 writes it."""
    serial_number: int
    """The authority's number of it."""


def stamped(content: bytes, authority: str) -> bytes:
    """Have an authority stamp the SHA-256 of the content, and return its reply (the content of a .tsr file).

    The authority receives the digest only. UnavailableError if it does not answer; InputError if it refuses, or if the
    reply is for other content. `time_stamp` checks whether the signature can be trusted.
    """
    with requires_extra("provenance", sentence("extra.time-stamps")):
        from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

    if not content:
        raise InputError(sentence("stamp.empty"))
    request = TimestampRequestBuilder(data=content, hash_algorithm=HashAlgorithm.SHA256, cert_req=True).build()
    reply = _sent(request.as_bytes(), authority)
    _check_reply(_read(reply, authority), request, authority)
    return reply


def time_stamp(reply: bytes, content: bytes, roots: Sequence[Certificate], *, name: str) -> TimeStamp | str:
    """Return the time stamp of the content, or the reason why it proves nothing; InputError if it is no time stamp.

    A certificate chain must connect its signature to one of the roots; its certificates must have been valid at the
    time of the stamp and be intended for time stamping.
    """
    with requires_extra("provenance", sentence("extra.time-stamps")):
        from rfc3161_client import VerificationError, VerifierBuilder

    # The library takes no grant with modifications; what is signed is the same, and is what is checked.
    found = _read(as_granted(reply), name)
    try:
        VerifierBuilder(roots=list(roots)).build().verify_message(found, content)
    except (VerificationError, ValueError) as exc:  # parts of a reply are parsed when they are read
        return str(exc)
    return TimeStamp(found.tst_info.gen_time, _signer(found), found.tst_info.serial_number)


def stamp_check(roots: Sequence[Certificate]) -> Callable[[bytes, bytes], str | None]:
    """Return a function of a reply and a content: why the stamp does not lead to one of the roots; None if it does."""

    def problem(reply: bytes, content: bytes) -> str | None:
        try:
            found = time_stamp(reply, content, roots, name="It")
        except ConfigError:
            raise
        except InputError as exc:
            return exc.message
        return found if isinstance(found, str) else None

    return problem


def certificates_of(pem: bytes, *, name: str) -> list[Certificate]:
    """Return the certificates of a PEM file; InputError if it has none."""
    from cryptography.x509 import load_pem_x509_certificates

    try:
        return load_pem_x509_certificates(pem)
    except ValueError as exc:
        raise InputError(sentence("stamp.no-certificate", name=name)) from exc


def _sent(request: bytes, authority: str) -> bytes:
    headers = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
    try:
        # A timeout of httpx counts from byte to byte: an authority that sends one now and then would never end.
        with (
            Deadline(_WITHIN_S) as deadline,
            httpx.Client(timeout=_WITHIN_S) as client,
            client.stream(
                "POST", authority, content=request, headers=headers, extensions={"trace": deadline.trace}
            ) as answer,
        ):
            body = bytearray()
            for part in answer.iter_bytes():
                body += part
                if len(body) > _MOST_BYTES:
                    raise InputError(sentence("stamp.too-long", authority=authority))
            if deadline.is_over:
                raise httpx.ReadTimeout(f"more than {_WITHIN_S:g} s")
    except (httpx.HTTPError, httpx.InvalidURL) as exc:
        raise UnavailableError(
            sentence("stamp.none", authority=authority, cause=str(exc) or type(exc).__name__)
        ) from exc
    if answer.status_code != 200:
        raise UnavailableError(sentence("stamp.status", authority=authority, status=str(answer.status_code)))
    return bytes(body)


def _read(reply: bytes, name: str) -> TimeStampResponse:
    from rfc3161_client import decode_timestamp_response

    try:
        return decode_timestamp_response(reply)
    except ValueError as exc:
        raise InputError(sentence("stamp.unreadable", name=name)) from exc


def _check_reply(found: TimeStampResponse, request: TimeStampRequest, authority: str) -> None:
    if found.status not in (GRANTED, GRANTED_WITH_MODS):
        reason = " ".join(found.status_string) or f"status {found.status}"
        raise InputError(sentence("stamp.refused", authority=authority, reason=reason))
    try:
        info = found.tst_info
        is_other = (info.nonce, info.message_imprint.message) != (request.nonce, request.message_imprint.message)
    except ValueError:
        is_other = True
    if is_other:
        raise InputError(sentence("stamp.other", authority=authority))


def _signer(found: TimeStampResponse) -> str:
    from cryptography.x509 import load_der_x509_certificate

    [signer] = found.signed_data.signer_infos
    certificates = map(load_der_x509_certificate, found.signed_data.certificates)
    return next(
        each.subject.rfc4514_string()
        for each in certificates
        if (each.issuer, each.serial_number) == (signer.issuer, signer.serial_number)
    )


class StampFiles:
    """ports.StampStore; a stamp that is there stays, because an older one shows more."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def stamp(self, digest: str) -> bytes | None:
        try:
            return self._path(digest).read_bytes()
        except FileNotFoundError:
            return None

    def keep(self, digest: str, reply: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(digest)
        # A name of its own: another process may keep a stamp of the same digest now.
        partial = path.with_suffix(f".{secrets.token_hex(8)}.part")
        partial.write_bytes(reply)
        try:
            # A link and no renaming: it fails where another process has kept an older stamp in this moment.
            path.hardlink_to(partial)
        except FileExistsError:
            pass
        except OSError:
            # A file system without links.
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def _path(self, digest: str) -> Path:
        return self._folder / f"{digest}.tsr"
