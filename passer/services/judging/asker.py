"""Sends the asks of one judge: reuses stored judgements, reads replies, and asks once more if a reply is invalid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from passer.domain.base import digest_of
from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.assessment import AssessmentSpec
from passer.domain.judging.judgement import Judge, Judgement, judgement_key
from passer.domain.judging.measured_task import MeasuredTask
from passer.domain.judging.reply import NoJudgement, Reading, read_reply, second_messages
from passer.domain.judging.task import JudgeTask
from passer.domain.models.answer import Answer, Prompt, Served, answer_key
from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.generation import answer_of, estimate_tokens, window_of
from passer.domain.models.model import ModelInfo
from passer.domain.sweeps.budget import Budget, Spent
from passer.domain.sweeps.run import PROMPT_TOO_LONG
from passer.domain.wording.sentence import code_of, sentence
from passer.errors import ConfigError
from passer.ports import AnswerFact, Clock, EvaluationStore, Fact, JudgementFact, JudgementStore, PromptFact
from passer.services.sweeps.stop_conditions import EQUAL_FAILURES, CircuitBreaker

PASSAGES = "passages"
"""Member of an ask whose last texts are left out when the prompt does not fit the judge's window."""
_NO_LOGS = "server.no-logprobs"
_NO_SCHEMA = frozenset({"server.no-schemas", "server.schema-refused"})
_COPIES = sentence("judging.copies")
_PROMPT_CUT = sentence("judging.prompt-cut")


@dataclass(frozen=True)
class JudgeContext:
    """A judge with its server's settings and its tasks, which together decide its replies."""

    judge: Judge
    """The judge, with the address of its server."""
    info: ModelInfo
    """The server's description of the judge."""
    served: Served | None
    tasks: Mapping[str, JudgeTask]
    """The judge's tasks, by name."""

    def __post_init__(self) -> None:
        if not self.judge.model.reads_prompts:
            raise ConfigError(_COPIES, field="judge")

    @classmethod
    def of(cls, spec: AssessmentSpec, tasks: Iterable[JudgeTask]) -> JudgeContext:
        """Return the judge of an assessment with these tasks."""
        return cls(spec.judge, spec.judge_info, spec.served, {task.name: task for task in tasks})


@dataclass(frozen=True)
class PreparedAsk:
    """An ask that is ready to be sent: its texts fit the judge's window, and its content address is known."""

    key: str
    task: JudgeTask
    ask: Ask
    options: GenerationOptions
    repeat: int
    dropped: int
    """Number of passages that were left out."""
    context: JudgeContext
    """The model that is asked."""

    @cached_property
    def messages(self) -> tuple[Message, ...]:
        return self.task.messages(self.ask.given)

    @cached_property
    def prompt(self) -> Prompt:
        return _prompt(self.task, self.messages)


@dataclass(frozen=True)
class Attempt:
    """One request to the server on behalf of an ask."""

    prepared: PreparedAsk
    request: ChatRequest
    prompt: Prompt
    earlier: tuple[str, ...] = ()
    """Keys of the replies to its earlier attempts."""


