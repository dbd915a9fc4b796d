"""Model servers from the settings and connected ones, their models, and downloads of models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from passer.domain.base import Frozen, shown_address
from passer.domain.models.connection import (
    KEY_ADDRESS,
    Connection,
    KeyPlace,
    NewConnection,
    ServerAddress,
    is_reserved,
    is_same_server,
    server_address,
)
from passer.domain.models.model import Model, ModelInfo, Provider, addresses, is_weights_path
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import ConfigError, GenerationError, GeneratorUnavailable, PasserError
from passer.ports import ChatModel, ConnectionStore, Progress, Puller, Vault


class ModelServer(Frozen):
    """A model server with its models, or the problem of reaching it."""

    provider: Provider
    """API of the server."""
    connection: str | None = None
    """Name of the connection; None for what is built in or in the settings."""
    address: str | None = None
    """Its address, without a password."""
    setting: str | None = None
    """Environment variable that contains the address; None if no variable does."""
    key: KeyPlace = "none"
    """Place of its key."""
    models: tuple[ModelInfo, ...] = ()
    """Models that it has."""
    problem: LocalizedText | None = None
    """Reason why its models are not known."""
    left_out: tuple[LocalizedText, ...] = ()
    """Files of the models' folder that cannot be used, each with the reason."""


