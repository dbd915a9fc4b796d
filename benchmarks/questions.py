"""Drafting questions: PaSSER's own time per draft, what workers gain, and three kills in 500 windows.

    python -m benchmarks.questions [--quick]

Models are scripted: they reply at once, or after 50 ms where workers are compared. Published figures are of other
machines and models: RAGalyst .881 and 7.039 accepted questions per minute with 1 and 16 threads, RAGAS 14.6 and 33.8.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter, process_time
from typing import Any

from benchmarks.report import Figure, report
from passer.domain.models.chat import ChatRequest, Completion
from passer.ports import Fact
from passer.services.drafting.finishing import FinishRequest
from tests.services.drafting.made import Made
from tests.services.judging.made import ScriptedJudge, Silent

WINDOWS, QUICK_WINDOWS = 500, 100
REPLY_S = 0.05
WORKERS = 16
KILLS = 3


class Killed(Exception):
    """The process dies."""


class PooledEngine:
    """ports.Engine that asks a model with a number of threads; each reply takes 50 ms."""

    def __init__(self, models: ScriptedJudge, workers: int) -> None:
        self._models, self._pool = models, ThreadPoolExecutor(workers)

    def complete(self, request: ChatRequest, *, draft: object = None) -> Future[Completion]:
        """Reply after 50 ms."""
        return self._pool.submit(self._complete, request)

    def retrieve(self, search: Callable[[], Any]) -> Future[Any]:
        """Run a search in the pool."""
        return self._pool.submit(search)

    def close(self) -> None:
        """Do nothing: the next run uses the pool again."""

    def _complete(self, request: ChatRequest) -> Completion:
        time.sleep(REPLY_S)
        return self._models.complete(request)


def own_ms(windows: int) -> float:
    """Return the processor milliseconds of an accepted draft, with models that reply at once; eight asks each."""
    with tempfile.TemporaryDirectory() as folder:
        made = Made(f"sqlite:///{folder}/a.sqlite3", windows=windows)
        drafting = made.create(target=windows)
        began = process_time()
        made.run(drafting, workers=4)
        took = process_time() - began
        assert len(made.models.asked) == 8 * windows, "every window costs eight asks"
        made.close()
    return 1000 * took / windows


def drafts_per_s(windows: int, workers: int) -> float:
    """Return accepted drafts per second against models that take 50 ms for each reply."""
    with tempfile.TemporaryDirectory() as folder:
        made = Made(f"sqlite:///{folder}/a.sqlite3", windows=windows)
        drafting = made.create(target=windows)
        runner = made.runner(workers=workers, engine=PooledEngine(made.models, workers))
        began = perf_counter()
        runner.run(drafting, Silent())
        took = perf_counter() - began
        made.close()
    return windows / took


def is_same_after_kills(windows: int) -> bool:
    """Return whether a drafting that was killed three times makes the same dataset, without an ask made twice."""
    found = []
    for kills in (0, KILLS):
        with tempfile.TemporaryDirectory() as folder:
            made = Made(f"sqlite:///{folder}/a.sqlite3", windows=windows)
            drafting = made.create(target=windows)
            _run_killed(made, drafting, kills)
            digest = made.finisher.finish(drafting, FinishRequest(name="drafted")).digest
            keys = {request.key for request in made.models.asked}
            found.append((digest, len(made.models.asked), len(keys)))
            made.close()
    return found[0] == found[1] and found[0][1] == found[0][2]


def _run_killed(made: Made, drafting: str, kills: int) -> None:
    record, store = made.store.record, made.store
    left = kills
    commits = 0

    def record_and_die(facts: Sequence[Fact]) -> None:
        nonlocal left, commits
        record(facts)
        commits += 1
        if left and commits % 5 == 0:
            left -= 1
            raise Killed

    store.record = record_and_die  # type: ignore[method-assign]
    while True:
        try:
            made.run(drafting, workers=4)
            break
        except Killed:
            continue
    assert left == 0, "all kills happened"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="Fewer windows; under two minutes.")
    is_quick = parser.parse_args().quick
    windows = QUICK_WINDOWS if is_quick else WINDOWS
    one, many = drafts_per_s(8, 1), drafts_per_s(160 if not is_quick else 96, WORKERS)
    report(
        "questions",
        {
            "own time per draft": Figure(own_ms(windows), "lower", "ms", 10),
            f"{WORKERS} workers over one": Figure(many / one, "higher", "times", 12),
            f"same dataset after {KILLS} kills": Figure(float(is_same_after_kills(windows)), "higher", "yes", 1),
        },
    )


if __name__ == "__main__":
    main()
