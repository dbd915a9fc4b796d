"""Term maps for query expansion: CSV files with a term in the first cell of each line, and what it adds after it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from passer.domain.retrieval.retriever_names import TERMS
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, InputError

MOST_BYTES = 1 << 20


def read_term_map(path: Path) -> dict[str, list[str]]:
    """Return what each term adds; InputError names the line. Blank lines and lines that begin with # are skipped."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(sentence("terms.too-large", file=path.name, kB=MOST_BYTES >> 10))
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise InputError(sentence("terms.not-text", file=path.name, error=str(exc))) from exc
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        term, *added = (cell.strip() for cell in next(csv.reader([line])))
        added = [cell for cell in added if cell]
        if not term or not added:
            raise _wrong(path, number, sentence("terms.needs-words"))
        if term in found:
            raise _wrong(path, number, sentence("terms.twice", term=term))
        found[term] = added
    if not found:
        raise InputError(sentence("terms.empty", file=path.name))
    return found


def with_term_maps(experiment: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Replace each `terms:RETRIEVER@FILE` of an experiment by the content of its file, in nested retrievers, too.

    Only files next to the experiment are read: an experiment of somebody else must not copy other files into its
    record.
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
        raise ConfigError(sentence("terms.not-beside", retriever=retriever), field="retriever")
    try:
        terms = read_term_map(path)
    except InputError as exc:
        raise ConfigError(exc.message, field="retriever") from exc
    by = {"form": "terms", "name": path.stem, "terms": terms}
    return {"form": "rewritten", "of": _written_out(of, folder), "by": by}


def _wrong(path: Path, line: int, problem: str) -> InputError:
    said = sentence("terms.line", file=path.name, line=str(line), problem=problem)
    return InputError(said, field=f"line {line}")
