"""Judges and judgements: a judgement is a reply that was read by the schema of its task, stored by content."""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic import Field, JsonValue, model_validator

from passer.domain.base import Frozen, digest_of
from passer.domain.judging.ask import Ask
from passer.domain.judging.reply import NoJudgement
from passer.domain.judging.task import JudgeTask
from passer.domain.models.answer import Served
from passer.domain.models.decoding import SEEDS, GenerationOptions, explicit_options
from passer.domain.models.model import Model, ModelInfo
from passer.domain.score import MissingReason, value_or_reason
from passer.domain.sweeps.budget import Price
from passer.domain.wording.sentence import sentence

JUDGE_OPTIONS = explicit_options(temperature=0, seed=42, top_p=1, num_ctx=8192)
"""Decoding options of judges; the task sets num_predict, and samples of one ask are drawn at SAMPLE_TEMPERATURE."""
# At temperature 0, the judge's own, all samples of one ask would be the same reply.
SAMPLE_TEMPERATURE = 0.7


class Judge(Frozen):
    """A model that judges, and how it decodes."""

    model: Model
    """The model that judges."""
    options: GenerationOptions = JUDGE_OPTIONS
    """Decoding options; num_predict is set by each task."""
    price: Price | None = None
    """Cost of the judge's tokens; None if it is not known."""

    def options_for(self, ask: Ask, task: JudgeTask, *, repeat: int) -> GenerationOptions:
        """Return the options of an ask: room for the longest reply, and a seed of its own for repeats and samples."""
        seed = (self.options.seed + repeat - 1 + ask.sample) % SEEDS
        changed: dict[str, Any] = {"num_predict": task.budget, "seed": seed}
        if task.is_sampled:
            changed["temperature"] = SAMPLE_TEMPERATURE
        return self.options.model_copy(update=changed)


def calibration(rated: int) -> str:
    """Return whether people have rated what a judge judged in a column, as a cell of a table."""
    return "rated by people" if rated else "uncalibrated"


class NamedJudge(NamedTuple):
    """Name of a judge, and the number of its answers that people rated in one column."""

    name: str
    """Name of the judge's model."""
    rated: int
    """Answers that it judged in this column and people have rated."""

    @property
    def label(self) -> str:
        """Return the name, with the word `uncalibrated` where people have rated no answer."""
        return self.name if self.rated else sentence("judge.uncalibrated", judge=self.name)


class Judgement(Frozen):
    """A judge's reply to one ask; it has either a value or the reason why there is none."""

    key: str
    """Content address, computed from the task, the texts, the judge and the repetition."""
    task: str
    """Name of the judge's task."""
    task_digest: str
    """Digest of the task's instruction, schema and examples."""
    given_digest: str
    """Digest of the texts that the judge read."""
    prompt_digest: str
    """Digest of the prompt of the first attempt."""
    answer_keys: tuple[str, ...]
    """Keys of the stored replies, one for each attempt that the server answered."""
    value: JsonValue | None = None
    """The reply, parsed and validated by the task's schema."""
    reason: NoJudgement | None = None
    """Reason why there is no value; None if there is one."""
    said: str = ""
    """The problem, in the words of the server or of the check that refused the reply."""
    dropped: int = 0
    """Number of passages that were left out so that the prompt fits the judge's window."""
    attempts: int = Field(ge=1, le=2)
    """Number of requests that were sent for this ask."""
    model_digest: str = "unknown"
    """Digest of the judge's weights; `unknown` if the server reports none."""

    _value_or_reason = model_validator(mode="after")(value_or_reason)

    @property
    def missing(self) -> MissingReason:
        """Reason that the columns of this judgement get in place of a value."""
        return missing_of(self.reason)


def missing_of(reason: str | None) -> MissingReason:
    """Return the reason that a column gets where a judgement has this one."""
    known: dict[str | None, MissingReason] = {
        "cut_off": "cut_off",
        "not_json": "not_json",
        "off_schema": "off_schema",
        "prompt_too_long": "prompt_too_long",
        "no_logprobs": "no_logprobs",
    }
    return known.get(reason, "judge_failed")


def pins_of(info: ModelInfo, task: JudgeTask) -> dict[str, str]:
    """Return the digests of everything that a model's replies to a task depend on, by name."""
    sampled = {"temperature": SAMPLE_TEMPERATURE} if task.is_sampled else {}
    options = {**JUDGE_OPTIONS.model_dump(mode="json"), **sampled}
    return {"model": info.digest, "options": digest_of(options), "task": task.digest}


def judgement_key(
    ask: Ask, task: JudgeTask, judge: Judge, *, model_digest: str, served: Served | None = None, repeat: int = 1
) -> str:
    """Return the content address of a judgement. Without a digest of the weights it uses the server's address."""
    model = judge.model
    identity = {"digest": model_digest} if model_digest != "unknown" else {"server": model.base_url}
    sampled = {"sample": ask.sample} if ask.sample else {}
    lengths = {"lengths": ask.lengths} if ask.lengths else {}
    return digest_of(
        {
            "task": task.digest,
            "given": list(ask.given.items()),
            "judge": {"provider": model.provider, "name": model.name, **identity},
            "options": judge.options_for(ask, task, repeat=repeat).model_dump(mode="json"),
            "repeat": repeat,
            **sampled,
            **lengths,
            **({} if served is None else {"served": served.model_dump(mode="json")}),
        }
    )
