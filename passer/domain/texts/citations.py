"""Citations: marks such as `[1]`, `[1, 2]`, `[1-3]`, `[Source 2]`, `[1, p. 3]` and `【1】`; digits of any script."""

from __future__ import annotations

import re
from typing import NamedTuple

import regex

MOST_OF_A_RANGE = 50
"""A longer range is read as its two ends: no prompt shows as many passages."""

_WORDS = "|".join(
    (
        *("source", "passage", "document", "doc", "excerpt", "reference", "ref", "източник", "източници", "источник"),
        *("пасаж", "документ", "откъс", "отрывок", "фрагмент", "quelle", "dokument", "abschnitt", "textpassage"),
        *("fuente", "pasaje", "documento", "sipi", "extrait", "passaggio", "fonte", "trecho", "απόσπασμα", "πηγή"),
        *("来源", "來源", "文献", "段落", "文档", "文檔", "资料", "参考", "引用"),
        *("出典", "資料", "文書", "출처", "문서"),
        *("المصدر", "مصدر", "المقطع", "مقطع", "स्रोत"),
    )
)
"""What models write before the number, in languages whose abstentions are known."""
_WORD = rf"(?:{_WORDS})(?:[snиы]|ове)?\.?\s*[:#\u2116]?\s*"
_JOINS = (
    r"[-\u2013\uff0d~\uff5e,;&\u060c\u061b\u3001\uff0c\uff1b\u548c\u3068\u53ca\u00b7]"
    r"|\s(?:and|und|et|y|e|и|і|at|ve|και|و)\s"
)
_NUMBERS = rf"\d{{1,4}}(?:\s*(?:{_JOINS})\s*(?:{_WORD})?\d{{1,4}})*"
_PAGE = r"(?:\s*[,:]\s*(?:pp?|pages?|стр|с|s|seiten?|págs?|página|第)\.?\s*\d+(?:\s*[-\u2013]\s*\d+)?\s*[頁页]?)"
# Chinese and Japanese brackets of full width; 【1†source】 is the form of a large provider's file search. Round
# brackets need a word: (1) may also be the number of an item.
_MARK = re.compile(
    rf"[\[\u3010\uff3b]\^?\s*(?:{_WORD})?({_NUMBERS})(?:\u2020[^\]\u3011\uff3d\n]{{0,40}}|{_PAGE})?\s*[\]\u3011\uff3d]"
    rf"(?:\([^()\s]*\))?|[(\uff08]{_WORD}({_NUMBERS}){_PAGE}?[)\uff09]",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d+)\s*[-\u2013\uff0d~\uff5e]\s*(\d+)|(\d+)")
_STOP = r"[\p{Sentence_Terminal}\u2026]"
# Only from the first of several stops: a model that repeats one 8,000 times kept each of them to be tried for 4 s.
_STOPPED = rf"(?<!{_STOP}){_STOP}+[\u300d\u300f\u201d\u2019\u00bb\uff09]*"
# A mark behind the full stop, and the quote that is closed there, belongs to the sentence that ends there.
_BEHIND_STOP = regex.compile(rf"({_STOPPED})((?:\s*(?:{_MARK.pattern}))+)", regex.IGNORECASE)
_STOP_GROUPS = 2


class Mark(NamedTuple):
    """A citation mark and the numbers that it names, in order."""

    start: int
    end: int
    numbers: tuple[int, ...]


def marks(text: str) -> list[Mark]:
    """Return the citation marks of a text. A Markdown link with a number as its text is one mark."""
    return [Mark(found.start(), found.end(), _numbers(found[1] or found[2])) for found in _MARK.finditer(text)]


def without_marks(text: str) -> str:
    """Return the text without its citation marks."""
    return _MARK.sub(" ", text)


def with_marks_inside(text: str) -> str:
    """Return the text with marks that follow a full stop moved before it, so that they stay with their sentence."""
    moved: str = _BEHIND_STOP.sub(lambda found: f" {found[_STOP_GROUPS].strip()}{found[1]}", text)
    return moved


def _numbers(text: str) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for first, last, single in _RANGE.findall(text):
        if single:
            found[int(single)] = None
        elif 0 <= int(last) - int(first) < MOST_OF_A_RANGE:
            found |= dict.fromkeys(range(int(first), int(last) + 1))
        else:
            found |= dict.fromkeys((int(first), int(last)))
    return tuple(found)
