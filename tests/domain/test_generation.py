"""Hand cases of think blocks, abstention, prompt size and cuts."""

from __future__ import annotations

import pytest

from passer.domain.answer import Message, Prompt
from passer.domain.generation import (
    ABSTENTION,
    abstention,
    estimate_tokens,
    finish,
    is_abstention,
    located,
    what_was_cut,
    window_of,
    without_thinking,
)
from passer.domain.run import GenerationOptions, Model


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("No block.", "No block."),
        ("<think>a</think>Answer.", "Answer."),
        ("<think>a\nb</think>\n\nAnswer.", "\n\nAnswer."),
        ("One <think>a</think>two<THINK>b</THINK> three", "One two three"),
        ("<think>a <think>b</think> c</think>Answer.", "Answer."),
        ("<think>never closed", ""),
        ("Answer.<think>never closed", "Answer."),
        ("<think>a <think>b</think> still inside", ""),
        ("the template opened it</think>Answer.", "Answer."),
        ("<think></think>", ""),
        ("2 < think > 1", "2 < think > 1"),
    ],
)
def test_think_blocks_leave_the_text(raw: str, text: str) -> None:
    assert without_thinking(raw) == text


def test_finish_trims_and_keeps_thoughts_when_told_to() -> None:
    raw = "<think>hm</think>\n Answer. \n"
    assert finish(raw) == ("Answer.", None, False)
    assert finish(raw, strip_thinking=False) == ("<think>hm</think>\n Answer.", None, False)


@pytest.mark.parametrize("raw", ["", " \n", "<think>only thoughts</think>\n", "<think>cut off"])
def test_nothing_left_is_an_empty_answer(raw: str) -> None:
    assert finish(raw) == ("", "empty_answer", False)


def test_thoughts_do_not_hide_an_abstention() -> None:
    assert finish(f"<think>hm</think>{ABSTENTION}", strip_thinking=False).abstained


@pytest.mark.parametrize(
    "text",
    [
        ABSTENTION,
        ABSTENTION.upper(),
        f"**{ABSTENTION}**",
        f'"{ABSTENTION.rstrip(".")}"',
        f"{ABSTENTION} They only speak of bees.",
        "The  provided passages do not contain\nany information about cadmium.",
        "The context doesn\u2019t provide enough information to answer.",
        "None of the passages mention the year.",
        "I'm sorry, but the passages do not mention that.",
        "Unfortunately, the document does not specify a limit.",
        "Based on the provided context, I cannot determine the limit.",
        "I don't know.",
        "I do not know the answer to this question.",
        "There is no information about cadmium in the passages.",
        "No relevant information was found.",
        "Not mentioned in the passages.",
        "The answer is not given in the passages.",
    ],
)
def test_abstentions(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The limit is 0.01 mg/kg.",
        "No.",
        "The passages describe three kinds of buffer zones.",
        "The regulation does not contain a derogation for wine.",
        "Farmers do not know the exact date.",
        "I do not know of any derogation other than the one for seeds.",
        "The passages do not mention cadmium by name, but the limit for heavy metals is 0.5 mg/kg.",
        f"{ABSTENTION} However, the limit for lead is 0.1 mg/kg.",
        "The passages do not contain the word; the regulation entered into force in 2022. " + "It says more. " * 20,
        "The label must say that the food does not contain information about GMOs.",
        "There is no limit.",
        "A document that does not mention the operator is void.",
    ],
)
def test_answers_are_no_abstentions(text: str) -> None:
    assert not is_abstention(text)


def test_the_fixed_abstention_is_always_the_same() -> None:
    answer = abstention()
    assert (answer.text, answer.raw, answer.abstained) == (ABSTENTION, ABSTENTION, True)
    assert answer.done_reason == "no_passages"
    assert answer == abstention()
    assert len(answer.key) == 64


@pytest.mark.parametrize(
    ("contents", "tokens"),
    [([""], 8), (["a" * 35], 18), (["a" * 36], 19), (["\u0431" * 15], 18), (["a" * 35, "\u0431" * 15], 36)],
)
def test_estimated_tokens_by_hand(contents: list[str], tokens: int) -> None:
    assert estimate_tokens([Message(role="user", content=content) for content in contents]) == tokens


def test_the_window_is_the_smaller_of_what_is_asked_for_and_what_the_model_has() -> None:
    options = GenerationOptions(num_ctx=4096)
    assert [window_of(options, length) for length in (None, 2048, 8192)] == [4096, 2048, 4096]


@pytest.mark.parametrize(
    ("prompt_tokens", "done_reason", "cut"),
    [
        (100, "stop", None),
        (1022, "stop", None),
        (1023, "stop", "prompt"),
        (1024, "length", "prompt"),
        (100, "length", "answer"),
        (None, "stop", None),
        (None, "length", "answer"),
    ],
)
def test_what_was_cut(prompt_tokens: int | None, done_reason: str, cut: str | None) -> None:
    prompt = Prompt(template="t", template_digest="d", messages=(Message(role="user", content="short"),))
    told = what_was_cut(prompt=prompt, window=1024, prompt_tokens=prompt_tokens, done_reason=done_reason)
    assert told == cut


def test_without_a_count_the_estimate_decides() -> None:
    prompt = Prompt(template="t", template_digest="d", messages=(Message(role="user", content="a" * 3500),))
    assert what_was_cut(prompt=prompt, window=1008, prompt_tokens=None, done_reason="stop") == "prompt"
    assert what_was_cut(prompt=prompt, window=1009, prompt_tokens=None, done_reason="stop") is None


def test_a_model_is_given_the_address_it_lacks() -> None:
    model = Model(provider="ollama", name="m")
    assert located(model, base_url="http://h:1").base_url == "http://h:1"
    there = Model(provider="ollama", name="m", base_url="http://other:2")
    assert located(there, base_url="http://h:1") is there
    assert located(model, base_url=None) is model
