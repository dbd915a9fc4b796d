"""The union of longest common subsequences as the package `rouge` 1.0.1 computes it.

Which words it finds depends on how it walks back through its table when two ways are equally long, so that walk is
kept; the table itself is held as one big integer for each row (bit-parallel LCS, Hyyrö 2004) instead of cell by cell.
"""

from __future__ import annotations

from collections.abc import Sequence


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
