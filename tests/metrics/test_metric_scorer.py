"""The service: tables, streams, and what a manifest says of the values."""

from __future__ import annotations

import numpy as np
import pytest

from passer.domain.score import VECTOR_ORDER, VectorProfile
from passer.errors import InputError
from passer.metrics import MetricScorer
from tests.fakes import FakeEncoder

EXACT_AND_STEM = "METEOR (exact and stem)"


class _NoSynonyms:
    identity = "WordNet of nothing"

    def synonyms(self, word: str) -> frozenset[str]:
        return frozenset()


def scoring(**changes: object) -> MetricScorer:
    return MetricScorer(**{"encoder": FakeEncoder(), "wordnet": _NoSynonyms(), **changes})  # type: ignore[arg-type]


def test_a_table_holds_all_columns_and_is_finite() -> None:
    table = scoring().score_table(references=["soil carbon", "water", ""], answers=["soil", "", "x"])
    assert table.ids == ("1", "2", "3")
    assert table.columns == VECTOR_ORDER
    assert np.isfinite(table.values).all()
    assert table.present[0].all()
    assert set(table.reasons[1]) == {"empty_answer"}
    assert set(table.reasons[2]) == {"empty_reference"}
    # One of two words: R 1/2, P 1.
    assert table.values[0][VECTOR_ORDER.index("Rouge-1.r")] == 0.5
    assert table.values[0][VECTOR_ORDER.index("Rouge-1.p")] == 1


@pytest.mark.parametrize("profile", ["standard", "published"])
def test_list_stream_and_table_agree(profile: VectorProfile) -> None:
    pairs = [("soil carbon", "soil"), ("a b c", "c b a"), ("soil carbon", "soil")]
    service = scoring()
    listed = service.score(pairs, profile=profile)
    assert listed[0] == listed[2]
    assert list(service.stream(iter(pairs), profile=profile)) == listed
    table = service.score_table(references=[r for r, _ in pairs], answers=[a for _, a in pairs], profile=profile)
    assert [dict(row) for row in table.rows()] == [dict(row) for row in listed]


def test_profiles_differ() -> None:
    service = scoring()
    standard, published = (
        service.score([("Soil, carbon", "soil carbon")], profile=profile)[0]["F1 Score"].value
        for profile in ("standard", "published")
    )
    assert (standard, published) == (1, 0.5)


def test_only_the_columns_asked_for_in_their_order() -> None:
    table = scoring().score_table(references=["soil"], answers=["soil"], columns=("F1 Score", "BLEU"), ids=["q-1"])
    assert table.columns == ("F1 Score", "BLEU")
    assert table.ids == ("q-1",)
    assert table.values.tolist() == [[1, 1]]


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(InputError, match="2 references, 1 answers and 2 ids"):
        scoring().score_table(references=["a", "b"], answers=["a"])
    with pytest.raises(InputError, match="lists of texts"):
        scoring().score_table(references="soil", answers=["soil"])
    with pytest.raises(InputError, match="no metric “ROUGE”"):
        scoring().score_table(references=["a"], answers=["a"], columns=("ROUGE",))


def test_no_rows_no_table_rows() -> None:
    assert len(scoring().score_table(references=[], answers=[])) == 0


def test_identity_names_what_values_depend_on() -> None:
    identity = scoring().identity
    assert identity["encoder"] == "fake/bag-of-words"
    assert identity["encoder_digest"] == "0" * 64
    assert identity["max_tokens"] == "512"
    assert identity["bertscore"] == "fake/bag-of-words_L1_no-idf_version=0.3.13"
    assert identity["meteor"] == "METEOR, WordNet of nothing"
    assert identity["sentence_splitter"] == "untrained Punkt"
    assert "13a" in identity["bleu"]
    assert all(isinstance(value, str) for value in identity.values())


def test_identity_without_parts() -> None:
    identity = scoring(encoder=None, wordnet=None).identity
    assert identity["encoder"] == "none"
    assert identity["meteor"] == "none, WordNet is missing"


def test_the_variant_of_meteor_is_a_choice_and_a_column_of_its_own() -> None:
    service = scoring(meteor="exact_and_stem")
    table = service.score_table(references=["soils"], answers=["soil"])
    assert table.columns == (*VECTOR_ORDER, EXACT_AND_STEM)
    assert table.reasons[0][VECTOR_ORDER.index("METEOR")] == "wordnet_unavailable"
    assert table.values[0][-1] == 0.5
    assert service.identity["meteor"] == EXACT_AND_STEM
