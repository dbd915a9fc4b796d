"""Counts tokens with an encoder's tokenizer: whole texts, without special tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from passer.errors import ConfigError, requires_extra


def token_counter(folder: Callable[[], Path]) -> Callable[[str], int]:
    """Return a counter with the tokenizer in a folder, loaded on first use; ConfigError if there is none."""

    @cache
    def tokenizer() -> Any:
        with requires_extra("encoder", "Counting tokens", ConfigError):
            from tokenizers import Tokenizer

        path = folder() / "tokenizer.json"
        if not path.is_file():
            raise ConfigError("The encoder has no tokenizer.json for counting tokens. Set unit to characters.")
        loaded = Tokenizer.from_file(str(path))
        loaded.no_truncation()
        loaded.no_padding()
        return loaded

    return lambda text: len(tokenizer().encode(text, add_special_tokens=False).ids)
