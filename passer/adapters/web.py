"""Fetching a web address, and refusing those that lead inside."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

import httpx

from passer.errors import DocumentError, TooLargeError

Resolver = Callable[[str, int], Sequence[str]]
"""Host name and port -> IP addresses; OSError where there are none."""

_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "application/pdf": ".pdf",
    "application/x-pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
}
_UNTOLD = ("", "application/octet-stream", "binary/octet-stream")
_REDIRECTS = (301, 302, 303, 307, 308)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def resolve(host: str, port: int) -> list[str]:
    """Addresses of a host as the operating system gives them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether an IP address lies in the open internet; an IPv4 address inside an IPv6 one is judged as itself."""
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


class WebFetcher:
    """Fetches http and https addresses; every hop is resolved, checked, and connected to at the checked address."""

    def __init__(
        self,
        *,
        max_bytes: int = 50 * 1024 * 1024,
        allow_private: bool = False,
        max_redirects: int = 5,
        connect_s: float = 10.0,
        total_s: float = 60.0,
        resolver: Resolver = resolve,
        verify: ssl.SSLContext | bool = True,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_bytes = max_bytes
        self._allow_private = allow_private
        self._max_redirects = max_redirects
        self._connect_s = connect_s
        self._total_s = total_s
        self._resolver = resolver
        self._verify = verify
        self._monotonic = monotonic

    def fetch(self, url: str) -> tuple[str, bytes]:
        """(name with suffix, content); DocumentError or TooLargeError says why it was not fetched."""
        until = self._monotonic() + self._total_s
        try:
            address = httpx.URL(url.strip())
            # Proxies of the environment are not used: one would connect elsewhere than to the checked address.
            with httpx.Client(verify=self._verify, trust_env=False) as client:
                for _ in range(self._max_redirects + 1):
                    answer = self._hop(client, address, until)
                    if isinstance(answer, tuple):
                        return answer
                    address = answer
        except httpx.InvalidURL as exc:
            raise DocumentError(f"{url} is not a web address: give one that begins with http:// or https://.") from exc
        except httpx.TimeoutException as exc:
            raise _too_slow(address) from exc
        except httpx.RemoteProtocolError as exc:
            raise DocumentError(f"The transfer of {address} was interrupted: try again.") from exc
        except httpx.ConnectError as exc:
            raise DocumentError(f"{address.host} cannot be reached ({exc}): check the address and try again.") from exc
        except httpx.HTTPError as exc:
            raise DocumentError(f"{address} could not be fetched ({exc}): try again, or ingest it as a file.") from exc
        raise DocumentError(f"{url} redirects more than {self._max_redirects} times: give the final address.")

    def _hop(self, client: httpx.Client, url: httpx.URL, until: float) -> tuple[str, bytes] | httpx.URL:
        """What stands at an address, or where it redirects to."""
        for ip in self._checked(url):
            request = client.build_request(
                "GET",
                url.copy_with(host=ip, fragment=None),
                headers={"Host": url.netloc.decode("ascii"), "Accept-Encoding": "identity", "User-Agent": "PaSSER"},
                extensions={"sni_hostname": url.raw_host.decode("ascii")},
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
        """Addresses of the host, at least one, all of them allowed."""
        if url.scheme not in ("http", "https") or not url.host:
            raise DocumentError(f"{url} is not a web address: give one that begins with http:// or https://.")
        if url.userinfo:
            raise DocumentError(f"The address of {url.host} holds a password: fetch the file and ingest it instead.")
        host = url.raw_host.decode("ascii").strip("[]")
        try:
            found = self._resolver(host, url.port or (443 if url.scheme == "https" else 80))
        except (OSError, UnicodeError) as exc:
            raise DocumentError(f"There is no host {url.host}: check the address.") from exc
        if not found:
            raise DocumentError(f"There is no host {url.host}: check the address.")
        # One inner address among them is enough to refuse: which one is used would otherwise be the host's choice.
        if not self._allow_private and not all(is_public(ip) for ip in found):
            raise DocumentError(
                f"{url.host} is a private or local address: allow private addresses in the settings to fetch from it."
            )
        return found

    def _left(self, url: httpx.URL, until: float) -> httpx.Timeout:
        """What remains of the time, for one connection."""
        left = until - self._monotonic()
        if left <= 0:
            raise _too_slow(url)
        return httpx.Timeout(left, connect=min(self._connect_s, left))

    def _taken(self, response: httpx.Response, url: httpx.URL, until: float) -> tuple[str, bytes] | httpx.URL:
        if response.status_code in _REDIRECTS and "location" in response.headers:
            return url.join(response.headers["location"])
        if response.status_code != 200:
            raise DocumentError(f"{url} answers with status {response.status_code}: check the address.")
        media, charset = _media_type(response)
        suffix = _SUFFIXES.get(media) or PurePosixPath(url.path).suffix.lower()
        if media not in _SUFFIXES and (media not in _UNTOLD or suffix not in (*_SUFFIXES.values(), ".htm")):
            raise DocumentError(
                f"{url} is of type {media or 'unknown'}: give a web page, text, Markdown, a PDF or a Word document."
            )
        content = self._body(response, url, until)
        if media.startswith("text/"):
            content = _as_utf8(content, charset, url)
        stem = PurePosixPath(url.path).stem or url.host
        return f"{stem}{suffix}", content

    def _body(self, response: httpx.Response, url: httpx.URL, until: float) -> bytes:
        """The whole body, refused as soon as it is known to be too large or too slow."""
        limit = f"{self._max_bytes / 2**20:g} MB"
        too_large = TooLargeError(f"{url} is larger than {limit}: raise the limit in the settings, or split it.")
        if int(response.headers.get("content-length", 0)) > self._max_bytes:
            raise too_large
        parts, size = [], 0
        for part in response.iter_bytes(65536):
            parts.append(part)
            size += len(part)
            if size > self._max_bytes:
                raise too_large
            if self._monotonic() > until:
                raise _too_slow(url)
        return b"".join(parts)


def _too_slow(url: httpx.URL) -> DocumentError:
    return DocumentError(f"{url} did not answer in time: try again, or ingest it as a file.")


def _media_type(response: httpx.Response) -> tuple[str, str | None]:
    media = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return media, response.charset_encoding


def _as_utf8(content: bytes, charset: str | None, url: httpx.URL) -> bytes:
    """The same text as UTF-8 where the server names another charset; the readers take nothing else."""
    if charset is None or charset.lower().replace("_", "-") in ("utf-8", "utf8", "us-ascii"):
        return content
    try:
        return content.decode(charset).encode()
    except (LookupError, UnicodeError) as exc:
        raise DocumentError(f"{url} is not in the charset {charset} that it names: ingest it as a file.") from exc
