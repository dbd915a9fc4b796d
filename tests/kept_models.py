"""Weights of the embedded encoder and words of the installed WordNet, kept for the next services of a process.

Each test has services of its own, and these take half a second of a processor to load. What lies elsewhere, as the
files that tests write, is loaded anew each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from passer.adapters import wordnet
from passer.adapters.encoders import bert
from passer.adapters.encoders.files import embedded_folder
from passer.adapters.wordnet import WordNetFiles

_WORDS: Any = vars(WordNetFiles)["_index"].func


@contextmanager
def kept() -> Iterator[None]:
    """Load both once for all services that are built meanwhile."""
    loaded: dict[tuple[object, ...], bert.BertForward] = {}
    real = bert.BertForward

    def forward(files: Any, **given: Any) -> bert.BertForward:
        if files.folder != embedded_folder():
            return real(files, **given)
        key = (files.digest, *sorted(given.items()))
        return loaded.get(key) or loaded.setdefault(key, real(files, **given))

    words = cached_property(_words)
    words.__set_name__(WordNetFiles, "_index")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bert, "BertForward", forward)
        patch.setattr(WordNetFiles, "_index", words)
        yield


def _words(files: WordNetFiles) -> Any:
    return _installed(files.folder) if str(files.folder) in wordnet._PLACES else _WORDS(files)


@cache
def _installed(folder: Path) -> Any:
    return _WORDS(WordNetFiles(folder))
