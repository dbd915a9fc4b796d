"""Commands that the analysis of a sweep proposes."""

from __future__ import annotations

import shlex
from types import SimpleNamespace

import pytest

from passer.cli.option_models import looks_of, thresholds_of
from passer.cli.run_output import command_of
from passer.domain.verdict.conclusion import NextStep
from passer.domain.verdict.two_looks import Looks

SWEEP = SimpleNamespace(id="s1", sweep=SimpleNamespace(config=SimpleNamespace(dataset="my farm")))


@pytest.mark.parametrize(
    ("step", "command"),
    [
        ({"code": "retry_failed"}, "passer retry s1"),
        ({"code": "resume"}, "passer resume s1"),
        ({"code": "gold_lost"}, "passer failures s1"),
        ({"code": "shorter_prompts"}, "passer sweep ... --num-ctx TOKENS"),
        ({"code": "add_questions", "questions": 90}, "passer import dataset FILE --name 'my farm' --add"),
        ({"code": "more_questions", "questions": 90}, "passer sweep ... --questions 90"),
        ({"code": "other_encoder"}, ""),
        ({"code": "matched_k", "thresholds": (0.55,), "k": (4,)}, "passer sweep ... --thresholds 0.55 --k 4"),
    ],
)
def test_a_next_step_is_a_command(step, command):
    assert command_of(NextStep(text="To do", **step), SWEEP) == command


@pytest.mark.parametrize(("is_planned", "shown"), [(True, "30:90"), (False, "30:90:unplanned")])
def test_the_command_of_a_second_look_declares_it(is_planned, shown):
    looks = Looks(first=30, second=90, is_planned=is_planned)
    words = shlex.split(command_of(NextStep(code="more_questions", text="", questions=90, looks=looks), SWEEP))
    assert words[-2:] == ["--looks", shown]
    assert Looks.model_validate(looks_of(shown)) == looks


def test_the_command_of_a_finer_range_names_its_thresholds():
    thresholds = (0.4, 0.42, 0.44, 0.46, 0.48, 0.5)
    words = shlex.split(command_of(NextStep(code="finer_range", text="", thresholds=thresholds), SWEEP))
    assert words[-2:] == ["--thresholds", "0.4:0.5:0.02"]
    assert thresholds_of(words[-1]) == pytest.approx(thresholds)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["analyse", "x"], "There is no sweep or import “x”. `passer runs` lists the sweeps, `passer import list`"),
        (["domains", "a", "b"], "There is no sweep or import “a”."),
        (["grounding", "x"], "There is no sweep or run “x”. `passer runs` lists the sweeps, `passer show SWEEP`"),
        (["failures", "x"], "There is no sweep or run “x”."),
    ],
)
def test_an_id_of_nothing_is_refused_by_all_that_it_may_name(passer, arguments, sentence):
    refused = passer(*arguments)
    assert (refused.status, sentence in refused.err) == (2, True), refused.err
