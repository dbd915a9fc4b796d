"""Progress of a sweep and its remaining time, stored where any tab, CLI or machine can read it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple

from passer.domain.sweeps.budget import Spent
from passer.domain.sweeps.run import PROMPT_TOO_LONG, Evaluation, Run
from passer.domain.wording.sentence import code_of
from passer.ports import Clock, FailureStreak, RecentFailure, StoredSweep, SweepProgress

# A report is a write to the database, for which commits of answers and scores wait.
REPORT_EVERY_S = 0.5
RATE_OVER_S = 60.0
"""Seconds over which the rate is measured ..."""
RATE_OVER_COUNT = 100
"""... or evaluations, if these took longer."""
BURST_S = 0.05
"""Seconds within which finished evaluations count as one event, because they show nothing of the speed."""

ANSWERS_TIMED = 20
"""Number of latest answers whose mean duration is reported."""
MOST_FAILURES = 5
"""Number of latest failures that are listed."""

Stage = Literal["retrieving", "answering", "waiting", "done"]
EffortKind = Literal["asked", "instant", "stored"]
"""Source of an evaluation's answer: a request to the model, no request, or an answer that was already stored.

Instant are abstentions without a passage, and answers to a prompt that another evaluation asked."""


class _Moment(NamedTuple):
    """Progress of a lane at one time."""

    at: float
    done: int
    asked: int


class _Lane:
    """The runs of one model server, which share its speed."""

    def __init__(self) -> None:
        self.left: dict[str, int] = {}
        """Evaluations to do, by run."""
        self._known: Counter[str] = Counter()
        """Evaluations from which the share of model calls in a run is estimated: all done, except stored answers."""
        self._asked: Counter[str] = Counter()
        """Number of these that asked the model."""
        self._done = 0
        self._history: deque[_Moment] = deque()
        """Begins with the first that came back, so that no start counts as work."""

    def advance(self, run_id: str, now: float, effort: EffortKind) -> None:
        """Count one evaluation as done."""
        if self.left.get(run_id):
            self.left[run_id] -= 1
        self._done += 1
        self._known[run_id] += effort != "stored"
        self._asked[run_id] += effort == "asked"
        asked = self._asked.total()
        if asked == 1 and effort == "asked":
            # Earlier evaluations needed no model, so their speed does not predict the rest.
            self._history.clear()
        # Answers that need no model come in bursts: counted in, they would promise an end that the model cannot keep.
        if asked and effort != "asked":
            return
        history = self._history
        if history and now - history[-1].at < BURST_S:
            history[-1] = _Moment(history[-1].at, self._done, asked)
        else:
            history.append(_Moment(now, self._done, asked))
        while (
            len(history) > 2 and now - history[1].at > RATE_OVER_S and self._done - history[1].done >= RATE_OVER_COUNT
        ):
            history.popleft()

    def rate(self, now: float) -> float | None:
        """Return recent evaluations per second; None until two moments are known.

        It counts to the last one done: waiting for the next is no slowness, until it takes longer than all before.
        """
        if len(self._history) < 2:
            return None
        began, last = self._history[0], self._history[-1]
        return (last.done - began.done) / self._seconds(now)

    def seconds_left(self, now: float) -> float | None:
        """Return the expected remaining seconds; None if they cannot be estimated.

        Only what asks the model takes time: a run of which most questions abstain is done sooner.
        """
        rate = self.rate(now)
        if not rate:
            return None
        if not self._asked:
            return sum(self.left.values()) / rate
        expected = sum(count * self._share(run_id) for run_id, count in self.left.items())
        return expected * self._seconds(now) / max(1, self._history[-1].asked - self._history[0].asked)

    def _seconds(self, now: float) -> float:
        began, last = self._history[0].at, self._history[-1].at
        return (last if now - last <= last - began else now) - began

    def _share(self, run_id: str) -> float:
        """Share of a run's evaluations that ask the model; 1 before anything is known."""
        return self._asked[run_id] / self._known[run_id] if self._known[run_id] else 1.0


