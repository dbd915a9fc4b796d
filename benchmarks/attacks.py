"""What hostile files and addresses cost before and after strangers' files were read in processes of their own.

    python -m benchmarks.attacks [--quick]

Each attack of `tests/adapters/reading/attacks.py`, `test_templates.py` and `tests/web_site.py` runs in a fresh process
that stands for the server and answers /health meanwhile. Measured: seconds until it has ended, by the clock and of the
processor (which other work does not lengthen), the largest memory of the process that reads, how much the server
process grows, and the longest time that another process waited for /health. *control* is a harmless file: what
it shows of /health is the machine's.
*Before* is what issue 17 measured on the version without readers; "-" where it gives no number. Reader limits are the
product's (1 GB; 15 s of processor).

`--quick` runs every third attack. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from benchmarks.health import LongestWait, answer_health
from benchmarks.report import Figure, report

MOST_S, MOST_MB, MOST_HEALTH_MS = 20.0, 300.0, 300.0
"""Goals of issue 17: until the attack has ended, growth of the server, and /health meanwhile."""


@dataclass(frozen=True)
class Attack:
    """A hostile file, and what it cost before."""

    run: Callable[[], str]
    """Runs it; returns what a person reads, or "read" where the file is read."""
    before: str
    """Seconds and memory that issue 17 measured."""
    made: str = ""
    """What makes its file, in `tests.adapters.reading.attacks`; the file is the standard input of `run`."""


def document(made: str, suffix: str, before: str) -> Attack:
    """Read a file, and split a document, as the product does."""

    def run() -> str:
        from passer.adapters.documents import document_readers
        from passer.adapters.reading.isolated import IsolatedDocuments, IsolatedSplitter, IsolatedTables
        from passer.adapters.reading.limits import ReaderLimits
        from passer.adapters.reading.pool import ReaderPool
        from passer.adapters.splitter import RecursiveSplitter
        from passer.adapters.tables import table_readers
        from passer.domain.retrieval.passages import Chunking

        content = sys.stdin.buffer.read()
        pool = ReaderPool(ReaderLimits())
        try:
            began = _began()
            documents = [each for each in document_readers() if suffix in each.suffixes]
            if documents:
                reader, splitter = IsolatedDocuments(documents[0], pool), IsolatedSplitter(RecursiveSplitter(), pool)
                return _said(lambda: splitter.split(reader.read(content, f"attack{suffix}"), Chunking()), began)
            table = next(each for each in table_readers() if suffix in each.suffixes)
            return _said(lambda: IsolatedTables(table, pool).read(content), began)
        finally:
            pool.close()

    return Attack(run, before, made)


def sheets_archive() -> str:
    """Import an archive of 60,000 tables."""
    from passer.services.sheets.sheet_sources import uploaded_sources

    with NamedTemporaryFile() as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        uploaded = [("study.zip", Path(file.name))]
        return _said(lambda: uploaded_sources(uploaded, max_bytes=50 * 2**20), _began())


def experiment(name: str) -> Callable[[], str]:
    """Return what opens an experiment file of `test_templates.py`."""

    def run() -> str:
        from passer.bootstrap.experiments import experiment as opened
        from tests.adapters.reading.test_templates import EXPERIMENTS

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "experiment.yaml")
            path.write_text(EXPERIMENTS[name])
            return _said(lambda: opened(path), _began())

    return run


def template(name: str) -> Callable[[], str]:
    """Return what loads a template of `test_templates.py`."""

    def run() -> str:
        from passer.adapters.reading.isolated import IsolatedPrompt
        from passer.adapters.reading.limits import ReaderLimits
        from passer.adapters.reading.pool import ReaderPool
        from tests.adapters.reading.test_templates import ENDLESS
        from tests.adapters.reading.test_templates import template as whole

        pool = ReaderPool(ReaderLimits(memory_mb=200, cpu_s=5, wall_s=60.0), files=100_000)
        try:
            return _said(lambda: IsolatedPrompt("foreign", whole(ENDLESS[name]), pool=pool), _began())
        finally:
            pool.close()

    return run


def backup_listing() -> str:
    """Restore a backup whose listing unpacks to 2.5 GB."""
    from passer.bootstrap.archive import restore
    from passer.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        backup = Path(folder, "backup.zip")
        with (
            zipfile.ZipFile(backup, "w", zipfile.ZIP_DEFLATED) as out,
            out.open("backup.json", "w", force_zip64=True) as listing,
        ):
            listing.write(b'{"files": [')
            for _ in range(2500):
                listing.write(b"[], " * 250_000)
            listing.write(b"[]]}")
        return _said(lambda: restore(Settings(home=Path(folder, "home")), backup), _began())


def address(path: str, total_s: float) -> Callable[[], str]:
    """Return what fetches a page of `tests.web_site`."""

    def run() -> str:
        from threading import Thread

        from passer.adapters.web import WebFetcher
        from tests.web_site import Site, url

        site = Site()
        Thread(target=site.serve_forever, daemon=True).start()
        fetcher = WebFetcher(allow_private=True, total_s=total_s)
        return _said(lambda: fetcher.fetch(url(site, path)), _began())

    return run


CONTROL = "control: a harmless page"
ATTACKS = {
    CONTROL: document("harmless_page", ".html", "-"),
    "XLSX: a row 2,000,000,000": document("workbook_of_a_distant_row", ".xlsx", "2,300 MB and growing"),
    "XLSX: a 10 MB text in 200,000 cells": document("workbook_of_one_text_in_many_cells", ".xlsx", "-"),
    "XLSX: a text of 240 MB": document("workbook_of_a_long_text", ".xlsx", "-"),
    "sheets: an archive of 60,000 tables": Attack(sheets_archive, "-", "archive_of_many_sheets"),
    "DOCX: gridSpan 2,000,000,000": document("word_file_of_a_wide_cell", ".docx", "4,400 MB"),
    "DOCX: 1,000 chained vMerge rows": document("word_file_of_cells_merged_downwards", ".docx", "minutes"),
    "DOCX: 510 MB of empty paragraphs": document("word_file_of_empty_paragraphs", ".docx", "-"),
    "PDF: nested forms": document("pdf_of_nested_forms", ".pdf", "6,000 MB"),
    "PDF: a stream of 1 GB": document("pdf_of_a_large_stream", ".pdf", "-"),
    "PDF: 50,000 pages": document("pdf_of_many_pages", ".pdf", "-"),
    "Parquet: dictionary bomb": document("parquet_of_one_text_many_times", ".parquet", "4,300 MB"),
    "CSV: 400,000 columns": document("csv_of_many_columns", ".csv", "quadratic"),
    "JSON: 1,000,000 keys": document("json_of_many_keys", ".json", "quadratic"),
    "Markdown: 1,000,000 open comments": document("markdown_of_open_comments", ".md", "13 s, server frozen"),
    "Markdown: combining marks": document("markdown_of_marks", ".md", "13 s, server frozen"),
    "HTML: 9 MB of links": document("page_of_links", ".html", "quadratic"),
    "YAML: anchors": Attack(experiment("merged anchors"), "-"),
    "YAML: a step of 1e-9": Attack(experiment("a small step"), "-"),
    "YAML: .inf": Attack(experiment("an infinite step"), "-"),
    "YAML: a reference to itself": Attack(experiment("a reference to itself"), "-"),
    "YAML: 2001-99-99": Attack(experiment("a day that is none"), "-"),
    "backup.json of 2.5 GB": Attack(backup_listing, "-"),
    "template: 'x' * 10**10": Attack(template("a long text"), "-"),
    "template: loops in loops": Attack(template("loops in loops"), "-"),
    "address: a byte now and then": Attack(address("/slow/body", 5.0), "402 s"),
    "address: gzip in gzip": Attack(address("/packed", 5.0), "4,800 MB"),
    "address: charset punycode": Attack(address("/coded", 5.0), "-"),
}


def _began() -> tuple[float, float, float]:
    spent = os.times()
    return time.perf_counter(), spent.user + spent.system, _resident_mb()


def _said(act: Callable[[], object], began: tuple[float, float, float]) -> str:
    """Run an attack; the cost and the outcome as JSON."""
    from passer.errors import PasserError

    try:
        act()
        outcome = "read"
    except PasserError as exc:
        outcome = exc.message
    seconds, spent_s, before_mb = began
    grown = max(0.0, _resident_mb() - before_mb)
    return json.dumps(
        {"s": time.perf_counter() - seconds, "spent_s": spent_s, "server_mb": grown, "says": outcome.rsplit("/")[-1]}
    )


def _resident_mb() -> float:
    from passer.adapters.surroundings import resident_memory

    return (resident_memory() or 0) / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="run every third attack")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    parser.add_argument("--make", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        from tests.adapters.reading import attacks

        sys.stdout.buffer.write(getattr(attacks, given.make)())
        return
    if given.only:
        answer_health()
        found = json.loads(ATTACKS[given.only].run())
        children, spent = resource.getrusage(resource.RUSAGE_CHILDREN), os.times()
        processor_s = spent.user + spent.system + spent.children_user + spent.children_system - found.pop("spent_s")
        print(json.dumps({**found, "processor_s": processor_s, "reader_mb": children.ru_maxrss / 1024}))
        return
    width, slowest, largest = max(map(len, ATTACKS)), 0.0, 0.0
    readers = health = 0.0
    print(
        f"{'attack':<{width}}  {'before':>22}  {'s':>5}  {'CPU s':>5}  {'reader MB':>9}  {'server MB':>9}  "
        f"{'/health ms':>10}  ends with"
    )
    for name, attack in list(ATTACKS.items())[:: 3 if given.quick else 1]:
        found = _found(name, attack.made)
        slowest, largest = max(slowest, found["processor_s"]), max(largest, found["server_mb"])
        readers, health = max(readers, found["reader_mb"]), max(health, found["health_ms"])
        costs = f"{found['s']:5.1f}  {found['processor_s']:5.1f}  {found['reader_mb']:9.0f}  {found['server_mb']:9.0f}"
        costs += f"  {found['health_ms']:10.0f}"
        print(f"{name:<{width}}  {attack.before:>22}  {costs}  {found['says'][:90]}", flush=True)
    report(
        "attacks",
        {
            "slowest_processor": Figure(slowest, "lower", "s", MOST_S),
            "server_growth": Figure(largest, "lower", "MB", MOST_MB),
            "longest_health": Figure(health, "lower", "ms", MOST_HEALTH_MS),
            "reader_memory": Figure(readers, "lower", "MB"),
        },
    )


def _found(name: str, made: str) -> dict[str, Any]:
    """Run an attack in a process that did not make its file: the system counts memory from before a program starts."""
    program = [sys.executable, "-m", "benchmarks.attacks"]
    with tempfile.TemporaryFile() as file:
        if made:
            subprocess.run([*program, "--make", made], stdout=file, check=True)
            file.seek(0)
        with subprocess.Popen([*program, "--only", name], stdin=file, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            longest = LongestWait(running.stdout.readline().strip(), running)
            said = running.stdout.read()
            health_ms = longest.end()
    if running.returncode:
        raise SystemExit(f"{name}: the attack ended with status {running.returncode}")
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return {**found, "health_ms": health_ms}


if __name__ == "__main__":
    main()
