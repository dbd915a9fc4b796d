"""Loads a private key from an environment variable's value or from a file that nobody else can read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from pydantic import SecretStr

from passer.antelope.signing.keys import PrivateKey
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

_LONGEST = 1024
"""Bytes of a key file: a key has some 60."""


def key_from_value(value: SecretStr) -> PrivateKey:
    """Return the key of an environment variable; ConfigError never contains the value."""
    return PrivateKey(value)


def key_from_file(path: Path) -> PrivateKey:
    """Return the key of a file; ConfigError if others may access the file or it contains no key."""
    return PrivateKey(_private_text(path))


def _private_text(path: Path) -> SecretStr:
    try:
        # Without O_NONBLOCK a pipe in the file's place would be waited on for ever.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            # Asked of the opened file, so that no other can be put in its place between look and read.
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise _wrong(sentence("chain.key-not-plain", path=str(path)))
            if mode & 0o077:
                raise _wrong(sentence("chain.key-exposed", path=str(path)))
            return SecretStr(file.read(_LONGEST).decode("ascii", errors="replace"))
    except OSError as exc:
        raise _wrong(sentence("chain.key-unreadable", path=str(path), reason=str(exc.strerror))) from exc


def _wrong(message: str) -> ConfigError:
    return ConfigError(message, field="chain_key_file")