class ProgressMeter:
    """Counts finished evaluations, and reports the progress from time to time."""

    def __init__(
        self,
        report: Callable[[SweepProgress], None],
        sweep: StoredSweep,
        clock: Clock,
        *,
        lane_of: Callable[[Run], Hashable],
        streaks: Callable[[], tuple[FailureStreak, ...]] = tuple,
        spent: Callable[[], Spent] = Spent,
    ) -> None:
        self._save, self._clock, self._streaks, self._spent = report, clock, streaks, spent
        self.total = sweep.questions * len(sweep.runs)
        self.done = sum(run.counts.scored + run.counts.failed for run in sweep.runs)
        self._stored: set[tuple[str, int]] = set()
        self._lanes: dict[Hashable, _Lane] = {}
        self._lane_of: dict[str, _Lane] = {}
        for run in sweep.runs:
            lane = self._lane_of[run.id] = self._lanes.setdefault(lane_of(run), _Lane())
            if not (run.state.is_final or run.held):
                lane.left[run.id] = sweep.questions - run.counts.scored - run.counts.failed
        self._reported = float("-inf")
        known = sweep.progress.counted(sweep.runs).failures if sweep.progress else ()
        self._failures = deque(known, maxlen=MOST_FAILURES)
        self._answers_s: deque[float] = deque(maxlen=ANSWERS_TIMED)

    def stored(self, run_id: str, number: int) -> None:
        """Record that the answer of a running question was already stored."""
        self._stored.add((run_id, number))

    def replied(self, seconds: float) -> None:
        """Record how long a model took for an answer."""
        self._answers_s.append(seconds)

    def advance(self, evaluation: Evaluation) -> None:
        """Count one evaluation as completed."""
        self.done += 1
        self._lane_of[evaluation.run_id].advance(evaluation.run_id, self._clock.monotonic(), self._effort(evaluation))

    def _effort(self, evaluation: Evaluation) -> EffortKind:
        place = evaluation.run_id, evaluation.number
        if place in self._stored:
            self._stored.remove(place)
            return "stored"
        return "instant" if evaluation.prompt_digest is None or evaluation.reused else "asked"

    def failed(self, run_id: str, *, number: int, question_id: str, reason: str) -> None:
        """Record a question that could not be answered."""
        now = self._clock.now()
        self._failures.appendleft(
            RecentFailure(
                run_id=run_id,
                number=number,
                question_id=question_id,
                reason=reason,
                is_too_long=code_of(reason) in PROMPT_TOO_LONG,
                at=now,
            )
        )

    def drop(self, run_id: str) -> None:
        """Remove the open evaluations of a run that a person stopped."""
        self._lane_of[run_id].left.pop(run_id, None)

    def tick(self, stage: Stage) -> None:
        """Report the progress, at most once per interval."""
        self._report(stage, force=stage == "done")

    def _report(self, stage: Stage, *, force: bool) -> None:
        now = self._clock.monotonic()
        if not force and now - self._reported < REPORT_EVERY_S:
            return
        self._reported = now
        known = [rate for lane in self._lanes.values() if (rate := lane.rate(now))]
        self._save(
            SweepProgress(
                stage=stage,
                done=self.done,
                total=self.total,
                rate_per_s=sum(known) if known else None,
                eta_s=_longest([lane.seconds_left(now) for lane in self._lanes.values() if any(lane.left.values())]),
                answer_s=sum(self._answers_s) / len(self._answers_s) if self._answers_s else None,
                streaks=self._streaks(),
                failures=tuple(self._failures),
                spent=self._spent(),
                updated_at=self._clock.now(),
            ),
        )


def _longest(times: list[float | None]) -> float | None:
    """Return the time of the slowest server, because servers run concurrently; None if one is unknown."""
    known = [each for each in times if each is not None]
    return max(known, default=0.0) if len(known) == len(times) else None
