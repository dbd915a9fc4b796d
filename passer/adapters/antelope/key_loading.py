"""Where a private key may come from: an environment variable's value, or a file that nobody else can read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from pydantic import SecretStr

from passer.adapters.antelope.keys import PrivateKey
from passer.errors import ConfigError

_LONGEST = 1024
"""Bytes of a key file: a key has some 60."""


def key_from_value(value: SecretStr) -> PrivateKey:
    """The key that an environment variable holds; ConfigError, never with the value."""
    return PrivateKey(value)


def key_from_file(path: Path) -> PrivateKey:
    """The key in a file of its own; ConfigError where others may read or change the file, or it holds no key."""
    return PrivateKey(_private_text(path))


def _private_text(path: Path) -> SecretStr:
    try:
        # Without O_NONBLOCK a pipe in the file's place would be waited on for ever.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            # Asked of the opened file, so that no other can be put in its place between look and read.
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise _wrong(f"Name a plain file that holds the private key: {path} is none.")
            if mode & 0o077:
                raise _wrong(f"Run `chmod 600 {path}`: others than its owner may use the key file.")
            return SecretStr(file.read(_LONGEST).decode("ascii", errors="replace"))
    except OSError as exc:
        raise _wrong(f"Make the key file {path} readable for this user: {exc.strerror}.") from exc


def _wrong(message: str) -> ConfigError:
    return ConfigError(message, field="chain_key_file")
