"""Messages as codes with values, and text that remembers its message until a reader's language is known.

A `Sentence` is English text that carries its `Message`. It is stored as code and values and becomes text in the
reader's language where it leaves the server. Text without a message (stored by an older version, or the
words of another program) stays what it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import PlainSerializer, SerializationInfo, ValidationError, WithJsonSchema, WrapValidator

from passer.domain.base import Frozen, storable
from passer.domain.wording.catalogue import Language, catalogue, descriptions
from passer.domain.wording.icu import Note, formatted

F = TypeVar("F", bound=Frozen)
Value = str | int | float | tuple[str, ...]
"""A name, a number, another sentence, or several names or sentences."""
STORED: dict[str, bool] = {"stored": True}
"""Serialisation context in which messages become codes and values instead of text."""


class Message(Frozen):
    """Code and values of a sentence, without a language."""

    code: str
    """Key in every catalogue; it stays when the text is improved."""
    values: dict[str, str | int | float | Message | tuple[str | Message, ...]]
    """Values of its placeholders; a message within a message keeps its own code."""


class Sentence(str):
    """English text with its message; None if only the text is known."""

    message: Message | None

    def __new__(cls, text: str, message: Message | None = None) -> Sentence:
        """Return the text with its message."""
        made = super().__new__(cls, text)
        made.message = message
        return made


def sentence(code: str, **values: Value) -> Sentence:
    """Return the sentence of a code; KeyError for an unknown code or a missing value."""
    message = Message(code=code, values={name: _value(value) for name, value in values.items()})
    return Sentence(text_of(message, "en"), message)


def number_sentence(value: float) -> Sentence:
    """Return a number as a sentence, so that it has the decimal sign of the reader within a list."""
    return sentence("value.number", value=value)


def code_of(text: str) -> str | None:
    """Return the code of a sentence; None for text without a message."""
    return text.message.code if isinstance(text, Sentence) and text.message else None


def described(text: str) -> Sentence:
    """Return an English description as a sentence whose code is the text itself; see catalogue.descriptions."""
    return Sentence(text, Message(code=text, values={}))


def text_of(message: Message, language: Language, note: Note | None = None) -> str:
    """Return a message in a language, or in English where the language has no text for it.

    A code without a text, as of descriptions in English, is shown as it is. `note` is called with each number and its
    text.
    """
    tried: tuple[Language, ...] = (language, "en")
    for known in tried:
        template = catalogue(known).get(message.code, descriptions(known).get(message.code))
        if template is not None:
            values = {name: _text_of_value(value, language, note) for name, value in message.values.items()}
            return formatted(template, values, known, *([] if note is None else [note]))
    return message.code


def _value(value: Value) -> Any:
    if isinstance(value, tuple):
        return tuple(_value(item) for item in value)
    if isinstance(value, Sentence) and value.message:
        return value.message
    # Names in files of strangers: a message that no answer and no table of work can hold would hide the refusal.
    return storable(value) if isinstance(value, str) else value


def _text_of_value(value: Any, language: Language, note: Note | None) -> str | int | float:
    if isinstance(value, Message):
        return text_of(value, language, note)
    if isinstance(value, tuple):
        items = [str(_text_of_value(item, language, note)) for item in value]
        # Numbers with a decimal comma would run together between commas.
        return ("; " if language != "en" and any(map(_DECIMAL.fullmatch, items)) else ", ").join(items)
    found: str | int | float = value
    return found


_READER: ContextVar[Language] = ContextVar("reader", default="en")


@contextmanager
def reading(language: Language) -> Iterator[None]:
    """Serialise messages in this language inside the block; English outside of any."""
    before = _READER.set(language)
    try:
        yield
    finally:
        _READER.reset(before)


def reader() -> Language:
    """Return the language of the block that serialises messages."""
    return _READER.get()


def in_readers_language(model: F) -> F:
    """Return a value whose texts are plain text in the reader's language, for what is drawn or printed."""
    return type(model).model_validate_json(model.model_dump_json())


def shown(text: str) -> str:
    """Return text in the reader's language."""
    message, language = text.message if isinstance(text, Sentence) else None, _READER.get()
    # A sentence is its English text already. Tables and figures hold thousands of them.
    return str(text) if message is None or language == "en" else text_of(message, language)


_DECIMAL = re.compile(r"-?\d+,\d+")
_NOTED = re.compile("\ue000(\\d+)\ue001([^\ue002]*)\ue002")


class Piece(NamedTuple):
    """A piece of a text: a number with the name of its placeholder, or what is between two."""

    text: str
    name: str = ""
    value: float | None = None


def pieces(text: str) -> tuple[Piece, ...]:
    """Return text in the reader's language in pieces, each number apart."""
    message = text.message if isinstance(text, Sentence) else None
    if message is None:
        return (Piece(str(text)),)
    numbers: list[tuple[str, float]] = []

    def note(name: str, value: float, said: str) -> str:
        numbers.append((name, value))
        return f"\ue000{len(numbers) - 1}\ue001{said}\ue002"

    noted, end = text_of(message, _READER.get(), note), 0
    found: list[Piece] = []
    for match in _NOTED.finditer(noted):
        found += [Piece(noted[end : match.start()]), Piece(match[2], *numbers[int(match[1])])]
        end = match.end()
    return tuple(piece for piece in [*found, Piece(noted[end:])] if piece.text)


def stored(text: str) -> str:
    """Return text for a column of a database: code and values as JSON, or the text if it has no message."""
    message = text.message if isinstance(text, Sentence) else None
    return str(text) if message is None else message.model_dump_json()


def restored(text: str) -> Sentence:
    """Return the sentence of a column; text that was stored as text stays text."""
    if text.startswith('{"code":'):
        try:
            return _sentence_of(Message.model_validate_json(text))
        except ValidationError:
            return Sentence(text)
    return Sentence(text)


def _sentence_of(message: Message) -> Sentence:
    return Sentence(text_of(message, "en"), message)


def _read(given: object, read: Any) -> str:
    if isinstance(given, Sentence):
        return given
    if isinstance(given, dict):
        return _sentence_of(Message.model_validate(given))
    return Sentence(read(given))


def _written(text: str, info: SerializationInfo) -> Any:
    if info.context == STORED and isinstance(text, Sentence) and text.message is not None:
        return json.loads(text.message.model_dump_json())
    return shown(text)


LocalizedText = Annotated[
    str,
    WrapValidator(_read),
    PlainSerializer(_written, return_type=Any, when_used="json"),
    WithJsonSchema({"type": "string"}),
]
"""A field with text: a string in the reader's language in JSON, a `Sentence` inside."""


def _kept(given: object, read: Any) -> str:
    found: str = given if isinstance(given, Sentence) else read(given)
    return found


EnglishText = Annotated[str, WrapValidator(_kept)]
"""A field with text that is English in JSON and where it is stored; inside a `Sentence`, which keeps its message."""


def _shown_within(value: Any) -> Any:
    if isinstance(value, list):
        return [_shown_within(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == Message.model_fields.keys():
        # No other stored value has exactly these members.
        return text_of(Message.model_validate(value), _READER.get())
    return {name: _shown_within(item) for name, item in value.items()}


LocalizedJson = Annotated[dict[str, Any], PlainSerializer(_shown_within, return_type=dict[str, Any], when_used="json")]
"""A field with the JSON of a model that was stored with its messages, for callers that do not know the model."""
