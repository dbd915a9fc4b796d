"""docs/metrics.md says what the metrics say of themselves."""

from __future__ import annotations

from passer.domain.score import VECTOR_ORDER
from passer.metrics.document import document
from tests.conftest import ROOT


def test_the_page_is_fresh() -> None:
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    assert page == document(), "run `make generate`"


def test_every_column_stands_in_it_twice() -> None:
    page = document()
    for column in VECTOR_ORDER:
        for profile in ("standard", "published"):
            assert f"### {column}, {profile}\n" in page
