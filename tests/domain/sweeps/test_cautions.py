"""What is warned of before a sweep starts, and what its preview proposes."""

from __future__ import annotations

import pytest

from passer.domain.models.decoding import GenerationOptions
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.passages import Chunking, Collection, EmbeddingModel
from passer.domain.retrieval.planned_collection import PlannedCollection
from passer.domain.sweeps.axes import threshold_range
from passer.domain.sweeps.cautions import cautions, language_cautions, mismatch
from passer.domain.sweeps.preview import Quantiles, prompt_tokens, proposed_range, quantiles
from passer.domain.sweeps.sweep import Sweep
from tests.domain.sweeps.test_sweep import LLAMA, MISTRAL, sweep


def bound(name: str = "books", embedding: str = "ollama/mistral:latest", **chunking: int) -> Collection:
    model = EmbeddingModel(name=embedding, digest="d", dimension=4)
    return Collection(name=name, embedding=model, chunking=Chunking(**chunking))


def test_a_collection_that_is_bound_otherwise_is_named():
    wanted = PlannedCollection(name="books", embedding="ollama/mistral", chunking=Chunking(chunk_size=512))
    assert mismatch(wanted, None) is None
    assert mismatch(wanted, bound(chunk_size=512)) is None
    assert "has passages of 1\u202f024 characters" in str(mismatch(wanted, bound()))
    other = bound(embedding="embedded/all-MiniLM-L6-v2", chunk_size=512)
    assert "uses the embedding model embedded/all-MiniLM-L6-v2" in str(mismatch(wanted, other))
    assert mismatch(PlannedCollection(name="books", embedding="embedded"), other) is None


def warned(built: Sweep, *collections: Collection) -> str:
    return "\n".join(cautions(built, bound={collection.name: collection for collection in collections}))


def test_passages_that_cannot_fit_the_window_are_warned_of_with_their_real_size():
    """100 x 1,024 characters / 4 = 25,600 tokens; 100 x 100 / 4 = 2,500, and with 512 for the answer below 4,096."""
    built = sweep(NormalPolicy(k=100), config={"model": MISTRAL})
    assert (
        "100 passages of 1\u202f024 characters are about 25\u202f600 tokens and do not fit num_ctx 4\u202f096"
        in warned(built)
    )
    assert "do not fit" not in warned(built, bound(chunk_size=100))
    roomy = {"model": MISTRAL, "options": GenerationOptions(num_ctx=26_112)}
    assert "do not fit" not in warned(sweep(NormalPolicy(k=100), config=roomy))
    assert "do not fit" not in warned(sweep(NormalPolicy(k=100)))


def test_an_embedding_model_that_is_also_evaluated_is_warned_of():
    built = sweep(NormalPolicy(k=1), model=(MISTRAL, LLAMA), embedding=("ollama/mistral",))
    assert "mistral:7b is compared on passages retrieved with its own embeddings (mistral)" in warned(built)
    assert "llama3.1:8b is evaluated" not in warned(built)
    plain = sweep(NormalPolicy(k=1), model=(MISTRAL, LLAMA))
    assert "its own embeddings" not in warned(plain)
    assert "its own embeddings" in warned(plain, bound()), "what the collection is bound to counts"


def test_axes_that_change_nothing_and_a_missing_baseline_are_warned_of():
    assert "ignores these settings: temperature and repeat" in warned(
        sweep(NormalPolicy(), temperature=(0, 1), repeat=2)
    )
    assert "All 3 repetitions use seed" in warned(sweep(NormalPolicy(), model=(MISTRAL, LLAMA), repeat=3))
    assert "There is no baseline" in warned(sweep(min_similarity=(0.5, 0.6)))
    assert warned(sweep(NormalPolicy(k=2), min_similarity=(0.5, 0.6))) == ""


@pytest.mark.parametrize(
    ("primary", "margin", "is_warned"),
    [
        # A perplexity has no upper bound, and B-RT goes to 5: .02 of them is nothing that matters.
        ("Laplace Perplexity", None, True),
        ("B-RT.average", 0.02, True),
        ("Laplace Perplexity", 5.0, False),
        ("METEOR", None, False),
        ("CPS", None, False),
    ],
)
def test_the_usual_margin_is_warned_of_where_the_scale_is_another_one(primary, margin, is_warned):
    built = sweep(NormalPolicy(k=1)).model_copy(update={"primary": primary, "margin": margin})
    assert (f"the scale of {primary} is another one" in warned(built)) is is_warned


def test_scores_made_for_english_are_warned_of_in_another_language():
    built = sweep(NormalPolicy(k=2), min_similarity=(0.5, 0.6))
    (caution,) = cautions(built, bound={}, language="bg")
    assert "in language “bg”" in caution
    assert "METEOR matches equal words only" in caution
    for language in ("en", "en-GB", "EN_us"):
        assert cautions(built, bound={}, language=language, references=("Soil “holds” water.",)) == ()


def test_the_texts_raise_the_caution_whatever_the_tag_says():
    references = ("Почвата пази водата.", "土壤保持水分", "Soil holds water.")
    letters, spaces, encoder = language_cautions(references, language="en")
    assert letters.startswith("2 of 3 references contain letters beyond ASCII (Cyrillic, Han).")
    assert spaces.startswith("1 of 3 references are in a script without spaces")
    assert "columns of a multilingual encoder instead" in spaces
    assert "The built-in encoder was trained on English." in encoder
    assert [line.message.code for line in language_cautions(references[:1], language="bg")] == [
        "caution.other-letters",
        "caution.not-english",
    ]


def test_quantiles_by_hand():
    """Of 0, .25, .5, .75, 1: linear between neighbours, so that 5 % lies a fifth of the way to the second."""
    assert quantiles([1, 0.5, 0, 0.75, 0.25]) == Quantiles(p05=0.05, p50=0.5, p95=0.95)
    assert quantiles([]) is None


def spread(median: float) -> Quantiles:
    return Quantiles(p05=median, p50=median, p95=median)


@pytest.mark.parametrize(
    ("far", "near", "expected"),
    [
        (0.31, 0.58, (0.3, 0.6, 0.05)),  # 16 values at .02 are too many, 7 at .05 are not
        (0.50, 0.61, (0.5, 0.61, 0.01)),  # both on the grid: 12 values
        (0.50, 0.62, (0.5, 0.62, 0.02)),  # 13 at .01
        (-0.2, 0.95, (-0.2, 1.0, 0.2)),  # 13 at .1
        (0.5, 0.5, (0.5, 0.5, 0.01)),
    ],
)
def test_the_proposed_range_lies_between_the_medians_on_a_round_grid(far, near, expected):
    found = proposed_range(nearest=spread(near), tenth=spread(far))
    assert found is not None
    assert (found.start, found.stop, found.step) == expected
    values = threshold_range(start=found.start, stop=found.stop, step=found.step)
    assert 1 <= len(values) <= 12


def test_no_range_is_proposed_from_nothing():
    assert proposed_range(nearest=None, tenth=None) is None


def test_prompts_over_the_room_are_counted():
    found = prompt_tokens([10, 20, 60], room=20)
    assert found is not None
    assert (found.mean, found.most, found.overflowing) == (30.0, 60, 1)
    assert prompt_tokens([], room=20) is None
