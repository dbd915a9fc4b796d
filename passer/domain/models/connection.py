"""Model servers that were connected on the page or the command line, and which addresses they may have."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, computed_field, model_validator

from passer.domain.base import Frozen
from passer.domain.models.model import ConnectedKind
from passer.domain.models.reply_places import ReplyPlaces
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

KeyPlace = Literal["none", "stored", "environment"]
"""Place of a model server's key."""
KEY_VARIABLE = r"^PASSER_KEY_[A-Z0-9_]{1,60}$"
"""Environment variables that a connection may name. Any other could send a secret of the server to an address."""
KEY_ADDRESS = "_URL"
"""Ending of the variable with the address that a key belongs to: PASSER_KEY_LAB is sent to PASSER_KEY_LAB_URL alone."""
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$"


class ServerAddress(Frozen):
    """A model server by its name, and how it is reached."""

    name: str = Field(pattern=NAME)
    """Name by which models and experiments refer to it."""
    kind: ConnectedKind
    """API of the server."""
    url: str = Field(min_length=1, max_length=500)
    """Its address."""
    key_variable: str | None = Field(default=None, pattern=KEY_VARIABLE)
    """Environment variable that contains its key."""
    places: ReplyPlaces | None = None
    """Places of question, answer and passages in the requests and replies of a RAG system; None for the usual names."""

    @model_validator(mode="after")
    def _check_places(self) -> Self:
        if self.places is not None and self.kind != "outside":
            raise ValueError(sentence("connection.no-places"))
        return self


class NewConnection(ServerAddress):
    """A model server to connect or to test."""

    api_key: SecretStr | None = Field(default=None, max_length=2000)
    """Its key, to be stored encrypted; without one, the key that is stored for the same address is kept."""


class Connection(ServerAddress):
    """A connected model server."""

    sealed_key: str | None = Field(default=None, exclude=True, repr=False)
    """Its key, encrypted; never part of an answer."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def key(self) -> KeyPlace:
        """Place of its key: nowhere, stored by PaSSER, or in an environment variable."""
        return "environment" if self.key_variable else "stored" if self.sealed_key else "none"


def server_address(url: str, *, allowed: Sequence[str], is_alone: bool) -> str:
    """Return the address without a trailing slash; ConfigError says why it may not be connected.

    `allowed` holds host names, `host:port` pairs and networks (10.0.0.0/8). Where one person uses PaSSER on their own
    machine (`is_alone`) and nothing is listed, every host is allowed: a request to it says nothing that this person
    could not ask themselves. On a shared server a user would otherwise reach services that only the server reaches.
    """
    full = url.strip() if "://" in url else f"http://{url.strip()}"
    try:
        parts = urlsplit(full)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        host, port = "", None
    # A comma separates the addresses of one model elsewhere: what follows it would never be checked.
    is_plain = full.isascii() and full.isprintable() and not set(full) & {",", " "}
    if not host or not is_plain or parts.scheme not in ("http", "https"):
        raise ConfigError(sentence("connection.no-address", url=url), field="url")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigError(sentence("connection.bare-address"), field="url")
    if not ((is_alone and not allowed) or any(_covers(rule, host, port) for rule in allowed)):
        raise ConfigError(sentence("connection.not-allowed", host=host), field="url")
    return full.rstrip("/")


def is_same_server(one: str, other: str) -> bool:
    """Return whether two addresses have the same scheme, host and port; what follows them does not matter."""
    return _origin(one) == _origin(other) is not None


def _origin(url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(url.strip())
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname and port else None


_PORTS = {"http": 80, "https": 443}


_NAT64 = IPv6Network("64:ff9b::/96")
_AWS_METADATA = IPv6Address("fd00:ec2::254")


def is_reserved(ip: str) -> bool:
    """Return whether no model server can be there: link-local addresses hold the credentials of cloud machines."""
    address = ip_address(ip.partition("%")[0])
    inner: IPv4Address | IPv6Address = address
    if isinstance(address, IPv6Address):
        translated = IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
        inner = address.ipv4_mapped or address.sixtofour or translated or address
    return bool(inner.is_link_local or inner.is_multicast or inner.is_unspecified or inner == _AWS_METADATA)


def _covers(rule: str, host: str, port: int | None) -> bool:
    rule = rule.strip().lower()
    if "/" in rule:
        try:
            return ip_address(host) in ip_network(rule, strict=False)
        except ValueError:
            return False
    return rule in (host, f"{host}:{port}")
