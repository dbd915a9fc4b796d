"""Secondary comparisons: within groups of questions, and between models."""

from __future__ import annotations

from typing import Literal

from passer.domain.base import Frozen
from passer.domain.verdict.family import FamilyGain
from passer.domain.verdict.lines import Line
from passer.domain.wording.sentence import LocalizedText, sentence

Grouping = Literal["cluster", "document", "group", "category", "length", "passages"]
"""Property that the questions of a group share."""


class SliceGain(Frozen):
    """Gain within a group of questions."""

    grouping: Grouping
    """Property that the questions of the group share."""
    name: str
    """Name of the group: as in the dataset; or `short`, `medium` or `long`, `with` or `without` passages."""
    gain: FamilyGain
    """Gain by the rule of the verdict, in one family with all other groups and the whole."""

    @property
    def shown_name(self) -> str:
        """Name of the group in words; people chose it, except for groups by length and by passages."""
        if self.grouping == "length":
            return sentence(f"length.{self.name}")
        return sentence(f"passages.{self.name}") if self.grouping == "passages" else self.name


class GroupDifference(Frozen):
    """Permutation test of the interaction of gain and the groups of one kind."""

    grouping: Grouping
    """Property that the questions of a group share."""
    groups: int
    """Groups that are compared."""
    p: float
    """p value of "the same gain in all groups"."""
    p_adjusted: float
    """Corrected by Holm over the kinds of groups."""


class IdenticalSet(Frozen):
    """Configurations that asked the same prompts for all questions."""

    names: tuple[LocalizedText, ...]
    """Names of the configurations."""
    line: Line
    """The set in words."""


class ArmComparison(Frozen):
    """A model, prompt or retriever against the sweep's first baseline, at the same k or threshold."""

    model: LocalizedText
    """The model, with its prompt and temperature if several are compared."""
    baseline: LocalizedText
    """Model of the first baseline."""
    policy: LocalizedText
    """Retrieval setting of both."""
    run_ids: tuple[str, ...]
    """Its runs."""
    differing: tuple[str, ...]
    """Fields of the configuration in which the two differ."""
    gain: FamilyGain
    """Gain by the rule of the verdict, as a family of its own."""
    line: Line
    """The comparison in words."""
