"""Connected model servers, and the encryption of their keys."""

from __future__ import annotations

from typing import Protocol

from passer.domain.models.connection import Connection


class ConnectionStore(Protocol):
    """Model servers that were connected, by name."""

    def list_connections(self) -> list[Connection]:
        """Return all connections, sorted by name."""

    def find(self, name: str) -> Connection:
        """Return a connection; NotFoundError if there is none of this name."""

    def save(self, connection: Connection) -> None:
        """Add a connection, or replace the one of that name."""

    def delete(self, name: str) -> None:
        """Delete a connection with its key. Raises NotFoundError if it does not exist."""


class Vault(Protocol):
    """Encrypts keys with a secret that is not in the database."""

    def seal(self, text: str) -> str:
        """Return the text, encrypted."""

    def open(self, sealed: str) -> str:
        """Return the decrypted text; ConfigError if it was encrypted with another secret."""
