"""Counts tokens with an encoder's tokenizer: whole texts, without special tokens."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from passer.domain.extras import requires_extra
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError


class TokenCounter:
    """Counts with the tokenizer in a folder, loaded on first use; ConfigError if there is none. Can be pickled."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder

    def __call__(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    @cached_property
    def _tokenizer(self) -> Any:
        with requires_extra("encoder", sentence("extra.tokens"), ConfigError):
            from tokenizers import Tokenizer

        path = self._folder() / "tokenizer.json"
        if not path.is_file():
            raise ConfigError("The encoder has no tokenizer.json for counting tokens. Set unit to characters.")
        loaded = Tokenizer.from_file(str(path))
        loaded.no_truncation()
        loaded.no_padding()
        return loaded
