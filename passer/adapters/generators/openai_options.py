"""Options that were added after the first answers over OpenAI's protocol had been stored."""

from __future__ import annotations

from typing import Any

from passer.domain.models.decoding import GenerationOptions

EXTENSIONS = {
    "min_p": ("min_p",),
    "typical_p": ("typical_p",),
    "repeat_last_n": ("repeat_last_n",),
    "repeat_penalty": ("repeat_penalty", "repetition_penalty"),
}
"""Options that OpenAI has no name for, as llama.cpp and vLLM call them; each ignores the other's names."""


def added_options(options: GenerationOptions, *, extended: bool) -> dict[str, Any]:
    """Return what is sent of them: only where one is set, because earlier answers were made without.

    `extended`: whether the server is known to take more than OpenAI's own two.
    """
    set_ones = options.model_dump(include={"presence_penalty", "frequency_penalty"})
    if not extended or options.is_as_before:
        return set_ones
    found = options.model_dump(include=set(EXTENSIONS))
    set_ones |= {theirs: value for name, value in found.items() for theirs in EXTENSIONS[name]}
    if options.think is not None:
        set_ones["chat_template_kwargs"] = {"enable_thinking": options.think}
    return {**set_ones, "top_k": options.top_k}
