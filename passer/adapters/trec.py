"""Rankings and relevance in the files of others.

TREC has one line for each result, `qid Q0 docid rank score tag`, and for each grade, `qid 0 docid grade`. BEIR's grades
have the header `query-id corpus-id score` and are separated by tabs, so that its names may contain spaces.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from itertools import islice
from math import isfinite, nan
from typing import IO
from urllib.parse import quote, unquote

from passer.adapters.encodings import encoding_of
from passer.domain.figures.axes import slug
from passer.domain.retrieval_figures import RankedNames, StoredRankings
from passer.domain.retrieval_report import RetrievalReport
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

RUN_FIELDS, QREL_FIELDS = 6, 4
BEIR_HEADER = ["query-id", "corpus-id", "score"]


def run_lines(ranked: Mapping[str, Sequence[str]], *, tag: str) -> Iterable[str]:
    """Yield one line for each name, with 1 / rank as the score.

    trec_eval orders by score and ignores the rank, and breaks ties by name; a score that always falls keeps the order.
    """
    for question, names in ranked.items():
        for rank, name in enumerate(names, start=1):
            yield f"{_word(question)} Q0 {_word(name)} {rank} {1 / rank:.9f} {_word(tag)}\n"


def qrel_lines(grades: Mapping[str, Mapping[str, int]]) -> Iterable[str]:
    """Yield one line for each grade."""
    for question, found in grades.items():
        for name, grade in found.items():
            yield f"{_word(question)} 0 {_word(name)} {grade}\n"


def trec_files(
    rankings: Iterable[RankedNames], grades: Mapping[str, Mapping[str, int]], *, collection: str = ""
) -> dict[str, str]:
    """Return files by name: the run of each retriever, and the qrels; both are named after the collection, if given."""
    of = f"-{slug(collection)}" if collection else ""
    files: dict[str, Iterable[str]] = {}
    for ranking in rankings:
        if ranking.retriever is not None:
            name = f"{slug(ranking.label)}{of}"
            # Retrievers that differ in what their labels leave out have one label.
            name = f"{name}-{ranking.retriever.key}" if f"{name}.run" in files else name
            files[f"{name}.run"] = run_lines(ranking.names, tag=ranking.label)
    return {name: "".join(lines) for name, lines in (*files.items(), (f"relevant{of}.qrels", qrel_lines(grades)))}


def comparison_files(report: RetrievalReport) -> dict[str, str]:
    """Return a comparison of retrievers as files by name."""
    rankings = (
        RankedNames(each.label, each.retriever, {found.question_id: found.names for found in each.questions})
        for each in report.rankings
    )
    return trec_files(rankings, report.grades)


def sweep_files(collections: Sequence[StoredRankings]) -> dict[str, str]:
    """Return the stored rankings of a sweep as files by name; several collections have files of their own."""
    files: dict[str, str] = {}
    for each in collections:
        name = each.collection if len(collections) > 1 else ""
        files |= trec_files(each.rankings, each.grades, collection=name)
    return files


def zipped(files: Mapping[str, str]) -> IO[bytes]:
    """Return files as a zip, opened at its beginning; equal files give equal bytes."""
    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    written.seek(0)
    return written


def read_run(content: bytes, file: str) -> tuple[str, dict[str, list[str]]]:
    """Return the tag of a run and the names of each question, best first; InputError names the line."""
    scored: dict[str, dict[str, tuple[float, int]]] = {}
    tag = ""
    for number, (question, _, name, rank, score, of_run) in _rows(_text(content, file), file, RUN_FIELDS):
        if scored and of_run != tag:
            # Two runs in one file would become one ranking that no system made.
            raise _wrong(file, number, sentence("rankings.tags", tag=of_run, first=tag))
        tag = of_run
        found = scored.setdefault(question, {})
        if name in found:
            raise _wrong(file, number, sentence("rankings.twice", name=name, question=question))
        found[name] = (-_number(file, number, score, "score"), int(_number(file, number, rank, "rank")))
    if not scored:
        raise InputError(sentence("rankings.no-lines", file=file))
    return tag, {question: sorted(names, key=names.__getitem__) for question, names in scored.items()}


def read_qrels(content: bytes, file: str) -> dict[str, dict[str, int]]:
    """Return the grade of each name by question; InputError names the line."""
    grades: dict[str, dict[str, int]] = {}
    for number, (question, name, grade) in _graded(_text(content, file), file):
        value = _number(file, number, grade, "grade")
        if value != int(value):
            raise _wrong(file, number, sentence("rankings.not-whole", grade=grade))
        # Some collections use negative grades for documents that nobody should want; they count as not relevant.
        found = grades.setdefault(question, {})
        if name in found:
            raise _wrong(file, number, sentence("rankings.twice", name=name, question=question))
        found[name] = max(0, int(value))
    if not grades:
        raise InputError(sentence("rankings.no-grades", file=file))
    return grades


def _text(content: bytes, file: str) -> str:
    try:
        text = content.decode(encoding_of(content))
    except UnicodeDecodeError as exc:
        raise InputError(sentence("rankings.not-text", file=file, error=str(exc))) from exc
    if "\0" in text:
        raise InputError(sentence("rankings.not-text", file=file, error="NUL"))
    return text


def _graded(text: str, file: str) -> Iterable[tuple[int, list[str]]]:
    """Yield line number, and question, name and grade."""
    header, _, _ = text.partition("\n")
    if [part.strip() for part in header.split("\t")] == BEIR_HEADER:
        yield from islice(_rows(text, file, len(BEIR_HEADER), has_tabs=True), 1, None)
    else:
        for number, (question, _, name, grade) in _rows(text, file, QREL_FIELDS):
            yield number, [question, name, grade]


def _rows(text: str, file: str, fields: int, *, has_tabs: bool = False) -> Iterable[tuple[int, list[str]]]:
    """Yield line number and fields: between tabs as they are, or between spaces, where spaces in a name are escaped."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            parts = [part.strip() for part in line.split("\t")] if has_tabs else list(map(unquote, line.split()))
            filled = [part for part in parts if part]
            if (len(parts), len(filled)) != (fields, fields):
                n = len(filled) if len(parts) == fields else len(parts)
                raise _wrong(file, number, sentence("rankings.fields", n=n, wanted=fields))
            yield number, parts


def _number(file: str, line: int, text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise _wrong(file, line, sentence("rankings.not-a-number", what=what, text=text))
    return value


def _wrong(file: str, line: int, problem: str) -> InputError:
    said = sentence("rankings.line", file=file, line=str(line), problem=problem)
    return InputError(said, field=f"line {line}")


def _word(text: str) -> str:
    """Escape white space, which separates the fields, as addresses do."""
    return re.sub(r"[\s%]", lambda match: quote(match[0]), text)
