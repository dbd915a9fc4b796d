"""Parses a judge's reply by the schema of its task: a value, or the reason why there is none. Nothing is repaired."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from pydantic import JsonValue, ValidationError

from passer.domain.base import storable
from passer.domain.judging.task import LINE_CHARACTERS, JudgeTask
from passer.domain.models.chat import Message
from passer.domain.models.generation import without_thinking

NoJudgement = Literal[
    "cut_off", "not_json", "off_schema", "empty", "prompt_too_long", "no_logprobs", "generation_failed"
]
"""Reasons why a judgement has no value."""
CUT = ("length", "repeated")
"""Finish reasons of replies that did not end by themselves."""

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n?(.*?)(?:\n?\s*```\s*)?$", re.DOTALL)

_LISTED = re.compile(r"^\s*(?:(?:[-*•]|\(?\d{1,2}[.):])\s+|[(\uff08]?\d{1,2}[\u3001\uff0e\uff09\uff1a]\s*)")
"""Number or dash at the beginning of a line of a list."""


class Reading(NamedTuple):
    """The result of reading a reply: either a value or the reason why there is none."""

    value: JsonValue | None
    reason: NoJudgement | None = None
    problem: str = ""
    """Problem of the reply, in the words of the message to the judge."""


def read_reply(
    text: str, *, finish_reason: str | None, task: JudgeTask, lengths: Mapping[str, int] | None = None
) -> Reading:
    """Remove thinking blocks and code fences from a reply, parse its outermost object and validate it.

    A complete and valid reply counts whatever the finish reason is: many models add white space until the limit.
    An incomplete one is never completed: a cut `{"score": 0.` would become 0.
    """
    plain = _clean(without_thinking(text)).strip()
    if not plain:
        return Reading(None, "cut_off" if finish_reason in CUT else "empty", "the reply was empty")
    if task.reply is None:
        return _line(plain, finish_reason) if task.lines == 1 else _lines(plain, finish_reason, task.lines)
    try:
        value = _parsed(plain)
    except (ValueError, RecursionError):
        if finish_reason in CUT:
            return Reading(None, "cut_off", "the reply was cut off at the length limit")
        return Reading(None, "not_json", "the reply is not one JSON object")
    return _validated(value, task, lengths or {})


def second_messages(messages: tuple[Message, ...], reply: str, reading: Reading) -> tuple[Message, ...]:
    """Return the prompt of the second attempt: the reply as it was, and one line that names the problem.

    One that was cut off is asked the same again; the caller doubles the room for the reply.
    """
    if reading.reason == "cut_off":
        return messages
    correction = f"That reply cannot be used: {reading.problem}. Reply again, in the form that was asked for."
    said = _clean(reply).strip() or "(empty)"
    return (*messages, Message(role="assistant", content=said), Message(role="user", content=correction))


def _line(plain: str, finish_reason: str | None) -> Reading:
    found = _FENCE.match(plain)
    lines = [line.strip().strip('"').strip() for line in (found[1] if found else plain).splitlines()]
    first = next((line for line in lines if line), "")
    if not first:
        return Reading(None, "empty", "the reply was empty")
    if finish_reason in CUT and "\n" not in plain:
        return Reading(None, "cut_off", "the reply was cut off at the length limit")
    if len(first) > LINE_CHARACTERS:
        return Reading(None, "off_schema", f"the line is longer than {LINE_CHARACTERS} characters")
    return Reading(first)


def _lines(plain: str, finish_reason: str | None, most: int) -> Reading:
    """Read one text per line, without the number or dash that models put before it.

    The last line of a reply that was cut off is left out, because its end is missing.
    """
    found = _FENCE.match(plain)
    lines = (found[1] if found else plain).splitlines()
    if finish_reason in CUT:
        lines.pop()
    texts = [_LISTED.sub("", line).strip().strip('"').strip() for line in lines]
    kept = [text for text in texts if text and len(text) <= LINE_CHARACTERS][:most]
    if kept:
        return Reading(list[JsonValue](kept))
    return Reading(None, "cut_off" if finish_reason in CUT else "empty", "the reply holds no usable line")


def _parsed(plain: str) -> dict[str, Any]:
    found = _FENCE.match(plain)
    body = found[1] if found else plain
    first, last = body.find("{"), body.rfind("}")
    if first < 0 or last < first:
        raise ValueError("no object")
    value = json.loads(body[first : last + 1], parse_constant=_refused, object_pairs_hook=_members)
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _validated(value: dict[str, Any], task: JudgeTask, lengths: Mapping[str, int]) -> Reading:
    assert task.reply is not None, "read as a line"
    try:
        valid = task.reply.model_validate(value).model_dump(mode="json")
    except ValidationError as exc:
        return Reading(None, "off_schema", _error_text(exc))
    if _has_boolean_grade(value, task.schema or {}):
        # Validation reads true as 1, the second lowest of eleven grades. Where 1 means yes and 0 no, that is correct.
        return Reading(None, "off_schema", "true and false are not grades: write a number")
    for name, length in lengths.items():
        if len(valid[name]) != length:
            return Reading(None, "off_schema", f"{name} must have {length} items, it has {len(valid[name])}")
    return Reading(_clean(valid))


def _has_boolean_grade(value: Any, schema: Any) -> bool:
    if isinstance(value, dict):
        members = schema.get("properties", {})
        return any(_has_boolean_grade(part, members.get(name, {})) for name, part in value.items())
    if isinstance(value, list):
        return any(_has_boolean_grade(item, schema.get("items", {})) for item in value)
    return isinstance(value, bool) and schema.get("enum") != [0, 1]


def _error_text(exc: ValidationError) -> str:
    """Return the first problem without the wrong value, which is in the reply and can be long."""
    first = exc.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"])) or "the object"
    return f"{place}: {first['msg'][0].lower()}{first['msg'][1:]}"[:200]


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member is given twice")
    return members


def _refused(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _clean(value: Any) -> Any:
    """Return texts without NULs and lone surrogates; models send them, and no database can store them."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return {name: _clean(item) for name, item in value.items()} if isinstance(value, dict) else value
