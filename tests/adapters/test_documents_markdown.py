"""Markdown: as written, without front matter and comments."""

from __future__ import annotations

import pytest

from passer.adapters.documents.plain import MarkdownReader


def test_markdown_keeps_its_signs_but_not_front_matter_and_comments() -> None:
    content = b"---\ntitle: Soil\n---\n# Soil\n\nLegumes <!-- check --> fix nitrogen.\n\n---\n\nEnd.\n"
    assert MarkdownReader().read(content, "soil.md").text == "# Soil\n\nLegumes  fix nitrogen.\n\n---\n\nEnd.\n"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a\n```html\n<!-- code -->\n```\nb <!-- gone --> c", "a\n```html\n<!-- code -->\n```\nb  c"),
        (
            "~~~~\n<!-- code -->\n~~~\n<!-- code -->\n~~~~\n<!-- gone -->b",
            "~~~~\n<!-- code -->\n~~~\n<!-- code -->\n~~~~\nb",
        ),
        ("a `<!-- code -->` b<!-- gone -->", "a `<!-- code -->` b"),
        ("a ` b<!-- gone -->\n\nnext ` c", "a ` b\n\nnext ` c"),
        ("a\n\n    <!-- code -->\n\n    <!-- code -->\n<!-- gone -->", "a\n\n    <!-- code -->\n\n    <!-- code -->\n"),
        ("a\n    <!-- gone -->b\n- c\n\n    <!-- gone -->d", "a\n    b\n- c\n\n    d"),
        ("1. a\n\n   ```\n   <!-- code -->\n   ```\n", "1. a\n\n   ```\n   <!-- code -->\n   ```\n"),
        ("<!--\n```\ngone\n```\n-->a", "a"),
        ("+++\ntitle = 'T'\n[more]\nx = [1, 2]\n+++\n# A", "# A"),
        ("+++\nNo names here.\n+++\nA", "+++\nNo names here.\n+++\nA"),
        ("- a\n  <!-- gone -->\n   <!-- gone -->b", "- a\n  \n   b"),
        ("a\n  `<!-- code -->` b", "a\n  `<!-- code -->` b"),
    ],
)
def test_comments_in_the_code_of_markdown_stay_and_front_matter_in_toml_goes(content: str, text: str) -> None:
    assert MarkdownReader().read(content.encode(), "a.md").text == text


def test_markdown_that_the_first_version_read_alike_keeps_its_passages() -> None:
    assert MarkdownReader().read(b"# A\n\n`code` <!-- gone --> b", "a.md").reader is None
    assert MarkdownReader().read(b"# A\n\n`<!-- code -->` b", "a.md").reader == "md-2"


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 100_000], ids=["integer", "lists"])
def test_front_matter_that_no_program_can_read_is_text(value: str) -> None:
    content = f"+++\nx = {value}\n+++\nA"
    assert MarkdownReader().read(content.encode(), "a.md").text == content
