"""The parts of NLTK in use, imported by one thread at a time.

NLTK's modules import each other in a circle. If two threads import them at once, Python lets one continue with a half-
initialised module, and it fails with "cannot import name".
"""

from __future__ import annotations

from threading import Lock
from typing import Any

_LOADING = Lock()


def punkt() -> Any:
    """Return NLTK's sentence splitter."""
    with _LOADING:
        from nltk.tokenize import punkt as loaded
    return loaded


def destructive() -> Any:
    """Return NLTK's word tokenizer."""
    with _LOADING:
        from nltk.tokenize import destructive as loaded
    return loaded


def porter() -> Any:
    """Return NLTK's Porter stemmer."""
    with _LOADING:
        from nltk.stem import porter as loaded
    return loaded
