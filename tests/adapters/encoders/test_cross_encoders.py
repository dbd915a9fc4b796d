"""Cross-encoders: a real one with random weights, made here; its scores against the library's own batch."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from passer.adapters.encoders.cross_encoders import CrossEncoders
from passer.domain.retrieval.refinements import CrossEncoder
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Reranked
from passer.domain.retrieval.retriever_names import retriever_of
from passer.errors import ConfigError, ConflictError
from passer.services.pipeline.ranker import Ranker
from tests.fakes import FakeIndex, passages_of

TEXTS = ("clover fixes nitrogen", "bees fly far", "hens go outside", "copper is limited")
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *" ".join((*TEXTS, "how do")).split()]
TINY = CrossEncoder(name="tiny")


def make(folder: Path, *, labels: int = 1, seed: int = 0) -> None:
    """Write a BERT of one layer with 16 dimensions."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(WORDS)))
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=len(WORDS), num_labels=labels, max_position_embeddings=16, **sizes)
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=16).save_pretrained(folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("models")
    make(made / "tiny")
    make(made / "pair", labels=2)
    return made


def expected(folder: Path, question: str) -> list[float]:
    """The library's scores of all texts in one padded batch."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder / "tiny")
    model = AutoModelForSequenceClassification.from_pretrained(folder / "tiny").eval()
    with torch.inference_mode():
        return model(**tokenizer([question] * 4, list(TEXTS), padding=True, return_tensors="pt")).logits[:, 0].tolist()


def test_the_first_passages_are_ordered_by_the_model_and_the_others_follow(folder: Path) -> None:
    index, ranker = FakeIndex("books", passages_of(*TEXTS)), Ranker(rerankers=CrossEncoders(folder))
    question = "how far do bees fly"
    scores = dict(zip(TEXTS, expected(folder, question), strict=True))
    [before] = ranker.rank(index, Dense(), [question], 4)
    first, others = before.passages[:3], before.passages[3:]
    reranked = Reranked(of=Dense(), by=TINY, depth=3)
    [found] = ranker.rank(index, reranked, [question], 4)
    assert [each.text for each in found.passages] == [
        *sorted((each.text for each in first), key=lambda text: -scores[text]),
        others[0].text,
    ]
    assert [each.score for each in found.passages[:3]] == pytest.approx(
        [scores[each.text] for each in found.passages[:3]], abs=1e-5
    )
    assert (found.passages[3].score, [each.rank for each in found.passages]) == (None, [1, 2, 3, 4])
    near = [{each.id: each.similarity for each in ranking.passages} for ranking in (before, found)]
    assert near[0] == near[1]
    # A shallower ranking is the beginning of a deeper one.
    assert ranker.rank(index, reranked, [question], 2)[0].passages == found.passages[:2]


def test_equal_scores_keep_their_order() -> None:
    class Indifferent:
        def pinned(self, by: CrossEncoder) -> CrossEncoder:
            return by

        def scores(self, by: CrossEncoder, question: str, texts: list[str]) -> list[float]:
            return [1.0] * len(texts)

    index = FakeIndex("books", passages_of(*TEXTS))
    before, after = (
        Ranker(rerankers=Indifferent()).rank(index, each, ["bees"], 4)[0]
        for each in (Lexical(), Reranked(of=Lexical(), by=TINY))
    )
    assert [each.id for each in after.passages] == [each.id for each in before.passages]


def test_the_weights_are_pinned(folder: Path, tmp_path: Path) -> None:
    make(tmp_path / "tiny")
    encoders = CrossEncoders(tmp_path)
    pinned = encoders.pinned(TINY)
    assert len(pinned.pins["weights"]) == 64
    assert Reranked(of=Dense(), by=pinned).digest != Reranked(of=Dense(), by=TINY).digest
    make(tmp_path / "tiny", seed=1)
    with pytest.raises(ConflictError, match="has changed since the sweep was created"):
        encoders.scores(pinned, "bees", TEXTS)


def test_what_cannot_rerank_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no cross-encoder other in .* Available: pair, tiny"):
        CrossEncoders(folder).pinned(CrossEncoder(name="other"))
    with pytest.raises(ConfigError, match=r"no folder of models is set. Set PASSER_MODELS"):
        CrossEncoders(None).pinned(TINY)
    with pytest.raises(ConfigError, match=r"empty contains none. Put the folder of the model there"):
        CrossEncoders(tmp_path / "empty").pinned(TINY)
    with pytest.raises(ConfigError, match="gives 2 scores"):
        CrossEncoders(folder).scores(CrossEncoder(name="pair"), "bees", TEXTS)
    make(tmp_path / "tiny")
    (tmp_path / "tiny" / "model.safetensors").rename(tmp_path / "tiny" / "pytorch_model.bin")
    with pytest.raises(ConfigError, match="not in the safetensors format"):
        CrossEncoders(tmp_path).pinned(TINY)
    for name in ("../tiny", "a/b", ""):
        with pytest.raises(ValidationError):
            CrossEncoder(name=name)


def test_its_short_name() -> None:
    hybrid = Fused(of=(Dense(), Lexical()))
    found = retriever_of("rerank:hybrid@tiny")
    assert found == Reranked(of=hybrid, by=TINY)
    assert found.label == "RRF (Dense, BM25) reranked by tiny"
    assert retriever_of("rerank:fusion:bm25@local/a@tiny") == Reranked(of=retriever_of("fusion:bm25@local/a"), by=TINY)
    with pytest.raises(ConfigError, match="does not name a retriever and a cross-encoder"):
        retriever_of("rerank:bm25")
