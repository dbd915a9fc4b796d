"""Hooks of mkdocs: pages that are generated from the program, and links that lead out of the documentation.

`mkdocs.yml` names this file. The reference of the command line and of HTTP is made here at each build, not committed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = re.compile(r"\[([^]]+)\]\((?:\.\./)+(?!docs/)[^)]*\)")
"""Links to files of the repository, which a website does not have."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for name, text in (("commands", commands()), ("http", operations())):
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    assert config.nav is not None  # mkdocs.yml has one
    config.nav[-1]["Develop"].extend(decisions())
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Name files of the repository instead of linking to them."""
    return OUTSIDE.sub(r"\1", markdown)


def commands() -> str:
    """Return the reference of the command line, as its own help describes it."""
    done = subprocess.run(
        [sys.executable, "-m", "typer", "passer.cli", "utils", "docs", "--name", "passer", "--title", "Commands"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def operations() -> str:
    """Return a table of all HTTP operations by what they concern; the running server describes them at /docs."""
    described = json.loads((ROOT / "frontend" / "openapi.json").read_text(encoding="utf-8"))
    by_tag: dict[str, list[str]] = defaultdict(list)
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            says = " ".join(operation.get("description", operation["summary"]).split("\n\n")[0].split())
            row = f"| `{method.upper()} {path.removeprefix('/api/v1')}` | {says} |"
            by_tag[operation["tags"][0] if operation.get("tags") else "others"].append(row)
    lines = [
        "# HTTP",
        "",
        "All operations of the API, below `/api/v1`. The running server describes parameters, bodies and answers at",
        "`/docs`, and for programs at `/openapi.json`. Errors are `application/problem+json`.",
        "",
        described["info"]["description"],
        "",
    ]
    for tag, rows in by_tag.items():
        lines += [f"## {tag.capitalize()}", "", "| operation | does |", "|---|---|", *rows, ""]
    return "\n".join(lines)


def decisions() -> list[str]:
    """Return the pages of `docs/decisions`, in order."""
    return [f"decisions/{page.name}" for page in sorted((ROOT / "docs" / "decisions").glob("*.md"))]
