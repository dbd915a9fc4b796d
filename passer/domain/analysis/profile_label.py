"""How a profile is called: the published one means one encoder, and another in its place is said."""

from __future__ import annotations

from collections.abc import Mapping

from passer.domain.score import Profile

PUBLISHED_ENCODER = "bert-base-uncased"
SUBSTITUTED = "published (encoder substituted)"
_NO_ENCODER = ("none", "unavailable")
"""Without an encoder nothing was put in its place: its columns are missing, and say why."""


def profile_label(profile: Profile, identity: Mapping[str, str]) -> str:
    """The profile of scores that were made by what `identity` names under `encoder`."""
    encoder = identity.get("encoder")
    if profile != "published" or encoder is None or encoder in _NO_ENCODER:
        return profile
    # Behind the name of its owner and before its precision.
    name = encoder.rstrip("/").rpartition("/")[2].partition("@")[0]
    return profile if name == PUBLISHED_ENCODER else SUBSTITUTED
