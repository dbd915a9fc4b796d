"""What is read from the environment."""

from __future__ import annotations

import pytest

from passer.domain.base import shown_address
from passer.errors import ConfigError
from passer.settings import Settings


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("0.0.0.0:11434", "http://127.0.0.1:11434"),
        ("gpu-box", "http://gpu-box:11434"),
        ("gpu-box:8080", "http://gpu-box:8080"),
        ("[::1]", "http://[::1]:11434"),
        ("[::1]:8080", "http://[::1]:8080"),
        ("https://ollama.example.com", "https://ollama.example.com"),
        ("http://host/ollama/", "http://host/ollama"),
        ("gpu-1, gpu-2:8080,http://gpu-3", "http://gpu-1:11434,http://gpu-2:8080,http://gpu-3"),
    ],
)
def test_ollama_is_found_as_ollama_itself_finds_it(monkeypatch, given, used):
    for name in ("PASSER_OLLAMA_URL", "OLLAMA_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OLLAMA_HOST", given)
    assert Settings.of_environment().ollama_url == used


def test_a_wrong_value_names_its_variable(monkeypatch):
    monkeypatch.setenv("PASSER_CONCURRENCY", "0")
    with pytest.raises(ConfigError, match=r"^PASSER_CONCURRENCY is not valid .*\.$"):
        Settings.of_environment()


def test_nothing_needs_to_be_set(monkeypatch):
    for name in Settings.model_fields:
        monkeypatch.delenv(f"PASSER_{name.upper()}", raising=False)
    settings = Settings.of_environment()
    assert settings.resolved_database_url.startswith("sqlite:///")
    assert settings.chroma_url is None


def test_the_key_of_a_model_server_is_never_shown(monkeypatch):
    monkeypatch.setenv("PASSER_OPENAI_API_KEY", "sk-secret")
    assert "sk-secret" not in repr(Settings.of_environment())


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://user:pass@host:1/path", "http://host:1/path"),
        ("http://host/a@b", "http://host/a@b"),
        ("/a/folder", "/a/folder"),
        ("http://u:p@a:1,http://u:p@b:2/x", "http://a:1,http://b:2/x"),
    ],
)
def test_an_address_is_shown_without_its_password(url, shown):
    assert shown_address(url) == shown
