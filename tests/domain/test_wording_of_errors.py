"""Errors that a reader of the page can meet are messages, so that they are said in the reader's language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from passer import errors
from passer.errors import PasserError, Problem

SOURCES = Path(__file__).parents[2] / "passer"
IN_ENGLISH = (
    "cli",
    "langchain.py",
    "settings.py",
    "bootstrap",
    "metrics/engine.py",
    "metrics/wordnet.py",
    "adapters/caller_files.py",
    "adapters/wordnet.py",
    "domain/bundle",
)
"""The command line, settings at the start, what Python programs call, and the verifier, whose report is English."""
ERRORS = {
    name
    for name, value in vars(errors).items()
    if isinstance(value, type) and (issubclass(value, PasserError) or value is Problem)
}


def test_errors_outside_the_command_line_are_messages() -> None:
    found = [
        f"{path.relative_to(SOURCES)}:{line}"
        for path in SOURCES.rglob("*.py")
        if not path.relative_to(SOURCES).as_posix().startswith(IN_ENGLISH)
        for line in _in_plain_english(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []


def test_a_plain_text_is_found_directly_and_by_a_name() -> None:
    direct = "def f():\n    raise InputError(f'There is no {x}. Choose another.')"
    named = "def f():\n    message = 'There is none.'\n    raise InputError(message)"
    message = "def f():\n    said = sentence('a.b')\n    raise InputError(said, field='name')"
    assert [list(_in_plain_english(ast.parse(text))) for text in (direct, named, message)] == [[2], [3], []]


def _in_plain_english(tree: ast.Module) -> Iterator[int]:
    """Return the lines of errors whose message is a text written there, or a name that such a text was given."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        nodes = list(ast.walk(function))
        texts = {
            target.id
            for node in nodes
            if isinstance(node, ast.Assign) and _is_text(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS and node.args:
                first = node.args[0]
                if _is_text(first) or (isinstance(first, ast.Name) and first.id in texts):
                    yield node.lineno


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
