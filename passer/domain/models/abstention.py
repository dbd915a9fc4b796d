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
    r"\n\s*\n|(?:\n|(?<=[.!?\u061f\u2026][\p{Pe}\p{Pf}\"'*_`]{0,3})\s)\s*"
    r"(?=[^\p{L}\p{N}\s]*\s?[\p{Lu}\p{Lo}\p{Nd}])|(?<=[\u3002\uff01\uff1f])\s*(?=\S)"
)
_NEGATION = (
    r"(?:not?|none|nothing|не|няма|нищо|nicht|kein\w*|nichts|ning[uú]n\w*|nada|pas|aucune?|rien|нет|ничего|لا|لم|ليس|"
    r"\w*(?:[没沒未]|不[^少同]|[无無]|ません|ない|不明)\w*)"
)
_MARKS_ONLY = re.compile(r"(?:\W|\[\d+(?:, ?\d+)*\])*")
"""Text of marks and citations."""
_CLAUSE_ENDS = tuple(",;:\uff0c\uff1b\uff1a\u3001\u060c\u061b")
_GIVES = re.compile(
    r"\b(?:answer|отговор(?:ът)?|ответ(?:ом)?|antwort|respuesta|réponse|\w*答案|\w*[答解]え|(?:ال)?إجابة)"
    r"(?: (?:to|на|auf|a|à) [^.,;:]+?)?"
    r"(?: ?[:\uff1a\u2014]|[是为為は]| (?:هي|هو)\b| (?:is|was|would be|е|би бил|ist|lautet|wäre|es|sería|est|serait)\b)"
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
    concludes: re.Pattern[str] | None
    """Beginning of an abstention that follows from what was said before; None where `remark` is."""


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
    about = rf"(?!(?:{according})(?!.*\b{_NEGATION}\b)).*\b(?:{own.about})"
    then = rf"^(?:(?:and )?(?:{own.then})[,\uff0c\u3001\u060c]? ?)"
    remark = rf"{then}?(?:{'|'.join((abstains, *own.remarks, about))})"
    return _Patterns(
        re.compile(f"^{abstains}"),
        re.compile(rf"^(?:{own.apology})"),
        re.compile(own.contrast),
        re.compile(remark) if own.about else None,
        re.compile(f"{then}(?:{abstains})") if own.about else None,
    )


def is_abstention(text: str) -> bool:
    """Return whether a reply says that the passages do not contain the answer, or that it is not known.

    True if the reply, without regard to case, spaces, quotes and Markdown, begins with the fixed sentence or with one
    of the common ways of saying it in one of the languages of `phrases`, is no longer than `MAX_ABSTENTION_WORDS`
    words, and does not go on to answer after a "but" or "however", after "I don't know,", or in another sentence. A
    reply that only speaks about the passages and concludes that it cannot answer is an abstention too. Languages
    without `Phrases.about` know neither the last nor answers in another sentence. In languages that `phrases` does not
    have, only the fixed sentence counts.
    """
    text = composed(text)
    plain = _LABEL.sub("", _plain(text))
    if not plain or word_count(plain) > MAX_ABSTENTION_WORDS:
        return False
    known = _patterns()
    first, *others = map(_plain, _sentences(text))
    begins = plain.startswith(ABSTENTION.casefold().rstrip("."))
    # A word of contrast counts in its own language only: German writes maize as French writes "but".
    found = known[0] if begins else next((each for each in known if each.abstains.match(plain)), None)
    if found is None:
        return bool(others) and _concludes(others[-1]) and all(map(_answers_nothing, (first, *others[:-1])))
    if found.contrast.search(found.apology.sub("", plain)) or _answers_after_comma(found, first):
        return False
    return found.remark is None or all(map(_answers_nothing, others))


def _concludes(plain: str) -> bool:
    return any(
        each.concludes and each.concludes.match(plain) and not each.contrast.search(plain) for each in _patterns()
    )


def _answers_after_comma(found: _Patterns, plain: str) -> bool:
    """Return whether the first sentence, after "I don't know,", says what might be an answer."""
    plain = _LABEL.sub("", plain)
    abstains = found.abstains.match(plain)
    if abstains is None or not abstains[0].endswith(_CLAUSE_ENDS):
        return False
    rest = plain[abstains.end() :].strip()
    if found.remark is None:
        return any(map(str.isdecimal, rest))
    return not (_answers_nothing(rest) or found.apology.match(f"{rest}. "))


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
    return plain.endswith("?") or bool(_MARKS_ONLY.fullmatch(plain)) or any(remark.match(plain) for remark in known)
