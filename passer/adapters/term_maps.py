"""Term maps for query expansion: CSV files with a term in the first cell of each line, and what it adds after it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from passer.domain.retriever_names import TERMS
from passer.errors import ConfigError, InputError

MOST_BYTES = 1 << 20


def read_term_map(path: Path) -> dict[str, list[str]]:
    """Return what each term adds; InputError names the line. Blank lines and lines that begin with # are skipped."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path.name} is larger than {MOST_BYTES >> 10} kB. Choose a CSV file of terms.")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(f"{path.name} cannot be read as text ({exc}). Check the path and the encoding.") from exc
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        term, *added = (cell.strip() for cell in next(csv.reader([line])))
        added = [cell for cell in added if cell]
        if not term or not added:
            raise _wrong(path, number, "it needs a term and at least one word to add, separated by commas")
        if term in found:
            raise _wrong(path, number, f"the term {term} is listed twice")
        found[term] = added
    if not found:
        raise InputError(f"{path.name} contains no terms. Write a term and the words that it adds in each line.")
    return found


def with_term_maps(experiment: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Write out each `terms:RETRIEVER@FILE` among the retrievers of an experiment, nested ones included.

    Only files beside the experiment are read: an experiment from elsewhere must not copy other files into its record.
    """
    return {key: _written_out(value, folder) if key == "retriever" else value for key, value in experiment.items()}


def _written_out(retriever: Any, folder: Path) -> Any:
    if isinstance(retriever, list):
        return [_written_out(each, folder) for each in retriever]
    if isinstance(retriever, dict) and "of" in retriever:
        return {**retriever, "of": _written_out(retriever["of"], folder)}
    if not isinstance(retriever, str) or not retriever.startswith(TERMS):
        return retriever
    of, _, name = retriever.removeprefix(TERMS).rpartition("@")
    path = folder / name
    if not of or not name or path.parent != folder or path.name != name:
        raise ConfigError(
            f"retriever: {retriever!r} does not name a retriever and a file of terms beside this file. Example: "
            f"{TERMS}hybrid@terms.csv.",
            field="retriever",
        )
    try:
        terms = read_term_map(path)
    except InputError as exc:
        raise ConfigError(exc.message, field="retriever") from exc
    by = {"form": "terms", "name": path.stem, "terms": terms}
    return {"form": "rewritten", "of": _written_out(of, folder), "by": by}


def _wrong(path: Path, line: int, problem: str) -> InputError:
    return InputError(f"{path.name}, line {line}: {problem}. Correct the line, then try again.", field=f"line {line}")
