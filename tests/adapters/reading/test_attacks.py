"""Files that used to take gigabytes or minutes end with a sentence, and the server lives on meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from passer.adapters.documents import document_readers
from passer.adapters.reading import IsolatedDocuments, IsolatedTables, ReaderLimits, ReaderPool
from passer.adapters.tables import table_readers
from passer.errors import InputError
from passer.services.sheets.sheet_sources import uploaded_sources
from tests.adapters.reading import attacks

LIMITS = ReaderLimits(cpu_s=4, wall_s=18.0)


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    made = ReaderPool(LIMITS)
    yield made
    made.close()


def read(pool: ReaderPool, content: bytes, suffix: str) -> object:
    for document in document_readers():
        if suffix in document.suffixes:
            return IsolatedDocuments(document, pool).read(content, f"attack{suffix}").text
    table = next(reader for reader in table_readers() if suffix in reader.suffixes)
    return IsolatedTables(table, pool).read(content)


@contextmanager
def unharmed() -> Iterator[None]:
    """This process grows by less than 300 MB, and its threads get their turns, while and after a file is read.

    Times are of the processor, here and in the reader processes that ended: other work on the machine does not count.
    """
    ended, gaps = Event(), [0.0]

    def watch() -> None:
        while not ended.is_set():
            began = time.process_time()
            ended.wait(0.01)
            gaps.append(time.process_time() - began)

    watcher = Thread(target=watch)
    before, began = _resident_mb(), _processor_s()
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
    assert _processor_s() - began < 20
    assert _resident_mb() - before < 300
    assert max(gaps) < 1.0


def _processor_s() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096 / 2**20


@pytest.mark.parametrize(
    ("made", "suffix", "says"),
    [
        (attacks.workbook_of_a_distant_row, ".xlsx", "row beyond"),
        (attacks.workbook_of_one_text_in_many_cells, ".xlsx", "more than"),
        (attacks.workbook_of_a_long_text, ".xlsx", "more than"),
        (attacks.word_file_of_empty_paragraphs, ".docx", "more than"),
        (attacks.pdf_of_nested_forms, ".pdf", "more than"),
        (attacks.pdf_of_a_large_stream, ".pdf", "more than|no text|damaged|broke the program"),
        (attacks.pdf_of_many_pages, ".pdf", "no text|more than"),
        (attacks.parquet_of_one_text_many_times, ".parquet", "unpacks to|more than"),
        (attacks.csv_of_many_columns, ".csv", "400,000 columns"),
        (attacks.json_of_many_keys, ".json", "'k0' twice"),
    ],
)
def test_a_small_file_that_costs_much_is_refused(
    pool: ReaderPool, made: Callable[[], bytes], suffix: str, says: str
) -> None:
    content = made()
    with unharmed(), pytest.raises(InputError, match=says):
        read(pool, content, suffix)


@pytest.mark.parametrize(
    ("made", "suffix", "holds"),
    [
        (attacks.markdown_of_open_comments, ".md", "<!--"),
        (attacks.markdown_of_marks, ".md", "\u0300"),
        (attacks.page_of_links, ".html", "link"),
        (attacks.word_file_of_a_wide_cell, ".docx", "x"),
        (attacks.word_file_of_cells_merged_downwards, ".docx", "x\nx"),
    ],
)
def test_a_file_that_took_the_square_of_its_length_is_read(
    pool: ReaderPool, made: Callable[[], bytes], suffix: str, holds: str
) -> None:
    content = made()
    with unharmed():
        try:
            assert holds in str(read(pool, content, suffix))
        except InputError as exc:
            assert suffix == ".html" and "more than" in exc.message  # noqa: PT017, PT018


def test_an_archive_of_many_sheets_is_refused() -> None:
    content = attacks.archive_of_many_sheets()
    with unharmed(), pytest.raises(InputError, match="60,000 tables"):
        uploaded_sources([("study.zip", content)], max_bytes=50 * 2**20)