@dataclass
class Asker:
    """Answers asks of one judge; `judged` is called with each judgement, now or when the judge has replied.

    All of it runs in the writing thread. Facts go to `keep`, in the order in which they must be committed.
    """

    context: JudgeContext
    judgements: JudgementStore
    evaluations: EvaluationStore
    send: Callable[[ChatRequest, Attempt], None]
    """Sends a request; its result arrives through `completed` or `failed`."""
    keep: Callable[[Fact], None]
    judged: Callable[[Judgement], None]
    budget: Budget
    counted: Spent
    """Earlier usage, plus the requests and tokens of this job."""
    clock: Clock
    under_way: Callable[[], int]
    """Returns the number of requests without a reply."""
    is_spent: bool = False
    """True if a request was not sent because the budget is used up."""
    stopped: str | None = None
    """Reason to stop asking the judge; None while it works."""
    _under_way: dict[str, PreparedAsk] = field(default_factory=dict)
    _fresh: dict[str, Judgement] = field(default_factory=dict)
    """Judgements that may not be committed yet, so that the store does not know them."""
    _breaker: CircuitBreaker = field(default_factory=CircuitBreaker)
    _began: float = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.clock.monotonic()

    @property
    def spent(self) -> Spent:
        """Return what was used so far, by earlier processes too."""
        running_s = self.counted.running_s + self.clock.monotonic() - self._began
        return self.counted.model_copy(update={"running_s": running_s})

    def want(self, asks: Sequence[PreparedAsk]) -> None:
        """Pass on the stored judgements of these asks and send the others; an ask in flight is not sent again."""
        distinct = {ask.key: ask for ask in asks if ask.key not in self._under_way}
        known = {key: self._fresh[key] for key in distinct if key in self._fresh}
        known |= self.judgements.judgements([key for key in distinct if key not in known])
        new = [ask for key, ask in distinct.items() if key not in known]
        self._under_way |= {ask.key: ask for ask in new}
        for judgement in known.values():
            self.judged(judgement)
        self._begin([self._attempt(ask, ask.prompt) for ask in new])

    def completed(self, waiting: Sequence[Attempt], request: ChatRequest, completion: Completion) -> None:
        """Read a reply on behalf of every attempt that waits for it."""
        answer = answer_of(completion, request=request)
        self.counted = self.counted.plus(answer)
        # Kept even if it cannot be read: it was paid for, and people look up what the judge replied.
        self.keep(AnswerFact(answer))
        self._breaker.succeeded(request.model)
        for attempt in waiting:
            self._read(attempt, answer)

    def failed(self, waiting: Sequence[Attempt], reason: str) -> None:
        """Note that the judge gave no reply; ConfigError where its server cannot enforce the form of a reply."""
        code = code_of(reason)
        if code in _NO_SCHEMA:
            raise ConfigError(reason, field="judge")
        # The key of a request contains its model, so that all that wait for it ask the same one.
        # A server without log probabilities is available: the judge's other tasks continue.
        if waiting and code != _NO_LOGS and self._breaker.failed(waiting[0].request.model, reason):
            self.stopped = sentence("stop.equal-failures", count=EQUAL_FAILURES, reason=reason)
        why: NoJudgement = "prompt_too_long" if code in PROMPT_TOO_LONG else "generation_failed"
        why = "no_logprobs" if code == _NO_LOGS else why
        for attempt in waiting:
            self._end(attempt, Reading(None, why, reason), attempt.earlier)

    def committed(self) -> None:
        """Drop the cached judgements, which the store returns from now on."""
        self._fresh.clear()

    def _begin(self, attempts: Sequence[Attempt]) -> None:
        stored = self.evaluations.answers([attempt.request.key for attempt in attempts])
        for attempt in attempts:
            if attempt.request.key in stored:
                self._read(attempt, stored[attempt.request.key])
            elif self.stopped or self._has_spent():
                self.is_spent = self.is_spent or not self.stopped
            else:
                self.keep(PromptFact(attempt.prompt))
                self.send(attempt.request, attempt)

    def _has_spent(self) -> bool:
        # Requests under way count as asks at once; their tokens are not known before they are answered.
        spent = self.spent
        ahead = spent.model_copy(update={"asks": spent.asks + self.under_way()})
        return self.budget.first_reached(ahead, self.context.judge.price) is not None

    def _attempt(self, ask: PreparedAsk, prompt: Prompt, *, room: int = 1, earlier: tuple[str, ...] = ()) -> Attempt:
        context, model = ask.context, ask.context.judge.model
        options = ask.options.model_copy(update={"num_predict": room * ask.options.num_predict})
        schema = ask.task.schema_for(ask.ask.lengths)
        key = answer_key(
            model=model,
            model_digest=context.info.digest,
            options=options,
            prompt=prompt,
            repeat=ask.repeat,
            served=context.served,
            reply_schema=schema,
            measures=isinstance(ask.task, MeasuredTask),
        )
        request = ChatRequest(
            key=key,
            purpose=ask.task.name,
            messages=prompt.messages,
            model=model,
            model_digest=context.info.digest,
            engine=context.info.engine if context.served else None,
            options=options,
            reply_schema=schema,
            measures=isinstance(ask.task, MeasuredTask),
        )
        return Attempt(ask, request, prompt, earlier)

    def _read(self, attempt: Attempt, answer: Answer) -> None:
        ask = attempt.prepared
        reading = _reading(ask, answer)
        keys = (*attempt.earlier, answer.key)
        # One second attempt: it has shown the judge already what was wrong with the first.
        if reading.reason in (None, "prompt_too_long") or attempt.earlier:
            self._end(attempt, reading, keys)
            return
        # The same number of tokens would end the same reply at the same place.
        room = 2 if reading.reason == "cut_off" else 1
        prompt = _prompt(ask.task, second_messages(ask.messages, answer.raw, reading))
        self._begin([self._attempt(ask, prompt, room=room, earlier=keys)])

    def _end(self, attempt: Attempt, reading: Reading, keys: tuple[str, ...]) -> None:
        ask = attempt.prepared
        judgement = Judgement(
            key=ask.key,
            task=ask.task.name,
            task_digest=ask.task.digest,
            given_digest=digest_of(list(ask.ask.given.items())),
            prompt_digest=ask.prompt.digest,
            answer_keys=keys,
            value=reading.value,
            reason=reading.reason,
            said=reading.problem,
            dropped=ask.dropped,
            attempts=1 + bool(attempt.earlier),
            model_digest=ask.context.info.digest,
        )
        self._under_way.pop(ask.key, None)
        if reading.reason not in ("generation_failed", "no_logprobs"):
            # The failure of a server does not depend on the texts: the next assessment asks it again.
            self._fresh[ask.key] = judgement
            self.keep(JudgementFact(judgement))
        self.judged(judgement)


