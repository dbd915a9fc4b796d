"""The process that reads dies by each limit, and the next file is read by another."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pyarrow
import pytest
from pyarrow import parquet

from passer.adapters.documents.plain import TextReader
from passer.adapters.reading.isolated import IsolatedDocuments
from passer.adapters.reading.limits import ReaderLimits
from passer.adapters.reading.pool import ReaderPool
from passer.adapters.tables.parquet import ParquetReader
from passer.domain.cancellation import cancellable
from passer.errors import DocumentError, InputError, TooLargeError, WorkStopped
from tests.adapters.reading import bad_readers

LIMITS = ReaderLimits(memory_mb=200, cpu_s=2, wall_s=20.0, characters=1000, cells=100)


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    made = ReaderPool(LIMITS)
    yield made
    made.close()


def test_one_process_reads_file_after_file(pool: ReaderPool) -> None:
    first = pool.call(bad_readers.pid, name="a")
    assert first == pool.call(bad_readers.pid, name="b") != os.getpid()


@pytest.mark.parametrize(
    ("read", "arguments", "error", "says"),
    [
        (bad_readers.take_memory, (2000,), TooLargeError, "^x.pdf needs more than 200 MB of memory to read. Split it"),
        # By the processor's time; by the clock on a machine that is too busy to give it two seconds.
        (bad_readers.spin, (), TooLargeError, "^x.pdf takes more than (2|20) s to read. Split it"),
        (bad_readers.crash, (), InputError, "^x.pdf crashed the program that reads it. Open it, save it again"),
        (bad_readers.fail, (), InputError, "^x.pdf crashed the program"),
        (bad_readers.echo, ("x" * 1001,), TooLargeError, "^x.pdf contains more than 1\u202f000"),
        (bad_readers.echo, (["x"] * 101,), TooLargeError, "^x.pdf contains more than"),
        (bad_readers.echo, ([{"question": "x" * 90}] * 12,), TooLargeError, "^x.pdf contains more than"),
    ],
)
def test_a_limit_ends_the_process_with_a_sentence(
    pool: ReaderPool, read: object, arguments: tuple[object, ...], error: type[InputError], says: str
) -> None:
    with pytest.raises(InputError, match=says) as caught:
        pool.call(read, *arguments, name="x.pdf")
    assert type(caught.value) is error
    assert pool.call(bad_readers.echo, "the next file", name="y.pdf") == "the next file"


def test_a_file_that_arrow_has_no_memory_for_is_not_called_damaged(pool: ReaderPool) -> None:
    # A dictionary writes the text down once for all rows, so that the file's own size passes the reader's check.
    text = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0, 0], pyarrow.int32()), pyarrow.array(["x" * 230_000_000])
    )
    stream = io.BytesIO()
    # Statistics would compare the text with itself for five seconds.
    parquet.write_table(pyarrow.table({"question": text}), stream, compression="zstd", write_statistics=False)
    with pytest.raises(TooLargeError, match=r"^x\.parquet needs more than 200 MB of memory"):
        pool.call(ParquetReader().read, stream.getvalue(), name="x.parquet")


def test_a_reader_that_waits_is_ended_by_the_clock() -> None:
    pool = ReaderPool(ReaderLimits(wall_s=1.0))
    with pytest.raises(TooLargeError, match="takes more than 1 s to read"):
        pool.call(bad_readers.sleep, name="x.pdf")
    pool.close()


def test_cancelled_work_ends_its_reader_and_waits_for_none() -> None:
    pool = ReaderPool(ReaderLimits(wall_s=600.0, cpu_s=600), processes=1)
    cancelled = Event()

    def check() -> None:
        if cancelled.is_set():
            raise WorkStopped("This job was cancelled.")

    def read() -> None:
        with cancellable(check):
            pool.call(bad_readers.spin, name="x.pdf")

    with ThreadPoolExecutor(2) as threads:
        # One reads without end, the other waits for the only process.
        both = [threads.submit(read) for _ in range(2)]
        time.sleep(3.0)
        assert not any(each.done() for each in both)
        cancelled.set()
        began = time.monotonic()
        for each in both:
            with pytest.raises(WorkStopped):
                each.result(timeout=60)
    assert time.monotonic() - began < 60
    assert pool.call(bad_readers.echo, "the next file", name="y.pdf") == "the next file"
    pool.close()


def test_the_readers_own_refusal_arrives_and_keeps_the_process(pool: ReaderPool) -> None:
    before = pool.call(bad_readers.pid, name="a")
    with pytest.raises(DocumentError, match="is encrypted"):
        pool.call(bad_readers.refuse, name="x.pdf")
    assert pool.call(bad_readers.pid, name="b") == before


def test_two_files_are_read_side_by_side(pool: ReaderPool, tmp_path: Path) -> None:
    places = [str(tmp_path / "one"), str(tmp_path / "other")]
    with ThreadPoolExecutor(2) as both:
        started = [both.submit(pool.call, bad_readers.meet, *order, name="x.pdf") for order in (places, places[::-1])]
        assert [each.result(60) for each in started] == places


def test_settings_of_the_server_do_not_reach_the_process(pool: ReaderPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSER_CHAIN_KEY", "secret")
    fresh = ReaderPool(LIMITS)
    assert fresh.call(bad_readers.variable, "PASSER_CHAIN_KEY", name="x") is None
    fresh.close()


def test_a_document_is_the_same_as_in_this_process(pool: ReaderPool) -> None:
    isolated = IsolatedDocuments(TextReader(), pool)
    assert isolated.suffixes == TextReader().suffixes
    assert isolated.read(b"Clover.", "a.txt") == TextReader().read(b"Clover.", "a.txt")


@pytest.mark.parametrize("reads", ["reading.child", "tables", "documents", "prompts", "splitter"])
def test_a_process_that_reads_starts_without_what_it_does_not_need(reads: str):
    """To import all ports, or the library of one format, would take longer than to read most files."""
    heavy = "{'passer.ports', 'numpy', 'openpyxl', 'pypdf', 'sqlalchemy'}"
    script = f"import sys, passer.adapters.{reads}; print(*({heavy} & {{*sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
