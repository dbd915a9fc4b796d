"""Values that a project may choose."""

from __future__ import annotations

import pytest

from passer.domain.accounts.project_settings import _ALLOWED, ProjectValues, allowed_value
from passer.domain.retrieval.passages import EMBEDDED
from passer.errors import InputError, NotFoundError


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("embedding", "embedded"),
        ("embedding", EMBEDDED),
        ("embedding", " ollama/nomic-embed-text:latest "),
        ("judge_embedding", "scoring"),
        ("ledger_granularity", "run"),
        ("timestamp_url", "https://stamps.example.org/tsr"),
        ("timestamp_url", "http://127.0.0.1:318"),
    ],
)
def test_a_value_is_kept_without_spaces_around_it(name, value):
    assert allowed_value(name, value) == value.strip()
    assert ProjectValues.model_validate({name: value.strip()})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("embedding", "scoring"),
        ("embedding", "/etc/passwd"),
        ("embedding", "ollama/../../etc"),
        ("embedding", "ollama/a\nb"),
        ("judge_embedding", "models/own"),
        ("ledger_granularity", "Run"),
        ("ledger_granularity", "question|run"),
        ("timestamp_url", "stamps.example.org"),
        ("timestamp_url", "file:///etc/passwd"),
        ("timestamp_url", "https://user:secret@stamps.example.org/tsr"),
        ("timestamp_url", "https://stamps.example.org/" + "x" * 500),
    ],
)
def test_another_value_is_refused_with_those_that_are_allowed(name, value):
    with pytest.raises(InputError, match=r"Enter ") as refused:
        allowed_value(name, value)
    assert refused.value.field == "value"


@pytest.mark.parametrize("name", ["home", "database_url", "EMBEDDING", "", "no\nsuch"])
def test_settings_of_the_installation_are_unknown_to_projects(name):
    with pytest.raises(NotFoundError, match="embedding, judge_embedding, ledger_granularity, timestamp_url"):
        allowed_value(name, "x")


def test_every_setting_says_what_it_allows():
    assert set(_ALLOWED) == set(ProjectValues.model_fields)
