"""Further statements of a verdict: decisions that would change it, and configurations that are identical."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.analysis.analysis import Alternative
from passer.domain.analysis.run_rows import EvaluatedQuestion
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


def identical_places(groups: Sequence[Group]) -> tuple[tuple[int, ...], ...]:
    """Return the places of configurations that asked the same prompts, or asked nothing, for all questions."""
    found: dict[tuple[object, ...], list[int]] = {}
    for place, group in enumerate(groups):
        asked = [(item.question_id, _asked(item)) for item in group.first.questions]
        if asked and all(what is not None for _, what in asked):
            found.setdefault((group.arm, len(group.runs), tuple(sorted(asked))), []).append(place)
    return tuple(tuple(places) for places in found.values() if len(places) > 1)


def _asked(item: EvaluatedQuestion) -> str | None:
    """Return the digest of a prompt; the scores of the answer where no passage was kept and nothing asked.

    None where nothing is known, such as of a failed question or an external system.
    """
    if item.prompt_digest is not None or item.retrieval.kept or item.scores is None:
        return item.prompt_digest
    return f"{item.scores.values.tobytes().hex()} {item.scores.reasons}"


def identical_sets(groups: Sequence[Group], found: Sequence[Sequence[int]]) -> tuple[IdenticalSet, ...]:
    """Return the configurations that are one by several names, in words; `found` are their `identical_places`."""
    return tuple(_identical(tuple(groups[place].first.name for place in places), groups[places[0]]) for places in found)


def _identical(names: tuple[str, ...], group: Group) -> IdenticalSet:
    is_asked = any(item.prompt_digest for item in group.first.questions)
    code = "verdict.identical" if is_asked else "verdict.identical-empty"
    return IdenticalSet(names=names, line=Line(text=sentence(code, names=names)))
