"""Ids of comparisons of retrievers: what was compared, and by what, so that an id opens it without a stored copy."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from passer.domain.base import Frozen, canonical_json
from passer.domain.canonical import json_value
from passer.domain.retrieval.report import RetrievalRequest
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError

LONGEST_ID = 8000
"""Characters: servers and browsers refuse longer addresses. Only retrievers with large term maps have none."""
LONGEST_REQUEST = 1 << 20
"""Bytes that an id may become when it is decompressed."""


class Comparison(Frozen):
    """A comparison of retrievers that was made."""

    request: RetrievalRequest
    collection: str
    """Digest of the version of the collection."""
    dataset: str
    """Digest of the dataset."""

    @property
    def id(self) -> str | None:
        """Return the id, the same for equal comparisons; None where it would be longer than LONGEST_ID."""
        packed = zlib.compress(canonical_json(self.model_dump(mode="json")), 9)
        found = urlsafe_b64encode(packed).decode().rstrip("=")
        return found if len(found) <= LONGEST_ID else None


def comparison_of(comparison_id: str) -> Comparison:
    """Return the comparison with this id; NotFoundError for a text that is none."""
    try:
        packed = urlsafe_b64decode(comparison_id + "=" * (-len(comparison_id) % 4))
        unpacking = zlib.decompressobj()
        found = unpacking.decompress(packed, LONGEST_REQUEST)
        # An id that was cut may still be whole JSON; only its checksum is missing then.
        if not unpacking.eof:
            raise ValueError("The end is missing.")
        return Comparison.model_validate(json_value(found.decode()))
    except (ValueError, zlib.error, RecursionError) as exc:
        raise NotFoundError(sentence("retrieval.no-comparison")) from exc
