"""Connected model servers in memory, and a vault that everyone can look into."""

from __future__ import annotations

from passer.domain.models.connection import Connection
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError


class FakeConnections:
    """ports.ConnectionStore on a dict."""

    def __init__(self) -> None:
        self._kept: dict[str, Connection] = {}

    def list_connections(self) -> list[Connection]:
        return [self._kept[name] for name in sorted(self._kept)]

    def find(self, name: str) -> Connection:
        if name not in self._kept:
            raise NotFoundError(sentence("connection.unknown", name=name))
        return self._kept[name]

    def save(self, connection: Connection) -> None:
        self._kept[connection.name] = connection

    def delete(self, name: str) -> None:
        del self._kept[self.find(name).name]


class FakeVault:
    """ports.Vault that turns the text round."""

    def seal(self, text: str) -> str:
        return text[::-1]

    def open(self, sealed: str) -> str:
        return sealed[::-1]
