"""Refinements of retrievers: what rewrites a question before the search, and what reranks passages after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from passer.domain.base import Frozen, added_field
from passer.domain.models.model import Model
from passer.domain.texts.words import unicode_words
from passer.domain.wording.sentence import sentence

Pins = dict[str, str]
"""Digests by the name of what they are of."""
Added = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class ModelFree(Frozen):
    """Base of the parts of retrievers that ask no model."""

    @property
    def models(self) -> tuple[Model, ...]:
        """Return the models that are asked."""
        return ()

    def with_models(self, changed: Callable[[Model], Model]) -> Self:
        """Return the same value asking what the function returns for its model."""
        return self


class ModelBased(Frozen):
    """Base of retrievers that ask a model before or after the search."""

    duty: ClassVar[str]
    """What the model does, for the error about a model that cannot do it."""
    judge: Model
    """The model that is asked."""
    pins: Pins = added_field({})
    """Digests of the model's weights and of the instruction, set by PaSSER when a sweep is created."""

    @field_validator("judge")
    @classmethod
    def _writes(cls, value: Model) -> Model:
        if not value.reads_prompts:
            raise ValueError(sentence(f"retriever.cannot-{cls.duty}", model=value.name))
        return value

    @property
    def models(self) -> tuple[Model, ...]:
        return (self.judge,)

    def with_models(self, changed: Callable[[Model], Model]) -> Self:
        return self.model_copy(update={"judge": changed(self.judge)})


class Variations(ModelBased):
    """Other wordings of the question, written by a model: RAG-Fusion (Rackauckas 2024).

    The rankings of the question and of its variations are merged by reciprocal rank fusion.
    """

    form: Literal["variations"] = "variations"
    """`variations`"""
    duty: ClassVar[str] = "write"
    n: int = Field(default=4, ge=1, le=8)
    """Number of variations; fewer are searched for where the model repeats itself."""
    with_original: bool = True
    """True if the question as it was asked is searched for too."""
    prompt: Literal["variations", "keywords"] = added_field("variations")
    """Instruction of the model: other wordings of the question, or keywords of its answer (Jagerman et al. 2023)."""

    @property
    def label(self) -> str:
        """Return a short name for tables."""
        found = sentence("retriever.variations" if self.with_original else "retriever.variations-only", n=self.n)
        return found if self.prompt == "variations" else sentence("retriever.keywords", by=found)

    @property
    def searches(self) -> int:
        """Return the number of texts searched for."""
        return self.n + self.with_original


def _is_a_map(value: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    found: dict[tuple[str, ...], str] = {}
    for term, added in value.items():
        words = tuple(unicode_words(term))
        if not words or not all(map(unicode_words, added)) or not 1 <= len(added) <= 50:
            raise ValueError(sentence("terms.needs-a-word", term=term))
        if words in found:
            raise ValueError(sentence("terms.same-words", first=found[words], second=term))
        found[words] = term
    return value


TermWords = Annotated[dict[Added, tuple[Added, ...]], Field(min_length=1, max_length=1000), AfterValidator(_is_a_map)]
"""Words and phrases by the word or phrase that they are added for."""


class Terms(ModelFree):
    """Words that are added to a question where it contains certain terms: query expansion by a map.

    The map is part of the retriever, so that a configuration, its digest and its bundle contain it.
    """

    form: Literal["terms"] = "terms"
    """`terms`"""
    name: str = Field(min_length=1, max_length=60)
    """Name of the map in tables."""
    terms: TermWords
    """Words and phrases to add, by the word or phrase of the question that they are added for."""
    most: int = Field(default=8, ge=1, le=50)
    """Largest number of words added to one question."""

    @property
    def label(self) -> str:
        return sentence("retriever.terms", name=self.name)

    @property
    def searches(self) -> int:
        return 1


QueryRewriter = Annotated[Variations | Terms, Field(discriminator="form")]
"""Rewriting of a question."""


class CrossEncoder(ModelFree):
    """A sequence classifier that reads question and passage together and gives one score (Nogueira and Cho 2019)."""

    form: Literal["cross-encoder"] = "cross-encoder"
    """`cross-encoder`"""
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")
    """Name of its folder in the folder of models (PASSER_MODELS)."""
    pins: Pins = added_field({})
    """Digest of its weights, set by PaSSER when a sweep is created."""

    @property
    def label(self) -> str:
        return self.name


class PassageJudge(ModelBased):
    """A language model that grades each passage for the question; one request for each passage."""

    form: Literal["passage-judge"] = "passage-judge"
    """`passage-judge`"""
    duty: ClassVar[str] = "grade"
    task: Literal["relevance", "umbrela"] = added_field("relevance")
    """Scale: 0 (no answer), 1 (a part of it) or 2 (the answer); or 0 to 3 (UMBRELA, Upadhyay et al. 2024)."""

    @property
    def label(self) -> str:
        return self.judge.label if self.task == "relevance" else f"{self.judge.label} (UMBRELA)"


Reranker = Annotated[CrossEncoder | PassageJudge, Field(discriminator="form")]
"""Reordering of passages."""
