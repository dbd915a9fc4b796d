"""Recognises replies that state that the passages do not contain the answer, in several languages."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from passer.domain.models.abstention_phrases import PHRASES
from passer.domain.models.further_abstentions import FURTHER
from passer.domain.texts.words import composed, word_count

ABSTENTION = "The passages do not contain the answer to this question."
"""Sentence that prompts ask the model to use if the passages do not contain the answer."""

MAX_ABSTENTION_WORDS = 60
"""A longer reply contains an answer, however it begins."""

LANGUAGES = (*PHRASES, *FURTHER)
"""Languages whose usual abstentions are recognised. In others only the fixed sentence is."""

_LABEL = re.compile(r"^(?:final )?(?:answer|отговор|antwort|respuesta|sagot|réponse|risposta|resposta|ответ) ?: ")
"""Label that models put before a reply."""


class _Patterns(NamedTuple):
    """Compiled patterns of one language."""

    abstains: re.Pattern[str]
    """Beginning of an abstention."""
    apology: re.Pattern[str]
    contrast: re.Pattern[str]


@cache
def _patterns() -> list[_Patterns]:
    """Return the patterns of all languages.

    Compiled at the first reply: this takes .2 s, which every start of the program would pay.
    """
    return [
        _Patterns(
            re.compile(rf"^(?:{each.apology})?(?:{each.according},? ?)?(?:{'|'.join(each.forms)})"),
            re.compile(rf"^(?:{each.apology})"),
            re.compile(each.contrast),
        )
        for each in (*PHRASES.values(), *FURTHER.values())
    ]


def is_abstention(text: str) -> bool:
    """Return whether a reply says that the passages do not contain the answer, or that it is not known.

    True if the reply, without regard to case, spaces, quotes and Markdown, begins with the fixed sentence or with one
    of the common ways of saying it in one of LANGUAGES, is no longer than `MAX_ABSTENTION_WORDS` words, and does not go
    on to answer after a "but" or "however". In other languages only the fixed sentence counts.
    """
    plain = re.sub(r"\s+", " ", composed(text).replace("\u2019", "'").casefold())
    plain = _LABEL.sub("", re.sub(r"[*_`\"\u201c\u201d\u201e\u00ab\u00bb]", "", plain).strip(" '"))
    if not plain or word_count(plain) > MAX_ABSTENTION_WORDS:
        return False
    known = _patterns()
    begins = plain.startswith(ABSTENTION.casefold().rstrip("."))
    # A word of contrast counts in its own language only: German writes maize as French writes "but".
    found = known[0] if begins else next((each for each in known if each.abstains.match(plain)), None)
    return found is not None and not found.contrast.search(found.apology.sub("", plain))
