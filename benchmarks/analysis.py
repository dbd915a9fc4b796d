"""Import and analysis of result sheets: rows per second, the share of reading XLSX, and growth with the rows.

    python -m benchmarks.analysis [--quick]

The sheets are the 22 of the test data (PASSER_TEST_DATA, default ../shared/data), imported into a fresh SQLite file.
The analysis alone is measured on their 8,158 rows twice (as four models): `corrected` with all tests, 10,000 sign
flips, all correlations. Growth is measured on up to 1,000,000 such rows (`--quick`: 65,264) with made questions, each
size in a process of its own, so that memory is its own too. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.report import Figure, report
from passer.adapters.clock import SystemClock
from passer.adapters.sheets import XlsxSheetReader
from passer.adapters.store.database import Database
from passer.adapters.store.datasets import DatabaseDatasets
from passer.adapters.store.imports import DatabaseImports
from passer.adapters.tables.xlsx import XlsxReader
from passer.bootstrap import build_services
from passer.domain.analysis.choices import SheetChoices
from passer.domain.evidence.permutation import DRAWS, sign_flip_test
from passer.domain.sheets.procedures import analyse_sheets
from passer.domain.sheets.sheet import Sheet, place_of
from passer.services.sheets.sheet_library import SheetLibrary
from passer.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
TARGET_S = 3.0
MEMORY_MB = 2_000
ROUNDS = 3


def timed_reading(folder: Path) -> float:
    """Seconds from the bytes of all workbooks to their cells."""
    contents = [file.read_bytes() for file in sorted(folder.rglob("*.xlsx"))]
    XlsxReader().grid(contents[0])
    began = perf_counter()
    for content in contents:
        XlsxReader().grid(content)
    return perf_counter() - began


def measure_import(folder: Path) -> tuple[dict[str, Figure], tuple[Sheet, ...]]:
    """The whole import with audit and storing, and how much of it is spent in the workbooks."""
    with tempfile.TemporaryDirectory() as home:
        database = Database(f"sqlite:///{home}/passer.sqlite3")
        clock = SystemClock()
        sheet_library = SheetLibrary(
            imports=DatabaseImports(database),
            reader=XlsxSheetReader(),
            datasets=DatabaseDatasets(database, clock),
            clock=clock,
        )
        reading_s = timed_reading(folder)
        began = perf_counter()
        imported = sheet_library.import_folder(folder)
        import_s = perf_counter() - began
        began = perf_counter()
        sheet_library.analyse(imported.id, SheetChoices(procedure="corrected"))
        analysis_s = perf_counter() - began
        began = perf_counter()
        sheet_library.analyse(imported.id, SheetChoices(procedure="published"))
        published_s = perf_counter() - began
        database.close()
    whole_s = import_s + analysis_s
    print(f"Reading XLSX takes {reading_s / import_s:.0%} of the import, {reading_s / whole_s:.0%} with the analysis.")
    figures = {
        "import_rows_per_s": Figure(imported.rows / import_s, "higher", "rows/s"),
        "import": Figure(import_s, "lower", "s"),
        "import_share_reading_xlsx": Figure(reading_s / import_s, "higher", "ratio"),
        "import_and_analysis": Figure(whole_s, "lower", "s"),
        "import_and_analysis_rows_per_s": Figure(imported.rows / whole_s, "higher", "rows/s"),
        "import_and_analysis_share_reading_xlsx": Figure(reading_s / whole_s, "higher", "ratio"),
        "analysis_published_8158": Figure(published_s, "lower", "s"),
        "analysis_corrected_8158": Figure(analysis_s, "lower", "s"),
    }
    return figures, imported.sheets


def measure_references(folder: Path, questions: Path) -> dict[str, Figure]:
    """The import with a dataset, whose references are compared by METEOR and ROUGE made again for every row."""
    with tempfile.TemporaryDirectory() as home:
        services = build_services(Settings(home=Path(home), encoder="none"))
        try:
            dataset = services.library.dataset_import.load(questions.read_bytes(), questions.name, name="questions")
            began = perf_counter()
            imported = services.sheets.sheet_library.read_folder(folder, dataset=dataset)
            spent_s = perf_counter() - began
        finally:
            services.close()
    return {
        "import_with_dataset": Figure(spent_s, "lower", "s"),
        "import_with_dataset_rows_per_s": Figure(imported.rows / spent_s, "higher", "rows/s"),
    }


def doubled(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The same rows again as two further models."""
    again = [replace(sheet, model=f"{sheet.model} again", path=f"again/{sheet.path}") for sheet in sheets]
    return [*sheets, *again]


