"""Lines, functions, comments and import cycles of source files, counted without running them."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TO_TOOLS = ("# noqa", "# type:", "# fmt:", "# pragma:", "# mypy:", "#!")

KINDS = ("code", "text", "imports", "docstring", "comment", "blank")
"""What a line holds; each line is of one kind."""
QUOTED = re.compile(r"""\s*(?:[\w.]+ ?[:=] ?)?(["'`]).*\1[,;)\]}\s]*""")
"""A line of the page that holds one quoted text, perhaps under a name: a message, a path, a key."""

Sources = Mapping[Path, str]


def count_lines(text: str) -> int:
    return len(text.splitlines())


def function_lengths(text: str) -> Iterator[int]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def comment_density(texts: Iterable[str]) -> float:
    """Comments per 100 lines that hold code; 0 without code."""
    comments = code = 0
    for text in texts:
        documented = docstring_lines(text)
        coded: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comments += not token.string.startswith(TO_TOOLS)
            elif token.string.strip() and token.type != tokenize.ENDMARKER:
                coded.update(range(token.start[0], token.end[0] + 1))
        code += len(coded - documented)
    return 100 * comments / code if code else 0.0


def python_kinds(text: str) -> Counter[str]:
    """Count the lines by KINDS; text is lines of literal strings alone, such as messages, help and catalogues."""
    documented, imported = docstring_lines(text), import_lines(text)
    coded: set[int] = set()
    quoted: set[int] = set()
    said: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        lines = range(token.start[0], token.end[0] + 1)
        if token.type == tokenize.COMMENT:
            said.update(lines)
        elif token.type == tokenize.STRING:
            quoted.update(lines)
        elif token.string.strip() and token.string not in {"(", ")", ",", "[", "]", "{", "}", ":"}:
            coded.update(lines)
    kinds = Counter[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if number in documented:
            kinds["docstring"] += 1
        elif number in imported:
            kinds["imports"] += 1
        elif number in quoted:
            kinds["code" if number in coded else "text"] += 1
        elif not line.strip():
            kinds["blank"] += 1
        else:
            kinds["comment" if number in said and number not in coded else "code"] += 1
    return kinds


def page_kinds(text: str) -> Counter[str]:
    """Count the lines of TypeScript or CSS by KINDS; a comment that describes a member counts as docstring."""
    kinds = Counter[str]()
    inside = ""
    for line in map(str.strip, text.splitlines()):
        if not inside and line.startswith("/*"):
            inside = "docstring" if line.startswith("/**") else "comment"
        elif not inside and line.startswith("import "):
            inside = "imports"
        if inside:
            kinds[inside] += 1
            inside = "" if ("*/" in line or (inside == "imports" and line.endswith(";"))) else inside
        elif not line:
            kinds["blank"] += 1
        elif line.startswith("//"):
            kinds["comment"] += 1
        else:
            kinds["text" if QUOTED.fullmatch(line) else "code"] += 1
    return kinds


def import_lines(text: str) -> set[int]:
    """Lines of import statements, also those inside functions."""
    return {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def docstring_lines(text: str) -> set[int]:
    """Lines of bare strings: docstrings of modules, classes, functions and attributes."""
    return {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def import_cycles(sources: Sources) -> list[list[str]]:
    """Cycles of modules, found one after the other: each is reported once and then cut at its last import."""
    modules = {module_of(path): text for path, text in sources.items()}
    graph = {name: imports_of(text, set(modules)) - {name, "passer"} for name, text in modules.items()}
    cycles = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as exc:
            cycle = list(exc.args[1])
            cycles.append(cycle)
            graph[cycle[1]].discard(cycle[0])
            continue
        return cycles


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(text: str, modules: set[str]) -> set[str]:
    """Modules of the product that a module names in its import statements."""
    found = set()
    for node in ast.walk(without_types(ast.parse(text))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # `from passer.services import x` names the module x where there is one, else the package itself.
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inner & modules) or {node.module}
    return found & modules


class TypesRemover(ast.NodeTransformer):
    """Removes what stands under `if TYPE_CHECKING`."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        is_types = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if is_types else self.generic_visit(node)


def without_types(tree: ast.Module) -> ast.AST:
    TypesRemover().visit(tree)
    return tree
