"""Limitations of a version of Ollama."""

from __future__ import annotations

import re

from passer.domain.wording.sentence import Sentence, sentence

REFUSES_SINCE = (0, 12, 6)
"""First version that heeds `truncate` and `shift`, and so refuses a prompt that does not fit."""
CURRENT_SINCE = (0, 30, 11)
"""First version with today's way of filling the window; those before run models with other engines."""


def version_defect(engine: str | None) -> Sentence | None:
    """Return the defect of this version of Ollama; None if there is none, or the version cannot be parsed."""
    numbers = re.search(r"(\d+)\.(\d+)\.(\d+)", engine or "")
    if numbers is None:
        return None
    number = tuple(map(int, numbers.groups()))
    if number < REFUSES_SINCE:
        return sentence("ollama.cuts", version=numbers[0])
    return sentence("ollama.old", version=numbers[0]) if number < CURRENT_SINCE else None
