"""Query expansion by a map of terms: which words are added, in which order, and how the result is ranked."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from passer.adapters.experiments.reader import load_experiment
from passer.adapters.term_maps import read_term_map
from passer.domain.retrieval.expansion import expansion
from passer.domain.retrieval.passages import Rewriting
from passer.domain.retrieval.refinements import Terms
from passer.domain.retrieval.retriever import Dense, Lexical, Rewritten, models_of
from passer.errors import ConfigError, InputError
from passer.services.pipeline.ranker import WITHOUT_MODELS
from tests.fakes import FakeIndex, passages_of


def terms(most: int = 8, **added: tuple[str, ...]) -> Terms:
    return Terms(name="map", terms={key.replace("_", " "): value for key, value in added.items()}, most=most)


LITPATH = terms(
    agriculture=("farming", "crop", "cultivation"),
    Machine_Learning=("neural network", "deep learning", "prediction model", "algorithm"),
)


def test_the_printed_example_of_litpath() -> None:
    question = "machine learning sa agriculture"
    added = "neural network deep prediction model algorithm farming crop"
    assert expansion(question, LITPATH) == Rewriting(asked=(f"{question} {added}",))


def test_a_longer_term_comes_before_one_within_it_and_only_whole_words_count() -> None:
    found = terms(ulan=("rain",), tag_ulan=("rainy season",))
    assert expansion("Kailan ang TAG-ULAN?", found).asked == ("Kailan ang TAG-ULAN? rainy season",)
    assert expansion("ulan at tag ulan", found).asked == ("ulan at tag ulan rain rainy season",)
    assert expansion("ulanan", found) == Rewriting(asked=("ulanan",), reason="no-term")
    assert expansion("ulan rain", found).reason == "no-term", "the question has the word already"
    assert expansion("incir nedir?", terms(İncir=("fig",))).asked == ("incir nedir? fig",)
    assert expansion("ما التُّرْبة؟", terms(التربة=("soil",))).asked == ("ما التُّرْبة؟ soil",)
    assert expansion("почва", terms(почва=("soil",), most=1)).asked == ("почва soil",)


def test_the_expanded_question_gives_one_ranking_and_similarities_stay_those_of_the_question() -> None:
    index = FakeIndex("books", passages_of("bees fly far", "clover fixes nitrogen", "hens go outside"))
    by = terms(bubuyog=("bees", "fly"))
    question = "bubuyog"
    for of in (Dense(), Lexical()):
        [found] = WITHOUT_MODELS.rank(index, Rewritten(of=of, by=by), [question], 3)
        [direct] = WITHOUT_MODELS.rank(index, of, ["bubuyog bees fly"], 3)
        assert [each.id for each in found.passages] == [each.id for each in direct.passages]
        ordered_by = [each.similarity if each.score is None else each.score for each in direct.passages]
        assert [each.score for each in found.passages] == pytest.approx(ordered_by)
        near = index.similarities([question], [[each.id for each in found.passages]])
        assert [each.similarity for each in found.passages] == pytest.approx(near[0])
        assert found.rewriting == Rewriting(asked=("bubuyog bees fly",))
        [first] = WITHOUT_MODELS.rank(index, Rewritten(of=of, by=by), [question], 1)
        assert first.passages[0].id == found.passages[0].id


def test_the_map_is_part_of_the_retriever() -> None:
    one, other = (Rewritten(of=Dense(), by=terms(a=(word,))) for word in ("b", "c"))
    assert one.digest != other.digest
    assert (one.label, one.searches, list(models_of(one))) == ("Terms map (Dense)", 1, [])
    assert WITHOUT_MODELS.pinned(one) == one


@pytest.mark.parametrize(
    ("given", "problem"),
    [({"?": ("a",)}, "needs a word"), ({"a": ()}, "needs a word"), ({"A": ("b",), "a": ("c",)}, "the same words")],
)
def test_maps_that_cannot_be_are_refused(given: dict[str, tuple[str, ...]], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Terms(name="map", terms=given)


def test_a_file_of_terms_is_read_and_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "terms.csv"
    file.write_text('# Filipino\n\nbubuyog, bees,"honey, bees"\n', encoding="utf-8-sig")
    assert read_term_map(file) == {"bubuyog": ["bees", "honey, bees"]}
    for text, problem in (
        ("a\n", "line 1: the line needs a term"),
        ("a,b\na,c\n", "line 2: the term a"),
        ("", "no terms"),
        ("a," + "b" * 2**20, "larger than 1\u202f024 kB"),
    ):
        file.write_text(text)
        with pytest.raises(InputError, match=problem):
            read_term_map(file)


def test_an_experiment_names_a_file_beside_it_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text("bubuyog,bees\n")
    experiment = tmp_path / "e.yaml"
    head = "name: s\ndataset: d\ncollection: c\nretriever: "
    experiment.write_text(f'{head}"terms:bm25@terms.csv"\n')
    made = Rewritten(of=Lexical(), by=Terms(name="terms", terms={"bubuyog": ("bees",)}))
    assert load_experiment(experiment, {}).retrievers == (made,)
    for wrong in ("terms:bm25@../terms.csv", "terms:bm25@/etc/passwd", "terms:bm25"):
        experiment.write_text(f'{head}"{wrong}"\n')
        with pytest.raises(ConfigError, match="a file of terms in the folder of this file"):
            load_experiment(experiment, {})
    experiment.write_text(f'{head}"terms:bm25@none.csv"\n')
    with pytest.raises(ConfigError, match="cannot be read"):
        load_experiment(experiment, {})
