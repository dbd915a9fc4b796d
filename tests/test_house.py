"""What the figures of benchmarks/house.py count, on sources small enough to count by hand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.house import FILE_LINES, PRODUCT
from benchmarks.source_shape import comment_density, function_lengths, import_cycles, page_kinds, python_kinds

SOURCE = '''"""A module."""
# why: counts

import os  # noqa: F401


def f(
    x: int,
) -> str:
    """Does it.

    # part of a docstring
    """
    return """two
# lines of a string"""  # counts too
'''


def test_comments_are_counted_per_line_of_code() -> None:
    # By hand: 2 comments; code: import, def, x, ->, return, its second line = 6 lines.
    assert comment_density([SOURCE]) == pytest.approx(100 * 2 / 6)
    assert comment_density(['"""A package."""\n']) == 0


def test_each_line_is_of_one_kind() -> None:
    text = SOURCE + '\nHELP = (\n    "one "\n    "two"\n)\n'
    # By hand: code is `def f(`, `x: int,`, `) -> str:`, `return` and then `HELP = (`, `)`; the returned string's second
    # line is text, as are "one" and "two".
    assert python_kinds(text) == {
        "docstring": 5, "comment": 1, "imports": 1, "blank": 4, "code": 6, "text": 3,
    }  # fmt: skip
    page = (
        'import {\n  a,\n} from "a";\nimport b from "b";\n\n/** Says. */\n/* why\n   so */\n// why\n'
        'const x = {\n  key: "A text.",\n  "Another.",\n};\n'
    )
    # By hand: three and one lines of imports; `const` and `};`.
    assert page_kinds(page) == {"imports": 4, "blank": 1, "docstring": 1, "comment": 3, "text": 2, "code": 2}


def test_functions_are_counted_from_def_to_the_last_statement() -> None:
    assert list(function_lengths(SOURCE)) == [9]


def test_a_cycle_is_found_inside_functions_and_not_under_type_checking() -> None:
    a = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from passer.b import x\n"
    b = "def f():\n    import passer.a\n"
    files = {PRODUCT / "a.py": a, PRODUCT / "b.py": b}
    assert import_cycles(files) == []
    assert len(import_cycles(files | {PRODUCT / "a.py": "from passer.b import x\n"})) == 1
    assert len(import_cycles(files | {PRODUCT / "a.py": "def g():\n    from passer import b\n"})) == 1


def classes(folder: Path) -> Iterator[tuple[Path, ast.ClassDef]]:
    """Public classes of modules."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield path, node


def methods(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {each.name: each for each in node.body if isinstance(each, ast.FunctionDef) and each.name[0] != "_"}


def members(node: ast.ClassDef) -> set[str]:
    """Methods, properties and attributes, also those that are set on `self`."""
    fields = {
        each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    stored = {
        each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
    }
    return {*methods(node), *fields, *stored}


def test_a_method_without_a_docstring_implements_a_port_or_says_it_all_in_one_statement() -> None:
    """Ruff's D102 knows no ports, so this stands in its place: a port's docstring is said once."""
    ports = [
        (members(node), {name for name, method in methods(node).items() if ast.get_docstring(method)})
        for _, node in classes(PRODUCT / "ports")
        if "Protocol" in map(ast.unparse, node.bases)
    ]
    undocumented = []
    for path, node in classes(PRODUCT):
        own = members(node)
        inherited = {name for asked, documented in ports if asked <= own for name in documented}
        undocumented += [
            f"{path.relative_to(PRODUCT)}: {node.name}.{name}"
            for name, method in methods(node).items()
            if not ast.get_docstring(method) and name not in inherited and len(method.body) > 1
        ]
    assert len(ports) > 20
    assert undocumented == []


def test_no_file_of_the_product_has_more_than_300_lines() -> None:
    longer = [str(path) for path in PRODUCT.rglob("*.py") if len(path.read_text("utf-8").splitlines()) > FILE_LINES]
    assert longer == []
