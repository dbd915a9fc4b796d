"""Recognises replies that state that the passages do not contain the answer, in several languages."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import regex

from passer.domain.models.abstention_phrases import Phrases, phrases
from passer.domain.texts.abbreviations import LAST_UNLESS_NUMBERED, NEVER_LAST
from passer.domain.texts.words import composed, word_count

ABSTENTION = "The passages do not contain the answer to this question."
"""Sentence that prompts ask the model to use if the passages do not contain the answer."""

MAX_ABSTENTION_WORDS = 60
"""A longer reply contains an answer, however it begins."""

_LABEL = re.compile(r"^(?:final )?(?:answer|отговор|antwort|respuesta|sagot|réponse|risposta|resposta|ответ) ?: ")
"""Label that models put before a reply."""


# Sentences of grounding need Punkt, which is no part of this layer and takes longer than a reply of few words is worth.
_SENTENCE_START = regex.compile(
    r"\n\s*\n|(?:\n|(?<=[.!?\u2026][\p{Pe}\p{Pf}\"'*_`]{0,3})\s)\s*(?=[^\p{L}\p{N}\s]*\s?[\p{Lu}\p{Nd}])"
)
_NEGATION = r"(?:not?|none|nothing|не|няма|нищо|nicht|kein\w*|nichts|ning[uú]n\w*|nada|pas|aucune?|rien)"
_WORD = re.compile(r"[^\W\d_]")
_GIVES = re.compile(
    r"\b(?:answer|отговор(?:ът)?|antwort|respuesta|réponse)(?: (?:to|на|auf|a|à) [^.,;:]+?)?"
    r"(?: ?:| (?:is|was|would be|е|би бил|ist|lautet|wäre|es|sería|est|serait)\b)"
    r"(?! (?:un\w+|missing|absent|outside|beyond|elsewhere|needed|required|based|не\w+|извън|нуж\w*|ausserhalb|"
    r"desconocid\w+|fuera|inconnue|absente|hors)\b)"
)
"""Words in front of an answer. What the answer *is not*, or that it is unknown, is none."""
_NONE = re.compile(rf"\b{_NEGATION}\b")


class _Patterns(NamedTuple):
    """Compiled patterns of one language."""

    abstains: re.Pattern[str]
    """Beginning of an abstention."""
    apology: re.Pattern[str]
    contrast: re.Pattern[str]
    remark: re.Pattern[str] | None
    """Beginning of a sentence that answers nothing; None where such sentences are not known."""


@cache
def _patterns() -> list[_Patterns]:
    """Return the patterns of all languages.

    Compiled at the first reply: this takes .2 s, which every start of the program would pay.
    """
    every = phrases().values()
    according = "|".join(each.according for each in every if each.about)
    return [_compiled(each, according) for each in every]


def _compiled(own: Phrases, according: str) -> _Patterns:
    abstains = rf"(?:{own.apology})?(?:{own.according},? ?)?(?:{'|'.join(own.forms)})"
    # What follows "according to passage 2" is what it says, unless it is that it says nothing. `according` is of all
    # languages: each remark is tried on each sentence, and "passage" is a word of English, German and French.
    about = rf"(?!(?:{according})\b(?!.*\b{_NEGATION}\b)).*\b(?:{own.about})"
    remark = rf"^(?:(?:{own.then}),? )?(?:{'|'.join((abstains, *own.remarks, about))})"
    return _Patterns(
        re.compile(f"^{abstains}"),
        re.compile(rf"^(?:{own.apology})"),
        re.compile(own.contrast),
        re.compile(remark) if own.about else None,
    )


def is_abstention(text: str) -> bool:
    """Return whether a reply says that the passages do not contain the answer, or that it is not known.

    True if the reply, without regard to case, spaces, quotes and Markdown, begins with the fixed sentence or with one
    of the common ways of saying it in one of the languages of `phrases`, is no longer than `MAX_ABSTENTION_WORDS`
    words, and does not go on to answer after a "but" or "however" or, in English, Bulgarian, German, Spanish and
    French, in another sentence. In other languages only the fixed sentence counts.
    """
    text = composed(text)
    plain = _LABEL.sub("", _plain(text))
    if not plain or word_count(plain) > MAX_ABSTENTION_WORDS:
        return False
    known = _patterns()
    begins = plain.startswith(ABSTENTION.casefold().rstrip("."))
    # A word of contrast counts in its own language only: German writes maize as French writes "but".
    found = known[0] if begins else next((each for each in known if each.abstains.match(plain)), None)
    if found is None or found.contrast.search(found.apology.sub("", plain)):
        return False
    return found.remark is None or all(map(_answers_nothing, map(_plain, _sentences(text)[1:])))


def _plain(text: str) -> str:
    """Return a text without case, quotes, Markdown and line breaks."""
    plain = re.sub(r"\s+", " ", text.replace("\u2019", "'").casefold())
    return re.sub(r"[*_`\"\u201c\u201d\u201e\u00ab\u00bb]", "", plain).strip(" '")


def _sentences(text: str) -> list[str]:
    """Return the sentences and paragraphs of a text with its capitals; a sentence begins with one, or with a digit."""
    found: list[str] = []
    for part in filter(None, map(str.strip, _SENTENCE_START.split(text))):
        before = found[-1].rsplit(maxsplit=1)[-1].casefold() if found else ""
        known = NEVER_LAST | LAST_UNLESS_NUMBERED if part[0].isdecimal() else NEVER_LAST
        if before.endswith(".") and before.strip("(.") in known:
            found[-1] += f" {part}"
        else:
            found.append(part)
    return found


def _answers_nothing(plain: str) -> bool:
    # The fixed sentence is English, and what follows it may be in any language.
    known = (each.remark for each in _patterns() if each.remark)
    plain = _LABEL.sub("", plain)
    if _GIVES.search(plain) and not _NONE.search(plain):
        return False
    return plain.endswith("?") or not _WORD.search(plain) or any(remark.match(plain) for remark in known)
