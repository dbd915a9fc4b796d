"""Access to Chroma: an embedded directory that one process uses at a time, or a server with bounded waits."""

from __future__ import annotations

import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from passer.domain.extras import requires_extra
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import IndexUnavailable, NotFoundError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from filelock import FileLock


class Connection(Protocol):
    """Opens sessions with a Chroma client."""

    def session(self, *, writing: bool = False) -> AbstractContextManager[ClientAPI]:
        """Return a context manager that yields a client; IndexUnavailable if Chroma does not answer or is busy."""

    def close(self) -> None:
        """Close the client; a later session opens it again."""


@contextmanager
def _translated(place: str, failed: Callable[[Exception], Sentence]) -> Iterator[None]:
    """Translate Chroma's errors into PaSSER's; `failed` makes the message for a failure of the store itself."""
    missing, failures = load_chroma()
    try:
        yield
    except missing as exc:
        raise NotFoundError(sentence("store.gone", place=place)) from exc
    except failures as exc:
        raise IndexUnavailable(failed(exc)) from exc


@cache
def load_chroma() -> tuple[type[Exception], tuple[type[Exception], ...]]:
    """Return Chroma's error of a missing collection, and those of a failing store; IndexUnavailable without Chroma."""
    import httpx

    with requires_extra("retrieval", sentence("extra.vectors"), IndexUnavailable):
        from chromadb import errors
    return errors.NotFoundError, (errors.ChromaError, httpx.HTTPError, sqlite3.Error, OSError)


def _settings(**values: Any) -> Any:
    from chromadb.config import Settings

    # Chroma would read a .env file in the working directory; that file belongs to the user's project.
    return Settings(_env_file=None, anonymized_telemetry=False, **values)


class EmbeddedDirectory:
    """A directory of embedded Chroma, safe among threads and processes.

    Every session holds an inter-process lock, so Chroma is never touched by two processes at once; a session that
    writes leaves a new mark in the directory, and a process that finds another mark than its own opens Chroma again
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
        """Return this process's single object for a directory. Chroma shares state by path as well."""
        with cls._sharing:
            return cls._shared.setdefault(path.resolve(), cls(path.resolve(), wait_s=wait_s))

    @contextmanager
    def session(self, *, writing: bool = False) -> Iterator[ClientAPI]:
        """Yield Chroma's client exclusively to this thread; IndexUnavailable after `wait_s`."""
        with self.still(), _translated(str(self._path), self._unreadable):
            client = self._opened()
            if writing:
                self._leave_mark()
            yield client

    @contextmanager
    def still(self) -> Iterator[None]:
        """Keep everyone from writing, so that the files can be copied; IndexUnavailable after `wait_s`."""
        if not self._threads.acquire(timeout=self._wait_s):
            raise self._busy()
        try:
            with self._lock():
                yield
        finally:
            self._threads.release()

    def close(self) -> None:
        """Close the client."""
        with self._threads:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _unreadable(self, cause: Exception) -> Sentence:
        return sentence("store.unreadable", place=str(self._path), cause=str(cause))

    def _busy(self) -> IndexUnavailable:
        return IndexUnavailable(sentence("store.busy", path=str(self._path)))

    @contextmanager
    def _lock(self) -> Iterator[None]:
        held = self._acquired()
        try:
            yield
        finally:
            held.release()

    def _acquired(self) -> FileLock:
        try:
            if self._processes is None:
                self._processes = self._new_lock()
            self._processes.acquire(timeout=self._wait_s, poll_interval=0.01)
        except TimeoutError as exc:  # Of filelock, which is imported by `_new_lock`.
            raise self._busy() from exc
        except OSError as exc:
            raise IndexUnavailable(sentence("store.locked", path=str(self._path), cause=str(exc))) from exc
        return self._processes

    def _new_lock(self) -> FileLock:
        with requires_extra("retrieval", sentence("extra.vectors"), IndexUnavailable):
            from filelock import FileLock
        self._path.mkdir(parents=True, exist_ok=True)
        return FileLock(self._path / "passer.lock", thread_local=False)

    def _opened(self) -> ClientAPI:
        import chromadb

        mark = self._read_mark()
        if self._client is not None and mark != self._mark:
            self._client.close()
            self._client = None
        if self._client is None:
            self._refuse_older()
            self._client = chromadb.PersistentClient(path=str(self._path), settings=_settings())
            self._mark = mark
        return self._client

    def _refuse_older(self) -> None:
        """Raise IndexUnavailable for a folder of Chroma 0.x: Chroma 1.x would convert half of it and find nothing."""
        file = self._path / "chroma.sqlite3"
        if not file.exists():
            return
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as database:
            known = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'max_seq_id'").fetchone()
            # Only 0.x stores these numbers as bytes.
            older = known and database.execute("SELECT 1 FROM max_seq_id WHERE typeof(seq_id) = 'blob'").fetchone()
        if older:
            raise IndexUnavailable(sentence("store.older", path=str(self._path)))

    def _read_mark(self) -> str:
        file = self._path / "passer.mark"
        return file.read_text() if file.exists() else ""

    def _leave_mark(self) -> None:
        """Set the mark before the first write, so that a kill in the middle is noticed too."""
        self._mark = uuid.uuid4().hex
        (self._path / "passer.mark").write_text(self._mark)


