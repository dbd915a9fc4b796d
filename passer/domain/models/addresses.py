"""Addresses of servers, as people write them."""

from __future__ import annotations


def whole_address(value: str, *, port: int | None = None) -> str:
    """Return an address with its scheme and without a trailing slash.

    One without a scheme gets http and, where it names no port, `port`. 0.0.0.0 is where a server listens, not where it
    is reached.
    """
    if "://" not in value:
        host = value.rstrip("/")
        has_port = host.rpartition(":")[2].isdigit() and not host.endswith("]") and host.count(":") != 7
        value = f"http://{host}" if has_port or port is None or not host else f"http://{host}:{port}"
    return value.replace("//0.0.0.0", "//127.0.0.1").rstrip("/")
