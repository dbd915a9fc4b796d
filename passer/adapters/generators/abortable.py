"""An HTTP transport whose requests can be ended from another thread, also while the server is still silent."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from typing import Any

import httpcore
import httpx

from passer.ports.draft import CURRENT_ABORT


class AbortableTransport(httpx.HTTPTransport):
    """Shuts the socket of a request down when its `Abort` is asked for.

    Closing a response is not enough: a thread that waits for the first byte holds no response yet, and closing a socket
    does not wake who reads from it.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # httpx passes no network backend on to its pool.
        self._pool._network_backend = _WatchedBackend(self._pool._network_backend)


class _WatchedBackend(httpcore.NetworkBackend):
    def __init__(self, inner: httpcore.NetworkBackend) -> None:
        self._inner = inner

    def connect_tcp(self, *args: Any, **options: Any) -> httpcore.NetworkStream:
        return _Watched(self._inner.connect_tcp(*args, **options))

    def connect_unix_socket(self, *args: Any, **options: Any) -> httpcore.NetworkStream:
        return _Watched(self._inner.connect_unix_socket(*args, **options))

    def sleep(self, seconds: float) -> None:
        self._inner.sleep(seconds)


class _Watched(httpcore.NetworkStream):
    """A connection whose waits end when the request is unwanted."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        abort = CURRENT_ABORT.get()
        if abort is not None:
            abort.ends_by(self._shut_down)
        return self._inner.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, timeout)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _Watched(self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def _shut_down(self) -> None:
        with suppress(OSError):
            self._inner.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
