"""Windows of passages, and the order in which they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np

from passer.domain.base import digest_of
from passer.domain.models.chat import Message
from passer.domain.models.generation import estimate_tokens
from passer.domain.questions.drafting import Excerpt, Window
from passer.domain.retrieval.passages import Passage


def excerpts_of(passages: Iterable[Passage], window: Window) -> list[Excerpt]:
    """Return the windows of a collection, given its passages by document and number; none spans two documents."""
    found: list[Excerpt] = []
    for _, own in groupby(passages, key=lambda passage: passage.document):
        found += [_excerpt(part) for part in _parts(own, window)]
    return found


def corpus_digest(passages: Iterable[Passage]) -> str:
    """Return the digest of a collection's passages, which are addressed by content."""
    return digest_of(sorted(passage.id for passage in passages))


def order_of(count: int, seed: int) -> list[int]:
    """Return the places 0 to count - 1 in an order drawn without replacement."""
    return [int(place) for place in np.random.default_rng(seed).permutation(count)]


def _parts(passages: Iterable[Passage], window: Window) -> Iterator[list[Passage]]:
    part: list[Passage] = []
    for passage in passages:
        if part and not _fits([*part, passage], window):
            yield part
            part = []
        part.append(passage)
    if part:
        yield part


def _fits(part: Sequence[Passage], window: Window) -> bool:
    first, last = part[0].page, part[-1].page
    if first is not None and last is not None and last - first >= window.pages:
        return False
    if window.unit == "passage":
        return len(part) <= window.size
    return estimate_tokens([Message(role="user", content=_text(part))]) <= window.size


def _excerpt(part: Sequence[Passage]) -> Excerpt:
    return Excerpt(
        document=part[0].document,
        passages=tuple(passage.id for passage in part),
        text=_text(part),
        start=part[0].start,
        page=part[0].page,
    )


def _text(part: Sequence[Passage]) -> str:
    """Join passages; what a passage shares with the one before it is left out."""
    texts, end = [part[0].text], part[0].end
    for passage in part[1:]:
        texts.append(passage.text[max(0, end - passage.start) :])
        # White space between passages belongs to none of them.
        texts[-1] = f"\n{texts[-1]}" if passage.start > end else texts[-1]
        end = max(end, passage.end)
    return "".join(texts)
