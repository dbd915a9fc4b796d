"""Tasks of the models that write questions and answers. Replies are plain text: a grammar ensures the form of a reply,
not its meaning.

Small models write usable questions only behind worked examples in the form of a conversation. An example is part of
the task's digest, and a question that repeats one is refused by its form.
"""

from __future__ import annotations

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


EXAMPLES: dict[str, tuple[Example, ...]] = {
    "en": (
        Example(
            "The Rhone rises in a glacier of the Swiss Alps at about 2,200 metres. It flows through Lake Geneva and "
            "reaches the Mediterranean west of Marseille.",
            "At what altitude does the river Rhone rise?",
            "The Rhone rises in a glacier of the Swiss Alps at about 2,200 metres.",
        ),
        Example(
            "Concrete gains most of its strength within 28 days, because cement binds water slowly. Frost in the "
            "first days damages it for good.",
            "Why does concrete need 28 days to gain most of its strength?",
            "Concrete needs 28 days because cement binds water slowly.",
        ),
        Example(
            "Members of the city library may borrow ten books for four weeks. A loan can be renewed twice, unless "
            "somebody else has reserved the book.",
            "How often can members of the city library renew a loan?",
            "A loan can be renewed twice, unless somebody else has reserved the book.",
        ),
    ),
    "bg": (
        Example(
            "Река Рона извира от ледник в Швейцарските Алпи на около 2200 метра. Тя минава през Женевското езеро и се "
            "влива в Средиземно море западно от Марсилия.",
            "На каква височина извира река Рона?",
            "Река Рона извира от ледник в Швейцарските Алпи на около 2200 метра.",
        ),
        Example(
            "Бетонът достига по-голямата част от якостта си за 28 дни, защото циментът свързва водата бавно. Студът "
            "през първите дни го уврежда трайно.",
            "Защо на бетона са нужни 28 дни, за да достигне по-голямата част от якостта си?",
            "Нужни са 28 дни, защото циментът свързва водата бавно.",
        ),
        Example(
            "Членовете на градската библиотека могат да вземат десет книги за четири седмици. Срокът може да се удължи "
            "два пъти, освен ако друг читател не е запазил книгата.",
            "Колко пъти членовете на градската библиотека могат да удължат срока за връщане?",
            "Срокът може да се удължи два пъти, освен ако друг читател не е запазил книгата.",
        ),
    ),
}
"""Worked examples by language; other languages see the English ones."""


def examples_of(language: str) -> tuple[Example, ...]:
    """Return the worked examples in a language, or the English ones."""
    return EXAMPLES.get(language.partition("-")[0].lower(), EXAMPLES["en"])


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
