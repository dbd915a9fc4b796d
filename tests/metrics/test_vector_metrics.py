"""Encoder columns agree with bert-score, scipy and plain transformers, with the embedded weights."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from passer.adapters.encoders.encoder import TransformerEncoder, embedded_encoder
from passer.adapters.encoders.files import embedded_folder
from passer.domain.score import Scores, VectorProfile
from passer.metrics import infos, score_pairs
from tests.metrics.texts import PAIRS

LONG = ("Soil carbon is stored in the soil. " * 90, "Carbon sinks. " * 20)
TEXTS = (*PAIRS, LONG)
COLUMNS = tuple(info.name for info in infos("standard") if "encoder" in info.needs)


@pytest.fixture(scope="module")
def encoder() -> TransformerEncoder:
    return embedded_encoder()


@pytest.fixture(scope="module")
def plain() -> Any:
    """Last hidden state of one text, by transformers, unbatched."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(embedded_folder(), local_files_only=True)
    model = AutoModel.from_pretrained(embedded_folder(), local_files_only=True).eval()

    def states(text: str) -> NDArray[np.float64]:
        tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=512)
        with torch.inference_mode():
            found = model(**tokens).last_hidden_state[0]
        return np.asarray(found.numpy(), dtype=np.float64)

    return states


def scored(encoder: TransformerEncoder, profile: VectorProfile) -> list[Scores]:
    return list(score_pairs(TEXTS, profile=profile, encoder=encoder, wordnet=None, columns=COLUMNS))


def test_bertscore_is_bert_scores(encoder: TransformerEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "HF_HUB_OFFLINE", "1")
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=str(embedded_folder()), num_layers=6, idf=False, device="cpu")
    scorer._tokenizer.model_max_length = 512
    for (reference, answer), scores in zip(TEXTS, scored(encoder, "standard"), strict=True):
        expected = [float(value[0]) for value in scorer.score([answer], [reference])]
        found = [scores[f"Bert-Score.{field}"].value for field in ("precision", "recall", "f1")]
        assert found == pytest.approx(expected, abs=1e-5)


def test_cosine_and_pearson_of_the_pooled_vectors(encoder: TransformerEncoder, plain: Any) -> None:
    from scipy.spatial.distance import cosine
    from scipy.stats import pearsonr

    for (reference, answer), scores in zip(TEXTS, scored(encoder, "standard"), strict=True):
        left, right = plain(reference).mean(axis=0), plain(answer).mean(axis=0)
        assert scores["Cosine similarity"].value == pytest.approx(1 - cosine(left, right), abs=1e-5)
        assert scores["Pearson correlation"].value == pytest.approx(pearsonr(left, right).statistic, abs=1e-5)


def test_published_vectors(encoder: TransformerEncoder, plain: Any) -> None:
    from scipy.spatial.distance import cdist, cosine
    from scipy.stats import pearsonr

    for (reference, answer), scores in zip(TEXTS, scored(encoder, "published"), strict=True):
        left, right = plain(reference), plain(answer)
        combined = plain(f"Reference: {reference} Candidate: {answer}")[0]
        s = 1 - cosine(left[0], right[0])
        cosines = 1 - cdist(left, right, "cosine")
        precision, recall = cosines.max(axis=1).mean(), cosines.max(axis=0).mean()
        coherence = np.clip(np.linalg.norm(combined[:100]) / 10 * s, 0, 5)
        fluency = np.clip(np.linalg.norm(combined[100:300]) / 15 * s, 0, 5)
        expected = {
            "Cosine similarity": s,
            "Pearson correlation": pearsonr(left.mean(axis=0), right.mean(axis=0)).statistic,
            "Bert-Score.precision": precision,
            "Bert-Score.recall": recall,
            "Bert-Score.f1": 2 * precision * recall / (precision + recall),
            "B-RT.coherence": coherence,
            "B-RT.consistency": 5 * s,
            "B-RT.fluency": fluency,
            "B-RT.relevance": 5 * s,
            "B-RT.average": (coherence + fluency + 10 * s) / 4,
        }
        assert {column: scores[column].value for column in COLUMNS} == pytest.approx(expected, abs=1e-5)


def test_brt_is_the_same_in_both_profiles_where_nothing_is_clipped(encoder: TransformerEncoder) -> None:
    for standard, published in zip(scored(encoder, "standard"), scored(encoder, "published"), strict=True):
        for column in COLUMNS:
            if column.startswith("B-RT.") and (published["B-RT.relevance"].value or 0) >= 0:
                assert standard[column] == published[column]
