"""Places of a system that was not made for PaSSER."""

from __future__ import annotations

import pytest

from passer.domain.models.connection import NewConnection
from passer.domain.models.reply_places import ReplyPlaces

REPLY = {"data": {"said": "Yes."}, "hits": [{"doc": {"body": "Page 1.", "file": "a.pdf"}, "rank/score": 0.7}]}


def test_a_reply_is_read_and_a_question_put_at_their_places() -> None:
    places = ReplyPlaces(question="/input/query", answer="/data/said", passages="/hits", text="/doc/body")
    assert places.asking("Why?") == {"input": {"query": "Why?"}}
    assert places.read(REPLY)["answer"] == "Yes."
    assert places.read(REPLY)["passages"][0]["text"] == "Page 1."
    assert ReplyPlaces(answer="/hits/0/rank~1score").read(REPLY)["answer"] == 0.7
    assert ReplyPlaces().read(REPLY) is REPLY


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ({"answer": "/data/text"}, "nothing at /data/text"),
        ({"answer": "/data/said", "passages": "/data"}, "/data is not a list"),
        ({"answer": "/data/said", "passages": "/hits", "text": "/body"}, "/hits/0: the reply has nothing at /body"),
        ({"answer": "/hits/1"}, "nothing at /hits/1"),
    ],
)
def test_a_place_that_a_reply_does_not_have_is_named(places: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ReplyPlaces(**places).read(REPLY)


@pytest.mark.parametrize("place", ["data", "/", "/a b", "/a~2", "/a//b", "#/a"])
def test_a_place_is_a_json_pointer(place: str) -> None:
    with pytest.raises(ValueError, match="pattern"):
        ReplyPlaces(answer=place)


def test_only_a_system_has_places() -> None:
    with pytest.raises(ValueError, match="RAG system"):
        NewConnection(name="a", kind="openai", url="http://127.0.0.1:9/v1", places=ReplyPlaces(answer="/a"))
