"""Clients of model servers: one per server, with the address and key of the settings or of a connection."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Unpack

from passer.domain.base import shown_address
from passer.domain.models.model import ConnectedKind, Model, ModelInfo, Provider, addresses
from passer.domain.models.reply_places import ReplyPlaces
from passer.domain.retrieval.passages import EMBEDDED
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, ModelNotFoundError, NotFoundError
from passer.ports import ChatModel

if TYPE_CHECKING:
    from passer.adapters.generators.http_client import ClientOptions
    from passer.adapters.generators.ollama import OllamaChatModel
    from passer.adapters.generators.openai import OpenAIChatModel
    from passer.adapters.generators.outside import OutsideSystem
    from passer.bootstrap.adapters import Adapters
    from passer.services.library.model_servers import ModelServers

LISTING_S = 5.0
"""Longest wait for a list of models, which somebody watches."""


@dataclass(frozen=True)
class ModelClients:
    """Builds each client on first use; `servers` knows connections and addresses."""

    adapters: Adapters
    functions: dict[str, ChatModel] = field(default_factory=dict)
    """Systems that are functions of this process, by name."""

    @cached_property
    def servers(self) -> ModelServers:
        """Model servers of the settings and those that were connected."""
        from passer.adapters.web import resolve
        from passer.services.library.model_servers import ModelServers

        settings = self.adapters.settings
        return ModelServers(
            store=self.adapters.connections,
            vault=self.adapters.vault,
            setting_urls=self.setting_urls,
            environment=os.environ,
            ask=self._listed,
            resolve=resolve,
            left_out=lambda: self.adapters.local_models.left_out(),
            allowed=settings.model_hosts,
            is_alone=settings.is_alone,
        )

    @property
    def setting_urls(self) -> dict[Provider, str]:
        """Server address by provider, from the settings."""
        settings = self.adapters.settings
        urls: dict[Provider, str | None] = {"ollama": settings.ollama_url, "openai": settings.openai_url}
        return {provider: url for provider, url in urls.items() if url}

    def address_of(self, model: Model) -> str | None:
        """Return the address of a model that names none; None where its connection was deleted."""
        if model.connection is None:
            return self.setting_urls.get(model.provider)
        # A sweep whose connection was deleted must still be listed and queued; asking its model reports the cause.
        with suppress(NotFoundError):
            return self.servers.store.find(model.connection).url
        return None

    def chat_model(self, model: Model) -> ChatModel:
        """Return the client of a model's server."""
        if model.is_function:
            if model.name not in self.functions:
                raise ModelNotFoundError(sentence("outside.not-here", system=model.name))
            return self.functions[model.name]
        if model.connection is None:
            url = model.base_url or self.setting_urls.get(model.provider)
            return self._by_server(model.provider, url, self.setting_key(model.provider, url))
        # Read each time, so that a key replaced on the page creates a new client without a restart.
        connection = self.servers.store.find(model.connection)
        self.servers.check_connected(connection)
        return self._by_server(connection.kind, connection.url, self.servers.key_of(connection), connection.places)

    @cached_property
    def _by_server(self) -> Callable[..., ChatModel]:
        return cache(self._built)

    def setting_key(self, provider: Provider, url: str | None) -> str | None:
        """Return the key in the settings, if all addresses are those of the settings; None for others."""
        # The key belongs to the server of the settings: a file that names another server must not receive it.
        settings = self.adapters.settings
        keys = {"ollama": (settings.ollama_api_key, settings.ollama_url)}
        key, own = keys.get(provider, (settings.openai_api_key, settings.openai_url))
        return key.get_secret_value() if key and url and set(addresses(url)) <= set(addresses(own)) else None

    def _built(
        self, provider: Provider, url: str | None, key: str | None, places: ReplyPlaces | None = None
    ) -> ChatModel:
        if provider == "extractive":
            from passer.adapters.generators.extractive import ExtractiveReader

            return ExtractiveReader(
                sentence_source=self.adapters.collections.sentences,
                embedder=self.adapters.embedder_for(EMBEDDED),
            )
        if provider == "local":
            return self.adapters.local_models
        if url is None:
            raise ConfigError(sentence("connection.none-set"))
        if "," in url:
            from passer.adapters.generators.several import SeveralServers

            return SeveralServers([(shown_address(one), self._by_server(provider, one, key)) for one in addresses(url)])
        return self.adapters.resources.enter_context(
            closing(_client(provider, url, api_key=key, slots=self.adapters.settings.concurrency, places=places))
        )

    def _listed(self, model: Model, key: str | None) -> list[ModelInfo]:
        if model.provider == "extractive" or model.provider == "local":
            return self.chat_model(model).models()
        key = key or self.setting_key(model.provider, model.base_url)
        found: dict[str, ModelInfo] = {}
        for url in addresses(model.base_url):
            options: ClientOptions = {"api_key": key, "connect_timeout_s": 3.0, "read_timeout_s": LISTING_S}
            with closing(_client(model.provider, url, **options)) as client:
                found.update((info.name, info) for info in client.models())
        return sorted(found.values(), key=lambda info: info.name)


def _client(
    kind: ConnectedKind,
    url: str,
    *,
    slots: int | None = None,
    places: ReplyPlaces | None = None,
    **options: Unpack[ClientOptions],
) -> OllamaChatModel | OpenAIChatModel | OutsideSystem:
    # No default case: mypy reports a provider without a client as a missing return.
    match kind:
        case "outside":
            from passer.adapters.generators.outside import OutsideSystem

            return OutsideSystem(url, places=places, **options)
        case "ollama":
            from passer.adapters.generators.ollama import OllamaChatModel

            return OllamaChatModel(url, slots=slots, **options)
        case "openai":
            from passer.adapters.generators.openai import OpenAIChatModel

            return OpenAIChatModel(url, slots=slots, **options)
