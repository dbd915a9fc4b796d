"""What a model is asked and what it says back: abstention, think blocks, prompt size. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from passer.domain.answer import Answer, Message, Prompt
from passer.domain.base import digest_of
from passer.domain.run import GenerationOptions, Model

ABSTENTION = "The passages do not contain the answer to this question."
"""What a model is told to say, word for word, when the passages do not hold the answer."""

FailureReason = Literal[
    "model_not_found",
    "model_changed",
    "timeout",
    "connection_lost",
    "malformed_reply",
    "server_error",
    "overloaded",
    "rejected",
    "context_exceeded",
]
"""Why one question could not be answered: the closed list behind `GenerationError.reason`."""

MAX_ABSTENTION_WORDS = 60
"""A longer reply says something, whatever it opens with."""

_SOURCE = (
    r"(?:the |these |any of the |none of the |this )?(?:given |provided |retrieved |above )?"
    r"(?:passages?|context|documents?|texts?|sources?|excerpts?)(?: (?:provided|given|above))?"
)
_HOLDS = r"(?:contain|include|provide|hold|give|have|offer)s?"
_TELLS = r"(?:mention|state|specify|specifie|say|answer|address|addresse|discuss|discusse|cover)s?"
_NOT = r"(?:do not|does not|don't|doesn't|did not|didn't|cannot|can't)"
_OBJECT = (
    r"(?:the |an |any |enough |sufficient |specific |relevant |direct |exact |explicit )*"
    r"(?:answers?|information|details?|evidence|mention|data)\b"
)
_OPENING = (
    r"(?:(?:i am sorry|i'm sorry|sorry|unfortunately|i apologi[sz]e)[,:.]? (?:but )?)?"
    rf"(?:(?:based on|according to|from|in) {_SOURCE}, ?)?"
)
_FORMS = (
    rf"{_SOURCE} {_NOT} {_HOLDS} {_OBJECT}",
    rf"{_SOURCE} {_NOT} {_TELLS}\b",
    rf"none of {_SOURCE} {_HOLDS} {_OBJECT}",
    rf"none of {_SOURCE} {_TELLS}\b",
    r"i (?:do not|don't) know(?: the answer(?: to (?:this|the) question)?)?(?:$|[.,;:])",
    r"i (?:cannot|can't|can not|could not|couldn't|am unable to|am not able to) (?:answer|find|determine)\b",
    rf"there is (?:no|not enough|insufficient) {_OBJECT}",
    r"(?:no|not enough|insufficient) (?:relevant |specific )*(?:answer|information) "
    r"(?:is |was )?(?:found|given|provided|available|in)\b",
    rf"(?:the answer|the information|it|this|that) is not (?:\w+ )?(?:in|by|from) {_SOURCE}",
    rf"not (?:mentioned|found|specified|stated|given|provided|answered) (?:in|by) {_SOURCE}",
)
_ABSTAINS = re.compile(rf"^{_OPENING}(?:{'|'.join(_FORMS)})")
_CONTRAST = re.compile(r"\b(?:but|however|nevertheless|nonetheless|although|though|still|instead)\b(?! (?:no|not)\b)")
_APOLOGY = re.compile(r"^(?:i am sorry|i'm sorry|sorry|unfortunately|i apologi[sz]e)[,:.]? (?:but )?")
_THINK = re.compile(r"<(/?)think>", re.IGNORECASE)

_ASCII_PER_TOKEN = 3.5
_OTHER_PER_TOKEN = 1.5
_PER_MESSAGE = 8


class Finished(NamedTuple):
    """A reply made ready to be scored."""

    text: str
    """What is scored: the reply without think blocks, trimmed."""
    reason: Literal["empty_answer"] | None
    """Set when nothing is left."""
    abstained: bool
    """Whether it says that the passages do not hold the answer."""


def finish(raw: str, *, strip_thinking: bool = True) -> Finished:
    """Make a raw reply ready to be scored."""
    text = (without_thinking(raw) if strip_thinking else raw).strip()
    return Finished(text, None if text else "empty_answer", is_abstention(without_thinking(text)))


def without_thinking(raw: str) -> str:
    """The reply without `<think>` blocks.

    Blocks may be nested. One that is never closed runs to the end; a closing tag that was never opened ends a thought
    which began in the model's own template, so what stands before it goes too.
    """
    kept: list[str] = []
    depth, position = 0, 0
    for tag in _THINK.finditer(raw):
        closing = tag[1] == "/"
        if depth == 0:
            kept = [] if closing else [*kept, raw[position : tag.start()]]
        depth = max(0, depth - 1) if closing else depth + 1
        position = tag.end()
    return "".join(kept) + (raw[position:] if depth == 0 else "")


def is_abstention(text: str) -> bool:
    """Whether a reply says that the passages do not hold the answer, or that it is not known.

    True when the reply, without regard to case, spaces, quotes and Markdown, begins with the fixed sentence or with
    one of the common English ways of saying it, is no longer than `MAX_ABSTENTION_WORDS` words, and does not go on
    to answer after a "but" or "however". In other languages only the fixed sentence counts.
    """
    plain = re.sub(r"\s+", " ", text.replace("\u2019", "'").casefold())
    plain = re.sub(r"[*_`\"\u201c\u201d]", "", plain).strip(" '")
    if not plain or len(plain.split()) > MAX_ABSTENTION_WORDS:
        return False
    if not (plain.startswith(ABSTENTION.casefold().rstrip(".")) or _ABSTAINS.match(plain)):
        return False
    return not _CONTRAST.search(_APOLOGY.sub("", plain))


def abstention() -> Answer:
    """The fixed answer of a question for which no passage was kept; no model was asked."""
    return Answer(
        key=digest_of({"abstention": ABSTENTION}),
        text=ABSTENTION,
        raw=ABSTENTION,
        abstained=True,
        done_reason="no_passages",
        model_digest="none",
    )


def estimate_tokens(messages: Sequence[Message]) -> int:
    """Tokens of a prompt, over-estimated on purpose.

    One token for each 3.5 ASCII characters (English prose has 4 to 4.5), one for each 1.5 other characters (Cyrillic
    has 2 to 2.5), and 8 for the marks around each message: 15 to 60 % above what the models' tokenizers count.
    """
    text = "".join(message.content for message in messages)
    others = sum(1 for character in text if ord(character) > 127)
    return math.ceil((len(text) - others) / _ASCII_PER_TOKEN + others / _OTHER_PER_TOKEN) + _PER_MESSAGE * len(messages)


def window_of(options: GenerationOptions, context_length: int | None) -> int:
    """Tokens that prompt and answer share: num_ctx, or less where the model was made for less."""
    return min(options.num_ctx, context_length) if context_length else options.num_ctx


def what_was_cut(
    *, prompt: Prompt, window: int, prompt_tokens: int | None, done_reason: str | None
) -> Literal["prompt", "answer"] | None:
    """Which part was cut, by what the server counted; by the estimate where it did not count.

    A prompt that fills the window to the last token but one was cut, or leaves no room for an answer.
    """
    measured = prompt_tokens if prompt_tokens else estimate_tokens(prompt.messages)
    if measured >= window - (1 if prompt_tokens else 0):
        return "prompt"
    return "answer" if done_reason == "length" else None


def located(model: Model, *, base_url: str | None) -> Model:
    """The model with its server's address filled in, so that the one used is recorded."""
    if model.base_url or not base_url:
        return model
    return model.model_copy(update={"base_url": base_url})
