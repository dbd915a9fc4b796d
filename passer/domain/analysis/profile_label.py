"""Names of profiles: the published one implies one encoder; another encoder is named."""

from __future__ import annotations

from collections.abc import Mapping

from passer.domain.score import VectorProfile

PUBLISHED_ENCODER = "bert-base-uncased"
SUBSTITUTED = "published (encoder substituted)"
_NO_ENCODER = ("none", "unavailable")
"""Encoders of scores without an encoder: its columns are missing and have a reason."""


def profile_label(profile: VectorProfile, identity: Mapping[str, str]) -> str:
    """Return the name of a profile, which states if its encoder was substituted."""
    encoder = identity.get("encoder")
    if profile != "published" or encoder is None or encoder in _NO_ENCODER:
        return profile
    # Behind the name of its owner and before its precision.
    name = encoder.rstrip("/").rpartition("/")[2].partition("@")[0]
    return profile if name == PUBLISHED_ENCODER else SUBSTITUTED
