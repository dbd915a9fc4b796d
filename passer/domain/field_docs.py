"""The strings below the fields of a class, which describe them: read from the source of its module."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache


def field_docs(cls: type) -> dict[str, str]:
    """Return the description of each field of a class and its bases; fields without one are left out."""
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        # Classes derived from a generic one, such as Page[Run], have brackets after its name.
        found |= _of_module(each.__module__).get(each.__qualname__.partition("[")[0], {})
    return found


@cache
def _of_module(name: str) -> dict[str, dict[str, str]]:
    """Return the descriptions of every class of a module, by qualified name."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[name]))
    except (KeyError, OSError, TypeError):
        return {}  # not from a file of Python, like the built-in types
    return dict(_classes(tree, ""))


def _classes(node: ast.AST, prefix: str) -> Iterator[tuple[str, dict[str, str]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield f"{prefix}{child.name}", dict(_described(child))
            yield from _classes(child, f"{prefix}{child.name}.")


def _described(of: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, text in zip(of.body, of.body[1:], strict=False):
        match field, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(written))):
                yield name, inspect.cleandoc(written)
