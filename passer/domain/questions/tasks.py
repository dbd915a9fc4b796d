"""Tasks of the models that write questions and answers. Replies are plain text: a grammar ensures the form of a reply,
not its meaning.

Small models write usable questions only behind worked examples in the form of a conversation. An example is part of
the task's digest, and a question that repeats one is refused by its form.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import NamedTuple

from passer.domain.judging.task import JudgeTask, Shot

QUESTION, ANSWER, QUESTIONS = "draft-question", "draft-answer", "draft-questions"
NONE = "NONE"
"""Reply of a model that finds no question or answer in the passage."""
MOST_QUESTIONS = 10
"""Most questions of a window in one reply."""
PASSAGE, ASKED, FROM_USERS = "passage", "question", "questions of users"
"""Names of the texts that a model reads."""

_QUESTION = (
    "Write one question that the passage answers, as somebody would ask it who looks for this information and has "
    "never seen the passage. The question is specific to the passage, is answered completely by it alone, names "
    "everything that it asks about, and never mentions a passage, text or document. If the passage holds nothing "
    f"worth asking, such as a list of contents or a page number, reply {NONE}."
)
_QUESTIONS = (
    f"Write up to {MOST_QUESTIONS} different questions that the passage answers, as users of a search would ask them "
    "who have never seen the passage. Each is answered by the passage, names everything that it asks about, and never "
    "mentions a passage, text or document. If questions of users are given, write in their manner, but repeat none."
)
_ANSWER = (
    "You are an expert in the subject of the passage. Answer the question from the passage alone, in one or two "
    "sentences that stay close to its wording. The answer may use several places of the passage. If the passage does "
    f"not contain the whole answer, reply {NONE}."
)


class Example(NamedTuple):
    """A worked example."""

    passage: str
    question: str
    answer: str


def examples_of(language: str) -> tuple[Example, ...]:
    """Return the worked examples in a language, or the English ones."""
    found = _examples()
    return found.get(language.partition("-")[0].lower(), found["en"])


@cache
def _examples() -> dict[str, tuple[Example, ...]]:
    text = resources.files(__package__).joinpath("examples.toml").read_text(encoding="utf-8")
    return {language: tuple(Example(**each) for each in own) for language, own in tomllib.loads(text).items()}


def question_task(language: str, instruction: str = "") -> JudgeTask:
    """Return the task of writing one question about a passage; an instruction replaces the built-in one."""
    shots = tuple(Shot(given={PASSAGE: each.passage}, reply=each.question) for each in examples_of(language))
    return JudgeTask(QUESTION, instruction or _QUESTION, None, examples=shots)


def answer_task(language: str) -> JudgeTask:
    """Return the task of answering a question from a passage."""
    shots = tuple(
        Shot(given={PASSAGE: each.passage, ASKED: each.question}, reply=each.answer) for each in examples_of(language)
    )
    return JudgeTask(ANSWER, _ANSWER, None, examples=shots)


def questions_task(language: str, instruction: str = "") -> JudgeTask:
    """Return the task of writing several questions about a window, one per line."""
    shots = tuple(Shot(given={PASSAGE: each.passage}, reply=each.question) for each in examples_of(language))
    return JudgeTask(QUESTIONS, instruction or _QUESTIONS, None, examples=shots, lines=MOST_QUESTIONS, of="question")


def is_none(reply: str) -> bool:
    """Return whether a model replies that it finds none."""
    return reply.strip(" .\"'*`").casefold() in (NONE.casefold(), "none", "няма")
