"""Tournaments: who played, and who decided the games."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, model_validator

from passer.domain.arena.game import Source
from passer.domain.base import Count, Frozen, added_field
from passer.domain.defaults import FACTORS, LEAST_GRADE
from passer.domain.sweeps.run import sweep_id_of
from passer.domain.wording.sentence import LocalizedText


class ArenaOptions(Frozen):
    """Options of a judge that compares answers pair by pair."""

    by: Literal["whole", "criteria"] = added_field("whole")
    """Basis of the comparison: answers as a whole, or five criteria that the judge writes once for each question."""
    documents: Literal["none", "text", "text+grade", "grade"] = "text"
    """Content that the judge reads of the passages that all runs were given, the best ranked first: nothing,
    their texts, or only relevant ones with their grades, with or without the texts."""
    relevance: str | None = Field(default=None, max_length=48)
    """Assessment that graded the passages; it or `qrels` is needed where their grades are read."""
    qrels: str | None = added_field(None, max_length=60)
    """Name of saved relevance grades of passages, imported or of people, in place of an assessment."""
    qrels_digest: str | None = added_field(None, max_length=64)
    """Their digest when the tournament was created; grades saved under that name later are refused."""
    least_grade: int = Field(default=LEAST_GRADE, ge=0, le=3)
    """Smallest grade of passages that the judge reads; passages without a grade are left out too. Only with grades."""
    orders: Literal["both", "one"] = "both"
    """Orders of showing; with one, drawn for each pair, the judge's preference for an order enters the outcome."""
    per_question: int | None = Field(default=None, ge=1, le=100_000)
    """Most games of a question; None plays all pairs."""
    factors: str = Field(default=FACTORS, min_length=1, max_length=500)
    """Criteria for the better answer."""
    expert_in: str = Field(default="", max_length=200)
    """Field in which the judge is an expert; empty leaves that out."""
    language: str = added_field("", max_length=50)
    """Language in which the judge writes its explanations, such as Bulgarian; empty for that of the question."""
    citations: bool = added_field(False)
    """True if the prompt of the judge says that answers cite passages by number, such as [1]."""
    seed: int = Field(default=1, ge=0, le=2**31 - 1)
    """Seed of the draw of pairs and of single orders."""

    @property
    def shows_texts(self) -> bool:
        """Return whether the judge reads texts of passages."""
        return self.documents in ("text", "text+grade")

    @property
    def shows_grades(self) -> bool:
        """Return whether the judge reads grades of passages."""
        return self.documents in ("text+grade", "grade")

    @model_validator(mode="after")
    def _relevance_with_grades(self) -> ArenaOptions:
        if [self.relevance, self.qrels].count(None) != (1 if self.shows_grades else 2):
            raise ValueError(
                "documents with grades need relevance, the assessment that graded them, or qrels, saved grades; "
                "others accept none"
            )
        return self


class Rule(Frozen):
    """Games decided by a stored score: a wins if its score is better than that of b by more than epsilon."""

    column: str = Field(min_length=1, max_length=100)
    """Name of a metric; of a perplexity the lower value is better."""
    epsilon: float = Field(default=0.0, ge=0)
    """Differences up to this are a tie."""
    assessment: str | None = Field(default=None, max_length=48)
    """Assessment whose judged column it is; None for the scores of the runs."""


class Entrant(Frozen):
    """A system of a tournament."""

    id: str = Field(min_length=1, max_length=100)
    """Id of a run, or the name in an imported file."""
    name: LocalizedText = Field(min_length=1, max_length=300)
    """Name as it is shown."""
    model: str = ""
    """Model that answered; empty if that is not known."""
    added_by: str | None = None
    """Assessment that added it after the games of the others were played; it has few games, and no rating in the
    tournament."""


class Tournament(Frozen):
    """A table of games, without the games."""

    id: str
    """Unique. That of its assessment, if a judge decides the games."""
    name: str = Field(min_length=1, max_length=200)
    """Shown in lists."""
    source: Source
    """Source of the decisions."""
    entrants: tuple[Entrant, ...] = Field(min_length=2)
    """Systems in the tournament's order: by digest of their configuration, or by name if imported."""
    sweep_id: str | None = None
    """Sweep of its first run; None if imported."""
    rule: Rule | None = None
    """Rule by which a score decides; None if no score does."""
    unanswered: Count = 0
    """Questions of runs without an answer, which play no game."""
    created_at: datetime
    """UTC."""

    @model_validator(mode="after")
    def _rule_if_by_rule(self) -> Tournament:
        if (self.rule is not None) != (self.source == "rule"):
            raise ValueError("a tournament has a rule if, and only if, a rule decides its games")
        if len({each.id for each in self.entrants}) != len(self.entrants):
            raise ValueError("every system of a tournament occurs once")
        return self

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids of the systems that its ratings compare, in order."""
        return tuple(each.id for each in self.entrants if each.added_by is None)

    @property
    def added(self) -> tuple[Entrant, ...]:
        """Return the systems that joined later, with few games."""
        return tuple(each for each in self.entrants if each.added_by is not None)

    @property
    def sweeps(self) -> tuple[str, ...]:
        """Return the ids of the sweeps of its runs; empty if imported."""
        if self.source == "import":
            return ()
        return tuple(dict.fromkeys(sweep_id_of(each.id) for each in self.entrants))
