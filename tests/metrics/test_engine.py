"""The engine: streams, shares, and gives a pair the same values whatever stands beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from passer.domain.score import VECTOR_ORDER, Scores
from passer.errors import EncoderUnavailable, InputError
from passer.metrics import EXACT_AND_STEM, PairScorer, score_pairs
from passer.ports import TokenStates
from tests.fakes import FakeEncoder
from tests.metrics.texts import PAIRS

COSINE = "Cosine similarity"


class CountingEncoder(FakeEncoder):
    """Remembers what it was asked to encode."""

    def __init__(self) -> None:
        self.whole: Counter[str] = Counter()
        self.first: Counter[str] = Counter()

    def token_states(self, texts: Iterable[str], *, first_only: bool = False) -> Iterator[TokenStates]:
        for text in texts:
            (self.first if first_only else self.whole)[text] += 1
            yield from super().token_states([text], first_only=first_only)


class MissingEncoder(FakeEncoder):
    def token_states(self, texts: Iterable[str], *, first_only: bool = False) -> Iterator[TokenStates]:
        raise EncoderUnavailable("not here")
        yield


def scorer(encoder: FakeEncoder | None = None, columns: tuple[str, ...] = VECTOR_ORDER) -> PairScorer:
    return PairScorer(profile="standard", encoder=encoder, wordnet=None, columns=columns)


def values(scores: Scores) -> dict[str, object]:
    return {column: score.value if score.reason is None else score.reason for column, score in scores.items()}


def test_each_distinct_text_is_encoded_once_and_each_pair_scored_once() -> None:
    encoder = CountingEncoder()
    engine = scorer(encoder)
    pairs = [(f"reference {i % 3}", f"answer {i % 10}") for i in range(300)]
    first = [values(scores) for scores in engine.score(pairs)]
    again = [values(scores) for scores in engine.score(pairs)]
    assert first == again
    assert set(encoder.whole.values()) == {1}
    assert set(encoder.whole) == {text for pair in pairs for text in pair}
    assert set(encoder.first.values()) == {1}
    assert len(encoder.first) == len(set(pairs)) == 30


def test_values_do_not_depend_on_order_or_company() -> None:
    pairs = [*PAIRS, *PAIRS[:3]]
    alone = [values(next(scorer(FakeEncoder()).score([pair]))) for pair in pairs]
    together = [values(scores) for scores in scorer(FakeEncoder()).score(pairs)]
    backwards = [values(scores) for scores in scorer(FakeEncoder()).score(pairs[::-1])]
    assert alone == together == backwards[::-1]


def test_it_streams() -> None:
    taken = 0

    def endless() -> Iterator[tuple[str, str]]:
        nonlocal taken
        while True:
            taken += 1
            yield f"reference {taken}", "answer"

    stream = scorer(FakeEncoder(), columns=("F1 Score", COSINE)).score(endless())
    for _ in range(3):
        next(stream)
    assert taken <= 64


def test_without_an_encoder_the_other_columns_have_values() -> None:
    for encoder in (None, MissingEncoder()):
        (scores,) = scorer(encoder).score([("soil carbon", "soil")])
        assert scores[COSINE].reason == scores["B-RT.average"].reason == "encoder_unavailable"
        assert scores["F1 Score"].value is not None


def test_without_wordnet_meteor_says_so_and_its_variant_has_its_own_name() -> None:
    (scores,) = scorer(columns=("METEOR", EXACT_AND_STEM)).score([("soils run", "soil running")])
    assert scores["METEOR"].reason == "wordnet_unavailable"
    # Both words by stem, one chunk of two: 1 - .5 / 8.
    assert scores[EXACT_AND_STEM].value == pytest.approx(1 - 0.5 / 8)


def test_only_the_columns_asked_for() -> None:
    encoder = CountingEncoder()
    (scores,) = scorer(encoder, columns=("F1 Score", COSINE)).score([("soil", "soil")])
    assert list(scores) == ["F1 Score", COSINE]
    assert not encoder.first
    with pytest.raises(InputError, match="no metric “ROUGE-9”"):
        scorer(columns=("ROUGE-9",))


def test_a_reference_that_fills_the_limit_is_noted() -> None:
    long = " ".join(f"word{i}" for i in range(600))
    (scores,) = scorer(FakeEncoder()).score([(long, "an answer")])
    noted = {column for column, score in scores.items() if score.note == "answer_cut_off"}
    assert noted == {"B-RT.coherence", "B-RT.fluency", "B-RT.average"}
    # A long answer is cut too, but something of it is seen.
    (scores,) = scorer(FakeEncoder()).score([("a reference", long)])
    assert not any(score.note for score in scores.values())


def test_no_encoder_tokens_is_a_reason() -> None:
    class Deaf(FakeEncoder):
        def token_states(self, texts: Iterable[str], *, first_only: bool = False) -> Iterator[TokenStates]:
            return super().token_states(["" for _ in texts], first_only=first_only)

    (scores,) = scorer(Deaf()).score([("soil", "soil")])
    assert scores[COSINE].reason == "no_tokens"


def test_one_pair_by_one_function() -> None:
    (scores,) = score_pairs([("soil", "soil")], profile="standard", encoder=None, wordnet=None, columns=("F1 Score",))
    assert scores["F1 Score"].value == 1
