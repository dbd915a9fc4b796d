"""Every message of the verifiers has a Bulgarian text: the sources are searched for their sentences."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from passer.domain.bundle.verification import Step
from passer.domain.wording.counted import counted
from passer.domain.wording.sentence import reading
from passer.domain.wording.verifications import translated
from tests.conftest import ROOT

SOURCES = ("domain/bundle", "domain/study", "services/provenance", "antelope/proofs", "domain/canonical.py")
SAYING = {"Violation", "passed", "not_checked", "skipped", "Finding", "NotCanonical"}
"""Calls whose sentences a reader of a verification sees."""
SENTENCE = re.compile(r"[A-Za-z{].*[a-z].* .*")
PATHS = re.compile(r"(runs|sheets|row) \w+(, \w+)?")
"""Places within a member, which are no sentences."""


def sample(node: ast.expr) -> str | None:
    """A sentence as it may read: each part that varies is a number, a count with its noun."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = []
    for each in node.values:
        value = each.value if isinstance(each, ast.FormattedValue) else each
        parts.append(str(value.value) if isinstance(value, ast.Constant) else number(value))
    return "".join(parts)


def number(value: ast.expr) -> str:
    match value:
        case ast.Call(func=ast.Name(id="counted"), args=[_, ast.Constant(value=noun), *_]):
            return counted(7, noun)
    return "7"


def said(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = getattr(node, "func", None)
        if not isinstance(node, ast.Call) or getattr(name, "id", getattr(name, "attr", "")) not in SAYING:
            continue
        is_reason = getattr(name, "attr", "") == "skipped"
        for given in [*node.args, *(each.value for each in node.keywords if each.arg in ("detail", "because"))]:
            for text in filter(None, map(sample, [given])):
                if SENTENCE.fullmatch(text) and not PATHS.fullmatch(text):
                    yield f"{path.name}:{node.lineno}", f"Not checked, because {text}." if is_reason else text


def sources() -> Iterator[Path]:
    for name in SOURCES:
        path = ROOT / "passer" / name
        yield from path.rglob("*.py") if path.is_dir() else (path,)


def test_every_sentence_of_the_verifiers_is_translated() -> None:
    found = [each for path in sources() for each in said(path)]
    assert len(found) > 150
    # What stays the same text is not translated; so is a reason within a sentence that is.
    shown = [(where, re.sub(r"`.*?`", "", translated(text, "bg"))) for where, text in found]
    english = [each for each in shown if re.search(r"[a-z]{3,} [a-z]{3,}", each[1])]
    assert english == []


@pytest.mark.parametrize(
    ("english", "bulgarian"),
    [
        ("It is not valid.", "Не е валиден."),
        ("3 files.", "3 файла."),
        (
            "Not checked, because manifest.json cannot be read.",
            "Не е проверено, защото manifest.json не може да се прочете.",
        ),
        (
            "Question 4 (q3): Its row does not match its record. 2 more have problems.",
            "Въпрос 4 (q3): Редът му не съвпада със записа му. Още 2 имат проблеми.",
        ),
        ("Words of another program.", "Words of another program."),
    ],
)
def test_a_step_is_said_in_the_readers_language_and_in_english_inside(english: str, bulgarian: str) -> None:
    step = Step(name="manifest", outcome="fail", detail=english)
    assert Step.model_validate_json(step.model_dump_json()).detail == english
    with reading("bg"):
        assert Step.model_validate_json(step.model_dump_json()).detail == bulgarian
    assert step.model_dump()["detail"] == english
