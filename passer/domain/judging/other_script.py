"""Replies whose free text is written in another script than the question, although its language was asked for.

Such a judge has not followed the instruction, and may not read the language well enough to judge it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from passer.domain.judging.ask import Ask
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Findings, Recipe, observed
from passer.domain.judging.task import JudgeTask
from passer.domain.texts.words import main_script

_NOTE = "in another script than the question"
_COUNTED = re.compile(rf"(\d+) repl(?:y|ies) {_NOTE}")


def watched(recipe: Recipe[Findings], question: str, tasks: Sequence[JudgeTask]) -> Recipe[Findings]:
    """Run a recipe and add to the notes of its findings how many replies are in another script than the question."""
    script = main_script(question)
    schemas = {task.name: task.schema for task in tasks if not task.language}
    counted = 0

    def see(ask: Ask, said: Judgement) -> None:
        nonlocal counted
        if script is not None and ask.task in schemas:
            counted += _is_other(ask, said, script, schemas[ask.task])

    findings = yield from observed(recipe, see)
    if not counted:
        return findings
    note = f"{counted} {'reply' if counted == 1 else 'replies'} {_NOTE}"
    return tuple(each.model_copy(update={"note": "; ".join(filter(None, (each.note, note)))}) for each in findings)


def is_noted(note: str) -> bool:
    """Return whether a note states that a reply was in another script."""
    return _COUNTED.search(note) is not None


def _is_other(ask: Ask, said: Judgement, script: str, schema: Mapping[str, Any] | None) -> bool:
    """Return whether the judge's own words in a reply are mainly in another script; quotes are not its own."""
    given = [_plain(text) for value in ask.given.values() for text in (value if isinstance(value, list) else [value])]
    own = [text for text in _free_texts(said.value, schema) if not any(_plain(text) in source for source in given)]
    found = main_script(" ".join(own))
    return found is not None and found != script


def _free_texts(value: JsonValue, schema: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield the texts of a reply that are not chosen from a list, such as verdicts."""
    if isinstance(value, str):
        if schema is None or not {"enum", "const"} & schema.keys():
            yield value
    elif isinstance(value, list):
        for part in value:
            yield from _free_texts(part, None if schema is None else schema.get("items", {}))
    elif isinstance(value, dict):
        members: Mapping[str, Any] = {} if schema is None else schema.get("properties", {})
        for name, part in value.items():
            yield from _free_texts(part, members.get(name, {}))


def _plain(text: str | int) -> str:
    return " ".join(str(text).casefold().split())
