"""Replies of other systems, in the shapes that their documentation shows."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from passer.domain.models.outside import MOST_PASSAGES, OutsidePassage, reply_of

LANGCHAIN = SimpleNamespace(page_content="Clover fixes nitrogen.", metadata={"source": "soil.pdf", "page": 3})
SHAPES = {
    "text": ("Nitrogen.", []),
    "ours": (
        {"answer": "Nitrogen.", "passages": [{"text": "Clover fixes nitrogen.", "document": "soil.pdf", "score": 0.5}]},
        [("Clover fixes nitrogen.", "soil.pdf", 0.5)],
    ),
    "ragas": (
        {"user_input": "?", "retrieved_contexts": ["a", "b"], "response": "Nitrogen.", "reference": "Other."},
        [("a", "", None), ("b", "", None)],
    ),
    "ragas 0.1": ({"question": "?", "contexts": ["a"], "answer": "Nitrogen.", "ground_truth": "x"}, [("a", "", None)]),
    "deepeval": (
        {"input": "?", "actual_output": "Nitrogen.", "retrieval_context": ["a"], "context": ["gold"]},
        [("a", "", None)],
    ),
    "deepeval without retrieval": ({"input": "?", "actual_output": "Nitrogen.", "context": ["gold"]}, []),
    "langchain chain": (
        {"input": "?", "context": [LANGCHAIN], "answer": "Nitrogen."},
        [("Clover fixes nitrogen.", "soil.pdf", None)],
    ),
    "langchain message": (SimpleNamespace(content="Nitrogen."), []),
    "trec rag": (
        {"topic_id": "7", "references": ["d1"], "answer": [{"text": "Nitro", "citations": [0]}, {"text": "gen."}]},
        [],
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_reply_is_read_in_the_form_of_its_tool(shape: str) -> None:
    given, passages = SHAPES[shape]
    reply = reply_of(given)
    assert reply.answer == ("Nitro gen." if shape == "trec rag" else "Nitrogen.")
    assert [(each.text, each.document, each.score) for each in reply.passages] == passages


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"reply": "x"}, "no member answer (its members: reply)"),
        ({"answer": None}, "answer must be a text, not null"),
        ({"answer": "x", "contexts": 7}, "contexts must be a list of texts or passages, not a number"),
        ({"answer": "x", "contexts": ["a", {"score": 1}]}, "contexts.1 must be a text"),
        ({"answer": "x", "passages": ["a"] * (MOST_PASSAGES + 1)}, "at most 1\u202f000"),
        ({"answer": "x" * 8_000_001}, "8\u202f000\u202f001 characters"),
        (7, "no member answer"),
        (["x"], "no member answer"),
        (None, "no member answer"),
    ],
)
def test_what_is_no_reply_is_named(given: object, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        reply_of(given)


def test_counts_that_are_none_are_left_out() -> None:
    reply = reply_of({"answer": "x", "usage": {"prompt_tokens": 12, "completion_tokens": "many"}})
    assert (reply.prompt_tokens, reply.output_tokens) == (12, None)
    assert reply_of({"answer": "x", "usage": {"prompt_tokens": True}}).prompt_tokens is None
    assert reply_of({"answer": "x", "passages": [{"text": "a", "score": float("nan")}]}).passages[0].score is None


def test_what_no_database_can_hold_is_replaced() -> None:
    reply = reply_of({"answer": "x\0\ud800", "passages": [{"text": "a\udfff", "document": "soil\ud800.pdf"}]})
    assert (reply.answer, reply.passages) == ("x?", (OutsidePassage(text="a?", document="soil?.pdf"),))


def test_equal_passages_have_one_id() -> None:
    one, other = OutsidePassage(text="a", document="d").as_passage, OutsidePassage(text="a", document="d").as_passage
    assert one == other
    assert one.id != OutsidePassage(text="a", document="e").as_passage.id
    assert OutsidePassage(text="a\0\ud800").text == "a?"
