"""Reaching Chroma: an embedded directory that one process touches at a time, or a server with bounded waits."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from passer.errors import IndexUnavailable, NotFoundError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from filelock import FileLock


class Connection(Protocol):
    """A way to a Chroma client."""

    def session(self, *, writing: bool = False) -> AbstractContextManager[ClientAPI]:
        """Context manager that gives a client; IndexUnavailable where Chroma is gone or busy for too long."""
        ...

    def close(self) -> None:
        """Let go of the client; a later session opens it again."""
        ...


@contextmanager
def _translated(place: str, advice: str) -> Iterator[None]:
    """Chroma's errors as ours, once."""
    import httpx
    from chromadb import errors

    try:
        yield
    except errors.NotFoundError as exc:
        raise NotFoundError(f"The collection is no longer in {place}: ingest its documents again.") from exc
    except (errors.ChromaError, httpx.HTTPError, OSError) as exc:
        raise IndexUnavailable(f"The vector store at {place} does not answer ({exc}): {advice}") from exc


def _settings(**values: Any) -> Any:
    from chromadb.config import Settings

    # A .env file in the working directory is not Chroma's to read.
    return Settings(_env_file=None, anonymized_telemetry=False, **values)


class EmbeddedDirectory:
    """A directory of embedded Chroma, safe among threads and processes.

    Every session holds an inter-process lock, so Chroma is never touched by two processes at once; a session that
    writes leaves a new mark in the directory, and a process that finds another mark than its own opens Chroma anew
    instead of trusting what it holds in memory.
    """

    _shared: ClassVar[dict[Path, EmbeddedDirectory]] = {}
    _sharing: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, path: Path, *, wait_s: float) -> None:
        self._path = path
        self._wait_s = wait_s
        self._threads = threading.RLock()
        self._processes: FileLock | None = None
        self._client: ClientAPI | None = None
        self._mark = ""

    @classmethod
    def at(cls, path: Path, *, wait_s: float = 60.0) -> EmbeddedDirectory:
        """The one object of this process for a directory: Chroma shares its own state by path too."""
        with cls._sharing:
            return cls._shared.setdefault(path.resolve(), cls(path.resolve(), wait_s=wait_s))

    @contextmanager
    def session(self, *, writing: bool = False) -> Iterator[ClientAPI]:
        """Chroma's client, for this thread of this process alone; IndexUnavailable after `wait_s`."""
        with self.still(), _translated(str(self._path), "check the directory and the disk's free space."):
            client = self._opened()
            if writing:
                self._leave_mark()
            yield client

    @contextmanager
    def still(self) -> Iterator[None]:
        """Nobody touches the directory meanwhile, so that its files can be copied; IndexUnavailable after `wait_s`."""
        if not self._threads.acquire(timeout=self._wait_s):
            raise self._busy()
        try:
            with self._lock():
                yield
        finally:
            self._threads.release()

    def close(self) -> None:
        """Let go of the client."""
        with self._threads:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _busy(self) -> IndexUnavailable:
        return IndexUnavailable(
            f"Another process is using the collections in {self._path}: wait for it, or run "
            f"`chroma run --path {self._path}` and set PASSER_CHROMA_URL for both."
        )

    @contextmanager
    def _lock(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        try:
            if self._processes is None:
                self._path.mkdir(parents=True, exist_ok=True)
                self._processes = FileLock(self._path / "passer.lock", thread_local=False)
            self._processes.acquire(timeout=self._wait_s, poll_interval=0.01)
        except Timeout as exc:
            raise self._busy() from exc
        except OSError as exc:
            raise IndexUnavailable(
                f"The collections in {self._path} cannot be locked ({exc}): choose a directory that can be written."
            ) from exc
        try:
            yield
        finally:
            self._processes.release()

    def _opened(self) -> ClientAPI:
        import chromadb

        mark = self._read_mark()
        if self._client is not None and mark != self._mark:
            self._client.close()
            self._client = None
        if self._client is None:
            self._client = chromadb.PersistentClient(path=str(self._path), settings=_settings())
            self._mark = mark
        return self._client

    def _read_mark(self) -> str:
        file = self._path / "passer.mark"
        return file.read_text() if file.exists() else ""

    def _leave_mark(self) -> None:
        """Before the first write, so that a kill in the middle is seen as well."""
        self._mark = uuid.uuid4().hex
        (self._path / "passer.mark").write_text(self._mark)


class ChromaServer:
    """A Chroma server, which serves any number of processes by itself."""

    def __init__(self, url: str, *, headers: Mapping[str, str] | None = None, wait_s: float = 60.0) -> None:
        import httpx

        self._url = httpx.URL(url)
        self._headers = dict(headers or {})
        self._timeout = httpx.Timeout(wait_s, connect=min(5.0, wait_s))
        self._opening = threading.Lock()
        self._client: ClientAPI | None = None

    @contextmanager
    def session(self, *, writing: bool = False) -> Iterator[ClientAPI]:
        """A client of the server; IndexUnavailable where it does not answer in time."""
        place = str(self._url)
        with _translated(place, f"start it with `chroma run --port {self._url.port or 8000}`, or check its address."):
            yield self._opened()

    def close(self) -> None:
        """Close the connections."""
        with self._opening:
            if self._client is not None:
                for session in _http_sessions(self._client):
                    session.close()
                self._client.close()
                self._client = None

    def _opened(self) -> ClientAPI:
        import chromadb
        import httpx

        with self._opening:
            if self._client is None:
                # Chroma's own client waits without end: ask first whether anybody answers, then bound its waits too.
                beat = httpx.get(self._url.join("/api/v2/heartbeat"), headers=self._headers, timeout=self._timeout)
                beat.raise_for_status()
                try:
                    client = chromadb.HttpClient(
                        host=self._url.host,
                        port=self._url.port or (443 if self._url.scheme == "https" else 8000),
                        ssl=self._url.scheme == "https",
                        headers=self._headers,
                        settings=_settings(),
                    )
                except ValueError as exc:  # how it says that it could not connect
                    raise ConnectionError(str(exc)) from exc
                for session in _http_sessions(client):
                    session.timeout = self._timeout
                self._client = client
            return self._client


def _http_sessions(client: ClientAPI) -> list[Any]:
    """The httpx clients inside Chroma's, which it neither bounds nor closes."""
    return [client._server._session, client._admin_client._server._session]
