"""Pairs to score: real texts of the published record where they are, else the questions that come with PaSSER."""

from __future__ import annotations

import json
import random
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def real_pairs(folder: Path) -> list[tuple[str, str]]:
    """Distinct (reference, answer) pairs, shuffled once and always alike; the examples without that folder."""
    found = _record(folder) if folder.is_dir() else _examples()
    pairs = list(dict.fromkeys(found))
    random.Random(17).shuffle(pairs)
    return pairs


def swept_pairs(pairs: list[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """As many distinct pairs as asked for, six answers to a reference: a published sweep had 5.6 to each."""
    answers: dict[str, list[tuple[str, str]]] = {}
    for pair in pairs:
        answers.setdefault(pair[0], []).append(pair)
    return [pair for each in answers.values() for pair in each[:6]][:count]


def short_pairs(pairs: list[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """As many distinct pairs as asked for, 18 words to a side, made of pieces of real ones."""
    made: dict[tuple[str, str], None] = {}
    for first in range(0, 3000, 3):
        for reference, answer in pairs:
            piece = answer.split(maxsplit=first + 18)[first : first + 18]
            if piece:
                made[" ".join(reference.split(maxsplit=18)[:18]), " ".join(piece)] = None
            if len(made) == count:
                return list(made)
    return list(made)


def _record(folder: Path) -> list[tuple[str, str]]:
    from openpyxl import load_workbook

    questions = json.loads((folder / "questions" / "sourcebook-371.json").read_text(encoding="utf-8"))
    references = {" ".join(row["question"].split()): row["answer"] for row in questions}
    pairs = []
    for path in sorted((folder / "phase3-sheets").glob("*/*.xlsx")):
        with path.open("rb") as stream:
            book = load_workbook(stream, read_only=True)
            for row in list(book.worksheets[0].iter_rows(values_only=True))[1:]:
                question, found, answer = str(row[4] or "").partition(", answer: ")
                reference = references.get(" ".join(question.removeprefix("question:").split()))
                if found and reference and answer.strip():
                    pairs.append((reference, answer))
            book.close()
    return pairs


def _examples() -> list[tuple[str, str]]:
    """References of the examples, each against the document that its answer stands in."""
    pairs = []
    for path in sorted((ROOT / "datasets").glob("*/questions.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            for gold in row.get("gold_passages") or []:
                text = (path.parent / "corpus" / gold["document"]).read_text(encoding="utf-8")
                pairs.append((row["reference"], text[:2500]))
    return pairs