def grown(sheets: Sequence[Sheet], times: int) -> list[Sheet]:
    """Sheets with so many times the questions, their scores moved a little so that no two are alike."""
    rng = np.random.default_rng(1)
    made = []
    for sheet in sheets:
        values = np.tile(sheet.values, (times, 1))
        values[:, sheet.columns.index("METEOR")] += rng.normal(0, 1e-3, size=len(values))
        made.append(
            replace(
                sheet,
                row_numbers=tuple(range(2, 2 + len(values))),
                questions=tuple(sys.intern(f"{text} {copy}") for copy in range(times) for text in sheet.questions),
                answers=(),
                values=values,
                present=np.tile(sheet.present, (times, 1)),
            )
        )
    return made


def timed_analysis(sheets: Sequence[Sheet]) -> float:
    """Seconds of `corrected`, keys of the questions included."""
    fresh = [replace(sheet) for sheet in sheets]
    began = perf_counter()
    analyse_sheets(fresh, "corrected")
    return perf_counter() - began


def grown_analysis(folder: Path, times: int) -> tuple[int, float, float]:
    """Rows, seconds, and the largest memory of this process in MB."""
    original = read(folder)
    # So that libraries are loaded, which would flatter the growth from the smallest size.
    timed_analysis(original)
    sheets = grown(doubled(original), times)
    spent_s = timed_analysis(sheets)
    return sum(map(len, sheets)), spent_s, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def read(folder: Path) -> list[Sheet]:
    reader = XlsxSheetReader()
    sheets = []
    for file in sorted(folder.rglob("*.xlsx")):
        path = file.relative_to(folder).as_posix()
        place = place_of(path)
        if place is not None:
            sheets.append(reader.read(file.read_bytes(), path=path, place=place))
    return sheets


def measure_growth(folder: Path, times: Sequence[int]) -> dict[str, Figure]:
    """Seconds and memory of growing analyses; the exponent 1 is linear growth."""
    context = multiprocessing.get_context("spawn")
    sizes = []
    for factor in times:
        with context.Pool(1) as pool:
            sizes.append(pool.apply(grown_analysis, (folder, factor)))
    for rows, spent_s, memory_mb in sizes:
        print(f"{rows:>9,} rows  {spent_s:7.2f} s  {rows / spent_s:>9,.0f} rows/s  {memory_mb:>6.0f} MB")
    (first, first_s, _), (last, last_s, last_mb) = sizes[0], sizes[-1]
    return {
        "growth_rows": Figure(last, "higher", "rows"),
        "growth": Figure(last_s, "lower", "s"),
        "growth_exponent": Figure(float(np.log(last_s / first_s) / np.log(last / first)), "lower", "", 1.1),
        "growth_memory": Figure(last_mb, "lower", "MB", MEMORY_MB),
    }


def measure(folder: Path, *, quick: bool) -> dict[str, Figure]:
    """Figures by name."""
    figures, sheets = measure_import(folder)
    figures |= measure_references(folder, folder.parent / "questions" / "sourcebook-371.json")
    twice = doubled(sheets)
    timed_analysis(twice)
    analysis_s = min(timed_analysis(twice) for _ in range(ROUNDS))
    rng = np.random.default_rng(1)
    differences = rng.normal(size=(371, 40))
    began = perf_counter()
    sign_flip_test(differences, seed=1)
    flips_s = perf_counter() - began
    # The floor of the sign flips: the one matrix product that they are.
    signs, began = np.sign(rng.normal(size=(DRAWS, 371))), perf_counter()
    signs @ differences
    product_s = perf_counter() - began
    rows = sum(map(len, twice))
    return {
        **figures,
        "analysis_16316": Figure(analysis_s, "lower", "s", TARGET_S),
        "analysis_rows_per_s": Figure(rows / analysis_s, "higher", "rows/s"),
        "sign_flips_40_comparisons": Figure(flips_s, "lower", "s"),
        "sign_flips_vs_matrix_product": Figure(product_s / flips_s, "higher", "ratio"),
        **measure_growth(folder, (1, 4) if quick else (1, 4, 16, 62)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Import and analysis of result sheets.")
    parser.add_argument("--quick", action="store_true", help="less growth, in under a minute")
    given = parser.parse_args()
    data = Path(os.environ.get("PASSER_TEST_DATA", ROOT / ".." / "shared" / "data"))
    folder = data / "phase3-sheets"
    if not folder.is_dir():
        sys.exit("The sheets are absent: set PASSER_TEST_DATA to the folder that holds phase3-sheets.")
    report("analysis", measure(folder, quick=given.quick))


if __name__ == "__main__":
    main()
