"""WordNet from its files: the synonyms that NLTK finds there."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import pytest

from passer.adapters.wordnet import WordNetFiles, find_wordnet
from passer.errors import ConfigError
from tests.metrics.oracle import WORDNET, nltk_wordnet


@pytest.fixture(scope="module")
def wordnet() -> WordNetFiles:
    if not WORDNET.is_dir():
        pytest.skip("WordNet absent: apt-get install wordnet-base")
    found = find_wordnet(WORDNET)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def reader(wordnet: WordNetFiles, tmp_path_factory: pytest.TempPathFactory) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nltk_wordnet(tmp_path_factory.mktemp("wordnet"))


def test_synonyms_by_hand(wordnet: WordNetFiles) -> None:
    assert {"physician", "doctor", "doc"} <= wordnet.synonyms("physicians")
    assert "dog" in wordnet.synonyms("dogs")
    assert wordnet.synonyms("geese") >= {"goose"}
    assert wordnet.synonyms("zzyzx") == wordnet.synonyms("") == wordnet.synonyms("куче") == frozenset()
    assert not any("_" in name for name in wordnet.synonyms("car"))


def test_synonyms_are_those_of_nltk(wordnet: WordNetFiles, reader: Any) -> None:
    known = [line.split()[0] for part in ("noun", "verb", "adj", "adv") for line in _lines(WORDNET / f"index.{part}")]
    odd = [line.split()[0] for part in ("noun", "verb", "adj") for line in _lines(WORDNET / f"{part}.exc")]
    chance = random.Random(3)
    words = [
        *chance.sample(known, 800),
        *chance.sample(odd, 400),
        "involucra",
        "s",
        "es",
        "ing",
        "was",
        "better",
        ".22",
    ]
    words += [word + chance.choice(["s", "es", "ed", "ing", "er", "ies", "men"]) for word in chance.sample(known, 800)]
    for word in words:
        lemmas = {lemma.name() for synset in reader.synsets(word) for lemma in synset.lemmas()}
        assert wordnet.synonyms(word) == {name for name in lemmas if "_" not in name}, word


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="ascii").splitlines() if not line.startswith(" ")]


def test_it_names_itself(wordnet: WordNetFiles) -> None:
    assert wordnet.identity.startswith("WordNet 3.0 sha256:")
    assert len(wordnet.identity.split(":")[1]) == 64


def test_a_folder_without_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="contains no WordNet"):
        find_wordnet(tmp_path)
