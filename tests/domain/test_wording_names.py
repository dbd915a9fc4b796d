"""Names of configurations and numbers in the words of a language, alone and within sentences."""

from __future__ import annotations

import pytest

from passer.domain.wording.names import as_named, named
from passer.domain.wording.sentence import number_sentence, sentence, text_of


@pytest.mark.parametrize(
    ("stored_name", "shown_name"),
    [
        ("Similarity ≥ 0.50", "Сходство ≥ 0,50"),
        ("llama3.1:8b, Similarity ≥ 0.50, Dense, T=0.2, #2", "llama3.1:8b, Сходство ≥ 0,50, Векторно, T=0,2, #2"),
        ("m (server 2), No retrieval", "m (server 2), Без извличане"),
        ("Published score 0.50", "Публикуван праг 0,50"),
        ("Relative ≥ 0.85", "Относително ≥ 0,85"),
        ("Largest gap of 20", "Най-голям спад сред 20"),
        ("Top-k 5, RRF (Dense, BM25)", "Top-k 5, RRF (Dense, BM25)"),
        ("m (BM25, default, temperature 0.2), Top-k 3, BM25", "m (BM25, default, температура 0,2), Top-k 3, BM25"),
        ("m (default, temperature 1)", "m (default, температура 1)"),
        ("Dense", "Dense"),
        ("A text on Similarity ≥ 0.50, T=0.2", "A text on Similarity ≥ 0.50, T=0.2"),
    ],
)
def test_names_of_configurations_are_shown_in_a_language(stored_name: str, shown_name: str) -> None:
    assert named(stored_name, "en") == stored_name
    assert named(stored_name, "bg") == shown_name
    assert named(shown_name, "bg") == shown_name


def test_a_name_within_a_sentence_is_in_the_language_of_the_sentence() -> None:
    said = sentence("warning.unfinished", name="Similarity ≥ 0.50", n=1)
    assert "Similarity ≥ 0.50" in said
    assert said.message is not None
    assert "Сходство ≥ 0,50" in text_of(said.message, "bg")


def test_a_name_is_found_by_the_words_of_a_language() -> None:
    assert as_named("сходство ≥ 0,5", "bg") == "similarity ≥ 0.5"
    assert as_named("без извл", "bg") == "без извл"
    assert as_named("similarity ≥ 0,5", "en") == "similarity ≥ 0,5"


def test_numbers_in_a_list_have_the_sign_of_the_language_and_stay_apart() -> None:
    said = sentence("effects.several", n=2, names=(number_sentence(0.65), number_sentence(0.9)))
    assert said == "2 (0.65, 0.9)"
    assert said.message is not None
    assert text_of(said.message, "bg") == "2 (0,65; 0,9)"