BEAT_S = 5.0
"""Seconds within which a server must answer a heartbeat; a search may take far longer."""


class ChromaServer:
    """Client of a Chroma server, which serves any number of processes."""

    def __init__(self, url: str, *, database: str | None = None, wait_s: float = 60.0) -> None:
        """Prepare a client; `database` names the one to use, which is made if it is new; None: the default one."""
        import httpx

        self._url = httpx.URL(url)
        self._database = database
        self._timeout = httpx.Timeout(wait_s, connect=min(5.0, wait_s))
        self._opening = threading.Lock()
        self._client: ClientAPI | None = None
        self._heard = float("-inf")

    @contextmanager
    def session(self, *, writing: bool = False) -> Iterator[ClientAPI]:
        """Yield a client of the server; IndexUnavailable if it does not answer in time."""
        with _translated(str(self._url), self._failed):
            self._listen()
            yield self._opened()
            self._heard = time.monotonic()

    def _listen(self) -> None:
        """Send a heartbeat request, unless the server answered recently.

        Without it, a page would wait for an unresponsive server as long as the longest search may take.
        """
        import httpx

        if time.monotonic() - self._heard < BEAT_S:
            return
        wait_s = min(BEAT_S, self._timeout.read or BEAT_S)
        beat = httpx.get(self._url.join("/api/v2/heartbeat"), timeout=wait_s)
        beat.raise_for_status()
        self._heard = time.monotonic()

    def _failed(self, cause: Exception) -> Sentence:
        import httpx

        place = str(self._url)
        # The sentence states a connection failure in the reader's language; the English cause would add nothing.
        if isinstance(cause, httpx.TransportError):
            return sentence("store.away", place=place, port=self._url.port or 8000)
        return sentence("store.failed", place=place, cause=str(cause))

    def close(self) -> None:
        with self._opening:
            if self._client is not None:
                for session in _http_sessions(self._client):
                    session.close()
                self._client.close()
                self._client = None

    def _opened(self) -> ClientAPI:
        import chromadb

        with self._opening:
            if self._client is None:
                # Chroma's own client waits without a limit: it is opened when the server answers, then bounded.
                self._make_database()
                try:
                    client = chromadb.HttpClient(
                        database=self._database or chromadb.DEFAULT_DATABASE,
                        host=self._url.host,
                        port=self._url.port or (443 if self._url.scheme == "https" else 8000),
                        ssl=self._url.scheme == "https",
                        settings=_settings(),
                    )
                except ValueError as exc:  # Chroma raises ValueError when it cannot connect.
                    raise ConnectionError(str(exc)) from exc
                for session in _http_sessions(client):
                    session.timeout = self._timeout
                self._client = client
            return self._client

    def _make_database(self) -> None:
        import httpx

        if self._database is None:
            return
        made = httpx.post(
            self._url.join("/api/v2/tenants/default_tenant/databases"),
            json={"name": self._database},
            timeout=self._timeout,
        )
        if made.status_code != httpx.codes.CONFLICT:  # It is there already.
            made.raise_for_status()


def _http_sessions(client: ClientAPI) -> list[Any]:
    """Return the httpx clients inside Chroma's client, for which it neither sets limits nor closes connections."""
    return [client._server._session, client._admin_client._server._session]
