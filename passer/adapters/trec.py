"""Rankings and relevance grades in the file formats of TREC and BEIR.

TREC has one line for each result, `qid Q0 docid rank score tag`, and for each grade, `qid 0 docid grade`. BEIR's grades
have the header `query-id corpus-id score` and are separated by tabs, or by commas as data frames write them, so that
its names may contain spaces. The fields of TREC are separated by spaces, or by one tab each.
"""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from itertools import islice, pairwise
from math import isfinite, nan
from operator import itemgetter
from typing import IO
from urllib.parse import quote, unquote

from passer.adapters.encodings import encoding_of
from passer.domain.dataset import LARGEST_GRADE
from passer.domain.figures.axes import slug
from passer.domain.retrieval.figures import RankedNames, StoredRankings
from passer.domain.retrieval.report import RetrievalReport
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

RUN_FORM, QREL_FORM = "qid Q0 docid rank score tag", "qid 0 docid grade"
_ESCAPED = re.compile("(?:%[0-9A-Fa-f]{2})+")
_LINE_END, _SPACES = re.compile("\r\n?|\n"), re.compile("[ \t\v\f]+")
"""As trec_eval separates lines and fields: other white space, such as U+3000, is a part of a name."""
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
    """Return the stored rankings of a sweep as files by name; each of several collections has separate files."""
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
    lines = _spaced(_text(content, file), RUN_FORM)
    for number, (question, _, name, rank, score, of_run) in _rows(lines, file, RUN_FORM):
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
    _check_order(scored.values(), file)
    return tag, {question: sorted(names, key=names.__getitem__) for question, names in scored.items()}


def is_beir(content: bytes, file: str) -> bool:
    """Return whether a file has the header of BEIR's grades."""
    return _beir_separator(_text(content, file)) is not None


def read_qrels(content: bytes, file: str) -> dict[str, dict[str, int]]:
    """Return the grade of each name by question; InputError names the line."""
    grades: dict[str, dict[str, int]] = {}
    for number, (question, name, grade) in _graded(_text(content, file), file):
        value = _number(file, number, grade, "grade")
        if value != int(value):
            raise _wrong(file, number, sentence("rankings.not-whole", grade=grade[:40]))
        if value > LARGEST_GRADE:
            raise _wrong(file, number, sentence("rankings.large-grade", grade=grade[:40], most=LARGEST_GRADE))
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
    if (place := text.find("\ufffd")) >= 0:
        # Browsers and editors put it in the place of letters of another encoding, so that a name would be another one.
        line = len(_LINE_END.findall(text, 0, place)) + 1
        raise InputError(sentence("rankings.replaced", file=file, line=str(line)), field=f"line {line}")
    return text


def _check_order(scored: Iterable[Mapping[str, tuple[float, int]]], file: str) -> None:
    """Raise InputError if every ranking has rising scores: trec_eval's order would be from the worst to the best."""
    ordered = [sorted(found.values(), key=itemgetter(1)) for found in scored if len(found) > 1]
    if ordered and all(one[0] > other[0] for places in ordered for one, other in pairwise(places)):
        raise InputError(sentence("rankings.rising", file=file))


def _graded(text: str, file: str) -> Iterable[tuple[int, list[str]]]:
    """Yield line number, and question, name and grade."""
    if (separator := _beir_separator(text)) is not None:
        yield from islice(_rows(_separated(text, file, separator), file, " ".join(BEIR_HEADER)), 1, None)
    else:
        for number, (question, _, name, grade) in _rows(_spaced(text, QREL_FORM), file, QREL_FORM):
            yield number, [question, name, grade]


def _beir_separator(text: str) -> str | None:
    header, _, _ = text.partition("\n")
    return next((each for each in "\t," if [part.strip() for part in header.split(each)] == BEIR_HEADER), None)


def _separated(text: str, file: str, separator: str) -> Iterable[tuple[int, list[str]]]:
    """Yield line number and cells; only cells between commas may be quoted."""
    lines = text.splitlines()
    if separator == "\t":
        yield from enumerate((line.split("\t") for line in lines), start=1)
        return
    reader = csv.reader(lines)
    try:
        yield from enumerate(reader, start=1)
    except csv.Error as exc:
        raise _wrong(file, reader.line_num, str(exc)) from exc


def _spaced(text: str, form: str) -> Iterable[tuple[int, list[str]]]:
    """Yield line number and fields: between tabs if there are as many as in the form, else between spaces.

    Names between tabs may contain spaces; between spaces they are escaped.
    """
    for number, line in enumerate(_LINE_END.split(text), start=1):
        cells = line.split("\t")
        fields = cells if len(cells) == len(form.split()) else _SPACES.split(line.strip(" \t\v\f"))
        yield number, list(map(_unescaped, fields))


def _rows(lines: Iterable[tuple[int, list[str]]], file: str, form: str) -> Iterable[tuple[int, list[str]]]:
    """Yield number and fields of lines that are not blank; InputError where there are not as many as in the form."""
    wanted = len(form.split())
    for number, fields in lines:
        parts = [part.strip() for part in fields]
        filled = [part for part in parts if part]
        if filled and (len(parts), len(filled)) != (wanted, wanted):
            n = len(filled) if len(parts) == wanted else len(parts)
            raise _wrong(file, number, sentence("rankings.fields", n=n, wanted=wanted, form=form))
        if filled:
            yield number, parts


def _number(file: str, line: int, text: str, what: str) -> float:
    try:
        # Python reads 1_0 as ten.
        value = nan if "_" in text else float(text)
    except ValueError:
        value = nan
    if not isfinite(value):
        raise _wrong(file, line, sentence("rankings.not-a-number", what=what, text=text[:40]))
    return value


def _wrong(file: str, line: int, problem: str) -> InputError:
    said = sentence("rankings.line", file=file, line=str(line), problem=problem)
    return InputError(said, field=f"line {line}")


def _unescaped(text: str) -> str:
    """Return a name with the escapes of `_word` undone; others belong to the names that their owners use."""

    def undone(found: re.Match[str]) -> str:
        decoded = unquote(found[0])
        return decoded if all(char.isspace() or char == "%" for char in decoded) else found[0]

    return _ESCAPED.sub(undone, text)


def _word(text: str) -> str:
    """Escape white space, which separates the fields, as addresses do."""
    return re.sub(r"[\s%]", lambda match: quote(match[0]), text)
