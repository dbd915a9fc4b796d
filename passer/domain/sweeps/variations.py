"""Variations of a question: what a model is asked, and which of its texts are searched for."""

from __future__ import annotations

from collections.abc import Mapping

from passer.domain.judging.ask import Ask
from passer.domain.judging.fences import mark_for
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.recipe import Recipe
from passer.domain.judging.reply import NoJudgement
from passer.domain.judging.task import JudgeTask
from passer.domain.retrieval.passages import NoRewriting, Rewriting
from passer.domain.retrieval.refinements import Variations
from passer.domain.texts.words import unicode_words

VARIATIONS = JudgeTask(
    "variations",
    "Rewrite the question as one search query that asks for the same information in other words. Do not answer it.",
    reply=None,
    is_sampled=True,
)
"""One line for each variation: weak models write a line where they cannot fill a list, and a further variation is one
more ask, whatever the others were."""

KEYWORDS = JudgeTask(
    "keywords",
    "Write keywords that a passage with the answer to the question contains, as one search query. Do not answer it.",
    reply=None,
    is_sampled=True,
)
"""Expansion by keywords, the prompt Q2E/ZS of Jagerman et al. (2023), https://arxiv.org/abs/2305.03653."""

PROMPTS: Mapping[str, JudgeTask] = {task.name: task for task in (VARIATIONS, KEYWORDS)}
"""Instructions of `Variations.prompt`."""

_REASONS: Mapping[NoJudgement, NoRewriting] = {
    "cut_off": "cut-off",
    "not_json": "unusable",
    "off_schema": "unusable",
    "empty": "unusable",
    "prompt_too_long": "too-long",
    "generation_failed": "no-reply",
}


def variations(question: str, by: Variations) -> Recipe[Rewriting]:
    """Ask for variations of a question, and return the texts to search for.

    Variations with the same words as the question or an earlier one, and copies of the prompt, are dropped. Without
    any, only the question is searched for, whatever `with_original` says.
    """
    task = PROMPTS[by.prompt]
    asks = tuple(Ask(task=task.name, given={"question": question}, sample=n) for n in range(by.n))
    said: tuple[Judgement, ...] = yield asks
    found: dict[tuple[str, ...], str] = {_words(question): question}
    # Weak models copy the fence around the question.
    mark = mark_for(task.digest, ["question", question])
    written = [str(each.value) for each in said if each.reason is None]
    for text in written:
        words = _words(text)
        if words and mark not in text:
            found.setdefault(words, text)
    texts = tuple(found.values())
    dropped = len(written) - len(texts) + 1
    reasons = [_REASONS[each.reason] for each in said if each.reason is not None]
    if len(texts) == 1:
        return Rewriting(asked=texts, dropped=dropped, reason=reasons[0] if reasons else "nothing-new")
    return Rewriting(asked=texts if by.with_original else texts[1:], dropped=dropped)


def _words(text: str) -> tuple[str, ...]:
    return tuple(unicode_words(text))
