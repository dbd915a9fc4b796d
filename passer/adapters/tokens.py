"""Counts tokens as an encoder's own tokenizer does, whole texts, without special tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from passer.errors import ConfigError


def token_counter(folder: Callable[[], Path]) -> Callable[[str], int]:
    """A counter with the tokenizer in a folder, which is loaded at first use; ConfigError where there is none."""

    @cache
    def tokenizer() -> Any:
        from tokenizers import Tokenizer

        path = folder() / "tokenizer.json"
        if not path.is_file():
            raise ConfigError("The encoder has no tokenizer.json to count tokens with: cut by characters instead.")
        loaded = Tokenizer.from_file(str(path))
        loaded.no_truncation()
        loaded.no_padding()
        return loaded

    return lambda text: len(tokenizer().encode(text, add_special_tokens=False).ids)
