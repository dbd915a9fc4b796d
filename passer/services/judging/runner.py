"""Runs assessments to their end, also after an earlier process died: the only state is what was committed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import NamedTuple

from passer.domain.judging.assessment import Assessment
from passer.domain.judging.marks import Mark
from passer.domain.judging.other_script import watched
from passer.domain.judging.recipe import Findings, missing
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.metrics.judged import families_of
from passer.metrics.registry import RecipeFamily
from passer.ports import Embedder, MarkFact
from passer.services.judging.asker import JudgeContext
from passer.services.judging.assessment_driver import AssessmentReport, Meter, Report, check_unchanged, run_recipes
from passer.services.judging.driver import Ended, Started
from passer.services.judging.items import ItemSource
from passer.services.judging.tools import EmbedTexts, JudgingTools, no_vectors


class Cell(NamedTuple):
    """One recipe, applied to one item in one repetition."""

    item_key: str
    family: RecipeFamily
    repeat: int


@dataclass(frozen=True)
class AssessmentRunner:
    """Runs one assessment at a time."""

    tools: JudgingTools
    items: ItemSource
    embedder: Callable[[], Embedder]
    """Returns the embedding model of the judged columns that compare vectors."""

    def run(self, assessment_id: str, report: Report) -> AssessmentReport:
        """Run what is left of an assessment; WorkPaused where its budget is used up or its judge keeps failing."""
        judgements = self.tools.judgements
        assessment = judgements.assessment(assessment_id)
        families = families_of(assessment.spec.columns, tuned=assessment.spec.tuned)
        tasks = [task for family in families for task in family.tasks]
        check_unchanged(assessment, tasks)
        keys = {found.key for found in self.items.keys_of_spec(assessment.spec) if found.key is not None}
        # Read before anything is asked: what an earlier process has marked is not judged again.
        marked = judgements.marked(assessment_id)
        done = sum(_is_marked(cell, marked) for cell in _cells(keys, families, assessment.spec.repeats))
        meter = Meter(report, done, len(keys) * len(families) * assessment.spec.repeats)
        tools = replace(self.tools, embed=self._vectors(assessment, families))
        with closing(tools.engine()) as engine:
            run_recipes(
                assessment,
                tools,
                engine,
                JudgeContext.of(assessment.spec, tasks),
                meter,
                self._recipes(assessment, families, marked),
                facts=lambda cell: [MarkFact(mark) for mark in _marks(assessment.id, cell)],
            )
        reasons = [mark.reason for mark in judgements.marks(assessment_id)]
        return AssessmentReport.of(judgements.assessment(assessment_id), reasons, items=len(keys))

    def _recipes(
        self, assessment: Assessment, families: Sequence[RecipeFamily], marked: set[tuple[str, str, int]]
    ) -> Iterator[Started[Cell, Findings]]:
        """Yield the recipes without marks, repeat by repeat, in the order of the questions."""
        # Repeat by repeat: an assessment that stops at its budget has every first value before any second one.
        for repeat in range(1, assessment.spec.repeats + 1):
            seen: set[str] = set()
            for _, item in self.items.of_spec(assessment.spec):
                key = item.key
                if key in seen:
                    continue
                seen.add(key)
                for cell in _cells([key], families, 1):
                    own = cell._replace(repeat=repeat)
                    if not _is_marked(own, marked):
                        recipe = watched(cell.family.make(item), item.question, cell.family.tasks)
                        yield Started(own, recipe, repeat)

    def _vectors(self, assessment: Assessment, families: Sequence[RecipeFamily]) -> EmbedTexts:
        """Vectors by the model that the assessment was created with; ConflictError if it is another one now."""
        if not any(family.embeds for family in families):
            return no_vectors
        embedder, wanted = self.embedder(), assessment.spec.embedding
        if wanted is not None and embedder.model != wanted:
            raise ConflictError(sentence("judging.other-embedding", before=wanted.name, now=embedder.model.name))
        return embedder.sentence_vectors


def _cells(keys: Collection[str], families: Sequence[RecipeFamily], repeats: int) -> Iterator[Cell]:
    for key in keys:
        for family in families:
            for repeat in range(1, repeats + 1):
                yield Cell(key, family, repeat)


def _is_marked(cell: Cell, marked: set[tuple[str, str, int]]) -> bool:
    return all((cell.item_key, column, cell.repeat) in marked for column in cell.family.columns)


def _marks(assessment_id: str, ended: Ended[Cell, Findings]) -> list[Mark]:
    cell = ended.key
    findings = ended.result
    if findings is None:
        findings = missing("judge_failed", columns=len(cell.family.infos), note="recipe")
    return [
        Mark(
            assessment_id=assessment_id,
            item_key=cell.item_key,
            column=column,
            repeat=cell.repeat,
            value=finding.value,
            reason=finding.reason,
            note=finding.note,
            judgement_keys=ended.judgement_keys,
        )
        for column, finding in zip(cell.family.columns, findings, strict=True)
    ]
