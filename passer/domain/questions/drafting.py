"""Drafting: documents, models and limits, and the resulting drafts."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from passer.domain.base import Frozen, added_field, digest_of
from passer.domain.dataset import GoldPassage, Way
from passer.domain.judging.judgement import Judge
from passer.domain.models.answer import Served
from passer.domain.models.model import ModelInfo

Stage = Literal[
    "question", "form", "stand_alone", "answerability", "answer", "faithfulness", "relevance", "copy", "duplicate",
    "person",
]  # fmt: skip
"""Checks of a draft, in their order: those that cost little come first."""
DraftState = Literal["accepted", "edited", "waiting", "refused"]
DecisionKind = Literal["accept", "edit", "refuse", "undo"]
PersonReason = Literal["wrong", "unclear", "trivial", "not-alone", "not-answered", "other"]
"""Reason of a person for refusing a draft."""
UNJUDGED = "unjudged"
"""Reason of a check whose model gave no usable reply; counted apart, because it says nothing of the draft."""
NO_REPLY = "generation_failed"
"""Note of such a check where the server failed: resuming asks again."""
PATIENCE = 40
"""Windows without any accepted draft after which drafting ends."""
MOST_PAGES = 10
DRAWN = 10
"""Accepted drafts that a person is asked to look at in any case: their share of good ones is the quality figure."""


class Window(Frozen):
    """Size of the text in one request: consecutive passages of one document."""

    unit: Literal["passage", "tokens"] = "passage"
    """Unit of `size`."""
    size: int = Field(default=1, ge=1, le=100_000)
    """Passages, or estimated tokens; a passage that is longer is a window of its own."""
    pages: int = Field(default=MOST_PAGES, ge=1, le=MOST_PAGES)
    """Most pages of a window, where the document has pages."""


class DraftLimits(Frozen):
    """Smallest values of the checks; None leaves a check out. The defaults are those of RAGalyst."""

    answerability: float | None = Field(default=1.0, ge=0, le=1)
    """Limit of the judge's decision whether the window alone answers the question."""
    faithfulness: float | None = Field(default=0.9, ge=0, le=1)
    """Limit of the share of the answer's statements that the window supports."""
    relevance: float | None = Field(default=0.9, ge=0, le=1)
    """Limit of the answer relevancy."""
    stand_alone: float | None = Field(default=None, ge=0, le=1)
    """Limit of the grade for being understood without the text."""
    similarity: float | None = Field(default=0.9, gt=0, le=1)
    """Cosine with an accepted question from which a draft repeats it; None compares the texts only."""


class Writer(Frozen):
    """A model that writes drafts."""

    judge: Judge
    """The model with its options, as the models that judge have them."""
    info: ModelInfo
    """Its server's description when the drafting was created."""
    served: Served | None = None
    """Description of the model by its server; None if its server gives none."""


class DraftSettings(Frozen):
    """Method and limits of a drafting, as a person asks for them."""

    way: Way = "agentic"
    """Way in which questions are drafted and checked."""
    limits: DraftLimits = DraftLimits()
    """Limits of the checks."""
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    """Seed of the order of the windows."""
    examples: str | None = Field(default=None, max_length=100)
    """Dataset with questions of real users, which are shown to the models; None shows worked examples only."""
    target: int = Field(default=100, ge=1, le=100_000)
    """Number of accepted questions at which drafting ends; may be raised later."""
    patience: int = Field(default=PATIENCE, ge=1, le=100_000)
    """Windows without any accepted draft after which it ends."""
    review: float = Field(default=0.0, ge=0, le=1)
    """Share of the drafts with all checks passed that wait for a person, drawn by the seed."""
    answers: bool = added_field(False)
    """True if the models also answer the questions of the way `inpars`, which has none; may be wanted later."""


class Drafting(DraftSettings):
    """Plan of a drafting: documents, models, method and limits."""

    collection: str
    """Name of the collection."""
    corpus: str
    """Digest of the ids of the collection's passages: other documents are another drafting."""
    language: str = Field(default="en", min_length=2, max_length=35)
    """Language of the documents and questions, as a BCP 47 tag."""
    writers: tuple[Writer, ...] = Field(min_length=1, max_length=8)
    """Models that write; each reads the same windows."""
    is_judged: bool = True
    """True if a judge checks the drafts."""
    window: Window = Window()
    """Amount of text that a model reads at once."""
    instruction: str = Field(default="", max_length=2000)
    """Instruction in place of the built-in one; empty keeps it."""

    @property
    def digest(self) -> str:
        """Return the digest of everything that a draft depends on; target and review are not part of it."""
        return digest_of(self.model_dump(mode="json", exclude={"target", "patience", "review"}))


class Excerpt(Frozen):
    """The text of one window."""

    document: str
    """Name of the document."""
    passages: tuple[str, ...]
    """Ids of its passages, in order."""
    text: str
    """Text that the model reads; parts that passages share are in it once."""
    start: int = Field(ge=0)
    """First character in the document."""
    page: int | None = None
    """Page on which it begins, from 1."""


def draft_key(place: int, number: int) -> str:
    """Return the key of a draft: the place of its window and model, and its number among the questions of both."""
    return f"{place:06d}-{number}"


class Check(Frozen):
    """The result of one check of a draft."""

    stage: Stage
    """Name of the check."""
    passed: bool
    """True if the draft passed it."""
    value: float | None = None
    """Judged value; None for checks by code and where the judge gave none."""
    limit: float | None = None
    """Smallest value that passes."""
    reason: str | None = None
    """Reason why it did not pass, as a code; None where the value shows it."""
    note: str = ""
    """Remark, such as the problem of the judge's reply."""
    judgement_keys: tuple[str, ...] = ()
    """Judgements that it used, in order."""


class Draft(Frozen):
    """One question that a model drafted, with the results of its checks."""

    key: str
    """Unique in its drafting: number of the window, of the model and of the question."""
    place: int = Field(ge=0)
    """Number of the window and model in the order of drafting, from 0."""
    number: int = Field(ge=0)
    """Place among the questions of one window and model, from 0."""
    excerpt: Excerpt
    """Text that the model read."""
    model: str
    """Name of the model that wrote it."""
    question: str
    """The question; empty if the model wrote none."""
    answer: str
    """The reference answer; empty if there is none."""
    gold: tuple[GoldPassage, ...]
    """Shortest verbatim quotes that contain the answer."""
    checks: tuple[Check, ...]
    """Checks in order, up to the one that refused it."""
    refused_at: Stage | None = None
    """Check that refused it; None if all passed."""

    @property
    def is_accepted(self) -> bool:
        """Return whether all checks passed."""
        return self.refused_at is None

    @property
    def is_unjudged(self) -> bool:
        """Return whether it was refused because a model gave no usable reply."""
        return self.refused_at is not None and self.checks[-1].reason == UNJUDGED


class Decision(Frozen):
    """Decision of a person about a draft."""

    key: str
    """Key of the draft."""
    revision: int = Field(ge=1)
    """1 for the first decision about the draft; the last one counts."""
    kind: DecisionKind
    """`undo` withdraws the decisions before it."""
    question: str | None = None
    """The question as it was edited."""
    answer: str | None = None
    """The answer as it was edited."""
    reason: PersonReason | None = None
    """Reason of the refusal."""
    by: str = Field(default="", max_length=100)
    """Name of the person who decided; empty without accounts."""
    at: datetime
    """Time of the decision, in UTC."""