@dataclass(frozen=True)
class ModelServers:
    """Connects, tests, lists and forgets model servers."""

    store: ConnectionStore
    vault: Vault
    setting_urls: Mapping[Provider, str]
    """Server address by provider, from the environment; several are separated by commas."""
    environment: Mapping[str, str]
    """Places of keys, by the name of a variable."""
    ask: Callable[[Model, str | None], Sequence[ModelInfo]]
    """The models of a server whose address (and key) are given, with short time limits."""
    resolve: Callable[[str, int], Sequence[str]]
    """IP addresses of a host; OSError if there are none."""
    left_out: Callable[[], Sequence[str]] = tuple
    """Reasons why files of the models' folder cannot be used."""
    allowed: Sequence[str] = ()
    """Hosts that may be connected."""
    is_alone: bool = True
    """True if only this machine can use this PaSSER."""

    def list(self) -> tuple[ModelServer, ...]:
        """Return all servers with their models, requested concurrently: built in, of the settings, connected."""
        known = (
            ModelServer(provider="extractive"),
            ModelServer(provider="local"),
            *(
                ModelServer(provider=provider, address=url, setting=f"PASSER_{provider.upper()}_URL")
                for provider, url in self.setting_urls.items()
            ),
            *map(_server_of, self.store.list_connections()),
        )
        with ThreadPoolExecutor(max_workers=len(known)) as pool:
            return tuple(pool.map(self._asked, known))

    def test(self, given: NewConnection) -> ModelServer:
        """Request a server's models before it is connected; nothing is stored."""
        url = self._checked(given)
        key = given.api_key.get_secret_value() if given.api_key else self.key_of(self._connection(given, url))
        return self._probed(_server_of(given), url, key)

    def connect(self, given: NewConnection) -> Connection:
        """Store a server with its key; ConfigError names the field that is wrong."""
        connection = self._connection(given, self._checked(given))
        if given.api_key:
            sealed = self.vault.seal(given.api_key.get_secret_value())
            connection = connection.model_copy(update={"sealed_key": sealed})
        self.store.save(connection)
        return connection

    def key_of(self, connection: Connection) -> str | None:
        """Return the key of a connection; ConfigError where it cannot be read."""
        if connection.key_variable:
            return self._key_of_environment(connection.key_variable, connection.url)
        return self.vault.open(connection.sealed_key) if connection.sealed_key else None

    def _key_of_environment(self, variable: str, url: str) -> str:
        """Return the key in an environment variable, for the address that its operator bound it to.

        Raises ConfigError for another address and without the variable.
        """
        # A key goes to that address alone: on the page anyone could enter another one.
        bound = f"{variable}{KEY_ADDRESS}"
        for needed in (variable, bound):
            if not self.environment.get(needed):
                raise ConfigError(sentence("connection.no-variable", variable=needed), field="key_variable")
        if not is_same_server(self.environment[bound], url):
            raise ConfigError(
                sentence("connection.other-address", variable=variable, bound=bound, url=shown_address(url)),
                field="key_variable",
            )
        return self.environment[variable]

    def check_named(self, models: Sequence[Model]) -> None:
        """Refuse addresses and paths in what a browser or a program sends; NotFoundError for an unknown connection."""
        for name in {model.connection for model in models if model.connection}:
            self.store.find(name)
        # A user of the page must not be able to read this machine's files.
        if any(model.provider == "local" and is_weights_path(model.name) for model in models):
            raise ConfigError(sentence("local.path"), field="model")
        for url in {url for model in models for url in addresses(model.base_url)}:
            of_settings = {each for urls in self.setting_urls.values() for each in addresses(urls)}
            if url not in of_settings | {each.url for each in self.store.list_connections()}:
                raise ConfigError(sentence("connection.unnamed", url=shown_address(url)), field="model.base_url")

    def _checked(self, given: NewConnection) -> str:
        """Return the address that may be connected."""
        if given.api_key and given.kind == "ollama":
            raise ConfigError(sentence("connection.no-key-wanted"), field="api_key")
        url = server_address(given.url, allowed=self.allowed, is_alone=self.is_alone)
        try:
            self._refuse_reserved(url)
        except (OSError, UnicodeError) as exc:
            raise ConfigError(sentence("connection.no-host", host=urlsplit(url).hostname or ""), field="url") from exc
        return url

    def check_connected(self, connection: Connection) -> None:
        """Raise ConfigError for a connected server whose address may no longer be asked.

        Its name can lead elsewhere since it was connected, and the allowed hosts can be others.
        """
        # A host without an IP address is not refused here: the request itself reports that it cannot be reached.
        with suppress(OSError, UnicodeError):
            self._refuse_reserved(server_address(connection.url, allowed=self.allowed, is_alone=self.is_alone))

    def _refuse_reserved(self, url: str) -> None:
        """Resolve the host of an address; OSError or UnicodeError where it is unknown."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        if any(is_reserved(ip) for ip in self.resolve(host, parts.port or (443 if parts.scheme == "https" else 80))):
            raise ConfigError(sentence("connection.not-allowed", host=host), field="url")

    def _connection(self, given: NewConnection, url: str) -> Connection:
        """Build the connection without a new key: a changed address must not receive the key of the earlier one."""
        same = [each for each in self.store.list_connections() if (each.name, each.url) == (given.name, url)]
        sealed = same[0].sealed_key if same and not given.key_variable else None
        kept = {"name": given.name, "kind": given.kind, "key_variable": given.key_variable, "places": given.places}
        return Connection(**kept, url=url, sealed_key=sealed)

    def _asked(self, server: ModelServer) -> ModelServer:
        model = Model(provider=server.provider, name="any", connection=server.connection)
        try:
            if server.connection is None:
                shown = server.model_copy(update={"address": server.address and shown_address(server.address)})
                found = self._probed(shown, server.address, None)
                if found.provider != "local" or found.problem:
                    # A cause that prevents every local model is reported once, not for each file.
                    return found
                return found.model_copy(update={"left_out": tuple(self.left_out())})
            connection = self.store.find(server.connection)
            self.check_connected(connection)
            return self._probed(server, connection.url, self.key_of(connection), model=model)
        except PasserError as exc:
            return server.model_copy(update={"problem": exc.message})

    def _probed(
        self, server: ModelServer, url: str | None, key: str | None, *, model: Model | None = None
    ) -> ModelServer:
        asked = (model or Model(provider=server.provider, name="any")).model_copy(update={"base_url": url})
        try:
            models = tuple(self.ask(asked, key))
            if server.provider == "outside":
                # A system has no list of models: it goes by the name that it was connected under.
                models = tuple(each.model_copy(update={"name": server.connection}) for each in models)
            return server.model_copy(update={"models": models})
        except GenerationError as exc:
            # The reply of an unknown server is not shown: it may be any service that only this machine can reach.
            problem = exc.message if server.setting else sentence("connection.no-models", server=server.address or "")
            return server.model_copy(update={"problem": problem})
        except GeneratorUnavailable as exc:
            # Nobody asked for the Ollama of the default settings: a newcomer need not start it.
            is_default = server.provider == "ollama" and server.connection is None
            said = sentence("connection.no-ollama", server=server.address or "") if is_default else exc.message
            return server.model_copy(update={"problem": said})
        except PasserError as exc:
            return server.model_copy(update={"problem": exc.message})


def _server_of(known: ServerAddress) -> ModelServer:
    key = known.key if isinstance(known, Connection) else "none"
    return ModelServer(provider=known.kind, connection=known.name, address=shown_address(known.url), key=key)


@dataclass(frozen=True)
class ModelPull:
    """Pulls models."""

    puller: Callable[[], Puller]
    """The server as a downloader."""
    chat_model: Callable[[Model], ChatModel]
    """The same server as a model client."""

    def pull(self, name: str, *, progress: Progress) -> ModelInfo:
        """Download a model; progress counts bytes over all layers known so far."""
        layers: dict[str, tuple[int, int]] = {}
        for step in self.puller().pull(name):
            if step.total:
                layers[step.status] = (step.completed or 0, step.total)
            done, total = (sum(layer[place] for layer in layers.values()) for place in (0, 1))
            progress(step.status, done, total)
        model = Model(provider="ollama", name=name)
        return self.chat_model(model).describe(model)
