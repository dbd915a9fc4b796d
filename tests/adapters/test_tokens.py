"""Token counts against the tokenizer's own library."""

from __future__ import annotations

from pathlib import Path

import pytest

from passer.adapters.encoders.files import embedded_folder
from passer.adapters.splitter import TokenCounter
from passer.errors import ConfigError


@pytest.mark.parametrize("text", ["", "Soil.", "Clover fixes nitrogen.", "Червена детелина", "word " * 600])
def test_a_text_has_the_tokens_that_its_tokenizer_finds(text):
    # Its import takes seconds, and each process collects every file.
    from transformers import AutoTokenizer

    expected = len(AutoTokenizer.from_pretrained(embedded_folder()).tokenize(text))
    assert TokenCounter(embedded_folder)(text) == expected


def test_a_folder_without_a_tokenizer_is_one_sentence(tmp_path: Path):
    with pytest.raises(ConfigError, match="Set unit to characters"):
        TokenCounter(lambda: tmp_path)("text")
