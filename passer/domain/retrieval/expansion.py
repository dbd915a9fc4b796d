"""Query expansion: the words that a map of terms adds to a question."""

from __future__ import annotations

from passer.domain.retrieval.passages import Rewriting
from passer.domain.retrieval.refinements import Terms
from passer.domain.texts.search_words import folded, without_shapeless
from passer.domain.texts.words import unicode_pieces, unicode_words


def expansion(question: str, by: Terms) -> Rewriting:
    """Return the question with the words that a map appends to it, in the order of its terms.

    Terms are whole words or phrases, whatever their case and optional marks. A longer term is found before a shorter
    one that shares a word with it. A word that the question or an earlier term already has is not added again.
    """
    words = _words(question)
    known = set(words)
    added: list[str] = []
    for term in _terms_in(words, by):
        pieces = (piece.text for text in by.terms[term] for piece in unicode_pieces(text) if piece.is_word)
        for word in pieces:
            if folded(word) not in known and len(added) < by.most:
                known.add(folded(word))
                added.append(word)
    if not added:
        return Rewriting(asked=(question,), reason="no-term")
    return Rewriting(asked=(f"{question} {' '.join(added)}",))


def _words(text: str) -> list[str]:
    return list(map(folded, unicode_words(without_shapeless(text))))


def _terms_in(words: list[str], by: Terms) -> list[str]:
    """Return the terms that occur among some words, in the order of the words."""
    spelled = {term: _words(term) for term in by.terms}
    found: dict[int, str] = {}
    free = [True] * len(words)
    for term, parts in sorted(spelled.items(), key=lambda each: (-len(each[1]), each[1])):
        size = len(parts)
        for start in range(len(words) - size + 1):
            if words[start : start + size] == parts and all(free[start : start + size]):
                free[start : start + size] = [False] * size
                found[start] = term
    return [found[start] for start in sorted(found)]
