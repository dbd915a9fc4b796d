"""Contents of table cells other than a text: lists as JSON, Python, pandas and numpy write them, or no value."""

from __future__ import annotations

import ast
import io
import json
import math
import re
import tokenize
from typing import Any

from passer.domain.texts.written_numbers import number_text

NO_VALUES = frozenset(
    (
        *("nan", "nat", "<na>", "\\n", "#n/a", "#div/0!", "#name?", "#null!", "#num!", "#ref!", "#value!"),
        *("#nv", "#wert!", "#bezug!", "#н/д", "#знач!", "#ссылка!"),
    )
)
"""Texts, in lower case, by which programs write that a cell has no value; nobody answers a question with them."""
MAYBE_NO_VALUES = frozenset(("na", "n/a", "n.a.", "none", "null", "nil", "-", "--", "\u2013", "\u2014", "няма", "н/д"))
"""Texts, in lower case, that mean no value in some files, and are answers in others."""
_OBJECTS = re.compile(r"""\[\s*(?:\{\s*["'].*\}|[A-Z]\w*\(.*\))\s*\]""", re.DOTALL)
_JOINED = re.compile(r"[^|\n]+\|[^\n]*[^|\n]")
"""Texts joined by bars."""
_NESTED = re.compile(r"\s*(?:\{|\[\s*[\[{])")
"""Begin of an object, or of a list of lists or objects."""
_SQUAD_CELL = re.compile(
    r"""\{\s*["']text["']\s*:\s*(?:array\()?(\[.*\])(?:,\s*dtype=object\))?\s*,\s*["']answer_start["'].*\}""", re.DOTALL
)
"""Answers of SQuAD in a cell of a table, as JSON, Python and numpy write them."""
_HOP = re.compile(r"\s*<\d+-hop>")
"""Mark of ragas before each passage of a question that needs several."""
_DEEPEST = 8
"""Levels of lists and objects around an answer; a file may have as many as Python can call functions."""
_NO_ANSWER = "No Answer Present."
"""What MS MARCO writes for a question without an answer."""
OF_ANSWERS = ("answer", "output", "response", "result", "text", "content", "expected_output", "reference")
"""Members of an object that contain the answer, where a tool exports it whole."""
_BETWEEN = {tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER}


def listed_texts(cell: str, *, joined: bool = False) -> list[str]:
    """Return the texts of a cell: a list in the notation of JSON or Python, or the cell as its only text.

    A passage is not *nan* or *None*, which programs write for a cell without any.
    In a cell that is no list, `|` separates texts that were `joined`.
    """
    text = cell.strip()
    if text.lower() in NO_VALUES | MAYBE_NO_VALUES:
        return []
    if not text.startswith("["):
        return [each for each in (text.split("|") if joined else [text]) if each.strip()]
    found = read_list(text)
    is_list = isinstance(found, list) and all(isinstance(each, str) for each in found)
    # "[1] Article ..." is a passage that begins with a bracket.
    return found if is_list else [text]


def passages_in(value: Any, *, joined: bool) -> list[str] | None:
    """Return the distinct passages of a cell, without the marks of ragas; None for what is no passage."""
    texts = listed_texts(value, joined=joined) if isinstance(value, str) else _gold_of(value) or ()
    has_others = isinstance(value, str) and has_objects(value)
    if has_others or not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
        return None
    return list(dict.fromkeys(quote for each in texts if (quote := _HOP.sub("", each).strip())))


def _gold_of(value: Any) -> Any:
    """Return the passages of PubMedQA and the selected ones of MS MARCO; those of MIRACL as texts; others as given."""
    if isinstance(value, dict):
        texts, selected = value.get("contexts", value.get("passage_text")), value.get("is_selected")
        if isinstance(texts, list) and isinstance(selected, list) and len(texts) == len(selected):
            return [text for text, is_gold in zip(texts, selected, strict=True) if is_gold]
        return value if texts is None else texts
    if isinstance(value, list) and value and all(isinstance(each, dict) and "text" in each for each in value):
        return [each["text"] for each in value]
    return value


