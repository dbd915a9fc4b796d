"""Writes the tables of forgeries in docs/audit.md from the tests that make each forgery.

python -m tests.audit_tables
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tests.conftest import ROOT
from tests.services.provenance import (
    test_design_forgeries,
    test_hidden_proof_forgeries,
    test_judged_study_forgeries,
    test_names_in_studies,
    test_proof_forgeries,
    test_publisher_forgeries,
    test_rated_study_forgeries,
    test_registration,
    test_sent_prompts,
    test_sheet_studies,
    test_studies_without_texts,
    test_study_forgeries,
)

PAGE = ROOT / "docs" / "audit.md"
Steps = Mapping[str, str | None]
"""By forgery: the step that finds it, or None."""


def steps_of(forgeries: Mapping[str, tuple[str | None, object]]) -> Steps:
    return {name: step for name, (step, _) in forgeries.items()}


TABLES: tuple[Steps, ...] = (
    steps_of(test_study_forgeries.FORGERIES | test_design_forgeries.FORGERIES)
    | test_design_forgeries.LISTED
    | steps_of(test_names_in_studies.FORGERIES),
    steps_of(test_publisher_forgeries.FORGERIES),
    steps_of(test_sheet_studies.OF_SHEETS),
    steps_of(test_judged_study_forgeries.OF_A_JUDGE),
    steps_of(test_rated_study_forgeries.OF_RATINGS),
    steps_of(test_studies_without_texts.FORGERIES),
    steps_of(test_sent_prompts.FORGERIES),
    steps_of(test_registration.FORGERIES),
    steps_of(test_proof_forgeries.PROOF_FORGERIES | test_hidden_proof_forgeries.HIDDEN),
)
"""In the order of the page."""
_TABLE = re.compile(r"\| forgery \| found by \|\n\|---\|---\|\n(?:\|.*\n)*")


def table(steps: Steps) -> str:
    """Return a table in Markdown: what is found first, each part in the order of the tests."""
    found = [f"| {name} | `{step}` |\n" for name, step in steps.items() if step]
    hidden = [f"| {name} | cannot be found |\n" for name, step in steps.items() if not step]
    return "".join(("| forgery | found by |\n|---|---|\n", *found, *hidden))


def written(page: str) -> str:
    """Return the page with its tables as the tests have them; ValueError where it has another number of tables."""
    places = list(_TABLE.finditer(page))
    if len(places) != len(TABLES):
        raise ValueError(f"docs/audit.md has {len(places)} tables of forgeries, the tests {len(TABLES)}.")
    tables: Iterator[str] = map(table, TABLES)
    return _TABLE.sub(lambda _: next(tables), page)


def main() -> None:
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
