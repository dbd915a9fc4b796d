"""Source of a ranking, addressed by content, so that sweeps share rankings."""

from __future__ import annotations

import hashlib
from functools import cached_property

from passer.domain.base import Frozen, digest_of
from passer.domain.retrieval.retriever import Dense, Retriever


class RankingSource(Frozen):
    """Source of a ranking: one version of a collection, and the retriever that orders its passages.

    The same source gives the same ranking to the same question, so sweeps share rankings by it.
    """

    version: str
    """Digest of what the collection is bound to and holds."""
    retriever: Retriever = Dense()
    """Retriever that made the ranking."""

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of collection version and retriever."""
        return digest_of({"version": self.version, "retriever": self.retriever.digest})


def question_digest(text: str) -> str:
    """Return the SHA-256 of a question's text, so that equal questions of any dataset share a ranking."""
    return hashlib.sha256(text.encode()).hexdigest()
