"""Fetches web addresses and refuses those that lead into private networks."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from threading import Timer
from typing import Any

import httpx

from passer.adapters.encodings import decoded_from
from passer.domain.wording.sentence import sentence
from passer.errors import DocumentError, TooLargeError

Resolver = Callable[[str, int], Sequence[str]]
"""Resolves host name and port to IP addresses; OSError if there are none."""

MEDIA_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "application/pdf": ".pdf",
    "application/x-pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
}
"""End of a document's name by the media type that a web server states."""
_UNTOLD = ("", "application/octet-stream", "binary/octet-stream")
_REDIRECTS = (301, 302, 303, 307, 308)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def resolve(host: str, port: int) -> list[str]:
    """Resolve a host by the operating system."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Return whether an IP address is public; an IPv4 address inside an IPv6 one is judged itself."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if ip.is_site_local:
            return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


@dataclass(frozen=True, kw_only=True)
class WebFetcher:
    """Fetches http and https addresses. Each hop is resolved and checked; the connection uses the checked address."""

    max_bytes: int = 50 * 1024 * 1024
    allow_private: bool = False
    max_redirects: int = 5
    connect_s: float = 10.0
    read_s: float = 20.0
    total_s: float = 60.0
    resolver: Resolver = resolve
    verify: ssl.SSLContext | bool = True
    monotonic: Callable[[], float] = time.monotonic

    def fetch(self, url: str) -> tuple[str, bytes]:
        until = self.monotonic() + self.total_s
        try:
            address = _address(url.strip())
            # Environment proxies are ignored: a proxy would connect to an address that was not checked.
            with httpx.Client(verify=self.verify, trust_env=False) as client, Deadline(self.total_s) as deadline:
                for _ in range(self.max_redirects + 1):
                    answer = self._hop(client, address, until, deadline)
                    if isinstance(answer, tuple):
                        return answer
                    address = answer
        except httpx.InvalidURL as exc:
            raise DocumentError(sentence("web.no-address", url=str(url))) from exc
        except httpx.TimeoutException as exc:
            raise _too_slow(address) from exc
        except (httpx.RemoteProtocolError, httpx.ReadError) as exc:
            if self.monotonic() >= until:
                raise _too_slow(address) from exc
            raise DocumentError(sentence("web.interrupted", address=str(address))) from exc
        except httpx.ConnectError as exc:
            raise DocumentError(sentence("web.unreachable", host=address.host, why=str(exc))) from exc
        except httpx.HTTPError as exc:
            raise DocumentError(sentence("web.failed", address=str(address), why=str(exc))) from exc
        raise DocumentError(sentence("web.redirects", url=str(url), most=self.max_redirects))

    def _hop(
        self, client: httpx.Client, url: httpx.URL, until: float, deadline: Deadline
    ) -> tuple[str, bytes] | httpx.URL:
        """Return the content of an address, or the address that it redirects to."""
        for ip in self._checked(url):
            request = client.build_request(
                "GET",
                url.copy_with(host=ip, fragment=None),
                headers={"Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity", "User-Agent": "PaSSER"},
                extensions={"sni_hostname": url.raw_host.decode("ascii"), "trace": deadline.trace},
                timeout=self._left(url, until),
            )
            try:
                response = client.send(request, stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout) as exc:
                failure = exc
                continue
            try:
                return self._taken(response, url, until)
            finally:
                response.close()
        raise failure

    def _checked(self, url: httpx.URL) -> Sequence[str]:
        """Return the addresses of a host: at least one, and all of them public."""
        if url.scheme not in ("http", "https") or not url.host:
            raise DocumentError(sentence("web.no-address", url=str(url)))
        if url.userinfo:
            raise DocumentError(sentence("web.password", host=url.host))
        host = url.raw_host.decode("ascii").strip("[]")
        try:
            found = self.resolver(host, url.port or (443 if url.scheme == "https" else 80))
        except (OSError, UnicodeError) as exc:
            raise DocumentError(sentence("web.no-host", host=url.host)) from exc
        if not found:
            raise DocumentError(sentence("web.no-host", host=url.host))
        # One private address is enough to refuse: otherwise the host could choose which one is used.
        if not self.allow_private and not all(is_public(ip) for ip in found):
            raise DocumentError(sentence("web.private", host=url.host))
        return found

    def _left(self, url: httpx.URL, until: float) -> httpx.Timeout:
        """Return the longest silence, within the remaining time."""
        left = until - self.monotonic()
        if left <= 0:
            raise _too_slow(url)
        return httpx.Timeout(min(self.read_s, left), connect=min(self.connect_s, left))

    def _taken(self, response: httpx.Response, url: httpx.URL, until: float) -> tuple[str, bytes] | httpx.URL:
        if response.status_code in _REDIRECTS and "location" in response.headers:
            return _address(str(url.join(response.headers["location"])))
        if response.status_code != 200:
            raise DocumentError(sentence("web.status", url=str(url), status=response.status_code))
        media, charset = _media_type(response)
        suffix = MEDIA_SUFFIXES.get(media) or PurePosixPath(url.path).suffix.lower()
        if media not in MEDIA_SUFFIXES and (media not in _UNTOLD or suffix not in (*MEDIA_SUFFIXES.values(), ".htm")):
            raise DocumentError(sentence("web.kind", url=str(url), kind=media or "unknown"))
        content = self._body(response, url, until)
        if media.startswith("text/"):
            content = _as_utf8(content, charset, url)
        stem = PurePosixPath(url.path).stem or url.host
        return f"{stem}{suffix}", content

    def _body(self, response: httpx.Response, url: httpx.URL, until: float) -> bytes:
        """Read the body; refuse it as soon as it is too large or too slow."""
        limit = f"{self.max_bytes / 2**20:g} MB"
        too_large = TooLargeError(sentence("web.too-large", url=str(url), limit=limit))
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        # A small compressed body can unpack to any size.
        if encoding not in ("", "identity"):
            raise DocumentError(sentence("web.compressed", url=str(url), encoding=encoding[:40]))
        length = response.headers.get("content-length", "")
        if length.isdigit() and int(length) > self.max_bytes:
            raise too_large
        parts, size = [], 0
        # Read as it arrives: waiting for a full block would allow one byte every few seconds without end.
        for part in response.iter_raw():
            parts.append(part)
            size += len(part)
            if size > self.max_bytes:
                raise too_large
            if self.monotonic() > until:
                raise _too_slow(url)
        # A body without a length ends where its connection was cut.
        if self.monotonic() > until:
            raise _too_slow(url)
        return b"".join(parts)


class Deadline:
    """Closes the connection in use when the time is over: a timeout counts from byte to byte, also within headers."""

    def __init__(self, seconds: float) -> None:
        self._timer = Timer(seconds, self._cut)
        self._timer.daemon = True
        self.is_over = False
        """Whether the time was over before the end, so that an answer may lack its rest."""
        self._sockets: list[socket.socket] = []

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Remember each socket that httpcore opens."""
        if event == "connection.connect_tcp.complete":
            self._sockets.append(info["return_value"].get_extra_info("socket"))
            if self.is_over:
                self._cut()

    def _cut(self) -> None:
        self.is_over = True
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


def _address(text: str) -> httpx.URL:
    """Return an address whose host can be read; httpx.InvalidURL for others, such as http://xn--/."""
    try:
        address = httpx.URL(text)
        _ = address.host
    except (UnicodeError, ValueError, IndexError) as exc:
        raise httpx.InvalidURL(f"{text[:200]} has no readable host") from exc
    return address


def _too_slow(url: httpx.URL) -> DocumentError:
    return DocumentError(sentence("web.late", url=str(url)))


def _media_type(response: httpx.Response) -> tuple[str, str | None]:
    media = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return media, response.charset_encoding


def _as_utf8(content: bytes, charset: str | None, url: httpx.URL) -> bytes:
    """Re-encode text to UTF-8 if the server names another charset; the readers accept only UTF-8."""
    if charset is None or charset.lower().replace("_", "-") in ("utf-8", "utf8", "us-ascii"):
        return content
    try:
        return decoded_from(content, charset).encode("utf-8", "replace")
    except (LookupError, UnicodeError) as exc:
        raise DocumentError(sentence("web.charset", url=str(url), charset=charset)) from exc
