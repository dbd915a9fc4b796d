"""One thing has one word: screens, messages and help use none of the other words for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from passer.cli import app
from passer.domain.wording.catalogue import catalogue

SOURCES = Path(__file__).parents[2] / "passer"

SECOND_WORDS = {
    "abstention": r"declined to answer|no-answer",
    "answer length limit": r"max(imum)? tokens|output limit",
    "cancel": r"abort(ed|s)?|terminated?",
    "collection": r"knowledge base|corpora|vector database",
    "configuration": r"arms?|variants?",
    "context window": r"context size|token window",
    "dataset": r"test set|question set|data set",
    "gold passage": r"gold (chunk|context)|evidence passage",
    "judge (a model)": r"evaluator|assessor",
    "model server": r"(inference|LLM) server",
    "passage": r"chunks|snippets?",
    "rater (a person)": r"labeller|(?<!Alternative )annotator",
    "rating (of a person)": r"labelled|labels of people|people.s labels",
    "reference answer": r"ground truth|(expected|gold|golden) answer",
    "refuse (a draft)": r"reject(ed)? drafts?|discard drafts?",
    "save (a file)": r"[Dd]ownload as",
    "sign in": r"log ?in|logged in|[Ll]og out",
    "similarity threshold": r"cut-?off|minimum similarity",
    "time stamp": r"timestamps?",
    "tournament": r"league|battle",
}
"""Terms of screens, messages and help, with words for the same thing that none of them uses."""
PUBLISHED = {"name.variant"}
"""Codes of texts that are in published studies, and stay."""
SECOND_BULGARIAN = {
    "акаунт": r"потребителски профил\w*",
    "еталонен пасаж": r"откъс\w*",
    "заявка": r"запитвани\w*",
    "запис (в регистъра)": r"вписвани\w*",
    "изследване": r"проучвани\w*",
    "екстрактивен четец": r"извличащи\w* четец",
    "крос-енкодер": r"кръстосани\w*|преподрежд\w*",
    "набор от въпроси": r"набор\w* от данни",
    "отмяна": r"откажете|отказана",
    "отпечатък": r"дайджест\w*",
    "оценител": r"оценяващи(?:те)?(?! модел)",
    "оценяващ модел": r"съди\w+",
    "по избор": r"по желание",
    "прираст": r"прирост\w*",
    "регистър": r"журнал\w*",
    "служба за времеви печати": r"орган\w* за времеви",
    "ви": r"(?-i:(?<=[а-я,] )(?:Ви|Вас|Ваш\w*))",
}
"""Terms of the Bulgarian of page and server, with words for the same thing that it does not use."""


def command_line_help() -> Iterator[str]:
    """Help of all commands, arguments and options."""
    commands = [typer.main.get_command(app)]
    while commands:
        command: Any = commands.pop()
        commands += getattr(command, "commands", {}).values()
        yield command.help or ""
        yield from (getattr(parameter, "help", None) or "" for parameter in command.params)


@cache
def english() -> tuple[str, ...]:
    """Texts of screens, messages and help, collected once: the commands alone take a fifth of a second."""
    page = json.loads((SOURCES.parent / "frontend/src/words/bg.json").read_text(encoding="utf-8"))
    said = [*(text for code, text in catalogue("en").items() if code not in PUBLISHED), *page, *command_line_help()]
    # Names of placeholders are not shown.
    return tuple(re.sub(r"\{\w+", "{", text) for text in said)


@pytest.mark.parametrize(("term", "others"), SECOND_WORDS.items())
def test_one_thing_has_one_word_on_every_face(term, others):
    assert [text for text in english() if re.search(rf"\b({others})\b", text)] == [], f"say {term}"


@pytest.mark.parametrize(("term", "others"), SECOND_BULGARIAN.items())
def test_one_thing_has_one_word_in_bulgarian(term, others):
    words = [SOURCES.parent / "frontend/src/words/bg.json", *sorted((SOURCES / "domain/wording").glob("*bg.json"))]
    said = [text for path in words for text in json.loads(path.read_text(encoding="utf-8")).values()]
    assert [text for text in said if re.search(rf"\b({others})\b", text, re.IGNORECASE)] == [], f"say {term}"
