"""The answers that are written now, read while a sweep runs."""

from __future__ import annotations

from passer.ports.draft import drafting
from passer.services.sweeps.live_answers import MOST_CHARACTERS, LiveAnswers, SweepNow
from tests.fake_models import FakeChatModel
from tests.services.study import Study


class Watched(FakeChatModel):
    """Looks at the sweep while it answers."""

    def __init__(self) -> None:
        super().__init__()
        self.live, self.sweep_id = LiveAnswers(), ""
        self.seen: list[SweepNow] = []

    def complete(self, request):
        with drafting(lambda: ""):
            self.seen.append(self.live.now(self.sweep_id))
        with drafting(lambda: "a" * 50 + "b" * MOST_CHARACTERS + "\ud800"):
            self.seen.append(self.live.now(self.sweep_id))
        return super().complete(request)


def run() -> tuple[Study, Watched, str]:
    model = Watched()
    study = Study(chat_model=model)
    model.live = study.running.live_answers
    model.sweep_id = study.create(0.1).id
    study.running.run(model.sweep_id)
    return study, model, model.sweep_id


def test_an_answer_is_read_then_written_and_its_end_is_shown():
    _, model, _ = run()
    reading, writing = (each.unfinished[0] for each in model.seen[:2])
    assert (reading.stage, reading.text, reading.characters) == ("reading", "", 0)
    assert (writing.stage, writing.characters) == ("writing", 51 + MOST_CHARACTERS)
    assert writing.text == "b" * (MOST_CHARACTERS - 1) + "?", "the end, without what no JSON can hold"
    assert (writing.asked.number, writing.asked.question) == (0, "what fixes nitrogen")


def test_the_last_five_answers_are_kept_to_be_shown_newest_first():
    study, seen = Study(), []
    sweep = study.create(0.1, 0.2, 0.3)
    record = study.store.record

    def watched(facts):
        record(facts)
        seen.append(study.running.live_answers.now(sweep.id).latest)

    study.store.record = watched
    study.running.run(sweep.id)
    assert len(study.chat_model.asked) > 5
    assert len(seen[-1]) == 5
    assert [each.asked.number for each in seen[-1]] == sorted((each.asked.number for each in seen[-1]), reverse=True)


def test_nothing_is_shown_of_a_sweep_that_does_not_run_here():
    study, model, sweep_id = run()
    assert study.running.live_answers.now(sweep_id) == SweepNow()
    assert model.seen[0].is_here


def test_watching_changes_nothing_that_is_kept():
    watched, plain = run()[0], Study()
    sweep = plain.create(0.1)
    plain.running.run(sweep.id)
    kept = [
        [
            study.store.answers([each.answer_key or ""])[each.answer_key or ""].model_dump(exclude={"generation_s"})
            for each in study.store.evaluations(run.id)
            if each.answer_key
        ]
        for study in (watched, plain)
        for run in study.store.load_sweep(sweep.id).runs
    ]
    assert kept[: len(kept) // 2] == kept[len(kept) // 2 :]
