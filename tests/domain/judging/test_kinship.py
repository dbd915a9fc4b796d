"""Answers that were told what their judge looks for."""

from __future__ import annotations

import pytest

from passer.adapters.prompts import JinjaPrompts
from passer.domain.judging.kinship import shared_sentences, template_warnings
from passer.metrics.registry import recipe_families

LOOKS_FOR = (
    "Grade the answer.\nA good answer names every limit with its unit. Be strict: 10 is for complete answers only."
)


@pytest.mark.parametrize(
    ("template", "shared"),
    [
        ("Answer in one sentence.", ()),
        (
            "Know this:  a GOOD answer names every\n limit with its unit!",
            ("a good answer names every limit with its unit",),
        ),
        ("Grade the answer. Be strict.", ()),
    ],
    ids=["of its own", "in other case and lines", "too short to tell"],
)
def test_a_sentence_of_the_judge_in_a_template_is_found(template: str, shared: tuple[str, ...]) -> None:
    assert shared_sentences(template, [LOOKS_FOR]) == shared


def test_sentences_of_other_scripts_are_found() -> None:
    looks_for = "请评分。好的答案要写明每个限值及其单位。"
    assert shared_sentences("请回答。好的答案要写明每个限值及其单位。", [looks_for]) == (
        "好的答案要写明每个限值及其单位。",
    )
    assert shared_sentences("请评分。", [looks_for]) == ()


def test_a_template_that_tells_is_named_once() -> None:
    told = "A good answer names every limit with its unit. 10 is for complete answers only."
    [found] = template_warnings([("coached", told), ("plain", "Answer the question.")], [LOOKS_FOR, LOOKS_FOR])
    assert found.startswith("The prompt template coached contains a sentence of the judge's instructions (")


def test_templates_of_passer_tell_no_judge_of_passer(tmp_path) -> None:
    prompts = JinjaPrompts(tmp_path)
    instructions = [task.instruction for family in recipe_families() for task in family.tasks]
    assert len(instructions) > 20
    assert template_warnings([(name, prompts.load(name).text) for name in prompts.list()], instructions) == ()
