"""The page for contributors names files that exist, and what they contain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
NAMED = re.compile(r"(new )?`([^`]+)`")


def named_files(text: str) -> Iterator[tuple[bool, str]]:
    """Yield each path in backticks, and whether the page calls it new."""
    for new, name in NAMED.findall(text):
        if "/" in name and re.search(r"[.]\w+$|/$|^tests/", name):
            yield bool(new), name


def statements() -> Iterator[tuple[list[str], list[str]]]:
    """Yield files, and the names that the page says are in one of them: by row, and in sentences as `name` (`file`)."""
    for name, file in re.findall(r"`(\w+)`\s\(`([^`]+)`\)", PAGE):
        yield [file], [name]
    for line in re.findall(r"^\| (?!file |---).*$", PAGE, re.M):
        where, what = line.strip("| ").split(" | ")[:2]
        files = [name for is_new, name in named_files(f"{where} {what}") if not is_new]
        yield files, re.findall(r"`(_?[A-Za-z]+(?:_\w+)*)`", what)


def test_the_files_exist_and_new_ones_have_a_folder() -> None:
    found = list(named_files(PAGE))
    assert len(found) > 60
    absent = [name for is_new, name in found if not ((ROOT / name).parent if is_new else ROOT / name).exists()]
    assert absent == []


def test_each_name_is_in_one_of_its_files() -> None:
    checked = [(files, name) for files, names in statements() for name in names]
    assert len(checked) > 30
    lost = [
        (files, name)
        for files, name in checked
        if not any(re.search(rf"\b{name}\b", (ROOT / file).read_text(encoding="utf-8")) for file in files)
    ]
    assert lost == []
