"""Names of runs, and the names that earlier versions gave."""

from __future__ import annotations

import pytest

from passer.domain.run_names import current_name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Similarity >= 0.50", "Similarity ≥ 0.50"),
        ("Score >= 0.50", "Similarity ≥ 0.50"),
        ("Normal k=10", "Top-k 10"),
        ("Normal k=10, llama, Score >= 0.50", "Top-k 10, llama, Similarity ≥ 0.50"),
        ("Normal kernels", "Normal kernels"),
    ],
)
def test_a_configuration_is_found_by_the_name_that_earlier_versions_gave_it(typed: str, name: str) -> None:
    assert current_name(typed) == name == current_name(name)