def single_text(value: Any) -> Any:
    """Return the only text of a list, in JSON or as a cell of a table holds it; a list of several, or other values."""
    found = value
    if isinstance(value, str) and (plain := value.strip()).startswith("[") and plain.endswith("]"):
        found = read_list(plain)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        return value
    return found[0] if len(found) == 1 else found


def answer_texts(value: Any, *, within: int = _DEEPEST) -> list[str] | None:
    """Return the texts of several right answers: a list, or an object of SQuAD or TriviaQA; None for others."""
    if isinstance(value, str):
        # A text in a list may begin with a brace, such as the set {1, 2}; a cell that does is an object.
        value = _unquoted(value) if within == _DEEPEST else single_text(value)
        if value is None:
            return None
    if value is None:
        return []
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        text = number_text(value) if isinstance(value, float) and math.isfinite(value) else str(value)
        return [] if text.strip() in ("", _NO_ANSWER) else [text]
    parts = _parts(value) if within else None
    found = [None] if parts is None else [answer_texts(each, within=within - 1) for each in parts]
    return None if None in found else list(dict.fromkeys(text for texts in found for text in texts or ()))


def _unquoted(text: str) -> Any:
    """Return the list or object in a cell, or the cell as it is; None for one that cannot be read."""
    if found := _SQUAD_CELL.fullmatch(text.strip()):
        return read_list(found[1])
    plain = text.strip()
    if _NESTED.match(plain):
        return read_list(plain)
    found = read_list(plain) if plain.startswith("[") and plain.endswith("]") else None
    return text if found is None else found


def _parts(value: Any) -> list[Any] | None:
    """Return the parts that each contain right answers; None for another value."""
    if isinstance(value, dict):
        name = next((each for each in ("text", "value", "Value") if each in value), None)
        return None if name is None else [value[name], value.get("aliases")]
    # Each of several inner lists, such as the entities of BioASQ, is a part of one answer.
    is_one = isinstance(value, list) and (len(value) == 1 or not any(isinstance(each, list) for each in value))
    return value if is_one else None


def listed_objects(value: Any) -> Any:
    """Return the list of objects in a value, or in the JSON of a cell; ValueError for other text.

    Members without a value are left out, because data frames add the members of one object to all.
    """
    found = json.loads(value) if isinstance(value, str) else value
    if not isinstance(found, list):
        return found
    return [
        {name: each for name, each in item.items() if each is not None} if isinstance(item, dict) else item
        for item in found
    ]


def has_objects(text: str) -> bool:
    """Return whether a text is a list of objects in the notation of JSON or Python, such as the turns of a chat."""
    return _OBJECTS.fullmatch(text.strip()) is not None


def is_wrapped(text: str, *, of: str) -> bool:
    """Return whether a text is what a tool exported around a question or an answer: chat turns, or a JSON object."""
    if has_objects(text):
        return True
    if of not in ("question", "reference") or not text.lstrip().startswith("{"):
        return False
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and (of == "question" or not found.keys().isdisjoint(OF_ANSWERS))


def read_list(text: str) -> Any:
    """Return the list in a text: JSON, or texts as Python, pandas and numpy print them; None if it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _python_texts(text.strip())


def _python_texts(text: str) -> list[str] | None:
    """Return the strings of a list in Python's notation; None if it is none.

    Tokens are read instead of an expression, because numpy writes no commas and Python would join such strings.
    """
    try:
        tokens = [each for each in tokenize.generate_tokens(io.StringIO(text).readline) if each.type not in _BETWEEN]
        inner = tokens[1:-1]
        if tokens[-1].string != "]" or any(each.type != tokenize.STRING and each.string != "," for each in inner):
            return None
        return [ast.literal_eval(each.string) for each in inner if each.type == tokenize.STRING]
    except (tokenize.TokenError, SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def holds_several(text: str) -> bool:
    """Return whether a text may be several answers: joined by bars, or in an object with a list, as those of SQuAD."""
    has_list = text.startswith("{") and text.endswith("}") and 0 <= text.find("[") < text.rfind("]")
    return has_list or _JOINED.fullmatch(text) is not None
