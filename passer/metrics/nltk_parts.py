"""The parts of NLTK in use, imported by one thread at a time.

NLTK's modules import each other in a circle. If two threads import them at once, Python lets one continue with a half-
initialised module, and it fails with "cannot import name".
"""

from __future__ import annotations

import sys
from importlib import import_module
from threading import Lock
from types import ModuleType
from typing import Any

_LOADING = Lock()
_UNUSED = {"nltk.classify.scikitlearn": "SklearnClassifier", "nltk.parse.transitionparser": "TransitionParser"}
"""Modules, with the class that NLTK takes from each, that import scikit-learn: a second of a processor per process."""


def punkt() -> Any:
    """Return NLTK's sentence splitter."""
    return _loaded("nltk.tokenize.punkt")


def destructive() -> Any:
    """Return NLTK's word tokenizer."""
    return _loaded("nltk.tokenize.destructive")


def porter() -> Any:
    """Return NLTK's Porter stemmer."""
    return _loaded("nltk.stem.porter")


def _loaded(name: str) -> Any:
    with _LOADING:
        if "nltk" not in sys.modules:
            # Importing NLTK imports all of its modules. Empty modules take the place of the unused ones first.
            for unused, taken in _UNUSED.items():
                sys.modules[unused] = ModuleType(unused)
                vars(sys.modules[unused])[taken] = None
        return import_module(name)
