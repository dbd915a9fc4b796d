"""Encryption of the keys of model servers at rest (Fernet: AES-128-CBC with HMAC-SHA256)."""

from __future__ import annotations

import base64
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

SHORTEST_SECRET = 16


class FernetVault:
    """ports.Vault; the secret is read when something is first sealed or opened."""

    def __init__(self, secret: Callable[[], str]) -> None:
        self._secret = secret

    def seal(self, text: str) -> str:
        return self._fernet.encrypt(text.encode()).decode("ascii")

    def open(self, sealed: str) -> str:
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet.decrypt(sealed.encode("ascii")).decode()
        except InvalidToken as exc:
            raise ConfigError(sentence("connection.sealed-elsewhere")) from exc

    @cached_property
    def _fernet(self) -> Fernet:
        from cryptography.fernet import Fernet
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        secret = self._secret().strip().encode()
        if len(secret) < SHORTEST_SECRET:
            raise ConfigError(sentence("connection.short-secret", least=SHORTEST_SECRET), field="PASSER_SECRET_KEY")
        # The secret may be any text, Fernet wants 32 bytes: HKDF (RFC 5869) spreads the randomness of a long one.
        derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"passer connections").derive(secret)
        return Fernet(base64.urlsafe_b64encode(derived))


def secret_of_file(path: Path, *, refusal: str = "connection.no-secret") -> str:
    """Return the secret in a file, which is made, readable by its owner alone, where it does not exist.

    ConfigError with the sentence `refusal` (of path and reason) where it cannot be made.
    """
    if not path.exists():
        try:
            _make(path)
        except OSError as exc:
            raise ConfigError(
                sentence(refusal, path=str(path), reason=exc.strerror or str(exc)),
                field="PASSER_SECRET_KEY_FILE" if refusal == "connection.no-secret" else None,
            ) from exc
    return path.read_text(encoding="utf-8")


def _make(path: Path) -> None:
    """Write a new secret to a temporary file and link it to its name: of two processes at start, the first wins."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(secrets.token_urlsafe(48))
    with suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
