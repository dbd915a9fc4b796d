"""Fixtures shared by all tests; the fakes are in tests/fakes.py."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import argon2
import pytest
from hypothesis import HealthCheck, settings

import passer.cli
from passer.adapters.passwords import Argon2Passwords
from tests import forked
from tests.chain.fixtures import chain, chain_source, fresh_chain  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent

# Both limits measure wall-clock time, so that they fail on a busy machine; pytest-timeout ends what really hangs.
# The examples are the same on every machine, so that a change is judged by the same tests everywhere; `make soak` draws
# new ones, and ten times as many where a test does not state its number.
settings.register_profile("passer", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("soak", settings.get_profile("passer"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("PASSER_HYPOTHESIS_PROFILE", "passer"))

LONGEST_IN_A_NAME = 100
NO_DATA = "test data absent: set PASSER_TEST_DATA to the folder that holds it"


@pytest.fixture(scope="session")
def test_data() -> Path:
    """Real files of the public record; tests that need them skip where they are absent."""
    folder = Path(os.environ.get("PASSER_TEST_DATA", ROOT / ".." / "shared" / "data")).resolve()
    if not folder.is_dir():
        pytest.skip(NO_DATA)
    return folder


@pytest.fixture(scope="session", autouse=True)
def new_databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Each process of the tests migrates one database and copies it from then on."""
    from tests.migrated import copied_databases

    with copied_databases(tmp_path_factory.mktemp("migrated")):
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[cached_property[argon2.PasswordHasher]]:
    """Hash passwords by the least that Argon2 allows: a real one takes a quarter of a second of a processor.

    Gives what makes the real hasher. Processes that the tests start use that.
    """
    real: cached_property[argon2.PasswordHasher] = vars(Argon2Passwords)["_hasher"]
    cheap = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Argon2Passwords, "_hasher", cheap)
        yield real


@pytest.fixture(scope="session", autouse=True)
def usual_collector() -> Iterator[None]:
    """Keep Python's collector of garbage as it is where a test runs a command in this process.

    In a process of the program's own each server that starts exempts all objects from later searches. Here it would be
    those of the tests before: the processes of the tests grew to 5 GB.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passer.cli, "collect_rarely", lambda: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def kept_readers() -> Iterator[None]:
    """Let the services of this process share the processes that read files.

    Each test has services of its own, and without this a start and its imports take .3 s of a processor each time.
    """
    from tests.kept_readers import kept

    with kept():
        yield


@pytest.fixture(scope="session", autouse=True)
def kept_models() -> Iterator[None]:
    """Let the services of this process share what they load of the encoder and of WordNet."""
    from tests.kept_models import kept

    with kept():
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Start the process that forks once, where several processes run the tests: each would import for ten seconds."""
    if config.getoption("numprocesses", None) and not hasattr(config, "workerinput"):
        os.environ[forked.SHARED], _ = forked.start()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a case of a long text or file after its argument, because the processes must find equal names."""
    return argname if isinstance(val, str | bytes) and len(val) > LONGEST_IN_A_NAME else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the files that mostly wait for the processes they start among those that compute.

    The processes of `make test-python` take the files in this order, so that they seldom all wait together, and none is
    left with the slow files in the end.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    waiting = [path for path in files if "e2e" in path.parts]
    computing = [path for path in files if "e2e" not in path.parts]
    places = {path: number / len(waiting) * 0.8 for number, path in enumerate(waiting)}
    places |= {path: number / len(computing) for number, path in enumerate(computing)}
    items[:] = [item for path in sorted(files, key=places.__getitem__) for item in files[path]]


def pytest_collection_finish() -> None:
    """Search for cyclic garbage rarely, and never in the objects of imported modules: it took a tenth of the time.

    The threshold differs from the product's 10,000, by which `exempt_loaded` recognises a process of PaSSER's own.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report how many tests were skipped without data."""
    skipped = terminalreporter.stats.get("skipped", [])
    without = sum(1 for report in skipped if NO_DATA in str(report.longrepr))
    terminalreporter.write_line(f"{without} skipped because the test data is absent")
