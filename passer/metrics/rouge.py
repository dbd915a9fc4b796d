"""ROUGE: overlap of n-grams (1, 2) and longest common subsequence (L)."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.score import Citation, MetricInfo, VectorProfile
from passer.metrics.pair import Pair, Text
from passer.metrics.registry import Value, describe, register, tokenizer_note
from passer.metrics.tokens import (
    OTHER_LETTERS_TOKENIZER,
    ROUGE_TOKENIZER,
    NgramCounts,
    clipped_matches_by_order,
    count_ngrams,
    ngrams,
)

_CITATION = Citation(
    text="Lin, C.-Y. (2004). ROUGE: A package for automatic evaluation of summaries. Text Summarization Branches Out.",
    url="https://aclanthology.org/W04-1013/",
)
_OVERLAP = {
    "1": "words in common, each as often as both sides have it",
    "2": "bigrams in common, each as often as both sides have it",
    "l": "length of the longest common subsequence of words",
}
_OVERLAP_PUBLISHED = {
    "1": "distinct words in common",
    "2": "distinct bigrams in common",
    "l": "distinct words in the union of the longest common subsequences of all pairs of sentences",
}
_FIELDS = {"r": "recall", "p": "precision", "f": "F1"}
_EXCHANGED = (
    "The published service gave the two texts in exchanged places: field r is overlap / answer (a precision), "
    "field p is overlap / reference (a recall)."
)


def words_by_sentence(text: str) -> list[list[str]]:
    """Split at full stops, then into words. White space between two full stops counts as one empty word."""
    return [part.split() or [""] for part in text.split(".") if part]


def union_lcs(*, reference: Sequence[Sequence[str]], answer: Sequence[Sequence[str]]) -> int:
    """Return the distinct words in the longest common subsequences of all pairs of sentences."""
    found: set[str] = set()
    places = [_places(sentence) for sentence in reference]
    for rows in answer:
        for columns, where in zip(reference, places, strict=True):
            if not where.keys().isdisjoint(rows):
                found.update(_subsequence(rows, columns, where))
    return len(found)


def _places(words: Sequence[str]) -> dict[str, int]:
    """Map each word to its places as bits."""
    bits: dict[str, int] = {}
    for place, word in enumerate(words):
        bits[word] = bits.get(word, 0) | 1 << place
    return bits


def _lengths(rows: Sequence[str], columns: int, places: dict[str, int]) -> list[int]:
    """Return the table of lengths, a number of `columns` bits for each row and one before the first."""
    full = (1 << columns) - 1
    state, table = full, [full]
    for word in rows:
        matched = state & places.get(word, 0)
        # A zero bit marks a column where the length grows: length(i, j) = zeros in the lowest j bits of row i.
        state = ((state + matched) | (state - matched)) & full
        table.append(state)
    return table


def _subsequence(rows: Sequence[str], columns: Sequence[str], places: dict[str, int]) -> list[str]:
    """Return the words of one longest common subsequence; of equally long paths, the one with fewer columns."""
    table = _lengths(rows, len(columns), places)
    row, column, words = len(rows), len(columns), []
    while row and column:
        if rows[row - 1] == columns[column - 1]:
            row, column = row - 1, column - 1
            words.append(rows[row])
        elif _length(table[row - 1], column) > _length(table[row], column - 1):
            row -= 1
        else:
            column -= 1
    return words


def _length(state: int, column: int) -> int:
    return column - (state & ((1 << column) - 1)).bit_count()


def _info(profile: VectorProfile, kind: str, field: str) -> MetricInfo:
    published = profile == "published"
    what = (_OVERLAP_PUBLISHED if published else _OVERLAP)[kind]
    side = {"r": "|answer|" if published else "|reference|", "p": "|reference|" if published else "|answer|"}
    share = f"overlap / {side[field]}" if field in side else "2 p r / (p + r)"
    cut = (
        "Tokens: case-sensitive, split at white space and full stops, as sets; 1e-8 is added below in F."
        if published
        else f"Tokens: {ROUGE_TOKENIZER}, lower-cased; {OTHER_LETTERS_TOKENIZER}; no stemmer."
    )
    return describe(
        f"Rouge-{kind}.{field}",
        profile,
        summary=f"ROUGE-{kind.upper()} {_FIELDS[field]}" + (", by the published field names." if published else "."),
        formula=f"{share}; overlap = {what}. {cut}",
        citation=_CITATION,
        notes=(_EXCHANGED,) if published else (),
    )


def _infos(profile: VectorProfile) -> list[MetricInfo]:
    return [_info(profile, kind, field) for kind in _OVERLAP for field in _FIELDS]


@register(*_infos("standard"), note=tokenizer_note)
def standard(pair: Pair) -> Sequence[Value]:
    """Return rouge1, rouge2 and rougeL as rouge-score defines them, with the reference as target."""
    words, counts = (_unicode_words, _unicode_counts) if pair.by_unicode else (_alphanumeric, _alphanumeric_counts)
    reference, answer = words(pair.reference), words(pair.answer)
    if not reference and not answer:
        return ("no_tokens",) * 9
    values: list[Value] = []
    for order, overlap in enumerate(clipped_matches_by_order(pair.reference.once(counts), answer), start=1):
        values += _fields(overlap, reference=len(reference) - order + 1, answer=len(answer) - order + 1)
    return (*values, *_fields(_lcs(reference, answer), reference=len(reference), answer=len(answer)))


def _alphanumeric(text: Text) -> list[str]:
    return text.alphanumeric


def _unicode_words(text: Text) -> list[str]:
    return text.unicode_words


def _alphanumeric_counts(text: Text) -> list[NgramCounts]:
    return [count_ngrams(text.alphanumeric, order) for order in (1, 2)]


def _unicode_counts(text: Text) -> list[NgramCounts]:
    return [count_ngrams(text.unicode_words, order) for order in (1, 2)]


def _fields(overlap: int, *, reference: int, answer: int) -> tuple[float, float, float]:
    recall, precision = overlap / max(1, reference), overlap / max(1, answer)
    both = precision + recall
    return recall, precision, 2 * precision * recall / both if both else 0.0


def _lcs(left: list[str], right: list[str]) -> int:
    from rapidfuzz.distance import LCSseq

    return int(LCSseq.similarity(left, right))


@register(*_infos("published"))
def published(pair: Pair) -> Sequence[Value]:
    """Return the scores of the package `rouge` 1.0.1 with hypothesis and reference exchanged."""
    reference, answer = words_by_sentence(pair.reference.raw), words_by_sentence(pair.answer.raw)
    if not reference or not answer:
        return ("no_tokens",) * 9
    reference_words = [word for sentence in reference for word in sentence]
    answer_words = [word for sentence in answer for word in sentence]
    values: list[Value] = []
    for order in (1, 2):
        theirs, ours = set(ngrams(reference_words, order)), set(ngrams(answer_words, order))
        values += _exchanged(len(theirs & ours), reference=len(theirs), answer=len(ours))
    overlap = union_lcs(reference=reference, answer=answer)
    return (*values, *_exchanged(overlap, reference=len(set(reference_words)), answer=len(set(answer_words))))


def _exchanged(overlap: int, *, reference: int, answer: int) -> tuple[float, float, float]:
    r, p = overlap / max(1, answer), overlap / max(1, reference)
    return r, p, 2.0 * (p * r / (p + r + 1e-8))
