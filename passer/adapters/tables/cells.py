"""Values as cells of text and spreadsheet files."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date, datetime
from enum import Enum
from typing import Any

from passer.domain.wording.sentence import sentence
from passer.errors import InputError

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a text that a spreadsheet program may run as a formula."""

Cell = str | int | float | bool | None


def plain_value(value: Any, *, column: str) -> Any:
    """Return a JSON value: enums by value, dates in ISO 8601; InputError for NaN and infinity."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(sentence("file.not-number", column=column, value=str(value)))
    if isinstance(value, Mapping):
        return {str(key): plain_value(item, column=column) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(item, column=column) for item in value]
    return value


def cell_value(value: Any, *, column: str) -> Cell:
    """Return a value for one cell: numbers stay numbers, lists and objects become JSON text."""
    plain = plain_value(value, column=column)
    if plain is None or isinstance(plain, str | int | float | bool):
        return plain
    return json.dumps(plain, ensure_ascii=False, allow_nan=False)


def encodable(text: str) -> str:
    """Replace lone surrogates, so that the text has a UTF-8 form."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
