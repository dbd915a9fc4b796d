"""Versions of Ollama, before and after each change that matters."""

from __future__ import annotations

import pytest

from passer.domain.models.ollama_version import version_defect


@pytest.mark.parametrize(
    ("version", "code"),
    [
        ("0.1.14", "ollama.cuts"),
        ("0.12.5", "ollama.cuts"),
        ("0.12.6", "ollama.old"),
        ("0.13.5", "ollama.old"),
        ("0.30.10", "ollama.old"),
        ("0.30.11", None),
        ("0.33.0-rc2", None),
        ("ollama 0.30.10", "ollama.old"),
        ("0.0.0", "ollama.cuts"),
        ("unknown", None),
        (None, None),
    ],
)
def test_what_a_version_cannot_do(version: str | None, code: str | None) -> None:
    found = version_defect(version)
    assert (found and found.message and found.message.code) == code
