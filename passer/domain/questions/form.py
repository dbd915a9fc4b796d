"""Checks of a question by code: they need no model and refuse most defects of drafts by weak models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Literal

import regex

from passer.domain.texts.keywords import keywords
from passer.domain.texts.words import main_script, unicode_words

FormRule = Literal[
    "too_short", "too_long", "no_question_mark", "several_questions", "refers_to_text", "loop", "example",
    "few_words", "off_topic", "copied",
]  # fmt: skip
SHORTEST, LONGEST = 15, 300
"""Characters of a question."""
FEWEST_KEYWORDS = 3
STEM = 4
"""First letters by which a word of the question is found in its window: endings differ, above all in Bulgarian."""
LONGEST_COPY = 12
"""Words in a row that a question may not share with its window; names of laws have up to nine."""
LOOP_WORDS, LOOP_TIMES = range(3, 7), 3
"""Length of a run of words, and number of its repetitions, from which a question shows a model in a loop."""
MARKS = "?？؟⁇⁈⁉՞፧"
"""Question marks; the Armenian one is inside the sentence."""
UNMARKED = ("Thai", "Lao", "Khmer", "Myanmar")
"""Scripts whose questions have a word in place of a mark, as many Japanese ones have."""
UNSPACED = ("Han", *UNMARKED)
WORD_OF_UNSPACED = 2
"""Characters that a word has in scripts without spaces, where each character counts as a word."""
SYLLABLE = 2
"""Letters of a syllable of Korean, which is one character."""
SAME_EXAMPLE = 0.9
"""Cosine from which a question is the example that its model was shown."""

_NOUNS_EN = r"(?:passage|text|context|document|excerpt|article|paragraph)s?"
_NOUNS_BG = r"(?:пасаж|текст|контекст|документ|откъс|абзац)(?:а|ът|ове|овете|и|ите|ния|ният)?|стати(?:я|ята|ите)"
_NOUNS_TL = r"(?:talata|teksto|dokumento|artikulo|sipi)"
REFERENCES: dict[str, regex.Pattern[str]] = {
    "en": regex.compile(
        rf"\b(?:the|this|that|these)\s+(?:given\s+|above\s+|following\s+|provided\s+|previous\s+)?{_NOUNS_EN}\b"
        r"|\b(?:mentioned|described|stated|listed|given)\s+(?:above|in\s+the\s+(?:passage|text|context|excerpt))"
        r"|\b(?:in|of)\s+(?:the\s+)?(?:passage|text)\b|\banswer\s+to\s+(?:the|this|that)\s+question\b",
        regex.IGNORECASE,
    ),
    "bg": regex.compile(
        rf"\b(?:в|във|според|от|този|тази|този|дадения|дадената|горния|горната|следния)\s+(?:дадения\s+|горния\s+|"
        rf"този\s+|тази\s+)?(?:{_NOUNS_BG})\b|\bспоменат(?:а|о|и|ия|ата|ото|ите)?\s+(?:по-горе|в\s+текста)\b"
        r"|\bпо-горе\b|\bотговорът\s+на\s+(?:този\s+)?въпрос",
        regex.IGNORECASE,
    ),
    "tl": regex.compile(
        rf"\b(?:ang|sa|ng|ayon\s+sa)\s+(?:nabanggit\s+na\s+|ibinigay\s+na\s+)?{_NOUNS_TL}\b|\bnabanggit\s+sa\s+itaas\b",
        regex.IGNORECASE,
    ),
}
"""References to a text that the reader of the question does not see, by language; English is checked in all."""


def normal_form(question: str) -> str:
    """Return the casefolded words of a question, by which repeated ones are found."""
    return " ".join(unicode_words(question))


def form_problem(question: str, window: str, *, language: str, examples: Collection[str] = ()) -> FormRule | None:
    """Return the first rule that a question breaks, or None.

    `examples` are the normal forms of the questions that the model was shown.
    """
    if len(question) > LONGEST:
        return "too_long"
    words, script = unicode_words(question), main_script(question)
    size = WORD_OF_UNSPACED if script in UNSPACED else 1
    if _is_loop(words, size):
        return "loop"
    rules: tuple[tuple[FormRule, bool], ...] = (
        ("too_short", len(question) * (SYLLABLE if script == "Hangul" else size) < SHORTEST),
        ("no_question_mark", not _is_question(question.rstrip(), script)),
        ("several_questions", sum(question.count(mark) for mark in MARKS) > 1),
        ("refers_to_text", _refers(question, language)),
        ("example", " ".join(words) in examples),
    )
    broken = next((rule for rule, is_broken in rules if is_broken), None)
    return broken or _content_problem(question, words, window, language=language, copy=LONGEST_COPY * size)


def _is_question(question: str, script: str | None) -> bool:
    # The Greek question mark is U+003B in NFC, a semicolon.
    ends = (*MARKS, ";") if script == "Greek" else (*MARKS, "か。", "か") if script == "Han" else tuple(MARKS)
    return script in UNMARKED or question.endswith(ends) or "՞" in question


def _content_problem(question: str, words: list[str], window: str, *, language: str, copy: int) -> FormRule | None:
    found = keywords(question, language) | {word for word in words if len(word) > 1 and main_script(word) == "Hangul"}
    if len(found) < FEWEST_KEYWORDS:
        return "few_words"
    others = unicode_words(window)
    if not {word[:STEM] for word in found} & {word[:STEM] for word in others}:
        return "off_topic"
    runs = {tuple(others[n : n + copy]) for n in range(len(others) - copy + 1)}
    copied = any(tuple(words[n : n + copy]) in runs for n in range(len(words) - copy + 1))
    return "copied" if copied else None


def _refers(question: str, language: str) -> bool:
    own = REFERENCES.get(language.partition("-")[0])
    return any(pattern.search(question) for pattern in {REFERENCES["en"], own} if pattern is not None)


def _is_loop(words: list[str], word: int) -> bool:
    for size in (length * word for length in LOOP_WORDS):
        counts = Counter(tuple(words[n : n + size]) for n in range(len(words) - size + 1))
        if counts and max(counts.values()) >= LOOP_TIMES:
            return True
    return False
