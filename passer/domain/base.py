"""The one base of every value in PaSSER: frozen, closed, the same inside and at the edge."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, get_args

import rfc8785
from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema


class Frozen(BaseModel):
    """An immutable value. Unknown fields are errors; NaN and infinity are not numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Describe each field by the string below it.

        pydantic can read these strings when it makes a class (`use_attribute_docstrings`), but then every start of the
        program waits a second for descriptions that it seldom needs. They are read when a schema is asked for.
        """
        from passer.domain.field_docs import field_docs

        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        docs = field_docs(cls)
        for name, field in cls.model_fields.items():
            for key in {name, field.alias, field.serialization_alias} & properties.keys():
                if name in docs:
                    properties[key].setdefault("description", docs[name])
        return schema


def members(union: Any) -> tuple[type[Frozen], ...]:
    """Return the models of `Annotated[One | Other, Field(discriminator=...)]`, in order."""
    found: tuple[type[Frozen], ...] = get_args(get_args(union)[0])
    return found


def tags(union: Any, field: str) -> tuple[str, ...]:
    """Return the discriminator values of such a union, in order."""
    return tuple(str(each.model_fields[field].default) for each in members(union))


IN_QUERY = ConfigDict(use_attribute_docstrings=True)
"""Configuration of a value that a query string spells: its fields are described as parameters, without the schema of
the value."""

Count = Annotated[int, Field(ge=0, le=2**53 - 1)]
"""A number of things, or a place among them: an integer that every JSON reader holds exactly."""


def added_field(default: Any, **more: Any) -> Any:
    """Declare a field that was added to a value after digests of it had been stored.

    Digests hash whole model dumps, so a field that is new would change the address of every answer, dataset and run
    that exists. An added field is left out of every dump (nested or not, in Python and in JSON mode) while it has its
    default, which therefore means "as before this field existed: not sent, not known". Where the new behaviour is
    wanted, set the value explicitly; the digest then differs. `more` goes to `pydantic.Field`: bounds, aliases.

    The default must never change: it is part of every digest that was made without the field.
    """
    return Field(default=default, exclude_if=lambda value: bool(value == default), **more)


_ENCODER = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)
_LARGE = re.compile(r"[\[,:-]\d{16,}+(?!\.)", re.ASCII)
"""Integers that RFC 8785 may not have."""
_ENDS = (re.compile(r"e[-+](?<=\de[-+])\d+", re.ASCII), re.compile(r"\.0(?!\d)(?<=\d\.0)", re.ASCII))
"""Ends of numbers that the standard library may write differently from RFC 8785: exponents and `1.0`. One pattern of
both takes longer than writing."""
_ORDER_DIFFERS = re.compile(
    rb"[\xf0-\xf4][^\"\\\xf0-\xf4]*(?:\\.[^\"\\\xf0-\xf4]*)*\":",
    re.DOTALL,
)
"""The last character beyond the basic plane in a name: RFC 8785 orders names by UTF-16. Of a text only its last one is
followed to the end, so that many take no more time than one."""
_BEYOND_BASIC_PLANE = tuple(bytes([lead]) for lead in range(0xF0, 0xF5))
"""First bytes of such characters. To look for each takes a tenth of the time of the pattern, which most texts without
them are spared."""
_ESCAPED_SLASH, _ESCAPED_QUOTE = "\0", "\1"
"""Stand for two escapes; JSON contains neither of the two control characters."""


def canonical_json(value: Any, *, is_read: bool = False) -> bytes:
    """Return the RFC 8785 (JCS) bytes of a JSON value, the only form that is hashed.

    `is_read` states that `json_value` returned the value, so that it has no integer beyond 2^53 - 1.
    """
    # rfc8785 is written in Python and takes ten times as long as the standard library: it writes only what differs.
    if isinstance(value, dict | list | tuple | str):
        try:
            text = _ENCODER.encode(value)
            if not is_read and _LARGE.search(text):
                return rfc8785.dumps(value)
            text = _with_other_numbers(text)
            written = text.encode()
            if text.isascii() or not any(map(written.__contains__, _BEYOND_BASIC_PLANE)):
                return written
            if not _ORDER_DIFFERS.search(written):
                return written
        except (TypeError, ValueError):
            pass  # rfc8785 states the error
    return rfc8785.dumps(value)


def _with_other_numbers(written: str) -> str:
    """Write the numbers of JSON as RFC 8785 does; digits in strings are text."""
    ends = [end for end in _ENDS if end.search(written)]
    if not ends:
        return written
    is_escaped = "\\" in written
    if is_escaped:
        written = written.replace("\\\\", _ESCAPED_SLASH).replace('\\"', _ESCAPED_QUOTE)
    for end in ends:
        written = "".join(_with_other(end, written))
    return written.replace(_ESCAPED_QUOTE, '\\"').replace(_ESCAPED_SLASH, "\\\\") if is_escaped else written


def _with_other(end: re.Pattern[str], written: str) -> Iterator[str]:
    """Yield the parts of JSON without escaped quotes, with other numbers in place of those that end so."""
    # What is behind an odd number of quotes is text: counting them takes a tenth of the time of finding all strings.
    done, seen, quotes = 0, 0, 0
    for found in end.finditer(written):
        at = found.start()
        quotes, seen = quotes + written.count('"', seen, at), at
        if quotes % 2 == 0:
            begin = 1 + max(written.rfind(",", done, at), written.rfind(":", done, at), written.rfind("[", done, at))
            yield written[done:begin]
            done = found.end()
            yield _number(written[begin:done])
    yield written[done:]


@lru_cache(maxsize=10_000)
def _number(written: str) -> str:
    # Settings have few numbers, and every digest of a request repeats them.
    return rfc8785.dumps(json.loads(written)).decode()


def digest_of(value: Any) -> str:
    """Return the SHA-256, hex, of a value's canonical JSON; a `Frozen` is dumped in JSON mode."""
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return hashlib.sha256(canonical_json(plain)).hexdigest()


def shown_address(url: str) -> str:
    """Return an address without its user name and password, for messages, answers and logs.

    Of several, separated by commas, each.
    """
    if "," in url:
        return ",".join(map(shown_address, url.split(",")))
    head, found, tail = url.partition("://")
    host, slash, path = tail.partition("/")
    return f"{head}{found}{host.rpartition('@')[2]}{slash}{path}"


def storable(text: str) -> str:
    """Return a text without NULs and lone surrogates, which databases, files and hashes cannot contain."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
