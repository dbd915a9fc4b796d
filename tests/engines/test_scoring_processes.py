"""Real processes, started and killed; tests/e2e/test_scoring_processes.py has a whole sweep."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from passer.engines.scoring_processes import TRIES, ScoringProcesses
from passer.errors import ConflictError, EncoderUnavailable, EngineUnavailable, InputError
from tests.engines import scorers


@pytest.fixture(scope="module")
def processes() -> Iterator[ScoringProcesses]:
    """Of all tests of this file: each leaves them able to score the next batch, and each start imports PaSSER."""
    made = ScoringProcesses(scorers.workers, here=scorers.Scorer, processes=2)
    yield made
    made.close()


def process_of(scored_by: ScoringProcesses, answer: str = "an answer") -> float | None:
    [scores] = scored_by.score([("a reference", answer)], profile="standard")
    return scores["process"].value


def test_batches_are_scored_elsewhere_in_order(processes: ScoringProcesses) -> None:
    pairs = [(str(n), str(n)) for n in range(5)]
    assert len(processes.score(pairs, profile="standard")) == 5
    assert process_of(processes) != os.getpid()
    assert processes.identity == {"scorer": "one"}


def test_many_threads_share_them(processes: ScoringProcesses) -> None:
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: process_of(processes), range(40)))
    assert 1 <= len(found) <= 2


def test_a_refusal_arrives_as_it_was_said(processes: ScoringProcesses) -> None:
    with pytest.raises(InputError, match="This answer is refused: give another"):
        process_of(processes, "refuse")
    assert process_of(processes)


def test_a_librarys_own_error_says_what_it_is(processes: ScoringProcesses) -> None:
    with pytest.raises(RuntimeError, match="Stubborn while scoring: code 1"):
        process_of(processes, "stumble")
    assert process_of(processes)


def test_a_scorer_that_cannot_be_built_says_why() -> None:
    without = ScoringProcesses(scorers.workers_without_encoder, here=scorers.Scorer, processes=1)
    with pytest.raises(EncoderUnavailable, match="Put a complete model there"):
        process_of(without)
    without.close()


def test_one_that_is_killed_is_started_again(processes: ScoringProcesses, tmp_path: Path) -> None:
    assert process_of(processes, f"die once: {tmp_path / 'mark'}")


def test_a_batch_that_ends_them_each_time_is_given_up(processes: ScoringProcesses) -> None:
    with pytest.raises(EngineUnavailable, match=f"ended unexpectedly {TRIES} times in a row. Add memory"):
        process_of(processes, "die")
    assert process_of(processes), "the next batch is scored"


def test_another_encoder_there_is_refused() -> None:
    other = ScoringProcesses(scorers.other_workers, here=scorers.Scorer, processes=1)
    with pytest.raises(ConflictError, match="have another encoder"):
        process_of(other)
    other.close()


def test_closed_before_anything_was_scored() -> None:
    ScoringProcesses(scorers.workers, here=scorers.Scorer, processes=1).close()
