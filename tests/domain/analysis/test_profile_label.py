"""How the profile of scores is called, by the encoder that their identity names."""

from __future__ import annotations

import pytest

from passer.domain.analysis.profile_label import profile_label
from passer.services.analysis.sweep_analysis import analyse
from tests.analysis_rows import sweep

SUBSTITUTED = "published (encoder substituted)"


@pytest.mark.parametrize(
    ("encoder", "label"),
    [
        ("bert-base-uncased", "published"),
        ("google-bert/bert-base-uncased", "published"),
        ("bert-base-uncased@bfloat16", "published"),
        ("embedded/all-MiniLM-L6-v2", SUBSTITUTED),
        ("distilbert-base-uncased", SUBSTITUTED),
        ("bert-base-uncased-finetuned", SUBSTITUTED),
        ("none", "published"),
        ("unavailable", "published"),
    ],
)
def test_the_identity_says_the_encoder(encoder: str, label: str) -> None:
    assert profile_label("published", {"encoder": encoder}) == label
    assert profile_label("standard", {"encoder": encoder}) == "standard"


def test_without_an_identity_nothing_is_claimed() -> None:
    assert profile_label("published", {}) == "published"


@pytest.mark.parametrize(
    ("encoder", "label"), [("bert-base-uncased", "published"), ("embedded/all-MiniLM-L6-v2", SUBSTITUTED)]
)
def test_an_analysis_is_labelled(encoder: str, label: str) -> None:
    runs = [
        item.model_copy(
            update={
                "config": item.config.model_copy(update={"profile": "published"}),
                "identity": {"encoder": encoder, "encoder_digest": "1"},
            }
        )
        for item in sweep(base=[0.2, 0.4], other=[0.4, 0.8])
    ]
    analysis = analyse(runs)
    assert (analysis.profile, analysis.profile_label) == ("published", label)
