"""Fields that are added to digested values leave the digests of what exists as they were."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from passer.domain.base import Frozen, added_field, digest_of
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Prompt, answer_key
from passer.domain.models.chat import Message
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep

PROMPT = Prompt(template="t", template_digest="d", messages=(Message(role="user", content="Why?"),))


class Origin(Frozen):
    """A value that itself has an added field."""

    spec: str = "none"
    note: str = added_field("")


class LaterQuestion(Question):
    """A question of a later version."""

    group: str = added_field("")
    relevant: tuple[str, ...] | None = added_field(None)
    origin: Origin = added_field(Origin())


class LaterOptions(GenerationOptions):
    """Options of a later version."""

    repeat_penalty: float | None = added_field(None, ge=0)
    think: bool | None = added_field(None)


class LaterConfig(RunConfig):
    """A configuration of a later version."""

    options: LaterOptions = LaterOptions()
    passage_order: str = added_field("rank")


class LaterSweep(Sweep):
    """A sweep of a later version."""

    config: LaterConfig
    budget: int | None = added_field(None)


texts = st.text(min_size=1, max_size=20)
questions = st.builds(lambda text, reference: {"id": "q", "text": text, "reference": reference}, texts, texts)


def dataset(question: Question) -> Dataset:
    """Keeps the question's own class, as a later version's Dataset would."""
    return Dataset(name="d", questions=(question,)).model_copy(update={"questions": (question,)})


@given(questions)
def test_an_added_field_at_its_default_leaves_a_dataset_digest_as_it_was(given_question):
    before, after = Question(**given_question), LaterQuestion(**given_question)
    assert dataset(after).digest == dataset(before).digest
    assert digest_of(after) == digest_of(before)
    explicit = LaterQuestion(**given_question, group="", relevant=None, origin=Origin(note=""))
    assert digest_of(explicit) == digest_of(before)


@given(questions, st.sampled_from([{"group": "bg"}, {"relevant": ()}, {"origin": Origin(note="x")}]))
def test_any_other_value_of_an_added_field_changes_a_dataset_digest(given_question, more):
    before, after = Question(**given_question), LaterQuestion(**given_question, **more)
    assert dataset(after).digest != dataset(before).digest


def key(options: GenerationOptions) -> str:
    return answer_key(model=Model(), model_digest="m", options=options, prompt=PROMPT, repeat=1)


@given(st.floats(0, 2), st.integers(0, 2**31 - 1))
def test_added_options_leave_answer_keys_as_they_were_until_they_are_set(temperature, seed):
    same = {"temperature": temperature, "seed": seed}
    assert key(LaterOptions(**same)) == key(GenerationOptions(**same))
    set_ones = [{"repeat_penalty": 1.0}, {"repeat_penalty": 0.0}, {"think": False}, {"think": True}]
    keys = {key(LaterOptions(**same, **more)) for more in set_ones}
    assert key(GenerationOptions(**same)) not in keys
    assert len(keys) == len(set_ones)


@given(texts)
def test_added_fields_act_where_they_are_nested(prompt):
    same = {"dataset": "d", "collection": "c", "prompt": prompt}
    before, after = RunConfig(**same), LaterConfig(**same)
    assert after.digest == before.digest
    assert json.loads(after.model_dump_json()) == json.loads(before.model_dump_json())
    changed = LaterConfig(**same, options=LaterOptions(think=False))
    assert changed.digest not in (before.digest, LaterConfig(**same, passage_order="document").digest)


def test_a_sweep_with_added_fields_deep_inside_keeps_its_content_address():
    before = Sweep(name="s", config=RunConfig(dataset="d", collection="c"), axes=Axes(k=(3,)))
    after = LaterSweep(name="s", config=LaterConfig(dataset="d", collection="c"), axes=Axes(k=(3,)))
    assert digest_of(after) == digest_of(before)
    other = LaterSweep(name="s", config=LaterConfig(dataset="d", collection="c", passage_order="x"), axes=Axes(k=(3,)))
    assert digest_of(other) != digest_of(before)


@pytest.mark.parametrize("mode", ["python", "json"])
def test_what_is_left_out_comes_back_as_the_default(mode):
    options = LaterOptions(temperature=0.5)
    plain = options.model_dump(mode=mode)
    assert "think" not in plain
    assert LaterOptions.model_validate(plain) == options
    told = LaterOptions(think=False)
    assert told.model_dump(mode=mode)["think"] is False
    assert LaterOptions.model_validate(told.model_dump(mode=mode)) == told


def test_bounds_of_an_added_field_are_checked():
    with pytest.raises(ValidationError):
        LaterOptions(repeat_penalty=-1.0)
