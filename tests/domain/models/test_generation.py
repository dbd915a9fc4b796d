"""Hand cases of think blocks, abstention, prompt size and cuts."""

from __future__ import annotations

import pytest

from passer.domain.models.abstention import ABSTENTION
from passer.domain.models.answer import Answer
from passer.domain.models.chat import ChatRequest, Completion, CompletionTimings, Message, TokenUsage
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.generation import (
    abstention,
    answer_of,
    estimate_tokens,
    is_worth_repeating,
    located,
    what_was_cut,
    window_of,
    without_thinking,
)
from passer.domain.models.model import Model


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


REQUEST = ChatRequest(
    key="k", messages=(Message(role="user", content="Why?"),), model=Model(), options=GenerationOptions()
)


def a_request(text: str) -> ChatRequest:
    return REQUEST.model_copy(update={"messages": (Message(role="user", content=text),)})


def answer(raw: str, *, strip_thinking: bool = True) -> Answer:
    return answer_of(Completion(text=raw, finish_reason="stop"), request=REQUEST, strip_thinking=strip_thinking)


def test_an_answer_is_trimmed_and_keeps_thoughts_when_told_to() -> None:
    raw = "<think>hm</think>\n Answer. \n"
    plain, with_thoughts = answer(raw), answer(raw, strip_thinking=False)
    assert (plain.text, plain.raw, plain.reason, plain.abstained) == ("Answer.", raw, None, False)
    assert (with_thoughts.text, with_thoughts.reason) == ("<think>hm</think>\n Answer.", None)


def test_an_answer_has_the_counts_and_durations_of_its_completion() -> None:
    completion = Completion(
        text="Because.",
        finish_reason="length",
        usage=TokenUsage(prompt_tokens=7, output_tokens=5),
        timings=CompletionTimings(
            total_duration_ns=50, load_duration_ns=1, prompt_eval_duration_ns=9, eval_duration_ns=40, elapsed_s=0.5
        ),
        model_digest="w",
        window=1024,
    )
    made = answer_of(completion, request=REQUEST)
    assert (made.key, made.model_digest, made.done_reason, made.truncated) == ("k", "w", "length", "answer")
    assert made.generation_s == 0.5
    assert made.timings.model_dump() == {
        "total_duration_ns": 50,
        "load_duration_ns": 1,
        "prompt_eval_count": 7,
        "prompt_eval_duration_ns": 9,
        "eval_count": 5,
        "eval_duration_ns": 40,
    }


@pytest.mark.parametrize(
    ("text", "finish_reason", "repeats"),
    [
        ("", "stop", True),
        (" <think>hm</think>\n", "stop", True),
        ("<think>hm", "length", False),
        ("", "length", False),
        ("Because.", "stop", False),
    ],
)
def test_only_an_empty_reply_that_was_not_cut_is_worth_repeating(text: str, finish_reason: str, repeats: bool) -> None:
    assert is_worth_repeating(Completion(text=text, finish_reason=finish_reason), REQUEST) is repeats


@pytest.mark.parametrize("raw", ["", " \n", "<think>only thoughts</think>\n", "<think>cut off"])
def test_nothing_left_is_an_empty_answer(raw: str) -> None:
    assert (answer(raw).text, answer(raw).reason, answer(raw).abstained) == ("", "empty_answer", False)


def test_thoughts_do_not_hide_an_abstention() -> None:
    assert answer(f"<think>hm</think>{ABSTENTION}", strip_thinking=False).abstained


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
    usage = TokenUsage(prompt_tokens=prompt_tokens)
    completion = Completion(text="x", finish_reason=done_reason, usage=usage, window=1024)
    assert what_was_cut(completion, a_request("short")) == cut


@pytest.mark.parametrize(
    ("told", "cut"), [(4096, "prompt"), (4095, "prompt"), (2051, "prompt"), (2050, "prompt"), (2049, None)]
)
def test_a_prompt_that_was_halved_has_a_count_that_only_halving_gives(told: int, cut: str | None) -> None:
    """5,000 tokens at num_ctx 4096: Ollama before 0.30 tells 4096, then 4095, and 2051 since 0.30.11."""
    completion = Completion(text="x", finish_reason="stop", usage=TokenUsage(prompt_tokens=told), window=4096)
    assert what_was_cut(completion, a_request("word " * 5000)) == cut
    short = a_request("word " * 2051)
    assert what_was_cut(completion, short) == ("prompt" if told >= 4095 else None), "2,051 words fit"


def test_a_count_far_under_what_the_model_counts_elsewhere_is_of_a_cut_prompt() -> None:
    request = a_request("word " * 5000)
    for told, expected, cut in (
        (2999, 5000, "prompt"),
        (3000, 5000, None),
        (2999, None, None),
        (2000, 4096, None),
    ):
        completion = Completion(
            text="x",
            finish_reason="stop",
            usage=TokenUsage(prompt_tokens=told),
            window=4096,
            expected_prompt_tokens=expected,
        )
        assert what_was_cut(completion, request) == cut, (told, expected)


@pytest.mark.parametrize(
    ("written", "finish_reason", "cut"),
    [
        (194, "stop", None),
        (195, "stop", "prompt"),
        (512, "stop", "prompt"),
        (512, "length", "prompt"),
        (196, "length", "answer"),
        (197, "length", "answer"),
    ],
)
def test_an_answer_beyond_the_window_has_pushed_the_prompt_out(
    written: int, finish_reason: str, cut: str | None
) -> None:
    usage = TokenUsage(prompt_tokens=3900, output_tokens=written)
    completion = Completion(text="x", finish_reason=finish_reason, usage=usage, window=4096)
    assert what_was_cut(completion, a_request("word " * 3900)) == cut


def test_without_a_count_the_estimate_decides() -> None:
    request = a_request("a" * 3500)
    for window, cut in ((1008, "prompt"), (1009, None), (None, None)):
        assert what_was_cut(Completion(text="x", finish_reason="stop", window=window), request) == cut


def test_a_model_is_given_the_address_it_lacks() -> None:
    model = Model(provider="ollama", name="m")
    assert located(model, base_url="http://h:1").base_url == "http://h:1"
    there = Model(provider="ollama", name="m", base_url="http://other:2")
    assert located(there, base_url="http://h:1") is there
    assert located(model, base_url=None) is model
