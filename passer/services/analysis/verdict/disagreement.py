"""Further statements of a verdict: decisions that would change it, and configurations that are identical."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.analysis.analysis import Alternative
from passer.domain.verdict.conclusion import SweepVerdict
from passer.domain.verdict.lines import Line
from passer.domain.verdict.side_comparisons import IdenticalSet
from passer.domain.wording.sentence import Sentence, sentence
from passer.services.analysis.comparability import Group


def disagreements(verdict: SweepVerdict, alternatives: Sequence[Alternative]) -> list[tuple[int, Sentence]]:
    """Return the decisions that recommend another configuration, each with the place of its conclusion."""
    return [
        (
            place,
            sentence(
                "warning.otherwise",
                decision=other.decision,
                model=item.model,
                other=name or sentence("decision.none"),
                here=item.name or sentence("decision.none"),
            ),
        )
        for other in alternatives
        for place, (item, name) in enumerate(zip(verdict.conclusions, other.recommended, strict=True))
        if name != item.name
    ]


def with_disagreements(verdict: SweepVerdict, alternatives: Sequence[Alternative]) -> SweepVerdict:
    """Return the verdict whose conclusions name the decisions that would change them."""
    conclusions = list(verdict.conclusions)
    for place, said in disagreements(verdict, alternatives):
        item = conclusions[place]
        lines = (*item.would_change, Line(text=said))
        conclusions[place] = item.model_copy(update={"would_change": lines})
    return verdict.model_copy(update={"conclusions": tuple(conclusions)})


def identical_sets(groups: Sequence[Group]) -> tuple[IdenticalSet, ...]:
    """Return configurations that asked the same prompts for all questions: they are one configuration by two names."""
    found: dict[tuple[object, ...], list[str]] = {}
    for group in groups:
        asked = tuple(
            sorted((item.question_id, item.prompt_digest) for item in group.first.questions if item.prompt_digest)
        )
        if asked and len(asked) == len(group.first.questions):
            found.setdefault((group.arm, len(group.runs), asked), []).append(group.first.name)
    return tuple(
        IdenticalSet(names=tuple(names), line=Line(text=sentence("verdict.identical", names=tuple(names))))
        for names in found.values()
        if len(names) > 1
    )
