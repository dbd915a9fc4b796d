"""Addresses of model servers, and the waiting times that they ask for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from passer.adapters.generators.faults import checked_url, retry_after_s
from passer.adapters.generators.ollama import OllamaChatModel
from passer.errors import ConfigError


def test_retry_after_in_both_forms() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert retry_after_s(None) is None
    assert retry_after_s("0") == 0.0
    assert retry_after_s("120") == 120.0
    assert retry_after_s(format_datetime(now + timedelta(seconds=90), usegmt=True), now=now) == 90.0
    assert retry_after_s(format_datetime(now - timedelta(seconds=90), usegmt=True), now=now) == 0.0
    assert retry_after_s("soon") is None


@pytest.mark.parametrize("url", ["", "http://", "ftp://host", "http://host:port", "http://[::1"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        OllamaChatModel(url)
    assert caught.value.field == "ollama_url"


def test_addresses_as_people_write_them() -> None:
    assert checked_url("127.0.0.1:11434", field="f") == "http://127.0.0.1:11434"
    assert checked_url("https://host/ollama/", field="f") == "https://host/ollama"
