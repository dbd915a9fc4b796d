"""Table 5 of the paper of RAGElo as games: 6 systems, 200 questions, 3,000 games."""

from __future__ import annotations

import numpy as np

from passer.domain.arena.game import Game

SYSTEMS = ("RAG-BM25", "RAGF-BM25", "RAG-KNN", "RAGF-KNN", "RAG-Hyb", "RAGF-Hyb")
QUESTIONS = 200
WINS = np.array(
    [
        [0, 14.5, 49.5, 52.5, 29.0, 28.5],
        [49.0, 0, 58.5, 51.5, 53.5, 30.5],
        [33.0, 27.0, 0, 20.0, 26.0, 31.0],
        [34.5, 30.0, 37.0, 0, 30.5, 32.0],
        [41.5, 21.0, 51.5, 48.0, 0, 20.5],
        [46.0, 35.0, 49.0, 45.5, 43.5, 0],
    ]
)
"""Wins of the row over the column in % of 200 games."""


def games() -> list[Game]:
    """Which question had which outcome is not published: the first ones are wins of a, then of b, then ties."""
    found = []
    for a in range(6):
        for b in range(a + 1, 6):
            first, second = round(2 * WINS[a, b]), round(2 * WINS[b, a])
            for question in range(QUESTIONS):
                outcome = "a" if question < first else "b" if question < first + second else "tie"
                game = Game(
                    question_id=f"q{question}",
                    a=SYSTEMS[a],
                    b=SYSTEMS[b],
                    outcome=outcome,
                    how="given",
                    source="import",
                )
                found.append(game)
    return found