def prepare(context: JudgeContext, ask: Ask, *, repeat: int = 1) -> PreparedAsk:
    """Return an ask that fits the judge's window, with its address; KeyError for an unknown task."""
    task = context.tasks[ask.task]
    options = context.judge.options_for(ask, task, repeat=repeat)
    fitted, dropped = _fitted(ask, task, options, window_of(options, context.info.context_length))
    key = judgement_key(
        fitted, task, context.judge, model_digest=context.info.digest, served=context.served, repeat=repeat
    )
    return PreparedAsk(key, task, fitted, options, repeat, dropped, context)


def _fitted(ask: Ask, task: JudgeTask, options: GenerationOptions, window: int) -> tuple[Ask, int]:
    """Leave out the last passages until prompt and reply fit the window; at least one stays.

    What does not fit even then is sent as it is, and the server refuses it: the estimate is on the high side.
    """
    dropped = 0
    while (
        isinstance(passages := ask.given.get(PASSAGES), list)
        and len(passages) > 1
        and estimate_tokens(task.messages(ask.given)) + options.num_predict > window
    ):
        shorter: Given = {**ask.given, PASSAGES: passages[:-1]}
        ask = ask.model_copy(update={"given": shorter})
        dropped += 1
    return ask, dropped


def _reading(ask: PreparedAsk, answer: Answer) -> Reading:
    """Read a reply; one to a prompt that the server cut has no value, because the judge did not see all texts.

    If the server counts no tokens, truncation is only an estimate, often too high, and the reply is read.
    """
    if answer.truncated == "prompt" and answer.timings.prompt_eval_count:
        return Reading(None, "prompt_too_long", _PROMPT_CUT)
    return read_reply(answer.raw, finish_reason=answer.done_reason, task=ask.task, lengths=ask.ask.lengths)


def _prompt(task: JudgeTask, messages: tuple[Message, ...]) -> Prompt:
    return Prompt(template=task.name, template_digest=task.digest, messages=messages)
