"""No NaN, ever: whatever the two texts are, each score is a finite number within its bounds, or has a reason."""

from __future__ import annotations

import math
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passer.domain.score import VECTOR_ORDER, MissingReason, VectorProfile
from passer.domain.texts.words import has_other_letters
from passer.metrics import PairScorer, infos
from tests.fakes import FakeEncoder


class _Synonyms:
    """Every word is a synonym of `x` and of itself backwards."""

    identity = "fake"

    def synonyms(self, word: str) -> frozenset[str]:
        return frozenset({"x", word[::-1]})


SCORERS = {
    profile: PairScorer(profile=profile, encoder=FakeEncoder(), wordnet=_Synonyms())
    for profile in get_args(VectorProfile)
}
BOUNDS = {
    profile: {info.name: (info.minimum, info.maximum) for info in infos(profile)} for profile in get_args(VectorProfile)
}
STRANGE = (
    "",
    " ",
    ".",
    "…",
    "?!",
    "word",
    "\x00",
    "\x1c\x1d",
    "\u200b",
    "\ufeff",
    "שלום עולם",
    "‮abc‬",
    "👩‍👩‍👧‍👦 🇧🇬",
    "ﬀ ﬁ İ ß",
    "़ं",
    "水は青い",
    "<s> </s> <UNK>",
    "a" * 3000,
    "''",
    "``",
    "\r\n\t",
    "\ud800 lone",
    "1.",
    "-\n",
    "&quot;<skipped>",
)
texts = st.one_of(st.text(max_size=80), st.sampled_from(STRANGE), st.text(st.characters(), max_size=20))


def check(profile: VectorProfile, *, reference: str, answer: str) -> None:
    (scores,) = SCORERS[profile].score([(reference, answer)])
    assert tuple(scores) == VECTOR_ORDER
    for column, score in scores.items():
        if score.value is None:
            assert score.reason in get_args(MissingReason)
            continue
        assert math.isfinite(score.value)
        low, high = BOUNDS[profile][column]
        assert low is None or score.value >= low - 1e-9, (column, score.value)
        assert high is None or score.value <= high + 1e-9, (column, score.value)


@pytest.mark.parametrize("profile", get_args(VectorProfile))
@settings(max_examples=250)
@given(reference=texts, answer=texts)
def test_finite_within_bounds_or_a_reason(profile: VectorProfile, reference: str, answer: str) -> None:
    check(profile, reference=reference, answer=answer)


@pytest.mark.parametrize("profile", get_args(VectorProfile))
@pytest.mark.parametrize("answer", STRANGE)
def test_strange_texts_against_all(profile: VectorProfile, answer: str) -> None:
    for reference in STRANGE:
        check(profile, reference=reference, answer=answer)


@pytest.mark.parametrize("profile", get_args(VectorProfile))
@pytest.mark.parametrize("text", ["word " * 20_000, "x" * 100_000, ". " * 50_000, "水" * 100_000, "a.b!c?" * 16_000])
def test_a_hundred_thousand_characters(profile: VectorProfile, text: str) -> None:
    check(profile, reference="A short reference.", answer=text)
    check(profile, reference=text, answer="A short answer.")


SELF_IS_ONE = (*(f"Rouge-{kind}.{field}" for kind in "1l" for field in "rpf"), "BLEU", "F1 Score")
WITH_SELF_IS_ONE = ("Cosine similarity", "Bert-Score.precision", "Bert-Score.recall", "Bert-Score.f1")


@settings(max_examples=100)
@given(texts)
def test_a_text_is_most_like_itself(text: str) -> None:
    (scores,) = SCORERS["standard"].score([(text, text)])
    for column in (*SELF_IS_ONE, *WITH_SELF_IS_ONE):
        value = scores[column].value
        assert value is None or value == pytest.approx(1, abs=1e-6), column


@settings(max_examples=100)
@given(texts, texts)
def test_symmetry(left: str, right: str) -> None:
    """Exchanging the sides exchanges precision and recall, and leaves the symmetric columns as they are."""
    forth, back = SCORERS["standard"].score([(left, right), (right, left)])
    if any(scores["Rouge-1.f"].reason in ("empty_answer", "empty_reference") for scores in (forth, back)):
        return
    if has_other_letters(left) == has_other_letters(right):
        for kind in "12l":
            assert forth[f"Rouge-{kind}.r"] == back[f"Rouge-{kind}.p"]
        assert forth["F1 Score"].value == pytest.approx(back["F1 Score"].value)
    # The encoder multiplies matrices of another shape when the sides change, so the last printed digit may differ.
    mirrored = ("Cosine similarity", "Pearson correlation", "Bert-Score.f1")
    for column, other in (("Bert-Score.precision", "Bert-Score.recall"), *zip(mirrored, mirrored, strict=True)):
        assert forth[column].value == pytest.approx(back[other].value, abs=2e-6)
        assert forth[column].reason == back[other].reason
