"""Scoring in processes of its own: Python runs one thread of a process at a time, whatever the number of cores.

Splitting sentences, matching words and preparing the encoder's passes are Python; beside asking and committing they
fill one interpreter at about a hundred pairs a second. Every further process has an interpreter of its own, and an
encoder (about 500 MB). Values are the same bytes as in this process: a pair's scores depend on that pair alone.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context, parent_process
from threading import Lock, Thread

from passer.domain.score import Scores, VectorProfile
from passer.domain.texts.words import ENGLISH
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, EngineUnavailable, PasserError
from passer.ports import Scorer, Workers

TRIES = 3
"""Tries of one batch: a process that the system ended is started again, one that this batch ends each time is not."""


class ScoringProcesses:
    """ports.Scorer over `processes` child processes, started at the first batch; thread-safe.

    `there` builds the scorer of a child and must be picklable; `here` states what the values depend on.
    """

    def __init__(self, there: Callable[[], Workers], *, here: Callable[[], Scorer], processes: int) -> None:
        self._there, self._here, self._processes = there, here, processes
        self._lock = Lock()
        self._pool: ProcessPoolExecutor | None = None

    @property
    def identity(self) -> Mapping[str, str]:
        return self._here().identity

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = ENGLISH
    ) -> list[Scores]:
        """Scores of a batch by one of the processes; EngineUnavailable where they end again and again."""
        batch = list(pairs)
        for _ in range(TRIES):
            pool = self._started()
            try:
                identity, scores = pool.submit(_score, batch, profile, language).result()
            except BrokenProcessPool:
                self._forget(pool)
                continue
            # Compared for each batch: WordNet may have been installed between the starts of two processes.
            if identity != dict(self.identity):
                raise ConflictError(sentence("engine.other-encoder"))
            return scores
        raise EngineUnavailable(sentence("engine.processes-ended", n=TRIES))

    def close(self) -> None:
        """End the processes. The batch in progress is finished first; waiting batches are abandoned."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def _started(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                # Spawned, not forked: a fork copies locks that other threads hold, and can hang on them.
                self._pool = ProcessPoolExecutor(
                    self._processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(self._there,)
                )
            return self._pool

    def _forget(self, broken: ProcessPoolExecutor) -> None:
        """Give up a broken pool, so that the next batch starts new processes."""
        # Several threads may report the same broken pool; a new one must not be discarded.
        with self._lock:
            if self._pool is broken:
                self._pool = None
        broken.shutdown(wait=False, cancel_futures=True)


_there: Callable[[], Workers] | None = None
"""Function that builds the scorer of a scoring process."""


def _begin(there: Callable[[], Workers]) -> None:
    """Prepare a scoring process: leave Ctrl-C to the parent, and end when the parent ends."""
    global _there
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _there = there


@cache
def _scorer() -> Scorer:
    # Built with the first batch, so that an error is returned as its result instead of ending the process.
    assert _there is not None, "the process was begun by _begin"
    return _there().scorer()


def _end_with_parent() -> None:
    # A killed parent does not close its pipes, so its child processes would wait for ever.
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _score(pairs: list[tuple[str, str]], profile: VectorProfile, language: str) -> tuple[dict[str, str], list[Scores]]:
    try:
        return dict(_scorer().identity), _scorer().score(pairs, profile=profile, language=language)
    except PasserError:
        raise
    except Exception as exc:
        # A library's exception may fail to unpickle in the parent, which would break the whole pool.
        raise RuntimeError(f"{type(exc).__name__} while scoring: {exc}") from None
