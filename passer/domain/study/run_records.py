"""The records of a bundle as an analysis reads them, so that the analysis of a study can be made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue, ValidationError

from passer.domain.analysis.effort import AnswerEffort
from passer.domain.analysis.run_rows import EvaluatedQuestion, RunRows
from passer.domain.base import canonical_json
from passer.domain.bundle.judged_texts import AnsweredTexts, texts_of
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.question_record import QuestionRecord, TimingRecord
from passer.domain.bundle.verdict_document import VerdictContent
from passer.domain.bundle.verification import StatedConfiguration
from passer.domain.dataset import Question
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.score import VECTOR_ORDER, Score, ScoreRow
from passer.domain.study.document import StudyDocument, StudyRun
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.run_names import model_label


@dataclass
class RunRecords:
    """Collects what an analysis needs of each record of one run, and the digests of its questions."""

    questions: list[Question] = field(default_factory=list)
    """Questions of the first run only: the others have the same."""
    keep_questions: bool = False
    judged: dict[str, AnsweredTexts] | None = None
    """Texts that a judge read, by id of the question; None where no judge decides."""
    items: list[EvaluatedQuestion] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    """Digest of id, question and references of each record, in order: the same in all runs of a study."""
    has_texts: bool = True
    """True if each record has its texts."""

    def see(self, record: QuestionRecord) -> None:
        """Add a record."""
        self.asked.append(record.asked)
        self.has_texts &= record.withheld is None
        if self.judged is not None:
            self.judged[record.id] = texts_of(record)
        if self.keep_questions:
            # Not validated: a record of somebody else may have an id that is invalid here, and must still be verified.
            self.questions.append(
                Question.model_construct(
                    id=record.id,
                    text=record.question,
                    reference=record.reference,
                    other_references=record.other_references or None,
                )
            )
        self.items.append(
            EvaluatedQuestion(
                question_id=record.id,
                state=record.state,
                scores=_scores(record),
                retrieval=QuestionRetrieval(kept=len(record.passages) + len(record.contexts)),
                prompt_digest=record.prompt_digest,
                effort=AnswerEffort(
                    generation_s=0.0,
                    prompt_tokens=record.timings.prompt_eval_count,
                    output_tokens=record.timings.eval_count,
                ),
            )
        )

    def rows(
        self, study: StudyDocument, run: StudyRun, manifest: Manifest, timings: Sequence[TimingRecord | None]
    ) -> RunRows | None:
        """Return the run for an analysis; None where its configuration or the design has another form."""
        measured = zip(self.items, timings, strict=True)
        try:
            config = RunConfig.model_validate(manifest.config)
            return RunRows(
                run_id=run.id,
                sweep_id=study.sweep.id,
                sweep_name=study.sweep.name,
                name=run.name,
                config=config,
                model_label=model_label(run.name, config.model.name, _models(study.design)),
                is_baseline=run.is_baseline,
                dataset_digest=manifest.dataset.digest,
                identity=manifest.scored_by,
                questions=tuple(_with_seconds(item, timing) for item, timing in measured),
                planned=study.dataset.questions,
                panel=study.design.get("panel"),
                normalisation=study.design.get("normalisation"),
            )
        except ValidationError:
            return None


StatedConfigs = Mapping[str, Mapping[str, JsonValue]]
"""Configurations of runs as their manifests state them, by id."""


def setting_of(config: Mapping[str, JsonValue]) -> str:
    """Return the retrieval setting of a run's configuration, as canonical JSON."""
    return canonical_json(config.get("retrieval")).decode()


def stated_settings(verdict: VerdictContent, configs: StatedConfigs) -> tuple[StatedConfiguration, ...]:
    """Return the configurations of a table with the retrieval settings of their runs."""
    return tuple(
        StatedConfiguration(name=each.name, model=each.model, setting=setting_of(configs[each.runs[0].id]))
        for each in verdict.configurations
        if each.runs[0].id in configs
    )


def _models(design: Mapping[str, object]) -> list[object]:
    """Return the names of the models of a design, whose form another step checks."""
    axes = design.get("axes")
    models = axes.get("model") if isinstance(axes, Mapping) else None
    return [each.get("name") for each in models if isinstance(each, Mapping)] if isinstance(models, list) else []


def _with_seconds(item: EvaluatedQuestion, timing: TimingRecord | None) -> EvaluatedQuestion:
    """Return an item with its measured seconds; without effort where nothing was generated."""
    seconds = timing.generation_s if timing else None
    effort = replace(item.effort, generation_s=seconds) if seconds and item.effort else None
    return replace(item, effort=effort)


def _scores(record: QuestionRecord) -> ScoreRow | None:
    if record.scores is None:
        return None
    return ScoreRow.of(
        {column: Score(value=record.scores[column], reason=record.missing.get(column)) for column in VECTOR_ORDER}
    )
